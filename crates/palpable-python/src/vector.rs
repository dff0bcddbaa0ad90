//! Small vectors, matrices and counts on their way in and out of Python.

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use palpable::{Mat3, Vec3, Vec6};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Numbers of a list, a tuple or an array, `N` of them.
fn numbers<const N: usize>(object: &Bound<'_, PyAny>) -> PyResult<[f64; N]> {
    let wrong =
        || PyTypeError::new_err(format!("expected {N} numbers, such as a list or an array"));
    let mut out = [0.0; N];
    let mut count = 0;
    for item in object.try_iter().map_err(|_| wrong())? {
        if count == N {
            return Err(PyValueError::new_err(format!("expected {N} numbers, got more")));
        }
        out[count] = item?.extract().map_err(|_| wrong())?;
        count += 1;
    }
    if count < N {
        return Err(PyValueError::new_err(format!("expected {N} numbers, got {count}")));
    }
    Ok(out)
}

/// Three numbers.
#[derive(Debug, Clone, Copy)]
pub struct V3(pub Vec3);

/// Six numbers, one per row.
#[derive(Debug, Clone, Copy)]
pub struct V6(pub Vec6);

/// Three rows of three numbers.
#[derive(Debug, Clone, Copy)]
pub struct M3(pub Mat3);

/// Any number of numbers.
#[derive(Debug, Clone)]
pub struct Numbers(pub Vec<f64>);

/// Any number of points.
#[derive(Debug, Clone)]
pub struct Points(pub Vec<Vec3>);

/// Any number of triangles.
#[derive(Debug, Clone)]
pub struct Triangles(pub Vec<[u32; 3]>);

/// How many, or which: what does not fit into memory is refused.
#[derive(Debug, Clone, Copy)]
pub struct Count(pub usize);

/// The largest count.
const MOST: usize = 100_000;

impl<'py> FromPyObject<'_, 'py> for V3 {
    type Error = PyErr;
    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        numbers::<3>(&object.to_owned()).map(|a| Self(a.into()))
    }
}

impl<'py> FromPyObject<'_, 'py> for V6 {
    type Error = PyErr;
    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        numbers::<6>(&object.to_owned()).map(|a| Self(a.into()))
    }
}

impl<'py> FromPyObject<'_, 'py> for M3 {
    type Error = PyErr;
    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let wrong = || PyTypeError::new_err("expected 3 rows of 3 numbers");
        let mut rows = Vec::with_capacity(3);
        for row in object.try_iter().map_err(|_| wrong())? {
            rows.push(numbers::<3>(&row?).map_err(|_| wrong())?);
            if rows.len() > 3 {
                return Err(wrong());
            }
        }
        let [a, b, c] = rows[..] else { return Err(wrong()) };
        let [x, y, z] = [a, b, c].map(|row| Vec3::from(row).transpose());
        Ok(Self(Mat3::from_rows(&[x, y, z])))
    }
}

impl<'py> FromPyObject<'_, 'py> for Numbers {
    type Error = PyErr;
    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let wrong = |_| PyTypeError::new_err("expected numbers, such as a list or an array");
        let items = object.try_iter().map_err(wrong)?;
        items.map(|item| item?.extract().map_err(wrong)).collect::<PyResult<_>>().map(Self)
    }
}

impl<'py> FromPyObject<'_, 'py> for Points {
    type Error = PyErr;
    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let items = object.try_iter()?;
        let points = items.map(|item| numbers::<3>(&item?).map(Vec3::from));
        points.collect::<PyResult<_>>().map(Self)
    }
}

impl<'py> FromPyObject<'_, 'py> for Triangles {
    type Error = PyErr;
    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let corner = |v: f64| {
            let whole = v >= 0.0 && v <= f64::from(u32::MAX) && v.fract() == 0.0;
            let wrong =
                || PyValueError::new_err(format!("corner {v} is not the number of a vertex"));
            if whole { Ok(v as u32) } else { Err(wrong()) }
        };
        let triangle = |item: PyResult<Bound<'py, PyAny>>| {
            let [a, b, c] = numbers::<3>(&item?)?;
            Ok([corner(a)?, corner(b)?, corner(c)?])
        };
        object.try_iter()?.map(triangle).collect::<PyResult<_>>().map(Self)
    }
}

impl<'py> FromPyObject<'_, 'py> for Count {
    type Error = PyErr;
    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let count: i128 = object.extract()?;
        let fits = usize::try_from(count).ok().filter(|c| *c <= MOST);
        let words = || format!("{count} is out of range; use 0 to {MOST}");
        fits.map(Self).ok_or_else(|| PyValueError::new_err(words()))
    }
}

macro_rules! into_tuple {
    ($($Type:ident: |$s:ident| $items:expr;)*) => {$(
        impl<'py> IntoPyObject<'py> for $Type {
            type Target = PyTuple;
            type Output = Bound<'py, PyTuple>;
            type Error = PyErr;
            fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
                let $s = self;
                PyTuple::new(py, $items)
            }
        }
    )*};
}

into_tuple! {
    V3: |v| v.0.iter().copied().collect::<Vec<f64>>();
    V6: |v| v.0.iter().copied().collect::<Vec<f64>>();
    M3: |m| m.0.row_iter().map(|r| (r[0], r[1], r[2])).collect::<Vec<_>>();
    Numbers: |v| v.0;
    Points: |v| v.0.iter().map(|p| (p.x, p.y, p.z)).collect::<Vec<_>>();
    Triangles: |v| v.0.iter().map(|[a, b, c]| (*a, *b, *c)).collect::<Vec<_>>();
}

impl<'py> IntoPyObject<'py> for Count {
    type Target = pyo3::types::PyInt;
    type Output = Bound<'py, Self::Target>;
    type Error = std::convert::Infallible;
    fn into_pyobject(self, py: Python<'py>) -> Result<Self::Output, Self::Error> {
        self.0.into_pyobject(py)
    }
}

/// A numpy array of numbers; a copy.
pub fn array<'py>(py: Python<'py>, values: &[f64]) -> Bound<'py, PyArray1<f64>> {
    PyArray1::from_slice(py, values)
}

/// A numpy array of three numbers; a copy.
pub fn array3<'py>(py: Python<'py>, v: &Vec3) -> Bound<'py, PyArray1<f64>> {
    array(py, v.as_slice())
}

/// A numpy array of rows of `width` numbers; a copy.
pub fn table<'py>(
    py: Python<'py>,
    values: Vec<f64>,
    width: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let rows = values.len() / width.max(1);
    PyArray1::from_vec(py, values).reshape([rows, width])
}
