//! What the engine tells, as objects that can only be read.

use crate::vector::{array, array3, table};
use numpy::{PyArray1, PyArray2};
use palpable::Status;
use pyo3::prelude::*;

/// A class around a value of the engine, with a property for each number of it.
macro_rules! shown {
    (
        $(#[$doc:meta])* $Class:ident ($Inner:ty) {
            show { $($(#[$field_doc:meta])*
                $field:ident: $type:ty = |$s:ident| $value:expr;)* }
            own { $($own:tt)* }
        }
    ) => {
        $(#[$doc])*
        #[pyo3::pyclass(frozen, module = "palpable")]
        #[derive(Debug, Clone)]
        pub struct $Class(pub $Inner);

        #[pyo3::pymethods]
        impl $Class {
            $($(#[$field_doc])*
            #[getter]
            fn $field(&self) -> $type {
                let $s = &self.0;
                $value
            })*

            fn __repr__(&self) -> String {
                let mut text = String::from(concat!(stringify!($Class), "("));
                $(text.push_str(&format!("{}={:?}, ", stringify!($field), self.$field()));)*
                text.truncate(text.trim_end_matches(", ").len());
                text.push(')');
                text
            }

            $($own)*
        }
    };
}

pub(crate) use shown;

shown! {
    /// Stored energy by account \[J\].
    Stored(palpable::Stored) {
        show {
        /// Kinetic energy \[J\].
        kinetic: f64 = |s| s.kinetic;
        /// Energy in the carried strains of springs and joints \[J\].
        elastic: f64 = |s| s.elastic;
        /// Potential energy of gravity \[J\].
        gravity: f64 = |s| s.gravity;
        /// Content of the tank \[J\].
        tank: f64 = |s| s.tank;
        /// Energy in the layers of contacts over a volume \[J\].
        contact: f64 = |s| s.contact;
        }
        own {
            /// Sum of all accounts \[J\].
            fn total(&self) -> f64 {
                self.0.total()
            }
        }
    }
}

shown! {
    /// Energy that crossed a boundary \[J\].
    Flows(palpable::Flows) {
        show {
        /// In through ports, and what a user granted.
        supplied: f64 = |s| s.supplied;
        /// Out by viscous damping.
        damped: f64 = |s| s.damped;
        /// Out by friction.
        friction: f64 = |s| s.friction;
        /// Out by impacts.
        impact: f64 = |s| s.impact;
        /// Turned away by a full tank, released by a wrapped angle, or lost by arithmetic.
        discarded: f64 = |s| s.discarded;
        /// In from nowhere, by a contact law that is not passive.
        created: f64 = |s| s.created;
        }
        own {
            /// Everything that left \[J\].
            fn lost(&self) -> f64 {
                self.0.lost()
            }

            /// Everything that entered \[J\].
            fn entered(&self) -> f64 {
                self.0.entered()
            }
        }
    }
}

shown! {
    /// The books of a world since it was built.
    Ledger(palpable::Ledger) {
        show {
        /// Stored energy at the start.
        initial: Stored = |s| Stored(s.initial());
        /// Stored energy now.
        now: Stored = |s| Stored(s.now());
        /// Everything that crossed the boundary since the start.
        totals: Flows = |s| Flows(s.totals());
        /// Sum of the magnitudes of all bookings \[J\].
        booked: f64 = |s| s.booked();
        /// Largest raw step defect relative to the energy in play.
        max_defect: f64 = |s| s.max_defect();
        /// Times a strain could not follow because nobody could pay.
        fallbacks: u64 = |s| s.fallbacks();
        /// Steps and live changes entered.
        steps: u64 = |s| s.steps();
        /// Groups that paid, steps done again, groups held, energy taken back \[J\].
        gate: (u64, u64, u64, f64) = |s| {
            let g = s.gate();
            (g.paid, g.retries, g.held, g.energy)
        };
        }
        own {
            /// What the accounts leave unexplained since the start \[J\].
            fn closure(&self) -> f64 {
                self.0.closure()
            }

            /// The accounts as a numpy array: kinetic, elastic, gravity, tank, contact,
            /// supplied, damped, friction, impact, discarded, created \[J\].
            fn as_array<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
                array(py, &self.0.accounts())
            }
        }
    }
}

shown! {
    /// Does the account close, and if not, which account moved, in words.
    Audit(palpable::Audit) {
        show {
        /// Unexplained energy since the start \[J\].
        closure: f64 = |s| s.closure;
        /// Largest raw step defect, relative.
        max_defect: f64 = |s| s.max_defect;
        /// What was noticed, in words.
        findings: Vec<String> = |s| s.findings.iter().map(|f| f.to_string()).collect();
        }
        own {
            /// True if no energy is unexplained or created.
            fn is_clean(&self) -> bool {
                self.0.is_clean()
            }

            fn __str__(&self) -> String {
                self.0.to_string()
            }
        }
    }
}

shown! {
    /// What a step says about itself.
    StepReport(palpable::StepReport) {
        show {
        /// `taken` or `input-ignored`.
        status: &'static str = |s| status_name(s.status);
        /// Steps taken since the world was built, this one included.
        tick: u64 = |s| s.tick;
        /// Simulated time after the step \[s\].
        time: f64 = |s| s.time;
        /// Stored energy when the step began.
        before: Stored = |s| Stored(s.entry.before);
        /// Stored energy when it ended.
        after: Stored = |s| Stored(s.entry.after);
        /// What crossed the boundary in between.
        flows: Flows = |s| Flows(s.entry.flows);
        /// Raw defect of the linear step before any booking \[J\].
        defect: f64 = |s| s.entry.defect;
        /// What the accounts leave unexplained \[J\].
        closure: f64 = |s| s.entry.closure();
        /// Parts it was divided into.
        substeps: u32 = |s| s.substeps;
        /// Islands solved a second time.
        resolves: u32 = |s| s.resolves;
        /// Largest gap left at the end \[m or rad\].
        gap: f64 = |s| s.gap;
        /// Largest relative residual of the linear solves.
        residual: f64 = |s| s.residual;
        /// Points of contact within reach.
        contact_points: usize = |s| s.contact.points;
        /// Points of contact that found no room.
        contact_dropped: usize = |s| s.contact.dropped;
        /// Deepest overlap at the end of the step \[m\].
        contact_depth: f64 = |s| s.contact.depth;
        /// Sweeps and Newton steps of contact.
        contact_iterations: usize = |s| s.contact.iterations;
        /// Groups that paid, times the step was done again, groups held, energy taken back \[J\].
        gate: (u32, u32, u32, f64) = |s| (s.gate.paid, s.gate.retries, s.gate.held, s.gate.energy);
        }
        own {}
    }
}

fn status_name(status: Status) -> &'static str {
    match status {
        Status::Taken => "taken",
        Status::InputIgnored => "input-ignored",
        Status::BadStep => "bad-step",
        Status::Unsupported => "unsupported",
        Status::NotFinite => "not-finite",
    }
}

shown! {
    /// What a live change cost and how far it went.
    Receipt(palpable::Receipt) {
        show {
        /// Part of the change that was made, 0 to 1.
        applied: f64 = |s| s.applied;
        /// Change of mechanical energy that remained \[J\].
        jump: f64 = |s| s.jump;
        /// Paid by the tank \[J\]; negative if it received.
        tank: f64 = |s| s.tank;
        /// Supplied by the user \[J\].
        supplied: f64 = |s| s.supplied;
        }
        own {}
    }
}

shown! {
    /// What a port shows after a step.
    PortOutput(palpable::PortOutput) {
        show {
        /// Energy that entered through this port in the step \[J\].
        work: f64 = |s| s.work;
        /// Motor: its measure at the end of the step \[m or rad\].
        measure: f64 = |s| s.measure;
        /// Motor: representative rate of the measure \[m/s or rad/s\].
        rate: f64 = |s| s.rate;
        /// Motor: effort along the measure \[N or N·m\].
        effort: f64 = |s| s.effort;
        }
        own {
            /// Position of the port's point \[m\].
            #[getter]
            fn position<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
                array3(py, &self.0.position)
            }

            /// Orientation of the port's frame.
            #[getter]
            fn rotation(&self) -> crate::pose::Rotation {
                crate::pose::Rotation(self.0.rotation)
            }

            /// Representative velocity of the point over the step \[m/s\].
            #[getter]
            fn velocity<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
                array3(py, &self.0.velocity)
            }

            /// Representative angular velocity over the step, world axes \[rad/s\].
            #[getter]
            fn angular_velocity<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
                array3(py, &self.0.angular_velocity)
            }

            /// Reference port: force on whoever holds the reference \[N\]. Force port: the force
            /// applied.
            #[getter]
            fn force<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
                array3(py, &self.0.force)
            }

            /// Likewise the torque, world axes \[N·m\].
            #[getter]
            fn torque<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
                array3(py, &self.0.torque)
            }
        }
    }
}

shown! {
    /// The contacts of the last step, as arrays with one row per contact.
    Contacts(Vec<palpable::Touch>) {
        show {
        }
        own {
            fn __len__(&self) -> usize {
                self.0.len()
            }

            /// Indices of the two bodies.
            #[getter]
            fn bodies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
                use numpy::PyArrayMethods;
                let values = self.0.iter().flat_map(|t| t.bodies.map(|b| b as i64)).collect();
                PyArray1::from_vec(py, values).reshape([self.0.len(), 2])
            }

            /// Unit normal from the first to the second body, world axes.
            #[getter]
            fn normals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
                rows(py, &self.0, |t| t.normal)
            }

            /// Where they are, world axes \[m\].
            #[getter]
            fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
                rows(py, &self.0, |t| t.point)
            }

            /// Mean force on the second body over the step \[N\].
            #[getter]
            fn forces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
                rows(py, &self.0, |t| t.force)
            }

            /// Mean torque on the second body by spinning and rolling friction \[N·m\].
            #[getter]
            fn torques<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
                rows(py, &self.0, |t| t.torque)
            }

            /// Impulse on the second body at the start of the step \[N·s\].
            #[getter]
            fn impulses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
                rows(py, &self.0, |t| t.impulse)
            }

            /// Distance of the surfaces at the start of the step \[m\].
            #[getter]
            fn gaps<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
                PyArray1::from_iter(py, self.0.iter().map(|t| t.gap))
            }

            /// Names of the contacts, kept as long as they last.
            #[getter]
            fn ids<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
                PyArray1::from_iter(py, self.0.iter().map(|t| t.id))
            }

            /// True where a contact was not there in the step before.
            #[getter]
            fn begins<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
                let begins = |t: &palpable::Touch| t.event == palpable::TouchEvent::Begin;
                PyArray1::from_iter(py, self.0.iter().map(begins))
            }
        }
    }
}

fn rows<'py>(
    py: Python<'py>,
    touches: &[palpable::Touch],
    of: impl Fn(&palpable::Touch) -> palpable::Vec3,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let values = touches.iter().flat_map(|t| <[f64; 3]>::from(of(t))).collect();
    table(py, values, 3)
}
