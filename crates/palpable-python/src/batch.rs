//! Many worlds at once, on threads in Rust: the engine room of vector environments.

use crate::core::{Core, Orders};
use crate::errors::PalpableError;
use crate::ids::{BodyId, PortId};
use crate::shown::accounts;
use crate::world::World;
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods, PyReadonlyArray3};
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
    mark: u64,
}

/// One world and what enters it.
struct Job<'a> {
    core: &'a mut Core,
    inputs: palpable::Inputs,
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
    /// Worlds of one model, and the reference ports that move them.
    #[new]
    fn new(worlds: Vec<Py<World>>, ports: Vec<PortId>) -> PyResult<Self> {
        let empty = || PyValueError::new_err("a batch needs at least one world");
        let mark = worlds.first().ok_or_else(empty)?.get().mark;
        if worlds.iter().any(|w| w.get().mark != mark) {
            return Err(PyValueError::new_err("all worlds of a batch must be of one model"));
        }
        let ports = ports.iter().map(|p| p.of(mark)).collect::<PyResult<_>>()?;
        Ok(Self { worlds, ports, mark })
    }

    fn __len__(&self) -> usize {
        self.worlds.len()
    }

    /// Steps every world `steps` times by `h` \[s\], with the references (worlds x ports x 3
    /// \[m\]) held, on `threads` threads. Worlds where `active` is False are left alone.
    #[pyo3(signature = (references, h, steps, threads=1, active=None))]
    fn step(
        &self,
        py: Python<'_>,
        references: PyReadonlyArray3<'_, f64>,
        h: f64,
        steps: u64,
        threads: usize,
        active: Option<Vec<bool>>,
    ) -> PyResult<()> {
        let given = references.as_array();
        let shape = [self.worlds.len(), self.ports.len(), 3];
        if given.shape() != shape {
            return Err(PyValueError::new_err(format!("references must have the shape {shape:?}")));
        }
        if given.iter().any(|v| !v.is_finite()) {
            return Err(PalpableError::new_err("references must be finite numbers"));
        }
        let mut guards = self.locked(py)?;
        let mut jobs = Vec::with_capacity(guards.len());
        for (i, guard) in guards.iter_mut().enumerate() {
            if active.as_ref().is_some_and(|a| !a.get(i).copied().unwrap_or(true)) {
                continue;
            }
            let mut inputs = guard.world.inputs();
            for (p, port) in self.ports.iter().enumerate() {
                let position = Vec3::from_fn(|k, _| given[[i, p, k]]);
                let rotation = Rotation::identity();
                inputs.set(*port, PortInput::Reference { position, rotation });
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
        let id = body.of(self.mark)?;
        self.gather(py, |w| w.pose(id).position.into())
    }

    /// Velocities of a body \[m/s\], worlds x 3; a copy.
    fn velocities<'py>(
        &self,
        py: Python<'py>,
        body: BodyId,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let id = body.of(self.mark)?;
        self.gather(py, |w| w.velocity(id).into())
    }

    /// Forces of contact on a body \[N\], worlds x 3; a copy.
    fn contact_forces<'py>(
        &self,
        py: Python<'py>,
        body: BodyId,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let id = body.of(self.mark)?;
        self.gather(py, |w| w.contact_force(id).into())
    }

    /// The accounts of every world \[J\], as `Ledger.as_array`; a copy.
    fn accounts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.gather(py, |w| accounts(w.ledger()))
    }

    /// The state hashes of every world.
    fn state_hashes(&self, py: Python<'_>) -> PyResult<Vec<u64>> {
        Ok(self.locked(py)?.iter().map(|core| core.world.state_hash()).collect())
    }
}
