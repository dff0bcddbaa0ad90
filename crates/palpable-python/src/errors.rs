//! Mistakes as Python exceptions; the words are the engine's own and name field and cure.

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::{PyErr, create_exception};
use std::fmt::Display;

create_exception!(palpable, PalpableError, PyValueError, "Base of what palpable refuses.");
create_exception!(palpable, BuildError, PalpableError, "A model that cannot be built.");
create_exception!(palpable, SceneError, PalpableError, "Mistakes in a scene or robot file.");
create_exception!(palpable, ChangeError, PalpableError, "A live change that was refused.");
create_exception!(palpable, StepError, PalpableError, "A step that was refused.");
create_exception!(palpable, ForeignError, PalpableError, "An id of another model.");
create_exception!(palpable, RecordError, PalpableError, "A recording that cannot be read.");
create_exception!(palpable, PassivityError, PalpableError, "A question without an answer.");
create_exception!(palpable, CouplingError, PalpableError, "A coupling that cannot be built.");
create_exception!(palpable, BusyError, PyRuntimeError, "A world that another thread is stepping.");
create_exception!(palpable, DeviceError, PyRuntimeError, "A device that failed.");

/// An exception from whatever says in words what is wrong.
pub trait Refuse<T> {
    /// The value, or the exception that `kind` makes of the words.
    fn or_raise(self, kind: fn(String) -> PyErr) -> Result<T, PyErr>;
}

impl<T, E: Display> Refuse<T> for Result<T, E> {
    fn or_raise(self, kind: fn(String) -> PyErr) -> Result<T, PyErr> {
        self.map_err(|e| kind(e.to_string()))
    }
}

/// A live change that was refused.
pub fn change(words: String) -> PyErr {
    ChangeError::new_err(words)
}

/// A model that cannot be built.
pub fn build(words: String) -> PyErr {
    BuildError::new_err(words)
}

/// Mistakes in a file.
pub fn scene(words: String) -> PyErr {
    SceneError::new_err(words)
}

/// A recording that cannot be read.
pub fn record(words: String) -> PyErr {
    RecordError::new_err(words)
}

/// A question about passivity without an answer.
pub fn passivity(words: String) -> PyErr {
    PassivityError::new_err(words)
}

/// A device that failed.
pub fn device(words: String) -> PyErr {
    DeviceError::new_err(words)
}

/// A coupling that cannot be built.
pub fn coupling(words: String) -> PyErr {
    CouplingError::new_err(words)
}
