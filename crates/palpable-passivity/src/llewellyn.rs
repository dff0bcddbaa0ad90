//! Llewellyn's criterion with a smoothed hold: for comparison only, it is not safe.

use crate::error::{Result, non_negative, positive};

/// Device damping by Adams and Hannaford's form of Llewellyn's criterion [N·s/m].
///
/// # Equation
/// With the hold taken as `(1 + z^-1)/2` `[Brown1998, (4.10)]`, `x = cos(θ/2)`, `R = B + KT/2`:
/// `b >= x [(1-x)R² + (KT/2)² x²/(1+x)] / (2R)`, the largest over x.
/// # Guarantee
/// None. The approximation vanishes at the Nyquist frequency and hides the aliases: it asks 4 to 8
/// times less than the exact bound, and simulations against a passive operator grow.
/// # Errors
/// Numbers out of range.
pub fn llewellyn_damping(stiffness: f64, damping: f64, time_step: f64) -> Result<f64> {
    let k = positive("stiffness [N/m]", stiffness, "give the coupling's stiffness in N/m")?;
    let b = non_negative("damping [N·s/m]", damping, "the criterion is for B >= 0")?;
    let h = positive("time step [s]", time_step, "give the sampling period in seconds")?;
    let half = 0.5 * k * h;
    let r = b + half;
    let demand = |x: f64| x * ((1.0 - x) * r * r + half * half * x * x / (1.0 + x)) / (2.0 * r);
    let grid: Vec<f64> = (0..=400).map(|i| f64::from(i) / 400.0).collect();
    Ok(crate::scan::maximum_on(&grid, demand).0)
}
