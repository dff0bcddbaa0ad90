//! How an object was made, so that it can be pickled: `(what it was made from, method, arguments)`.

use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use std::sync::Arc;

/// One call after the other; the first one makes the object.
#[derive(Debug, Clone)]
pub struct Recipe(Arc<Py<PyTuple>>);

impl Recipe {
    /// A call that makes an object.
    pub fn begin(py: Python<'_>, name: &str, arguments: Vec<Py<PyAny>>) -> PyResult<Self> {
        Self::of(py, py.None(), name, arguments)
    }

    /// One more call on what was made so far.
    pub fn then(&self, py: Python<'_>, name: &str, arguments: Vec<Py<PyAny>>) -> PyResult<Self> {
        Self::of(py, self.0.clone_ref(py).into_any(), name, arguments)
    }

    fn of(py: Python<'_>, before: Py<PyAny>, name: &str, rest: Vec<Py<PyAny>>) -> PyResult<Self> {
        let name = PyString::new(py, name).into_any().unbind();
        let rest = PyTuple::new(py, rest)?.into_any().unbind();
        Ok(Self(Arc::new(PyTuple::new(py, [before, name, rest])?.unbind())))
    }

    /// The calls, innermost first.
    pub fn calls(&self, py: Python<'_>) -> Py<PyTuple> {
        self.0.clone_ref(py)
    }
}

/// Makes an object of a class anew: `getattr(what was made before, method)(*arguments)`.
#[pyfunction]
#[pyo3(name = "_remake")]
pub fn remake<'py>(
    class: &Bound<'py, PyAny>,
    recipe: &Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut calls = vec![recipe.clone()];
    while let Some(last) = calls.last() {
        let before = last.get_item(0)?;
        if before.is_none() {
            break;
        }
        calls.push(before.cast_into::<PyTuple>()?);
    }
    let mut made = class.clone();
    for call in calls.iter().rev() {
        let name = call.get_item(1)?.cast_into::<PyString>()?;
        let arguments = call.get_item(2)?.cast_into::<PyTuple>()?;
        made = made.call_method1(&name, arguments)?;
    }
    Ok(made)
}

/// A function and its arguments, as `pickle` wants them.
pub type Reduced<'py> = (Bound<'py, PyAny>, Bound<'py, PyTuple>);

/// What `pickle` wants: a function of this module and its arguments.
pub fn reduce<'py>(
    py: Python<'py>,
    function: &str,
    arguments: Bound<'py, PyTuple>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
    Ok((py.import("palpable._core")?.getattr(function)?, arguments))
}
