//! Shapes, from the file or from meshes it names.

use super::Assembly;
use crate::document::{CuboidSize, Hull, Mesh, Scale, Shape};
use crate::mesh_file::TriangleMesh;
use crate::place::{At, Place};
use palpable::geometry::{ShapeError, flip_winding};
use palpable::{Shape as Solid, Vec3};

impl Assembly<'_> {
    /// The shape of a body; `None` if it could not be made, which is noted.
    pub(super) fn shape(&mut self, shape: &At<Shape>) -> Option<Solid> {
        let made = match &shape.value {
            Shape::Sphere(sphere) => Solid::sphere(sphere.radius.get()?.0),
            Shape::Box(size) => Solid::cuboid(self.half_extents(size, &shape.place)?),
            Shape::Capsule(round) => {
                Solid::capsule(round.half_length.get()?.0, round.radius.get()?.0)
            }
            Shape::Cylinder(round) => {
                Solid::cylinder(round.half_length.get()?.0, round.radius.get()?.0)
            }
            Shape::Hull(hull) => Solid::convex_hull(&self.hull_points(hull, &shape.place)?),
            Shape::Mesh(mesh) => self.mesh_shape(mesh)?,
            // a body without matter: see `add_body`
            Shape::HalfSpace(_) => return None,
        };
        made.map_err(|error| self.note_shape_error(&error, &shape.place)).ok()
    }

    fn half_extents(&mut self, cuboid: &CuboidSize, at: &Place) -> Option<Vec3> {
        match (cuboid.size.get(), cuboid.half_extents.get()) {
            (Some(size), None) => Some(Vec3::from(size.value.map(|c| 0.5 * c.0))),
            (None, Some(half)) => Some(Vec3::from(half.value.map(|c| c.0))),
            (size, _) => {
                let message = match size {
                    Some(_) => "a box has both size and half_extents",
                    None => "a box has neither size nor half_extents",
                };
                self.note_once(at, message, "give one of them, such as size = [0.1, 0.1, 0.1]");
                None
            }
        }
    }

    fn hull_points(&mut self, hull: &Hull, at: &Place) -> Option<Vec<Vec3>> {
        match (hull.points.get(), hull.file.get()) {
            (Some(points), None) => {
                Some(points.value.iter().map(|p| Vec3::from(p.value.map(|c| c.0))).collect())
            }
            (None, Some(file)) => Some(scaled(self.read_mesh(file)?, hull.scale.get()).vertices),
            (points, _) => {
                let message = match points {
                    Some(_) => "a hull has both points and file",
                    None => "a hull has neither points nor file",
                };
                self.note_once(at, message, "give one of them");
                None
            }
        }
    }

    fn mesh_shape(&mut self, mesh: &Mesh) -> Option<Result<Solid, ShapeError>> {
        let read = self.read_mesh(mesh.file.get()?)?;
        let TriangleMesh { vertices, mut triangles } = scaled(read, mesh.scale.get());
        if mesh.flip.or(false) {
            flip_winding(&mut triangles);
        }
        Some(Solid::mesh(vertices, triangles))
    }

    pub(super) fn note_shape_error(&mut self, error: &ShapeError, at: &Place) {
        let text = error.to_string();
        let (message, cure) = text.split_once("; ").unwrap_or((&text, "change the shape"));
        let cure = match error {
            ShapeError::InsideOut { .. } => "set flip = true",
            _ => cure,
        };
        self.mistakes.add(at, message, cure);
    }

    /// Notes a mistake unless the part has one already, of which this may be a consequence.
    pub(super) fn note_once(&mut self, at: &Place, message: &str, cure: &str) {
        if !self.mistakes.concern(&super::part_of(at)) {
            self.mistakes.add(at, message, cure);
        }
    }
}

fn scaled(mesh: TriangleMesh, scale: Option<&At<Scale>>) -> TriangleMesh {
    mesh.scaled(Vec3::from(scale.map_or([1.0; 3], |s| s.factors())))
}
