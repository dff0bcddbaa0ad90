//! How warm a motor is, and how hard it may push therefore.

use crate::device::ForceLimit;

/// Heat of a motor as a first-order low-pass of the force squared.
///
/// # Equation
/// ```text
/// θ⁺ = f² + (θ − f²) e^(−h/τ)                 force f held for h
/// c  = peak                                    θ ≤ ½ f_c²
///    = peak → f_c, linear in θ                 θ = ½ f_c² → f_c²
/// c² ≤ (f_c² − θ e^(−h/τ)) / (1 − e^(−h/τ))    so that θ⁺ ≤ f_c²
/// ```
/// # Symbols
/// `θ` heat [N²]; `f_c` continuous limit [N]; `τ` time constant [s]; `c` ceiling [N].
/// # Guarantee
/// `θ ≤ f_c²` for ever if no force is held longer than promised; the ceiling never jumps.
#[derive(Debug, Clone, PartialEq)]
pub struct Thermal {
    limit: ForceLimit,
    time_constant: f64,
    heat: f64,
}

impl Thermal {
    /// A cold motor; `time_constant` in s.
    pub fn new(limit: ForceLimit, time_constant: f64) -> Self {
        Self { limit, time_constant, heat: 0.0 }
    }

    /// Heat relative to what the motor bears for ever: 1 is hot.
    pub fn load(&self) -> f64 {
        let bearable = self.limit.continuous * self.limit.continuous;
        if bearable > 0.0 { self.heat / bearable } else { 0.0 }
    }

    /// A `force` [N] was held for `h` [s].
    pub fn hold(&mut self, force: f64, h: f64) {
        let kept = (-h / self.time_constant).exp();
        let square = force * force;
        self.heat = square + (self.heat - square) * kept;
    }

    /// The largest force [N] that may be held for the next `h` [s].
    pub fn ceiling(&self, h: f64) -> f64 {
        let (peak, continuous) = (self.limit.peak, self.limit.continuous);
        let bearable = continuous * continuous;
        if self.heat >= bearable {
            return continuous;
        }
        let share = (2.0 * self.heat / bearable - 1.0).max(0.0);
        let smooth = peak + (continuous - peak) * share;
        let kept = (-h / self.time_constant).exp();
        let exact = ((bearable - self.heat * kept) / (1.0 - kept)).sqrt();
        smooth.min(exact)
    }
}
