//! A number measured on the drawn data, and what it must satisfy.

use std::fmt;

/// What a checked value must satisfy. A value that is not a number satisfies nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bound {
    /// The value must not exceed this one.
    AtMost(f64),
    /// The value must not be less than this one.
    AtLeast(f64),
    /// The value must lie within `tolerance` of `expected`.
    Near {
        /// Expected value.
        expected: f64,
        /// Allowed distance, in the unit of the value.
        tolerance: f64,
    },
}

impl Bound {
    /// Within `share` of `expected`, as a fraction of it.
    pub fn relative(expected: f64, share: f64) -> Self {
        Self::Near { expected, tolerance: share * expected.abs() }
    }

    /// True if the value satisfies the bound.
    pub fn admits(&self, value: f64) -> bool {
        match *self {
            Self::AtMost(limit) => value <= limit,
            Self::AtLeast(limit) => value >= limit,
            Self::Near { expected, tolerance } => (value - expected).abs() <= tolerance,
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match *self {
            Self::AtMost(limit) => write!(f, "≤ {limit:?}"),
            Self::AtLeast(limit) => write!(f, "≥ {limit:?}"),
            Self::Near { expected, tolerance } => write!(f, "= {expected:?} ± {tolerance:.1e}"),
        }
    }
}

/// One check of an experiment.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// What was measured, with its unit unless it is a pure number.
    pub name: String,
    /// The measured value.
    pub value: f64,
    /// What it must satisfy.
    pub bound: Bound,
    /// Whether it does.
    pub pass: bool,
}

impl Check {
    /// Holds a value against a bound.
    pub fn new(name: impl Into<String>, value: f64, bound: Bound) -> Self {
        Self { name: name.into(), value, bound, pass: bound.admits(value) }
    }

    /// The value must not exceed `limit`.
    pub fn at_most(name: impl Into<String>, value: f64, limit: f64) -> Self {
        Self::new(name, value, Bound::AtMost(limit))
    }

    /// The value must not be less than `limit`.
    pub fn at_least(name: impl Into<String>, value: f64, limit: f64) -> Self {
        Self::new(name, value, Bound::AtLeast(limit))
    }

    /// The value must lie within the fraction `share` of `expected`.
    pub fn relative(name: impl Into<String>, value: f64, expected: f64, share: f64) -> Self {
        Self::new(name, value, Bound::relative(expected, share))
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let verdict = if self.pass { "pass" } else { "FAIL" };
        write!(f, "{verdict}  {}: {:?} {}", self.name, self.value, self.bound)
    }
}

/// Largest magnitude of the values; not a number if one of them is not, or if there are none.
pub(crate) fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    let worse = |worst: f64, value: f64| {
        if worst.is_nan() || value.is_nan() { f64::NAN } else { worst.max(value) }
    };
    values.into_iter().map(f64::abs).reduce(worse).unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_is_not_a_number_satisfies_nothing() {
        for bound in [
            Bound::AtMost(f64::INFINITY),
            Bound::AtLeast(f64::NEG_INFINITY),
            Bound::relative(1.0, 1.0),
        ] {
            assert!(!bound.admits(f64::NAN), "{bound}");
        }
        assert!(largest([1.0, f64::NAN, 2.0]).is_nan());
        assert!(largest([f64::NAN]).is_nan() && largest([]).is_nan());
    }

    #[test]
    fn bounds_hold_on_their_own_side_and_print_as_text() {
        assert!(Bound::AtMost(1.0).admits(1.0) && !Bound::AtMost(1.0).admits(1.1));
        assert!(Bound::AtLeast(1.0).admits(1.0) && !Bound::AtLeast(1.0).admits(0.9));
        let near = Bound::relative(-2.0, 0.1);
        assert!(near.admits(-2.1) && !near.admits(-2.3) && !near.admits(2.0));
        assert_eq!(Bound::AtMost(1e-12).to_string(), "≤ 1e-12");
        assert_eq!(near.to_string(), "= -2.0 ± 2.0e-1");
        assert_eq!(largest([1.0, -3.0, 2.0]), 3.0);
    }
}
