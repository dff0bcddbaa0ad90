//! Passivity in the time domain: an observer that counts, a controller that pays.

/// Energy observer and series damper after Hannaford and Ryu (2002).
///
/// # Equation
/// `W += T f v`; if `W < 0`: `α = -W/(T v²)`, `f += α v`, `W = 0`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PassivityObserver {
    energy: f64,
}

/// What the observer did in one sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Observed {
    /// Force to apply [N].
    pub force: f64,
    /// Damping that was added [N·s/m].
    pub added_damping: f64,
    /// Energy counted after the correction [J].
    pub energy: f64,
}

impl PassivityObserver {
    /// Energy counted so far [J].
    pub fn energy(&self) -> f64 {
        self.energy
    }

    /// Counts one sample of `force` [N] and `velocity` [m/s] over `time_step` [s], and corrects
    /// the force if more energy left the port than entered. At rest nothing can be corrected.
    pub fn step(&mut self, force: f64, velocity: f64, time_step: f64) -> Observed {
        self.energy += time_step * force * velocity;
        let square = time_step * velocity * velocity;
        let needed = if self.energy < 0.0 && square > 0.0 { -self.energy / square } else { 0.0 };
        let added_damping = if needed.is_finite() { needed } else { 0.0 };
        self.energy += added_damping * square;
        Observed { force: force + added_damping * velocity, added_damping, energy: self.energy }
    }
}
