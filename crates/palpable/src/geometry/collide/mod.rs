//! Collision detection: from poses and shapes to contacts.
//!
//! [`CollisionPipeline`] finds the pairs of bodies that are near each other and their contacts,
//! before they touch, and recognises each contact from one update to the next. Everything it
//! needs is set aside when it is built.

mod adopt;
mod broad;
mod clip;
mod collision_error;
mod collision_shape;
mod contact;
mod convex;
mod decompose;
mod epa;
mod facet;
mod feature;
mod frame;
mod gjk;
mod glide;
mod groups;
mod half_space;
mod height_field;
mod impact;
mod manifold;
mod moulds;
mod narrow;
mod persist;
mod piece;
mod pipeline;
mod point;
mod polyhedron;
mod proximity;
mod query;
mod ray;
mod reduce;
mod sat_box;
mod sat_poly;
mod simplex;
mod tree;
mod triangle;
mod triangle_mesh;

pub use collision_error::CollisionError;
pub use collision_shape::CollisionShape;
pub use contact::{CollisionReport, Contact, Manifold};
pub use frame::Isometry;
pub use groups::Groups;
pub use impact::{Impact, Motion};
pub use moulds::MouldPiece;
pub use pipeline::{Collider, CollisionMemory, CollisionOptions, CollisionPipeline, Listing};
pub(super) use polyhedron::outlines;
pub use proximity::Proximity;
pub use query::Found;
pub use ray::RayHit;
