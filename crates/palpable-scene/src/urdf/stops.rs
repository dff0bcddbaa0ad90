//! End stops of joints that have limits, and their dry friction.

use super::axis::anchors;
use super::mount::{Mount, Mounted};
use super::robot::{Joint, JointKind, Robot};
use palpable::{ModelBuilder, Spring};

/// The range that stops a joint; `None` without one, or where it leaves no room.
pub(super) fn range(joint: &Joint) -> Option<[f64; 2]> {
    let stopped = matches!(joint.kind, JointKind::Revolute | JointKind::Prismatic);
    let [lower, upper] = joint.limits?.range.filter(|_| stopped)?;
    (lower < upper).then_some([lower, upper])
}

/// The angle or way of a joint that has one.
pub(crate) fn measure(robot: &Robot, index: usize, mounted: &Mounted) -> Option<Spring> {
    let joint = robot.joints.get(index).filter(|j| j.kind.is_single())?;
    if let Some((system, i)) = mounted.coordinates[index] {
        return Some(Spring::coordinate(system, i));
    }
    let [a, b] = anchors(robot, joint, mounted)?;
    Some(if joint.kind.turns() { Spring::angle(a, b) } else { Spring::slide(a, b) })
}

/// Adds a stop to every joint with a range, and dry friction to every joint that has some. Joints
/// that follow others are stopped by their leader.
pub(super) fn add(robot: &Robot, model: &mut ModelBuilder, mount: &Mount, mounted: &mut Mounted) {
    for (index, joint) in robot.joints.iter().enumerate() {
        let range = range(joint).filter(|_| joint.mimic.is_none());
        let friction = joint.dynamics.friction;
        if range.is_none() && friction == 0.0 {
            continue;
        }
        let Some(mut measure) = measure(robot, index, mounted) else { continue };
        if let Some([lower, upper]) = range {
            measure = measure.stops(lower, upper);
        }
        if friction > 0.0 {
            measure = measure.friction(friction);
        }
        let what = if range.is_some() { "stops" } else { "friction" };
        let name = format!("{} {what}", mount.full_name(&joint.name));
        let id = model.spring(measure.named(name.as_str()));
        mounted.elements.push((name, id));
    }
}
