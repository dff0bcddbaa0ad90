//! Joints that follow others: `q = multiplier · q_leader + offset`, as hard as the joints.

use super::axis::anchors;
use super::mount::{Mount, Mounted};
use super::robot::{Mimic, Robot};
use palpable::{Joint, ModelBuilder};

/// Ties every follower to its leader. Both start where the tie puts them.
pub(super) fn add(robot: &Robot, model: &mut ModelBuilder, mount: &Mount, mounted: &mut Mounted) {
    for (index, joint) in robot.joints.iter().enumerate() {
        let Some(mimic) = joint.mimic else { continue };
        let Some(tie) = tie(robot, index, &mimic, mounted) else { continue };
        let name = format!("{} mimic", mount.full_name(&joint.name));
        let id = model.joint(tie.named(name.as_str()));
        mounted.mimics[index] = Some(id);
        mounted.elements.push((name, id));
    }
}

fn tie(robot: &Robot, follower: usize, mimic: &Mimic, mounted: &Mounted) -> Option<Joint> {
    let m = mimic.multiplier;
    let (i, j) = (mounted.coordinates[follower], mounted.coordinates[mimic.joint]);
    if let (Some((system, i)), Some((other, j))) = (i, j)
        && system == other
    {
        return Some(Joint::coupling(system, i, j, -m, mimic.offset));
    }
    let joint = &robot.joints[follower];
    let leader = &robot.joints[mimic.joint];
    let [a, b] = anchors(robot, joint, mounted)?;
    let [c, d] = anchors(robot, leader, mounted)?;
    Some(match (joint.kind.turns(), leader.kind.turns()) {
        (true, true) => Joint::gear(a, b, c, d, -m),
        (false, false) => Joint::tied_slides(a, b, c, d, -m),
        (true, false) => Joint::rack(a, b, c, d, -m),
        // a slider that follows nothing stays where it is
        (false, true) if m == 0.0 => Joint::tied_slides(a, b, a, b, 0.0),
        // q = m q_leader: q_leader − q / m stays what it is
        (false, true) => Joint::rack(c, d, a, b, -1.0 / m),
    })
}
