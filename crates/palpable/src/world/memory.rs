//! What the next step depends on besides configuration and motion, and what the last one showed.

use crate::contact::{Carry, Stage};
use crate::port::PortOutput;

/// Memory of a world. Together with state, parameters, tank and clock it is all there is: the work
/// space may be thrown away after any step.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Memory {
    /// of contact, stops and dry friction, if there is any
    pub contact: Option<Carry>,
    /// what ports showed at the last step
    pub ports: Vec<PortOutput>,
}

impl Memory {
    /// What a world with this stage and so many ports begins with.
    pub fn new(stage: Option<&Stage>, ports: usize) -> Self {
        Self { contact: stage.map(Carry::new), ports: vec![PortOutput::default(); ports] }
    }

    /// Takes over another one in the room at hand.
    pub fn copy_from(&mut self, other: &Memory) {
        match (&mut self.contact, &other.contact) {
            (Some(own), Some(other)) => own.copy_from(other),
            (own, other) => own.clone_from(other),
        }
        self.ports.clone_from(&other.ports);
    }
}
