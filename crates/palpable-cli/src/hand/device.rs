//! From the name of a device to the device.

use super::DeviceArgs;
use super::trouble::{Rehearsal, What};
use crate::failure::Failure;
use crate::passivity::Profile;
use palpable_haptics::record::Replay;
use palpable_haptics::{
    Arm, Attached, Axes, Capabilities, Device, DeviceEvent, Faulty, ForceLimit, Hand, Mishap,
    Script, SimulatedDevice,
};

/// A device that is ready, and what it plays back if it is a recording.
pub struct Opened {
    /// The device.
    pub attached: Attached,
    /// The recording behind it.
    pub replay: Option<Replay>,
}

/// Devices by name, for messages.
const KNOWN: &str = "simulated, replay:FILE";

/// Checks a name before anything else is done.
///
/// # Errors
/// A name that nobody knows.
pub fn check(name: &str) -> Result<(), Failure> {
    match name.split_once(':') {
        None if name == "simulated" => Ok(()),
        Some(("replay", file)) if !file.is_empty() => Ok(()),
        _ => Err(Failure::new(format!("--device {name}: no such device; there are: {KNOWN}"))),
    }
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
    let name = args.device.as_deref().unwrap_or_default();
    check(name)?;
    if let Some(file) = name.strip_prefix("replay:") {
        let replay = Replay::load(file).map_err(|error| Failure::new(error.to_string()))?;
        let device = wrapped(replay.clone(), args.rehearse, replay.capabilities().rate);
        return Ok(Opened { attached: Attached::Polled(device), replay: Some(replay) });
    }
    let capabilities = simulated(args, turns)?;
    let rate = capabilities.rate;
    let device = SimulatedDevice::new(capabilities, Hand::Arm(Arm::relaxed(script())))
        .map_err(|error| Failure::new(error.to_string()))?;
    let device = wrapped(device, args.rehearse, rate);
    Ok(Opened { attached: Attached::Polled(device), replay: None })
}

/// A device of 10 N, 100 g and 2 N·s/m, or what a profile says.
fn simulated(args: &DeviceArgs, turns: bool) -> Result<Capabilities, Failure> {
    let axes = if turns { Axes::SIX } else { Axes::THREE };
    let mut c = match &args.profile {
        Some(file) => Capabilities::from_profile(&Profile::load(file)?.device),
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
    let Some(Rehearsal { what, at }) = rehearsal else { return Box::new(device) };
    let mishap = match what {
        What::Lost => Mishap::Lost,
        What::Silent => Mishap::Silent(u64::MAX / 2),
        What::Garbled => Mishap::NotANumber,
        What::Jump => Mishap::Jump(0.2),
        What::Brake => Mishap::Event(DeviceEvent::BrakeOn),
        What::Stall | What::Force | What::Late | What::Clock => return Box::new(device),
    };
    Box::new(Faulty::new(device, mishap, (at * rate) as u64 + 1))
}
