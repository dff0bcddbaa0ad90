//! What enters at the ports during a step.

use crate::errors::PalpableError;
use crate::ids::{PortId, foreign};
use crate::pose::{Rotation, quaternion};
use crate::recipe::reduce;
use crate::vector::V3;
use palpable::{PortInput, Vec3};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

/// The inputs of all ports for one step; ports not mentioned are idle.
#[pyclass(module = "palpable")]
#[derive(Debug, Clone)]
pub struct Inputs {
    /// Which model it belongs to.
    pub mark: u64,
    /// How many ports that has.
    pub ports: usize,
    /// The engine's inputs.
    pub inner: palpable::Inputs,
}

impl Inputs {
    fn set(&mut self, port: PortId, input: PortInput) -> PyResult<()> {
        let id = port.of(self.mark)?;
        if port.index >= self.ports {
            return Err(foreign("port"));
        }
        if !input.is_finite() {
            let words = "input is not a finite number; check the formula it came from";
            return Err(PalpableError::new_err(words));
        }
        self.inner.set(id, input);
        Ok(())
    }
}

#[pymethods]
impl Inputs {
    /// A force \[N\] in world axes at a port.
    fn force(&mut self, port: PortId, force: V3) -> PyResult<()> {
        self.set(port, PortInput::Wrench { force: force.0, torque: Vec3::zeros() })
    }

    /// A force \[N\] at the port's point and a torque \[N·m\], world axes.
    fn wrench(&mut self, port: PortId, force: V3, torque: V3) -> PyResult<()> {
        self.set(port, PortInput::Wrench { force: force.0, torque: torque.0 })
    }

    /// Where the far end of a reference port moves to, world axes \[m\].
    #[pyo3(signature = (port, position, rotation=Rotation(palpable::Rotation::identity())))]
    fn reference(&mut self, port: PortId, position: V3, rotation: Rotation) -> PyResult<()> {
        self.set(port, PortInput::Reference { position: position.0, rotation: rotation.0 })
    }

    /// Motor: force or torque along its measure \[N or N·m\].
    fn effort(&mut self, port: PortId, effort: f64) -> PyResult<()> {
        self.set(port, PortInput::Effort(effort))
    }

    /// Motor: rate that its damping enforces \[m/s or rad/s\].
    fn rate(&mut self, port: PortId, rate: f64) -> PyResult<()> {
        self.set(port, PortInput::Rate(rate))
    }

    /// Motor: measure at which its stiffness is slack \[m or rad\].
    fn target(&mut self, port: PortId, target: f64) -> PyResult<()> {
        self.set(port, PortInput::Target(target))
    }

    /// Nothing enters: no force, or the reference stays where it is.
    fn idle(&mut self, port: PortId) -> PyResult<()> {
        self.set(port, PortInput::Idle)
    }

    fn __repr__(&self) -> String {
        format!("<Inputs of {} ports>", self.ports)
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let entry = |i: usize| {
            let (kind, values) = numbers(&self.inner.get(palpable::PortId::from_index(i)));
            (i, kind, values)
        };
        let list = PyList::new(py, (0..self.ports).map(entry))?;
        reduce(py, "_inputs", (self.mark, self.ports, list).into_pyobject(py)?)
    }
}

/// Kind and numbers of an input.
fn numbers(input: &PortInput) -> (&'static str, Vec<f64>) {
    match input {
        PortInput::Idle => ("idle", vec![]),
        PortInput::Wrench { force, torque } => {
            ("wrench", force.iter().chain(torque.iter()).copied().collect())
        }
        PortInput::Reference { position, rotation } => {
            let q = quaternion(rotation);
            ("reference", position.iter().chain(q.iter()).copied().collect())
        }
        PortInput::Effort(v) => ("effort", vec![*v]),
        PortInput::Rate(v) => ("rate", vec![*v]),
        PortInput::Target(v) => ("target", vec![*v]),
    }
}

/// The input of a kind and numbers; idle if they are not one.
fn input(kind: &str, v: &[f64]) -> PortInput {
    match (kind, v) {
        ("wrench", [a, b, c, d, e, f]) => {
            PortInput::Wrench { force: Vec3::new(*a, *b, *c), torque: Vec3::new(*d, *e, *f) }
        }
        ("reference", [x, y, z, w, i, j, k]) => PortInput::Reference {
            position: Vec3::new(*x, *y, *z),
            rotation: crate::pose::rotation(*w, *i, *j, *k).0,
        },
        ("effort", [v]) => PortInput::Effort(*v),
        ("rate", [v]) => PortInput::Rate(*v),
        ("target", [v]) => PortInput::Target(*v),
        _ => PortInput::Idle,
    }
}

/// Inputs by their numbers, for pickles.
#[pyfunction]
#[pyo3(name = "_inputs")]
pub fn inputs(mark: u64, ports: usize, entries: Vec<(usize, String, Vec<f64>)>) -> Inputs {
    let ports = ports.min(entries.len());
    let mut inner = palpable::Inputs::with_capacity(ports);
    for (i, kind, values) in entries.iter().filter(|(i, ..)| *i < ports) {
        inner.set(palpable::PortId::from_index(*i), input(kind, values));
    }
    Inputs { mark, ports, inner }
}
