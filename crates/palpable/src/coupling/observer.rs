//! Passivity in the time domain: an observer that counts, a controller that pays.

use super::error::InputFault;
use crate::math::Vec3;

/// Counts the energy that left through a device and brakes when it exceeds what came in, after
/// Hannaford and Ryu (2002).
///
/// # Equation
/// `W −= T F·v`; if `W < 0`: `α = −W/(T|v|²)`, `F −= α v`, `W = 0`
///
/// With a force held between samples the energy of a period is exactly `F_{k−1}·Δq`, and
/// [`PassivityObserver::step_held`] counts that.
/// # Symbols
/// `F` force on the hand [N]; `v` velocity of the hand [m/s]; `W` energy that the hand put in and
/// did not get back [J].
/// # Differs from the source
/// The source's force is that of the hand; it moves on one axis.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PassivityObserver {
    energy: f64,
    held: Vec3,
}

/// What the observer did in one sample.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Observed {
    /// Force to apply on the hand [N].
    pub force: Vec3,
    /// Damping that was added [N·s/m].
    pub added_damping: f64,
    /// Energy counted after the correction [J].
    pub energy: f64,
    /// Why the force is zero, if an input was bad.
    pub fault: Option<InputFault>,
}

impl PassivityObserver {
    /// Starts with energy already in the account [J]; a number that makes no sense counts as 0.
    pub fn with_energy(energy: f64) -> Self {
        let sound = energy > 0.0 && energy.is_finite();
        Self { energy: if sound { energy } else { 0.0 }, held: Vec3::zeros() }
    }

    /// Energy counted so far [J].
    pub fn energy(&self) -> f64 {
        self.energy
    }

    /// Energy that something else took from the account, e.g. a world [J].
    pub fn spend(&mut self, amount: f64) {
        if amount.is_finite() {
            self.energy -= amount;
        }
    }

    /// One sample as published: `force` and `velocity` hold over `h` [s].
    pub fn step(&mut self, force: Vec3, velocity: Vec3, h: f64) -> Observed {
        if let Some(fault) = fault(&[force, velocity], h) {
            return self.refuse(fault);
        }
        self.energy -= h * force.dot(&velocity);
        let observed = self.brake(force, velocity, h);
        self.energy = observed.energy;
        observed
    }

    /// One sample of a held force: the last force moved the hand by `moved` [m] within `h` [s].
    ///
    /// The brake acts in the coming period; what it takes then is counted then, so the account
    /// may be below zero for a sample.
    pub fn step_held(&mut self, force: Vec3, moved: Vec3, h: f64) -> Observed {
        if let Some(fault) = fault(&[force, moved], h) {
            return self.refuse(fault);
        }
        self.energy -= self.held.dot(&moved);
        let observed = self.brake(force, moved / h, h);
        self.held = observed.force;
        Observed { energy: self.energy, ..observed }
    }

    fn brake(&self, force: Vec3, velocity: Vec3, h: f64) -> Observed {
        let square = h * velocity.norm_squared();
        let needed = if self.energy < 0.0 && square > 0.0 { -self.energy / square } else { 0.0 };
        // at rest nothing can be taken
        let added_damping = if needed.is_finite() { needed } else { 0.0 };
        Observed {
            force: force - velocity * added_damping,
            added_damping,
            energy: self.energy + added_damping * square,
            fault: None,
        }
    }

    fn refuse(&mut self, fault: InputFault) -> Observed {
        self.held = Vec3::zeros();
        Observed { energy: self.energy, fault: Some(fault), ..Observed::default() }
    }
}

fn fault(vectors: &[Vec3], h: f64) -> Option<InputFault> {
    if !(h > 0.0 && h.is_finite()) {
        return Some(InputFault::Period);
    }
    let finite = vectors.iter().flatten().all(|a| a.is_finite());
    (!finite).then_some(InputFault::Sample)
}
