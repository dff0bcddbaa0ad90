//! From the name of a device to the device.

use super::trouble::{Rehearsal, What};
use super::{DeviceArgs, real};
use crate::failure::Failure;
use crate::passivity::load_profile;
use palpable::Vec3;
use palpable_haptics::record::Replay;
use palpable_haptics::{
    Arm, Attached, Axes, Capabilities, Device, DeviceEvent, Faulty, ForceLimit, Hand, Mishap,
    Script, SimulatedDevice,
};

/// A device that is ready, and what it plays back if it is a recording.
pub struct Opened {
    /// The device.
    pub attached: Attached,
    /// What it can do, with what a profile adds.
    pub capabilities: Capabilities,
    /// The recording behind it.
    pub replay: Option<Replay>,
    /// What the user should know about it.
    pub notes: Vec<String>,
}

/// Devices by name, for messages.
const KNOWN: &str = "simulated, replay:FILE, haply[:ID], forcedimension[:N], \
                     openhaptics[:NAME], spacemouse";

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind<'a> {
    /// A simulated device.
    Simulated,
    /// A recording.
    Replay(&'a str),
    /// A Haply Inverse3, by id.
    Haply(Option<&'a str>),
    /// A Force Dimension device, by number.
    ForceDimension(Option<u8>),
    /// An OpenHaptics device, by name.
    OpenHaptics(Option<&'a str>),
    /// A SpaceMouse.
    SpaceMouse,
}

/// What a name stands for.
///
/// # Errors
/// A name that nobody knows.
pub fn kind(name: &str) -> Result<Kind<'_>, Failure> {
    let (word, which) = match name.split_once(':') {
        Some((word, which)) => (word, Some(which)),
        None => (name, None),
    };
    let unknown = || Failure::new(format!("--device {name}: no such device; there are: {KNOWN}"));
    match (word, which) {
        (_, Some("")) => Err(unknown()),
        ("simulated", None) => Ok(Kind::Simulated),
        ("replay", Some(file)) => Ok(Kind::Replay(file)),
        ("haply", id) => Ok(Kind::Haply(id)),
        ("forcedimension", None) => Ok(Kind::ForceDimension(None)),
        ("forcedimension", Some(number)) => match number.parse::<u8>() {
            Ok(number) if number < 128 => Ok(Kind::ForceDimension(Some(number))),
            _ => {
                Err(Failure::new(format!("--device {name}: give a number from 0, not `{number}`")))
            }
        },
        ("openhaptics", name) => Ok(Kind::OpenHaptics(name)),
        ("spacemouse", None) => Ok(Kind::SpaceMouse),
        _ => Err(unknown()),
    }
}

/// True if a name stands for something that exists.
pub fn is_real(name: &str) -> bool {
    !matches!(kind(name), Ok(Kind::Simulated | Kind::Replay(_)) | Err(_))
}

/// Opens a device. A simulated one is held by a relaxed arm that follows `script`.
///
/// # Errors
/// A device that cannot be opened, in words with a cure.
pub fn open(
    args: &DeviceArgs,
    turns: bool,
    script: impl FnOnce() -> Script,
) -> Result<Opened, Failure> {
    match kind(args.name())? {
        Kind::Simulated => {
            let capabilities = simulated(args, turns)?;
            let hand = Hand::Arm(Arm::relaxed(script()));
            let device = SimulatedDevice::new(capabilities, hand)
                .map_err(|error| Failure::new(error.to_string()))?;
            Ok(polled(device, args, None))
        }
        Kind::Replay(file) => {
            let replay = Replay::load(file).map_err(|error| Failure::new(error.to_string()))?;
            Ok(polled(replay.clone(), args, Some(replay)))
        }
        real => real::open(real, args),
    }
}

/// A device that we read and write, with a mishap if one is rehearsed.
pub fn polled<D: Device + 'static>(device: D, args: &DeviceArgs, replay: Option<Replay>) -> Opened {
    let capabilities = device.capabilities().clone();
    let device = wrapped(device, args.rehearse, capabilities.rate);
    Opened { attached: Attached::Polled(device), capabilities, replay, notes: Vec::new() }
}

/// A device of 10 N, 100 g and 2 N·s/m, or what a profile says.
fn simulated(args: &DeviceArgs, turns: bool) -> Result<Capabilities, Failure> {
    let axes = if turns { Axes::SIX } else { Axes::THREE };
    let mut c = match &args.profile {
        Some(file) => Capabilities::from_profile(&load_profile(file)?.device),
        None => Capabilities {
            mass: Some(0.1),
            damping: Some(2.0),
            ..Capabilities::new("simulated device", axes, 1000.0)
        },
    };
    (c.sensed, c.actuated) = (axes, axes);
    if c.force.peak <= 0.0 {
        c.force = ForceLimit::new(10.0, 5.0);
    }
    c.torque = ForceLimit::new(0.5, 0.25);
    // a handle about 3 cm from the point where it is held
    c.inertia = c.mass.map(|m| 1e-3 * m);
    c.rotational_damping = c.damping.map(|b| 1e-3 * b);
    c.rate = args.rate_hz.unwrap_or(c.rate);
    Ok(c)
}

/// The device itself, or one with a mishap.
fn wrapped<D: Device + 'static>(
    device: D,
    rehearsal: Option<Rehearsal>,
    rate: f64,
) -> Box<dyn Device> {
    match mishap(rehearsal, rate) {
        Some((mishap, at)) => Box::new(Faulty::new(device, mishap, at)),
        None => Box::new(device),
    }
}

/// What a rehearsal asks of the device, and at which reading.
pub fn mishap(rehearsal: Option<Rehearsal>, rate: f64) -> Option<(Mishap, u64)> {
    let Rehearsal { what, at } = rehearsal?;
    let mishap = match what {
        What::Lost => Mishap::Lost,
        What::Silent => Mishap::Silent(u64::MAX / 2),
        What::Garbled => Mishap::NotANumber,
        What::Jump => Mishap::Jump(0.2),
        What::Far => Mishap::Jump(1e3),
        What::Stuck => Mishap::Stuck(Vec3::new(0.5, 0.0, 0.0)),
        What::Order => Mishap::Disordered,
        What::Future => Mishap::Future,
        What::Brake => Mishap::Event(DeviceEvent::BrakeOn),
        What::Stall | What::Force | What::Hang | What::Panic | What::Late | What::Clock => {
            return None;
        }
    };
    // the cast saturates: a time that is never reached
    Some((mishap, ((at * rate) as u64).saturating_add(1)))
}
