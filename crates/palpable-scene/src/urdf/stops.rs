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

/// Adds a stop to every joint with a range. Joints that follow others are stopped by their leader.
pub(super) fn add(robot: &Robot, model: &mut ModelBuilder, mount: &Mount, mounted: &mut Mounted) {
    for (index, joint) in robot.joints.iter().enumerate() {
        let Some([lower, upper]) = range(joint).filter(|_| joint.mimic.is_none()) else { continue };
        let measure = match mounted.coordinates[index] {
            Some((system, i)) => Some(Spring::coordinate(system, i)),
            None => anchors(robot, joint, mounted).map(|[a, b]| {
                if joint.kind.turns() { Spring::angle(a, b) } else { Spring::slide(a, b) }
            }),
        };
        let Some(measure) = measure else { continue };
        let name = format!("{} stops", mount.full_name(&joint.name));
        let id = model.spring(measure.stops(lower, upper).named(name.as_str()));
        mounted.elements.push((name, id));
    }
}
