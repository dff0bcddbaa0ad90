//! Shapes as collision detection sees them.

use std::sync::Arc;

use super::super::shape::Shape;
use super::collision_error::CollisionError;
use super::convex::Solid;
use super::frame::{Frame, Isometry};
use super::height_field::HeightField;
use super::polyhedron::Polyhedron;
use super::triangle_mesh::TriangleMesh;
use crate::math::Vec3;

/// A shape ready for collision detection, in its own frame. Cheap to clone.
#[derive(Debug, Clone, PartialEq)]
pub struct CollisionShape {
    pub(super) form: Form,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Form {
    Solid(Solid),
    /// `z ≤ 0`.
    HalfSpace,
    Compound(Vec<(Frame, Solid)>),
    Mesh(Arc<TriangleMesh>),
    Field(Arc<HeightField>),
}

impl CollisionShape {
    /// From a solid with a volume. A mesh that is convex becomes its hull; any other keeps its
    /// triangles, which convex shapes can touch from outside.
    pub fn new(shape: &Shape) -> Result<Self, CollisionError> {
        let solid = match shape {
            Shape::Sphere { radius } => Solid::sphere(*radius),
            Shape::Box { half_extents } => Solid::cuboid(*half_extents),
            Shape::Capsule { half_length, radius } => Solid::capsule(*half_length, *radius),
            Shape::Cylinder { half_length, radius } => Solid::cylinder(*half_length, *radius),
            Shape::ConvexHull { surface } => Solid::hull(Polyhedron::new(surface)),
            Shape::Mesh { surface } => {
                let hull = Shape::convex_hull(surface.vertices())?;
                // up to rounding only a convex solid fills its hull
                if shape.volume() < hull.volume() * (1.0 - 1e-9) {
                    let (vertices, triangles) = (surface.vertices(), surface.triangles());
                    return Self::triangle_mesh(vertices.to_vec(), triangles.to_vec());
                }
                return Self::new(&hull);
            }
        };
        Ok(Self { form: Form::Solid(solid) })
    }

    /// A ball of the given radius [m].
    pub fn sphere(radius: f64) -> Result<Self, CollisionError> {
        Self::new(&Shape::sphere(radius)?)
    }

    /// A cuboid with the given half edge lengths [m].
    pub fn cuboid(half_extents: Vec3) -> Result<Self, CollisionError> {
        Self::new(&Shape::cuboid(half_extents)?)
    }

    /// A capsule along z: half the distance between the centres of its ends, and radius [m].
    pub fn capsule(half_length: f64, radius: f64) -> Result<Self, CollisionError> {
        Self::new(&Shape::capsule(half_length, radius)?)
    }

    /// A cylinder along z: half its length, and radius [m].
    pub fn cylinder(half_length: f64, radius: f64) -> Result<Self, CollisionError> {
        Self::new(&Shape::cylinder(half_length, radius)?)
    }

    /// The convex hull of points [m].
    pub fn convex_hull(points: &[Vec3]) -> Result<Self, CollisionError> {
        Self::new(&Shape::convex_hull(points)?)
    }

    /// Everything below the plane `z = 0` of its frame: a floor, or a wall once turned.
    pub fn half_space() -> Self {
        Self { form: Form::HalfSpace }
    }

    /// Convex shapes that move as one.
    pub fn compound(pieces: &[(Isometry, CollisionShape)]) -> Result<Self, CollisionError> {
        if pieces.is_empty() {
            return Err(CollisionError::EmptyCompound);
        }
        let mut made = Vec::new();
        for (piece, (pose, shape)) in pieces.iter().enumerate() {
            let wrong = CollisionError::Offset { what: "compound piece", index: piece };
            let frame = Frame::checked(pose).ok_or(wrong)?;
            match &shape.form {
                Form::Solid(solid) => made.push((frame, solid.clone())),
                Form::Compound(inner) => {
                    made.extend(inner.iter().map(|(f, s)| (frame.times(f), s.clone())));
                }
                _ => return Err(CollisionError::PieceNotConvex { piece }),
            }
        }
        Ok(Self { form: Form::Compound(made) })
    }

    /// Triangles [m] that convex shapes touch from their front, where the corners run
    /// anticlockwise; the surface need not be closed.
    pub fn triangle_mesh(
        vertices: Vec<Vec3>,
        triangles: Vec<[u32; 3]>,
    ) -> Result<Self, CollisionError> {
        Ok(Self { form: Form::Mesh(Arc::new(TriangleMesh::new(vertices, triangles)?)) })
    }

    /// Ground over a grid: `heights[row * columns + column]` [m] at `x = column · spacing[0]`,
    /// `y = row · spacing[1]`; touched from above.
    pub fn height_field(
        columns: usize,
        spacing: [f64; 2],
        heights: Vec<f64>,
    ) -> Result<Self, CollisionError> {
        Ok(Self { form: Form::Field(Arc::new(HeightField::new(columns, spacing, heights)?)) })
    }

    /// How many convex pieces or surfaces it consists of.
    pub fn piece_count(&self) -> usize {
        if let Form::Compound(pieces) = &self.form { pieces.len() } else { 1 }
    }

    /// True for balls, boxes, capsules, cylinders and hulls.
    pub fn is_convex(&self) -> bool {
        matches!(self.form, Form::Solid(_))
    }

    pub(super) fn is_hollow(&self) -> bool {
        matches!(self.form, Form::HalfSpace | Form::Mesh(_) | Form::Field(_))
    }
}
