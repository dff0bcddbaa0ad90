//! The picture of a moment, sent at display rate.

use super::areas::Areas;
use crate::rig::LoopStats;
use crate::stage::{Lane, Stage, Strike};
use palpable::model::PortInfo;
use palpable::{BodyId, ContactLaw, Patch, Scheme, Touch, Vec3};

/// What one lane shows.
#[derive(Debug, Clone, Default)]
struct LaneFrame {
    poses: Vec<[f32; 7]>,
    velocities: Vec<[f32; 6]>,
    ended: f32,
    hand: [f32; 16],
    energy: [f64; 14],
    contacts: Vec<[u32; 8]>,
    strikes: Vec<[u32; 8]>,
    areas: Areas,
    motors: Vec<[f32; 3]>,
    touching: u16,
    deepest: f32,
    fate: u8,
    scheme: u8,
    law: u8,
}

/// Everything on show at a moment; made in the servo thread in room that it already has.
#[derive(Debug, Clone, Default)]
pub struct Frame {
    generation: u32,
    time: f64,
    lanes: [LaneFrame; 2],
    shown: usize,
    status: [f64; 9],
    times: Vec<u32>,
}

impl Frame {
    /// The frame of a stage.
    pub fn of(stage: &Stage, stats: &LoopStats) -> Self {
        let mut frame = Frame::default();
        frame.fill(stage, stats);
        frame
    }

    /// Takes over the present; allocates only when the scene has changed.
    pub fn fill(&mut self, stage: &Stage, stats: &LoopStats) {
        self.generation = stage.generation();
        self.time = stage.world().time();
        self.shown = stage.lanes().len().min(2);
        for (slot, lane) in self.lanes.iter_mut().zip(stage.lanes()) {
            slot.fill(stage, lane);
        }
        let take = stage.take();
        let back = stage.looking_back().is_some();
        let take = [take.is_recording(), take.is_replaying(), take.is_ready()];
        let flags = [stage.is_paused(), take[0], take[1], take[2], back];
        let flags = flags.iter().enumerate().map(|(i, on)| u32::from(*on) << i).sum::<u32>();
        self.status = [
            stats.ticks as f64,
            stats.missed as f64,
            stats.dropped,
            stage.show().steps.mean_length(),
            stage.speed(),
            stage.rewindable(),
            f64::from(flags),
            stage.world().tick() as f64,
            stage.looking_back().unwrap_or(0.0),
        ];
        self.times.clear();
        self.times.extend(stats.times.counts);
    }

    /// Writes the frame as the page reads it.
    pub fn encode(&self) -> Vec<u8> {
        let bodies = self.lanes[0].poses.len();
        let mut out = Vec::with_capacity(512 + self.shown * (bodies * 28 + 256));
        out.extend(b"pf");
        out.extend([2, self.shown as u8]);
        out.extend(self.generation.to_le_bytes());
        out.extend(self.time.to_le_bytes());
        for (index, lane) in self.lanes[..self.shown].iter().enumerate() {
            lane.encode(index as u8, &mut out);
        }
        section(&mut out, (5, 0), 1, self.status.iter().flat_map(|v| v.to_le_bytes()));
        let times = self.times.iter().flat_map(|v| v.to_le_bytes());
        section(&mut out, (6, 0), self.times.len(), times);
        out
    }
}

impl LaneFrame {
    fn fill(&mut self, stage: &Stage, lane: &Lane) {
        self.poses.clear();
        self.poses.extend(stage.show().bodies.iter().map(|id| pose(lane, *id)));
        self.velocities.clear();
        self.velocities.extend(stage.show().bodies.iter().map(|id| velocity(lane, *id)));
        self.ended = lane.ended as f32;
        self.contacts.clear();
        let touching = lane.world.contacts().iter().filter(|t| touches(t));
        let all = touching.clone().count() + lane.world.patches().len();
        self.touching = u16::try_from(all).unwrap_or(u16::MAX);
        let mut last = None;
        self.contacts.extend(touching.take(MOST_CONTACTS).map(|t| {
            let face = Some((t.bodies, t.normal));
            contact(t, std::mem::replace(&mut last, face) != face)
        }));
        let room = MOST_CONTACTS.saturating_sub(self.contacts.len());
        self.contacts.extend(lane.world.patches().iter().take(room).map(patch));
        self.areas.fill(&lane.world);
        self.strikes.clear();
        self.strikes.extend(lane.strikes.list().iter().map(strike));
        self.motors.clear();
        let ports = lane.world.model().ports().iter();
        self.motors.extend(ports.filter(|p| p.motor).map(|p| motor(lane, p)));
        self.deepest = lane.deepest as f32;
        let (world, hand) = (&lane.world, stage.hand());
        let held = lane.port().map_or(Vec3::zeros(), |port| world.port(port).position);
        let (force, torque) = (lane.force(), lane.torque());
        let vectors = [hand.reference, held, force, torque];
        for (slot, value) in self.hand.iter_mut().zip(vectors.iter().flat_map(|v| v.iter())) {
            *slot = *value as f32;
        }
        self.hand[12] = lane.peak as f32;
        self.hand[13] = hand.grip.map_or(-1.0, |grip| grip.body as f32);
        let reserves = lane.link().map_or([0.0; 2], |link| link.reserves());
        (self.hand[14], self.hand[15]) = (reserves[0] as f32, reserves[1] as f32);
        let (now, flows, books) = (world.energy(), world.ledger().totals(), world.ledger());
        let (stored, lost) = (
            // layers that yield are springs, too
            [now.kinetic, now.elastic + now.contact, now.gravity, now.tank],
            [flows.supplied, flows.damped, flows.friction, flows.impact, flows.discarded],
        );
        self.energy[..4].copy_from_slice(&stored);
        self.energy[4..9].copy_from_slice(&lost);
        self.energy[9..].copy_from_slice(&[
            books.booked(),
            books.closure(),
            books.max_defect(),
            lane.report.entry.in_play,
            flows.created,
        ]);
        self.fate = lane.fate as u8;
        let scheme = world.options().scheme;
        self.scheme = Scheme::ALL.iter().position(|s| *s == scheme).unwrap_or(0) as u8;
        let law = lane.law().name();
        self.law = ContactLaw::NAMES.iter().position(|n| *n == law).unwrap_or(0) as u8;
    }

    fn encode(&self, lane: u8, out: &mut Vec<u8>) {
        let poses = self.poses.iter().flatten().flat_map(|v| v.to_le_bytes());
        section(out, (1, lane), self.poses.len(), poses);
        section(out, (2, lane), 1, self.hand.iter().flat_map(|v| v.to_le_bytes()));
        section(out, (3, lane), 1, self.energy.iter().flat_map(|v| v.to_le_bytes()));
        let state = [self.fate, self.scheme].into_iter();
        let ended = self.ended.to_le_bytes();
        let contact = self.touching.to_le_bytes().into_iter().chain(self.deepest.to_le_bytes());
        section(out, (4, lane), 1, state.chain(contact).chain([self.law, 0, 0, 0]).chain(ended));
        let velocities = self.velocities.iter().flatten().flat_map(|v| v.to_le_bytes());
        section(out, (8, lane), self.velocities.len(), velocities);
        if !self.contacts.is_empty() {
            let bytes = self.contacts.iter().flatten().flat_map(|v| v.to_le_bytes());
            section(out, (7, lane), self.contacts.len(), bytes);
        }
        if !self.strikes.is_empty() {
            let bytes = self.strikes.iter().flatten().flat_map(|v| v.to_le_bytes());
            section(out, (9, lane), self.strikes.len(), bytes);
        }
        if self.areas.count > 0 {
            let bytes = self.areas.words.iter().flat_map(|v| v.to_le_bytes());
            section(out, (10, lane), self.areas.count, bytes);
        }
        if !self.motors.is_empty() {
            let bytes = self.motors.iter().flatten().flat_map(|v| v.to_le_bytes());
            section(out, (11, lane), self.motors.len(), bytes);
        }
    }
}

/// What a motor measures, its rate, and its whole effort along the measure.
fn motor(lane: &Lane, port: &PortInfo) -> [f32; 3] {
    let out = lane.world.port(port.id);
    let element = port.element.and_then(|e| Some((e, lane.world.element(e)?)));
    let spring = element.map_or(0.0, |(place, id)| {
        lane.world.params().elements[place].stiffness[0] * lane.world.strain(id)[0]
    });
    [out.measure, out.rate, out.effort - spring].map(|v| v as f32)
}

/// Contacts shown at most; as many as the page draws.
const MOST_CONTACTS: usize = 1024;
/// Surfaces this near touch, whether they press or not [m].
const NEAR: f64 = 1e-5;

fn touches(touch: &Touch) -> bool {
    touch.gap <= NEAR || touch.force.norm_squared() > 0.0
}

/// Point, force on the second body, depth, numbers of the bodies; the highest bit begins a face.
fn contact(touch: &Touch, begins: bool) -> [u32; 8] {
    let [x, y, z, fx, fy, fz] = words(&touch.point, &touch.force);
    let depth = (-touch.gap as f32).to_bits();
    [x, y, z, fx, fy, fz, depth, pair(touch.bodies) | u32::from(begins) << 31]
}

/// The same of a contact over an area: a face of its own.
fn patch(patch: &Patch) -> [u32; 8] {
    let [x, y, z, fx, fy, fz] = words(&patch.centroid, &patch.force);
    [x, y, z, fx, fy, fz, (patch.depth as f32).to_bits(), pair(patch.bodies) | 1 << 31]
}

/// Point, impulse on the second body, numbers of the bodies and of the collision.
fn strike(strike: &Strike) -> [u32; 8] {
    let [x, y, z, px, py, pz] = words(&strike.point, &strike.impulse);
    [x, y, z, px, py, pz, pair(strike.bodies), strike.number]
}

fn words(a: &Vec3, b: &Vec3) -> [u32; 6] {
    [a.x, a.y, a.z, b.x, b.y, b.z].map(|v| (v as f32).to_bits())
}

fn pair(bodies: [usize; 2]) -> u32 {
    let [a, b] = bodies.map(|body| body.min(0x7fff) as u32);
    a | b << 16
}

/// Velocity of the centre of mass, world axes, and angular velocity, body axes.
fn velocity(lane: &Lane, id: BodyId) -> [f32; 6] {
    let (v, w) = (lane.world.velocity(id), lane.world.angular_velocity(id));
    [v.x, v.y, v.z, w.x, w.y, w.z].map(|v| v as f32)
}

fn pose(lane: &Lane, id: BodyId) -> [f32; 7] {
    let pose = lane.world.pose(id);
    let (p, q) = (pose.position, pose.rotation.coords);
    [p.x, p.y, p.z, q.x, q.y, q.z, q.w].map(|v| v as f32)
}

fn section(out: &mut Vec<u8>, kind: (u8, u8), count: usize, bytes: impl Iterator<Item = u8>) {
    out.extend([kind.0, kind.1]);
    out.extend(u16::try_from(count).unwrap_or(u16::MAX).to_le_bytes());
    let place = out.len();
    out.extend([0; 4]);
    out.extend(bytes);
    let length = u32::try_from(out.len() - place - 4).unwrap_or(u32::MAX);
    out[place..place + 4].copy_from_slice(&length.to_le_bytes());
}
