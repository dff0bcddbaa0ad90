//! Shapes of bodies and floors.

use palpable::Vec3;

/// The shape of a body [m].
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// A box of these half extents.
    Cuboid(Vec3),
    /// A ball of this radius.
    Ball(f64),
    /// A capsule along z.
    Capsule {
        /// Half length without the caps [m].
        half_length: f64,
        /// Radius [m].
        radius: f64,
    },
    /// A cylinder along z.
    Cylinder {
        /// Half length [m].
        half_length: f64,
        /// Radius [m].
        radius: f64,
    },
    /// The convex hull of points.
    Hull(Vec<Vec3>),
    /// An L-shaped prism as a mesh; its arms are twice this wide.
    Bracket(f64),
    /// A box with a ball at each end, touching as three pieces; half its length.
    Dumbbell(f64),
    /// Floor: all below z = 0.
    HalfSpace,
    /// Floor: a flat mesh of this half side.
    Plane(f64),
    /// Floor: a mesh like a bowl.
    Bowl {
        /// Half side [m].
        half_side: f64,
        /// Height of the rim at the middle of a side [m].
        depth: f64,
    },
    /// Floor: a bumpy height field of this half side.
    Field(f64),
}

impl Form {
    /// Radius of a ball about the origin that holds the shape [m], 0 for floors.
    pub fn radius(&self) -> f64 {
        match self {
            Form::Cuboid(half) => half.norm(),
            Form::Ball(radius) => *radius,
            Form::Capsule { half_length, radius } => half_length + radius,
            Form::Cylinder { half_length, radius } => half_length.hypot(*radius),
            Form::Hull(points) => points.iter().map(Vec3::norm).fold(0.0, f64::max),
            Form::Bracket(size) => 2.0 * size,
            Form::Dumbbell(size) => 1.4 * size,
            Form::HalfSpace | Form::Plane(_) | Form::Bowl { .. } | Form::Field(_) => 0.0,
        }
    }
}
