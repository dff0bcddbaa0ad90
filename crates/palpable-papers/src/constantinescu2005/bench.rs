//! The peg in the engine's own world, held by a simulated device over four channels.
//!
//! The device is a mass with encoders of 10 µm; the hand is a force. Walls are layers whose
//! contacts begin with impulses. The world steps with it at 512 Hz.

use super::peg::{Run, STEP};
use crate::PaperError;
use palpable::coupling::{Bounds, CouplingSettings, FourChannel, Impulses};
use palpable::{
    Body, BodyId, Handle, ImpulseLimit, Inputs, Mat3, Material, Model, Port, PortId, Rotation,
    Vec3, VolumeLaw, World,
};

/// Force \[N\] and torque \[N·m\] of the device.
pub const LIMIT: (f64, f64) = (15.0, 1.0);
/// Mass \[kg\] and inertia \[kg·m²\] of peg and device.
const MASS: (f64, f64) = (2.0, 0.005);
/// Damping of the device \[N·s/m\]; more than the K T/2 that the coordination asks for.
const DEVICE: f64 = 0.2;
/// Damper of the coordination `[Constantinescu2005, tab. I]`, from samples \[N·s/m\].
const DAMPER: f64 = 70.0;
const ENCODER: f64 = 1e-5;
const HAND: Vec3 = Vec3::new(-0.32, 0.4, 0.0);

/// What the walls do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Walls {
    /// Penalties alone.
    Penalty,
    /// Impulses in full.
    Full,
    /// Impulses spread over steps.
    Spread,
}

struct Rig {
    world: World,
    peg: BodyId,
    ports: [PortId; 2],
    inputs: Inputs,
    four: FourChannel,
    impulses: Impulses,
}

impl Rig {
    fn new(walls: Walls) -> Result<Self, PaperError> {
        let settings = CouplingSettings::pose(100.0, 0.5, STEP);
        let four = FourChannel::new(settings)?.with_energy(0.5);
        // as stiff as two vertices of the paper over the long side: 2 kN/m
        let area = 0.021 * 0.01;
        let layer = VolumeLaw::new(2000.0 / area, 100.0 / area);
        let layer = if walls == Walls::Penalty { layer } else { layer.with_impulses() };
        let material = Material::new(0.0, 0.0).soft(layer);
        let mut model = Model::builder();
        model.gravity([0.0; 3]).contacts(0);
        let half_turn = |axis: Vec3| {
            Rotation::rotation_between(&Vec3::z(), &axis).unwrap_or_else(Rotation::identity)
        };
        model.body(Body::half_space("left").rotation(half_turn(Vec3::x())));
        model.body(Body::half_space("top").rotation(half_turn(-Vec3::y())));
        let peg = model.body(
            Body::cuboid("peg", [0.0105, 0.005_25, 0.005])
                .inertia(MASS.0, [0.0; 3], Mat3::identity() * MASS.1)
                .position([0.02, -0.02, 0.0])
                .material(material),
        );
        let (k, b) = (four.coupling().stiffness(), four.coupling().damping());
        let coordination = model.port(Port::reference("coordination", peg.origin(), k, b));
        let push = model.port(Port::force("hand", peg.origin()));
        let mut world = World::new(model.build()?);
        let most = if walls == Walls::Spread { LIMIT } else { (f64::INFINITY, f64::INFINITY) };
        let impulses = Impulses::new(most.0, most.1);
        let Bounds { force, torque, spread } = impulses.limits();
        world.set_impulse_limit(ImpulseLimit { force, torque, spread });
        let inputs = world.inputs();
        Ok(Self { world, peg, ports: [coordination, push], inputs, four, impulses })
    }

    /// One tick: what the device is told to apply, and what of it the environment is.
    fn tick(&mut self, hand: &Handle, rate: &Vec3) -> (Vec3, Vec3) {
        let drag = (rate - self.world.velocity(self.peg)) * DAMPER;
        let [reference, push] = self.four.sample(hand, &(HAND + drag));
        self.inputs.set(self.ports[0], reference);
        self.inputs.set(self.ports[1], push);
        if !self.world.step(STEP, &self.inputs).status.is_taken() {
            return (Vec3::repeat(f64::NAN), Vec3::zeros());
        }
        let [p, l] = self.world.contact_impulse(self.peg);
        let contact = [self.world.contact_force(self.peg), Vec3::zeros()];
        let felt = self.impulses.felt([p, l], contact, STEP);
        let ports = self.ports.map(|port| self.world.port(port));
        (self.four.wrench([&ports[0], &ports[1]], felt, STEP).force - drag, felt[0])
    }
}

/// Pushes the peg into the corner for `seconds`; returns also the largest gain of energy \[J\].
pub fn run(walls: Walls, seconds: f64) -> Result<(Run, f64), PaperError> {
    let mut rig = Rig::new(walls)?;
    let mut run = Run { first: f64::NAN, restitution: 1.0, ..Run::default() };
    let (mut place, mut rate, mut gain) = (Vec3::new(0.02, -0.02, 0.0), Vec3::zeros(), 0.0f64);
    for k in 0..(seconds / STEP).round() as usize {
        let seen = place.map(|x| (x / ENCODER).round() * ENCODER);
        let before = rig.world.energy().total();
        let (force, environment) = rig.tick(&Handle::at(seen), &rate);
        let supplied = rig.ports.iter().map(|p| rig.world.port(*p).work).sum::<f64>();
        gain = gain.max(rig.world.energy().total() - before - supplied);
        rate += (HAND + force - rate * DEVICE) * (STEP / MASS.0);
        place += rate * STEP;
        let time = k as f64 * STEP;
        if run.first.is_nan() && environment != Vec3::zeros() {
            run.first = time;
        }
        run.collisions += usize::from(rig.world.contact_impulse(rig.peg)[0] != Vec3::zeros());
        let tool = rig.world.pose(rig.peg).position;
        let flat = |v: Vec3| Vec3::new(v.x, v.y, 0.0);
        run.time.push(time);
        run.hand.push(flat(place));
        run.tool.push(flat(tool));
        run.rate.push(flat(rate));
        run.force.push(flat(environment));
    }
    Ok((run, gain))
}
