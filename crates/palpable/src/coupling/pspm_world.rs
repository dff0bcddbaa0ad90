//! Passive set-position modulation at the world: the reference of a port, moved as far as is paid.

use super::error::CouplingError;
use super::handle::{Handle, Pair};
use super::pspm::{Packet, PspmSettings, Reservoir};
use crate::port::{PortInput, PortOutput};

/// The world's side: a spring from the proxy to a set position that follows the handle.
///
/// # Equation
/// ```text
/// τ_i = −b_c v̂_i − k_c (x̂_i − q̄_i)                              [Lee2008, (20)]
/// min |q̄_i − q|  subject to  E + D_{i−1} − ΔP_i >= 0,   D_{i−1} = b_c |v̂_{i−1}|² T_{i−1}
/// ```
/// The force is that of a reference port, solved with the world [Lee2008, (19)]; build the port
/// with [`PspmSettings::port_stiffness`] and [`PspmSettings::port_damping`].
/// # Guarantee
/// The work of moving the reference never exceeds the grant, the energy received in packets and
/// what the port's damper took. The world should drop dissipated energy (`Dissipation::Drop`),
/// or its tank counts the damper's share a second time.
/// # Differs from the source
/// It prints `D_{i−1}` with the wall's `b` and not `b_c`, and a power in place of an energy.
/// # Cost
/// O(1), no allocation.
#[derive(Debug, Clone, PartialEq)]
pub struct WorldSide {
    settings: PspmSettings,
    springs: Pair,
    dampers: Pair,
    reservoir: Reservoir,
    wanted: Option<(u64, Handle)>,
    set: Option<Handle>,
    proxy: Option<Handle>,
    stored: f64,
    sent: u64,
    to_world: f64,
}

impl WorldSide {
    /// Builds this side. Until it has seen a step it leaves the reference where it is.
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
            proxy: None,
            stored: 0.0,
            sent: 0,
            to_world: 0.0,
        })
    }

    /// Takes in a packet of the device's side; packets may come late, twice or in any order.
    pub fn receive(&mut self, packet: &Packet) {
        if packet.energy > 0.0 && packet.energy.is_finite() {
            self.reservoir.book(packet.energy);
        }
        let newer = self.wanted.is_none_or(|(sequence, _)| packet.sequence > sequence);
        if newer && packet.handle.is_finite() {
            self.wanted = Some((packet.sequence, packet.handle));
        }
    }

    /// Before a step: the input of the reference port.
    pub fn reference(&mut self) -> PortInput {
        let (Some((_, wanted)), Some(proxy)) = (self.wanted, self.proxy) else {
            return PortInput::Idle;
        };
        let from = self.set.unwrap_or(proxy);
        let goal = self.settings.freedom.follow(&from, &wanted);
        let allowed = self.stored + self.reservoir.content() - self.reservoir.debt();
        let set = self.springs.within(&proxy, &goal, allowed);
        self.set = Some(set);
        PortInput::Reference { position: set.position, rotation: set.rotation }
    }

    /// After a step of length `h` [s]: books the price of the move and the damper's loss. What is
    /// not finite is left out.
    pub fn after_step(&mut self, port: &PortOutput, h: f64) {
        let proxy = Handle::of(port);
        let stored = self.springs.energy_of(&port.force, &port.torque);
        let loss = self.dampers.square(&port.velocity, &port.angular_velocity) * h;
        if !(proxy.is_finite() && stored.is_finite() && loss >= 0.0 && port.work.is_finite()) {
            return;
        }
        self.to_world += port.work;
        self.reservoir.book(loss - port.work);
        (self.stored, self.proxy) = (stored, Some(proxy));
    }

    /// What to send to the device's side: the proxy, and energy above the ceiling.
    pub fn send(&mut self) -> Option<Packet> {
        let handle = self.proxy?;
        self.sent += 1;
        let energy = self.settings.shuffling * self.reservoir.shed();
        Some(Packet { sequence: self.sent, handle, energy })
    }

    /// Energy in the reservoir [J].
    pub fn reserve(&self) -> f64 {
        self.reservoir.content()
    }

    /// What is still owed [J]: rounding at most.
    pub fn debt(&self) -> f64 {
        self.reservoir.debt()
    }

    /// The set position in use.
    pub fn set_position(&self) -> Option<Handle> {
        self.set
    }

    /// Work of moving the reference so far [J].
    pub fn to_world(&self) -> f64 {
        self.to_world
    }
}
