//! Passive set-position modulation at the device: a far end that moves only as far as is paid.

use super::error::{CouplingError, InputFault, non_negative};
use super::handle::{Freedom, Handle, Pair};
use super::virtual_coupling::Felt;
use crate::ledger::{Tank, TankPolicy};
use crate::math::{Vec3, Vec6, join};

/// One side of a coupling over a link that is late and loses packets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PspmSettings {
    /// Stiffness of this side [N/m].
    pub stiffness: f64,
    /// Rotational stiffness [N·m/rad]; 0 unless poses are coupled.
    pub turning_stiffness: f64,
    /// Damping of this side [N·s/m]. At the device its own physical damping, the one that can be
    /// counted on; at the world that of the reference port.
    pub damping: f64,
    /// Rotational damping likewise [N·m·s/rad].
    pub turning_damping: f64,
    /// Damper computed from samples, at the device only [N·s/m]; it asks as much of the device.
    pub sampled_damping: f64,
    /// Energy in the reservoir at the start [J]: without any, a rest could never end.
    pub grant: f64,
    /// Energy above this is sent to the other side [J].
    pub ceiling: f64,
    /// Share of sent energy that arrives, at most 1.
    pub shuffling: f64,
    /// What is coupled.
    pub freedom: Freedom,
    /// The device computes its spring between samples, much faster than packets come, so that
    /// nothing is created by holding its force. False: the force is held from sample to sample.
    pub continuous: bool,
}

impl PspmSettings {
    /// Positions; 10 mJ granted, 50 mJ at most, all of the rest sent to the other side.
    pub fn point(stiffness: f64, damping: f64) -> Self {
        Self {
            stiffness,
            turning_stiffness: 0.0,
            damping,
            turning_damping: 0.0,
            sampled_damping: 0.0,
            grant: 0.01,
            ceiling: 0.05,
            shuffling: 1.0,
            freedom: Freedom::Point,
            continuous: false,
        }
    }

    /// Stiffness for a reference port, offsets first.
    pub fn port_stiffness(&self) -> Vec6 {
        join(&Vec3::repeat(self.stiffness), &Vec3::repeat(self.turning_stiffness))
    }

    /// Damping for a reference port, offsets first.
    pub fn port_damping(&self) -> Vec6 {
        join(&Vec3::repeat(self.damping), &Vec3::repeat(self.turning_damping))
    }

    pub(super) fn checked(mut self) -> Result<(Self, Pair, Pair, Reservoir), CouplingError> {
        let springs = Pair::stiffness(self.stiffness, self.turning_stiffness)?;
        let dampers = Pair::damping(self.damping, self.turning_damping)?;
        non_negative("sampled damping [N·s/m]", self.sampled_damping, "use 0 for none")?;
        non_negative("grant [J]", self.grant, "use e.g. 0.01 J")?;
        non_negative("ceiling [J]", self.ceiling, "use e.g. 0.05 J")?;
        non_negative("shuffling", self.shuffling, "use 1 to send all of the excess")?;
        self.shuffling = self.shuffling.min(1.0);
        if let Freedom::Line(axis) = self.freedom {
            self.freedom = Freedom::Line(axis.try_normalize(0.0).unwrap_or_else(Vec3::x));
        }
        let reservoir = Reservoir::new(self.grant, self.ceiling);
        Ok((self, springs, dampers, reservoir))
    }
}

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

/// The device's side: a spring from the handle to a set position that follows the world's proxy.
///
/// # Equation
/// ```text
/// F_k = −k1 (q_k − x̄_k) − b1 (q_k − q_{k−1})/T_k                  [Lee2008, sec. 5]
/// min |x̄_k − x|  subject to  E + D − ΔP >= 0
/// D = b|Δq|²/T − ½k1|Δq|²,   ΔP = ½k1|q_k − x̄_k|² − ½k1|q_k − x̄_{k−1}|²
/// ```
/// # Symbols
/// `q` handle, `x` latest proxy position received, `E` reservoir [J], `b` the device's own damping.
/// # Guarantee
/// The work of the held forces on the hand never exceeds the grant, the energy received in
/// packets and what the device's damping took, whatever the hand does and whatever the link
/// delivers, when it delivers it and how often the handle is sampled, as long as
/// `b >= k1 T/2 + b1`. With less, what is owed is a debt that the spring repays before it pulls
/// again.
/// # Differs from the source
/// The source treats the device loop as continuous ([`PspmSettings::continuous`]); here the force
/// is held between samples, and what that creates, `½k1|Δq|²`, is paid as well. The wanted
/// position is kept: what could not be paid at once is caught up as energy comes in.
/// # Cost
/// O(1), no allocation.
#[derive(Debug, Clone, PartialEq)]
pub struct DeviceSide {
    settings: PspmSettings,
    springs: Pair,
    dampers: Pair,
    reservoir: Reservoir,
    wanted: Option<(u64, Handle)>,
    set: Option<Handle>,
    hand: Option<Handle>,
    held: (Vec3, Vec3),
    stored: f64,
    sent: u64,
    to_hand: f64,
    damped: f64,
    received: f64,
}

impl DeviceSide {
    /// Builds this side.
    ///
    /// # Errors
    /// A number out of range, named with its cure.
    pub fn new(settings: PspmSettings) -> Result<Self, CouplingError> {
        let (settings, springs, dampers, reservoir) = settings.checked()?;
        Ok(Self {
            settings,
            springs,
            dampers,
            reservoir,
            wanted: None,
            set: None,
            hand: None,
            held: Default::default(),
            stored: 0.0,
            sent: 0,
            to_hand: 0.0,
            damped: 0.0,
            received: 0.0,
        })
    }

    /// Takes in a packet of the world's side; packets may come late, twice or in any order.
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

    /// A sample of the handle, `elapsed` [s] after the last one: the force held until the next.
    pub fn sample(&mut self, hand: &Handle, elapsed: f64) -> Felt {
        let felt = if !(elapsed > 0.0 && elapsed.is_finite()) {
            self.lose_hand(f64::INFINITY);
            Felt::nothing(InputFault::Period)
        } else if !hand.is_finite() {
            self.lose_hand(elapsed);
            Felt::nothing(InputFault::Sample)
        } else {
            self.advance(hand, elapsed)
        };
        self.held = (felt.force, felt.torque);
        felt
    }

    /// The hand went where nobody saw, for `elapsed` [s]: assume that it took the most it could.
    fn lose_hand(&mut self, elapsed: f64) {
        let taken = self.dampers.most_given(&self.held.0, &self.held.1, elapsed);
        if taken.is_finite() {
            self.reservoir.book(-taken);
        } else {
            // unknown: give up all that is there, and start from rest
            self.reservoir.book(-self.reservoir.content());
            (self.stored, self.set) = (0.0, None);
        }
        self.hand = None;
    }

    fn advance(&mut self, hand: &Handle, elapsed: f64) -> Felt {
        let freedom = self.settings.freedom;
        let last = self.hand.replace(*hand);
        let moved = last.map_or_else(Default::default, |last| freedom.admit(hand.from(&last)));
        let set = self.set.map_or(*hand, |set| freedom.follow(hand, &set));
        // what the hand got, what the damping took, what the spring holds more than before
        let damped = self.dampers.square(&moved.0, &moved.1) / elapsed;
        let now = self.springs.energy(&set, hand);
        let work = if self.settings.continuous {
            self.stored - now
        } else {
            self.held.0.dot(&moved.0) + self.held.1.dot(&moved.1)
        };
        (self.to_hand, self.damped) = (self.to_hand + work, self.damped + damped);
        self.reservoir.book(damped - work - (now - self.stored));
        let goal = self.wanted.map_or(set, |(_, wanted)| freedom.follow(&set, &wanted));
        let allowed = now + self.reservoir.content() - self.reservoir.debt();
        let set = self.springs.within(hand, &goal, allowed);
        self.stored = self.springs.energy(&set, hand);
        self.reservoir.book(now - self.stored);
        self.set = Some(set);
        let (d, turn) = set.from(hand);
        let brake = moved.0 * (self.settings.sampled_damping / elapsed);
        let pull = (d * self.springs.linear - brake, turn * self.springs.angular);
        let (force, torque) = freedom.admit(pull);
        Felt { force, torque, fault: None }
    }

    /// What to send to the world's side: the handle, and energy above the ceiling.
    pub fn send(&mut self) -> Option<Packet> {
        let handle = self.hand?;
        self.sent += 1;
        let energy = self.settings.shuffling * self.reservoir.shed();
        Some(Packet { sequence: self.sent, handle, energy })
    }

    /// Energy in the reservoir [J].
    pub fn reserve(&self) -> f64 {
        self.reservoir.content()
    }

    /// What is still owed [J]; zero unless the device has less damping than declared.
    pub fn debt(&self) -> f64 {
        self.reservoir.debt()
    }

    /// The set position in use.
    pub fn set_position(&self) -> Option<Handle> {
        self.set
    }

    /// Work of the held forces on the hand so far [J].
    pub fn to_hand(&self) -> f64 {
        self.to_hand
    }

    /// What the device's damping took at least [J].
    pub fn damped(&self) -> f64 {
        self.damped
    }

    /// Energy received in packets [J].
    pub fn received(&self) -> f64 {
        self.received
    }
}
