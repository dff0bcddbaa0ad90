//! The last stage before a device.

mod command;

pub use command::{Command, Wrench};
