//! What enters at the ports, as functions of time.

mod track;

pub(crate) use track::{Enters, Track};

use crate::assemble::motor::input_of;
use crate::document::DriveKind;
use palpable::{Inputs, PortId, PortInput, Rotation, Vec3};
use std::f64::consts::TAU;

/// The scripted inputs of all ports.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Script {
    ports: Vec<(PortId, Signal)>,
}

/// The input of one port over time. Pairs are force and torque, or position and nothing.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Signal {
    /// Always the same.
    Constant(PortInput),
    /// `offset + amplitude sin(2π frequency t + phase)`.
    Sine {
        offset: [Vec3; 2],
        amplitude: [Vec3; 2],
        /// [Hz]
        frequency: f64,
        /// [rad]
        phase: f64,
        /// Orientation of a reference; `None` for a force.
        reference: Option<Rotation>,
    },
    /// Motor: `offset + amplitude sin(2π frequency t + phase)`.
    Drive {
        kind: DriveKind,
        offset: f64,
        amplitude: f64,
        /// [Hz]
        frequency: f64,
        /// [rad]
        phase: f64,
    },
    /// Rows over time.
    Table(Track),
}

impl Script {
    pub(crate) fn push(&mut self, port: PortId, signal: Signal) {
        self.ports.push((port, signal));
    }

    /// Fills in what enters during a step that begins at `time` [s].
    ///
    /// Ports without a script are left as they are. Does not allocate if `inputs` came from
    /// [`palpable::World::inputs`].
    pub fn inputs(&self, time: f64, inputs: &mut Inputs) {
        for (port, signal) in &self.ports {
            inputs.set(*port, signal.at(time));
        }
    }
}

impl Signal {
    fn at(&self, time: f64) -> PortInput {
        match self {
            Signal::Constant(input) => *input,
            Signal::Sine { offset, amplitude, frequency, phase, reference } => {
                // whole turns are taken off first, so that late times keep their digits
                let swing = (TAU * (frequency * time).fract() + phase).sin();
                let pair = [0, 1].map(|i| offset[i] + amplitude[i] * swing);
                input(pair, *reference)
            }
            Signal::Drive { kind, offset, amplitude, frequency, phase } => {
                let swing = (TAU * (frequency * time).fract() + phase).sin();
                input_of(*kind, offset + amplitude * swing)
            }
            Signal::Table(track) => track.at(time),
        }
    }
}

/// A reference if its orientation is given, a wrench otherwise.
fn input([first, second]: [Vec3; 2], reference: Option<Rotation>) -> PortInput {
    match reference {
        Some(rotation) => PortInput::Reference { position: first, rotation },
        None => PortInput::Wrench { force: first, torque: second },
    }
}
