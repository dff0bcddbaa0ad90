//! Two shovels and six blocks, from the scene of the gallery: led through couplings by the scene's
//! script, or where two simulated devices of six freedoms are.

use super::led::Led;
use crate::PaperError;
use palpable::{Inputs, Payment, PortId, PortInput, Pose, Rotation, Vec3, Vec6, World};
use palpable_haptics::rt::thread_time;
use palpable_haptics::safety::{Wish, Wrench};
use palpable_haptics::{
    Arm, Axes, Capabilities, Device, ForceLimit, Hand, Limits, Safety, Script, SimulatedDevice,
};
use palpable_scene::Built;
use std::time::Duration;

const TEXT: &str = include_str!("../../../../scenes/shovels.toml");
/// Step and period of the devices \[s\].
const STEP: f64 = 1e-3;
const PORTS: [&str; 2] = ["left", "right"];

/// What was seen, once a step.
#[derive(Default)]
pub(super) struct Task {
    pub time: Vec<f64>,
    /// Height of the two blocks that are lifted \[m\].
    pub heights: [Vec<f64>; 2],
    /// Force on each hand \[N\].
    pub forces: [Vec<f64>; 2],
    /// Torque on each hand \[N·m\].
    pub torques: [Vec<f64>; 2],
    /// Time of the step on a processor \[µs\].
    pub cpu: Vec<f64>,
    /// Areas that press.
    pub areas: Vec<f64>,
    /// Largest relative defect of a step's account.
    pub defect: f64,
    pub is_clean: bool,
    /// Energy supplied and what is stored at the end beyond the start \[J\].
    pub supplied: f64,
    pub gained: f64,
}

/// A device, its stage, and the port that it moves.
struct Held {
    device: SimulatedDevice,
    safety: Safety,
    port: PortId,
    start: Vec3,
    last: Option<(Vec3, Rotation)>,
}

/// How shovels are led.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Way {
    /// By springs and dampers, along the scene's script.
    Coupled,
    /// Where two simulated devices are, whose arms follow the script.
    Direct,
}

/// Runs the task.
pub(super) fn run(way: Way, mut progress: impl FnMut(f64)) -> Result<Task, PaperError> {
    let Led { built, mut world, .. } = Led::open(TEXT, "shovels.toml")?;
    let mut held = Vec::new();
    if way == Way::Direct {
        for name in PORTS {
            held.push(take(&mut world, &built, name)?);
        }
    }
    let port = |name| world.port_named(name).ok_or(PaperError::Missing { what: name });
    let ports = [port(PORTS[0])?, port(PORTS[1])?];
    let block = |name| world.body_named(name).ok_or(PaperError::Missing { what: name });
    let blocks = [block("b1")?, block("b2")?];
    let (mut task, mut inputs) = (Task::default(), world.inputs());
    let (start, steps) = (world.energy().total(), (built.duration / STEP).round() as u64);
    for k in 0..steps {
        let before = thread_time();
        let wrenches = match way {
            Way::Coupled => {
                built.script.inputs(world.time(), &mut inputs);
                task.defect = task.defect.max(world.step(STEP, &inputs).entry.relative_defect());
                ports.map(|port| [world.port(port).force, world.port(port).torque])
            }
            Way::Direct => {
                let samples = held.iter_mut().map(|h| h.follow(&mut world)).collect::<Vec<_>>();
                let report = world.step(STEP, &Inputs::none());
                task.defect = task.defect.max(report.entry.relative_defect());
                let felt = ports.map(|port| world.port_contact(port));
                for ((h, sample), [force, torque]) in held.iter_mut().zip(samples).zip(felt) {
                    h.feel(sample?, (k, force, torque))?;
                }
                felt
            }
        };
        task.cpu.push(1e6 * thread_time().saturating_sub(before).as_secs_f64());
        task.time.push(world.time());
        task.areas.push(world.patches().len() as f64);
        for side in 0..2 {
            task.heights[side].push(world.pose(blocks[side]).position.z);
            task.forces[side].push(wrenches[side][0].norm());
            task.torques[side].push(wrenches[side][1].norm());
        }
        if k % 256 == 0 {
            progress(k as f64 / steps as f64);
        }
    }
    task.is_clean = world.audit().is_clean();
    task.supplied = world.ledger().totals().supplied;
    task.gained = world.energy().total() - start;
    Ok(task)
}

/// Gives a port to a simulated device whose arm follows the script.
fn take(world: &mut World, built: &Built, name: &str) -> Result<Held, PaperError> {
    let lost = || PaperError::Missing { what: "reference ports left and right" };
    let port = world.port_named(name).ok_or_else(lost)?;
    let element = world.port_info(port).and_then(|p| p.element).ok_or_else(lost)?;
    let element = world.element(element).ok_or_else(lost)?;
    world.set_stiffness(element, Vec6::zeros(), Payment::Supply)?;
    world.set_damping(element, Vec6::zeros())?;
    // the device carries it: within a step it must not yield to what touches it
    let body = world.body_named(&format!("{name} shovel")).ok_or_else(lost)?;
    world.set_mass(body, 30.0, Payment::Supply)?;
    let mut inputs = world.inputs();
    let mut place = |time: f64| {
        built.script.inputs(time, &mut inputs);
        match inputs.get(port) {
            PortInput::Reference { position, .. } => position,
            _ => Vec3::zeros(),
        }
    };
    let start = place(0.0);
    let points = (0..(500.0 * built.duration) as u32).map(|k| {
        let (t, way) = (2e-3 * f64::from(k), place(2e-3 * f64::from(k)) - start);
        (t, Vec6::new(way.x, way.y, way.z, 0.0, 0.0, 0.0))
    });
    let script = Script::default().path(points.collect::<Vec<_>>());
    let capabilities = Capabilities {
        mass: Some(0.1),
        damping: Some(5.0),
        inertia: Some(1e-4),
        rotational_damping: Some(5e-3),
        force: ForceLimit::new(40.0, 40.0),
        torque: ForceLimit::new(2.0, 2.0),
        ..Capabilities::new("simulated", Axes::SIX, 1.0 / STEP)
    };
    let limits = Limits { period: STEP, reach: None, ..Limits::for_device(&capabilities) };
    let mut safety = Safety::new(limits)?;
    safety.start()?;
    // a firm grasp: without couplings, hand and device must damp what contacts ask, K T + B
    let mut arm = Arm::new(0.3, 40.0, 2000.0, script);
    for axis in 3..6 {
        (arm.damping[axis], arm.stiffness[axis]) = (0.1, 20.0);
    }
    let device = SimulatedDevice::new(capabilities, Hand::Arm(arm))?;
    Ok(Held { device, safety, port, start, last: None })
}

impl Held {
    /// Puts the shovel where the device is.
    fn follow(&mut self, world: &mut World) -> Result<palpable_haptics::Sample, PaperError> {
        let sample = self.device.read()?;
        let (position, rotation) = (self.start + sample.position, sample.rotation);
        let (was, turned) = self.last.replace((position, rotation)).unwrap_or((position, rotation));
        let (v, w) = ((position - was) / STEP, (rotation * turned.inverse()).scaled_axis() / STEP);
        let pose = Pose { position, rotation };
        // so that it has this velocity in the middle of the step
        let v = v - world.params().gravity * (0.5 * STEP);
        world.drive_port(self.port, pose, v, w)?;
        Ok(sample)
    }

    /// Sends what the shovel feels.
    fn feel(
        &mut self,
        sample: palpable_haptics::Sample,
        (tick, force, torque): (u64, Vec3, Vec3),
    ) -> Result<(), PaperError> {
        let now = Duration::from_secs_f64(STEP * tick as f64);
        let wish = Wish::fresh(Wrench { force, torque, gripper: 0.0 });
        let command = self.safety.step(now, &sample, &wish);
        Ok(self.device.write(&command)?)
    }
}

/// The value below which a share of all lies.
pub(super) fn quantile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = (share * (sorted.len().max(1) - 1) as f64).round() as usize;
    sorted.get(at).copied().unwrap_or(f64::NAN)
}
