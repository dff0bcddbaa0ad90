//! The description of a world, as in Rust: `model.body(...)`, `model.spring(...)`.

use crate::errors::{self, Refuse};
use crate::ids::{Anchor, BodyId, ElementId, PortId, SystemId, foreign, fresh_mark};
use crate::parts::{Beam, Body, Chain, Joint, Material, Port, Spring};
use crate::recipe::{Recipe, reduce};
use crate::vector::{Count, V3};
use palpable::ModelBuilder;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What is being described, and the calls that described it.
#[derive(Debug, Default)]
struct Plan {
    builder: ModelBuilder,
    calls: Vec<Py<PyAny>>,
    /// bodies so far, links of subsystems included
    bodies: usize,
}

/// Collects bodies, springs, joints and ports; `World(model)` freezes them.
#[pyclass(frozen, module = "palpable")]
#[derive(Debug)]
pub struct Model {
    /// Which model its ids belong to.
    pub mark: u64,
    plan: Mutex<Plan>,
}

impl Model {
    fn plan(&self) -> MutexGuard<'_, Plan> {
        // a plan is never left half changed
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The engine's frozen model.
    pub fn freeze(&self) -> PyResult<palpable::Model> {
        self.plan().builder.build().or_raise(errors::build)
    }

    /// What makes an equal model.
    pub fn origin<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let calls = PyList::new(py, self.plan().calls.iter().map(|c| c.clone_ref(py)))?;
        (self.mark, calls).into_pyobject(py)
    }

    /// Remembers a call.
    fn note<'py, T>(&self, py: Python<'py>, name: &str, arguments: T) -> PyResult<()>
    where
        T: IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>>,
        PyErr: From<T::Error>,
    {
        let call = (name, arguments.into_pyobject(py)?).into_pyobject(py)?;
        self.plan().calls.push(call.into_any().unbind());
        Ok(())
    }

    /// Refuses parts that hold on to another model.
    fn admit(&self, py: Python<'_>, recipe: &Recipe) -> PyResult<()> {
        admit(recipe.calls(py).bind(py), self.mark)
    }

    fn add_system(&self, add: impl FnOnce(&mut ModelBuilder) -> palpable::SystemId) -> SystemId {
        let mut plan = self.plan();
        let inner = add(&mut plan.builder);
        // the next body comes after the last link
        let next = plan.builder.clone().body(palpable::Body::new("")).index();
        plan.bodies = next;
        SystemId { mark: self.mark, inner, links: next - inner.link(0).index() }
    }
}

/// Looks for ids of other models in the arguments of calls.
pub fn admit(call: &Bound<'_, PyTuple>, mark: u64) -> PyResult<()> {
    let before = call.get_item(0)?;
    if let Ok(before) = before.cast::<PyTuple>() {
        admit(before, mark)?;
    }
    for argument in call.get_item(2)?.cast::<PyTuple>()? {
        let other = if let Ok(anchor) = argument.extract::<Anchor>() {
            anchor.mark.is_some_and(|m| m != mark)
        } else if let Ok(system) = argument.extract::<SystemId>() {
            system.mark != mark
        } else if let Ok(spring) = argument.extract::<Spring>() {
            admit(spring.recipe().calls(call.py()).bind(call.py()), mark)?;
            false
        } else {
            false
        };
        if other {
            return Err(foreign("anchor or subsystem"));
        }
    }
    Ok(())
}

#[pymethods]
impl Model {
    /// An empty description.
    #[new]
    pub fn new() -> Self {
        Self { mark: fresh_mark(), plan: Mutex::default() }
    }

    /// The same, as in Rust.
    #[staticmethod]
    fn builder() -> Self {
        Self::new()
    }

    /// Acceleration of gravity, world axes \[m/s²\]; none unless set.
    fn gravity(&self, py: Python<'_>, gravity: V3) -> PyResult<()> {
        self.plan().builder.gravity(gravity.0);
        self.note(py, "gravity", (gravity,))
    }

    /// Room for at most `capacity` contacts; 0 leaves that to the number of bodies.
    #[pyo3(signature = (capacity=Count(0)))]
    fn contacts(&self, py: Python<'_>, capacity: Count) -> PyResult<()> {
        self.plan().builder.contacts(capacity.0);
        self.note(py, "contacts", (capacity,))
    }

    /// Lets all bodies pass through each other.
    fn ghosts(&self, py: Python<'_>) -> PyResult<()> {
        self.plan().builder.ghosts();
        self.note(py, "ghosts", ())
    }

    /// The material where two bodies touch, whatever their own.
    fn contact_pair(&self, py: Python<'_>, a: BodyId, b: BodyId, m: Material) -> PyResult<()> {
        let (x, y) = (a.of(self.mark)?, b.of(self.mark)?);
        self.plan().builder.contact_pair(x, y, m.inner);
        self.note(py, "contact_pair", (a, b, m))
    }

    /// Two bodies that never touch.
    fn no_contact(&self, py: Python<'_>, a: BodyId, b: BodyId) -> PyResult<()> {
        let (x, y) = (a.of(self.mark)?, b.of(self.mark)?);
        self.plan().builder.no_contact(x, y);
        self.note(py, "no_contact", (a, b))
    }

    /// Adds a body.
    fn body(&self, py: Python<'_>, body: Body) -> PyResult<BodyId> {
        let index = self.plan().builder.body(body.inner.clone()).index();
        self.plan().bodies = index + 1;
        self.note(py, "body", (body,))?;
        Ok(BodyId { mark: self.mark, index })
    }

    /// Adds a spring, damper, joint or element of your own.
    fn spring(&self, py: Python<'_>, spring: &Bound<'_, PyAny>) -> PyResult<ElementId> {
        let (recipe, inner) = if let Ok(spring) = spring.extract::<Spring>() {
            (spring.recipe().clone(), spring.inner)
        } else if let Ok(joint) = spring.extract::<Joint>() {
            (joint.recipe().clone(), joint.inner.into())
        } else {
            return Err(PyTypeError::new_err("expected a Spring or a Joint"));
        };
        self.admit(py, &recipe)?;
        let index = self.plan().builder.spring(inner).index();
        self.note(py, "spring", (spring,))?;
        Ok(ElementId { mark: self.mark, index })
    }

    /// Adds a joint.
    fn joint(&self, py: Python<'_>, joint: &Bound<'_, Joint>) -> PyResult<ElementId> {
        self.spring(py, joint.as_any())
    }

    /// Adds a port.
    fn port(&self, py: Python<'_>, port: Port) -> PyResult<PortId> {
        self.admit(py, port.recipe())?;
        let index = self.plan().builder.port(port.inner.clone()).index();
        self.note(py, "port", (port,))?;
        Ok(PortId { mark: self.mark, index })
    }

    /// Adds a chain of links in generalized coordinates.
    fn chain(&self, py: Python<'_>, chain: Chain) -> PyResult<SystemId> {
        let id = self.add_system(|builder| builder.chain(chain.inner.clone()));
        self.note(py, "chain", (chain,))?;
        Ok(id)
    }

    /// Adds a flexible beam; its bending modes become springs of the model.
    fn beam(&self, py: Python<'_>, beam: Beam) -> PyResult<SystemId> {
        let id = self.add_system(|builder| builder.beam(beam.inner.clone()));
        self.note(py, "beam", (beam,))?;
        Ok(id)
    }

    /// Looks for every mistake and raises `BuildError` with all of them; returns the model.
    fn build(slf: PyRef<'_, Self>) -> PyResult<PyRef<'_, Self>> {
        slf.freeze()?;
        Ok(slf)
    }

    fn __repr__(&self) -> String {
        format!("<Model of {} bodies>", self.plan().bodies)
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        reduce(py, "_model", self.origin(py)?)
    }
}

/// A model by the calls that described it, for pickles.
#[pyfunction]
#[pyo3(name = "_model")]
pub fn model<'py>(
    py: Python<'py>,
    mark: u64,
    calls: Vec<(String, Bound<'py, PyTuple>)>,
) -> PyResult<Bound<'py, Model>> {
    let model = Bound::new(py, Model { mark, plan: Mutex::default() })?;
    for (name, arguments) in calls {
        model.as_any().call_method1(name.as_str(), arguments)?;
    }
    Ok(model)
}
