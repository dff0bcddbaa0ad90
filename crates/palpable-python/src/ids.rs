//! Names of parts: the engine's own ids, so that one of another model, or of a part that is gone,
//! is refused.

use crate::errors::ForeignError;
use crate::fluent::{Give, give};
use crate::pose::Rotation;
use crate::recipe::reduce;
use crate::vector::{Count, V3, array3};
use numpy::PyArray1;
use palpable::{ModelBuilder, Vec3, World};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

type Reduced<'py> = PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)>;

/// The exception for an id that names nothing here.
pub fn foreign(kind: &str) -> PyErr {
    let words = format!(
        "this {kind} belongs to another model, or is gone; use what this model or world gave, and \
         look names up anew after an edit"
    );
    ForeignError::new_err(words)
}

/// Whoever knows which ids are its own.
pub trait Knows {
    /// True if it has this body.
    fn has(&self, id: palpable::BodyId) -> bool;
    /// True if it has this spring, damper or joint.
    fn has_part(&self, id: palpable::ElementId) -> bool;
    /// True if it has this port.
    fn has_port(&self, id: palpable::PortId) -> bool;
    /// True if it has this subsystem.
    fn has_system(&self, id: palpable::SystemId) -> bool;
}

macro_rules! knows {
    ($($Type:ty),*) => {$(
        impl Knows for $Type {
            fn has(&self, id: palpable::BodyId) -> bool {
                self.has_body(id)
            }
            fn has_part(&self, id: palpable::ElementId) -> bool {
                self.has_element(id)
            }
            fn has_port(&self, id: palpable::PortId) -> bool {
                self.has_port(id)
            }
            fn has_system(&self, id: palpable::SystemId) -> bool {
                self.has_system(id)
            }
        }
    )*};
}

knows!(World, ModelBuilder);

macro_rules! id {
    ($(#[$doc:meta])* $Class:ident, $kind:literal, $has:ident, $make:literal, $function:ident) => {
        $(#[$doc])*
        #[pyclass(frozen, from_py_object, eq, hash, module = "palpable")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub struct $Class(pub palpable::$Class);

        impl $Class {
            /// The engine's id, if `owner` knows it.
            pub fn of(self, owner: &impl Knows) -> PyResult<palpable::$Class> {
                owner.$has(self.0).then_some(self.0).ok_or_else(|| foreign($kind))
            }
        }

        /// The id with these numbers, for pickles.
        #[pyfunction]
        #[pyo3(name = $make)]
        pub fn $function(index: usize, mark: u64) -> $Class {
            $Class(palpable::$Class::from_parts(index, mark))
        }
    };
}

id!(
    /// A body of a model.
    BodyId, "body", has, "_body_id", body_id
);
id!(
    /// A spring, damper or joint of a model.
    ElementId, "element", has_part, "_element_id", element_id
);
id!(
    /// A port of a model.
    PortId, "port", has_port, "_port_id", port_id
);

#[pymethods]
impl BodyId {
    /// Place in the list of bodies.
    #[getter]
    fn index(&self) -> usize {
        self.0.index()
    }

    /// A point fixed to this body, in body axes \[m\].
    fn at(&self, point: V3) -> Anchor {
        Anchor { inner: self.0.at(point.0) }
    }

    /// The origin of this body.
    fn origin(&self) -> Anchor {
        self.at(V3(Vec3::zeros()))
    }

    fn __repr__(&self) -> String {
        format!("<BodyId {}>", self.0.index())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py> {
        reduce(py, "_body_id", (self.0.index(), self.0.mark()).into_pyobject(py)?)
    }
}

#[pymethods]
impl ElementId {
    /// Place in the list of elements.
    #[getter]
    fn index(&self) -> usize {
        self.0.index()
    }

    fn __repr__(&self) -> String {
        format!("<ElementId {}>", self.0.index())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py> {
        reduce(py, "_element_id", (self.0.index(), self.0.mark()).into_pyobject(py)?)
    }
}

#[pymethods]
impl PortId {
    /// Place in the list of ports.
    #[getter]
    fn index(&self) -> usize {
        self.0.index()
    }

    fn __repr__(&self) -> String {
        format!("<PortId {}>", self.0.index())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py> {
        reduce(py, "_port_id", (self.0.index(), self.0.mark()).into_pyobject(py)?)
    }
}

/// A chain, beam or other subsystem of a model.
#[pyclass(frozen, from_py_object, eq, hash, module = "palpable")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SystemId {
    /// The engine's id.
    pub inner: palpable::SystemId,
    /// How many links it has.
    pub links: usize,
}

give! {
    SystemId => palpable::SystemId: |s| s.inner;
    Anchor => palpable::Anchor: |a| a.inner;
}

impl SystemId {
    /// The id of a subsystem that `owner` has.
    pub fn found(inner: palpable::SystemId, owner: &impl Knows) -> Self {
        // the ids of its links follow each other, and nobody has one that would come next
        let links = (0..).take_while(|i| owner.has(inner.link(*i))).count();
        Self { inner, links }
    }

    /// The engine's id, if `owner` knows it.
    pub fn of(self, owner: &impl Knows) -> PyResult<palpable::SystemId> {
        owner.has_system(self.inner).then_some(self.inner).ok_or_else(|| foreign("subsystem"))
    }
}

#[pymethods]
impl SystemId {
    /// Place in the list of subsystems.
    #[getter]
    fn index(&self) -> usize {
        self.inner.index()
    }

    /// The body of link `i`, to attach things to; stations of a beam count from its root.
    fn link(&self, i: Count) -> PyResult<BodyId> {
        if i.give() >= self.links {
            let words = format!("link {} does not exist; there are {}", i.0, self.links);
            return Err(pyo3::exceptions::PyIndexError::new_err(words));
        }
        Ok(BodyId(self.inner.link(i.0)))
    }

    /// The floating base of a chain; its first link if it has none.
    fn base(&self) -> BodyId {
        BodyId(self.inner.base())
    }

    fn __len__(&self) -> usize {
        self.links
    }

    fn __repr__(&self) -> String {
        format!("<SystemId {} with {} links>", self.inner.index(), self.links)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py> {
        let (base, link) = (BodyId(self.inner.base()), BodyId(self.inner.link(0)));
        let parts = (self.inner.index(), base, link, self.links);
        reduce(py, "_system_id", parts.into_pyobject(py)?)
    }
}

/// The id with these numbers, for pickles.
#[pyfunction]
#[pyo3(name = "_system_id")]
pub fn system_id(index: usize, base: BodyId, link: BodyId, links: usize) -> SystemId {
    SystemId { inner: palpable::SystemId::from_parts(index, base.0, link.0), links }
}

/// A frame fixed to a body or to the world: where an element or port holds on.
#[pyclass(frozen, from_py_object, module = "palpable")]
#[derive(Debug, Clone, Copy)]
pub struct Anchor {
    /// The engine's frame.
    pub inner: palpable::Anchor,
}

#[pymethods]
impl Anchor {
    /// A point of the world \[m\].
    #[staticmethod]
    fn world(point: V3) -> Self {
        Self { inner: palpable::Anchor::world(point.0) }
    }

    /// The same point with another orientation of the frame.
    fn turned(&self, rotation: Rotation) -> Self {
        Self { inner: self.inner.turned(rotation.0) }
    }

    /// The body it is on; none for the world.
    #[getter]
    pub fn body(&self) -> Option<BodyId> {
        self.inner.body.map(BodyId)
    }

    /// Origin in body (or world) axes \[m\].
    #[getter]
    fn point<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array3(py, &self.inner.point)
    }

    /// Orientation in body (or world) axes.
    #[getter]
    fn rotation(&self) -> Rotation {
        Rotation(self.inner.rotation)
    }

    fn __repr__(&self) -> String {
        let p = self.inner.point;
        let on = self.inner.body.map_or("the world".into(), |b| format!("body {}", b.index()));
        format!("<Anchor on {on} at [{}, {}, {}]>", p.x, p.y, p.z)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py> {
        let arguments = (self.body(), V3(self.inner.point), self.rotation()).into_pyobject(py)?;
        reduce(py, "_anchor", arguments)
    }
}

/// The anchor with these parts, for pickles.
#[pyfunction]
#[pyo3(name = "_anchor")]
pub fn anchor(body: Option<BodyId>, point: V3, rotation: Rotation) -> Anchor {
    let made = body.map_or_else(|| Anchor::world(point), |b| b.at(point));
    made.turned(rotation)
}
