//! Several degrees of freedom: the matrix condition and the stiffness of a single contact.

use nalgebra::{DMatrix, DVector, SymmetricEigen};

use crate::error::{Error, Result, positive};
use crate::polynomial::C64;
use crate::scan::{frequencies_near, minimum_on};

const POINTS: usize = 240;
const EIGEN_SWEEPS: usize = 10_000;
/// Closest frequency to rest [rad per sample]; a stiffness that is not symmetric diverges there.
const FIRST_THETA: f64 = 1e-3;

/// Verdict of the matrix condition.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MatrixVerdict {
    /// Smallest eigenvalue of `D - required` over frequency [N·s/m]; passive if above zero.
    pub margin: f64,
    /// Where it is smallest [rad per sample].
    pub theta: f64,
}

/// The damping matrix that an environment asks at `theta`, as its Hermitian part.
///
/// # Equation
/// `He{(T/2)(1 + j cot(θ/2)) H}`: `[Brown1998, (3.7)]` with matrices, derived here.
pub fn required_damping_matrix(
    response: &DMatrix<C64>,
    time_step: f64,
    theta: f64,
) -> DMatrix<C64> {
    let factor = C64::new(1.0, 1.0 / (0.5 * theta).tan()) * (0.5 * time_step);
    let scaled = response * factor;
    (&scaled + scaled.adjoint()) * C64::new(0.5, 0.0)
}

/// Whether a device of damping matrix `D` is passive with a stable matrix environment H(z).
///
/// # Equation
/// `D > He{(T/2)(1 + j cot(θ/2)) H}` for all θ, necessary and sufficient for unstructured passive
/// operators, sufficient for structured ones (one finger per axis). Derived here.
/// # Errors
/// A `D` that is not square, symmetric and finite, an H of another size, a time step out of range.
pub fn matrix_verdict(
    damping: &DMatrix<f64>,
    environment: impl Fn(C64) -> DMatrix<C64>,
    time_step: f64,
) -> Result<MatrixVerdict> {
    positive("time step [s]", time_step, "give the sampling period in seconds")?;
    check_damping(damping)?;
    let size = environment(C64::new(0.0, 1.0)).shape();
    if size != damping.shape() {
        let cure = "give H and D for the same axes, in the same order";
        return Err(Error::Matrix { field: "H(z)", need: "of the size of D", cure });
    }
    let device = damping.map(C64::from);
    let margin = |theta: f64| {
        let w = C64::from_polar(1.0, -theta);
        least_eigenvalue(&(&device - required_damping_matrix(&environment(w), time_step, theta)))
    };
    let (margin, theta) = minimum_on(&frequencies_near(POINTS, &[], FIRST_THETA), margin);
    Ok(MatrixVerdict { margin, theta })
}

/// Smallest eigenvalue of a Hermitian matrix; minus infinity if it is not finite.
fn least_eigenvalue(m: &DMatrix<C64>) -> f64 {
    let n = m.nrows();
    // [[Re, -Im], [Im, Re]] has every eigenvalue twice
    let real = DMatrix::from_fn(2 * n, 2 * n, |i, j| {
        let z = m[(i % n, j % n)];
        match (i < n, j < n) {
            (true, true) | (false, false) => z.re,
            (true, false) => -z.im,
            (false, true) => z.im,
        }
    });
    if !real.iter().all(|x| x.is_finite()) {
        return f64::NEG_INFINITY;
    }
    SymmetricEigen::try_new(real, 1e-15, EIGEN_SWEEPS)
        .map_or(f64::NEG_INFINITY, |e| e.eigenvalues.iter().copied().fold(f64::INFINITY, f64::min))
}

fn check_damping(damping: &DMatrix<f64>) -> Result<()> {
    let n = damping.nrows();
    let bad = |need| {
        let cure = "measure the damping matrix at the handle; it is square, symmetric and positive";
        Err(Error::Matrix { field: "damping matrix D", need, cure })
    };
    if n == 0 || n != damping.ncols() || !damping.iter().all(|x| x.is_finite()) {
        return bad("square, finite and not empty");
    }
    if (damping - damping.transpose()).norm() > 1e-9 * damping.norm() {
        return bad("symmetric");
    }
    Ok(())
}

/// Stiffest single contact [N/m] with wrench direction `n` (lever arm included).
///
/// # Equation
/// `K_c < 2/(T nᵀD⁻¹n)`: the matrix condition for `H = K_c n nᵀ`, derived here. It makes the
/// dependence on geometry of `[Brown1998, (3.10)]` explicit.
/// # Errors
/// A `D` that is not positive definite, or a direction of the wrong length.
pub fn max_contact_stiffness(
    damping: &DMatrix<f64>,
    direction: &DVector<f64>,
    time_step: f64,
) -> Result<f64> {
    positive("time step [s]", time_step, "give the sampling period in seconds")?;
    check_damping(damping)?;
    if direction.len() != damping.nrows() {
        let cure = "give one entry per axis: force directions, then lever arms";
        let need = "as many as D has rows";
        return Err(Error::Length { field: "direction", len: direction.len(), need, cure });
    }
    let Some(factor) = damping.clone().cholesky() else {
        let cure = "every axis needs some damping of its own";
        return Err(Error::Matrix { field: "damping matrix D", need: "positive definite", cure });
    };
    let compliance = direction.dot(&factor.solve(direction));
    positive("nᵀD⁻¹n", compliance, "give a direction that is not zero")?;
    Ok(2.0 / (time_step * compliance))
}

/// A matrix spring and damper `K + (B/T)(1 - w)`, for [`matrix_verdict`].
pub fn spring_damper_matrix(
    stiffness: DMatrix<f64>,
    damping: DMatrix<f64>,
    time_step: f64,
) -> impl Fn(C64) -> DMatrix<C64> {
    move |w| {
        stiffness.map(C64::from) + damping.map(C64::from) * ((C64::new(1.0, 0.0) - w) / time_step)
    }
}
