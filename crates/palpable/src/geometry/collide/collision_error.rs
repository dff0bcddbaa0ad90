//! What can be wrong with a collision scene, and the cure.

use super::super::shape_error::ShapeError;

/// Why a collision shape or a scene of them was refused.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum CollisionError {
    /// A shape without sense.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// A compound without pieces.
    #[error("the compound has no pieces; give at least one convex shape")]
    EmptyCompound,
    /// A compound may only hold convex shapes.
    #[error("piece {piece} of the compound is not convex; cut it into convex pieces")]
    PieceNotConvex {
        /// Position in the list of pieces.
        piece: usize,
    },
    /// A pose with NaN, infinite or huge numbers.
    #[error("the offset of {what} {index} is not a finite pose; give finite metres, unit rotation")]
    Offset {
        /// What the pose belongs to.
        what: &'static str,
        /// Which of them.
        index: usize,
    },
    /// A collider names a body that does not exist.
    #[error("collider {collider} names body {body} of {bodies}; count bodies from 0")]
    BodyOutOfRange {
        /// Position in the list of colliders.
        collider: usize,
        /// The body it names.
        body: usize,
        /// How many bodies there are.
        bodies: usize,
    },
    /// Two meshes, height fields or half-spaces of which one moves cannot meet.
    #[error(
        "colliders {first} and {second} are both meshes, height fields or half-spaces and one \
         moves; make it convex (hull or compound), hold it still, or part them by groups"
    )]
    BothHollow {
        /// The one collider.
        first: usize,
        /// The other.
        second: usize,
    },
    /// A height field needs a grid of at least two by two.
    #[error(
        "the height field has {rows} rows and {columns} columns for {heights} heights; give \
             at least 2 by 2 and rows times columns heights"
    )]
    Grid {
        /// Samples along y.
        rows: usize,
        /// Samples along x.
        columns: usize,
        /// How many heights were given.
        heights: usize,
    },
    /// A triangle of no area.
    #[error("no triangle of the mesh has an area; give corners that do not lie on a line")]
    NoArea,
    /// A mesh too hollow for the pieces allowed.
    #[error("the mesh needs more than {most} convex pieces; allow more, or simplify its hollows")]
    TooManyPieces {
        /// How many were allowed.
        most: usize,
    },
    /// A distance that must not be negative or NaN.
    #[error("{field} is {value}; give a distance of zero or more, in metres")]
    Distance {
        /// Which field.
        field: &'static str,
        /// The value given.
        value: f64,
    },
}
