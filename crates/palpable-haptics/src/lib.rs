//! Haptic devices, the safety stage before them, and the servo loop that joins them to a world.
//!
//! | room | what is there |
//! |---|---|
//! | [`device`] | the [`Device`] trait: what a device can do, what it reports, what it takes |
//! | [`record`] | runs as recordings, recordings as devices |
//! | [`rt`] | the servo loop: clock, deadlines, threads, statistics, energy at the handle |
//! | [`simulated`] | devices that exist only as equations, hands to hold them, mishaps |
//! | [`safety`] | the last stage before a device; nothing else can make a [`Command`] |
//!
//! A device never sees the world: it reports a [`Sample`] and takes a [`Command`]. SI units,
//! radians, `f64`; forces are those of the device **on the hand**, so `force · velocity > 0` is
//! power that the hand receives.

// units in brackets, such as [m], are not links
#![allow(rustdoc::broken_intra_doc_links)]

pub mod device;
pub mod record;
pub mod rt;
pub mod safety;
pub mod simulated;

pub use device::{
    Attached, Axes, Buttons, CallingDevice, Capabilities, Device, DeviceError, DeviceEvent, Flow,
    ForceLimit, Gripper, Motion, Pace, Readiness, Sample, Tick, Workspace,
};
pub use record::{Recorder, Replay};
pub use rt::{Direct, Ending, Mapping, Servo, ServoThread};
pub use safety::{Command, Fault, Limits, LimitsError, Safety, StartError, State, Wish, Wrench};
pub use simulated::{Arm, Faulty, Hand, Mishap, Script, SimulatedDevice};
