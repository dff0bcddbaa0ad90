//! Principal axes of a symmetric 3×3 matrix by cyclic Jacobi rotations `[Golub2013, ch. 8]`.

use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};

/// Off-diagonal entries below this share of the trace are rounding of the inertia itself;
/// following them would turn the axes of a cube by an arbitrary angle.
const ROUNDING: f64 = 1e-14;

/// Convergence is quadratic; four or five sweeps are the rule.
const MAX_SWEEPS: usize = 16;

/// A symmetric matrix in its own axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Principal {
    /// `R`: body from principal axes.
    pub axes: UnitQuaternion<f64>,
    /// The diagonal; of an inertia its principal moments [kg·m²].
    pub moments: Vector3<f64>,
}

/// `R` and `d` with `(a + aᵀ)/2 = R diag(d) Rᵀ`.
///
/// # Equation
/// ```text
/// t = sign(z) / (|z| + √(1 + z²)),  z = (a_qq − a_pp) / (2 a_pq)       |angle| ≤ π/4
/// a_pp −= t a_pq,  a_qq += t a_pq,  a_pq = 0
/// ```
/// # Guarantee
/// Proper rotation; identity, bit for bit, for a diagonal matrix; never loops for NaN.
/// # Cost
/// O(1), no allocation.
pub(super) fn diagonalise(a: &Matrix3<f64>) -> Principal {
    let mut a = a * 0.5 + a.transpose() * 0.5;
    let mut rotation = UnitQuaternion::identity();
    for _ in 0..MAX_SWEEPS {
        let threshold = ROUNDING * a.diagonal().abs().sum();
        let mut rotated = false;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            // false for NaN
            if a[(p, q)].abs() > threshold {
                let turn = rotate(&mut a, p, q);
                rotation = UnitQuaternion::new_normalize((rotation * turn).into_inner());
                rotated = true;
            }
        }
        if !rotated {
            break;
        }
    }
    Principal { axes: rotation, moments: a.diagonal() }
}

/// Zeroes `a[(p, q)]` by a turn in the plane of axes `p < q`, and returns the turn.
fn rotate(a: &mut Matrix3<f64>, p: usize, q: usize) -> UnitQuaternion<f64> {
    let z = 0.5 * (a[(q, q)] - a[(p, p)]) / a[(p, q)];
    let t = 1.0_f64.copysign(z) / (z.abs() + 1.0_f64.hypot(z));
    let cos = 1.0 / 1.0_f64.hypot(t);
    let sin = t * cos;
    let other = 3 - p - q;
    let (to_p, to_q) = (a[(other, p)], a[(other, q)]);
    set_symmetric(a, other, p, cos * to_p - sin * to_q);
    set_symmetric(a, other, q, sin * to_p + cos * to_q);
    let shift = t * a[(p, q)];
    a[(p, p)] -= shift;
    a[(q, q)] += shift;
    set_symmetric(a, p, q, 0.0);
    // the column of p turns towards −q: angle −atan(t) about p × q
    let mut axis = Vector3::zeros();
    axis[other] = if (p + 1) % 3 == q { 1.0 } else { -1.0 };
    let half = -0.5 * t.atan();
    UnitQuaternion::new_normalize(Quaternion::from_parts(half.cos(), axis * half.sin()))
}

fn set_symmetric(a: &mut Matrix3<f64>, row: usize, column: usize, value: f64) {
    a[(row, column)] = value;
    a[(column, row)] = value;
}
