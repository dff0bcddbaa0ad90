//! Where the joints of a robot start.

use super::mount::{Mount, MountError};
use super::remark::{Remark, RemarkKind};
use super::robot::{Joint, Robot};

/// Start positions of all joints [rad or m].
pub(super) fn positions(
    robot: &Robot,
    mount: &Mount,
    remarks: &mut Vec<Remark>,
) -> Result<Vec<f64>, MountError> {
    let mut given = vec![None; robot.joints.len()];
    for &(index, position) in &mount.positions {
        let joint = robot.joints.get(index).filter(|j| j.kind.is_single() && j.mimic.is_none());
        let Some(joint) = joint.filter(|_| position.is_finite()) else {
            return Err(MountError::NoPosition { joint: index });
        };
        check_limits(joint, position)?;
        given[index] = Some(position);
    }
    let own = |i: usize| given[i].unwrap_or_else(|| usual(&robot.joints[i]));
    let mut positions: Vec<f64> = (0..robot.joints.len()).map(own).collect();
    for (i, joint) in robot.joints.iter().enumerate() {
        if given[i].is_none() && joint.mimic.is_none() && positions[i] != 0.0 {
            let message = format!("0 is outside its limits: it starts at {:.4}", positions[i]);
            let (kind, line) = (RemarkKind::Changed, joint.line);
            remarks.push(Remark { kind, line, about: format!("joint[{}]", joint.name), message });
        }
    }
    for i in 0..robot.joints.len() {
        positions[i] = followed(robot, &positions, i);
    }
    Ok(positions)
}

fn check_limits(joint: &Joint, position: f64) -> Result<(), MountError> {
    match joint.limits.and_then(|l| l.range) {
        Some([lower, upper]) if !(lower..=upper).contains(&position) => {
            let joint = joint.name.clone();
            Err(MountError::BeyondLimits { joint, position, lower, upper })
        }
        _ => Ok(()),
    }
}

/// 0, or the middle of the limits if 0 is outside.
fn usual(joint: &Joint) -> f64 {
    match joint.limits.and_then(|l| l.range) {
        Some([lower, upper]) if !(lower..=upper).contains(&0.0) => 0.5 * lower + 0.5 * upper,
        _ => 0.0,
    }
}

/// The position of a joint by way of those it follows. A robot has no circle of them.
fn followed(robot: &Robot, positions: &[f64], joint: usize) -> f64 {
    let (mut factor, mut sum, mut at) = (1.0, 0.0, joint);
    while let Some(mimic) = robot.joints[at].mimic {
        sum += factor * mimic.offset;
        factor *= mimic.multiplier;
        at = mimic.joint;
    }
    if at == joint { positions[joint] } else { sum + factor * positions[at] }
}
