//! Many worlds at once, on threads in Rust: the engine room of vector environments.

use crate::core::{Core, Orders};
use crate::errors::PalpableError;
use crate::ids::{BodyId, PortId};
use crate::inputs::Held;
use crate::world::World;
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods, PyReadonlyArray2, PyReadonlyArray3};
use palpable::{PortInput, Rotation, Vec3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Worlds of one model that are stepped together by the same reference ports.
#[pyclass(frozen, module = "palpable")]
#[derive(Debug)]
pub struct Batch {
    worlds: Vec<Py<World>>,
    ports: Vec<palpable::PortId>,
    motors: Vec<palpable::PortId>,
}

/// One world and what enters it.
struct Job<'a> {
    core: &'a mut Core,
    inputs: Held,
    result: PyResult<()>,
}

impl Job<'_> {
    fn run(&mut self, h: f64, steps: u64) {
        let orders = Orders { h: Some(h), inputs: Some(&self.inputs), scripted: false };
        let (_, result) = self.core.steps(orders, steps, Duration::MAX);
        self.result = result;
    }
}

impl Batch {
    fn locked<'a>(&'a self, py: Python<'a>) -> PyResult<Vec<MutexGuard<'a, Core>>> {
        self.worlds.iter().map(|w| w.bind(py).get().lock()).collect()
    }

    /// What references say, world by world.
    fn places(&self, references: &PyReadonlyArray3<'_, f64>) -> PyResult<Vec<PortInput>> {
        let given = references.as_array();
        let (worlds, ports) = (self.worlds.len(), self.ports.len());
        let turned = given.shape() == [worlds, ports, 7];
        if !turned && given.shape() != [worlds, ports, 3] {
            let words = format!("references must have the shape [{worlds}, {ports}, 3 or 7]");
            return Err(PyValueError::new_err(words));
        }
        if given.iter().any(|v| !v.is_finite()) {
            return Err(PalpableError::new_err("references must be finite numbers"));
        }
        let place = |(i, p): (usize, usize)| {
            let position = Vec3::from_fn(|k, _| given[[i, p, k]]);
            let q = |k: usize| given[[i, p, 3 + k]];
            let turn = || nalgebra::Quaternion::new(q(0), q(1), q(2), q(3));
            let rotation =
                if turned { Rotation::from_quaternion(turn()) } else { Rotation::identity() };
            PortInput::Reference { position, rotation }
        };
        let all = (0..worlds).flat_map(|i| (0..ports).map(move |p| (i, p)));
        let places: Vec<_> = all.map(place).collect();
        let zero = || PalpableError::new_err("a quaternion of references has no length");
        if places.iter().all(PortInput::is_finite) { Ok(places) } else { Err(zero()) }
    }

    /// What motors are to reach, world by world; nothing if none are given.
    fn targets(&self, targets: Option<&PyReadonlyArray2<'_, f64>>) -> PyResult<Vec<f64>> {
        let Some(targets) = targets else { return Ok(Vec::new()) };
        let (given, shape) = (targets.as_array(), [self.worlds.len(), self.motors.len()]);
        if given.shape() != shape {
            return Err(PyValueError::new_err(format!("targets must have the shape {shape:?}")));
        }
        let values: Vec<f64> = given.iter().copied().collect();
        let wrong = || PalpableError::new_err("targets must be finite numbers");
        if values.iter().all(|v| v.is_finite()) { Ok(values) } else { Err(wrong()) }
    }

    /// A row of `W` numbers per world.
    fn gather<'py, const W: usize>(
        &self,
        py: Python<'py>,
        of: impl Fn(&palpable::World) -> [f64; W],
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let mut values = Vec::with_capacity(W * self.worlds.len());
        for world in &self.worlds {
            values.extend(of(&world.bind(py).get().lock()?.world));
        }
        PyArray1::from_vec(py, values).reshape([self.worlds.len(), W])
    }

    /// A row of three numbers per world, of a body that all of them have.
    fn of_body<'py>(
        &self,
        py: Python<'py>,
        body: BodyId,
        of: impl Fn(&palpable::World, palpable::BodyId) -> [f64; 3],
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        for world in &self.worlds {
            body.of(&world.bind(py).get().lock()?.world)?;
        }
        self.gather(py, |w| of(w, body.0))
    }

    /// A row of three numbers per world and port.
    fn of_ports<'py>(
        &self,
        py: Python<'py>,
        of: impl Fn(&palpable::PortOutput) -> Vec3,
    ) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let mut values = Vec::with_capacity(3 * self.worlds.len() * self.ports.len());
        for world in &self.worlds {
            let core = world.bind(py).get().lock()?;
            for port in &self.ports {
                values.extend(<[f64; 3]>::from(of(&core.world.port(*port))));
            }
        }
        PyArray1::from_vec(py, values).reshape([self.worlds.len(), self.ports.len(), 3])
    }
}

/// Works off jobs on `threads` threads; who does which does not matter to the results.
fn work(jobs: &[Mutex<Job<'_>>], threads: usize, h: f64, steps: u64) {
    let next = AtomicUsize::new(0);
    let labour = || {
        while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            job.lock().unwrap_or_else(PoisonError::into_inner).run(h, steps);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.min(jobs.len()) {
            scope.spawn(labour);
        }
        labour();
    });
}

#[pymethods]
impl Batch {
    /// Worlds of one model, the reference ports that move them, and motors that take targets.
    #[new]
    #[pyo3(signature = (worlds, ports, motors=vec![]))]
    fn new(worlds: Vec<Py<World>>, ports: Vec<PortId>, motors: Vec<PortId>) -> PyResult<Self> {
        let empty = || PyValueError::new_err("a batch needs at least one world");
        worlds.first().ok_or_else(empty)?;
        for world in &worlds {
            let core = world.get().lock()?;
            ports.iter().chain(&motors).try_for_each(|p| p.of(&core.world).map(drop))?;
        }
        let [ports, motors] = [ports, motors].map(|list| list.iter().map(|p| p.0).collect());
        Ok(Self { worlds, ports, motors })
    }

    fn __len__(&self) -> usize {
        self.worlds.len()
    }

    /// Steps every world `steps` times by `h` \[s\] on `threads` threads, with these held:
    /// references (worlds x ports x 3 \[m\], or x 7 with quaternions, scalar first) and targets of
    /// the motors (worlds x motors \[m or rad\]). Worlds where `active` is False are left alone.
    #[pyo3(signature = (references, h, steps, threads=1, active=None, targets=None))]
    #[allow(clippy::too_many_arguments)]
    fn step(
        &self,
        py: Python<'_>,
        references: PyReadonlyArray3<'_, f64>,
        h: f64,
        steps: u64,
        threads: usize,
        active: Option<Vec<bool>>,
        targets: Option<PyReadonlyArray2<'_, f64>>,
    ) -> PyResult<()> {
        let places = self.places(&references)?;
        let targets = self.targets(targets.as_ref())?;
        let mut guards = self.locked(py)?;
        let mut jobs = Vec::with_capacity(guards.len());
        for (i, guard) in guards.iter_mut().enumerate() {
            if active.as_ref().is_some_and(|a| !a.get(i).copied().unwrap_or(true)) {
                continue;
            }
            let mut inputs = guard.inputs();
            let references = self.ports.iter().zip(&places[i * self.ports.len()..]);
            references.for_each(|(port, input)| inputs.inner.set(*port, *input));
            let targets = targets.get(i * self.motors.len()..).unwrap_or_default();
            for (motor, target) in self.motors.iter().zip(targets) {
                inputs.inner.set(*motor, PortInput::Target(*target));
            }
            jobs.push(Mutex::new(Job { core: guard, inputs, result: Ok(()) }));
        }
        let jobs = &jobs[..];
        py.detach(|| work(jobs, threads.clamp(1, 256), h, steps));
        jobs.iter().try_for_each(|job| {
            let mut job = job.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::replace(&mut job.result, Ok(()))
        })
    }

    /// Positions of the ports \[m\], worlds x ports x 3; a copy.
    fn port_positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f64>>> {
        self.of_ports(py, |o| o.position)
    }

    /// Velocities of the ports \[m/s\], worlds x ports x 3; a copy.
    fn port_velocities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f64>>> {
        self.of_ports(py, |o| o.velocity)
    }

    /// Forces on whoever holds the ports \[N\], worlds x ports x 3; a copy.
    fn port_forces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f64>>> {
        self.of_ports(py, |o| o.force)
    }

    /// Positions of a body \[m\], worlds x 3; a copy.
    fn positions<'py>(&self, py: Python<'py>, body: BodyId) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.of_body(py, body, |w, id| w.pose(id).position.into())
    }

    /// Velocities of a body \[m/s\], worlds x 3; a copy.
    fn velocities<'py>(
        &self,
        py: Python<'py>,
        body: BodyId,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.of_body(py, body, |w, id| w.velocity(id).into())
    }

    /// Forces of contact on a body \[N\], worlds x 3; a copy.
    fn contact_forces<'py>(
        &self,
        py: Python<'py>,
        body: BodyId,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.of_body(py, body, |w, id| w.contact_force(id).into())
    }

    /// The accounts of every world \[J\], as `Ledger.as_array`; a copy.
    fn accounts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.gather(py, |w| w.ledger().accounts())
    }

    /// The state hashes of every world.
    fn state_hashes(&self, py: Python<'_>) -> PyResult<Vec<u64>> {
        Ok(self.locked(py)?.iter().map(|core| core.world.state_hash()).collect())
    }
}
