//! Maximal coordinates: a body for each part, a hard joint for each joint between them.

use super::mass::compose;
use super::mount::{Base, Mount, Mounted};
use super::robot::{Joint, JointKind, Part, Robot};
use super::{pending, solid};
use palpable::{Anchor, Body, Joint as Hinge, ModelBuilder, Pose, Rotation, Spring, Vec3};

/// Adds bodies, joints and dampers to a model.
pub(super) fn build(
    robot: &Robot,
    model: &mut ModelBuilder,
    mount: &Mount,
    starts: Vec<Pose>,
    positions: Vec<f64>,
) -> Mounted {
    let mut remarks = pending::remarks(robot);
    let mut bodies = Vec::with_capacity(robot.parts.len());
    for (part, start) in robot.parts.iter().zip(&starts) {
        let body = body(robot, part, mount, start, &mut remarks);
        bodies.push(model.body(body));
    }
    let none = vec![None; robot.joints.len()];
    let mut mounted =
        Mounted { bodies, starts, joints: none.clone(), dampers: none, positions, remarks };
    for index in robot.parts.iter().filter_map(|part| part.joint) {
        add_joint(robot, index, model, mount, &mut mounted);
    }
    mounted
}

fn body(
    robot: &Robot,
    part: &Part,
    mount: &Mount,
    start: &Pose,
    remarks: &mut Vec<super::Remark>,
) -> Body {
    let name = mount.full_name(&robot.links[part.top].name);
    let mut body = match solid::shape(robot, part, remarks) {
        Some(shape) => Body::with_shape(name, shape),
        None => Body::new(name),
    };
    if let Some(mass) = part.inertial {
        body = body.inertia(mass.mass, mass.center_of_mass, mass.inertia);
    }
    if part.joint.is_none() && mount.base == Base::Fixed {
        body = body.fixed();
    }
    body.position(start.position).rotation(start.rotation)
}

fn add_joint(
    robot: &Robot,
    index: usize,
    model: &mut ModelBuilder,
    mount: &Mount,
    mounted: &mut Mounted,
) {
    let joint = &robot.joints[index];
    let Some([child, parent]) = anchors(robot, joint, mounted) else { return };
    let made = match joint.kind {
        JointKind::Revolute | JointKind::Continuous => Hinge::hinge(child, parent),
        JointKind::Prismatic => Hinge::prismatic(child, parent),
        JointKind::Planar => Hinge::planar(child, parent),
        JointKind::Fixed | JointKind::Floating => return,
    };
    let name = mount.full_name(&joint.name);
    mounted.joints[index] = Some(model.joint(made.named(name.as_str())));
    mounted.dampers[index] = damper(joint, child, parent)
        .map(|damper| model.spring(damper.named(format!("{name} damping"))));
}

/// The damper of a joint that has one.
fn damper(joint: &Joint, child: Anchor, parent: Anchor) -> Option<Spring> {
    let damping = joint.dynamics.damping;
    let damper = match joint.kind {
        _ if damping == 0.0 => return None,
        JointKind::Revolute | JointKind::Continuous => Spring::angle(child, parent),
        JointKind::Prismatic => Spring::slide(child, parent),
        _ => return None,
    };
    Some(damper.damping(damping))
}

/// The frame of a joint on its child and on its parent, z along the axis.
fn anchors(robot: &Robot, joint: &Joint, mounted: &Mounted) -> Option<[Anchor; 2]> {
    let turn = z_to(&joint.axis);
    let child = mounted.anchor(robot, joint.child, Vec3::zeros())?;
    let (part, frame) = robot.part_of(joint.parent)?;
    let Pose { position, rotation } = compose(&frame, &joint.origin);
    let parent = mounted.bodies.get(part)?.at(position);
    Some([child.turned(child.rotation * turn), parent.turned(rotation * turn)])
}

/// The least rotation that takes z to a unit vector.
fn z_to(axis: &Vec3) -> Rotation {
    Rotation::rotation_between(&Vec3::z(), axis)
        .unwrap_or_else(|| Rotation::from_scaled_axis(Vec3::x() * std::f64::consts::PI))
}
