//! Encoder resolution and Coulomb friction: the second limit on stiffness.

use crate::error::{Result, non_negative, positive};

/// Stiffest sampled spring on a quantised encoder [N/m].
///
/// # Equation
/// `K <= min(2b/T, 2 f_c/Δ)`: viscous damping pays for sampling, Coulomb friction for
/// quantisation. Necessary and sufficient; the published result is Abbott and Okamura's (2005),
/// re-derived here: over a path L the force error makes at most `KL²/2 + KΔL/2`, the device
/// takes at least `bL²/T + f_c L`.
/// # Errors
/// Damping, friction or resolution out of range. A resolution of 0 is a perfect encoder.
pub fn max_stiffness_quantised(
    damping: f64,
    coulomb_friction: f64,
    encoder_step: f64,
    time_step: f64,
) -> Result<f64> {
    let b = non_negative("damping [N·s/m]", damping, "measure the device's viscous damping")?;
    let fc = non_negative("Coulomb friction [N]", coulomb_friction, "use 0 for none")?;
    let step = non_negative("encoder step [m]", encoder_step, "use 0 for a perfect encoder")?;
    let h = positive("time step [s]", time_step, "give the sampling period in seconds")?;
    let sampled = 2.0 * b / h;
    Ok(if step == 0.0 { sampled } else { sampled.min(2.0 * fc / step) })
}

/// Energy gained in a two-sample cycle of `stroke` [m] across an encoder edge [J].
///
/// # Equation
/// `K ⌈L/Δ⌉ Δ L - 2 f_c L - 2 b L²/T`, derived here; above zero the device can be pumped.
pub fn cycle_gain(
    stiffness: f64,
    encoder_step: f64,
    damping: f64,
    coulomb_friction: f64,
    time_step: f64,
    stroke: f64,
) -> f64 {
    let codes = (stroke / encoder_step).ceil() * encoder_step;
    stiffness * codes * stroke
        - 2.0 * coulomb_friction * stroke
        - 2.0 * damping * stroke * stroke / time_step
}
