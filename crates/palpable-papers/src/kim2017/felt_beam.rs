//! A hand shakes the beam of `[Kim2017 sec. 5.2]` through a light box and a virtual coupling.

use crate::PaperError;
use palpable::coupling::{CouplingSettings, Felt, Handle, VirtualCoupling};
use palpable::{Beam, Body, BodyId, Inputs, Model, Mount, Pose, Rotation, Vec3, Vec6};
use palpable::{Port, PortId, Spring, World};
use palpable_haptics::{Arm, Axes, Capabilities, Device, ForceLimit, Hand, Limits};
use palpable_haptics::{Safety, Sample, Script, SimulatedDevice, Wish, Wrench};
use std::time::Duration;

/// Step of the world and period of the device \[s\].
pub(super) const STEP: f64 = 1e-3;
/// Length, width, thickness \[m\], density \[kg/m³\], Young's modulus \[Pa\].
const SIZE: [f64; 3] = [0.907, 0.05, 0.012];
const DENSITY: f64 = 2698.09;
const YOUNG: f64 = 68.9e9;
/// Mass \[kg\] and moments of inertia \[kg·m²\] of the box.
const BOX: f64 = 0.001;
/// Spring between beam end and box, \[N/m\] and \[N·m/rad\].
const JOINT: f64 = 1e5;

/// What can be varied.
#[derive(Debug, Clone, Copy)]
pub(super) struct FeltBeam {
    /// Coupling `K_vc`, \[N/m\] and \[N·m/rad\].
    pub stiffness: f64,
    /// Damping `B_r` of the box \[N·s/m\].
    pub damping: f64,
    /// Whether the force is of the box before the step (0, as printed) or after it (1).
    pub gamma: f64,
    /// Force at the hand over force in the world, `α`.
    pub scale: f64,
    /// Viscous damping of the device \[N·s/m\].
    pub device_damping: f64,
    /// Duration \[s\].
    pub duration: f64,
}

/// What is seen at every step; positions along the vertical.
#[derive(Debug, Clone, Default)]
pub(super) struct Trace {
    pub time: Vec<f64>,
    /// \[m\]
    pub handle: Vec<f64>,
    /// Box at the start of the step, as the force law has it \[m\].
    pub body: Vec<f64>,
    /// Free end of the beam \[m\].
    pub tip: Vec<f64>,
    /// Force of the coupling before its scale, on whoever holds it \[N\].
    pub force: Vec<f64>,
    /// What the motors do after the safety stage \[N\].
    pub felt: Vec<f64>,
    /// Kinetic and elastic energy of the world, coupling and tank included \[J\].
    pub stored: Vec<f64>,
    /// Taken by damping in the world since the start \[J\].
    pub damped: Vec<f64>,
    /// Put into the world through the coupling since the start \[J\].
    pub supplied: Vec<f64>,
    /// Work of the motors on the handle since the start \[J\].
    pub given: Vec<f64>,
    /// Taken by the device's damping since the start, at least \[J\].
    pub paid: Vec<f64>,
    /// Defect of the step over the energy in play.
    pub defect: Vec<f64>,
    /// Largest motion out of the vertical plane \[m\].
    pub astray: f64,
}

/// Where the hand wants to be \[m\]: up, down, three swings a second, and still.
fn wish(t: f64) -> f64 {
    let ease = |from: f64, to: f64| {
        let s = ((t - from) / (to - from)).clamp(0.0, 1.0);
        s * s * (3.0 - 2.0 * s)
    };
    let swings = ease(4.0, 4.2) - ease(5.8, 6.0);
    let swing = (std::f64::consts::TAU * 3.0 * (t - 4.0)).sin();
    0.02 * (ease(0.7, 0.85) - 2.0 * ease(2.2, 2.35) + ease(3.6, 4.0)) + 0.01 * swings * swing
}

fn up(z: f64) -> Vec6 {
    Vec6::new(0.0, 0.0, z, 0.0, 0.0, 0.0)
}

/// The world and its door.
struct Scene {
    world: World,
    port: PortId,
    inputs: Inputs,
    body: BodyId,
    tip: BodyId,
    upright: Rotation,
}

impl FeltBeam {
    /// Aluminium, three modes, root free in the plane.
    fn beam() -> Beam {
        Beam::rectangular("beam", SIZE, DENSITY, YOUNG)
            .modes(3)
            .mount(Mount::Planar, 0.0, 0.0)
            .stations(0)
    }

    fn coupling(&self) -> Result<VirtualCoupling, PaperError> {
        let settings = CouplingSettings {
            gamma: self.gamma,
            damping: Some(self.damping),
            turning_damping: Some(self.damping),
            ..CouplingSettings::pose(self.stiffness, self.stiffness, STEP)
        };
        Ok(VirtualCoupling::new(settings)?)
    }

    fn scene(&self, coupling: &VirtualCoupling) -> Result<Scene, PaperError> {
        // the beam bends along its y, which is up
        let upright = Rotation::from_axis_angle(&Vec3::x_axis(), std::f64::consts::FRAC_PI_2);
        let mut model = Model::ghosts();
        let root = Pose { position: Vec3::zeros(), rotation: upright };
        let beam = model.beam(Self::beam().at(root));
        let light = Body::new("box").principal_inertia(BOX, [BOX; 3]).rotation(upright);
        let body = model.body(light);
        let joint = Spring::pose(body.origin(), beam.link(0).origin());
        model.spring(joint.stiffness(JOINT));
        let (k, b) = (coupling.stiffness(), coupling.damping());
        let port = model.port(Port::reference("hand", body.origin(), k, b));
        let world = World::new(model.build()?);
        let inputs = world.inputs();
        Ok(Scene { world, port, inputs, body, tip: beam.link(1), upright })
    }

    /// A three-axis device, perfect encoders, in the hand of an arm.
    fn device(&self) -> Result<SimulatedDevice, PaperError> {
        let mut what = Capabilities::new("three axes", Axes::THREE, 1.0 / STEP);
        (what.mass, what.damping) = (Some(0.2), Some(self.device_damping));
        what.force = ForceLimit::new(12.0, 12.0);
        let count = (self.duration / 0.01).ceil() as u32;
        let path = (0..=count).map(|i| 0.01 * f64::from(i)).map(|t| (t, up(wish(t))));
        let arm = Arm::new(0.4, 40.0, 1000.0, Script::default().path(path));
        Ok(SimulatedDevice::new(what, Hand::Arm(arm))?)
    }

    /// Runs the experiment.
    pub(super) fn run(&self) -> Result<Trace, PaperError> {
        let mut coupling = self.coupling()?;
        let mut scene = self.scene(&coupling)?;
        let mut device = self.device()?;
        let mut safety = Safety::new(Limits::for_device(device.capabilities()))?;
        safety.start()?;
        let mut trace = Trace::default();
        for tick in 1..=(self.duration / STEP).round() as u32 {
            let now = Duration::from_millis(tick.into());
            let sample = device.read()?;
            trace.before(&sample, &scene, &device, self.device_damping);
            let (felt, defect) = scene.step(&sample, &mut coupling);
            let wish = Wish::fresh(Wrench::force(felt.force * self.scale));
            let command = safety.step(now, &sample, &wish);
            device.write(&command)?;
            trace.force.push(felt.force.z);
            trace.felt.push(command.force().z);
            trace.defect.push(defect);
        }
        Ok(trace)
    }

    /// First frequency \[rad/s\] of the continuous beam whose root is held by the two springs in
    /// row, from its boundary conditions: no modes, no steps.
    pub(super) fn first_frequency(&self) -> f64 {
        let [length, width, thickness] = SIZE;
        let (mass, rigidity) =
            (DENSITY * width * thickness * length, YOUNG * width * thickness.powi(3) / 12.0);
        let k = self.stiffness * JOINT / (self.stiffness + JOINT);
        // w = a cos + b sin + c cosh + d sinh, w'' = w''' = 0 at the tip; at the root
        // EI w''' = −k w and EI w'' = k w', which leaves w and w' there
        let determinant = |z: f64| {
            let (shear, bend) =
                (k * length.powi(3) / (rigidity * z.powi(3)), k * length / (rigidity * z));
            let tip = |w: f64, slope: f64| {
                let (a, c) = (0.5 * (w - bend * slope), 0.5 * (w + bend * slope));
                let (b, d) = (0.5 * (slope + shear * w), 0.5 * (slope - shear * w));
                let moment = -a * z.cos() - b * z.sin() + c * z.cosh() + d * z.sinh();
                (moment, a * z.sin() - b * z.cos() + c * z.sinh() + d * z.cosh())
            };
            let ((m1, q1), (m2, q2)) = (tip(1.0, 0.0), tip(0.0, 1.0));
            m1 * q2 - m2 * q1
        };
        // below the root of the clamped beam
        let (mut low, mut high) = (0.1, 1.8751);
        let sign = determinant(low).signum();
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if determinant(middle).signum() == sign { low = middle } else { high = middle }
        }
        (low / length).powi(2) * (rigidity * length / mass).sqrt()
    }
}

impl Scene {
    /// One step under this reading: what the hand feels before the scale, and the step's defect.
    fn step(&mut self, sample: &Sample, coupling: &mut VirtualCoupling) -> (Felt, f64) {
        let handle = Handle { position: sample.position, rotation: self.upright };
        self.inputs.set(self.port, coupling.sample(&handle));
        let report = self.world.step(STEP, &self.inputs);
        let felt = coupling.force(&self.world.port(self.port), STEP);
        (felt, report.entry.relative_defect())
    }
}

impl Trace {
    /// Notes where things are when the device is read.
    fn before(&mut self, sample: &Sample, scene: &Scene, device: &SimulatedDevice, b: f64) {
        let z = sample.position.z;
        let moved = self.handle.last().map_or(0.0, |last| z - last);
        let paid = self.paid.last().map_or(0.0, |paid| paid + b * moved * moved / STEP);
        let (body, tip) = (scene.world.pose(scene.body).position, scene.world.pose(scene.tip));
        let flows = scene.world.ledger().totals();
        let now = scene.world.energy();
        self.time.push(scene.world.time());
        self.handle.push(z);
        self.body.push(body.z);
        self.tip.push(tip.position.z);
        self.stored.push(now.kinetic + now.elastic + now.tank);
        self.damped.push(flows.damped);
        self.supplied.push(flows.supplied);
        self.given.push(device.work());
        self.paid.push(paid);
        self.astray = self.astray.max(body.y.abs()).max(tip.position.y.abs());
    }

    /// Index of the first row at or after `t` \[s\].
    pub(super) fn row(&self, t: f64) -> usize {
        self.time.partition_point(|time| *time < t)
    }
}
