//! The description of a world, as in Rust: `model.body(...)`, `model.spring(...)`.

use crate::errors::{self, PalpableError, Refuse};
use crate::ids::{Anchor, BodyId, ElementId, Knows, PortId, SystemId};
use crate::parts::{Beam, Body, Chain, Joint, Material, Port, Spring};
use crate::recipe::reduce;
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
    /// true once an edit that lent it is over
    over: bool,
}

/// Collects bodies, springs, joints and ports; `World(model)` freezes them.
#[pyclass(frozen, module = "palpable")]
#[derive(Debug)]
pub struct Model {
    plan: Mutex<Plan>,
    /// true if it is what a world is made of, lent by `World.edit`
    lent: bool,
}

impl Model {
    fn plan(&self) -> PyResult<MutexGuard<'_, Plan>> {
        // a plan is never left half changed
        let plan = self.plan.lock().unwrap_or_else(PoisonError::into_inner);
        let over =
            || PalpableError::new_err("World.edit lent this model and is over; call it anew");
        if plan.over { Err(over()) } else { Ok(plan) }
    }

    /// What a world is made of, to be changed.
    pub fn lend(world: &palpable::World) -> Self {
        let bodies = world.model().bodies().iter().filter(|b| !b.gone).count();
        let builder = world.model().description();
        let plan = Plan { builder, bodies, ..Plan::default() };
        Self { plan: Mutex::new(plan), lent: true }
    }

    /// Takes back what was lent, with the calls that changed it; nobody can change it any more.
    pub fn take_back(&self) -> (ModelBuilder, Vec<Py<PyAny>>) {
        let mut plan = self.plan.lock().unwrap_or_else(PoisonError::into_inner);
        let back = std::mem::take(&mut *plan);
        plan.over = true;
        (back.builder, back.calls)
    }

    /// The engine's frozen model.
    pub fn freeze(&self) -> PyResult<palpable::Model> {
        self.plan()?.builder.build().or_raise(errors::build)
    }

    /// What makes an equal model.
    pub fn origin<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        if self.lent {
            let words = "this model is lent by World.edit; pickle the world instead";
            return Err(PalpableError::new_err(words));
        }
        let calls: Vec<_> = self.plan()?.calls.iter().map(|c| c.clone_ref(py)).collect();
        (PyList::new(py, calls)?,).into_pyobject(py)
    }

    /// Remembers a call.
    fn note<'py, T>(&self, py: Python<'py>, name: &str, arguments: T) -> PyResult<()>
    where
        T: IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>>,
        PyErr: From<T::Error>,
    {
        let call = (name, arguments.into_pyobject(py)?).into_pyobject(py)?;
        self.plan()?.calls.push(call.into_any().unbind());
        Ok(())
    }

    fn add_system(
        &self,
        add: impl FnOnce(&mut ModelBuilder) -> palpable::SystemId,
    ) -> PyResult<SystemId> {
        let mut plan = self.plan()?;
        let inner = add(&mut plan.builder);
        let id = SystemId::found(inner, &plan.builder);
        plan.bodies += bodies_of(&id);
        Ok(id)
    }
}

/// Links of a subsystem, its base included.
fn bodies_of(id: &SystemId) -> usize {
    id.links + (id.inner.link(0).index() - id.inner.base().index())
}

/// Looks for ids of other models in the arguments of calls.
pub fn admit(call: &Bound<'_, PyTuple>, owner: &impl Knows) -> PyResult<()> {
    let before = call.get_item(0)?;
    if let Ok(before) = before.cast::<PyTuple>() {
        admit(before, owner)?;
    }
    for argument in call.get_item(2)?.cast::<PyTuple>()? {
        if let Ok(anchor) = argument.extract::<Anchor>() {
            anchor.body().map(|b| b.of(owner)).transpose()?;
        } else if let Ok(system) = argument.extract::<SystemId>() {
            system.of(owner)?;
        } else if let Ok(spring) = argument.extract::<Spring>() {
            admit(spring.recipe().calls(call.py()).bind(call.py()), owner)?;
        }
    }
    Ok(())
}

#[pymethods]
impl Model {
    /// An empty description.
    #[new]
    pub fn new() -> Self {
        Self { plan: Mutex::default(), lent: false }
    }

    /// The same, as in Rust.
    #[staticmethod]
    fn builder() -> Self {
        Self::new()
    }

    /// Acceleration of gravity, world axes \[m/s²\]; none unless set.
    fn gravity(&self, py: Python<'_>, gravity: V3) -> PyResult<()> {
        self.plan()?.builder.gravity(gravity.0);
        self.note(py, "gravity", (gravity,))
    }

    /// Room for at most `capacity` contacts; 0 leaves that to the number of bodies.
    #[pyo3(signature = (capacity=Count(0)))]
    fn contacts(&self, py: Python<'_>, capacity: Count) -> PyResult<()> {
        self.plan()?.builder.contacts(capacity.0);
        self.note(py, "contacts", (capacity,))
    }

    /// Lets all bodies pass through each other.
    fn ghosts(&self, py: Python<'_>) -> PyResult<()> {
        self.plan()?.builder.ghosts();
        self.note(py, "ghosts", ())
    }

    /// The material where two bodies touch, whatever their own.
    fn contact_pair(&self, py: Python<'_>, a: BodyId, b: BodyId, m: Material) -> PyResult<()> {
        {
            let mut plan = self.plan()?;
            let (x, y) = (a.of(&plan.builder)?, b.of(&plan.builder)?);
            plan.builder.contact_pair(x, y, m.inner);
        }
        self.note(py, "contact_pair", (a, b, m))
    }

    /// Two bodies that never touch.
    fn no_contact(&self, py: Python<'_>, a: BodyId, b: BodyId) -> PyResult<()> {
        {
            let mut plan = self.plan()?;
            let (x, y) = (a.of(&plan.builder)?, b.of(&plan.builder)?);
            plan.builder.no_contact(x, y);
        }
        self.note(py, "no_contact", (a, b))
    }

    /// Adds a body.
    fn body(&self, py: Python<'_>, body: Body) -> PyResult<BodyId> {
        let id = {
            let mut plan = self.plan()?;
            plan.bodies += 1;
            plan.builder.body(body.inner.clone())
        };
        self.note(py, "body", (body,))?;
        Ok(BodyId(id))
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
        let id = {
            let mut plan = self.plan()?;
            admit(recipe.calls(py).bind(py), &plan.builder)?;
            plan.builder.spring(inner)
        };
        self.note(py, "spring", (spring,))?;
        Ok(ElementId(id))
    }

    /// Adds a joint.
    fn joint(&self, py: Python<'_>, joint: &Bound<'_, Joint>) -> PyResult<ElementId> {
        self.spring(py, joint.as_any())
    }

    /// Adds a port.
    fn port(&self, py: Python<'_>, port: Port) -> PyResult<PortId> {
        let id = {
            let mut plan = self.plan()?;
            admit(port.recipe().calls(py).bind(py), &plan.builder)?;
            plan.builder.port(port.inner.clone())
        };
        self.note(py, "port", (port,))?;
        Ok(PortId(id))
    }

    /// Takes a body out, and with it every joint, spring and port on it.
    fn remove_body(&self, py: Python<'_>, body: BodyId) -> PyResult<()> {
        {
            let mut plan = self.plan()?;
            let id = body.of(&plan.builder)?;
            let mut without = plan.builder.clone();
            without.remove_body(id);
            if without.has_body(id) {
                let words = "this body is a link; take out its chain or beam with remove_system";
                return Err(PalpableError::new_err(words));
            }
            (plan.builder, plan.bodies) = (without, plan.bodies - 1);
        }
        self.note(py, "remove_body", (body,))
    }

    /// Takes out a spring, damper or joint; that of a port leaves with its port.
    fn remove_element(&self, py: Python<'_>, element: ElementId) -> PyResult<()> {
        {
            let mut plan = self.plan()?;
            let id = element.of(&plan.builder)?;
            let mut without = plan.builder.clone();
            without.remove_element(id);
            if without.has_element(id) {
                let words = "this element is that of a port; take out its port with remove_port";
                return Err(PalpableError::new_err(words));
            }
            plan.builder = without;
        }
        self.note(py, "remove_element", (element,))
    }

    /// Takes out a chain or beam with its links and all that is on them.
    fn remove_system(&self, py: Python<'_>, system: SystemId) -> PyResult<()> {
        {
            let mut plan = self.plan()?;
            let id = system.of(&plan.builder)?;
            plan.builder.remove_system(id);
            plan.bodies = plan.bodies.saturating_sub(bodies_of(&system));
        }
        self.note(py, "remove_system", (system,))
    }

    /// Takes out a port.
    fn remove_port(&self, py: Python<'_>, port: PortId) -> PyResult<()> {
        {
            let mut plan = self.plan()?;
            let id = port.of(&plan.builder)?;
            plan.builder.remove_port(id);
        }
        self.note(py, "remove_port", (port,))
    }

    /// Adds a chain of links in generalized coordinates.
    fn chain(&self, py: Python<'_>, chain: Chain) -> PyResult<SystemId> {
        let id = self.add_system(|builder| builder.chain(chain.inner.clone()))?;
        self.note(py, "chain", (chain,))?;
        Ok(id)
    }

    /// Adds a flexible beam; its bending modes become springs of the model.
    fn beam(&self, py: Python<'_>, beam: Beam) -> PyResult<SystemId> {
        let id = self.add_system(|builder| builder.beam(beam.inner.clone()))?;
        self.note(py, "beam", (beam,))?;
        Ok(id)
    }

    /// Looks for every mistake and raises `BuildError` with all of them; returns the model.
    fn build(slf: PyRef<'_, Self>) -> PyResult<PyRef<'_, Self>> {
        slf.freeze()?;
        Ok(slf)
    }

    fn __repr__(&self) -> String {
        let over = |_| "<Model that was lent>".to_owned();
        self.plan().map_or_else(over, |plan| format!("<Model of {} bodies>", plan.bodies))
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
    calls: Vec<(String, Bound<'py, PyTuple>)>,
) -> PyResult<Bound<'py, Model>> {
    let model = Bound::new(py, Model::new())?;
    repeat(&model, calls)?;
    Ok(model)
}

/// Does again what was done to a model.
pub fn repeat<'py>(
    model: &Bound<'py, Model>,
    calls: Vec<(String, Bound<'py, PyTuple>)>,
) -> PyResult<()> {
    for (name, arguments) in calls {
        model.as_any().call_method1(name.as_str(), arguments)?;
    }
    Ok(())
}
