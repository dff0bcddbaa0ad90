//! Rotations and poses.

use crate::fluent::{Give, give};
use crate::recipe::reduce;
use crate::vector::{V3, array, array3, table};
use numpy::{PyArray1, PyArray2};
use palpable::Vec3;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// An orientation.
#[pyclass(frozen, from_py_object, module = "palpable")]
#[derive(Debug, Clone, Copy)]
pub struct Rotation(pub palpable::Rotation);

give! {
    Rotation => palpable::Rotation: |r| r.0;
    Pose => palpable::Pose: |p| p.0;
}

type Reduced<'py> = PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)>;

#[pymethods]
impl Rotation {
    /// No turn at all.
    #[staticmethod]
    fn identity() -> Self {
        Self(palpable::Rotation::identity())
    }

    /// A turn about an axis by its length \[rad\].
    #[staticmethod]
    fn from_scaled_axis(axis: V3) -> Self {
        Self(palpable::Rotation::from_scaled_axis(axis.give()))
    }

    /// From a quaternion, scalar first; its length does not matter.
    #[staticmethod]
    fn from_quaternion(w: f64, x: f64, y: f64, z: f64) -> Self {
        Self(palpable::Rotation::from_quaternion(nalgebra::Quaternion::new(w, x, y, z)))
    }

    /// Quaternion, scalar first.
    #[getter]
    fn quaternion<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array(py, &quaternion(&self.0))
    }

    /// Rotation matrix, 3 x 3.
    #[getter]
    fn matrix<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let m = self.0.to_rotation_matrix().into_inner().transpose();
        table(py, m.as_slice().to_vec(), 3)
    }

    /// Axis times angle \[rad\].
    #[getter]
    fn scaled_axis<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array3(py, &self.0.scaled_axis())
    }

    /// The opposite turn.
    fn inverse(&self) -> Self {
        Self(self.0.inverse())
    }

    /// A vector turned.
    fn apply<'py>(&self, py: Python<'py>, vector: V3) -> Bound<'py, PyArray1<f64>> {
        array3(py, &(self.0 * vector.0))
    }

    fn __mul__(&self, other: &Self) -> Self {
        Self(self.0 * other.0)
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0.coords == other.0.coords
    }

    fn __repr__(&self) -> String {
        let [w, x, y, z] = quaternion(&self.0);
        format!("Rotation.from_quaternion({w}, {x}, {y}, {z})")
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py> {
        let [w, x, y, z] = quaternion(&self.0);
        reduce(py, "_rotation", (w, x, y, z).into_pyobject(py)?)
    }
}

/// The rotation of these bits; nothing is normalised.
#[pyfunction]
#[pyo3(name = "_rotation")]
pub fn rotation(w: f64, x: f64, y: f64, z: f64) -> Rotation {
    let q = nalgebra::Quaternion::new(w, x, y, z);
    Rotation(palpable::Rotation::new_unchecked(q))
}

/// Scalar first.
pub fn quaternion(r: &palpable::Rotation) -> [f64; 4] {
    [r.w, r.i, r.j, r.k]
}

/// A frame in the world.
#[pyclass(frozen, from_py_object, module = "palpable")]
#[derive(Debug, Clone, Copy)]
pub struct Pose(pub palpable::Pose);

#[pymethods]
impl Pose {
    /// Position \[m\] and orientation; the origin unless given.
    #[new]
    #[pyo3(signature = (position=V3(Vec3::zeros()), rotation=Rotation::identity()))]
    fn new(position: V3, rotation: Rotation) -> Self {
        Self(palpable::Pose { position: position.0, rotation: rotation.0 })
    }

    /// Origin \[m\].
    #[getter]
    fn position<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array3(py, &self.0.position)
    }

    /// Orientation.
    #[getter]
    fn rotation(&self) -> Rotation {
        Rotation(self.0.rotation)
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    fn __repr__(&self) -> String {
        let p = self.0.position;
        format!("Pose([{}, {}, {}], {})", p.x, p.y, p.z, self.rotation().__repr__())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py> {
        let arguments = (V3(self.0.position), self.rotation()).into_pyobject(py)?;
        Ok((py.get_type::<Self>().into_any(), arguments))
    }
}
