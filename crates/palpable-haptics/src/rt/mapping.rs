//! Where a device's handle is in a world.

use crate::device::Sample;
use crate::safety::Wrench;
use palpable::{Rotation, Vec3};

/// Device frame to world frame: `x_world = offset + R scale (x_device − centre)`.
///
/// Forces go back times `scale`, so that power is the same on both sides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mapping {
    /// A place of the device [m] that is mapped to `offset`.
    pub centre: Vec3,
    /// World metres per device metre.
    pub scale: f64,
    /// Axes of the device in the world.
    pub world_from_device: Rotation,
    /// Where the centre is in the world [m].
    pub offset: Vec3,
    /// Orientation in the world when the device shows the identity.
    pub rotation: Rotation,
}

impl Default for Mapping {
    fn default() -> Self {
        Self {
            centre: Vec3::zeros(),
            scale: 1.0,
            world_from_device: Rotation::identity(),
            offset: Vec3::zeros(),
            rotation: Rotation::identity(),
        }
    }
}

impl Mapping {
    /// Position in the world [m].
    pub fn position(&self, sample: &Sample) -> Vec3 {
        self.offset + self.world_from_device * ((sample.position - self.centre) * self.scale)
    }

    /// Orientation in the world.
    pub fn orientation(&self, sample: &Sample) -> Rotation {
        let r = self.world_from_device;
        r * sample.rotation * r.inverse() * self.rotation
    }

    /// A force [N] and torque [N·m] in the world, as the hand feels it.
    pub fn wrench(&self, force: &Vec3, torque: &Vec3) -> Wrench {
        let back = self.world_from_device.inverse();
        Wrench { force: back * (force * self.scale), torque: back * torque, gripper: 0.0 }
    }
}
