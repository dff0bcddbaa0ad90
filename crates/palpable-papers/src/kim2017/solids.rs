//! Bodies of a world as solids of a picture.

use palpable::{BodyId, Pose, Shape, World};
use palpable_record::figure::Color;
use palpable_record::picture::{Place, Solid};
use palpable_scene::Look;
use palpable_scene::urdf::Form;

/// Position and quaternion `x, y, z, w`.
pub(super) fn place(pose: &Pose) -> Place {
    let (p, q) = (pose.position, pose.rotation.coords);
    [p.x, p.y, p.z, q.x, q.y, q.z, q.w]
}

/// The solid of a shape.
pub(super) fn solid(shape: &Shape, pose: &Pose, color: Color) -> Solid {
    let place = place(pose);
    match shape {
        Shape::Sphere { radius } => Solid::ball(&place, *radius, color),
        Shape::Box { half_extents: half } => {
            Solid::cuboid(&place, [2.0 * half.x, 2.0 * half.y, 2.0 * half.z], color)
        }
        Shape::Capsule { half_length, radius } => {
            Solid::capsule(&place, *half_length, *radius, color)
        }
        Shape::Cylinder { half_length, radius } => {
            Solid::cylinder(&place, *half_length, *radius, color)
        }
        Shape::ConvexHull { surface } | Shape::Mesh { surface } => {
            let vertices = surface.vertices().iter().map(|v| [v.x, v.y, v.z]).collect();
            Solid::triangles(&place, vertices, surface.triangles(), color)
        }
    }
}

/// All that a world shows now, by what bodies look like, else by their shapes.
pub(super) fn seen(world: &World, looks: &[Look], color: impl Fn(&str) -> Color) -> Vec<Solid> {
    let mut all = Vec::new();
    for (i, body) in world.model().bodies().iter().enumerate() {
        let pose = world.pose(BodyId::from_index(i));
        let own: Vec<&Look> = looks.iter().filter(|look| look.body == body.name).collect();
        for look in &own {
            let Form::Solid(shape) = &look.form else { continue };
            let at = Pose {
                position: pose.position + pose.rotation * look.pose.position,
                rotation: pose.rotation * look.pose.rotation,
            };
            all.push(solid(shape, &at, color(&body.name)));
        }
        if let (true, Some(shape)) = (own.is_empty(), &body.shape) {
            all.push(solid(shape, &pose, color(&body.name)));
        }
    }
    all
}
