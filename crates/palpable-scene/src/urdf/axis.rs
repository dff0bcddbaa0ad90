//! Frames of joints.

use super::mass::compose;
use super::mount::Mounted;
use super::robot::{Joint, Robot};
use palpable::{Anchor, Pose, Rotation, Vec3};

/// The least rotation that takes z to a unit vector.
pub(super) fn z_to(axis: &Vec3) -> Rotation {
    Rotation::rotation_between(&Vec3::z(), axis)
        .unwrap_or_else(|| Rotation::from_scaled_axis(Vec3::x() * std::f64::consts::PI))
}

/// The frame of a joint on its child and on its parent, z along the axis.
pub(super) fn anchors(robot: &Robot, joint: &Joint, mounted: &Mounted) -> Option<[Anchor; 2]> {
    let turn = z_to(&joint.axis);
    let child = mounted.anchor(robot, joint.child, Vec3::zeros())?;
    let (part, frame) = robot.part_of(joint.parent)?;
    let Pose { position, rotation } = compose(&frame, &joint.origin);
    let parent = mounted.bodies.get(part)?.at(position);
    Some([child.turned(child.rotation * turn), parent.turned(rotation * turn)])
}
