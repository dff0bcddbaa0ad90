//! What can be wrong with a bench, and the cure.

/// Why a bench was refused. Every message names the field at fault and the cure.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum BenchError {
    /// A number is NaN or infinite.
    #[error("{field} is {value}; give a finite number")]
    NotFinite {
        /// Which field.
        field: &'static str,
        /// The value given, in the unit of the field.
        value: f64,
    },
    /// The mass is zero or negative.
    #[error("mass is {0} kg; give a mass greater than zero")]
    Mass(f64),
    /// A stiffness or damping is negative: it would create energy.
    #[error("{field} is {value}; a negative one creates energy: give zero or more")]
    Negative {
        /// Which field.
        field: &'static str,
        /// The value given, in the unit of the field.
        value: f64,
    },
    /// The potential has more than seven coefficients.
    #[error("the potential has degree {0}; give at most degree 6")]
    Degree(usize),
    /// The potential falls without end on one or both sides, so energy can be drawn for ever.
    #[error(
        "the potential is unbounded below (degree {degree}, leading coefficient {leading}); give \
         an even degree with a positive leading coefficient, and constant forces at the port"
    )]
    Unbounded {
        /// Degree of the potential.
        degree: usize,
        /// Its leading coefficient [J/mⁿ].
        leading: f64,
    },
}

/// Passes a finite number, or names the field.
pub(super) fn finite(field: &'static str, value: f64) -> Result<f64, BenchError> {
    if value.is_finite() { Ok(value) } else { Err(BenchError::NotFinite { field, value }) }
}

/// Passes a finite number of zero or more, or names the field.
pub(super) fn not_negative(field: &'static str, value: f64) -> Result<f64, BenchError> {
    let value = finite(field, value)?;
    if value < 0.0 { Err(BenchError::Negative { field, value }) } else { Ok(value) }
}

/// Passes a finite mass greater than zero.
pub(super) fn positive_mass(value: f64) -> Result<f64, BenchError> {
    let value = finite("mass", value)?;
    if value > 0.0 { Ok(value) } else { Err(BenchError::Mass(value)) }
}
