//! One limited quantity: force, torque or gripper.

use super::thermal::Thermal;
use crate::device::ForceLimit;
use palpable::Vec3;

/// A vector whose length and rate of change are bounded.
///
/// # Equation
/// With `P` the projection onto the ball of the ceiling `c`:
/// ```text
/// y  = P(out);   left = slew h − |y − out|
/// out⁺ = y + (P(wish) − y) · min(1, left / |P(wish) − y|)
/// ```
/// # Guarantee
/// `|out⁺| ≤ c` always, and `|out⁺| ≤ |out|` while nothing new was read. `|out⁺ − out| ≤ slew h`
/// unless the ceiling itself fell faster; then the ceiling wins. `Limits::check` sees to it that
/// ramps and fades do not fall faster.
#[derive(Debug, Clone, PartialEq)]
pub struct Channel {
    limit: ForceLimit,
    slew: f64,
    thermal: Thermal,
    out: Vec3,
    held: Vec3,
}

impl Channel {
    /// At rest; `slew` in N/s, `time_constant` in s.
    pub fn new(limit: ForceLimit, slew: f64, time_constant: f64) -> Self {
        let thermal = Thermal::new(limit, time_constant);
        Self { limit, slew, thermal, out: Vec3::zeros(), held: Vec3::zeros() }
    }

    /// What goes out now.
    pub fn out(&self) -> Vec3 {
        self.out
    }

    /// What went out when a fade or damping began.
    pub fn held(&self) -> Vec3 {
        self.held
    }

    /// Remembers what goes out now, as the start of a fade.
    pub fn keep(&mut self) {
        self.held = self.out;
    }

    /// Share of the peak that goes out now.
    pub fn share(&self) -> f64 {
        if self.limit.peak > 0.0 { self.out.norm() / self.limit.peak } else { 0.0 }
    }

    /// Share of the peak that went out when a fade began.
    pub fn held_share(&self) -> f64 {
        if self.limit.peak > 0.0 { self.held.norm() / self.limit.peak } else { 0.0 }
    }

    /// Heat relative to what the motor bears for ever.
    pub fn load(&self) -> f64 {
        self.thermal.load()
    }

    /// The last output was held for `h` [s].
    pub fn was_held(&mut self, h: f64) {
        self.thermal.hold(self.out.norm(), h);
    }

    /// Moves towards `wish`, below `share` of the peak, for a hold of `h` [s]; it may grow only if
    /// the device told something `fresh`.
    pub fn advance(&mut self, wish: &Vec3, share: f64, h: f64, fresh: bool) -> Vec3 {
        let most = if fresh { f64::INFINITY } else { self.out.norm() };
        let ceiling = (share * self.limit.peak).min(self.thermal.ceiling(h)).min(most).max(0.0);
        let from = within(&self.out, ceiling);
        let left = (self.slew * h - (from - self.out).norm()).max(0.0);
        let to = within(wish, ceiling);
        let way = to - from;
        let length = way.norm();
        self.out =
            if length > left { within(&(from + way * (left / length)), ceiling) } else { to };
        self.out
    }

    /// Cuts to zero at once.
    pub fn cut(&mut self) {
        self.out = Vec3::zeros();
        self.held = Vec3::zeros();
    }
}

/// The nearest vector of at most this length; zero if it is not finite.
fn within(v: &Vec3, length: f64) -> Vec3 {
    let norm = v.norm();
    if norm <= length {
        *v
    } else if norm.is_finite() && length > 0.0 {
        v * (length / norm)
    } else {
        Vec3::zeros()
    }
}
