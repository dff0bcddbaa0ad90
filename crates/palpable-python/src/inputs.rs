//! What enters at the ports during a step.

use crate::errors::{ForeignError, PalpableError};
use crate::ids::{PortId, foreign};
use crate::pose::{Rotation, quaternion};
use crate::recipe::reduce;
use crate::vector::V3;
use palpable::{PortInput as Input, Vec3};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use std::sync::Arc;

/// What enters, and the ports that may be meant.
#[derive(Debug, Clone)]
pub struct Held {
    /// The ports of the world that it is for.
    pub ports: Arc<[palpable::PortId]>,
    /// The engine's inputs.
    pub inner: palpable::Inputs,
}

impl PartialEq for Held {
    fn eq(&self, other: &Self) -> bool {
        // the ports only say what may be set
        self.inner == other.inner
    }
}

impl Held {
    /// Refuses what another world was meant to get.
    pub fn admit(&self, world: &palpable::World, ports: &Arc<[palpable::PortId]>) -> PyResult<()> {
        if Arc::ptr_eq(&self.ports, ports) {
            return Ok(());
        }
        let (known, strange): (Vec<_>, Vec<_>) =
            self.ports.iter().partition(|p| world.has_port(**p));
        let idle = |port: &&palpable::PortId| self.inner.get(**port) == Input::Idle;
        let fits = strange.is_empty() || (!known.is_empty() && strange.iter().all(idle));
        if fits { Ok(()) } else { Err(foreign("input")) }
    }
}

/// What enters at one port: what a coupling gives, for `Inputs.set`.
#[pyclass(frozen, eq, from_py_object, module = "palpable")]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PortInput(pub palpable::PortInput);

#[pymethods]
impl PortInput {
    /// Nothing: no force, or the reference stays where it is.
    #[staticmethod]
    fn idle() -> Self {
        Self(Input::Idle)
    }

    /// A force \[N\] at the port's point and a torque \[N·m\], world axes.
    #[staticmethod]
    #[pyo3(signature = (force, torque=V3(Vec3::zeros())))]
    fn wrench(force: V3, torque: V3) -> Self {
        Self(Input::Wrench { force: force.0, torque: torque.0 })
    }

    /// Where the far end of a reference port moves to, world axes \[m\].
    #[staticmethod]
    #[pyo3(signature = (position, rotation=Rotation(palpable::Rotation::identity())))]
    fn reference(position: V3, rotation: Rotation) -> Self {
        Self(Input::Reference { position: position.0, rotation: rotation.0 })
    }

    /// "idle", "wrench", "reference", "effort", "rate" or "target".
    #[getter]
    fn kind(&self) -> &'static str {
        numbers(&self.0).0
    }

    /// Its numbers: force and torque, position and quaternion, or one.
    #[getter]
    fn values(&self) -> Vec<f64> {
        numbers(&self.0).1
    }

    fn __repr__(&self) -> String {
        format!("{:?}", self.0)
    }
}

/// The inputs of all ports for one step; ports not mentioned are idle.
#[pyclass(module = "palpable")]
#[derive(Debug, Clone)]
pub struct Inputs(pub Held);

impl Inputs {
    fn know(&self, port: PortId) -> PyResult<()> {
        let words = "this port belongs to another model, is gone, or came after these inputs were \
                     made; use ports of this world, and call world.inputs() after an edit";
        let known = self.0.ports.contains(&port.0);
        known.then_some(()).ok_or_else(|| ForeignError::new_err(words))
    }

    fn put(&mut self, port: PortId, input: Input) -> PyResult<()> {
        self.know(port)?;
        if !input.is_finite() {
            let words = "input is not a finite number; check the formula it came from";
            return Err(PalpableError::new_err(words));
        }
        self.0.inner.set(port.0, input);
        Ok(())
    }
}

#[pymethods]
impl Inputs {
    /// What enters at a port, as couplings give it.
    fn set(&mut self, port: PortId, input: PortInput) -> PyResult<()> {
        self.put(port, input.0)
    }

    /// What enters at a port.
    fn get(&self, port: PortId) -> PyResult<PortInput> {
        self.know(port)?;
        Ok(PortInput(self.0.inner.get(port.0)))
    }

    /// A force \[N\] in world axes at a port.
    fn force(&mut self, port: PortId, force: V3) -> PyResult<()> {
        self.put(port, Input::Wrench { force: force.0, torque: Vec3::zeros() })
    }

    /// A force \[N\] at the port's point and a torque \[N·m\], world axes.
    fn wrench(&mut self, port: PortId, force: V3, torque: V3) -> PyResult<()> {
        self.put(port, Input::Wrench { force: force.0, torque: torque.0 })
    }

    /// Where the far end of a reference port moves to, world axes \[m\].
    #[pyo3(signature = (port, position, rotation=Rotation(palpable::Rotation::identity())))]
    fn reference(&mut self, port: PortId, position: V3, rotation: Rotation) -> PyResult<()> {
        self.put(port, Input::Reference { position: position.0, rotation: rotation.0 })
    }

    /// Motor: force or torque along its measure \[N or N·m\].
    fn effort(&mut self, port: PortId, effort: f64) -> PyResult<()> {
        self.put(port, Input::Effort(effort))
    }

    /// Motor: rate that its damping enforces \[m/s or rad/s\].
    fn rate(&mut self, port: PortId, rate: f64) -> PyResult<()> {
        self.put(port, Input::Rate(rate))
    }

    /// Motor: measure at which its stiffness is slack \[m or rad\].
    fn target(&mut self, port: PortId, target: f64) -> PyResult<()> {
        self.put(port, Input::Target(target))
    }

    /// Nothing enters: no force, or the reference stays where it is.
    fn idle(&mut self, port: PortId) -> PyResult<()> {
        self.put(port, Input::Idle)
    }

    fn __repr__(&self) -> String {
        format!("<Inputs of {} ports>", self.0.ports.len())
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let entry = |port: &palpable::PortId| {
            let (kind, values) = numbers(&self.0.inner.get(*port));
            ((port.index(), port.mark()), kind, values)
        };
        let list = PyList::new(py, self.0.ports.iter().map(entry))?;
        reduce(py, "_inputs", (list,).into_pyobject(py)?)
    }
}

/// Kind and numbers of an input.
fn numbers(input: &Input) -> (&'static str, Vec<f64>) {
    match input {
        Input::Idle => ("idle", vec![]),
        Input::Wrench { force, torque } => {
            ("wrench", force.iter().chain(torque.iter()).copied().collect())
        }
        Input::Reference { position, rotation } => {
            let q = quaternion(rotation);
            ("reference", position.iter().chain(q.iter()).copied().collect())
        }
        Input::Effort(v) => ("effort", vec![*v]),
        Input::Rate(v) => ("rate", vec![*v]),
        Input::Target(v) => ("target", vec![*v]),
    }
}

/// The input of a kind and numbers; idle if they are not one.
fn input(kind: &str, v: &[f64]) -> Input {
    match (kind, v) {
        ("wrench", [a, b, c, d, e, f]) => {
            Input::Wrench { force: Vec3::new(*a, *b, *c), torque: Vec3::new(*d, *e, *f) }
        }
        ("reference", [x, y, z, w, i, j, k]) => Input::Reference {
            position: Vec3::new(*x, *y, *z),
            rotation: crate::pose::rotation(*w, *i, *j, *k).0,
        },
        ("effort", [v]) => Input::Effort(*v),
        ("rate", [v]) => Input::Rate(*v),
        ("target", [v]) => Input::Target(*v),
        _ => Input::Idle,
    }
}

/// Inputs by their numbers, for pickles.
#[pyfunction]
#[pyo3(name = "_inputs")]
pub fn inputs(entries: Vec<((usize, u64), String, Vec<f64>)>) -> Inputs {
    let ids = entries.iter().map(|(parts, ..)| palpable::PortId::from_parts(parts.0, parts.1));
    let ports: Arc<[_]> = ids.collect();
    let mut inner = palpable::Inputs::none();
    for (port, (_, kind, values)) in ports.iter().zip(&entries) {
        inner.set(*port, input(kind, values));
    }
    Inputs(Held { ports, inner })
}
