//! A device closes a tendon-driven hand around a ball: `[Kim2017 sec. 5.3]`, from the scene of the
//! gallery.

use super::solids;
use crate::PaperError;
use palpable::coupling::{Synergy, Tendons};
use palpable::model::Kind;
use palpable::{Inputs, PortId, PortInput, SystemId, Vec6, World};
use palpable_haptics::{Arm, Axes, Capabilities, Device, ForceLimit, Hand, Limits};
use palpable_haptics::{Safety, Script, SimulatedDevice, Wish, Wrench};
use palpable_record::figure::Color;
use palpable_record::picture::Solid;
use palpable_scene::{Built, Scene};
use std::time::Duration;

const TEXT: &str = include_str!("../../../../scenes/grasp-ball.toml");
/// Step \[s\].
pub(super) const STEP: f64 = 1e-3;
/// Range of the device's axis \[m\], and feedback gain \[N/m\]; the paper prints neither.
pub(super) const RANGE: [f64; 2] = [-0.03, 0.03];
pub(super) const GAIN: f64 = 100.0;
/// Folded joint angles of a finger \[rad\]; the unfolded ones are where the scene begins.
const FOLDED: [f64; 3] = [1.9, 1.9, 1.7];
/// The arm has lifted, and has shaken \[s\].
pub(super) const LIFTED: f64 = 2.4;
pub(super) const SHAKEN: f64 = 5.4;

/// What is seen along the grasp.
#[derive(Default)]
pub(super) struct Trace {
    pub time: Vec<f64>,
    /// The device, and where the hand belongs on its axis \[m\].
    pub z: Vec<f64>,
    pub projected: Vec<f64>,
    /// Force on the user's hand: as the law says, and after the safety stage \[N\].
    pub force: Vec<f64>,
    pub felt: Vec<f64>,
    /// Sum of what links press the ball with \[N\], and how many touch it.
    pub press: Vec<f64>,
    pub touching: Vec<usize>,
    /// Where the ball is, from the palm \[m\].
    pub ball: Vec<palpable::Vec3>,
    pub defect: f64,
    pub closure: f64,
    pub is_clean: bool,
}

/// The hand of a scene: its tendons, and the map that closes it.
pub(super) struct TendonHand {
    pub system: Option<SystemId>,
    pub motors: Vec<PortId>,
    /// Of active and of passive tendons \[N/m\].
    pub stiffness: [f64; 2],
    /// Radii over the joints, a list a tendon \[m\].
    pub active: Vec<Vec<f64>>,
    pub passive: Vec<Vec<f64>>,
    pub synergy: Synergy,
}

/// A run of the grasp.
pub(super) struct Run {
    built: Built,
    world: World,
    hand: TendonHand,
    q: Vec<f64>,
    pub trace: Trace,
}

/// Radii over the joints of the elements that `wanted` names by their place, with their stiffness.
fn tendons(world: &World, wanted: impl Fn(usize) -> bool) -> (f64, Vec<Vec<f64>>) {
    let (mut stiffness, mut radii) = (0.0, Vec::new());
    for (i, element) in world.model().elements().iter().enumerate().filter(|(i, _)| wanted(*i)) {
        let k = world.params().elements[i].stiffness[0];
        if let (Kind::Coordinates(rows), true) = (&element.kind, k > 0.0) {
            stiffness = k;
            radii.extend(rows.rows.first().cloned());
        }
    }
    (stiffness, radii)
}

/// Joint angles of the hand \[rad\]; seven numbers of the palm stand before them.
pub(super) fn joints(world: &World, system: Option<SystemId>) -> &[f64] {
    system.and_then(|id| world.coordinates(id).get(7..)).unwrap_or(&[])
}

impl TendonHand {
    fn new(built: &Built, world: &World) -> Result<Self, PaperError> {
        let system = built.systems.first().map(|(_, id)| *id);
        let ports = || world.model().ports().iter().filter(|port| port.motor);
        let motors: Vec<PortId> = ports().map(|port| port.id).collect();
        let driven: Vec<usize> = ports().filter_map(|port| port.element).collect();
        let (ka, active) = tendons(world, |i| driven.contains(&i));
        let (kp, passive) = tendons(world, |i| !driven.contains(&i));
        let all = [(ka, &active), (kp, &passive)];
        let all = all.map(|(stiffness, radii)| Tendons { stiffness, radii });
        let synergy = Synergy::new(all, [joints(world, system), &FOLDED.repeat(3)], RANGE, GAIN)?;
        Ok(Self { system, motors, stiffness: [ka, kp], active, passive, synergy })
    }
}

/// The hand in empty space: without weight, the ball and its post half a metre away.
pub(super) fn alone() -> Result<(Built, TendonHand), PaperError> {
    let text = TEXT
        .replace("gravity = [0, 0, \"-9.81 m/s^2\"]", "gravity = [0, 0, 0]")
        .replace("position = [0, 0, 0.04]", "position = [0.5, 0, 0.04]")
        .replace("position = [0, 0, 0.11]", "position = [0.5, 0, 0.11]");
    let built = Scene::parse(text, "grasp-ball.toml")?.build()?;
    let hand = TendonHand::new(&built, &built.world())?;
    Ok((built, hand))
}

impl Run {
    pub(super) fn new() -> Result<Self, PaperError> {
        let mut built = Scene::parse(TEXT, "grasp-ball.toml")?.build()?;
        let world = built.world();
        let hand = TendonHand::new(&built, &world)?;
        hand.motors.iter().for_each(|motor| built.script.take(*motor));
        let q = joints(&world, hand.system).to_vec();
        Ok(Self { built, world, hand, q, trace: Trace::default() })
    }

    /// A device, of which one axis counts, in the hand of an arm that closes, and holds on.
    fn device(&self) -> Result<SimulatedDevice, PaperError> {
        let mut what = Capabilities::new("one axis", Axes::THREE, 1.0 / STEP);
        (what.mass, what.damping) = (Some(0.2), Some(2.0));
        what.force = ForceLimit::new(12.0, 12.0);
        let wish = |t: f64| {
            let s = ((t - 0.7) / 1.2).clamp(0.0, 1.0);
            (RANGE[1] - RANGE[0]) * s * s * s * (10.0 - 15.0 * s + 6.0 * s * s)
        };
        let count = (self.built.duration / 0.01).ceil() as u32;
        let path = (0..=count).map(|i| 0.01 * f64::from(i));
        let path = path.map(|t| (t, Vec6::new(0.0, 0.0, wish(t), 0.0, 0.0, 0.0)));
        let arm = Arm::new(0.4, 40.0, 1000.0, Script::default().path(path));
        Ok(SimulatedDevice::new(what, Hand::Arm(arm))?)
    }

    pub(super) fn time(&self) -> f64 {
        self.world.time()
    }

    pub(super) fn duration(&self) -> f64 {
        self.built.duration
    }

    /// Runs to the end.
    pub(super) fn finish(mut self, mut each: impl FnMut(&Self)) -> Result<Trace, PaperError> {
        let mut device = self.device()?;
        let mut safety = Safety::new(Limits::for_device(device.capabilities()))?;
        safety.start()?;
        let mut inputs = self.world.inputs();
        let mut tick = 0u32;
        while !self.built.is_over(self.world.time()) {
            tick += 1;
            let sample = device.read()?;
            let z = (RANGE[0] + sample.position.z).clamp(RANGE[0], RANGE[1]);
            let force = self.step(z, &mut inputs);
            let wish = Wish::fresh(Wrench::force(palpable::Vec3::new(0.0, 0.0, force)));
            let command = safety.step(Duration::from_millis(tick.into()), &sample, &wish);
            device.write(&command)?;
            self.trace.felt.push(command.force().z);
            each(&self);
        }
        let audit = self.world.audit();
        (self.trace.closure, self.trace.is_clean) = (audit.closure, audit.is_clean());
        Ok(self.trace)
    }

    /// One step with the device at `z` \[m\]; the force on its user \[N\].
    fn step(&mut self, z: f64, inputs: &mut Inputs) -> f64 {
        for (motor, target) in self.hand.motors.iter().zip(self.hand.synergy.targets(z)) {
            inputs.set(*motor, PortInput::Target(target));
        }
        self.built.script.inputs(self.world.time(), inputs);
        let report = self.world.step(STEP, inputs);
        self.q.clear();
        self.q.extend(joints(&self.world, self.hand.system));
        let force = self.hand.synergy.force(z, &self.q);
        let trace = &mut self.trace;
        trace.time.push(self.world.time());
        trace.z.push(z);
        trace.projected.push(self.hand.synergy.projected(&self.q));
        trace.force.push(force);
        trace.defect = trace.defect.max(report.entry.relative_defect().abs());
        let named = |name: &str| self.world.body_named(name);
        let (Some(ball), Some(palm)) = (named("ball"), named("palm")) else { return force };
        let of_ball =
            |t: &&palpable::Touch| t.bodies.contains(&ball.index()) && t.force.norm() > 0.0;
        let touches = self.world.contacts().iter().filter(of_ball);
        trace.press.push(touches.clone().map(|t| t.force.norm()).sum());
        trace.touching.push(touches.count());
        trace.ball.push(self.world.pose(ball).position - self.world.pose(palm).position);
        force
    }

    /// What is there now.
    pub(super) fn solids(&self) -> Vec<Solid> {
        let color = |name: &str| match name {
            "ball" => Color::new(0xe0, 0x8a, 0x2c),
            "post" => Color::new(0x8a, 0x9b, 0xb0),
            "palm" => Color::new(0x4a, 0x5a, 0x6e),
            name if name.ends_with("near") => Color::new(0x2f, 0x7f, 0xc8),
            name if name.ends_with("middle") => Color::new(0x4f, 0x9f, 0xdc),
            _ => Color::new(0x7f, 0xbf, 0xec),
        };
        let table = self.world.model().bodies().iter().position(|b| b.name == "table");
        let mut all = solids::seen(&self.world, &self.built.looks, color);
        // the floor of the picture stands for the table, which is the first body
        if table == Some(0) {
            all.remove(0);
        }
        all
    }
}
