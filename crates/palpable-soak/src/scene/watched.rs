//! What is driven in a scene, and what there is to watch, by names and numbers.

use super::{Form, GearSpec, MotorKind, MotorSpec, PortSpec, Scene, rotation};
use crate::drive::Drive;
use palpable::Vec3;

/// Numbers of the motors of chains and of gears begin here.
const MOTORS: [u64; 2] = [5000, 6000];

/// A port that is driven.
#[derive(Debug, Clone, PartialEq)]
pub struct DrivenSpec {
    /// Name of the port.
    pub name: String,
    /// Number from which its inputs are drawn.
    pub id: u64,
    /// How it is driven.
    pub drive: Drive,
}

/// What there is to watch.
#[derive(Debug, Clone, PartialEq)]
pub struct Watched {
    /// Names of the ports.
    pub ports: Vec<String>,
    /// True if there are chains.
    pub chains: bool,
    /// True if there are beams.
    pub beams: bool,
    /// In a free world, the radius of the largest body [m].
    pub free: Option<f64>,
    /// Bodies that must stay above the floor, and their radii [m].
    pub above: Vec<(usize, f64)>,
    /// Joints that must stay closed, and how far their points were built apart [m].
    pub closed: Vec<(usize, f64)>,
}

impl Scene {
    /// All driven ports, in the order in which they are built.
    pub fn driven(&self) -> Vec<DrivenSpec> {
        let mut driven = Vec::new();
        for chain in &self.chains {
            if let Some(motor) = chain.motor.filter(|motor| motor.link < chain.links.len()) {
                let (name, id) = (format!("m{}", chain.id), MOTORS[0] + chain.id as u64);
                driven.push(DrivenSpec { name, id, drive: motor.drive() });
            }
        }
        for (i, gear) in self.gears.iter().enumerate() {
            let (name, id) = (format!("gm{i}"), MOTORS[1] + i as u64);
            driven.push(DrivenSpec { name, id, drive: gear.drive() });
        }
        for port in self.acting_ports() {
            let (name, id) = (format!("p{}", port.id), port.id as u64);
            driven.push(DrivenSpec { name, id, drive: self.port_drive(port) });
        }
        driven
    }

    /// Ports on bodies that are there and move.
    pub fn acting_ports(&self) -> impl Iterator<Item = &PortSpec> {
        let acts = |port: &&PortSpec| self.body(port.body).is_some_and(|body| !body.fixed);
        self.ports.iter().filter(acts)
    }

    /// What there is to watch.
    pub fn watched(&self) -> Watched {
        let radii = self.bodies.iter().map(|body| body.form.radius());
        Watched {
            ports: self.driven().into_iter().map(|driven| driven.name).collect(),
            chains: !self.chains.is_empty(),
            beams: !self.beams.is_empty(),
            free: self.profile.is_iso().then(|| radii.fold(0.0, f64::max)),
            above: self.watched_bodies(),
            closed: self.watched_joints(),
        }
    }

    fn watched_bodies(&self) -> Vec<(usize, f64)> {
        if !self.profile.is_moderate() || !self.has_level_floor() {
            return Vec::new();
        }
        let movers = self.bodies.iter().filter(|body| !body.fixed);
        movers.map(|body| (body.id, body.form.radius())).collect()
    }

    fn watched_joints(&self) -> Vec<(usize, f64)> {
        if !self.profile.is_moderate() {
            return Vec::new();
        }
        let hard = self.joints.iter().filter(|joint| joint.stiffness.is_infinite());
        let held = hard.filter(|joint| joint.kind.holds_point());
        held.map(|joint| (joint.id, joint.offset.norm())).collect()
    }

    /// True if the floor is level and its top is at z = 0.
    fn has_level_floor(&self) -> bool {
        let level = |form: &Form| matches!(form, Form::HalfSpace | Form::Cuboid(_));
        let floors = self.bodies.iter().filter(|body| body.fixed && level(&body.form));
        floors.into_iter().any(|floor| floor.turn == Vec3::zeros())
    }

    /// How a port is driven: a reference jumps about where its point is at the start.
    fn port_drive(&self, port: &PortSpec) -> Drive {
        match (port.drive, self.body(port.body)) {
            (Drive::Reference { amplitude, .. }, Some(body)) => {
                let center = body.position + rotation(&body.turn) * port.at;
                Drive::Reference { center, amplitude }
            }
            (drive, _) => drive,
        }
    }
}

impl MotorSpec {
    /// How the motor of a chain is driven.
    fn drive(&self) -> Drive {
        match self.kind {
            MotorKind::Effort => Drive::Effort(self.effort),
            MotorKind::Rate => Drive::Rate(5.0),
            MotorKind::Target => Drive::Target(1.0),
        }
    }
}

impl GearSpec {
    /// How the motor of a gear is driven.
    fn drive(&self) -> Drive {
        match self.motor {
            MotorKind::Effort => Drive::Effort(self.effort),
            MotorKind::Rate => Drive::Rate(10.0),
            MotorKind::Target => Drive::Target(3.0),
        }
    }
}
