//! Walls on an irregular clock.

use crate::error::{Error, Result, non_negative, positive};

/// Device damping that suffices for a backward-difference wall on irregular steps [N·s/m].
///
/// # Equation
/// `b >= max_k [K T_k/2 + (B/2)(1 + T_k/T_(k-1))]`, derived here; sufficient, and for equal steps
/// the bound of `[Brown1998, (3.9)]`. A lost packet is one longer step.
/// # Errors
/// No steps, or a step, stiffness or damping out of range.
pub fn variable_rate_damping(stiffness: f64, damping: f64, steps: &[f64]) -> Result<f64> {
    let k = non_negative("stiffness [N/m]", stiffness, "a wall pushes back: use K >= 0")?;
    let b = non_negative("damping [N·s/m]", damping, "the bound is for B >= 0")?;
    if steps.is_empty() {
        let cure = "give the lengths of the steps in order, in seconds";
        return Err(Error::Length { field: "steps", len: 0, need: "at least 1", cure });
    }
    for &step in steps {
        positive("step [s]", step, "every step has a positive length")?;
    }
    let price = |now: f64, before: f64| 0.5 * k * now + 0.5 * b * (1.0 + now / before);
    let first = price(steps[0], steps[0]);
    Ok(steps.windows(2).map(|pair| price(pair[1], pair[0])).fold(first, f64::max))
}

/// The same for steps anywhere between `shortest` and `longest` [s], in any order [N·s/m].
/// # Errors
/// Steps, stiffness or damping out of range.
pub fn jittered_damping(stiffness: f64, damping: f64, shortest: f64, longest: f64) -> Result<f64> {
    variable_rate_damping(stiffness, damping, &[shortest.min(longest), longest.max(shortest)])
}
