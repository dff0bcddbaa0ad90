//! What can be wrong with a question, and what to do about it.

use thiserror::Error;

/// Result of every function that checks its input.
pub type Result<T> = std::result::Result<T, Error>;

/// A question that has no answer. Every message names the field at fault and the cure.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum Error {
    /// A number outside its physical range, or not finite.
    #[error("{field} is {value}, but must be {need}: {cure}")]
    Invalid {
        /// The field at fault.
        field: &'static str,
        /// The value that was given.
        value: f64,
        /// The range it must lie in.
        need: &'static str,
        /// What to do.
        cure: &'static str,
    },
    /// The environment itself does not decay: a clamped handle already oscillates.
    #[error(
        "H(z) is not stable: pole at |z| = {radius:.9}, angle {angle:.6} rad per sample. A clamped \
         handle would keep oscillating, so no device damping makes it passive: {cure}"
    )]
    Unstable {
        /// Magnitude of the outermost pole.
        radius: f64,
        /// Its angle [rad per sample].
        angle: f64,
        /// What to do.
        cure: &'static str,
    },
    /// The denominator has no present term.
    #[error(
        "the leading denominator coefficient is {value}: H(z) would need future samples. Divide \
         numerator and denominator by z^-1 until the denominator starts with a nonzero number"
    )]
    NotCausal {
        /// The leading coefficient.
        value: f64,
    },
    /// A list with too few or too many entries.
    #[error("{field} has {len} entries, but needs {need}: {cure}")]
    Length {
        /// The field at fault.
        field: &'static str,
        /// Number of entries given.
        len: usize,
        /// Number of entries needed.
        need: &'static str,
        /// What to do.
        cure: &'static str,
    },
    /// A matrix that is not what the theorem needs.
    #[error("{field} is not {need}: {cure}")]
    Matrix {
        /// The field at fault.
        field: &'static str,
        /// The property that is missing.
        need: &'static str,
        /// What to do.
        cure: &'static str,
    },
    /// No finite device damping satisfies the condition.
    #[error("no damping is enough: {why}. {cure}")]
    Infeasible {
        /// Which condition fails.
        why: &'static str,
        /// What to do.
        cure: &'static str,
    },
    /// A text that is not a number with a known unit.
    #[error("cannot read {text:?} as {quantity}: {cure}")]
    Unit {
        /// The text that was given.
        text: String,
        /// The quantity that was expected.
        quantity: &'static str,
        /// What to do.
        cure: String,
    },
    /// The worst-case operator could not be built to the accuracy asked for.
    #[error(
        "the worst-case operator misses its targets by {residual:e} of their size: choose another \
         critical angle, further from 0, or a lighter device"
    )]
    Synthesis {
        /// Relative residual of the fit.
        residual: f64,
    },
}

/// `value` if it is finite and above zero.
pub(crate) fn positive(field: &'static str, value: f64, cure: &'static str) -> Result<f64> {
    check(field, value, value > 0.0, "finite and above zero", cure)
}

/// `value` if it is finite and not below zero.
pub(crate) fn non_negative(field: &'static str, value: f64, cure: &'static str) -> Result<f64> {
    check(field, value, value >= 0.0, "finite and not negative", cure)
}

/// `value` if it is finite.
pub(crate) fn finite(field: &'static str, value: f64) -> Result<f64> {
    check(field, value, true, "finite", "look for a division by zero where it was computed")
}

/// `value` if it is finite and lies in `[0, 1]`.
pub(crate) fn unit_interval(field: &'static str, value: f64, cure: &'static str) -> Result<f64> {
    check(field, value, (0.0..=1.0).contains(&value), "between 0 and 1", cure)
}

fn check(
    field: &'static str,
    value: f64,
    in_range: bool,
    need: &'static str,
    cure: &'static str,
) -> Result<f64> {
    if value.is_finite() && in_range {
        Ok(value)
    } else {
        Err(Error::Invalid { field, value, need, cure })
    }
}
