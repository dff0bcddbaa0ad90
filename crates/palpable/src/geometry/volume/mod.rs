//! Overlaps of convex solids: volume, centroid, gradient, contact polygon `[Hasegawa2004 sec. 4]`.
//!
//! A [`Mould`] is a convex solid prepared for cutting; a [`Cutter`] cuts one by the faces of
//! another and measures what is left. Buffers keep their room: nothing is allocated once they have
//! grown to the largest pair.
//!
//! # Differs from the source
//! `[Hasegawa2004 sec. 4.3]` finds the overlap as a convex hull in a dual space. Cutting needs no
//! point inside the overlap, stays continuous where faces are coplanar, and is fast for many faces
//! as well, because the first cut leaves little of them.

mod axis;
mod ball;
mod cut;
mod measure;
mod mould;
mod outline;
mod overlap;

pub use mould::{Mould, MouldError};
pub use overlap::{Cutter, Overlap, Owner, Placement, Sample};
