//! A world: steps, runs, reads and live changes.

use crate::core::{Core, Orders};
use crate::errors::{self, BusyError, PalpableError, Refuse};
use crate::ids::{BodyId, ElementId, PortId, SystemId, foreign};
use crate::inputs::{Held, Inputs};
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
use pyo3::exceptions::{PyKeyError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::Duration;

/// How long a run goes on before it looks for Ctrl-C.
pub const PATIENCE: Duration = Duration::from_millis(20);

/// A simulated world.
///
/// `World(model, scheme="passive-midpoint", contact_law="cone", tank_cap=0.01, ...)`. One thread
/// at a time may use a world; others get `BusyError`.
#[pyclass(frozen, module = "palpable", weakref)]
#[derive(Debug)]
pub struct World {
    core: Mutex<Core>,
    running: AtomicBool,
    /// what it was made of, for pickles
    origin: Py<PyTuple>,
    options: Py<PyDict>,
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
    /// The class around a world, with what it was made of.
    pub fn wrap(
        py: Python<'_>,
        core: Core,
        (origin, named): (Bound<'_, PyTuple>, Option<&Bound<'_, PyDict>>),
    ) -> PyResult<Self> {
        let options = named.map_or_else(|| Ok(PyDict::new(py)), |n| n.copy())?.unbind();
        let (core, running) = (Mutex::new(core), AtomicBool::new(false));
        Ok(Self { core, running, origin: origin.unbind(), options })
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

    /// The world for a change, and the word that nobody else may change it until that is done.
    fn reserve(&self) -> PyResult<Running<'_>> {
        if self.running.swap(true, Ordering::AcqRel) {
            Err(busy())
        } else {
            Ok(Running(&self.running))
        }
    }

    /// Makes the world what an edit described; nothing changes if that cannot be.
    pub fn adopt(&self, py: Python<'_>, lent: &Model) -> PyResult<()> {
        let (builder, calls) = lent.take_back();
        let mut core = self.lock()?;
        let before = Some(core.world.clone());
        core.world.edit(|m| *m = builder).or_raise(errors::build)?;
        if let Some(error) = crate::custom::raised() {
            before.into_iter().for_each(|world| core.world = world);
            return Err(error);
        }
        core.look_again();
        self.note(&mut core, py, "_edit", (calls,))
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
            let inputs = held.as_deref().map(|inputs| &inputs.0);
            let orders = Orders { h: plan.h, inputs, scripted: plan.scripted };
            let (done, result, rest) = {
                let mut guard = self.lock()?;
                admit(&guard, inputs)?;
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
}

/// Refuses inputs of another world.
fn admit(core: &Core, inputs: Option<&Held>) -> PyResult<()> {
    inputs.map_or(Ok(()), |held| held.admit(&core.world, &core.ports))
}

/// An impulse and its moment.
type Impulse<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>);

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
    pub fn new(py: Python<'_>, model: &Model, named: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let chosen = options(named, Options::default())?;
        let frozen = model.freeze()?;
        let world = palpable::World::with_options(frozen, chosen).or_raise(errors::build)?;
        if let Some(error) = crate::custom::raised() {
            return Err(error);
        }
        let core = Core::new(world, None);
        let origin = ("model", model.origin(py)?).into_pyobject(py)?;
        Self::wrap(py, core, (origin, named))
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
        let inputs = held.as_deref().map(|inputs| &inputs.0);
        let mut guard = self.lock_idle()?;
        admit(&guard, inputs)?;
        let core: &mut Core = &mut guard;
        let orders = Orders { h: Some(h), inputs, scripted: false };
        let report =
            if core.heavy { py.detach(move || core.step(orders)) } else { core.step(orders) };
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
        let _running = world.reserve()?;
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
        Ok(core.world.model().bodies().iter().map(name_of).collect())
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
        let found = self.lock()?.world.body_named(name);
        found.map(BodyId).ok_or_else(|| unknown("body", name))
    }

    /// The port of a name.
    fn port_named(&self, name: &str) -> PyResult<PortId> {
        let found = self.lock()?.world.port_named(name);
        found.map(PortId).ok_or_else(|| unknown("port", name))
    }

    /// The element at a place in `elements`.
    fn element(&self, index: usize) -> PyResult<ElementId> {
        let words = || format!("there is no element {index}");
        let found = self.lock()?.world.element(index).map(ElementId);
        found.ok_or_else(|| pyo3::exceptions::PyIndexError::new_err(words()))
    }

    /// The spring, damper or joint of a name.
    fn element_named(&self, name: &str) -> PyResult<ElementId> {
        let core = self.lock()?;
        let named = core.world.model().elements().iter().position(|e| e.name == name);
        let found = named.filter(|_| !name.is_empty()).and_then(|i| core.world.element(i));
        found.map(ElementId).ok_or_else(|| unknown("element", name))
    }

    /// The subsystem of a name.
    fn system_named(&self, name: &str) -> PyResult<SystemId> {
        let core = self.lock()?;
        let found = core.world.system_named(name).ok_or_else(|| unknown("subsystem", name))?;
        Ok(SystemId::found(found, &core.world))
    }

    /// Where a body's own frame is.
    fn pose(&self, body: BodyId) -> PyResult<Pose> {
        let core = self.lock()?;
        Ok(Pose(core.world.pose(body.of(&core.world)?)))
    }

    /// Velocity of a body's centre of mass, world axes \[m/s\].
    fn velocity<'py>(&self, py: Python<'py>, body: BodyId) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let core = self.lock()?;
        Ok(array3(py, &core.world.velocity(body.of(&core.world)?)))
    }

    /// Angular velocity of a body in its own axes \[rad/s\].
    fn angular_velocity<'py>(
        &self,
        py: Python<'py>,
        body: BodyId,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let core = self.lock()?;
        Ok(array3(py, &core.world.angular_velocity(body.of(&core.world)?)))
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
        Ok(array3(py, &core.world.contact_force(body.of(&core.world)?)))
    }

    /// True if a body sleeps: it lay still with all that it touches, and is not stepped.
    fn is_asleep(&self, body: BodyId) -> PyResult<bool> {
        let core = self.lock()?;
        Ok(core.world.is_asleep(body.of(&core.world)?))
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
        let core = self.lock()?;
        Ok(array(py, core.world.strain(element.of(&core.world)?).as_slice()))
    }

    /// Coordinates of a subsystem; a floating base comes first: position, quaternion (scalar last).
    fn coordinates<'py>(
        &self,
        py: Python<'py>,
        system: SystemId,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let core = self.lock()?;
        Ok(array(py, core.world.coordinates(system.of(&core.world)?)))
    }

    /// Velocities of a subsystem.
    fn coordinate_rates<'py>(
        &self,
        py: Python<'py>,
        system: SystemId,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let core = self.lock()?;
        let id = system.of(&core.world)?;
        let floats = id.base() != id.link(0);
        // a floating base has a quaternion, and turns by three rates
        let mut rates = vec![0.0; core.world.coordinates(id).len() - usize::from(floats)];
        core.world.coordinate_rates(id, &mut rates);
        Ok(array(py, &rates))
    }

    /// What a port showed at the last step.
    fn port(&self, port: PortId) -> PyResult<PortOutput> {
        let core = self.lock()?;
        Ok(PortOutput(core.world.port(port.of(&core.world)?)))
    }

    /// Idle inputs for all ports.
    fn inputs(&self) -> PyResult<Inputs> {
        Ok(Inputs(self.lock()?.inputs()))
    }

    /// What the scene's script puts in at the ports at a time \[s\], now unless given; idle without
    /// a scene.
    #[pyo3(signature = (time=None))]
    fn script(&self, time: Option<f64>) -> PyResult<Inputs> {
        let core = self.lock()?;
        let mut held = core.inputs();
        let time = time.unwrap_or_else(|| core.world.time());
        if let Some(scene) = core.scene.as_ref().filter(|_| time.is_finite()) {
            scene.script.inputs(time, &mut held.inner);
        }
        Ok(Inputs(held))
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
    pub fn snapshot(&self, py: Python<'_>) -> PyResult<Snapshot> {
        let core = self.lock()?;
        let (inner, journal) = (core.world.snapshot(), core.journal.clone());
        let steps = core.scene.as_ref().map(|s| s.steps.clone());
        let origin = self.origin.clone_ref(py);
        let options = self.options.clone_ref(py);
        Ok(Snapshot { inner, journal, steps, origin, options })
    }

    /// Returns to a snapshot of this world or of one of an equal model.
    fn restore(&self, snapshot: &Snapshot) -> PyResult<()> {
        let mut core = self.lock_idle()?;
        if !core.world.restore(&snapshot.inner) {
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
        let (id, by) = (element.of(&core.world)?, self::payment(payment)?);
        let receipt = core.world.set_stiffness(id, stiffness.0, by).or_raise(errors::change)?;
        self.note(&mut core, py, "set_stiffness", (element, stiffness, payment))?;
        Ok(Receipt(receipt))
    }

    /// Sets the damping of an element row by row.
    fn set_damping(&self, py: Python<'_>, element: ElementId, damping: V6) -> PyResult<()> {
        let mut core = self.lock_idle()?;
        let id = element.of(&core.world)?;
        core.world.set_damping(id, damping.0).or_raise(errors::change)?;
        self.note(&mut core, py, "set_damping", (element, damping))
    }

    /// Sets the measure \[m or rad\] at which the first row of an element is slack; returns the
    /// work \[J\].
    fn set_rest(&self, py: Python<'_>, element: ElementId, rest: f64) -> PyResult<f64> {
        let mut core = self.lock_idle()?;
        let id = element.of(&core.world)?;
        let work = core.world.set_rest(id, rest).or_raise(errors::change)?;
        self.note(&mut core, py, "set_rest", (element, rest))?;
        Ok(work)
    }

    /// Moves the world end of an element; returns the work \[J\].
    fn set_anchor(&self, py: Python<'_>, element: ElementId, pose: Pose) -> PyResult<f64> {
        let mut core = self.lock_idle()?;
        let id = element.of(&core.world)?;
        let work = core.world.set_anchor(id, pose.0).or_raise(errors::change)?;
        self.note(&mut core, py, "set_anchor", (element, pose))?;
        Ok(work)
    }

    /// Sets the dry friction of an element's first row \[N or N·m\].
    fn set_dry_friction(&self, py: Python<'_>, element: ElementId, limit: f64) -> PyResult<()> {
        let mut core = self.lock_idle()?;
        let id = element.of(&core.world)?;
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
        let (id, by) = (body.of(&core.world)?, self::payment(payment)?);
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
        let id = body.of(&core.world)?;
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
        let found = {
            let core = self.lock()?;
            core.world.material(body.of(&core.world)?)
        };
        found.map(|m| Material::wrap(py, m)).transpose()
    }

    /// Sets how the surface of a body rubs and bounces.
    fn set_material(&self, py: Python<'_>, body: BodyId, material: Material) -> PyResult<()> {
        let mut core = self.lock_idle()?;
        let id = body.of(&core.world)?;
        core.world.set_material(id, material.inner).or_raise(errors::change)?;
        self.note(&mut core, py, "set_material", (body, material))
    }

    /// Sets the material where two bodies touch, whatever their own.
    fn set_pair_material(
        &self,
        py: Python<'_>,
        a: BodyId,
        b: BodyId,
        material: Material,
    ) -> PyResult<()> {
        let mut core = self.lock_idle()?;
        let (x, y) = (a.of(&core.world)?, b.of(&core.world)?);
        core.world.set_pair_material(x, y, material.inner).or_raise(errors::change)?;
        self.note(&mut core, py, "set_pair_material", (a, b, material))
    }

    /// Puts a body elsewhere, at the velocity that it has; what that stores is supplied.
    fn set_pose(&self, py: Python<'_>, body: BodyId, pose: Pose) -> PyResult<Receipt> {
        let mut core = self.lock_idle()?;
        let id = body.of(&core.world)?;
        let receipt = core.world.set_pose(id, pose.0).or_raise(errors::change)?;
        self.note(&mut core, py, "set_pose", (body, pose))?;
        Ok(Receipt(receipt))
    }

    /// Sets the velocity of a body's centre of mass, world axes \[m/s\], and its angular velocity
    /// in its own axes \[rad/s\]; what that stores is supplied.
    fn set_velocity(
        &self,
        py: Python<'_>,
        body: BodyId,
        velocity: V3,
        angular_velocity: V3,
    ) -> PyResult<Receipt> {
        let mut core = self.lock_idle()?;
        let id = body.of(&core.world)?;
        let receipt = core.world.set_velocity(id, velocity.0, angular_velocity.0);
        let receipt = receipt.or_raise(errors::change)?;
        self.note(&mut core, py, "set_velocity", (body, velocity, angular_velocity))?;
        Ok(Receipt(receipt))
    }

    /// Applies a force \[N\] at the centre of mass of a body and a torque \[N·m\] during the next
    /// step; several calls add up. Its work is supplied energy.
    #[pyo3(signature = (body, force, torque=V3(palpable::Vec3::zeros())))]
    fn apply_force(&self, py: Python<'_>, body: BodyId, force: V3, torque: V3) -> PyResult<()> {
        let mut core = self.lock_idle()?;
        let id = body.of(&core.world)?;
        core.world.apply_force(id, force.0, torque.0).or_raise(errors::change)?;
        self.note(&mut core, py, "apply_force", (body, force, torque))
    }

    /// The same for a force at a point of the world \[m\].
    fn apply_force_at(&self, py: Python<'_>, body: BodyId, force: V3, point: V3) -> PyResult<()> {
        let mut core = self.lock_idle()?;
        let id = body.of(&core.world)?;
        core.world.apply_force_at(id, force.0, point.0).or_raise(errors::change)?;
        self.note(&mut core, py, "apply_force_at", (body, force, point))
    }

    /// Angle of a hinge or coordinate \[rad\].
    fn angle(&self, joint: ElementId) -> PyResult<f64> {
        let core = self.lock()?;
        core.world.angle(joint.of(&core.world)?).or_raise(errors::change)
    }

    /// How fast that angle changes \[rad/s\].
    fn rate(&self, joint: ElementId) -> PyResult<f64> {
        let core = self.lock()?;
        core.world.rate(joint.of(&core.world)?).or_raise(errors::change)
    }

    /// Impulse of contact at the start of the last step on the body that a port acts on \[N·s\],
    /// and its moment about the centre of mass \[N·m·s\].
    fn port_impulse<'py>(&self, py: Python<'py>, port: PortId) -> PyResult<Impulse<'py>> {
        let core = self.lock()?;
        let [impulse, moment] = core.world.port_impulse(port.of(&core.world)?);
        Ok((array3(py, &impulse), array3(py, &moment)))
    }

    /// Largest force \[N\] and torque \[N·m\] of impulses on bodies that ports act on, and whether
    /// larger ones go on in the next step: `ImpulseChannel.limits`.
    #[pyo3(signature = (force, torque, spread=true))]
    fn set_impulse_limit(
        &self,
        py: Python<'_>,
        force: f64,
        torque: f64,
        spread: bool,
    ) -> PyResult<()> {
        // written so that NaN is a mistake
        if !(force >= 0.0 && torque >= 0.0) {
            let words = format!("force is {force}, torque {torque}; they must be 0 or more");
            return Err(PalpableError::new_err(words));
        }
        let mut core = self.lock_idle()?;
        core.world.set_impulse_limit(palpable::ImpulseLimit { force, torque, spread });
        self.note(&mut core, py, "set_impulse_limit", (force, torque, spread))
    }

    /// Chooses the contact law: "cone", "printed-elastic" or "printed-plastic".
    #[pyo3(signature = (name, sides=ContactLaw::SIDES))]
    fn set_contact_law(&self, py: Python<'_>, name: &str, sides: u32) -> PyResult<()> {
        let mut core = self.lock_idle()?;
        core.world.set_contact_law(law(name, sides)?).or_raise(errors::change)?;
        self.note(&mut core, py, "set_contact_law", (name, sides))
    }

    /// Changes what the world is made of: `change(model)` gets the description that the world was
    /// built from and may add and remove bodies, springs, joints, chains and ports; what it returns
    /// is returned. Everything that stays keeps its state, forces and id. The energy of what is
    /// added counts as supplied, of what is removed as discarded. Nothing changes if it raises, or
    /// if the description has a mistake. Inputs of before know no new ports: call `inputs` again.
    fn edit<'py>(
        slf: &Bound<'py, Self>,
        change: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, world) = (slf.py(), slf.get());
        let _running = world.reserve()?;
        let lent = Model::lend(&world.lock()?.world);
        let lent = Bound::new(py, lent)?;
        let value = change.call1((&lent,));
        if value.is_err() {
            drop(lent.get().take_back());
        }
        let value = value?;
        world.adopt(py, lent.get())?;
        Ok(value)
    }

    /// Adds a port: a hand takes hold.
    fn attach(&self, py: Python<'_>, port: Port) -> PyResult<PortId> {
        let mut core = self.lock_idle()?;
        crate::model::admit(port.recipe().calls(py).bind(py), &core.world)?;
        let id = core.world.attach(port.inner.clone()).or_raise(errors::build)?;
        core.look_again();
        self.note(&mut core, py, "attach", (port,))?;
        Ok(PortId(id))
    }

    /// Removes a port; what its coupling stores goes to the tank, or is discarded.
    fn detach(&self, py: Python<'_>, port: PortId) -> PyResult<Receipt> {
        let mut core = self.lock_idle()?;
        let id = port.of(&core.world)?;
        let receipt = core.world.detach(id).or_raise(errors::change)?;
        core.look_again();
        self.note(&mut core, py, "detach", (port,))?;
        Ok(Receipt(receipt))
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        let core = self.lock()?.clone();
        let (origin, options) = (self.origin.clone_ref(py), self.options.clone_ref(py));
        let (core, running) = (Mutex::new(core), AtomicBool::new(false));
        Ok(Self { core, running, origin, options })
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
        reduce(py, "_world", crate::made::parts(py, (&self.origin, &self.options), &core.journal)?)
    }
}

/// The name of a body; empty where there is none.
fn name_of(body: &palpable::model::BodyInfo) -> String {
    if body.gone { String::new() } else { body.name.clone() }
}

fn unknown(kind: &str, name: &str) -> PyErr {
    PyKeyError::new_err(format!("there is no {kind} named {name:?} in this world"))
}

/// Everything that changes in a world; goes back with `World.restore`.
#[pyclass(frozen, module = "palpable")]
#[derive(Debug)]
pub struct Snapshot {
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
        reduce(py, "_snapshot", crate::made::parts(py, origin, &self.journal)?)
    }
}
