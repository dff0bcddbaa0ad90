//! The unilateral coupler: a spring and damper that the hand feels in contact only.

use super::error::CouplingError;
use super::handle::Handle;
use super::virtual_coupling::{CouplingSettings, Felt, VirtualCoupling};
use crate::port::{PortInput, PortOutput};

/// A [`VirtualCoupling`] whose force reaches the hand only while the tool touches something.
///
/// # Equation
/// `F = −K(y − x) − b1 ẏ` in contact, 0 in free motion            [Constantinescu2005, fig. 5a]
/// # Guarantee
/// None by itself: in free motion the tool is accelerated and nobody pays. Give the settings a
/// guard, and the reference moves only as far as its reserve and the dampers pay.
/// # Differs from the source
/// The spring is solved with the world and sends the end of the step; its damper acts on the tool
/// against the held reference. The source computes both from samples.
#[derive(Debug, Clone, PartialEq)]
pub struct Unilateral {
    coupling: VirtualCoupling,
}

impl Unilateral {
    /// Builds the coupler.
    ///
    /// # Errors
    /// A number out of range, named with its cure.
    pub fn new(settings: CouplingSettings) -> Result<Self, CouplingError> {
        Ok(Self { coupling: VirtualCoupling::new(settings)? })
    }

    /// The coupling behind it: stiffness and damping for the port, account, reserve.
    pub fn coupling(&self) -> &VirtualCoupling {
        &self.coupling
    }

    /// Before the step: takes a device sample, gives the input of the reference port.
    pub fn sample(&mut self, hand: &Handle) -> PortInput {
        self.coupling.sample(hand)
    }

    /// After the step of length `h` [s]: what the hand feels if the tool is `in_contact`.
    pub fn force(&mut self, port: &PortOutput, in_contact: bool, h: f64) -> Felt {
        let felt = self.coupling.force(port, h);
        if in_contact || felt.fault.is_some() { felt } else { self.coupling.let_go() }
    }
}
