//! The shapes a body can have.

use nalgebra::Vector3;

use super::mass::MassProperties;
use super::shape_error::{ShapeError, check_length};
use super::surface::ClosedSurface;
use super::{hull, mass_polyhedron, mass_primitive};

/// A solid, in its own frame. Lengths in metres.
///
/// Build it with the functions below: they refuse what has no volume. Primitives are centred at
/// the origin of the shape frame; hulls and meshes keep the coordinates they were given.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// A ball.
    Sphere {
        /// Radius [m].
        radius: f64,
    },
    /// A cuboid along the axes of its frame.
    Box {
        /// Half the length of each edge [m].
        half_extents: Vector3<f64>,
    },
    /// A cylinder along z with a hemisphere at each end.
    Capsule {
        /// Half the distance between the centres of the hemispheres [m].
        half_length: f64,
        /// Radius of cylinder and hemispheres [m].
        radius: f64,
    },
    /// A cylinder along z.
    Cylinder {
        /// Half the distance between its flat ends [m].
        half_length: f64,
        /// Radius [m].
        radius: f64,
    },
    /// The convex hull of points.
    ConvexHull {
        /// Its boundary; the vertices are those of the given points that span it.
        surface: ClosedSurface,
    },
    /// The inside of a closed triangle mesh, convex or not.
    Mesh {
        /// Its boundary.
        surface: ClosedSurface,
    },
}

/// Slope below which a cylinder touches with its mantle, or lies on its cap [rad].
const MANTLE: f64 = 1e-2;
/// How nearly a point must be where a rim touches.
const EDGE: f64 = 0.999;

impl Shape {
    /// A ball of the given radius [m].
    pub fn sphere(radius: f64) -> Result<Self, ShapeError> {
        Ok(Shape::Sphere { radius: check_length("sphere radius", radius)? })
    }

    /// A cuboid with the given half edge lengths [m].
    pub fn cuboid(half_extents: Vector3<f64>) -> Result<Self, ShapeError> {
        check_length("box half_extents.x", half_extents.x)?;
        check_length("box half_extents.y", half_extents.y)?;
        check_length("box half_extents.z", half_extents.z)?;
        Ok(Shape::Box { half_extents })
    }

    /// A capsule along z: half the distance between the centres of its ends [m], and radius [m].
    pub fn capsule(half_length: f64, radius: f64) -> Result<Self, ShapeError> {
        Ok(Shape::Capsule {
            half_length: check_length("capsule half_length", half_length)?,
            radius: check_length("capsule radius", radius)?,
        })
    }

    /// A cylinder along z: half its length [m], and radius [m].
    pub fn cylinder(half_length: f64, radius: f64) -> Result<Self, ShapeError> {
        Ok(Shape::Cylinder {
            half_length: check_length("cylinder half_length", half_length)?,
            radius: check_length("cylinder radius", radius)?,
        })
    }

    /// The convex hull of points [m]; points inside it are dropped.
    pub fn convex_hull(points: &[Vector3<f64>]) -> Result<Self, ShapeError> {
        Ok(Shape::ConvexHull { surface: hull::convex_hull(points)? })
    }

    /// A closed mesh: vertices [m], and triangles whose corners run anticlockwise seen from
    /// outside. Vertices at equal positions count as one when the surface is checked for holes.
    pub fn mesh(vertices: Vec<Vector3<f64>>, triangles: Vec<[u32; 3]>) -> Result<Self, ShapeError> {
        Ok(Shape::Mesh { surface: ClosedSurface::new(vertices, triangles)? })
    }

    /// Volume [m³].
    pub fn volume(&self) -> f64 {
        self.mass_properties(1.0).mass
    }

    /// Mass, centre of mass and inertia for a uniform density [kg/m³].
    ///
    /// A density that is not positive and finite gives a result that
    /// [`MassProperties::validate`] refuses.
    pub fn mass_properties(&self, density: f64) -> MassProperties {
        match self {
            Shape::Sphere { radius } => mass_primitive::sphere(density, *radius),
            Shape::Box { half_extents } => mass_primitive::cuboid(density, half_extents),
            Shape::Capsule { half_length, radius } => {
                mass_primitive::capsule(density, *half_length, *radius)
            }
            Shape::Cylinder { half_length, radius } => {
                mass_primitive::cylinder(density, *half_length, *radius)
            }
            Shape::ConvexHull { surface } | Shape::Mesh { surface } => {
                mass_polyhedron::solid(density, surface)
            }
        }
    }

    /// True if part of its surface is round.
    pub fn is_round(&self) -> bool {
        matches!(self, Shape::Sphere { .. } | Shape::Capsule { .. } | Shape::Cylinder { .. })
    }

    /// The point below `local`, a point of the surface, about which the surface is round there; the
    /// point itself where it is not. `inward` is the normal there, pointing in. Shape frame [m].
    pub fn round_center(&self, local: &Vector3<f64>, inward: &Vector3<f64>) -> Vector3<f64> {
        match self {
            Shape::Sphere { .. } => Vector3::zeros(),
            Shape::Capsule { half_length, .. } => {
                Vector3::new(0.0, 0.0, local.z.clamp(-half_length, *half_length))
            }
            // round only where the mantle touches
            Shape::Cylinder { .. } if inward.z.abs() < MANTLE => Vector3::new(0.0, 0.0, local.z),
            _ => *local,
        }
    }

    /// Centre [m] and radius [m] of the rim about z that touches at `local`, where it touches with
    /// the point of the rim that lies furthest against `inward`.
    pub fn rim(&self, local: &Vector3<f64>, inward: &Vector3<f64>) -> Option<(Vector3<f64>, f64)> {
        let Shape::Cylinder { half_length, radius } = self else { return None };
        let (across, out) = (local.xy(), -inward.xy());
        let lean = out.norm();
        let at_rim = local.z.abs() >= half_length * EDGE && across.norm() >= radius * EDGE;
        let furthest = across.dot(&out) >= EDGE * across.norm() * lean;
        let leans = inward.z.abs() >= MANTLE && lean >= MANTLE;
        (at_rim && leans && furthest).then(|| (Vector3::new(0.0, 0.0, local.z), *radius))
    }

    /// Radius of the smallest ball around the *origin of the shape frame* that holds the
    /// shape [m].
    pub fn bounding_radius(&self) -> f64 {
        match self {
            Shape::Sphere { radius } => *radius,
            Shape::Box { half_extents } => half_extents.norm(),
            Shape::Capsule { half_length, radius } => half_length + radius,
            Shape::Cylinder { half_length, radius } => half_length.hypot(*radius),
            Shape::ConvexHull { surface } | Shape::Mesh { surface } => {
                surface.vertices().iter().map(|p| p.norm()).fold(0.0, f64::max)
            }
        }
    }
}
