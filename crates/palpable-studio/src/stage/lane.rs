//! One world on show.

use super::Hand;
use palpable::{Inputs, PortId, PortInput, Status, StepReport, Vec3, World};

/// How a lane is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum Fate {
    /// Running.
    #[default]
    Well = 0,
    /// Its numbers left the range of double precision: it exploded.
    Exploded = 1,
    /// Its scheme cannot run this scene.
    Unsupported = 2,
}

/// Coordinates beyond this count as an explosion [m].
const FAR: f64 = 1e6;

/// A world and what happened to it.
#[derive(Debug, Clone)]
pub struct Lane {
    /// The world.
    pub world: World,
    /// How it is doing.
    pub fate: Fate,
    /// What the last step said.
    pub report: StepReport,
    /// Largest force on the hand since it was last asked for [N].
    pub peak: f64,
    pub(super) port: Option<PortId>,
}

impl Lane {
    /// A lane at the start of a world.
    pub fn new(world: World) -> Self {
        let (fate, report) = (Fate::Well, StepReport::default());
        Self { world, fate, report, peak: 0.0, port: None }
    }

    /// Takes a step of `h` [s] unless the lane has come to its end.
    pub(super) fn step(&mut self, h: f64, inputs: &mut Inputs, hand: &Hand) {
        if self.fate != Fate::Well {
            return;
        }
        if let Some(port) = self.port {
            let (position, rotation) = (hand.reference, hand.rotation);
            inputs.set(port, PortInput::Reference { position, rotation });
        }
        self.report = self.world.step(h, inputs);
        self.peak = self.peak.max(self.force().norm());
        self.fate = match self.report.status {
            Status::NotFinite => Fate::Exploded,
            Status::Unsupported => Fate::Unsupported,
            _ if self.is_far() => Fate::Exploded,
            _ => Fate::Well,
        };
    }

    /// Force on the hand [N].
    pub fn force(&self) -> Vec3 {
        self.port.map_or(Vec3::zeros(), |port| self.world.port(port).force)
    }

    /// Torque on the hand [N·m].
    pub fn torque(&self) -> Vec3 {
        self.port.map_or(Vec3::zeros(), |port| self.world.port(port).torque)
    }

    fn is_far(&self) -> bool {
        let total = self.world.energy().total();
        // the total grows with the square of what runs away, so it is the first to tell
        !(total.abs() < FAR * FAR)
    }
}
