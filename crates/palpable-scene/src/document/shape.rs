//! Shapes of bodies.

use super::Point;
use crate::dimension::{Factor, Size};
use crate::place::{At, Mistakes, Place};
use crate::quantity::Quantity;
use crate::read::{Read, choice, document};
use crate::tree::{Node, Value};
use schemars::JsonSchema;
use serde::Serialize;

choice! {
    /// Shape of a body, in its own axes.
    enum Shape {
        /// A ball.
        Sphere("sphere", Sphere),
        /// A cuboid along the axes.
        Box("box", CuboidSize),
        /// A cylinder along z with a hemisphere at each end.
        Capsule("capsule", Round),
        /// A cylinder along z.
        Cylinder("cylinder", Round),
        /// The convex hull of points.
        Hull("hull", Hull),
        /// A closed triangle mesh.
        Mesh("mesh", Mesh),
        /// A floor or wall: everything below the x-y plane. It never moves.
        HalfSpace("half_space", HalfSpace),
    }
}

document! {
    /// A ball.
    struct Sphere {
        required {
            /// Radius [m].
            radius: Quantity<Size>,
        }
        optional {}
    }
}

document! {
    /// A cuboid, by its edges or half of them.
    struct CuboidSize {
        required {}
        optional {
            /// Lengths of the edges [m].
            size: [Quantity<Size>; 3],
            /// Half the lengths of the edges [m].
            half_extents: [Quantity<Size>; 3],
        }
    }
}

document! {
    /// A round shape along z.
    struct Round {
        required {
            /// Radius [m].
            radius: Quantity<Size>,
            /// Half the length of the straight part [m].
            half_length: Quantity<Size>,
        }
        optional {}
    }
}

document! {
    /// The convex hull of points, given here or as the vertices of a file.
    struct Hull {
        required {}
        optional {
            /// Points [m].
            points: Vec<At<Point>>,
            /// An OBJ, STL or DAE file, relative to the scene file.
            file: String,
            /// What to multiply the coordinates of the file by; one number or three.
            scale: Scale,
        }
    }
}

document! {
    /// A closed triangle mesh from a file, wound outward.
    struct Mesh {
        required {
            /// An OBJ, STL or DAE file, relative to the scene file.
            file: String,
        }
        optional {
            /// What to multiply its coordinates by; one number or three.
            scale: Scale,
            /// True turns every triangle over, for a mesh that is inside out.
            flip: bool,
        }
    }
}

/// Everything below the x-y plane of the body's axes: an empty table.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HalfSpace {}

impl Read for HalfSpace {
    fn read(node: &Node, at: &Place, mistakes: &mut Mistakes) -> Option<Self> {
        crate::read::Fields::open(node, &[], at, mistakes).map(|_| Self {})
    }
}

/// Factors for the coordinates of a file.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Scale {
    /// The same for x, y and z.
    Same(Quantity<Factor>),
    /// One for each of x, y and z.
    Each([Quantity<Factor>; 3]),
}

impl Scale {
    /// Factors for x, y and z.
    pub fn factors(&self) -> [f64; 3] {
        match self {
            Scale::Same(factor) => [factor.0; 3],
            Scale::Each(factors) => [factors[0].0, factors[1].0, factors[2].0],
        }
    }
}

impl Read for Scale {
    fn read(node: &Node, at: &Place, mistakes: &mut Mistakes) -> Option<Self> {
        match node.value {
            Value::Array(_) => Read::read(node, at, mistakes).map(Self::Each),
            _ => Quantity::read(node, at, mistakes).map(Self::Same),
        }
    }
}
