//! What bodies and energies look like, for viewers of recordings and in figures.

use palpable::model::BodyInfo;
use palpable::{Model, Pose, Shape, Vec3};
use palpable_record::figure::Color;
use palpable_record::{Entity, Solid, SolidForm};
use palpable_scene::Look;
use palpable_scene::urdf::Form;

/// Stored energy and losses, in the order they are stacked and in the colours of the page.
pub const ACCOUNTS: [(&str, Color); 8] = [
    ("kinetic", Color::new(0x3b, 0x76, 0xd6)),
    ("elastic", Color::new(0x12, 0xa5, 0x94)),
    ("gravity", Color::new(0x8a, 0x63, 0xd2)),
    ("tank", Color::new(0xe0, 0xa1, 0x00)),
    ("damped", Color::new(0x93, 0xa0, 0xb0)),
    ("friction", Color::new(0xb9, 0x8a, 0x5f)),
    ("impact", Color::new(0xd9, 0x60, 0x5b)),
    ("discarded", Color::new(0xc6, 0xcd, 0xd6)),
];

/// An account that never holds more than this share of the largest energy is too small to see in a
/// figure: it gets no area and no place in the legend.
pub const VISIBLE: f64 = 1e-3;

/// What an account is called in a legend: gravity counts from its lowest level, so that no area is
/// below zero.
pub fn legend(account: &str) -> &str {
    if account == "gravity" { "gravity, from its lowest" } else { account }
}

/// Greys for what moves, a darker one for what does not.
const MOVING: [[f64; 3]; 2] = [[0.76, 0.8, 0.83], [0.51, 0.6, 0.68]];
const FIXED: [f64; 3] = [0.43, 0.47, 0.52];

/// An entity for each body that has a shape. A moving body for which `framed` holds has a frame of
/// its name in the recording, others are left out; fixed ones stand in the world.
pub fn entities(model: &Model, looks: &[Look], framed: impl Fn(&str) -> bool) -> Vec<Entity> {
    let bodies = model.bodies().iter().enumerate().filter(|(_, body)| !body.gone);
    let shown = bodies.filter(|(_, body)| body.moving.is_none() || framed(&body.name));
    shown.filter_map(|(i, body)| entity(looks, i, body)).collect()
}

fn entity(looks: &[Look], index: usize, body: &BodyInfo) -> Option<Entity> {
    let usual = if body.moving.is_some() { MOVING[index % 2] } else { FIXED };
    let (frame, base) = match body.moving {
        Some(_) => (body.name.clone(), Pose::default()),
        None => ("world".to_owned(), body.start),
    };
    let looks: Vec<_> = looks.iter().filter(|look| look.body == body.name).collect();
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
