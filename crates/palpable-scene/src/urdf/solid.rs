//! What touches: the collision shapes of a part as one shape in its axes.

use super::mass::compose;
use super::remark::{Remark, RemarkKind};
use super::robot::{Form, Part, Robot};
use palpable::{Pose, Shape, Vec3};

/// The shape of a part; `None` if it has none, or one that a body cannot have yet.
pub(super) fn shape(robot: &Robot, part: &Part, remarks: &mut Vec<Remark>) -> Option<Shape> {
    let mut found = Vec::new();
    for (link, pose) in &part.links {
        for geometry in &robot.links[*link].collisions {
            if let Form::Solid(shape) = &geometry.form {
                found.push((shape, compose(pose, &geometry.pose), geometry.line));
            }
        }
    }
    let made = match found.as_slice() {
        [] => return None,
        [(shape, pose, _)] => placed(shape, pose),
        _ => None,
    };
    if made.is_none() {
        let (line, kind) = (found[0].2, RemarkKind::NotSimulated);
        let message = match found.len() {
            1 => "a round shape away from the origin of its link touches nothing".to_owned(),
            n => format!("a body of {n} shapes touches nothing"),
        };
        let about = format!("link[{}].collision", robot.links[part.top].name);
        remarks.push(Remark { kind, line, about, message });
    }
    made
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
