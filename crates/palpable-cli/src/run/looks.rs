//! What bodies look like, for viewers of recordings.

use palpable::model::BodyInfo;
use palpable::{Pose, Shape, Vec3};
use palpable_record::{Entity, Solid, SolidForm};
use palpable_scene::Built;
use palpable_scene::urdf::Form;
use std::collections::BTreeSet;

/// Greys for what moves, a darker one for what does not.
const MOVING: [[f64; 3]; 2] = [[0.76, 0.8, 0.83], [0.51, 0.6, 0.68]];
const FIXED: [f64; 3] = [0.43, 0.47, 0.52];

/// An entity for each body that has a shape. Bodies of the recording have a frame of their name;
/// fixed ones stand in the world.
pub fn entities(built: &Built) -> Vec<Entity> {
    let names: BTreeSet<&str> = built.record.bodies.iter().map(|b| b.name.as_str()).collect();
    let named = |body: &BodyInfo| names.contains(body.name.as_str());
    let bodies = built.model.bodies().iter().enumerate();
    let shown = bodies.filter(|(_, body)| body.moving.is_none() || named(body));
    shown.filter_map(|(i, body)| entity(built, i, body)).collect()
}

fn entity(built: &Built, index: usize, body: &BodyInfo) -> Option<Entity> {
    let usual = if body.moving.is_some() { MOVING[index % 2] } else { FIXED };
    let (frame, base) = match body.moving {
        Some(_) => (body.name.clone(), Pose::default()),
        None => ("world".to_owned(), body.start),
    };
    let looks: Vec<_> = built.looks.iter().filter(|look| look.body == body.name).collect();
    let mut solids = Vec::new();
    for look in &looks {
        let color = look.color.unwrap_or(usual);
        let pose = compose(&base, &look.pose);
        match &look.form {
            Form::Solid(shape) => solids.extend(solid(shape, &pose, color)),
            Form::Surface(mesh) => {
                let corner = |i: &u32| mesh.vertices.get(*i as usize).map(numbers);
                let corners = mesh.triangles.iter().flatten().filter_map(corner).collect();
                solids.push(of(&pose, color, SolidForm::Triangles(corners)));
            }
        }
    }
    if let (true, Some(shape)) = (looks.is_empty(), &body.shape) {
        solids.extend(solid(shape, &base, usual));
    }
    let name = body.name.clone();
    (!solids.is_empty()).then_some(Entity { frame, name, solids })
}

fn solid(shape: &Shape, pose: &Pose, color: [f64; 3]) -> Vec<Solid> {
    let one = |form| vec![of(pose, color, form)];
    match shape {
        Shape::Sphere { radius } => one(SolidForm::Ball(2.0 * radius)),
        Shape::Box { half_extents } => one(SolidForm::Cube(numbers(&(half_extents * 2.0)))),
        Shape::Cylinder { half_length, radius } => {
            one(SolidForm::Cylinder([2.0 * radius, 2.0 * half_length]))
        }
        Shape::Capsule { half_length, radius } => {
            let end = |sign: f64| {
                let position = pose.position + pose.rotation * Vec3::z() * (sign * half_length);
                of(&Pose { position, ..*pose }, color, SolidForm::Ball(2.0 * radius))
            };
            let middle = SolidForm::Cylinder([2.0 * radius, 2.0 * half_length]);
            vec![of(pose, color, middle), end(1.0), end(-1.0)]
        }
        Shape::ConvexHull { surface } | Shape::Mesh { surface } => {
            let corner = |i: &u32| surface.vertices().get(*i as usize).map(numbers);
            let corners = surface.triangles().iter().flatten().filter_map(corner).collect();
            one(SolidForm::Triangles(corners))
        }
    }
}

fn of(pose: &Pose, [r, g, b]: [f64; 3], form: SolidForm) -> Solid {
    let (p, q) = (pose.position, pose.rotation.coords);
    Solid { pose: [p.x, p.y, p.z, q.x, q.y, q.z, q.w], color: [r, g, b, 1.0], form }
}

fn numbers(v: &Vec3) -> [f64; 3] {
    [v.x, v.y, v.z]
}

fn compose(a: &Pose, b: &Pose) -> Pose {
    Pose { position: a.position + a.rotation * b.position, rotation: a.rotation * b.rotation }
}
