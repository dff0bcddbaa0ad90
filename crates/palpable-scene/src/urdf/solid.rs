//! What touches: the collision shapes of a part in its axes.

use super::mass::compose;
use super::remark::{Remark, RemarkKind};
use super::robot::{Form, Part, Robot};
use palpable::geometry::{CollisionShape, Isometry};
use palpable::{Pose, Shape, Vec3};

/// One shape that a body has, or pieces that touch without being its shape.
#[derive(Debug, Clone, Default)]
pub(super) struct Solid {
    pub shape: Option<Shape>,
    pub collider: Option<CollisionShape>,
}

/// What touches of a part; nothing if it has no shape, or one that cannot touch, which is noted.
pub(super) fn solid(robot: &Robot, part: &Part, remarks: &mut Vec<Remark>) -> Solid {
    let mut found = Vec::new();
    for (link, pose) in &part.links {
        for geometry in &robot.links[*link].collisions {
            if let Form::Solid(shape) = &geometry.form {
                found.push((shape, compose(pose, &geometry.pose), geometry.line));
            }
        }
    }
    if let [(shape, pose, _)] = found.as_slice()
        && let Some(shape) = placed(shape, pose)
    {
        return Solid { shape: Some(shape), collider: None };
    }
    let Some(&(_, _, line)) = found.first() else { return Solid::default() };
    let pieces: Result<Vec<_>, _> = found
        .iter()
        .map(|(shape, pose, _)| Ok((isometry(pose), CollisionShape::new(shape)?)))
        .collect();
    match pieces.and_then(|pieces| CollisionShape::compound(&pieces)) {
        Ok(collider) => Solid { shape: None, collider: Some(collider) },
        Err(error) => {
            let about = format!("link[{}].collision", robot.links[part.top].name);
            let message = format!("it touches nothing: {error}");
            remarks.push(Remark { kind: RemarkKind::NotSimulated, line, about, message });
            Solid::default()
        }
    }
}

fn isometry(pose: &Pose) -> Isometry {
    Isometry::from_parts(pose.position.into(), pose.rotation)
}

/// A shape moved to a pose; `None` for round ones that would have to be off their centre.
fn placed(shape: &Shape, pose: &Pose) -> Option<Shape> {
    let put = |v: &Vec3| pose.position + pose.rotation * v;
    if *pose == Pose::default() {
        return Some(shape.clone());
    }
    match shape {
        Shape::Sphere { .. } => (pose.position == Vec3::zeros()).then(|| shape.clone()),
        Shape::Box { half_extents: half } => {
            let sign = |i: usize, bit: usize| if i >> bit & 1 == 0 { -1.0 } else { 1.0 };
            let corner = |i| Vec3::new(sign(i, 0), sign(i, 1), sign(i, 2)).component_mul(half);
            let corners: Vec<_> = (0..8).map(|i| put(&corner(i))).collect();
            Shape::convex_hull(&corners).ok()
        }
        Shape::ConvexHull { surface } => {
            let points: Vec<_> = surface.vertices().iter().map(put).collect();
            Shape::convex_hull(&points).ok()
        }
        Shape::Mesh { surface } => {
            let vertices = surface.vertices().iter().map(put).collect();
            Shape::mesh(vertices, surface.triangles().to_vec()).ok()
        }
        _ => None,
    }
}
