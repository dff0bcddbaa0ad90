//! What the next step depends on besides configuration and motion, and what the last one showed.

use crate::contact::{Carry, Stage};
use crate::math::Vec6;
use crate::model::Model;
use crate::port::PortOutput;

/// Memory of a world. Together with state, parameters, tank and clock it is all there is: the work
/// space may be thrown away after any step.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Memory {
    /// of contact, stops and dry friction, if there is any
    pub contact: Option<Carry>,
    /// what ports showed at the last step
    pub ports: Vec<PortOutput>,
    /// force and torque that a program applies to each moving body in the next step, world axes
    pub applied: Vec<Vec6>,
    /// any of them is not zero
    pub applying: bool,
}

impl Memory {
    /// What a world with this stage and model begins with.
    pub fn new(stage: Option<&Stage>, model: &Model) -> Self {
        Self {
            contact: stage.map(Carry::new),
            ports: vec![PortOutput::default(); model.ports.len()],
            applied: vec![Vec6::zeros(); model.moving.len()],
            applying: false,
        }
    }

    /// Takes over another one in the room at hand.
    pub fn copy_from(&mut self, other: &Memory) {
        match (&mut self.contact, &other.contact) {
            (Some(own), Some(other)) => own.copy_from(other),
            (own, other) => own.clone_from(other),
        }
        self.ports.clone_from(&other.ports);
        self.applied.clone_from(&other.applied);
        self.applying = other.applying;
    }
}
