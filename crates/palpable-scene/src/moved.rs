//! A scene with everything where a world has it now.

use crate::document::{
    Body, Chain, Contact, Document, Inertia, LawName, Material, Orientation, Rows, Spring,
};
use crate::place::{At, Place};
use crate::quantity::{Loose, Quantity};
use crate::read::Field;
use palpable::{BodyId, ContactLaw, SystemId, Vec3, Vec6, World};

/// Writes poses, velocities, masses, surfaces, springs, contact law and gravity of a world into a
/// document of the same scene.
pub(crate) fn move_to(document: &mut Document, world: &World, systems: &[(String, SystemId)]) {
    document.gravity = three(&world.params().gravity);
    for body in document.body.0.iter_mut().flat_map(|list| &mut list.value) {
        let id = body.name.get().and_then(|name| world.body_named(&name.value));
        let Some(id) = id else { continue };
        if !body.fixed.or(false) {
            move_body(&mut body.value, id, world);
        }
        set_surface(&mut body.value, id, world);
    }
    for spring in document.spring.0.iter_mut().flat_map(|list| &mut list.value) {
        set_spring(&mut spring.value, world);
    }
    set_law(document, world.options().contact_law);
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

/// How its surface rubs and bounces, if that was changed.
fn set_surface(body: &mut Body, id: BodyId, world: &World) {
    let place = world
        .model()
        .bodies()
        .iter()
        .position(|b| body.name.get().is_some_and(|name| name.value == b.name) && !b.gone);
    let before = place.and_then(|place| world.model().params().surfaces.bodies.get(place));
    let (Some(now), Some(before)) = (world.material(id), before) else { return };
    if now == *before {
        return;
    }
    let fresh = || At { value: Material::default(), place: Place::default() };
    let material = &mut body.material.0.get_or_insert_with(fresh).value;
    material.friction = field(Quantity::new(now.friction));
    material.static_friction = field(Quantity::new(now.static_friction));
    material.restitution = field(Quantity::new(now.restitution));
}

/// Stiffness and damping of a spring that has a name, if they were changed.
fn set_spring(spring: &mut Spring, world: &World) {
    let Some(name) = spring.name.get().map(|name| name.value.as_str()) else { return };
    let elements = world.model().elements();
    let Some(place) = elements.iter().position(|e| e.name == name) else { return };
    let rows = elements[place].kind.rows();
    let (now, before) = (&world.params().elements[place], &world.model().params().elements[place]);
    let each = |v: &Vec6| {
        let one = |value: &f64| At { value: Loose::new(*value), place: Place::default() };
        field(Rows::Each(v.iter().take(rows).map(one).collect()))
    };
    if now.stiffness != before.stiffness {
        spring.stiffness = each(&now.stiffness);
    }
    if now.damping != before.damping {
        spring.damping = each(&now.damping);
    }
}

/// The contact law, if it is another.
fn set_law(document: &mut Document, law: ContactLaw) {
    let now = document.contact.get().and_then(|c| c.law.get()).map(|l| l.value);
    let law_name = match law {
        ContactLaw::Cone => LawName::Cone,
        ContactLaw::PrintedElastic { .. } => LawName::PrintedElastic,
        ContactLaw::PrintedPlastic { .. } => LawName::PrintedPlastic,
    };
    if now.unwrap_or_default() == law_name && law.sides().is_none() {
        return;
    }
    let fresh = || At { value: Contact::default(), place: Place::default() };
    let contact = &mut document.contact.0.get_or_insert_with(fresh).value;
    contact.law = field(law_name);
    contact.sides = Field(law.sides().map(|n| At { value: n.into(), place: Place::default() }));
    if law_name != LawName::Cone {
        // it has its own way with collisions
        contact.collision = Field(None);
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
