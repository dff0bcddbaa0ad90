//! The lightest virtual mass that a device can render, in closed form where there is one.

use crate::error::{Result, non_negative, positive};
use crate::level::{alpha_at_level, stability_alpha};
use crate::mass::Integrator;
use crate::sampling::Sampling;

/// Where the trapezoidal boundary changes from a double root inside the band to Nyquist.
const BRANCH_BETA: f64 = 1.391_291_807_873_02;

/// The largest `α = KT²/m` at which a mass asks no more than the wall, `b* <= 1`.
///
/// `None` if there is no such α; infinity for the implicit integrators, which never ask more.
/// # Equation
/// Trapezoidal (method 3), derived here:
/// ```text
/// β <= 1/2:             none
/// 1/2 < β <= 1.39129:   α = 2 [(β-1) + 2β √(β/(2β+1))] / (β (β+1)²)
/// above:                α = 4 [4β+1 - √(8β²+4β+1)] / (2β+1)²
/// ```
/// # Differs from the source
/// `[Brown1998, (7.15)]` fits the curve; the fit allows active systems for β < 0.817 and is up to
/// 17 % conservative above. See [`fitted_alpha`].
pub fn unity_alpha(integrator: Integrator, beta: f64) -> Option<f64> {
    match integrator {
        Integrator::DelayedEuler => alpha_at_level(integrator, beta, 1.0),
        // at Nyquist b* = 4/(4 - α(2β+1)) > 1 for every stable α
        Integrator::SymplecticEuler => None,
        Integrator::Trapezoidal => trapezoidal_unity(beta),
        _ => (beta >= 0.0).then_some(f64::INFINITY),
    }
}

fn trapezoidal_unity(beta: f64) -> Option<f64> {
    if beta.is_nan() || beta <= 0.5 {
        return None;
    }
    let n = 2.0 * beta + 1.0;
    Some(if beta <= BRANCH_BETA {
        2.0 * ((beta - 1.0) + 2.0 * beta * (beta / n).sqrt()) / (beta * (beta + 1.0).powi(2))
    } else {
        4.0 * (4.0 * beta + 1.0 - (8.0 * beta * beta + 4.0 * beta + 1.0).sqrt()) / (n * n)
    })
}

/// The fit `α = β/(β² + 0.732β + 0.25)` as printed `[Brown1998, (7.15)]`.
///
/// For comparison only: unsafe for `0.5 < β < 0.817`. Use [`unity_alpha`].
pub fn fitted_alpha(beta: f64) -> f64 {
    beta / (beta * beta + 0.732 * beta + 0.25)
}

/// Whether and above which mass a coupling is passive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MinimumMass {
    /// Every mass is passive.
    Any,
    /// This mass [kg] and every heavier one.
    AtLeast(f64),
    /// No mass is: the coupling alone asks too much, or the integrator does not allow it.
    Never,
}

impl MinimumMass {
    /// The mass [kg]: zero for any, infinity for never.
    pub fn kilograms(self) -> f64 {
        match self {
            Self::Any => 0.0,
            Self::AtLeast(mass) => mass,
            Self::Never => f64::INFINITY,
        }
    }
}

/// The lightest mass such that it and every heavier one is passive on a device of
/// `device_damping` [N·s/m], behind a backward-difference coupling `(stiffness, damping)`.
///
/// # Equation
/// The boundary `b*(α, β) = b/b_wall` with `b_wall = KT/2 + B` `[Brown1998, (7.8)]` solved for
/// `α = KT²/m`; for method 2 this is `m = KT² (2β+1)/(4(1 - b_wall/b))`.
/// # Differs from the source
/// `[Brown1998, sec. 7.2]` finds it by experiment.
/// # Errors
/// Stiffness, damping or time step out of range.
pub fn minimum_mass(
    integrator: Integrator,
    stiffness: f64,
    damping: f64,
    time_step: f64,
    device_damping: f64,
) -> Result<MinimumMass> {
    let h = Sampling::new(time_step)?.time_step();
    let k = positive("stiffness [N/m]", stiffness, "give the coupling's stiffness in N/m")?;
    let b = non_negative("damping [N·s/m]", damping, "a mass needs a coupling with B >= 0")?;
    let cure = "measure the device's viscous damping in N·s/m";
    let device = positive("device damping [N·s/m]", device_damping, cure)?;
    let beta = b / (k * h);
    let level = device / (0.5 * k * h + b);
    // the level of a device that just carries the wall is 1 up to rounding
    if level < 1.0 - 1e-12 {
        return Ok(MinimumMass::Never);
    }
    if integrator.is_implicit() {
        return Ok(MinimumMass::Any);
    }
    let alpha = if level <= 1.0 + 1e-12 {
        unity_alpha(integrator, beta)
    } else {
        alpha_at_level(integrator, beta, level)
    };
    Ok(match alpha {
        Some(alpha) if alpha > 0.0 => MinimumMass::AtLeast(k * h * h / alpha),
        _ => MinimumMass::Never,
    })
}

/// The mass below which the coupling oscillates even with the handle clamped [kg].
///
/// Jury's criterion on H(z), derived here; infinity if no mass is stable.
pub fn clamped_stability_mass(
    integrator: Integrator,
    stiffness: f64,
    damping: f64,
    time_step: f64,
) -> f64 {
    let beta = damping / (stiffness * time_step);
    let alpha = stability_alpha(integrator, beta);
    if alpha > 0.0 { stiffness * time_step * time_step / alpha } else { f64::INFINITY }
}
