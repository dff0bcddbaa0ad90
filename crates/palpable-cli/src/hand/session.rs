//! Everything that is decided before the first tick.

use super::trouble::What;
use super::{DeviceArgs, device};
use crate::failure::Failure;
use crate::text::si3;
use palpable::coupling::{Impulses, Rendering};
use palpable::{Payment, PortId, PortInput, PortOutput, Vec3, Vec6, World};
use palpable_haptics::coupling_choice::{ChoiceError, CouplingWish, choose_coupling};
use palpable_haptics::record::{ImpulseSetup, Replay, Setup};
use palpable_haptics::rt::Mapping;
use palpable_haptics::{Attached, Capabilities, Limits, Safety, Script};
use palpable_scene::Built;

/// Rates of a servo loop \[Hz\].
pub const RATES: std::ops::RangeInclusive<f64> = 1.0..=20_000.0;

/// A scene in one hand.
pub struct Session {
    /// The scene.
    pub built: Built,
    /// The world at its start.
    pub world: World,
    /// What holds it.
    pub hand: Hand,
}

/// A device, and how it is joined to a world.
pub struct Hand {
    /// The port that is held, and its name.
    pub port: (PortId, String),
    /// The device, until the loop has it.
    pub attached: Option<Attached>,
    /// What it can do, at the rate of the loop.
    pub capabilities: Capabilities,
    /// The recording that is played back.
    pub replay: Option<Replay>,
    /// Device to world.
    pub mapping: Mapping,
    /// The last stage before the device.
    pub safety: Safety,
    /// What a replay needs to know.
    pub setup: Setup,
    /// What was changed without being asked for.
    pub notes: Vec<String>,
}

/// Opens the device and joins it to the scene.
///
/// # Errors
/// No such device or port, a device that cannot be opened.
pub fn open(built: Built, args: &DeviceArgs) -> Result<Session, Failure> {
    let mut world = built.world();
    let hand = open_hand(&built, &mut world, args, &[])?;
    Ok(Session { built, world, hand })
}

/// Opens the device of `args` and joins it to a world of which `taken` ports are held already.
///
/// # Errors
/// No such device or port, a device that cannot be opened.
pub fn open_hand(
    built: &Built,
    world: &mut World,
    args: &DeviceArgs,
    taken: &[PortId],
) -> Result<Hand, Failure> {
    device::kind(args.name())?;
    check_clock(args)?;
    let (port, name, element) = choose_port(built, world, args.port(), taken)?;
    let start = port_start(world, port);
    let stiffness = world.params().elements[element].stiffness;
    let turns = (3..6).any(|i| stiffness[i] > 0.0);
    let opened = device::open(args, turns, || script(built, port, &start, args.scale))?;
    let (mut capabilities, mut notes) = (opened.capabilities, opened.notes);
    // a device that calls us keeps its own time
    if matches!(opened.attached, Attached::Polled(_)) {
        capabilities.rate = args.rate_hz.unwrap_or(capabilities.rate);
    }
    if !RATES.contains(&capabilities.rate) {
        let (rate, [least, most]) = (capabilities.rate, [RATES.start(), RATES.end()]);
        return Err(Failure::new(format!(
            "the device's rate is {rate:e} Hz; give one from {least} to {most} with --rate-hz, or \
             correct its profile"
        )));
    }
    let replayed = opened.replay.as_ref().map(|replay| replay.setup().stiffness);
    let felt = match replayed {
        Some(f64::INFINITY) => f64::INFINITY,
        None if args.direct => f64::INFINITY,
        _ => fit(world, element, &capabilities, opened.replay.as_ref(), args, &mut notes)?,
    };
    if felt.is_infinite() {
        notes.push(format!(
            "the body at `{name}` is where the device is, with no coupling between: nothing keeps \
             this passive but the device's own damping"
        ));
    }
    let period =
        opened.replay.as_ref().map_or(1.0 / capabilities.rate, |replay| replay.setup().period);
    let mut limits = Limits { period, ..Limits::for_device(&capabilities) };
    if !device::is_real(args.name()) {
        // a simulated hand and a recorded one go wherever the scene wants them
        limits.reach = None;
    }
    let safety = Safety::new(limits).map_err(|error| Failure::new(error.to_string()))?;
    let mapping = Mapping {
        centre: capabilities.workspace.centre(),
        scale: args.scale,
        offset: start.position,
        rotation: start.rotation,
        ..Mapping::default()
    };
    let damping = capabilities.damping.unwrap_or(f64::NAN);
    let impulses = impulses(built, &safety, opened.replay.as_ref(), args, &mut notes);
    Ok(Hand {
        port: (port, name),
        attached: Some(opened.attached),
        capabilities,
        replay: opened.replay,
        mapping,
        safety,
        setup: Setup { period, stiffness: felt, damping, impulses },
        notes,
    })
}

fn check_clock(args: &DeviceArgs) -> Result<(), Failure> {
    if args.fast && device::is_real(args.name()) {
        return Err(Failure::new("--fast: a real device keeps real time; leave --fast out"));
    }
    let what = args.rehearse.map(|r| r.what);
    if what == Some(What::Clock) && !args.fast {
        let cure = "add --fast, where the clock can be pretended";
        return Err(Failure::new(format!("--rehearse clock needs --fast: {cure}")));
    }
    Ok(())
}

/// What brings impulses to the device: as the recording, the command or the scene says, within what
/// the last stage before the device lets through; `None` where there are none.
fn impulses(
    built: &Built,
    safety: &Safety,
    replay: Option<&Replay>,
    args: &DeviceArgs,
    notes: &mut Vec<String>,
) -> Option<ImpulseSetup> {
    if let Some(replay) = replay {
        return replay.setup().impulses;
    }
    let limits = safety.limits();
    let rendering = match args.impulses.as_deref() {
        Some(name) => Rendering::named(name),
        None => built.impulses,
    }?;
    if !built.model.params().surfaces.any_impulse() || limits.force.peak <= 0.0 {
        return None;
    }
    if args.world_rate_hz.is_some() {
        notes.push("impulses are not sent from a world on its own thread".into());
        return None;
    }
    // a force in the world is felt times the scale; torques that the device cannot apply are not
    // missed by the scene either
    let turns = limits.torque.peak > 0.0;
    let torque = |value: f64| if turns { value } else { f64::INFINITY };
    let force = limits.force.peak / args.scale;
    let impulses = Impulses { rendering, force, torque: torque(limits.torque.peak) };
    let slew = [limits.force_slew / args.scale, torque(limits.torque_slew)];
    Some(ImpulseSetup { impulses, slew })
}

/// The reference port to hold, its name and element. Who does not say which gets the next that is
/// free and does not follow another one, as the tips of a hand follow its palm.
fn choose_port(
    built: &Built,
    world: &World,
    wanted: Option<&str>,
    taken: &[PortId],
) -> Result<(PortId, String, usize), Failure> {
    let all: Vec<(&str, usize)> = world
        .model()
        .ports()
        .iter()
        .filter_map(|port| port.element.map(|element| (port.name.as_str(), element)))
        .collect();
    let named = |name: &str| all.iter().find(|(known, _)| *known == name);
    let id = |name: &str| world.port_named(name);
    let is_free = |name: &str| id(name).is_some_and(|port| !taken.contains(&port));
    let leads = |name: &str| id(name).is_some_and(|port| !built.script.follows(port));
    let found = match wanted {
        Some(name) if named(name).is_some() && !is_free(name) => {
            return Err(Failure::new(format!("two devices cannot hold the port `{name}`")));
        }
        Some(name) => named(name),
        None if taken.is_empty() => named("hand").or(all.first()),
        None => all.iter().find(|(name, _)| is_free(name) && leads(name)),
    };
    let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
    let Some((name, element)) = found else {
        let problem = match wanted {
            Some(name) if !names.is_empty() => {
                format!("there is no reference port `{name}`; there are: {}", names.join(", "))
            }
            None if !names.is_empty() => {
                "the scene has no further port for another device; name one with --port".to_owned()
            }
            _ => "the scene has no reference port for a hand; add a [[port]] with \
                  kind = \"reference\", as in scenes/reference-port.toml"
                .to_owned(),
        };
        return Err(Failure::new(problem));
    };
    let port = world.port_named(name).ok_or_else(|| Failure::new("a port lost its name"))?;
    Ok((port, (*name).to_owned(), *element))
}

/// Where a port is before the first step: a copy of the world takes one of a picosecond.
fn port_start(world: &World, port: PortId) -> PortOutput {
    let mut copy = world.clone();
    let inputs = copy.inputs();
    let _ = copy.step(1e-12, &inputs);
    copy.port(port)
}

/// Where the simulated hand wants to be: what the scene lets the port do, or a slow swing.
fn script(built: &Built, port: PortId, start: &PortOutput, scale: f64) -> Script {
    let mut inputs = palpable::Inputs::none();
    let place = |time: f64, inputs: &mut palpable::Inputs| -> Option<Vec6> {
        built.script.inputs(time, inputs);
        match inputs.get(port) {
            PortInput::Reference { position, rotation } => {
                let turn: Vec3 = (rotation * start.rotation.inverse()).scaled_axis();
                let way = (position - start.position) / scale;
                Some(Vec6::new(way.x, way.y, way.z, turn.x, turn.y, turn.z))
            }
            _ => None,
        }
    };
    if place(0.0, &mut inputs).is_none() {
        let swing = Vec6::new(0.02 / scale, 0.0, 0.0, 0.0, 0.0, 0.0);
        return Script::default().swing(swing, 0.5, 0.0);
    }
    // a point every 2 ms, of at most ten minutes
    let count = (500.0 * built.duration.min(600.0)) as u32 + 1;
    let times = (0..count).map(|k| 2e-3 * f64::from(k));
    let points = times.filter_map(|t| place(t, &mut inputs).map(|p| (t, p)));
    Script::default().path(points.collect::<Vec<_>>())
}

/// The most that a device renders passively at its rate [N/m]; infinite, with a remark, where the
/// device is not known well enough to tell.
fn ceiling(
    capabilities: &Capabilities,
    stiffness: f64,
    notes: &mut Vec<String>,
) -> Result<f64, Failure> {
    let wish = CouplingWish { stiffness: Some(stiffness), ..CouplingWish::default() };
    match choose_coupling(capabilities, capabilities.rate, &wish) {
        Ok(choice) => Ok(choice.max_stiffness),
        Err(ChoiceError::Unknown { device, field }) => {
            notes.push(format!(
                "{device}: its {field} is not known, so nothing tells which stiffness is passive"
            ));
            Ok(f64::INFINITY)
        }
        Err(error) => Err(Failure::new(error.to_string())),
    }
}

/// Gives the port the stiffness of a recording, or one that the device can render passively;
/// returns what it has [N/m].
fn fit(
    world: &mut World,
    element: usize,
    capabilities: &Capabilities,
    replay: Option<&Replay>,
    args: &DeviceArgs,
    notes: &mut Vec<String>,
) -> Result<f64, Failure> {
    let now = world.params().elements[element].stiffness;
    let largest = now.rows(0, 3).max();
    let square = args.scale * args.scale;
    let wanted = match replay {
        Some(replay) => replay.setup().stiffness,
        None if args.keep_stiffness => largest,
        None => {
            let limit = ceiling(capabilities, largest * square, notes)? / square;
            if largest > limit {
                let (asked, able) = (si3(largest, "N/m"), si3(limit, "N/m"));
                notes.push(format!(
                    "the port's stiffness of {asked} was reduced to {able}, the most that this \
                     device renders passively at {}; --keep-stiffness keeps it",
                    si3(capabilities.rate, "Hz")
                ));
            }
            largest.min(limit)
        }
    };
    if wanted < largest && largest > 0.0 {
        let mut changed = now;
        (0..3).for_each(|i| changed[i] *= wanted / largest);
        let id = world.element(element).ok_or_else(|| Failure::new("a port lost its spring"))?;
        world
            .set_stiffness(id, changed, Payment::Supply)
            .map_err(|error| Failure::new(error.to_string()))?;
    }
    Ok(wanted)
}
