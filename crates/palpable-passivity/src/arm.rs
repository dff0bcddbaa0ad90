//! Stability with a particular arm instead of passivity with every operator.

use nalgebra::DMatrix;

use crate::error::{Result, finite, non_negative, positive};
use crate::expm::Discrete;
use crate::polynomial::{self as poly};
use crate::sampling::Sampling;

/// Mass, damping and stiffness of an arm, or of anything that holds the handle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arm {
    /// Mass [kg].
    pub mass: f64,
    /// Damping [N·s/m].
    pub damping: f64,
    /// Stiffness [N/m].
    pub stiffness: f64,
}

impl Arm {
    /// Nobody holds the handle.
    pub const NONE: Self = Self { mass: 0.0, damping: 0.0, stiffness: 0.0 };
}

/// The largest wall stiffness [N/m] below which the loop with this arm is stable.
///
/// # Equation
/// The exact zero-order-hold discretisation of `(m+m_h)s² + (b+b_h)s + k_h`, closed by the wall
/// `K + (B/T)(1 - w)` `[Brown1998, (3.8)]` a whole number of samples late; all roots inside the
/// unit circle.
/// # Errors
/// Numbers out of range. A fractional delay is rounded up.
pub fn critical_stiffness(
    device_mass: f64,
    device_damping: f64,
    arm: Arm,
    wall_damping: f64,
    sampling: &Sampling,
) -> Result<f64> {
    let mass = positive("device mass [kg]", device_mass, "give the moving mass at the handle")?
        + non_negative("arm mass [kg]", arm.mass, "use 0 for no arm")?;
    let damping = non_negative("device damping [N·s/m]", device_damping, "use 0 for none")?
        + non_negative("arm damping [N·s/m]", arm.damping, "use 0 for none")?;
    let stiffness = non_negative("arm stiffness [N/m]", arm.stiffness, "use 0 for none")?;
    let wall_damping = finite("wall damping [N·s/m]", wall_damping)?;
    let h = sampling.time_step();
    let a = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, -stiffness / mass, -damping / mass]);
    let push = DMatrix::from_column_slice(2, 1, &[0.0, 1.0 / mass]);
    let Discrete { phi, gamma } = Discrete::new(&a, &push, h);
    let plant_den = [1.0, -phi.trace(), phi.determinant()];
    let later = phi[(0, 1)] * gamma[1] - phi[(1, 1)] * gamma[0];
    let late = sampling.delay_periods().ceil() as usize;
    let plant_num = poly::shift(&[0.0, gamma[0], later], late);
    let stable = |k: f64| {
        let wall = [k + wall_damping / h, -wall_damping / h];
        let loop_poly = poly::add(&plant_den, &poly::mul(&plant_num, &wall));
        poly::roots_in_z(&loop_poly).iter().all(|z| z.norm() < 1.0)
    };
    Ok(first_unstable(stable, mass / (h * h)))
}

/// Bisects the end of the stable interval that begins above zero; `scale` is a stiffness that is
/// surely too large within a factor of a hundred.
fn first_unstable(stable: impl Fn(f64) -> bool, scale: f64) -> f64 {
    let mut low = scale * 1e-9;
    let mut high = low;
    while stable(high) && high < scale * 1e3 {
        low = high;
        high *= 1.2;
    }
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if stable(middle) { low = middle } else { high = middle }
    }
    low
}

/// Stability limit of an undamped free device without delay: `a = KT²/m` below
/// `2h(2-h)/(2+h)`, `h = BT/m`.
///
/// Jury's criterion, derived here; largest, `4(3-2√2)`, at `h = 2(√2-1)`.
pub fn undamped_limit(normalised_damping: f64) -> f64 {
    let h = normalised_damping;
    2.0 * h * (2.0 - h) / (2.0 + h)
}
