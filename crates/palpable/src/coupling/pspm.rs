//! Passive set-position modulation at the device: a far end that moves only as far as is paid.

use super::error::{CouplingError, InputFault, non_negative};
use super::handle::{Freedom, Handle, Pair};
use super::pspm_side::{Packet, Reservoir, Side};
use super::virtual_coupling::Felt;
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
    side: Side,
    held: (Vec3, Vec3),
    to_hand: f64,
    damped: f64,
}

impl DeviceSide {
    /// Builds this side.
    ///
    /// # Errors
    /// A number out of range, named with its cure.
    pub fn new(settings: PspmSettings) -> Result<Self, CouplingError> {
        Ok(Self { side: Side::new(settings)?, held: Default::default(), to_hand: 0.0, damped: 0.0 })
    }

    /// Takes in a packet of the world's side; packets may come late, twice or in any order.
    pub fn receive(&mut self, packet: &Packet) {
        self.side.receive(packet);
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
        let taken = self.side.dampers.most_given(&self.held.0, &self.held.1, elapsed);
        if taken.is_finite() {
            self.side.reservoir.book(-taken);
        } else {
            // unknown: give up all that is there, and start from rest
            self.side.reservoir.book(-self.side.reservoir.content());
            (self.side.stored, self.side.set) = (0.0, None);
        }
        self.side.end = None;
    }

    fn advance(&mut self, hand: &Handle, elapsed: f64) -> Felt {
        let freedom = self.side.settings.freedom;
        let last = self.side.end.replace(*hand);
        let moved = last.map_or_else(Default::default, |last| freedom.admit(hand.from(&last)));
        let set = self.side.set.map_or(*hand, |set| freedom.follow(hand, &set));
        // what the hand got, what the damping took, what the spring holds more than before
        let damped = self.side.dampers.square(&moved.0, &moved.1) / elapsed;
        let now = self.side.springs.energy(&set, hand);
        let work = if self.side.settings.continuous {
            self.side.stored - now
        } else {
            self.held.0.dot(&moved.0) + self.held.1.dot(&moved.1)
        };
        (self.to_hand, self.damped) = (self.to_hand + work, self.damped + damped);
        self.side.reservoir.book(damped - work - (now - self.side.stored));
        let goal = self.side.wanted.map_or(set, |(_, wanted)| freedom.follow(&set, &wanted));
        let allowed = now + self.side.reservoir.content() - self.side.reservoir.debt();
        let set = self.side.springs.within(hand, &goal, allowed);
        self.side.stored = self.side.springs.energy(&set, hand);
        self.side.reservoir.book(now - self.side.stored);
        self.side.set = Some(set);
        let (d, turn) = set.from(hand);
        let brake = moved.0 * (self.side.settings.sampled_damping / elapsed);
        let pull = (d * self.side.springs.linear - brake, turn * self.side.springs.angular);
        let (force, torque) = freedom.admit(pull);
        Felt { force, torque, fault: None }
    }

    /// What to send to the world's side: the handle, and energy above the ceiling.
    pub fn send(&mut self) -> Option<Packet> {
        self.side.send()
    }

    /// Energy in the reservoir [J].
    pub fn reserve(&self) -> f64 {
        self.side.reservoir.content()
    }

    /// What is still owed [J]; zero unless the device has less damping than declared.
    pub fn debt(&self) -> f64 {
        self.side.reservoir.debt()
    }

    /// The set position in use.
    pub fn set_position(&self) -> Option<Handle> {
        self.side.set
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
        self.side.received
    }
}
