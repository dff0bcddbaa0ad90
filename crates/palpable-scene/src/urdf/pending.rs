//! What a robot says that the engine does not simulate yet, one place for each.

use super::remark::{Remark, RemarkKind};
use super::robot::{Joint, JointKind, Robot};

/// Remarks on all joints.
pub(super) fn remarks(robot: &Robot) -> Vec<Remark> {
    let of = |joint| [limits(joint), friction(joint), odd(joint)];
    robot.joints.iter().flat_map(of).flatten().collect()
}

fn remark(joint: &Joint, line: usize, what: &str, message: String) -> Option<Remark> {
    let about = format!("joint[{}].{what}", joint.name);
    Some(Remark { kind: RemarkKind::NotSimulated, line, about, message })
}

/// End stops without room between them, and the velocity, which nothing bounds.
fn limits(joint: &Joint) -> Option<Remark> {
    let limits = joint.limits?;
    let tight = limits.range.filter(|_| super::stops::range(joint).is_none());
    let stops = tight.map(|[lower, upper]| format!("nothing stops it at {lower} and {upper}"));
    let speed = limits.velocity.map(|v| format!("nothing keeps its velocity below {v}"));
    let words: Vec<String> = [stops, speed].into_iter().flatten().collect();
    if words.is_empty() { None } else { remark(joint, limits.line, "limit", words.join("; ")) }
}

/// Dry friction of joints that move in more than one way.
fn friction(joint: &Joint) -> Option<Remark> {
    let dynamics = joint.dynamics;
    let message = format!("it has no dry friction of {}", dynamics.friction);
    let simulated = joint.kind.is_single();
    (dynamics.friction > 0.0 && !simulated)
        .then(|| remark(joint, dynamics.line, "dynamics", message))?
}

/// Damping of joints that move in more than one way.
fn odd(joint: &Joint) -> Option<Remark> {
    let dynamics = joint.dynamics;
    let is_odd = matches!(joint.kind, JointKind::Planar | JointKind::Floating);
    let message = format!("damping of a {} joint has no one unit", joint.kind.name());
    (is_odd && dynamics.damping > 0.0).then(|| remark(joint, dynamics.line, "dynamics", message))?
}
