//! Wave variables: a delayed line that stays passive, and its price in stiffness.

use crate::polynomial::C64;

/// A pair of waves, each the root of twice a power [√W].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Waves {
    /// Going out.
    pub forward: f64,
    /// Coming back.
    pub returning: f64,
}

impl Waves {
    /// Waves of `velocity` [m/s] and `force` [N] on a line of `impedance` b [N·s/m].
    ///
    /// # Equation
    /// `u = (bẋ + F)/√(2b)`, `v = (bẋ - F)/√(2b)`, after Niemeyer and Slotine (1991).
    pub fn of(velocity: f64, force: f64, impedance: f64) -> Self {
        let root = (2.0 * impedance).sqrt();
        Self {
            forward: (impedance * velocity + force) / root,
            returning: (impedance * velocity - force) / root,
        }
    }

    /// Power flowing forward, `½(u² - v²)` [W].
    pub fn power(&self) -> f64 {
        0.5 * (self.forward * self.forward - self.returning * self.returning)
    }
}

/// Impedance at the near end of a line of `impedance` b [N·s/m] and one-way `delay` [s] with a
/// spring `stiffness` [N/m] at the far end, at `omega` [rad/s].
///
/// The far end reflects `ρ = (b - Z_L)/(b + Z_L)`; `Z_in = b(1 - ρe)/(1 + ρe)`,
/// `e = exp(-2jωτ)`.
pub fn line_impedance(stiffness: f64, impedance: f64, delay: f64, omega: f64) -> C64 {
    let load = C64::new(0.0, -stiffness / omega);
    let b = C64::from(impedance);
    let echo = (b - load) / (b + load) * C64::from_polar(1.0, -2.0 * omega * delay);
    b * (C64::new(1.0, 0.0) - echo) / (echo + 1.0)
}

/// Stiffness felt through the line at low frequency, `1/(1/K + τ/b)` [N/m].
pub fn line_stiffness(stiffness: f64, impedance: f64, delay: f64) -> f64 {
    1.0 / (1.0 / stiffness + delay / impedance)
}

/// Impedance of the same spring behind the same delay without waves: its real part goes negative.
pub fn raw_delayed_impedance(stiffness: f64, delay: f64, omega: f64) -> C64 {
    C64::new(0.0, -stiffness / omega) * C64::from_polar(1.0, -2.0 * omega * delay)
}
