//! A world: steps, runs, reads and live changes.

use crate::core::{Core, Orders, SceneRun};
use crate::errors::{self, BusyError, PalpableError, Refuse};
use crate::ids::{BodyId, ElementId, PortId, SystemId, foreign, fresh_mark};
use crate::inputs::Inputs;
use crate::journal::Journal;
use crate::model::Model;
use crate::options::{law, options, payment};
use crate::parts::{Material, Port};
use crate::pose::{Pose, quaternion};
use crate::recipe::reduce;
use crate::shown::{Audit, Contacts, Ledger, PortOutput, Receipt, StepReport, Stored};
use crate::vector::{V3, V6, array, array3, table};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use palpable::{ContactLaw, Options};
use palpable_scene::Scene;
use pyo3::exceptions::{PyKeyError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::Duration;

/// How long a run goes on before it looks for Ctrl-C.
const PATIENCE: Duration = Duration::from_millis(20);
/// Worlds with fewer bodies than this step in less time than it takes to hand the interpreter over.
const LIGHT: usize = 5;

/// A simulated world.
///
/// `World(model, scheme="passive-midpoint", contact_law="cone", tank_cap=0.01, ...)`. One thread
/// at a time may use a world; others get `BusyError`.
#[pyclass(frozen, module = "palpable", weakref)]
#[derive(Debug)]
pub struct World {
    /// Which model its ids belong to.
    pub mark: u64,
    core: Mutex<Core>,
    running: AtomicBool,
    /// what it was made of, for pickles
    origin: Py<PyTuple>,
    options: Py<PyDict>,
    /// true if a step takes longer than handing the interpreter over
    heavy: bool,
}

/// Says that a run is over, however it ends.
struct Running<'a>(&'a AtomicBool);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

fn busy() -> PyErr {
    let words = "another thread or a run is stepping this world; wait for it, or give each thread \
                 a world of its own";
    BusyError::new_err(words)
}

impl World {
    fn wrap(
        py: Python<'_>,
        mark: u64,
        core: Core,
        (origin, named): (Bound<'_, PyTuple>, Option<&Bound<'_, PyDict>>),
    ) -> PyResult<Self> {
        let model = core.world.model();
        let elements = model.elements().len() + model.systems().len();
        let heavy = model.bodies().len() + elements >= LIGHT || model.contact().is_some();
        let options = named.map_or_else(|| Ok(PyDict::new(py)), |n| n.copy())?.unbind();
        let (core, running) = (Mutex::new(core), AtomicBool::new(false));
        Ok(Self { mark, core, running, origin: origin.unbind(), options, heavy })
    }

    /// The world, unless somebody else is at it.
    pub fn lock(&self) -> PyResult<MutexGuard<'_, Core>> {
        self.core.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => busy(),
            TryLockError::Poisoned(_) => PyRuntimeError::new_err(
                "a step of this world broke down, which is a defect; make a new world",
            ),
        })
    }

    /// The world for a change, unless a run is at it.
    fn lock_idle(&self) -> PyResult<MutexGuard<'_, Core>> {
        if self.running.load(Ordering::Acquire) { Err(busy()) } else { self.lock() }
    }

    fn admit<'a>(&self, inputs: Option<&'a Inputs>) -> PyResult<Option<&'a palpable::Inputs>> {
        match inputs {
            Some(inputs) if inputs.mark != self.mark => Err(foreign("input")),
            other => Ok(other.map(|i| &i.inner)),
        }
    }

    /// Remembers a live change.
    fn note<'py, T>(&self, core: &mut Core, py: Python<'py>, name: &str, rest: T) -> PyResult<()>
    where
        T: IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>>,
        PyErr: From<T::Error>,
    {
        let call = (name, rest.into_pyobject(py)?).into_pyobject(py)?;
        core.journal.call(call);
        Ok(())
    }

    /// One row of `W` numbers per body, into `out` if it is given.
    fn rows<'py, const W: usize>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyArray2<f64>>>,
        of: impl Fn(&palpable::World, palpable::BodyId) -> [f64; W],
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let core = self.lock()?;
        let world = &core.world;
        let count = world.model().bodies().len();
        let each = |i: usize| of(world, palpable::BodyId::from_index(i));
        let Some(out) = out else { return table(py, (0..count).flat_map(each).collect(), W) };
        {
            let mut room = out.try_readwrite().map_err(|e| PyValueError::new_err(e.to_string()))?;
            let wrong = format!("out must be a contiguous array of {count} x {W} numbers");
            let fits = out.is_c_contiguous() && room.as_array().dim() == (count, W);
            let slots = room.as_slice_mut().ok().filter(|_| fits);
            let slots = slots.ok_or_else(|| PyValueError::new_err(wrong))?;
            for (i, slot) in slots.chunks_exact_mut(W).enumerate() {
                slot.copy_from_slice(&each(i));
            }
        }
        Ok(out)
    }

    fn steps_in(seconds: f64, h: f64) -> PyResult<u64> {
        // written so that NaN is a mistake
        if !(h > 0.0 && h.is_finite()) {
            return Err(PalpableError::new_err(format!(
                "h is {h}; use a positive step length [s]"
            )));
        }
        let count = (seconds / h - 1e-9).ceil().max(0.0);
        let fits = count < 9e15;
        let words = || format!("{seconds} s in steps of {h} s are too many steps");
        if fits { Ok(count as u64) } else { Err(PalpableError::new_err(words())) }
    }

    /// Steps until `done` says so; between batches signals and the callback have their turn.
    fn drive(
        &self,
        py: Python<'_>,
        plan: &Plan<'_, '_>,
        left: impl Fn(&palpable::World, u64) -> u64,
    ) -> PyResult<u64> {
        let mut total = 0;
        let mut last_call = 0;
        loop {
            let held = plan.inputs.map(|i| i.try_borrow()).transpose()?;
            let inputs = self.admit(held.as_deref())?;
            let orders = Orders { h: plan.h, inputs, scripted: plan.scripted };
            let (done, result, rest) = {
                let mut guard = self.lock()?;
                let core: &mut Core = &mut guard;
                let until_call = plan.callback.map_or(u64::MAX, |_| last_call + plan.every - total);
                let count = left(&core.world, total).min(until_call);
                let left = &left;
                let (done, result) = if count == 0 {
                    (0, Ok(()))
                } else {
                    py.detach(move || core.steps(orders, count, PATIENCE))
                };
                (done, result, left(&guard.world, total + done))
            };
            drop(held);
            total += done;
            result?;
            py.check_signals()?;
            if let Some(callback) = plan.callback
                && total == last_call + plan.every
            {
                last_call = total;
                if callback.call1((plan.world,))?.extract::<bool>().is_ok_and(|go_on| !go_on) {
                    break;
                }
            }
            if rest == 0 {
                break;
            }
        }
        Ok(total)
    }

    fn known(core: &Core, body: BodyId, mark: u64) -> PyResult<palpable::BodyId> {
        let id = body.of(mark)?;
        let known = body.index < core.world.model().bodies().len();
        if known { Ok(id) } else { Err(foreign("body")) }
    }
}

/// What a run is to do.
struct Plan<'a, 'py> {
    world: &'a Bound<'py, World>,
    h: Option<f64>,
    inputs: Option<&'a Bound<'py, Inputs>>,
    scripted: bool,
    callback: Option<&'a Bound<'py, PyAny>>,
    every: u64,
}

#[pymethods]
impl World {
    /// A world of a model; options by name.
    #[new]
    #[pyo3(signature = (model, **named))]
    fn new(py: Python<'_>, model: &Model, named: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let chosen = options(named, Options::default())?;
        let frozen = model.freeze()?;
        let world = palpable::World::with_options(frozen, chosen).or_raise(errors::build)?;
        if let Some(error) = crate::custom::raised() {
            return Err(error);
        }
        let core = Core::new(world, None);
        let origin = ("model", model.origin(py)?).into_pyobject(py)?;
        Self::wrap(py, model.mark, core, (origin, named))
    }

    /// One step of `h` \[s\]. Raises `StepError` if it is refused.
    #[pyo3(signature = (h, inputs=None))]
    fn step(
        &self,
        py: Python<'_>,
        h: f64,
        inputs: Option<&Bound<'_, Inputs>>,
    ) -> PyResult<StepReport> {
        let held = inputs.map(|i| i.try_borrow()).transpose()?;
        let inputs = self.admit(held.as_deref())?;
        let mut guard = self.lock_idle()?;
        let core: &mut Core = &mut guard;
        let orders = Orders { h: Some(h), inputs, scripted: false };
        let report =
            if self.heavy { py.detach(move || core.step(orders)) } else { core.step(orders) };
        report.map(StepReport)
    }

    /// Steps of `h` \[s\] until `seconds` have passed, in Rust, while other Python threads go on;
    /// Ctrl-C ends it between two steps. Returns the number of steps.
    ///
    /// `callback(world)` is called after every `every` steps; it may change `inputs`, and ends the
    /// run by returning False or by an exception. In a world of a scene, what is left out is the
    /// scene's own: duration, step lengths, and what its script puts in at the ports.
    #[pyo3(signature = (seconds=None, h=None, callback=None, *, inputs=None, every=1))]
    fn run(
        slf: &Bound<'_, Self>,
        seconds: Option<f64>,
        h: Option<f64>,
        callback: Option<&Bound<'_, PyAny>>,
        inputs: Option<&Bound<'_, Inputs>>,
        every: u64,
    ) -> PyResult<u64> {
        let (py, world) = (slf.py(), slf.get());
        if every == 0 {
            return Err(PyValueError::new_err("every is 0; use 1 or more steps between two calls"));
        }
        if world.running.swap(true, Ordering::AcqRel) {
            return Err(busy());
        }
        let _running = Running(&world.running);
        let (scripted, duration, now) = {
            let core = world.lock()?;
            let scene = core.scene.as_ref();
            (scene.is_some() && inputs.is_none(), scene.map(|s| s.duration), core.world.time())
        };
        let plan = Plan { world: slf, h, inputs, scripted, callback, every };
        let missing =
            |what| PyValueError::new_err(format!("{what} is missing; only scenes have one"));
        let seconds = match (seconds, duration) {
            (Some(seconds), _) if seconds.is_finite() && seconds >= 0.0 => seconds,
            (Some(s), _) => {
                return Err(PalpableError::new_err(format!("seconds is {s}; use 0 or more")));
            }
            (None, Some(duration)) => (duration - now).max(0.0),
            (None, None) => return Err(missing("seconds")),
        };
        match h {
            Some(h) => {
                let count = Self::steps_in(seconds, h)?;
                world.drive(py, &plan, |_, done| count - done)
            }
            None if duration.is_some() => {
                let end = (now + seconds) * (1.0 - 1e-9);
                // a batch of one, as lengths vary
                world.drive(py, &plan, |w, _| u64::from(w.time() < end))
            }
            None => Err(missing("h")),
        }
    }

    /// Simulated time \[s\].
    #[getter]
    fn time(&self) -> PyResult<f64> {
        Ok(self.lock()?.world.time())
    }

    /// Steps taken.
    #[getter]
    fn tick(&self) -> PyResult<u64> {
        Ok(self.lock()?.world.tick())
    }

    /// Name of the scene it is from; empty if it is from none.
    #[getter]
    fn name(&self) -> PyResult<String> {
        Ok(self.lock()?.scene.as_ref().map(|s| s.name.clone()).unwrap_or_default())
    }

    /// What the scene shows.
    #[getter]
    fn description(&self) -> PyResult<String> {
        Ok(self.lock()?.scene.as_ref().map(|s| s.description.clone()).unwrap_or_default())
    }

    /// How long the scene lasts \[s\]; None if it is from none.
    #[getter]
    fn duration(&self) -> PyResult<Option<f64>> {
        Ok(self.lock()?.scene.as_ref().map(|s| s.duration))
    }

    /// Names of the bodies, in their order.
    #[getter]
    fn bodies(&self) -> PyResult<Vec<String>> {
        let core = self.lock()?;
        Ok(core.world.model().bodies().iter().map(|b| b.name.clone()).collect())
    }

    /// Names of the ports, in their order.
    #[getter]
    fn ports(&self) -> PyResult<Vec<String>> {
        let core = self.lock()?;
        Ok(core.world.model().ports().iter().map(|p| p.name.clone()).collect())
    }

    /// Names of the springs, dampers and joints, in their order; may be empty.
    #[getter]
    fn elements(&self) -> PyResult<Vec<String>> {
        let core = self.lock()?;
        Ok(core.world.model().elements().iter().map(|e| e.name.clone()).collect())
    }

    /// The body of a name.
    fn body_named(&self, name: &str) -> PyResult<BodyId> {
        let found = self.lock()?.world.body_named(name).map(|b| b.index());
        let index = found.ok_or_else(|| unknown("body", name))?;
        Ok(BodyId { mark: self.mark, index })
    }

    /// The port of a name.
    fn port_named(&self, name: &str) -> PyResult<PortId> {
        let found = self.lock()?.world.port_named(name).map(|p| p.index());
        let index = found.ok_or_else(|| unknown("port", name))?;
        Ok(PortId { mark: self.mark, index })
    }

    /// The element at a place in `elements`.
    fn element(&self, index: usize) -> PyResult<ElementId> {
        let known = self.lock()?.world.element(index).is_some();
        let words = || format!("there is no element {index}");
        known
            .then_some(ElementId { mark: self.mark, index })
            .ok_or_else(|| pyo3::exceptions::PyIndexError::new_err(words()))
    }

    /// The subsystem of a name.
    fn system_named(&self, name: &str) -> PyResult<SystemId> {
        let core = self.lock()?;
        let model = core.world.model();
        let place = model.systems().iter().position(|s| s.name == name);
        let place = place.ok_or_else(|| unknown("subsystem", name))?;
        let links: Vec<usize> = (0..model.bodies().len())
            .filter(|b| model.bodies()[*b].owner.is_some_and(|(system, _)| system == place))
            .collect();
        let bases = usize::from(model.systems()[place].law.floating());
        let id = |i: usize| palpable::BodyId::from_index(links.get(i).copied().unwrap_or(0));
        let inner = palpable::SystemId::from_parts(place, id(0), id(bases));
        Ok(SystemId { mark: self.mark, inner, links: links.len().saturating_sub(bases) })
    }

    /// Where a body's own frame is.
    fn pose(&self, body: BodyId) -> PyResult<Pose> {
        let core = self.lock()?;
        Ok(Pose(core.world.pose(Self::known(&core, body, self.mark)?)))
    }

    /// Velocity of a body's centre of mass, world axes \[m/s\].
    fn velocity<'py>(&self, py: Python<'py>, body: BodyId) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let core = self.lock()?;
        Ok(array3(py, &core.world.velocity(Self::known(&core, body, self.mark)?)))
    }

    /// Angular velocity of a body in its own axes \[rad/s\].
    fn angular_velocity<'py>(
        &self,
        py: Python<'py>,
        body: BodyId,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let core = self.lock()?;
        Ok(array3(py, &core.world.angular_velocity(Self::known(&core, body, self.mark)?)))
    }

    /// Positions of all bodies \[m\], n x 3; a copy, into `out` if it is given.
    #[pyo3(signature = (out=None))]
    fn positions<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyArray2<f64>>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.rows(py, out, |w, b| w.pose(b).position.into())
    }

    /// Orientations of all bodies as quaternions, scalar first, n x 4; a copy.
    #[pyo3(signature = (out=None))]
    fn rotations<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyArray2<f64>>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.rows(py, out, |w, b| quaternion(&w.pose(b).rotation))
    }

    /// Velocities of all centres of mass, world axes \[m/s\], n x 3; a copy.
    #[pyo3(signature = (out=None))]
    fn velocities<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyArray2<f64>>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.rows(py, out, |w, b| w.velocity(b).into())
    }

    /// Angular velocities of all bodies in their own axes \[rad/s\], n x 3; a copy.
    #[pyo3(signature = (out=None))]
    fn angular_velocities<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyArray2<f64>>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.rows(py, out, |w, b| w.angular_velocity(b).into())
    }

    /// Sums of the forces of contact on all bodies over the last step \[N\], n x 3; a copy.
    #[pyo3(signature = (out=None))]
    fn contact_forces<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyArray2<f64>>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.rows(py, out, |w, b| w.contact_force(b).into())
    }

    /// Sum of the forces of contact on a body over the last step, world axes \[N\].
    fn contact_force<'py>(
        &self,
        py: Python<'py>,
        body: BodyId,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let core = self.lock()?;
        Ok(array3(py, &core.world.contact_force(Self::known(&core, body, self.mark)?)))
    }

    /// True if a body sleeps: it lay still with all that it touches, and is not stepped.
    fn is_asleep(&self, body: BodyId) -> PyResult<bool> {
        let core = self.lock()?;
        Ok(core.world.is_asleep(Self::known(&core, body, self.mark)?))
    }

    /// The contacts of the last step, as arrays; a copy.
    fn contacts(&self) -> PyResult<Contacts> {
        Ok(Contacts(self.lock()?.world.contacts().to_vec()))
    }

    /// Linear momentum of all moving bodies \[kg·m/s\].
    fn momentum<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(array3(py, &self.lock()?.world.momentum()))
    }

    /// Angular momentum of all moving bodies about the origin \[kg·m²/s\].
    fn angular_momentum<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(array3(py, &self.lock()?.world.angular_momentum()))
    }

    /// Carried strain of an element, six rows \[m or rad\].
    fn strain<'py>(
        &self,
        py: Python<'py>,
        element: ElementId,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(array(py, self.lock()?.world.strain(element.of(self.mark)?).as_slice()))
    }

    /// Coordinates of a subsystem; those of a floating base come first.
    fn coordinates<'py>(
        &self,
        py: Python<'py>,
        system: SystemId,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(array(py, self.lock()?.world.coordinates(system.of(self.mark)?)))
    }

    /// Velocities of a subsystem.
    fn coordinate_rates<'py>(
        &self,
        py: Python<'py>,
        system: SystemId,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let core = self.lock()?;
        let id = system.of(self.mark)?;
        let law = core.world.model().systems().get(id.index()).map(|s| s.law.freedoms());
        let mut rates = vec![0.0; law.unwrap_or(0)];
        core.world.coordinate_rates(id, &mut rates);
        Ok(array(py, &rates))
    }

    /// What a port showed at the last step.
    fn port(&self, port: PortId) -> PyResult<PortOutput> {
        Ok(PortOutput(self.lock()?.world.port(port.of(self.mark)?)))
    }

    /// Idle inputs for all ports.
    fn inputs(&self) -> PyResult<Inputs> {
        let core = self.lock()?;
        let ports = core.world.model().ports().len();
        Ok(Inputs { mark: self.mark, ports, inner: core.world.inputs() })
    }

    /// Stored energy by account \[J\].
    fn energy(&self) -> PyResult<Stored> {
        Ok(Stored(self.lock()?.world.energy()))
    }

    /// The books since the start; a copy.
    fn ledger(&self) -> PyResult<Ledger> {
        Ok(Ledger(self.lock()?.world.ledger().clone()))
    }

    /// Checks the books.
    fn audit(&self) -> PyResult<Audit> {
        Ok(Audit(self.lock()?.world.audit()))
    }

    /// Computes the energy from poses and velocities and compares it with the books; raises
    /// `PalpableError` if they differ.
    fn verify(&self) -> PyResult<()> {
        self.lock()?.world.verify().or_raise(PalpableError::new_err)
    }

    /// A 64-bit hash of the bits of the state: same inputs, same hash, in every language.
    fn state_hash(&self) -> PyResult<u64> {
        Ok(self.lock()?.world.state_hash())
    }

    /// A copy of everything that changes.
    fn snapshot(&self, py: Python<'_>) -> PyResult<Snapshot> {
        let core = self.lock()?;
        let (inner, journal) = (core.world.snapshot(), core.journal.clone());
        let steps = core.scene.as_ref().map(|s| s.steps.clone());
        let origin = self.origin.clone_ref(py);
        let options = self.options.clone_ref(py);
        Ok(Snapshot { mark: self.mark, inner, journal, steps, origin, options })
    }

    /// Returns to a snapshot of this world or of one of an equal model.
    fn restore(&self, snapshot: &Snapshot) -> PyResult<()> {
        let mut core = self.lock_idle()?;
        if snapshot.mark != self.mark || !core.world.restore(&snapshot.inner) {
            return Err(foreign("snapshot"));
        }
        core.journal = snapshot.journal.clone();
        if let (Some(scene), Some(steps)) = (&mut core.scene, &snapshot.steps) {
            scene.steps = steps.clone();
        }
        Ok(())
    }

    /// Sets the stiffness of an element row by row; `payment` is "tank" or "supply".
    #[pyo3(signature = (element, stiffness, payment="tank"))]
    fn set_stiffness(
        &self,
        py: Python<'_>,
        element: ElementId,
        stiffness: V6,
        payment: &str,
    ) -> PyResult<Receipt> {
        let mut core = self.lock_idle()?;
        let (id, by) = (element.of(self.mark)?, self::payment(payment)?);
        let receipt = core.world.set_stiffness(id, stiffness.0, by).or_raise(errors::change)?;
        self.note(&mut core, py, "set_stiffness", (element, stiffness, payment))?;
        Ok(Receipt(receipt))
    }

    /// Sets the damping of an element row by row.
    fn set_damping(&self, py: Python<'_>, element: ElementId, damping: V6) -> PyResult<()> {
        let mut core = self.lock_idle()?;
        core.world.set_damping(element.of(self.mark)?, damping.0).or_raise(errors::change)?;
        self.note(&mut core, py, "set_damping", (element, damping))
    }

    /// Sets the measure \[m or rad\] at which the first row of an element is slack; returns the
    /// work \[J\].
    fn set_rest(&self, py: Python<'_>, element: ElementId, rest: f64) -> PyResult<f64> {
        let mut core = self.lock_idle()?;
        let work = core.world.set_rest(element.of(self.mark)?, rest).or_raise(errors::change)?;
        self.note(&mut core, py, "set_rest", (element, rest))?;
        Ok(work)
    }

    /// Moves the world end of an element; returns the work \[J\].
    fn set_anchor(&self, py: Python<'_>, element: ElementId, pose: Pose) -> PyResult<f64> {
        let mut core = self.lock_idle()?;
        let work =
            core.world.set_anchor(element.of(self.mark)?, pose.0).or_raise(errors::change)?;
        self.note(&mut core, py, "set_anchor", (element, pose))?;
        Ok(work)
    }

    /// Sets the dry friction of an element's first row \[N or N·m\].
    fn set_dry_friction(&self, py: Python<'_>, element: ElementId, limit: f64) -> PyResult<()> {
        let mut core = self.lock_idle()?;
        let id = element.of(self.mark)?;
        core.world.set_dry_friction(id, limit).or_raise(errors::change)?;
        self.note(&mut core, py, "set_dry_friction", (element, limit))
    }

    /// Sets the mass of a body \[kg\]; its inertia follows.
    #[pyo3(signature = (body, mass, payment="tank"))]
    fn set_mass(
        &self,
        py: Python<'_>,
        body: BodyId,
        mass: f64,
        payment: &str,
    ) -> PyResult<Receipt> {
        let mut core = self.lock_idle()?;
        let (id, by) = (body.of(self.mark)?, self::payment(payment)?);
        let receipt = core.world.set_mass(id, mass, by).or_raise(errors::change)?;
        self.note(&mut core, py, "set_mass", (body, mass, payment))?;
        Ok(Receipt(receipt))
    }

    /// Sets the viscous damping of a body \[N·s/m, N·m·s/rad\].
    fn set_body_damping(
        &self,
        py: Python<'_>,
        body: BodyId,
        linear: f64,
        angular: f64,
    ) -> PyResult<()> {
        let mut core = self.lock_idle()?;
        let id = body.of(self.mark)?;
        core.world.set_body_damping(id, linear, angular).or_raise(errors::change)?;
        self.note(&mut core, py, "set_body_damping", (body, linear, angular))
    }

    /// Sets the acceleration of gravity \[m/s²\].
    #[pyo3(signature = (gravity, payment="tank"))]
    fn set_gravity(&self, py: Python<'_>, gravity: V3, payment: &str) -> PyResult<Receipt> {
        let mut core = self.lock_idle()?;
        let by = self::payment(payment)?;
        let receipt = core.world.set_gravity(gravity.0, by).or_raise(errors::change)?;
        self.note(&mut core, py, "set_gravity", (gravity, payment))?;
        Ok(Receipt(receipt))
    }

    /// Adds energy to the tank \[J\]; returns what fitted.
    fn grant(&self, py: Python<'_>, energy: f64) -> PyResult<f64> {
        let mut core = self.lock_idle()?;
        let kept = core.world.grant(energy).or_raise(errors::change)?;
        self.note(&mut core, py, "grant", (energy,))?;
        Ok(kept)
    }

    /// How the surface of a body rubs and bounces; None if nothing can touch.
    fn material(&self, py: Python<'_>, body: BodyId) -> PyResult<Option<Material>> {
        let found = self.lock()?.world.material(body.of(self.mark)?);
        found.map(|m| Material::wrap(py, m)).transpose()
    }

    /// Sets how the surface of a body rubs and bounces.
    fn set_material(&self, py: Python<'_>, body: BodyId, material: Material) -> PyResult<()> {
        let mut core = self.lock_idle()?;
        let id = body.of(self.mark)?;
        core.world.set_material(id, material.inner).or_raise(errors::change)?;
        self.note(&mut core, py, "set_material", (body, material))
    }

    /// Chooses the contact law: "cone", "printed-elastic" or "printed-plastic".
    #[pyo3(signature = (name, sides=ContactLaw::SIDES))]
    fn set_contact_law(&self, py: Python<'_>, name: &str, sides: u32) -> PyResult<()> {
        let mut core = self.lock_idle()?;
        core.world.set_contact_law(law(name, sides)?).or_raise(errors::change)?;
        self.note(&mut core, py, "set_contact_law", (name, sides))
    }

    /// Adds a port at the end of the list: a hand takes hold.
    fn attach(&self, py: Python<'_>, port: Port) -> PyResult<PortId> {
        let mut core = self.lock_idle()?;
        crate::model::admit(port.recipe().calls(py).bind(py), self.mark)?;
        let id = core.world.attach(port.inner.clone()).or_raise(errors::build)?;
        self.note(&mut core, py, "attach", (port,))?;
        Ok(PortId { mark: self.mark, index: id.index() })
    }

    /// Removes the port that was added last.
    fn detach(&self, py: Python<'_>, port: PortId) -> PyResult<Receipt> {
        let mut core = self.lock_idle()?;
        let receipt = core.world.detach(port.of(self.mark)?).or_raise(errors::change)?;
        self.note(&mut core, py, "detach", (port,))?;
        Ok(Receipt(receipt))
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        let core = self.lock()?.clone();
        let (origin, options) = (self.origin.clone_ref(py), self.options.clone_ref(py));
        let (core, running) = (Mutex::new(core), AtomicBool::new(false));
        Ok(Self { mark: self.mark, core, running, origin, options, heavy: self.heavy })
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.__copy__(py)
    }

    fn __repr__(&self) -> String {
        self.lock().map_or_else(
            |_| "<World, busy>".to_owned(),
            |c| {
                format!(
                    "<World of {} bodies at {} s>",
                    c.world.model().bodies().len(),
                    c.world.time()
                )
            },
        )
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let core = self.lock()?;
        reduce(py, "_world", parts(py, self.mark, (&self.origin, &self.options), &core.journal)?)
    }
}

/// What makes an equal world: origin, options, mark, journal.
fn parts<'py>(
    py: Python<'py>,
    mark: u64,
    (origin, options): (&Py<PyTuple>, &Py<PyDict>),
    journal: &Journal,
) -> PyResult<Bound<'py, PyTuple>> {
    if journal.lost {
        let words = "more than 100 000 changes of input since the world was built; pickle its \
                     model, or pickle it earlier";
        return Err(PalpableError::new_err(words));
    }
    let ports = |inner: &palpable::Inputs| {
        let made = Inputs { mark, ports: inner_ports(inner), inner: inner.clone() };
        Ok(Py::new(py, made)?.into_any())
    };
    let list = journal.list(py, ports)?;
    (origin.clone_ref(py), options.clone_ref(py), mark, list).into_pyobject(py)
}

/// Ports that inputs speak of: up to the last that is not idle.
fn inner_ports(inputs: &palpable::Inputs) -> usize {
    // inputs do not tell their length; ports beyond it are idle
    const MOST: usize = 4096;
    let idle = palpable::PortInput::Idle;
    let busy = |i: &usize| inputs.get(palpable::PortId::from_index(*i)) != idle;
    (0..MOST).rev().find(busy).map_or(0, |last| last + 1)
}

fn unknown(kind: &str, name: &str) -> PyErr {
    PyKeyError::new_err(format!("there is no {kind} named {name:?} in this world"))
}

/// Everything that changes in a world; goes back with `World.restore`.
#[pyclass(frozen, module = "palpable")]
#[derive(Debug)]
pub struct Snapshot {
    mark: u64,
    inner: palpable::Snapshot,
    journal: Journal,
    steps: Option<palpable_scene::Steps>,
    origin: Py<PyTuple>,
    options: Py<PyDict>,
}

#[pymethods]
impl Snapshot {
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let origin = (&self.origin, &self.options);
        reduce(py, "_snapshot", parts(py, self.mark, origin, &self.journal)?)
    }
}

/// A world by what it was made of and what was done to it, for pickles.
#[pyfunction]
#[pyo3(name = "_world")]
pub fn world<'py>(
    py: Python<'py>,
    origin: (String, Bound<'py, PyTuple>),
    options: &Bound<'py, PyDict>,
    mark: u64,
    journal: Vec<(String, Bound<'py, PyTuple>)>,
) -> PyResult<Bound<'py, World>> {
    let (kind, parts) = origin;
    let world = if kind == "model" {
        let (mark, calls) = parts.extract()?;
        let model = crate::model::model(py, mark, calls)?;
        Bound::new(py, World::new(py, model.get(), Some(options))?)?
    } else {
        let (text, path): (String, PathBuf) = parts.extract()?;
        let made = from_scene(py, Scene::parse(text, path), Some(options))?;
        Bound::new(py, World { mark, ..made })?
    };
    for (name, arguments) in journal {
        if name == "_steps" || name == "_scripted" {
            let (h, inputs, count) = arguments.extract()?;
            replay(py, world.get(), h, (inputs, name == "_scripted"), count)?;
        } else {
            world.as_any().call_method1(name.as_str(), arguments)?;
        }
    }
    Ok(world)
}

fn replay(
    py: Python<'_>,
    world: &World,
    h: Option<f64>,
    (inputs, scripted): (Option<Bound<'_, Inputs>>, bool),
    count: u64,
) -> PyResult<()> {
    let mut left = count;
    let inputs = inputs.map(|i| i.borrow().inner.clone());
    let orders = Orders { h, inputs: inputs.as_ref(), scripted };
    while left > 0 {
        let mut guard = world.lock()?;
        let core: &mut Core = &mut guard;
        let (done, result) = py.detach(move || core.steps(orders, left, PATIENCE));
        left -= done;
        result?;
        py.check_signals()?;
    }
    Ok(())
}

/// A snapshot by the world it is of, for pickles.
#[pyfunction]
#[pyo3(name = "_snapshot")]
pub fn snapshot<'py>(
    py: Python<'py>,
    origin: (String, Bound<'py, PyTuple>),
    options: &Bound<'py, PyDict>,
    mark: u64,
    journal: Vec<(String, Bound<'py, PyTuple>)>,
) -> PyResult<Snapshot> {
    world(py, origin, options, mark, journal)?.get().snapshot(py)
}

fn from_scene(
    py: Python<'_>,
    scene: Result<Scene, palpable_scene::SceneErrors>,
    named: Option<&Bound<'_, PyDict>>,
) -> PyResult<World> {
    let scene = scene.or_raise(errors::scene)?;
    let built = scene.build().or_raise(errors::scene)?;
    let chosen = options(named, built.options)?;
    let world = palpable::World::with_options(built.model, chosen).or_raise(errors::build)?;
    let run = SceneRun {
        name: built.name,
        description: built.description,
        duration: built.duration,
        script: built.script,
        steps: built.steps,
        inputs: world.inputs(),
    };
    let origin = (scene.text(), scene.file()).into_pyobject(py)?;
    let origin = ("scene", origin).into_pyobject(py)?;
    let core = Core::new(world, Some(run));
    World::wrap(py, fresh_mark(), core, (origin, named))
}

/// A world of a scene file (TOML, JSON) or a robot (URDF); options by name replace the file's.
#[pyfunction]
#[pyo3(signature = (path, **named))]
pub fn load(py: Python<'_>, path: PathBuf, named: Option<&Bound<'_, PyDict>>) -> PyResult<World> {
    from_scene(py, Scene::load(path), named)
}

/// A world of the text of a scene; `origin` is the file that relative paths in it start from.
#[pyfunction]
#[pyo3(signature = (text, origin=PathBuf::from("scene.toml"), **named))]
pub fn parse(
    py: Python<'_>,
    text: String,
    origin: PathBuf,
    named: Option<&Bound<'_, PyDict>>,
) -> PyResult<World> {
    from_scene(py, Scene::parse(text, origin), named)
}
