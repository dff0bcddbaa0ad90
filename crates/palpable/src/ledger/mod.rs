//! Office: energy accounts, the tank and the audit. Reads everything, writes only its own books.

mod accounts;
mod audit;
mod tank;

pub use audit::{Audit, Finding};
pub use tank::{Dissipation, Surplus, Tank, TankPolicy};

use std::ops::Sub;

/// Stored energy by account [J].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Stored {
    /// Kinetic energy [J].
    pub kinetic: f64,
    /// Energy in the carried strains of springs and joints [J].
    pub elastic: f64,
    /// Potential energy of gravity [J]; zero where every centre of mass is at the origin.
    pub gravity: f64,
    /// Content of the tank [J].
    pub tank: f64,
    /// Energy in the stores of contacts over a volume [J].
    pub contact: f64,
}

impl Stored {
    /// Sum of all accounts [J].
    pub fn total(&self) -> f64 {
        self.kinetic + self.elastic + self.gravity + self.tank + self.contact
    }
}

impl Sub for Stored {
    type Output = Stored;
    fn sub(self, other: Stored) -> Stored {
        Stored {
            kinetic: self.kinetic - other.kinetic,
            elastic: self.elastic - other.elastic,
            gravity: self.gravity - other.gravity,
            tank: self.tank - other.tank,
            contact: self.contact - other.contact,
        }
    }
}

/// Energy that crossed a boundary [J]; losses are positive and net of what the tank kept.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Flows {
    /// In through ports, and what a user granted in live changes.
    pub supplied: f64,
    /// Out by viscous damping, and by the small numerical loss of stiff joints.
    pub damped: f64,
    /// Out by friction.
    pub friction: f64,
    /// Out by impacts.
    pub impact: f64,
    /// Turned away by a full tank, released by a wrapped angle, or lost by arithmetic.
    pub discarded: f64,
    /// In from nowhere, by a contact law that is not passive; 0 unless one was chosen.
    pub created: f64,
}

impl Flows {
    /// Makes the losses add up to what is missing [J]: dampers first, then friction, then what was
    /// discarded; impacts took the rest.
    pub(crate) fn explain(&mut self, missing: f64) {
        let mut left = missing.max(0.0);
        for account in [&mut self.damped, &mut self.friction, &mut self.discarded] {
            *account = account.max(0.0).min(left);
            left -= *account;
        }
        self.impact = left;
    }

    /// Takes what a tank kept off the losses it came from: dampers first, then friction, impacts.
    pub(crate) fn keep(&mut self, mut kept: f64) {
        for account in [&mut self.damped, &mut self.friction, &mut self.impact] {
            let part = account.max(0.0).min(kept);
            *account -= part;
            kept -= part;
        }
    }

    /// Adds another period.
    pub fn add(&mut self, other: &Flows) {
        self.supplied += other.supplied;
        self.damped += other.damped;
        self.friction += other.friction;
        self.impact += other.impact;
        self.discarded += other.discarded;
        self.created += other.created;
    }

    /// Everything that entered [J].
    pub fn entered(&self) -> f64 {
        self.supplied + self.created
    }

    /// Everything that left [J].
    pub fn lost(&self) -> f64 {
        self.damped + self.friction + self.impact + self.discarded
    }
}

/// The account of one step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Entry {
    /// Stored energy when the step began.
    pub before: Stored,
    /// Stored energy when it ended.
    pub after: Stored,
    /// What crossed the boundary in between.
    pub flows: Flows,
    /// Raw defect of the linear step before any booking [J]: what the arithmetic created.
    pub defect: f64,
    /// Sum of the magnitudes of all bookings [J].
    pub booked: f64,
    /// Energy in play [J]: the larger of the two totals, gravity from the lowest level reached so
    /// far, plus the magnitudes of all work terms, and what gravity alone would give to everything
    /// in the step, from rest.
    pub in_play: f64,
}

impl Entry {
    /// What the accounts leave unexplained [J]: after − before − entered + lost.
    pub fn closure(&self) -> f64 {
        let change = self.after - self.before;
        change.total() - self.flows.entered() + self.flows.lost()
    }

    /// The raw defect relative to the energy in play. Less than the last digit of the books can
    /// show is none: a world that stands still has next to nothing in play, and its rounding would
    /// be half of that.
    pub fn relative_defect(&self) -> f64 {
        let size = self.before.size().max(self.after.size());
        relative(beyond(self.defect, f64::EPSILON * size), self.in_play)
    }

    /// What the accounts leave unexplained beyond their rounding, relative to the energy in play.
    pub(crate) fn unexplained(&self) -> f64 {
        let size = self.before.size().max(self.after.size());
        relative(beyond_rounding(self.closure(), size), self.in_play)
    }
}

/// Rounding of an account relative to its size: some twenty units in the last place. A stack at
/// rest has hardly any energy in play, but all of its weight in the books.
const ROUNDING: f64 = 4e-15;

/// How much larger `value` is than the rounding of numbers of this size; NaN does not hide.
pub(crate) fn beyond_rounding(value: f64, size: f64) -> f64 {
    beyond(value, ROUNDING * size)
}

/// How much larger `value` is than what may be; NaN does not hide.
fn beyond(value: f64, allowed: f64) -> f64 {
    let excess = value.abs() - allowed;
    if excess <= 0.0 { 0.0 } else { excess }
}

/// `value / scale`, 0 where both vanish.
pub(crate) fn relative(value: f64, scale: f64) -> f64 {
    if scale > 0.0 { value.abs() / scale } else { 0.0 }
}

/// The books of a world since it was built.
#[derive(Debug, Clone, PartialEq)]
pub struct Ledger {
    initial: Stored,
    now: Stored,
    totals: Flows,
    booked: f64,
    max_defect: f64,
    fallbacks: u64,
    steps: u64,
    lowest_gravity: f64,
    largest_in_play: f64,
    worst: Option<(u64, Entry)>,
    gate: GateTotals,
}

/// What the last gate did since the start.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct GateTotals {
    /// Groups whose motion paid for energy that a stage had created.
    pub paid: u64,
    /// Times a step was done again with more care.
    pub retries: u64,
    /// Groups that stayed where they were for a step, at rest.
    pub held: u64,
    /// Energy that was about to be created [J].
    pub energy: f64,
}

impl Ledger {
    /// Opens the books.
    pub fn open(initial: Stored) -> Self {
        Self {
            initial,
            now: initial,
            totals: Flows::default(),
            booked: 0.0,
            max_defect: 0.0,
            fallbacks: 0,
            steps: 0,
            lowest_gravity: initial.gravity,
            largest_in_play: 0.0,
            worst: None,
            gate: GateTotals::default(),
        }
    }

    /// Takes note of what the last gate did in a step.
    pub(crate) fn note_gate(&mut self, paid: u32, retries: u32, held: u32, energy: f64) {
        self.gate.paid += u64::from(paid);
        self.gate.retries += u64::from(retries);
        self.gate.held += u64::from(held);
        self.gate.energy += energy;
    }

    /// What the last gate did since the start; all zero in a healthy world.
    pub fn gate(&self) -> GateTotals {
        self.gate
    }

    /// Stored energy at the start.
    pub fn initial(&self) -> Stored {
        self.initial
    }

    /// Stored energy now.
    pub fn now(&self) -> Stored {
        self.now
    }

    /// Everything that crossed the boundary since the start.
    pub fn totals(&self) -> Flows {
        self.totals
    }

    /// Sum of the magnitudes of all bookings since the start [J].
    pub fn booked(&self) -> f64 {
        self.booked
    }

    /// Largest raw step defect relative to the energy in play.
    pub fn max_defect(&self) -> f64 {
        self.max_defect
    }

    /// Times a strain could not be moved all the way because nobody could pay.
    pub fn fallbacks(&self) -> u64 {
        self.fallbacks
    }

    /// Steps and live changes entered.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Lowest value of the gravity account so far [J].
    pub fn lowest_gravity(&self) -> f64 {
        self.lowest_gravity
    }

    /// What the accounts leave unexplained since the start [J]; positive means created energy
    /// beyond that in [`Flows::created`].
    pub fn closure(&self) -> f64 {
        (self.now - self.initial).total() - self.totals.entered() + self.totals.lost()
    }

    /// Enters one step, or one live change, and remembers the least explained one.
    pub fn enter(&mut self, tick: u64, entry: &Entry, fallbacks: u32) {
        self.now = entry.after;
        self.totals.add(&entry.flows);
        self.booked += entry.booked;
        self.max_defect = self.max_defect.max(entry.relative_defect());
        self.fallbacks += u64::from(fallbacks);
        self.steps += 1;
        self.lowest_gravity = self.lowest_gravity.min(entry.after.gravity);
        self.largest_in_play = self.largest_in_play.max(entry.in_play);
        let worse = |(_, worst): &(u64, Entry)| entry.unexplained() > worst.unexplained();
        if self.worst.as_ref().is_none_or(worse) {
            self.worst = Some((tick, *entry));
        }
    }
}
