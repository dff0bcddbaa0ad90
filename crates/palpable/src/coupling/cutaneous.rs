//! Cutaneous feedback: what a pad presses onto a fingertip instead of pulling at the hand.

use super::error::{CouplingError, InputFault, positive};
use crate::math::{Rotation, Vec3};

/// Low-pass of the contact force in the frame of the fingertip.
///
/// # Equation
/// `f ← f + (1 − e^(−h/τ)) (Rᵀ F − f)`: exact for a force that is held over `h`
/// # Symbols
/// `R` world from fingertip; `F` contact force on the fingertip, world axes [N]; `τ` time
/// constant [s]; the fingertip presses along its own `−z`, so `f.z` is what its pad feels.
/// # Guarantee
/// No energy is exchanged with the hand: it is outside every loop. `|f|` never exceeds the largest
/// `|F|` so far.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cutaneous {
    time_constant: f64,
    force: Vec3,
}

/// What a pad is to press.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pressed {
    /// Force in the fingertip's axes [N].
    pub force: Vec3,
    /// What was wrong with the input, if anything.
    pub fault: Option<InputFault>,
}

impl Cutaneous {
    /// A filter of `time_constant` [s].
    ///
    /// # Errors
    /// A time constant that is not finite and above zero.
    pub fn new(time_constant: f64) -> Result<Self, CouplingError> {
        positive("time constant [s]", time_constant, "5 ms to 20 ms are usual")?;
        Ok(Self { time_constant, force: Vec3::zeros() })
    }

    /// Takes the contact force [N] on a fingertip turned by `rotation`, held over `h` [s]; gives
    /// the force for the pad in the fingertip's axes. A bad input gives zero and starts afresh.
    pub fn update(&mut self, force: &Vec3, rotation: &Rotation, h: f64) -> Pressed {
        let finite = force.iter().chain(rotation.coords.iter()).all(|a| a.is_finite());
        let fault = if !(h > 0.0 && h.is_finite()) {
            Some(InputFault::Period)
        } else {
            (!finite).then_some(InputFault::World)
        };
        if fault.is_some() {
            self.force = Vec3::zeros();
        } else {
            let local = rotation.inverse() * force;
            let share = -(-h / self.time_constant).exp_m1();
            self.force += (local - self.force) * share;
        }
        Pressed { force: self.force, fault }
    }
}
