//! What can be wrong with a coupling and with its inputs.

/// A coupling that cannot be built; the message names the field and the cure.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("{field} is {value}, but must be {need}: {cure}")]
pub struct CouplingError {
    /// The field at fault.
    pub field: &'static str,
    /// The value that was given.
    pub value: f64,
    /// The range it must lie in.
    pub need: &'static str,
    /// What to do.
    pub cure: &'static str,
}

/// Why an update gave zero force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InputFault {
    /// The device sample was not finite.
    Sample,
    /// What came from the world was not finite.
    World,
    /// The period was not finite or not above zero.
    Period,
}

pub(super) fn positive(
    field: &'static str,
    value: f64,
    cure: &'static str,
) -> Result<f64, CouplingError> {
    let error = CouplingError { field, value, need: "finite and above zero", cure };
    if value > 0.0 && value.is_finite() { Ok(value) } else { Err(error) }
}

pub(super) fn non_negative(
    field: &'static str,
    value: f64,
    cure: &'static str,
) -> Result<f64, CouplingError> {
    let error = CouplingError { field, value, need: "finite and zero or above", cure };
    if value >= 0.0 && value.is_finite() { Ok(value) } else { Err(error) }
}
