//! Haptic devices, the safety stage before them, and the servo loop that joins them to a world.
//!
//! | room | what is there |
//! |---|---|
//! | [`coupling_choice`] | a passive coupling for a device and a rate, or why not |
//! | [`device`] | the [`Device`] trait: what a device can do, what it reports, what it takes |
//! | [`drivers`] | real devices, found at run time |
//! | [`record`] | runs as recordings, recordings as devices |
//! | [`rt`] | the servo loop: clock, deadlines, threads, statistics, energy at the handle |
//! | [`simulated`] | devices that exist only as equations, hands to hold them, mishaps |
//! | [`safety`] | the last stage before a device; nothing else can make a [`Command`] |
//!
//! A ball in a simulated hand, five quarters of a swing in virtual time:
//! ```
//! use palpable::{Body, Model, Port, Vec6, World};
//! use palpable_haptics::rt::VirtualClock;
//! use palpable_haptics::{Arm, Axes, Capabilities, Device, Direct, ForceLimit, Hand, Limits};
//! use palpable_haptics::{Mapping, Pace, Safety, Script, Servo, SimulatedDevice, Tick};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut model = Model::builder();
//! let ball = model.body(Body::sphere("ball", 0.03).mass(0.2));
//! let (k, b) = (Vec6::new(500.0, 500.0, 500.0, 0.0, 0.0, 0.0), Vec6::repeat(0.25));
//! let port = model.port(Port::reference("hand", ball.origin(), k, b));
//! let world = World::new(model.build()?);
//!
//! let mut what = Capabilities::new("my device", Axes::THREE, 1000.0);
//! (what.mass, what.damping, what.force) = (Some(0.1), Some(2.0), ForceLimit::new(10.0, 5.0));
//! let script = Script::default().swing([0.02, 0.0, 0.0, 0.0, 0.0, 0.0], 1.0, 0.0);
//! let mut device = SimulatedDevice::new(what.clone(), Hand::Arm(Arm::relaxed(script)))?;
//!
//! let render = Direct::new(world, port, Mapping::default());
//! let safety = Safety::new(Limits::for_device(&what))?;
//! let (servo, mut handle) = Servo::new(render, safety, VirtualClock::new());
//! let mut servo = servo.with_damping(2.0);
//! for _ in 0..1250 {
//!     servo.wait(Pace::Ours);
//!     servo.tick(&mut device);
//! }
//! assert!(handle.live().force.norm() > 0.01, "something is felt");
//! assert!(servo.energy().most() <= 0.0, "and the hand got back no more than it put in");
//! device.close()?;
//! # Ok(())
//! # }
//! ```
//! With real time, `ServoThread::start` runs the same servo on a thread of its own.
//!
//! A device never sees the world: it reports a [`Sample`] and takes a [`Command`]. SI units,
//! radians, `f64`; forces are those of the device **on the hand**, so `force · velocity > 0` is
//! power that the hand receives.

// units in brackets, such as [m], are not links
#![allow(rustdoc::broken_intra_doc_links)]

pub mod coupling_choice;
pub mod device;
pub mod drivers;
pub mod record;
pub mod rt;
pub mod safety;
pub mod simulated;

pub use device::{
    Attached, Axes, Buttons, CallingDevice, Capabilities, Device, DeviceError, DeviceEvent, Flow,
    ForceLimit, Gripper, Motion, Pace, Readiness, Release, Sample, Tick, Workspace,
};
pub use record::{Recorder, Replay};
pub use rt::{Direct, Ending, Mapping, Servo, ServoThread};
pub use safety::{Command, Fault, Limits, LimitsError, Safety, StartError, State, Wish, Wrench};
pub use simulated::{Arm, Faulty, Hand, Mishap, Script, SimulatedDevice};
