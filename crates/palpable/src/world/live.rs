//! Live parameter changes: each is a jump of stored energy, and each is paid for.

use super::{World, stored};
use crate::ledger::{Entry, Flows, Stored};
use crate::math::{Rotation, Vec3, Vec6};
use crate::model::{
    BodyId, BodyInfo, ElementId, ElementParams, LIGHTEST, Params, Pose, SystemAt, Terms,
    element_strain, too_large,
};
use thiserror::Error;

/// Who pays for the jump of stored energy that a change causes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Payment {
    /// The tank. What it cannot pay shrinks strain or velocity, or the change is made in part.
    #[default]
    Tank,
    /// The user: the jump counts as supplied energy, and the change is made in full.
    Supply,
}

/// What a change cost and how far it went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Receipt {
    /// Part of the change that was made, 0 to 1.
    pub applied: f64,
    /// Change of mechanical energy that remained after any shrinking [J].
    pub jump: f64,
    /// Paid by the tank [J]; negative if it received.
    pub tank: f64,
    /// Supplied by the user [J].
    pub supplied: f64,
}

/// Why a change was refused; nothing was changed.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ChangeError {
    /// A number is NaN or infinite.
    #[error("{field} is not a finite number; pass a finite value")]
    NotFinite {
        /// The parameter.
        field: &'static str,
    },
    /// A number is negative.
    #[error("{field} is {value}; it must be 0 or more")]
    Negative {
        /// The parameter.
        field: &'static str,
        /// The value given.
        value: f64,
    },
    /// A mass that is not positive.
    #[error("mass is {value} kg; it must be greater than 0")]
    Mass {
        /// The value given.
        value: f64,
    },
    /// A number is out of its range.
    #[error("{field} is {value}; it must be {need}")]
    OutOfRange {
        /// The parameter.
        field: &'static str,
        /// The value given.
        value: f64,
        /// What it must be.
        need: &'static str,
    },
    /// A hard joint stays hard, and where it is.
    #[error("the joint is hard; build it with a finite stiffness to change it while it runs")]
    Hard,
    /// The body or element does not exist or cannot move.
    #[error("{field} does not exist in this world, or is fixed; use an id of a moving part")]
    Unknown {
        /// What was looked for.
        field: &'static str,
    },
}

pub(super) fn finite(field: &'static str, values: &[f64]) -> Result<(), ChangeError> {
    if !values.iter().all(|v| v.is_finite()) {
        return Err(ChangeError::NotFinite { field });
    }
    match too_large(values) {
        Some(value) => Err(ChangeError::OutOfRange { field, value, need: "at most 1e40" }),
        None => Ok(()),
    }
}

fn not_negative(field: &'static str, values: &[f64]) -> Result<(), ChangeError> {
    finite(field, values)?;
    match values.iter().find(|v| **v < 0.0) {
        Some(&value) => Err(ChangeError::Negative { field, value }),
        None => Ok(()),
    }
}

/// An element whose reference moved, and the work of that [J].
#[derive(Debug, Clone, Copy)]
pub(super) struct Moved {
    pub params: ElementParams,
    pub strain: Vec6,
    pub work: f64,
}

/// An element with another measure at which its first row is slack; `None` if the work is not
/// finite or the row is hard.
pub(super) fn moved_rest((params, g): (&ElementParams, &Vec6), rest: f64) -> Option<Moved> {
    let (mut moved, mut strain) = (*params, *g);
    strain[0] += params.rest[0] - rest;
    moved.rest[0] = rest;
    let work = params.elastic(&strain) - params.elastic(g);
    (work.is_finite() && !params.is_hard(0)).then_some(Moved { params: moved, strain, work })
}

impl World {
    /// Sets the stiffness of an element row by row [N/m or N·m/rad].
    ///
    /// Raising it costs `½ (k₂ − k₁) g²`; what the tank does not pay shrinks the strain, and the
    /// configuration follows at the next step.
    ///
    /// # Errors
    /// Unknown element, negative or non-finite stiffness.
    pub fn set_stiffness(
        &mut self,
        element: ElementId,
        stiffness: impl Into<Vec6>,
        payment: Payment,
    ) -> Result<Receipt, ChangeError> {
        let mut stiffness = stiffness.into();
        let e = self.known_element(element)?;
        let now = self.params.elements[e].stiffness;
        let changed = |row: usize| stiffness[row] != now[row];
        // a hard row may stay hard, but a jump from or to infinity has no price
        let rows: Vec6 = Vec6::from_fn(|row, _| if changed(row) { stiffness[row] } else { 0.0 });
        not_negative("stiffness", rows.as_slice())?;
        if (0..6).any(|row| changed(row) && now[row].is_infinite()) {
            return Err(ChangeError::Hard);
        }
        (self.model.elements[e].kind.rows()..6).for_each(|row| stiffness[row] = 0.0);
        let before = self.params.elements[e].elastic(&self.state.strain[e]);
        self.set_params(|p| p.elements[e].stiffness = stiffness);
        let price = self.params.elements[e].elastic(&self.state.strain[e]) - before;
        let allowed = match payment {
            Payment::Supply => price,
            Payment::Tank => price.min(self.tank.content()),
        };
        if allowed < price {
            let scale = ((before + allowed) / (before + price)).max(0.0).sqrt();
            // rows that store nothing may count turns, which no payment changes
            let rows = 0..6;
            for row in rows.filter(|&row| self.params.elements[e].bookable(row) > 0.0) {
                self.state.strain[e][row] *= scale;
            }
        }
        Ok(self.settle_elastic(payment))
    }

    /// Sets the damping of an element row by row [N·s/m or N·m·s/rad]; costs nothing.
    ///
    /// # Errors
    /// Unknown element, negative or non-finite damping.
    pub fn set_damping(
        &mut self,
        element: ElementId,
        damping: impl Into<Vec6>,
    ) -> Result<(), ChangeError> {
        let mut damping = damping.into();
        not_negative("damping", damping.as_slice())?;
        let e = self.known_element(element)?;
        (self.model.elements[e].kind.rows()..6).for_each(|row| damping[row] = 0.0);
        self.set_params(|p| p.elements[e].damping = damping);
        Ok(())
    }

    /// Sets the largest dry friction of an element's first row [N or N·m]; costs nothing.
    ///
    /// # Errors
    /// Unknown element or one built without friction, a negative or non-finite limit.
    pub fn set_dry_friction(&mut self, element: ElementId, limit: f64) -> Result<(), ChangeError> {
        not_negative("friction", &[limit])?;
        let e = self.known_element(element)?;
        if !self.model.elements[e].rubs {
            return Err(ChangeError::Unknown { field: "friction of the element" });
        }
        self.set_params(|p| p.elements[e].friction = limit);
        Ok(())
    }

    /// Sets the damping of a body against the world: [N·s/m] and [N·m·s/rad]; costs nothing.
    ///
    /// # Errors
    /// Unknown or fixed body, negative or non-finite damping.
    pub fn set_body_damping(
        &mut self,
        body: BodyId,
        linear: f64,
        angular: f64,
    ) -> Result<(), ChangeError> {
        not_negative("damping", &[linear, angular])?;
        let b = self.known_body(body)?;
        self.set_params(|p| {
            (p.bodies[b].linear_damping, p.bodies[b].angular_damping) = (linear, angular);
        });
        Ok(())
    }

    /// Sets the mass of a body [kg]; its inertia changes in proportion.
    ///
    /// What the tank does not pay of the jump of kinetic energy slows the body; a jump of gravity
    /// energy that nobody can pay leaves the change in part.
    ///
    /// # Errors
    /// Unknown or fixed body, a mass that is not positive and finite.
    pub fn set_mass(
        &mut self,
        body: BodyId,
        mass: f64,
        payment: Payment,
    ) -> Result<Receipt, ChangeError> {
        finite("mass", &[mass])?;
        if mass <= 0.0 {
            return Err(ChangeError::Mass { value: mass });
        }
        if mass < LIGHTEST {
            let (field, need) = ("mass", "at least 1e-40");
            return Err(ChangeError::OutOfRange { field, value: mass, need });
        }
        let b = self.known_body(body)?;
        let (p, s) = (self.params.bodies[b], self.state.bodies[b]);
        let kinetic = p.kinetic(&s.v, &s.omega);
        let gravity = -p.mass * self.params.gravity.dot(&s.x);
        let growth = mass / p.mass - 1.0;
        let (mut fraction, mut scale) = (1.0, 1.0);
        let unpaid = growth * (kinetic + gravity) - self.tank.content();
        if payment == Payment::Tank && unpaid > 0.0 {
            let moving = kinetic * (1.0 + growth);
            if unpaid <= moving {
                scale = (1.0 - unpaid / moving).max(0.0).sqrt();
            } else {
                fraction = self.tank.content() / (growth * (kinetic + gravity));
            }
        }
        let mass = if fraction < 1.0 { p.mass * (1.0 + growth * fraction) } else { mass };
        let inertia = p.inertia * (mass / p.mass);
        self.set_params(|p| (p.bodies[b].mass, p.bodies[b].inertia) = (mass, inertia));
        self.state.bodies[b].v *= scale;
        self.state.bodies[b].omega *= scale;
        self.scratch.reorder(&self.model, &self.params);
        Ok(self.settle_change(fraction, gravity * growth * fraction, payment))
    }

    /// Sets the acceleration of gravity [m/s²]. The energy of gravity counts from the origin; what
    /// the tank cannot pay of its jump leaves the change in part.
    ///
    /// # Errors
    /// Non-finite gravity.
    pub fn set_gravity(
        &mut self,
        gravity: impl Into<Vec3>,
        payment: Payment,
    ) -> Result<Receipt, ChangeError> {
        let gravity = gravity.into();
        finite("gravity", gravity.as_slice())?;
        let change = gravity - self.params.gravity;
        let bodies = self.params.bodies.iter().zip(&self.state.bodies);
        let owned = self.model.owners.iter();
        let price: f64 = bodies
            .zip(owned)
            .filter(|(_, owner)| owner.is_none())
            .map(|((p, s), _)| -p.mass * change.dot(&s.x))
            .sum();
        let price = price + self.weigh_systems(&gravity) - self.weigh_systems(&self.params.gravity);
        let unpaid = payment == Payment::Tank && price > self.tank.content();
        let fraction = if unpaid { self.tank.content() / price } else { 1.0 };
        let before: Vec<f64> =
            self.model.systems.all().map(|s| self.weigh(s, &self.params.gravity)).collect();
        self.set_params(|p| p.gravity += change * fraction);
        for (s, before) in self.model.systems.all().zip(&before) {
            let after = self.weigh(s, &self.params.gravity);
            self.state.systems[s].potential += after - before;
        }
        Ok(self.settle_change(fraction, price * fraction, payment))
    }

    /// Adds energy to the tank [J], up to its cap; returns what fitted.
    ///
    /// # Errors
    /// Negative or non-finite energy.
    pub fn grant(&mut self, energy: f64) -> Result<f64, ChangeError> {
        not_negative("energy", &[energy])?;
        let kept = self.tank.grant(energy);
        self.settle_change(1.0, 0.0, Payment::Supply);
        Ok(kept)
    }

    /// Moves the world end of an element (its second anchor); whoever moves it supplies the work.
    /// Returns the work [J].
    ///
    /// # Errors
    /// Unknown element, an element whose second end is on a moving body, a non-finite pose.
    pub fn set_anchor(&mut self, element: ElementId, pose: Pose) -> Result<f64, ChangeError> {
        finite("position", pose.position.as_slice())?;
        finite("rotation", pose.rotation.coords.as_slice())?;
        let e = self.known_element(element)?;
        if self.model.elements[e].ends[1].is_some() {
            return Err(ChangeError::Unknown { field: "world end of the element" });
        }
        if (0..6).any(|row| self.params.elements[e].is_hard(row)) {
            return Err(ChangeError::Hard);
        }
        let now = (&self.params.elements[e], &self.state.strain[e]);
        let moved = self.moved_anchor(e, now, &pose.position, &pose.rotation);
        self.take_moved(e, moved)
    }

    /// Takes over an element whose reference was moved; returns the work [J].
    fn take_moved(&mut self, e: usize, moved: Option<Moved>) -> Result<f64, ChangeError> {
        let field = "energy after the move";
        let Moved { params, strain, work } = moved.ok_or(ChangeError::NotFinite { field })?;
        self.set_params(|p| p.elements[e] = params);
        self.state.strain[e] = strain;
        self.settle_elastic(Payment::Supply);
        Ok(work)
    }

    /// Element `e` with its second end elsewhere; the strain follows by exactly the change of the
    /// true strain. `None` if the work is not finite.
    pub(super) fn moved_anchor(
        &self,
        e: usize,
        (params, g): (&ElementParams, &Vec6),
        point: &Vec3,
        frame: &Rotation,
    ) -> Option<Moved> {
        let mut moved = *params;
        (moved.points[1], moved.frames[1]) = (*point, *frame);
        let at = |p| element_strain(&self.model.elements[e], p, &self.state, g);
        let strain = g + at(&moved) - at(params);
        let work = moved.elastic(&strain) - params.elastic(g);
        work.is_finite().then_some(Moved { params: moved, strain, work })
    }

    /// Sets the measure [m or rad] at which the first row of an element is slack: the rest length
    /// of a spring, the target of a tendon. Whoever moves it supplies the work, which is returned
    /// [J].
    ///
    /// # Errors
    /// Unknown element, a hard row, a non-finite value.
    pub fn set_rest(&mut self, element: ElementId, rest: f64) -> Result<f64, ChangeError> {
        finite("rest", &[rest])?;
        let e = self.known_element(element)?;
        if self.params.elements[e].is_hard(0) {
            return Err(ChangeError::Hard);
        }
        let moved = moved_rest((&self.params.elements[e], &self.state.strain[e]), rest);
        self.take_moved(e, moved)
    }

    /// Changes parameters, those of the step being made with them.
    pub(super) fn set_params(&mut self, change: impl Fn(&mut Params)) {
        change(&mut self.params);
        change(&mut self.trial);
        self.wake();
    }

    /// Measures the energy after a change, lets the payer pay, and enters it in the books; `lift`
    /// is the jump of gravity energy [J].
    pub(super) fn settle_change(&mut self, applied: f64, lift: f64, payment: Payment) -> Receipt {
        let before = self.ledger.now();
        let after = stored(&self.model, &self.params, &self.state, &self.tank);
        // the gravity account follows the motion by increments: add only the jump
        let gravity = before.gravity + lift;
        self.settle_jump(Stored { gravity, ..after }, applied, payment)
    }

    /// The same where nothing but strains and stiffnesses changed: the other accounts stay as they
    /// are, to the last bit.
    fn settle_elastic(&mut self, payment: Payment) -> Receipt {
        let elements = self.params.elements.iter().zip(&self.state.strain);
        let elastic = elements.map(|(p, g)| p.elastic(g)).sum();
        self.settle_jump(Stored { elastic, ..self.ledger.now() }, 1.0, payment)
    }

    /// Lets the payer pay for what is stored after a change and enters it in the books.
    fn settle_jump(&mut self, mut after: Stored, applied: f64, payment: Payment) -> Receipt {
        self.wake();
        let before = self.ledger.now();
        after.tank = self.tank.content();
        let mechanical = (after - before).total();
        let (mut flows, mut tank) = (Flows::default(), 0.0);
        match payment {
            Payment::Supply => flows.supplied = mechanical,
            Payment::Tank if mechanical >= 0.0 => tank = self.tank.pay(mechanical),
            Payment::Tank => {
                tank = -self.tank.offer_surplus(-mechanical);
                flows.discarded = tank - mechanical;
            }
        }
        after.tank = self.tank.content();
        let supplied = flows.supplied;
        let in_play = before.total().abs().max(after.total().abs()) + mechanical.abs();
        let entry = Entry { before, after, flows, booked: tank.abs(), in_play, defect: 0.0 };
        self.ledger.enter(self.tick, &entry, 0);
        self.scratch.last.committed = None;
        Receipt { applied, jump: mechanical, tank, supplied }
    }

    pub(super) fn known_element(&self, element: ElementId) -> Result<usize, ChangeError> {
        if self.model.has_element(element) {
            Ok(element.0)
        } else {
            Err(ChangeError::Unknown { field: "element" })
        }
    }

    /// Potential of subsystem `s` under a gravity [J]; allocates.
    fn weigh(&self, s: SystemAt, gravity: &Vec3) -> f64 {
        let law = self.model.systems[s].law.as_ref();
        let mut terms = Terms::new(law.freedoms(), law.links());
        law.configure(&self.state.systems[s].q, gravity, &mut terms);
        terms.potential
    }

    fn weigh_systems(&self, gravity: &Vec3) -> f64 {
        self.model.systems.all().map(|s| self.weigh(s, gravity)).sum()
    }

    pub(super) fn known_body(&self, body: BodyId) -> Result<usize, ChangeError> {
        // links are moved by their subsystem
        let own = |b: &&BodyInfo| b.owner.is_none();
        let known = self.model.bodies.get(body.0).filter(|_| self.model.has_body(body));
        let moving = known.filter(own).and_then(|b| b.moving);
        moving.ok_or(ChangeError::Unknown { field: "body" })
    }
}
