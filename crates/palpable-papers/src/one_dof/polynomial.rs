//! Polynomial potentials up to degree six.

use super::error::{BenchError, finite};
use super::real_roots::{derivative, evaluate, lower_bound};

/// A potential energy `φ(x) = Σ c_n (x − center)ⁿ` [J] of degree six at most, bounded below.
///
/// # Differs from the source
/// The paper admits degree five; an odd degree is unbounded below and has no passivity bound, so
/// it is refused. Degree six costs nothing more, since the step is solved by Newton and not by
/// the quartic formula, which loses half the digits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Polynomial {
    coefficients: [f64; 7],
    center: f64,
    minimum: f64,
    minimum_curvature: f64,
}

impl Polynomial {
    /// From coefficients `c_n` [J/mⁿ], constant first, at most seven of them.
    pub fn new(coefficients: &[f64]) -> Result<Self, BenchError> {
        for &c in coefficients {
            finite("potential coefficient", c)?;
        }
        let degree = coefficients.iter().rposition(|c| *c != 0.0).unwrap_or(0);
        if degree > 6 {
            return Err(BenchError::Degree(degree));
        }
        let mut padded = [0.0; 7];
        let used = coefficients.len().min(degree + 1);
        padded[..used].copy_from_slice(&coefficients[..used]);
        let leading = padded[degree];
        if degree > 0 && (degree % 2 == 1 || leading < 0.0) {
            return Err(BenchError::Unbounded { degree, leading });
        }
        let trimmed = &padded[..=degree];
        let minimum = finite("potential minimum", lower_bound(trimmed))?;
        let curvature = lower_bound(&derivative(&derivative(trimmed)));
        let minimum_curvature = finite("potential curvature", curvature)?;
        Ok(Self { coefficients: padded, center: 0.0, minimum, minimum_curvature })
    }

    /// The linear spring `½ k x²`, stiffness [N/m].
    pub fn spring(stiffness: f64) -> Result<Self, BenchError> {
        Self::new(&[0.0, 0.0, 0.5 * stiffness])
    }

    /// The same potential about another position [m]; a far centre costs no digits.
    pub fn centered_at(self, center: f64) -> Result<Self, BenchError> {
        Ok(Self { center: finite("potential center", center)?, ..self })
    }

    /// Potential above its minimum over all positions [J]: never negative but for rounding.
    pub fn energy(&self, x: f64) -> f64 {
        self.energy_from_center(x - self.center)
    }

    /// The position about which the coefficients are given [m].
    pub fn center(&self) -> f64 {
        self.center
    }

    /// A lower bound of `φ''` over all positions [N/m].
    pub fn minimum_curvature(&self) -> f64 {
        self.minimum_curvature
    }

    /// Potential above its minimum at a distance `s` from the centre [J].
    pub(super) fn energy_from_center(&self, s: f64) -> f64 {
        evaluate(&self.coefficients, s) - self.minimum
    }

    /// `φ⁽ⁿ⁾/n!` for n = 1..6 at a distance `s` from the centre, by repeated synthetic
    /// division: the coefficients of the discrete gradient        [Lee2008, (12)].
    pub(super) fn taylor(&self, s: f64) -> [f64; 6] {
        let mut c = self.coefficients;
        for n in 0..6 {
            for i in (n..6).rev() {
                c[i] += s * c[i + 1];
            }
        }
        [c[1], c[2], c[3], c[4], c[5], c[6]]
    }
}
