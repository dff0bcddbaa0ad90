//! Opens real devices, and says what is not known about them.

use super::DeviceArgs;
use super::device::{Kind, Opened, mishap, polled};
use crate::failure::Failure;
use crate::passivity::load_profile;
use crate::text::si3;
use palpable_haptics::drivers::Flown;
use palpable_haptics::drivers::force_dimension::{ForceDimension, ForceDimensionSettings};
use palpable_haptics::drivers::haply::{ForceKey, Haply, HaplySettings};
use palpable_haptics::drivers::open_haptics::{OpenHaptics, OpenHapticsSettings};
use palpable_haptics::drivers::space_mouse::{SpaceMouse, SpaceMouseSettings};
use palpable_haptics::rt::SystemClock;
use palpable_haptics::{Attached, CallingDevice, DeviceError, Faulty, ForceLimit};
use std::time::Duration;

/// Priority of a driver's own thread, above that of the servo loop, which it must not keep waiting.
const PRIORITY: i32 = 85;

/// Opens a real device.
///
/// # Errors
/// A device that cannot be opened, in words with a cure.
pub fn open(kind: Kind<'_>, args: &DeviceArgs) -> Result<Opened, Failure> {
    let refused = |error: DeviceError| Failure::new(error.to_string());
    let mut opened = match kind {
        Kind::Haply(id) => polled(Haply::open(haply(id, args)).map_err(refused)?, args, None),
        Kind::ForceDimension(index) => {
            let settings = force_dimension(index, args);
            polled(ForceDimension::open(&settings).map_err(refused)?, args, None)
        }
        Kind::OpenHaptics(name) => calling(args, name).map_err(refused)?,
        Kind::SpaceMouse | Kind::Simulated | Kind::Replay(_) => {
            let mouse = SpaceMouse::open(space_mouse(args)).map_err(refused)?;
            polled(Flown::new(mouse, SystemClock::new(Duration::ZERO)), args, None)
        }
    };
    complete(&mut opened, args)?;
    Ok(opened)
}

fn rate(args: &DeviceArgs) -> f64 {
    args.rate_hz.unwrap_or(1000.0)
}

/// The usual limit, or the one that was asked for; half of it for ever.
fn limit(args: &DeviceArgs, usual: ForceLimit) -> ForceLimit {
    args.max_force.map_or(usual, |peak| ForceLimit::new(peak, 0.5 * peak))
}

fn haply(id: Option<&str>, args: &DeviceArgs) -> HaplySettings {
    let (places, usual) = (args.connections.places(), HaplySettings::default());
    HaplySettings {
        address: places.haply,
        events: Some(places.haply_events),
        device_id: id.map(str::to_owned),
        force_key: match args.haply_force_key.as_str() {
            "vector" => ForceKey::Vector,
            _ => ForceKey::Values,
        },
        force: limit(args, usual.force),
        rate: rate(args),
        priority: (!args.no_real_time).then_some(PRIORITY),
        ..usual
    }
}

fn force_dimension(index: Option<u8>, args: &DeviceArgs) -> ForceDimensionSettings {
    let usual = ForceDimensionSettings::default();
    ForceDimensionSettings {
        library: args.connections.places().force_dimension,
        index,
        force: limit(args, usual.force),
        rate: rate(args),
        ..usual
    }
}

fn calling(args: &DeviceArgs, name: Option<&str>) -> Result<Opened, DeviceError> {
    let usual = OpenHapticsSettings::default();
    let device = OpenHaptics::open(&OpenHapticsSettings {
        library: args.connections.places().open_haptics,
        name: name.map_or(usual.name, str::to_owned),
        force: args.max_force.map(|peak| ForceLimit::new(peak, 0.5 * peak)),
        rate: rate(args),
    })?;
    let capabilities = device.capabilities().clone();
    let attached = Attached::Calling(match mishap(args.rehearse, capabilities.rate) {
        Some((mishap, at)) => Box::new(Faulty::new(device, mishap, at)),
        None => Box::new(device),
    });
    Ok(Opened { attached, capabilities, replay: None, notes: Vec::new() })
}

fn space_mouse(args: &DeviceArgs) -> SpaceMouseSettings {
    SpaceMouseSettings {
        socket: args.connections.places().spacenav,
        rate: rate(args),
        ..SpaceMouseSettings::default()
    }
}

/// Adds what a profile tells, and says what nobody does.
fn complete(opened: &mut Opened, args: &DeviceArgs) -> Result<(), Failure> {
    let c = &mut opened.capabilities;
    if !c.can_push() {
        let note = "this device is input only: the scene's forces go nowhere";
        opened.notes.push(note.into());
        return Ok(());
    }
    if let Some(file) = &args.profile {
        let told = load_profile(file)?.device;
        c.mass = c.mass.or(Some(told.mass));
        c.damping = c.damping.or(Some(told.damping));
        c.coulomb_friction = c.coulomb_friction.or(Some(told.coulomb_friction));
        c.encoder_step = c.encoder_step.or(Some(told.encoder_step));
        c.max_stiffness = c.max_stiffness.or(told.max_stiffness);
    }
    if c.damping.is_none() {
        opened.notes.push(
            "the damping of this device is not known, so the port's stiffness was not checked; \
             --profile FILE tells it"
                .into(),
        );
    }
    if args.max_force.is_none() {
        let (peak, steady) = (si3(c.force.peak, "N"), si3(c.force.continuous, "N"));
        opened.notes.push(format!(
            "forces are kept below {peak}, and {steady} in the long run; --max-force changes it"
        ));
    }
    Ok(())
}
