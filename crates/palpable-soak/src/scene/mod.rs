//! A random world as plain data, before it is built.

mod chain;
mod event;
mod joint;
mod profile;
mod shape;
mod watched;

pub use chain::{BaseSpec, BeamSpec, BoundSpec, ChainSpec, GearSpec, LinkSpec, MotorKind};
pub use chain::{MotorSpec, TendonSpec};
pub use event::{Change, Event};
pub use joint::{JointKind, JointSpec};
pub use profile::Profile;
pub use shape::Form;
pub use watched::{DrivenSpec, Watched};

use crate::drive::Drive;
use palpable::{Material, Rotation, Vec3};

/// A random world and what happens to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// What it was drawn from; inputs and step lengths are still drawn from it.
    pub seed: u64,
    /// Which kind of world.
    pub profile: Profile,
    /// Acceleration of gravity [m/s²].
    pub gravity: Vec3,
    /// Shortest and longest step [s].
    pub step_range: [f64; 2],
    /// Steps to take.
    pub steps: usize,
    /// Contacts that the world has room for; 0 lets the engine choose.
    pub capacity: usize,
    /// True if the tank hands a surplus back.
    pub returns_surplus: bool,
    /// How hard the solver of contact works, if not as usual.
    pub effort: Option<Effort>,
    /// Rigid bodies; the floor, if any, is the first.
    pub bodies: Vec<BodySpec>,
    /// Joints and springs between them.
    pub joints: Vec<JointSpec>,
    /// Articulated chains.
    pub chains: Vec<ChainSpec>,
    /// Flexible beams.
    pub beams: Vec<BeamSpec>,
    /// Pairs of geared wheels.
    pub gears: Vec<GearSpec>,
    /// Ports on bodies.
    pub ports: Vec<PortSpec>,
    /// Live changes.
    pub events: Vec<Event>,
}

/// How hard the solver of contact works.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effort {
    /// Sweeps at most.
    pub sweeps: usize,
    /// Newton steps at most.
    pub newton_steps: usize,
}

/// A rigid body.
#[derive(Debug, Clone, PartialEq)]
pub struct BodySpec {
    /// Its number, which stays when others are left out.
    pub id: usize,
    /// Its shape.
    pub form: Form,
    /// Mass [kg].
    pub mass: f64,
    /// Position [m].
    pub position: Vec3,
    /// Rotation vector [rad].
    pub turn: Vec3,
    /// Velocity [m/s].
    pub velocity: Vec3,
    /// Angular velocity, body axes [rad/s].
    pub spin: Vec3,
    /// Damping of motion [N·s/m] and rotation [N·m·s/rad].
    pub damping: [f64; 2],
    /// Its surface.
    pub material: Material,
    /// True if it never moves.
    pub fixed: bool,
}

/// A port on a body.
#[derive(Debug, Clone, PartialEq)]
pub struct PortSpec {
    /// Its number.
    pub id: usize,
    /// The body it acts on.
    pub body: usize,
    /// Where, in body axes [m].
    pub at: Vec3,
    /// How it is driven; the centre of a reference is found when the world is built.
    pub drive: Drive,
    /// Reference ports: stiffness [N/m]; the rotational one is a thousandth of the number.
    pub stiffness: f64,
}

impl Scene {
    /// The description of a body.
    pub fn body(&self, id: usize) -> Option<&BodySpec> {
        self.bodies.iter().find(|body| body.id == id)
    }

    /// Leaves a body out, with all that is fastened to it.
    pub fn remove_body(&mut self, index: usize) {
        let id = self.bodies.remove(index).id;
        self.joints.retain(|joint| joint.a != id && joint.b != Some(id));
        self.ports.retain(|port| port.body != id);
        self.events.retain(|event| event.change.body() != Some(id));
    }
}

/// A rotation from its vector [rad].
pub fn rotation(turn: &Vec3) -> Rotation {
    Rotation::from_scaled_axis(*turn)
}
