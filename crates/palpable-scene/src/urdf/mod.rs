//! Robots from URDF files.
//!
//! A [`Robot`] is the file as a checked tree of links and joints, free of any world; every
//! mistake is reported at once, and every tag that is not used as a [`Remark`]. Mounting it adds
//! bodies, joints and dampers to a model, or a scene does so by `[[include]]`.

mod axis;
mod files;
mod generalized;
mod geometry;
mod inertia;
mod joint;
mod limits;
mod link;
mod mass;
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
mod tag;
mod tree;
mod weld;

pub use mount::{Base, Coordinates, Mount, MountError, Mounted};
pub(crate) use read::{Source, read};
pub use remark::{Remark, RemarkKind};
pub use robot::{Dynamics, Form, Geometry, Joint, JointKind, Limits, Link, Mimic, Part, Robot};
