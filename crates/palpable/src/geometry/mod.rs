//! Shapes, their mass properties, and collision detection.
//!
//! A [`Shape`] is geometry in its own frame, in metres; a density turns it into
//! [`MassProperties`]. Constructors check their input and say what to change; afterwards every
//! query is total: it never panics.

mod collide;
mod hull;
mod mass;
mod mass_polyhedron;
mod mass_primitive;
mod orient;
mod principal;
mod shape;
mod shape_error;
mod surface;
mod volume;

pub use collide::{
    Collider, CollisionError, CollisionMemory, CollisionOptions, CollisionPipeline,
    CollisionReport, CollisionShape, Contact, Found, Groups, Impact, Isometry, Listing, Manifold,
    Motion, MouldPiece, Proximity, RayHit,
};
pub use mass::{MassError, MassProperties};
pub use principal::Principal;
pub use shape::Shape;
pub use shape_error::ShapeError;
pub use surface::{ClosedSurface, flip_winding};
pub use volume::{Cutter, Mould, MouldError, Overlap, Owner, Placement, Sample};
