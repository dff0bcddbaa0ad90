//! What a device is told to do. Only this room can make one that is not zero.

use palpable::Vec3;

/// A wish: force and torque of the device on the hand. It reaches a device only through the
/// safety stage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wrench {
    /// Force on the hand, device axes [N].
    pub force: Vec3,
    /// Torque on the hand, device axes [N·m].
    pub torque: Vec3,
    /// Force that opens the gripper [N], or torque [N·m] for a gripper that turns.
    pub gripper: f64,
}

impl Wrench {
    /// Nothing.
    pub const ZERO: Self =
        Self { force: Vec3::new(0.0, 0.0, 0.0), torque: Vec3::new(0.0, 0.0, 0.0), gripper: 0.0 };

    /// A force [N] alone.
    pub fn force(force: impl Into<Vec3>) -> Self {
        Self { force: force.into(), ..Self::ZERO }
    }

    /// True if every number is finite.
    pub fn is_finite(&self) -> bool {
        self.force.iter().chain(self.torque.iter()).all(|a| a.is_finite())
            && self.gripper.is_finite()
    }
}

impl Default for Wrench {
    fn default() -> Self {
        Self::ZERO
    }
}

/// A wrench that went through the safety stage: finite and within every limit.
///
/// Nothing outside that stage can make one, except zero:
/// ```compile_fail
/// use palpable_haptics::{Command, Wrench};
/// let bypass = Command { wrench: Wrench::force([1000.0, 0.0, 0.0]), enabled: true };
/// ```
/// ```compile_fail
/// use palpable_haptics::{Command, Wrench};
/// let bypass = Command::passed(Wrench::force([1000.0, 0.0, 0.0]));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Command {
    wrench: Wrench,
    enabled: bool,
}

impl Command {
    /// No force, motors off: what a device gets before its start, after a stop and at its end.
    pub const fn zero() -> Self {
        Self { wrench: Wrench::ZERO, enabled: false }
    }

    /// A wrench that the safety stage let through.
    pub(in crate::safety) fn passed(wrench: Wrench) -> Self {
        Self { wrench, enabled: true }
    }

    /// Force on the hand, device axes [N].
    pub fn force(&self) -> Vec3 {
        self.wrench.force
    }

    /// Torque on the hand, device axes [N·m].
    pub fn torque(&self) -> Vec3 {
        self.wrench.torque
    }

    /// Force [N] or torque [N·m] that opens the gripper.
    pub fn gripper(&self) -> f64 {
        self.wrench.gripper
    }

    /// True while the motors may be on. A driver that can switch them off, or engage brakes, does
    /// so when this is false; the force is zero then.
    pub fn enabled(&self) -> bool {
        self.enabled
    }
}
