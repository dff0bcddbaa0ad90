//! End stops of joints that have limits.

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

/// The angle or offset of a joint, as something that stops, springs and motors act on.
pub(crate) fn measure(robot: &Robot, index: usize, mounted: &Mounted) -> Option<Spring> {
    let joint = &robot.joints[index];
    if let Some((system, i)) = mounted.coordinates[index] {
        return Some(Spring::coordinate(system, i));
    }
    let [a, b] = anchors(robot, joint, mounted)?;
    Some(if joint.kind.turns() { Spring::angle(a, b) } else { Spring::slide(a, b) })
}

/// Adds a stop to every joint with a range. Joints that follow others are stopped by their leader.
pub(super) fn add(robot: &Robot, model: &mut ModelBuilder, mount: &Mount, mounted: &mut Mounted) {
    for (index, joint) in robot.joints.iter().enumerate() {
        let Some([lower, upper]) = range(joint).filter(|_| joint.mimic.is_none()) else { continue };
        let Some(measure) = measure(robot, index, mounted) else { continue };
        let name = format!("{} stops", mount.full_name(&joint.name));
        let id = model.spring(measure.stops(lower, upper).named(name.as_str()));
        mounted.elements.push((name, id));
    }
}
