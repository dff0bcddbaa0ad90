//! Workshop: the midpoint velocity `u*` at which Jacobians and Coriolis terms are evaluated.
//!
//! Every energy identity holds for any prediction; a good one makes the step second order.

mod free_rotation;
mod turning_rate;

pub use free_rotation::free_rotation;
pub use turning_rate::turning_rate;

use crate::math::Vec6;
use crate::model::{History, State, SystemAt};

/// Extrapolates the midpoint velocity of body `body` to a step of `h` [s].
///
/// # Equation
/// ```text
/// u* = û_{k−1} + (û_{k−1} − û_{k−2}) (h_k + h_{k−1}) / (h_{k−1} + h_{k−2})
/// ```
/// Without history, the last midpoint or the present velocity serves. The present velocity itself
/// is avoided where possible: along stiff directions it alternates in sign from step to step.
#[inline]
pub fn extrapolate(state: &State, body: usize, h: f64) -> Vec6 {
    let History { mid, h: [h1, h2], depth, .. } = &state.history;
    let [u1, u2] = &mid[body];
    match depth {
        0 => state.bodies[body].twist(),
        1 => *u1,
        _ => u1 + (u1 - u2) * ((h + h1) / (h1 + h2)),
    }
}

/// The same for subsystem `system`, as `ξ*` into `out`.
pub fn extrapolate_system(state: &State, system: SystemAt, h: f64, out: &mut [f64]) {
    let History { wide, h: [h1, h2], depth, .. } = &state.history;
    let [u1, u2] = &wide[system];
    match depth {
        0 => out.copy_from_slice(&state.systems[system].xi),
        1 => out.copy_from_slice(u1),
        _ => {
            let reach = (h + h1) / (h1 + h2);
            out.iter_mut().zip(u1.iter().zip(u2)).for_each(|(o, (a, b))| *o = a + (a - b) * reach);
        }
    }
}
