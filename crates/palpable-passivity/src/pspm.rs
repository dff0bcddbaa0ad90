//! Passive set-position modulation [Lee2008]: move a spring's far end only as far as is paid for.

use crate::error::{Result, non_negative, positive};

/// A spring whose set position follows a command within an energy budget.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SetPosition {
    stiffness: f64,
    damping: f64,
    energy: f64,
    position: f64,
    used: f64,
}

/// One step's outcome.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SetPositionStep {
    /// Set position actually used [m].
    pub used: f64,
    /// Energy left in the budget [J].
    pub energy: f64,
    /// Energy the damper took, and the budget received [J].
    pub dissipated: f64,
}

impl SetPosition {
    /// A spring `stiffness` [N/m] and damper `damping` [N·s/m] at rest at `position` [m], with a
    /// budget of `energy` [J].
    /// # Errors
    /// Numbers out of range.
    pub fn new(stiffness: f64, damping: f64, energy: f64, position: f64) -> Result<Self> {
        positive("stiffness [N/m]", stiffness, "give the coupling's stiffness in N/m")?;
        non_negative("damping [N·s/m]", damping, "use 0 for none")?;
        non_negative("energy [J]", energy, "a budget starts at zero or above")?;
        crate::error::finite("position [m]", position)?;
        Ok(Self { stiffness, damping, energy, position, used: position })
    }

    /// Advances to device `position` [m] and moves the set position towards `wanted` [m].
    ///
    /// # Equation
    /// Nearest `x` to `wanted` with `E + D - ΔP >= 0`: within
    /// `√((q - x_prev)² + 2(E + D)/k)` of `q`, with `D = b(Δq)²/T` and
    /// `ΔP = ½k(q-x)² - ½k(q-x_prev)²`                                          `[Lee2008]`.
    /// # Errors
    /// Numbers that are not finite, or a step not above zero.
    pub fn step(&mut self, position: f64, wanted: f64, time_step: f64) -> Result<SetPositionStep> {
        crate::error::finite("position [m]", position)?;
        crate::error::finite("wanted position [m]", wanted)?;
        let h = positive("time step [s]", time_step, "every step has a positive length")?;
        let moved = position - self.position;
        let dissipated = self.damping * moved * moved / h;
        let budget = self.energy + dissipated;
        let before = position - self.used;
        let reach = (before * before + 2.0 * budget / self.stiffness).sqrt();
        let used = wanted.clamp(position - reach, position + reach);
        let after = position - used;
        let jump = 0.5 * self.stiffness * (after * after - before * before);
        // rounding must not leave a debt
        self.energy = (budget - jump).max(0.0);
        self.position = position;
        self.used = used;
        Ok(SetPositionStep { used, energy: self.energy, dissipated })
    }
}
