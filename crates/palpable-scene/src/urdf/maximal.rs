//! Maximal coordinates: a body for each part, a hard joint for each joint between them.

use super::axis::anchors;
use super::mount::{Base, Mount, Mounted};
use super::robot::{Joint, JointKind, Part, Robot};
use super::solid::{self, Solid};
use super::{mimic, pending};
use palpable::{Anchor, Body, Joint as Hinge, ModelBuilder, Pose, Spring};

/// Adds bodies, joints, dampers and ties to a model.
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
        let name = mount.full_name(&robot.links[part.top].name);
        let solid = solid::solid(robot, part, &mut remarks);
        bodies.push(model.body(body(part, name, start, solid, mount)));
    }
    let mut mounted = Mounted::new(robot, starts, positions, remarks);
    mounted.bodies = bodies;
    for index in robot.parts.iter().filter_map(|part| part.joint) {
        add_joint(robot, index, model, mount, &mut mounted);
    }
    mimic::add(robot, model, mount, &mut mounted);
    super::stops::add(robot, model, mount, &mut mounted);
    mounted
}

/// The body of a part.
pub(super) fn body(part: &Part, name: String, start: &Pose, solid: Solid, mount: &Mount) -> Body {
    let mut body = match solid.shape {
        Some(shape) => Body::with_shape(name, shape),
        None => Body::new(name),
    };
    if let Some(collider) = solid.collider {
        body = body.collider(Ok(collider));
    }
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
    let id = model.joint(made.named(name.as_str()));
    mounted.joints[index] = Some(id);
    mounted.elements.push((name.clone(), id));
    if let Some(damper) = damper(joint, child, parent) {
        let name = format!("{name} damping");
        let id = model.spring(damper.named(name.as_str()));
        mounted.dampers[index] = Some(id);
        mounted.elements.push((name, id));
    }
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
