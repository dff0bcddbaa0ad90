//! Passive set-position modulation at the world: the reference of a port, moved as far as is paid.

use super::error::CouplingError;
use super::handle::Handle;
use super::pspm::PspmSettings;
use super::pspm_side::{Packet, Side};
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
    side: Side,
    to_world: f64,
}

impl WorldSide {
    /// Builds this side. Until it has seen a step it leaves the reference where it is.
    ///
    /// # Errors
    /// A number out of range, named with its cure.
    pub fn new(settings: PspmSettings) -> Result<Self, CouplingError> {
        Ok(Self { side: Side::new(settings)?, to_world: 0.0 })
    }

    /// Takes in a packet of the device's side; packets may come late, twice or in any order.
    pub fn receive(&mut self, packet: &Packet) {
        self.side.receive(packet);
    }

    /// Before a step: the input of the reference port.
    pub fn reference(&mut self) -> PortInput {
        let (Some((_, wanted)), Some(proxy)) = (self.side.wanted, self.side.end) else {
            return PortInput::Idle;
        };
        let from = self.side.set.unwrap_or(proxy);
        let goal = self.side.settings.freedom.follow(&from, &wanted);
        let allowed = self.side.stored + self.side.reservoir.content() - self.side.reservoir.debt();
        let set = self.side.springs.within(&proxy, &goal, allowed);
        self.side.set = Some(set);
        PortInput::Reference { position: set.position, rotation: set.rotation }
    }

    /// After a step of length `h` [s]: books the price of the move and the damper's loss. What is
    /// not finite is left out.
    pub fn after_step(&mut self, port: &PortOutput, h: f64) {
        let proxy = Handle::of(port);
        let stored = self.side.springs.energy_of(&port.force, &port.torque);
        let loss = self.side.dampers.square(&port.velocity, &port.angular_velocity) * h;
        if !(proxy.is_finite() && stored.is_finite() && loss >= 0.0 && port.work.is_finite()) {
            return;
        }
        self.to_world += port.work;
        self.side.reservoir.book(loss - port.work);
        (self.side.stored, self.side.end) = (stored, Some(proxy));
    }

    /// What to send to the device's side: the proxy, and energy above the ceiling.
    pub fn send(&mut self) -> Option<Packet> {
        self.side.send()
    }

    /// Energy in the reservoir [J].
    pub fn reserve(&self) -> f64 {
        self.side.reservoir.content()
    }

    /// What is still owed [J]: rounding at most.
    pub fn debt(&self) -> f64 {
        self.side.reservoir.debt()
    }

    /// The set position in use.
    pub fn set_position(&self) -> Option<Handle> {
        self.side.set
    }

    /// Work of moving the reference so far [J].
    pub fn to_world(&self) -> f64 {
        self.to_world
    }
}
