//! What every haptic device has in common.
//!
//! Two ways in: a [`Device`] is read and written by a thread of ours; a [`CallingDevice`] owns a
//! servo thread and calls us. Both end in the same [`Tick`]. Several devices at once are several
//! [`Attached`] values.

mod capabilities;
mod error;
mod sample;
mod traits;

pub use capabilities::{Axes, Capabilities, ForceLimit, Gripper, Motion, Workspace};
pub use error::DeviceError;
pub use sample::{Buttons, Sample};
pub use traits::{
    Attached, CallingDevice, Device, DeviceEvent, Flow, Pace, Readiness, Release, Tick,
};
