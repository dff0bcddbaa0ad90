//! Robots from URDF files.
//!
//! A [`Robot`] is the file as a checked tree of links and joints, free of any world; every
//! mistake is reported at once, and every tag that is not used as a [`Remark`]. [`Robot::mount`]
//! adds it to a model, in maximal coordinates (a body for each part, hard joints) or generalized
//! ones (chains); a scene does so by `[[include]]`.
//!
//! | in the file | becomes |
//! |---|---|
//! | links that fixed joints hold together | one body, with all their mass; each keeps its frame |
//! | revolute, continuous, prismatic, planar | a joint of that kind; floating needs none |
//! | damping | a damper of the joint |
//! | mimic | a tie as hard as the joints |
//! | collision | the shape of the body, as far as a body can have it |
//! | visual, material | kept in [`Link::visuals`] for whoever draws |
//! | limit, friction | kept in [`Joint`]; not simulated yet, and remarked on |
//! | anything else | ignored, and remarked on |
//!
//! A closed mesh is solid; one that is inside out is turned over, one with holes stands for its
//! convex hull, both with a remark. Axes are those of the file; COLLADA's up axis turns nothing.

mod axis;
mod files;
mod generalized;
mod geometry;
mod inertia;
mod joint;
mod limits;
mod link;
pub(crate) mod mass;
mod material;
mod maximal;
mod mimic;
mod mount;
mod pending;
mod read;
mod reader;
mod remark;
mod robot;
mod solid;
mod start;
mod stops;
mod tag;
mod tree;
mod weld;

pub(crate) use mount::MOST_JOINTS;
pub use mount::{Base, Coordinates, Mount, MountError, Mounted};
pub(crate) use read::{Source, read};
pub use remark::{Remark, RemarkKind};
pub use robot::{Dynamics, Form, Geometry, Joint, JointKind, Limits, Link, Mimic, Part, Robot};
pub(crate) use stops::measure;
