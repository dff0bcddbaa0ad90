//! The midpoint rate of a rotation under a torque that is known in world axes.

use crate::math::{Mat3, Vec3, so3, solve3};

/// Newton steps at most; for rates below 1 rad per step five reach round-off.
const NEWTON_STEPS: usize = 12;
/// A residual below this part of its terms is rounding.
const SMALL: f64 = 1e-15;

/// Solves the body's own midpoint equation for the mean rate over a step.
///
/// # Equation
/// ```text
/// f(w) = (2/h) I (w − ω) − (I w) × w + b w − τ − (1 − h/2 S(w)) t = 0
/// ```
/// # Symbols
/// `inertia` principal moments [kg·m²]; `b` [N·m·s/rad]; `omega` [rad/s]; `τ` fixed to the body,
/// `t` fixed in space, both in the principal axes of the start [N·m]; `h` [s].
/// # Guarantee
/// With the Cayley map `R⁺ = R cay(h w)` and `A = (R + R⁺)/2`:
/// `R⁺ I ω⁺ − R I ω = h (A (τ − b w) + R t)`, so that `t` changes the spatial angular momentum by
/// exactly `h R t`. Where Newton's method does not improve on the start, the present rate is
/// returned.
pub fn turning_rate(inertia: &Vec3, b: f64, omega: &Vec3, torques: [Vec3; 2], h: f64) -> Vec3 {
    let ([torque, fixed], rate) = (torques, 2.0 / h);
    let residual = |w: &Vec3| {
        let momentum = inertia.component_mul(w);
        let turned = fixed - w.cross(&fixed) * (0.5 * h);
        inertia.component_mul(&(w - omega)) * rate - momentum.cross(w) + w * b - torque - turned
    };
    let (mut w, mut f) = (*omega, residual(omega));
    let start = f.norm_squared();
    let mut best = (start, w);
    for _ in 0..NEWTON_STEPS {
        let momentum = inertia.component_mul(&w);
        if f.norm() <= SMALL * (rate * momentum.norm() + fixed.norm()) {
            break;
        }
        // f'(w) = (2/h) I + b − S(I w) + S(w) I − h/2 S(t)
        let gyroscopic = so3::skew(&w) * Mat3::from_diagonal(inertia) - so3::skew(&momentum);
        let mut slope = gyroscopic - so3::skew(&fixed) * (0.5 * h);
        for i in 0..3 {
            slope[(i, i)] += rate * inertia[i] + b;
        }
        let Some(step) = solve3(&slope, &f) else { break };
        w -= step;
        f = residual(&w);
        // written so that NaN is no improvement
        if f.norm_squared() < best.0 {
            best = (f.norm_squared(), w);
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torque_fixed_in_space_changes_the_spatial_momentum_by_itself() {
        let inertia = Vec3::new(1.0, 2.0, 2.5) * 1e-3;
        let (omega, h) = (Vec3::new(10.0, 40.0, -20.0), 1e-2);
        let fixed = Vec3::new(8.0, -12.0, 3.0);
        let w = turning_rate(&inertia, 0.0, &omega, [Vec3::zeros(), fixed], h);
        // R = 1: L⁺ = cay(h w) I (2 w − ω)
        let end = inertia.component_mul(&(w * 2.0 - omega));
        let change = so3::cayley(&(w * h)) * end - inertia.component_mul(&omega);
        assert!((change - fixed * h).norm() < 1e-15, "{:e}", (change - fixed * h).norm());
    }
}
