//! One world on show.

use super::{Hand, Link, Strikes};
use palpable::coupling::Handle;
use palpable::{
    ContactLaw, Inputs, PortId, PortInput, Scheme, Snapshot, Status, StepReport, Vec3, World,
};

/// How a lane is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum Fate {
    /// Running.
    #[default]
    Well = 0,
    /// Its scheme created more than a million times the energy that was there, or its numbers left
    /// the range of double precision.
    Exploded = 1,
    /// Its scheme cannot run this scene.
    Unsupported = 2,
}

/// Created energy beyond so many times what was there or supplied is an explosion.
const EXPLOSION: f64 = 1e6;
/// What lifts everything by so much counts as there [m].
const LIFT: f64 = 1e-3;
/// As long as less than this share is created, the picture can be looked at.
const SANE: f64 = 10.0;
/// Steps between two states that are kept for the case of an explosion, in large worlds.
const KEEP: u64 = 16;
/// Bodies of a small world, at most.
const SMALL: usize = 32;

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
    /// Deepest overlap of bodies since it was last asked for [m].
    pub deepest: f64,
    /// Collisions of the last moments.
    pub strikes: Strikes,
    /// When it came to its end [s].
    pub ended: f64,
    /// the last state that can be looked at, of schemes that may explode
    sane: Option<Box<Snapshot>>,
    pub(super) port: Option<PortId>,
    /// the line to the hand, unless it is direct
    pub(super) link: Option<Link>,
}

impl Lane {
    /// A lane at the start of a world.
    pub fn new(world: World) -> Self {
        let (fate, report) = (Fate::Well, StepReport::default());
        let (peak, deepest, ended) = (0.0, 0.0, 0.0);
        let (strikes, sane, port, link) = (Strikes::default(), None, None, None);
        Self { world, fate, report, peak, deepest, strikes, ended, sane, port, link }
    }

    /// Takes a step of `h` [s] unless the lane has come to its end.
    pub(super) fn step(&mut self, h: f64, inputs: &mut Inputs, hand: &Hand) {
        if self.fate != Fate::Well {
            return;
        }
        if let Some(port) = self.port {
            let (position, rotation) = (hand.reference, hand.rotation);
            let direct = PortInput::Reference { position, rotation };
            let hand = Handle { position, rotation };
            inputs.set(port, self.link.as_mut().map_or(direct, |link| link.before(&hand, h)));
        }
        self.keep_sane();
        self.report = self.world.step(h, inputs);
        if let (Some(port), Some(link)) = (self.port, &mut self.link) {
            link.after(&self.world.port(port), h);
        }
        self.peak = self.peak.max(self.force().norm());
        self.deepest = self.deepest.max(self.report.contact.depth);
        self.strikes.watch(&self.world);
        self.fate = match self.report.status {
            Status::NotFinite => Fate::Exploded,
            Status::Unsupported => Fate::Unsupported,
            _ if self.created() > EXPLOSION * self.base() => Fate::Exploded,
            _ => Fate::Well,
        };
        if self.fate == Fate::Exploded {
            self.ended = self.world.time();
            if let Some(sane) = self.sane.take() {
                self.world.restore(&sane);
            }
        }
    }

    /// Keeps a state that can be looked at, should the scheme explode: an unstable one grows a
    /// thousandfold within a few steps, so of small worlds every step is kept.
    fn keep_sane(&mut self) {
        let world = &self.world;
        let every = if world.model().bodies().len() > SMALL { KEEP } else { 1 };
        let due = self.sane.is_none() || world.tick().is_multiple_of(every);
        let safe = world.options().scheme == Scheme::PassiveMidpoint;
        if safe || !due || self.created() > SANE * self.base() {
            return;
        }
        match &mut self.sane {
            Some(sane) => self.world.snapshot_into(sane),
            none => *none = Some(Box::new(self.world.snapshot())),
        }
    }

    /// Energy that the scheme has created [J].
    fn created(&self) -> f64 {
        let books = self.world.ledger();
        books.totals().created + books.closure()
    }

    /// Energy that was there at the start or came in since, and what lifts everything by a
    /// millimetre: a pile at rest has none of its own [J].
    fn base(&self) -> f64 {
        let (books, start) = (self.world.ledger(), self.world.ledger().initial());
        let fallen = start.gravity - books.lowest_gravity();
        let params = self.world.params();
        let mass: f64 = params.bodies.iter().map(|b| b.mass).sum();
        let lift = mass * params.gravity.norm() * LIFT;
        start.kinetic + start.elastic + fallen + books.totals().supplied.abs() + lift + 1e-9
    }

    /// Its contact law.
    pub fn law(&self) -> ContactLaw {
        self.world.options().contact_law
    }

    /// Another law with the same pyramid, unless `sides` are given.
    pub(super) fn other_law(&self, name: &str, sides: Option<u32>) -> ContactLaw {
        let sides = sides.or(self.law().sides()).unwrap_or(ContactLaw::SIDES);
        ContactLaw::named(name, sides).unwrap_or_default()
    }

    /// Force on the hand [N].
    pub fn force(&self) -> Vec3 {
        let direct = || self.port.map_or(Vec3::zeros(), |port| self.world.port(port).force);
        self.link.as_ref().map_or_else(direct, |link| link.felt.force)
    }

    /// Torque on the hand [N·m].
    pub fn torque(&self) -> Vec3 {
        let direct = || self.port.map_or(Vec3::zeros(), |port| self.world.port(port).torque);
        self.link.as_ref().map_or_else(direct, |link| link.felt.torque)
    }

    /// The line between the hand and this world, if there is one.
    pub fn link(&self) -> Option<&Link> {
        self.link.as_ref()
    }

    /// Looks for the largest force and the deepest overlap anew; a picture was made.
    pub(super) fn forget_peaks(&mut self) {
        self.strikes.tell();
        (self.peak, self.deepest) = (self.force().norm(), self.report.contact.depth);
    }
}
