//! Ports that come and go while a world runs: a hand takes hold of a body and lets go.

use super::builder::check_coupling;
use super::error::{BuildError, BuildErrors, Checker};
use super::freeze::freeze_port;
use super::{Model, Port, island};
use crate::math::Vec6;
use crate::port::PortId;

impl Model {
    /// Adds a port at the end; its reference rests where the anchor is at the start.
    pub(crate) fn push_port(&mut self, port: &Port) -> Result<PortId, BuildErrors> {
        let part = format!("port \"{}\"", port.name);
        let mut check = Checker { errors: Vec::new() };
        check_coupling(&part, port, &mut check);
        if self.ports.iter().any(|p| p.name == port.name) {
            let (kind, name) = ("ports", port.name.clone());
            check.errors.push(BuildError::DuplicateName { kind, name });
        }
        if port.drive.is_some() {
            check.errors.push(BuildError::NothingMoves { part: part.clone() });
        }
        match port.anchor.body.map(|b| self.bodies.get(b.0)) {
            Some(None) => check.errors.push(BuildError::UnknownBody { part }),
            Some(Some(body)) if body.moving.is_some() => {}
            _ => check.errors.push(BuildError::NothingMoves { part }),
        }
        if !check.errors.is_empty() {
            return Err(BuildErrors(check.errors));
        }
        freeze_port(port, self);
        // a world built from this model begins with one value per element
        self.state.parting.resize(self.state.strain.len(), Vec6::zeros());
        self.find_islands();
        Ok(PortId(self.ports.len() - 1))
    }

    /// Removes the last port and, if it is a reference port, its element.
    pub(crate) fn pop_port(&mut self) {
        if self.ports.pop().is_some_and(|port| port.element.is_some()) {
            // elements of reference ports stand at the end, in the order of their ports
            self.elements.pop();
            self.params.elements.pop();
            self.state.strain.pop();
            self.state.parting.pop();
            self.find_islands();
        }
    }

    /// Sorts bodies into islands anew.
    pub(super) fn find_islands(&mut self) {
        let (mut islands, free) = island::find(self);
        for i in &mut islands {
            i.redundant = island::is_redundant(i, self);
        }
        self.state.debt = vec![0.0; islands.len()];
        (self.islands, self.free) = (islands, free);
    }
}
