//! What both sides of passive set-position modulation have: springs, an end, a reservoir, packets.

use super::error::CouplingError;
use super::handle::{Handle, Pair};
use super::pspm::PspmSettings;
use crate::ledger::{Tank, TankPolicy};

/// What is sent to the other side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Packet {
    /// Counts up; a packet that comes after a later one brings only its energy.
    pub sequence: u64,
    /// Where the sender's end is.
    pub handle: Handle,
    /// Energy handed over [J]. A lost packet loses it; a packet must not be delivered twice.
    pub energy: f64,
}

/// An energy account that is never negative, with what it turned away and what it still owes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reservoir {
    tank: Tank,
    excess: f64,
    debt: f64,
}

impl Reservoir {
    pub fn new(grant: f64, ceiling: f64) -> Self {
        let cap = ceiling.max(grant);
        Self {
            tank: Tank::new(TankPolicy { cap, grant, ..Default::default() }),
            excess: 0.0,
            debt: 0.0,
        }
    }

    pub fn content(&self) -> f64 {
        self.tank.content()
    }

    pub fn debt(&self) -> f64 {
        self.debt
    }

    /// Takes in (or, below zero, pays out) energy [J]; debts are settled first.
    pub fn book(&mut self, amount: f64) {
        let amount = amount - self.debt;
        self.debt = 0.0;
        if amount >= 0.0 {
            self.excess += amount - self.tank.grant(amount);
        } else {
            self.debt = -amount - self.tank.pay(-amount);
        }
    }

    /// Hands out what did not fit [J].
    pub fn shed(&mut self) -> f64 {
        std::mem::take(&mut self.excess)
    }
}

/// Springs from an end, here, to a set position that follows the end of the other side.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Side {
    pub settings: PspmSettings,
    pub springs: Pair,
    pub dampers: Pair,
    pub reservoir: Reservoir,
    /// Latest end of the other side, and the number of its packet.
    pub wanted: Option<(u64, Handle)>,
    pub set: Option<Handle>,
    /// The end on this side: the hand, or the proxy.
    pub end: Option<Handle>,
    /// Energy in the springs [J].
    pub stored: f64,
    /// Energy received in packets [J].
    pub received: f64,
    sent: u64,
}

impl Side {
    pub fn new(settings: PspmSettings) -> Result<Self, CouplingError> {
        let (settings, springs, dampers, reservoir) = settings.checked()?;
        Ok(Self {
            settings,
            springs,
            dampers,
            reservoir,
            wanted: None,
            set: None,
            end: None,
            stored: 0.0,
            received: 0.0,
            sent: 0,
        })
    }

    pub fn receive(&mut self, packet: &Packet) {
        if packet.energy > 0.0 && packet.energy.is_finite() {
            self.reservoir.book(packet.energy);
            self.received += packet.energy;
        }
        let newer = self.wanted.is_none_or(|(sequence, _)| packet.sequence > sequence);
        if newer && packet.handle.is_finite() {
            self.wanted = Some((packet.sequence, packet.handle));
        }
    }

    pub fn send(&mut self) -> Option<Packet> {
        let handle = self.end?;
        self.sent += 1;
        let energy = self.settings.shuffling * self.reservoir.shed();
        Some(Packet { sequence: self.sent, handle, energy })
    }
}
