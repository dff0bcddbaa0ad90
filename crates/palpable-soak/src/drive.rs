//! What enters at the ports, step by step, and how long a step is: functions of seed and step.

use crate::random::Random;
use palpable::{PortInput, Rotation, Vec3};

/// How a port is driven.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Drive {
    /// A new random wrench in each step.
    Force {
        /// Largest component of the force [N].
        force: f64,
        /// Largest component of the torque [N·m].
        torque: f64,
    },
    /// The same force in every step, world axes [N].
    Press(Vec3),
    /// A reference that jumps about.
    Reference {
        /// Centre of the jumps [m].
        center: Vec3,
        /// Largest component of a jump [m], and of the turn [rad] up to 3.
        amplitude: f64,
    },
    /// Motor: largest effort [N or N·m].
    Effort(f64),
    /// Motor: largest rate [m/s or rad/s].
    Rate(f64),
    /// Motor: largest target [m or rad].
    Target(f64),
}

impl Drive {
    /// The input of the port called `port` in a step; one in five is idle.
    pub fn input(&self, seed: u64, step: usize, port: u64) -> PortInput {
        let mut random = Random::of_event(seed, step as u64 + 17, port);
        let idle = random.chance(0.2);
        match *self {
            Drive::Press(force) => PortInput::Wrench { force, torque: Vec3::zeros() },
            _ if idle => PortInput::Idle,
            Drive::Force { force, torque } => {
                let part = random.spread(1e-4, 1.0);
                let force = random.vector(force * part);
                PortInput::Wrench { force, torque: random.vector(torque * part) }
            }
            Drive::Reference { center, amplitude } => {
                let position = center + random.vector(amplitude);
                let rotation = Rotation::from_scaled_axis(random.vector(amplitude.min(3.0)));
                PortInput::Reference { position, rotation }
            }
            Drive::Effort(most) => PortInput::Effort(most * random.between(-1.0, 1.0)),
            Drive::Rate(most) => PortInput::Rate(most * random.between(-1.0, 1.0)),
            Drive::Target(most) => PortInput::Target(most * random.between(-1.0, 1.0)),
        }
    }
}

/// Length of a step [s], drawn from `range` [s] if its ends differ.
pub fn step_length(range: [f64; 2], seed: u64, step: usize) -> f64 {
    let [least, most] = range;
    if least == most { least } else { Random::of_event(seed, step as u64, 99).spread(least, most) }
}
