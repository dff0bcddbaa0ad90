//! The energy account of a coupling.

/// What a coupling moved between hand and world since it was built [J].
///
/// Over a step the held force does work `F_k·Δy` on the hand, and moving the reference asks
/// `½K|g − Δy|² − ½K|g|²` of whoever pays. They differ by what sampling creates,
/// `½K|Δy|² − (1 − γ)K Δx·Δy`; the damping of the device pays that, `b|Δy|²/T`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CouplingAccount {
    /// Work of the held forces on the hand [J]; negative if the hand put energy in.
    pub to_hand: f64,
    /// Work of moving the reference, which the world received [J].
    pub to_world: f64,
    /// What the device's own damping took at least, `Σ b|Δy|²/T` [J]; 0 if its b is not known.
    pub damped: f64,
    /// The largest value that `to_hand + to_world − damped` ever had [J]: energy created. Zero or
    /// below for a passive coupling.
    pub worst: f64,
}

impl CouplingAccount {
    /// Energy created so far, net of the device's damping [J].
    pub fn created(&self) -> f64 {
        self.to_hand + self.to_world - self.damped
    }

    /// Energy that sampling created, before the device's damping [J].
    pub fn sampled(&self) -> f64 {
        self.to_hand + self.to_world
    }

    pub(super) fn mark(&mut self) {
        self.worst = self.worst.max(self.created());
    }
}
