//! What a device reports at one instant.

use std::time::Duration;

use palpable::{Rotation, Vec3};

/// Pressed buttons, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Buttons(pub u32);

impl Buttons {
    /// True if button `index` (from 0) is pressed.
    pub fn is_pressed(self, index: u32) -> bool {
        index < 32 && self.0 >> index & 1 == 1
    }
}

/// One reading, in the device's own right-handed frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Count of the device's readings; two equal ones mean that nothing new has arrived.
    pub sequence: u64,
    /// The device's own time, if it has a clock; otherwise the loop's clock is used.
    pub time: Option<Duration>,
    /// How much older the reading may be than its arrival: for a service that answers, the time
    /// since it was asked.
    pub age: Duration,
    /// Position of the handle [m]; zero for a device of [`Twist`](super::Motion::Twist).
    pub position: Vec3,
    /// Orientation of the handle; identity where it is not sensed.
    pub rotation: Rotation,
    /// Velocity [m/s] if the device measures or estimates it; otherwise the loop does.
    pub velocity: Option<Vec3>,
    /// Angular velocity in the device's frame [rad/s], likewise.
    pub angular_velocity: Option<Vec3>,
    /// Opening of the gripper [m], or its angle [rad].
    pub gripper: Option<f64>,
    /// Pressed buttons.
    pub buttons: Buttons,
    /// Whether somebody holds the handle, where the device can tell.
    pub held: Option<bool>,
}

impl Sample {
    /// A reading of position [m] alone.
    pub fn at(sequence: u64, position: impl Into<Vec3>) -> Self {
        Self { sequence, position: position.into(), ..Self::default() }
    }

    /// True if every number is finite.
    pub fn is_finite(&self) -> bool {
        let finite = |v: &Vec3| v.iter().all(|a| a.is_finite());
        finite(&self.position)
            && self.rotation.coords.iter().all(|a| a.is_finite())
            && self.velocity.as_ref().is_none_or(finite)
            && self.angular_velocity.as_ref().is_none_or(finite)
            && self.gripper.is_none_or(f64::is_finite)
    }
}

impl Default for Sample {
    fn default() -> Self {
        Self {
            sequence: 0,
            time: None,
            age: Duration::ZERO,
            position: Vec3::zeros(),
            rotation: Rotation::identity(),
            velocity: None,
            angular_velocity: None,
            gripper: None,
            buttons: Buttons(0),
            held: None,
        }
    }
}
