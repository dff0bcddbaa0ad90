//! The line between hand and world: a device with some damping, packets that come late or never.
//!
//! Both ends run passive set-position modulation ([`palpable::coupling`]), so whatever the line
//! does, the hand and the world get back no more than was put in, granted or taken by dampers.

use super::Coupling;
use palpable::coupling::{DeviceSide, Felt, Freedom, Handle, Packet, PspmSettings, WorldSide};
use palpable::{Dissipation, PortInput, PortOutput, World};
use std::collections::VecDeque;

/// The device in the hand and the line behind it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// Viscous damping of the device [N·s/m]; pays for what a late answer costs.
    pub damping: f64,
    /// Delay of a packet, each way [s].
    pub delay: f64,
    /// Share of packets that are lost, each way.
    pub loss: f64,
}

impl Default for Line {
    /// 2 N·s/m, no delay, nothing lost.
    fn default() -> Self {
        Self { damping: 2.0, delay: 0.0, loss: 0.0 }
    }
}

impl Line {
    /// True if the hand holds the world without a line between them.
    pub fn is_direct(&self) -> bool {
        self.delay == 0.0 && self.loss == 0.0
    }

    /// What is wrong with it, if anything.
    pub fn fault(&self) -> Option<&'static str> {
        if !(self.damping > 0.0 && self.damping <= 1e4) {
            return Some("the device's damping must be above 0 and at most 10 kN·s/m");
        }
        if !(0.0..=1.0).contains(&self.delay) {
            return Some("the delay must be between 0 and 1 s");
        }
        let lossy = !(0.0..=0.95).contains(&self.loss);
        lossy.then_some("the share of lost packets must be between 0 and 0.95")
    }
}

/// Packets under way at most, each way; what finds no room is lost, which is passive.
const MOST: usize = 4096;
/// A grant moves the hand's end by about this much [m], so that a rest can end.
const FIRST_MOVE: f64 = 0.01;
/// Energy is kept up to so many grants; the rest goes to the other end.
const KEPT: f64 = 5.0;

/// A line at work in one lane.
#[derive(Debug, Clone)]
pub struct Link {
    line: Line,
    device: DeviceSide,
    world: WorldSide,
    there: VecDeque<(f64, Packet)>,
    back: VecDeque<(f64, Packet)>,
    time: f64,
    luck: u64,
    /// What the hand feels.
    pub felt: Felt,
}

impl Link {
    /// A line to a port with this coupling in `world`, sampled every `period` [s]; none if it is
    /// direct. `before` hands on the energy of the line that it takes the place of.
    pub fn new(
        line: Line,
        coupling: &Coupling,
        world: &World,
        period: f64,
        before: Option<&Link>,
    ) -> Option<Self> {
        if line.is_direct() {
            return None;
        }
        // a world whose tank keeps what dampers take must not count it twice
        let drops = world.options().tank.dissipation == Dissipation::Drop;
        let counted = |b: f64| if drops { b } else { 0.0 };
        let (k, b) = (coupling.stiffness_rows(), coupling.damping_rows());
        let grant = 0.5 * k[0] * FIRST_MOVE * FIRST_MOVE;
        let there = PspmSettings {
            turning_stiffness: k[3],
            turning_damping: counted(b[3]),
            grant: before.map_or(grant, |link| link.world.reserve()),
            ceiling: KEPT * grant,
            freedom: if k[3] > 0.0 { Freedom::Pose } else { Freedom::Point },
            ..PspmSettings::point(k[0], counted(b[0]))
        };
        let here = PspmSettings {
            // half of the device's damping pays for holding the force over a period
            stiffness: k[0].min(line.damping / period),
            turning_stiffness: k[3].min(line.damping * k[3] / (k[0] * period)),
            damping: line.damping,
            turning_damping: line.damping * k[3] / k[0],
            grant: before.map_or(grant, |link| link.device.reserve()),
            ..there
        };
        Some(Self {
            line,
            device: DeviceSide::new(here).ok()?,
            world: WorldSide::new(there).ok()?,
            there: VecDeque::with_capacity(64),
            back: VecDeque::with_capacity(64),
            time: before.map_or(0.0, |link| link.time),
            luck: before.map_or(1, |link| link.luck),
            felt: Felt::default(),
        })
    }

    /// Before a step of `h` [s]: what the port is told.
    pub fn before(&mut self, hand: &Handle, h: f64) -> PortInput {
        while let Some(packet) = fetch(&mut self.back, self.time) {
            self.device.receive(&packet);
        }
        self.felt = self.device.sample(hand, h);
        if let Some(packet) = self.device.send() {
            let arrives = self.arrives();
            post(&mut self.there, arrives, packet);
        }
        while let Some(packet) = fetch(&mut self.there, self.time) {
            self.world.receive(&packet);
        }
        self.world.reference()
    }

    /// After the step: what the port did.
    pub fn after(&mut self, port: &PortOutput, h: f64) {
        self.world.after_step(port, h);
        self.time += h;
        if let Some(packet) = self.world.send() {
            let arrives = self.arrives();
            post(&mut self.back, arrives, packet);
        }
    }

    /// When a packet sent now arrives [s]; never, if it is lost.
    fn arrives(&mut self) -> Option<f64> {
        // xorshift64*: the same takes give the same losses
        self.luck ^= self.luck >> 12;
        self.luck ^= self.luck << 25;
        self.luck ^= self.luck >> 27;
        let draw = (self.luck.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / 2f64.powi(53);
        (draw >= self.line.loss).then_some(self.time + self.line.delay)
    }

    /// Energy in the reservoirs at the device and at the world [J].
    pub fn reserves(&self) -> [f64; 2] {
        [self.device.reserve(), self.world.reserve()]
    }

    /// Work on the hand and on the world so far, and what the device's damping took [J].
    pub fn account(&self) -> [f64; 3] {
        [self.device.to_hand(), self.world.to_world(), self.device.damped()]
    }
}

/// The next packet that has arrived at `time` [s].
fn fetch(way: &mut VecDeque<(f64, Packet)>, time: f64) -> Option<Packet> {
    let arrived = way.front().is_some_and(|(due, _)| *due <= time);
    arrived.then(|| way.pop_front()).flatten().map(|(_, packet)| packet)
}

fn post(way: &mut VecDeque<(f64, Packet)>, arrives: Option<f64>, packet: Packet) {
    if let Some(due) = arrives.filter(|_| way.len() < MOST) {
        way.push_back((due, packet));
    }
}
