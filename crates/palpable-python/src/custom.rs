//! Springs whose strain is a Python function.

use crate::pose::Pose;
use crate::vector::Numbers;
use palpable::{Element, Vec6};
use pyo3::prelude::*;
use std::cell::RefCell;
use std::sync::Arc;

thread_local! {
    /// What the user's own code raised while a step was being taken on this thread.
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// What the user's own code raised since the last call.
pub fn raised() -> Option<PyErr> {
    RAISED.with(|cell| cell.borrow_mut().take())
}

/// An object with `rows` and `strain(a, b)`.
#[derive(Clone)]
pub struct Custom {
    object: Arc<Py<PyAny>>,
    rows: usize,
    /// name of its class
    class: String,
}

/// Ids and snapshots are marked by this text, so it must be the same in every process.
impl std::fmt::Debug for Custom {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {} rows", self.class, self.rows)
    }
}

crate::fluent::give! {
    Custom => Custom: |c| c;
}
use crate::fluent::Give;

impl<'py> FromPyObject<'_, 'py> for Custom {
    type Error = PyErr;
    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let rows = object.getattr("rows")?.extract()?;
        object.getattr("strain")?;
        let class = object.get_type().qualname()?.to_string();
        Ok(Self { object: Arc::new(object.to_owned().unbind()), rows, class })
    }
}

impl<'py> IntoPyObject<'py> for Custom {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;
    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        Ok(self.object.clone_ref(py).into_bound(py))
    }
}

impl Custom {
    fn ask(&self, py: Python<'_>, a: &palpable::Pose, b: &palpable::Pose) -> PyResult<Vec6> {
        let strain = self.object.call_method1(py, "strain", (Pose(*a), Pose(*b)))?;
        let Numbers(values) = strain.extract(py)?;
        if values.len() != self.rows || values.iter().any(|v| !v.is_finite()) {
            let words = format!("strain must return {} finite numbers", self.rows);
            return Err(pyo3::exceptions::PyValueError::new_err(words));
        }
        let mut rows = Vec6::zeros();
        rows.iter_mut().zip(&values).for_each(|(row, value)| *row = *value);
        Ok(rows)
    }
}

impl Element for Custom {
    fn rows(&self) -> usize {
        self.rows
    }

    fn strain(&self, a: &palpable::Pose, b: &palpable::Pose) -> Vec6 {
        Python::attach(|py| {
            self.ask(py, a, b).unwrap_or_else(|error| {
                // the first mistake is the one to tell
                RAISED.with(|cell| {
                    let _ = cell.borrow_mut().get_or_insert(error);
                });
                Vec6::zeros()
            })
        })
    }
}
