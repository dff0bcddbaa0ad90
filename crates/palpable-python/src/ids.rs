//! Names of parts. Each knows its model, so that one of another model is refused.

use crate::errors::ForeignError;
use crate::fluent::{Give, give};
use crate::pose::Rotation;
use crate::recipe::reduce;
use crate::vector::{Count, V3, array3};
use numpy::PyArray1;
use palpable::Vec3;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::atomic::{AtomicU64, Ordering};

type Reduced<'py> = PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)>;

/// A number for a new model. Models of other processes, whose ids may be pickled, begin elsewhere.
pub fn fresh_mark() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    static COUNT: AtomicU64 = AtomicU64::new(0);
    static START: std::sync::OnceLock<u64> = std::sync::OnceLock::new();
    // the standard library keys its hash maps with random bits of the system
    let start = START.get_or_init(|| RandomState::new().hash_one(std::process::id()));
    start.wrapping_add(COUNT.fetch_add(1, Ordering::Relaxed))
}

/// The exception for an id of another model.
pub fn foreign(kind: &str) -> PyErr {
    let words = format!("this {kind} belongs to another model; use ids of this model or world");
    ForeignError::new_err(words)
}

macro_rules! id {
    ($(#[$doc:meta])* $Class:ident, $kind:literal, $make:literal, $function:ident) => {
        $(#[$doc])*
        #[pyclass(frozen, from_py_object, eq, hash, module = "palpable")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub struct $Class {
            /// Which model it belongs to.
            pub mark: u64,
            /// Place in its list.
            pub index: usize,
        }

        impl $Class {
            /// The engine's id, if this one belongs to the model.
            pub fn of(&self, mark: u64) -> PyResult<palpable::$Class> {
                let own = self.mark == mark;
                own.then(|| self.engine()).ok_or_else(|| foreign($kind))
            }

            /// The engine's id.
            pub fn engine(&self) -> palpable::$Class {
                palpable::$Class::from_index(self.index)
            }
        }

        /// The id with these numbers, for pickles.
        #[pyfunction]
        #[pyo3(name = $make)]
        pub fn $function(mark: u64, index: usize) -> $Class {
            $Class { mark, index }
        }
    };
}

id!(
    /// A body of a model.
    BodyId, "body", "_body_id", body_id
);
id!(
    /// A spring, damper or joint of a model.
    ElementId, "element", "_element_id", element_id
);
id!(
    /// A port of a model.
    PortId, "port", "_port_id", port_id
);

#[pymethods]
impl BodyId {
    /// Place in the list of bodies.
    #[getter]
    fn index(&self) -> usize {
        self.index
    }

    /// A point fixed to this body, in body axes \[m\].
    fn at(&self, point: V3) -> Anchor {
        Anchor { mark: Some(self.mark), inner: self.engine().at(point.0) }
    }

    /// The origin of this body.
    fn origin(&self) -> Anchor {
        self.at(V3(Vec3::zeros()))
    }

    fn __repr__(&self) -> String {
        format!("<BodyId {}>", self.index)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py> {
        reduce(py, "_body_id", (self.mark, self.index).into_pyobject(py)?)
    }
}

#[pymethods]
impl ElementId {
    /// Place in the list of elements.
    #[getter]
    fn index(&self) -> usize {
        self.index
    }

    fn __repr__(&self) -> String {
        format!("<ElementId {}>", self.index)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py> {
        reduce(py, "_element_id", (self.mark, self.index).into_pyobject(py)?)
    }
}

#[pymethods]
impl PortId {
    /// Place in the list of ports.
    #[getter]
    fn index(&self) -> usize {
        self.index
    }

    fn __repr__(&self) -> String {
        format!("<PortId {}>", self.index)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py> {
        reduce(py, "_port_id", (self.mark, self.index).into_pyobject(py)?)
    }
}

/// A chain, beam or other subsystem of a model.
#[pyclass(frozen, from_py_object, eq, hash, module = "palpable")]
#[derive(Debug, Clone, Copy)]
pub struct SystemId {
    /// Which model it belongs to.
    pub mark: u64,
    /// The engine's id.
    pub inner: palpable::SystemId,
    /// How many links it has.
    pub links: usize,
}

impl SystemId {
    /// By its place, as the ids of other parts are.
    fn key(&self) -> (u64, usize) {
        (self.mark, self.inner.index())
    }
}

impl PartialEq for SystemId {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for SystemId {}

impl std::hash::Hash for SystemId {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

give! {
    SystemId => palpable::SystemId: |s| s.inner;
    Anchor => palpable::Anchor: |a| a.inner;
}

impl SystemId {
    /// The engine's id, if this one belongs to the model.
    pub fn of(&self, mark: u64) -> PyResult<palpable::SystemId> {
        if self.mark == mark { Ok(self.inner) } else { Err(foreign("subsystem")) }
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
        Ok(BodyId { mark: self.mark, index: self.inner.link(i.0).index() })
    }

    /// The floating base of a chain; its first link if it has none.
    fn base(&self) -> BodyId {
        BodyId { mark: self.mark, index: self.inner.base().index() }
    }

    fn __len__(&self) -> usize {
        self.links
    }

    fn __repr__(&self) -> String {
        format!("<SystemId {} with {} links>", self.inner.index(), self.links)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py> {
        let (base, link) = (self.inner.base().index(), self.inner.link(0).index());
        let numbers = (self.mark, self.inner.index(), base, link, self.links);
        reduce(py, "_system_id", numbers.into_pyobject(py)?)
    }
}

/// The id with these numbers, for pickles.
#[pyfunction]
#[pyo3(name = "_system_id")]
pub fn system_id(mark: u64, index: usize, base: usize, link: usize, links: usize) -> SystemId {
    let body = palpable::BodyId::from_index;
    let inner = palpable::SystemId::from_parts(index, body(base), body(link));
    SystemId { mark, inner, links }
}

/// A frame fixed to a body or to the world: where an element or port holds on.
#[pyclass(frozen, from_py_object, module = "palpable")]
#[derive(Debug, Clone, Copy)]
pub struct Anchor {
    /// Which model its body belongs to, if it is on one.
    pub mark: Option<u64>,
    /// The engine's frame.
    pub inner: palpable::Anchor,
}

#[pymethods]
impl Anchor {
    /// A point of the world \[m\].
    #[staticmethod]
    fn world(point: V3) -> Self {
        Self { mark: None, inner: palpable::Anchor::world(point.0) }
    }

    /// The same point with another orientation of the frame.
    fn turned(&self, rotation: Rotation) -> Self {
        Self { inner: self.inner.turned(rotation.0), ..*self }
    }

    /// The body it is on; none for the world.
    #[getter]
    fn body(&self) -> Option<BodyId> {
        let mark = self.mark?;
        self.inner.body.map(|b| BodyId { mark, index: b.index() })
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
