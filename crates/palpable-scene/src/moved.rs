//! A scene with everything where a world has it now.

use crate::document::{Body, Chain, Document, Inertia, Orientation};
use crate::place::{At, Place};
use crate::quantity::{Loose, Quantity};
use crate::read::Field;
use palpable::{BodyId, SystemId, Vec3, World};

/// Writes poses, velocities, masses and gravity of a world into a document of the same scene.
pub(crate) fn move_to(document: &mut Document, world: &World, systems: &[(String, SystemId)]) {
    document.gravity = three(&world.params().gravity);
    for body in document.body.0.iter_mut().flat_map(|list| &mut list.value) {
        let id = body.name.get().and_then(|name| world.body_named(&name.value));
        if let (Some(id), false) = (id, body.fixed.or(false)) {
            move_body(&mut body.value, id, world);
        }
    }
    for chain in document.chain.0.iter_mut().flat_map(|list| &mut list.value) {
        let name = chain.name.get().map(|n| n.value.as_str()).unwrap_or_default();
        if let Some((_, system)) = systems.iter().find(|(n, _)| n == name) {
            move_chain(&mut chain.value, *system, world);
        }
    }
}

fn move_body(body: &mut Body, id: BodyId, world: &World) {
    let pose = world.pose(id);
    let q = pose.rotation.coords;
    body.position = three(&pose.position);
    let turn = [q.w, q.x, q.y, q.z].map(Quantity::new);
    body.orientation = field(Orientation::Quaternion(turn));
    body.velocity = three(&world.velocity(id));
    body.angular_velocity = three(&world.angular_velocity(id));
    let name = body.name.get().map(|n| n.value.as_str()).unwrap_or_default();
    let info = world.model().bodies().iter().find(|b| b.name == name);
    let Some(moving) = info.and_then(|b| b.moving) else { return };
    let (now, start) = (world.params(), world.model().params());
    let (mass, before) = (now.bodies[moving].mass, start.bodies[moving].mass);
    if mass != before {
        body.mass = field(Quantity::new(mass));
        body.density = Field(None);
        if let Some(inertia) = &mut body.inertia.0 {
            scale(&mut inertia.value, mass / before);
        }
    }
}

/// Inertia grows with mass.
fn scale(inertia: &mut Inertia, factor: f64) {
    match inertia {
        Inertia::Diagonal(d) => d.iter_mut().for_each(|q| q.0 *= factor),
        Inertia::Matrix(rows) => rows.iter_mut().flatten().for_each(|q| q.0 *= factor),
        Inertia::Parts(parts) => {
            for list in [&mut parts.diagonal, &mut parts.products] {
                list.0.iter_mut().flat_map(|at| &mut at.value).for_each(|q| q.0 *= factor);
            }
        }
    }
}

/// Joint positions and rates; where its base is, if it has one.
fn move_chain(chain: &mut Chain, system: SystemId, world: &World) {
    let q = world.coordinates(system);
    let joints = chain.link.get().map_or(0, |list| list.value.len());
    // a base has seven numbers and six freedoms
    let freedoms = joints + if chain.base.is_empty() { 0 } else { 6 };
    if q.len() < joints {
        return;
    }
    let mut rates = vec![0.0; freedoms];
    world.coordinate_rates(system, &mut rates);
    if let Some(base) = &mut chain.base.0 {
        let id = base.name.get().and_then(|name| world.body_named(&name.value));
        if let Some(id) = id {
            let (pose, turn) = (world.pose(id), world.pose(id).rotation.coords);
            chain.position = three(&pose.position);
            let turn = [turn.w, turn.x, turn.y, turn.z].map(Quantity::new);
            chain.orientation = field(Orientation::Quaternion(turn));
            base.value.velocity = three(&world.velocity(id));
            base.value.angular_velocity = three(&world.angular_velocity(id));
        }
    }
    let (skip_q, skip_w) = (q.len() - joints, freedoms - joints);
    let links = chain.link.0.iter_mut().flat_map(|list| &mut list.value);
    for (i, link) in links.enumerate() {
        link.value.position = field(Loose::new(q[skip_q + i]));
        link.value.velocity = field(Loose::new(rates[skip_w + i]));
    }
}

fn three<D>(v: &Vec3) -> Field<[Quantity<D>; 3]> {
    field([v.x, v.y, v.z].map(Quantity::new))
}

fn field<T>(value: T) -> Field<T> {
    Field(Some(At { value, place: Place::default() }))
}
