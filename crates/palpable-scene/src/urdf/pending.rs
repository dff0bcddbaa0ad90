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

/// End stops without room between them, and what a motor could do if there were one.
fn limits(joint: &Joint) -> Option<Remark> {
    let limits = joint.limits?;
    let tight = limits.range.filter(|_| super::stops::range(joint).is_none());
    let stops = tight.map(|[lower, upper]| format!("nothing stops it at {lower} and {upper}"));
    let motor = limits.effort.or(limits.velocity);
    let motor = motor.map(|_| "no motor has its effort and velocity".to_owned());
    let words: Vec<String> = [stops, motor].into_iter().flatten().collect();
    if words.is_empty() { None } else { remark(joint, limits.line, "limit", words.join("; ")) }
}

/// Dry friction.
fn friction(joint: &Joint) -> Option<Remark> {
    let dynamics = joint.dynamics;
    let message = format!("it has no dry friction of {}", dynamics.friction);
    (dynamics.friction > 0.0).then(|| remark(joint, dynamics.line, "dynamics", message))?
}

/// Damping of joints that move in more than one way.
fn odd(joint: &Joint) -> Option<Remark> {
    let dynamics = joint.dynamics;
    let is_odd = matches!(joint.kind, JointKind::Planar | JointKind::Floating);
    let message = format!("damping of a {} joint has no one unit", joint.kind.name());
    (is_odd && dynamics.damping > 0.0).then(|| remark(joint, dynamics.line, "dynamics", message))?
}
