//! Generalized coordinates: chains of parts, one coordinate for each joint.

use super::axis::z_to;
use super::mass::compose;
use super::mount::{Base, Mount, MountError, Mounted};
use super::pending;
use super::robot::{JointKind, Part, Robot};
use super::solid::{self, Solid};
use palpable::{BodyId, Chain, Link, ModelBuilder, Pose, Vec3};

/// A chain being made: the part it stands on, if that moves freely, and its links.
struct Draft {
    chain: Chain,
    base: Option<usize>,
    links: Vec<usize>,
}

/// Where a part is found.
#[derive(Clone, Copy)]
enum Place {
    /// It never moves.
    Ground,
    /// Base of a chain.
    Base(usize),
    /// Link of a chain.
    Link(usize, usize),
}

/// Adds chains to a model: one for each branch of a fixed root, one for each freely moving part.
pub(super) fn build(
    robot: &Robot,
    model: &mut ModelBuilder,
    mount: &Mount,
    starts: Vec<Pose>,
    positions: Vec<f64>,
) -> Result<Mounted, MountError> {
    let mut remarks = pending::remarks(robot);
    let (mut drafts, mut places): (Vec<Draft>, Vec<Place>) = Default::default();
    let shapes: Vec<_> = robot.parts.iter().map(|p| solid::solid(robot, p, &mut remarks)).collect();
    for (i, part) in robot.parts.iter().enumerate() {
        let name = mount.full_name(&robot.links[part.top].name);
        let kind = part.joint.map(|j| robot.joints[j].kind);
        let place = match kind {
            None if mount.base == Base::Fixed => Place::Ground,
            None | Some(JointKind::Floating) => {
                drafts.push(floating(i, part, name, &starts[i], &shapes[i]));
                Place::Base(drafts.len() - 1)
            }
            Some(JointKind::Planar) => {
                let joint = part.joint.map_or(String::new(), |j| robot.joints[j].name.clone());
                return Err(MountError::Planar { joint });
            }
            Some(_) => {
                let (above, joint_in_parent) = joint_frame(robot, part, &starts[0], &places);
                let link = link(robot, part, name.clone(), &positions, &shapes[i]);
                let link = link.at(joint_in_parent.position, joint_in_parent.rotation);
                add_link(&mut drafts, i, name, link, above)
            }
        };
        places.push(place);
    }
    let mut mounted = Mounted::new(robot, starts, positions, remarks);
    add_chains(robot, model, mount, drafts, shapes, &mut mounted);
    super::mimic::add(robot, model, mount, &mut mounted);
    super::stops::add(robot, model, mount, &mut mounted);
    Ok(mounted)
}

/// A chain on a part that moves freely.
fn floating(i: usize, part: &Part, name: String, start: &Pose, solid: &Solid) -> Draft {
    // a part that moves without mass is refused before
    let mut chain = Chain::new(format!("{name} chain"));
    if let Some(mass) = part.inertial {
        chain = chain.floating(name, mass, *start);
    }
    if let Some(shape) = &solid.shape {
        chain = chain.base_shape(shape.clone());
    }
    if let Some(collider) = &solid.collider {
        chain = chain.base_collider(Ok(collider.clone()));
    }
    Draft { chain, base: Some(i), links: Vec::new() }
}

/// The part above, and the frame of the joint in its axes, or in the world if it never moves.
fn joint_frame(robot: &Robot, part: &Part, root: &Pose, places: &[Place]) -> (Place, Pose) {
    let joint = part.joint.map(|j| &robot.joints[j]);
    let above = joint.and_then(|joint| robot.part_of(joint.parent));
    let (Some(joint), Some((above, frame))) = (joint, above) else {
        return (Place::Ground, Pose::default());
    };
    let frame = compose(&frame, &joint.origin);
    let turned = Pose { rotation: frame.rotation * z_to(&joint.axis), ..frame };
    match places[above] {
        Place::Ground => (Place::Ground, compose(root, &turned)),
        place => (place, turned),
    }
}

fn link(robot: &Robot, part: &Part, name: String, positions: &[f64], solid: &Solid) -> Link {
    let index = part.joint.unwrap_or_default();
    let joint = &robot.joints[index];
    let mut link = match joint.kind {
        JointKind::Prismatic => Link::prismatic(name),
        _ => Link::revolute(name),
    };
    if let Some(mass) = part.inertial {
        link = link.inertia(mass.mass, mass.center_of_mass, mass.inertia);
    }
    if let Some(shape) = &solid.shape {
        link = link.looks(shape.clone());
    }
    if let Some(collider) = &solid.collider {
        link = link.collider(Ok(collider.clone()));
    }
    link.held_at(Vec3::zeros(), z_to(&joint.axis))
        .start(positions[index], 0.0)
        .damping(joint.dynamics.damping)
}

/// Adds a link to the chain of the part above it, or begins a chain on the ground.
fn add_link(drafts: &mut Vec<Draft>, part: usize, name: String, link: Link, above: Place) -> Place {
    let (chain, link) = match above {
        Place::Ground => {
            let chain = Chain::new(format!("{name} chain"));
            drafts.push(Draft { chain, base: None, links: Vec::new() });
            (drafts.len() - 1, link)
        }
        Place::Base(chain) => (chain, link),
        Place::Link(chain, parent) => (chain, link.on(parent)),
    };
    drafts[chain].links.push(part);
    Place::Link(chain, drafts[chain].chain.link(link))
}

/// Hands everything to the model, and remembers which body is which part.
fn add_chains(
    robot: &Robot,
    model: &mut ModelBuilder,
    mount: &Mount,
    drafts: Vec<Draft>,
    shapes: Vec<Solid>,
    mounted: &mut Mounted,
) {
    let mut bodies: Vec<Option<BodyId>> = vec![None; robot.parts.len()];
    let single = |i: usize| {
        let (part, start) = (&robot.parts[i], mounted.starts[i]);
        let name = mount.full_name(&robot.links[part.top].name);
        super::maximal::body(part, name, &start, shapes[i].clone(), mount)
    };
    if mount.base == Base::Fixed {
        bodies[0] = Some(model.body(single(0)));
    }
    for Draft { chain, base, links } in drafts {
        if let (Some(base), true) = (base, links.is_empty()) {
            // nothing hangs on it: a body like any other
            bodies[base] = Some(model.body(single(base)));
            continue;
        }
        let system = model.chain(chain);
        if let Some(base) = base {
            bodies[base] = Some(system.base());
        }
        for (number, part) in links.into_iter().enumerate() {
            bodies[part] = Some(system.link(number));
            if let Some(joint) = robot.parts[part].joint {
                mounted.coordinates[joint] = Some((system, number));
            }
        }
    }
    mounted.bodies = bodies.into_iter().flatten().collect();
}
