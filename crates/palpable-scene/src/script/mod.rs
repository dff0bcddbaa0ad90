//! What enters at the ports, as functions of time.

mod path;
mod track;

pub(crate) use path::Path;
pub(crate) use track::{Enters, Track};

use crate::assemble::motor::input_of;
use crate::document::DriveKind;
use palpable::{Inputs, PortId, PortInput, Pose, Rotation, Vec3};
use std::f64::consts::TAU;

/// The scripted inputs of all ports.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Script {
    ports: Vec<(PortId, Signal)>,
    /// Ports that somebody else moves.
    taken: Vec<PortId>,
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
    /// Poses of a reference, with smooth motion between them.
    Path(Path<Pose>),
    /// The same in the axes of the reference of another port.
    Led(PortId, Path<Pose>),
    /// Values of a motor, with smooth motion between them.
    DrivePath(DriveKind, Path<f64>),
}

impl Script {
    pub(crate) fn push(&mut self, port: PortId, signal: Signal) {
        self.ports.push((port, signal));
    }

    /// Fills in what enters during a step of length `h` [s] that begins at `time` [s]: what the
    /// script says in its middle.
    ///
    /// What enters is held over a step. Taken at its start, a reference lags behind by half of it,
    /// so steps of random length shake whatever it leads: at 0.3 m/s and 3 to 30 ms, by 4 mm.
    pub fn during(&self, time: f64, h: f64, inputs: &mut Inputs) {
        self.inputs(time + 0.5 * h, inputs);
    }

    /// Fills in what the script says at `time` [s].
    ///
    /// Ports without a script are left as they are. Does not allocate if `inputs` came from
    /// [`palpable::World::inputs`].
    pub fn inputs(&self, time: f64, inputs: &mut Inputs) {
        for (port, signal) in self.ports.iter().filter(|(port, _)| !self.taken.contains(port)) {
            inputs.set(*port, signal.at(time, inputs));
        }
    }

    /// Leaves a port to a hand: what enters there is no longer set by the script. References that
    /// are told in the axes of this one follow what [`Script::inputs`] finds there.
    pub fn take(&mut self, port: PortId) {
        if !self.taken.contains(&port) {
            self.taken.push(port);
        }
    }

    /// Takes all ports back.
    pub fn take_back(&mut self) {
        self.taken.clear();
    }

    /// True if other references are told in the axes of this port's.
    pub fn leads(&self, port: PortId) -> bool {
        self.ports.iter().any(|(_, signal)| matches!(signal, Signal::Led(by, _) if *by == port))
    }

    /// True if this port's reference is told in the axes of another one's.
    pub fn follows(&self, port: PortId) -> bool {
        let led =
            |(id, signal): &(PortId, Signal)| *id == port && matches!(signal, Signal::Led(..));
        self.ports.iter().any(led)
    }
}

impl Signal {
    /// What enters at `time` [s], beside what enters at ports that stand before.
    fn at(&self, time: f64, inputs: &Inputs) -> PortInput {
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
            Signal::Path(path) => path.at(time).map_or(PortInput::Idle, reference),
            Signal::Led(by, path) => match (inputs.get(*by), path.at(time)) {
                (PortInput::Reference { position, rotation }, Some(pose)) => reference(Pose {
                    position: position + rotation * pose.position,
                    rotation: rotation * pose.rotation,
                }),
                _ => PortInput::Idle,
            },
            Signal::DrivePath(kind, path) => path.at(time).map_or_else(
                || if *kind == DriveKind::Target { PortInput::Idle } else { input_of(*kind, 0.0) },
                |value| input_of(*kind, value),
            ),
        }
    }
}

fn reference(pose: Pose) -> PortInput {
    PortInput::Reference { position: pose.position, rotation: pose.rotation }
}

/// A reference if its orientation is given, a wrench otherwise.
fn input([first, second]: [Vec3; 2], reference: Option<Rotation>) -> PortInput {
    match reference {
        Some(rotation) => PortInput::Reference { position: first, rotation },
        None => PortInput::Wrench { force: first, torque: second },
    }
}
