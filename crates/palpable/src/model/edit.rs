//! Parts that leave a description; what hangs on them leaves with them.

use super::body::{Anchor, BodyId};
use super::builder::ModelBuilder;
use super::error::BuildError;
use super::lineage::Part;
use super::spring::{ElementId, Measure, Spring};
use super::system::{SystemAt, SystemId};
use super::{Model, Units, island};
use crate::port::PortId;
use std::sync::Arc;

impl ModelBuilder {
    /// True if the same pairs of bodies have a material of their own, or never touch.
    pub(crate) fn has_pairs_of(&self, other: &Self) -> bool {
        self.pairs == other.pairs
    }

    /// True if an id names a body of this description.
    pub fn has_body(&self, id: BodyId) -> bool {
        self.bodies.slots.holds(id.0, id.1)
    }

    /// True if an id names a spring, damper or joint of this description.
    pub fn has_element(&self, id: ElementId) -> bool {
        self.springs.slots.holds(id.0, id.1)
    }

    /// True if an id names a port of this description.
    pub fn has_port(&self, id: PortId) -> bool {
        self.ports.slots.holds(id.0, id.1)
    }

    /// True if an id names a subsystem of this description.
    pub fn has_system(&self, id: SystemId) -> bool {
        self.systems.slots.holds(id.index, id.mark)
    }

    /// Takes a body out, and with it every joint, spring and port on it. Links leave with their
    /// subsystem only. [`ModelBuilder::build`] reports an id that names nothing.
    pub fn remove_body(&mut self, body: BodyId) {
        let known = self.has_body(body);
        let alone = self.bodies.get(body.0).is_some_and(|b| b.owner.is_none());
        if !(known && alone) {
            return self.refuse("body", body.0);
        }
        self.lineage.remove(Part::Body, body.0);
        self.drop_body(body);
    }

    /// Takes out a joint, spring, damper or custom element. That of a port leaves with its port.
    pub fn remove_element(&mut self, element: ElementId) {
        let known = self.has_element(element);
        if !(known && self.springs.get(element.0).is_some_and(Option::is_some)) {
            return self.refuse("element", element.0);
        }
        self.lineage.remove(Part::Element, element.0);
        self.springs.remove(element.0);
    }

    /// Takes out a chain, a beam or another subsystem with its links and all that is on them.
    pub fn remove_system(&mut self, system: SystemId) {
        if !self.has_system(system) {
            return self.refuse("subsystem", system.index);
        }
        let owned = |i: usize| self.bodies.get(i).and_then(|b| b.owner).map(|o| o.0);
        let links = (0..self.bodies.slots.len()).filter(|&i| owned(i) == Some(system.index));
        for body in links.map(|i| self.body_id(i)).collect::<Vec<_>>() {
            self.drop_body(body);
        }
        let on = |s: &Spring| match &s.measure {
            Measure::Coordinates { system: s, .. } => s.index == system.index,
            _ => false,
        };
        self.drop_springs(on);
        self.lineage.remove(Part::System, system.index);
        self.systems.remove(system.index);
    }

    /// Takes out a port.
    pub fn remove_port(&mut self, port: PortId) {
        if !self.has_port(port) {
            return self.refuse("port", port.0);
        }
        self.lineage.remove(Part::Port, port.0);
        self.drop_port(port.0);
    }

    fn drop_body(&mut self, body: BodyId) {
        let on = |anchor: &Anchor| anchor.body.is_some_and(|b| b.means(body));
        self.drop_springs(|spring| {
            let second = match &spring.measure {
                Measure::Gear { ends, .. } => ends.iter().any(on),
                _ => false,
            };
            second || spring.ends.iter().any(on)
        });
        let ports = self.ports.iter().filter(|(_, port)| on(&port.anchor));
        for port in ports.map(|(i, _)| i).collect::<Vec<_>>() {
            self.drop_port(port);
        }
        self.pairs.retain(|(ids, _)| !ids.iter().any(|id| id.means(body)));
        self.bodies.remove(body.0);
    }

    /// Drops springs, and motors that drive such a measure.
    fn drop_springs(&mut self, on: impl Fn(&Spring) -> bool) {
        let springs = self.springs.iter().filter(|(_, s)| s.as_ref().is_some_and(&on));
        for spring in springs.map(|(i, _)| i).collect::<Vec<_>>() {
            self.springs.remove(spring);
        }
        let motors = self.ports.iter().filter(|(_, p)| p.drive.as_ref().is_some_and(&on));
        for port in motors.map(|(i, _)| i).collect::<Vec<_>>() {
            self.drop_port(port);
        }
    }

    fn drop_port(&mut self, port: usize) {
        if let Some(element) = self.ports.get(port).and_then(|p| p.element) {
            self.springs.remove(element);
        }
        self.ports.remove(port);
    }

    fn refuse(&mut self, kind: &'static str, place: usize) {
        self.mistakes.push(BuildError::Gone { kind, place });
    }
}

impl Model {
    /// Sorts bodies into islands.
    pub(super) fn find_islands(&mut self) {
        let (mut islands, free) = island::find(self);
        for i in islands.iter_mut() {
            i.redundant = island::is_redundant(i, self);
        }
        self.state.debt = vec![0.0; islands.len()].into();
        let units = Units::new(self.moving.len(), &free, &islands, &self.systems);
        self.units = Arc::new(units);
        (self.islands, self.free) = (islands, free);
    }

    /// True if an id names a body of this model.
    pub(crate) fn has_body(&self, id: BodyId) -> bool {
        self.source.has_body(id)
    }

    /// True if an id names an element of this model.
    pub(crate) fn has_element(&self, id: ElementId) -> bool {
        self.source.has_element(id)
    }

    /// Where the subsystem of an id stands in the list.
    pub(crate) fn system_place(&self, id: SystemId) -> Option<SystemAt> {
        let known = self.source.has_system(id);
        self.systems.all().find(|&s| self.systems[s].slot == id.index).filter(|_| known)
    }

    /// Where the port of an id stands in the list.
    pub(crate) fn port_place(&self, id: PortId) -> Option<usize> {
        self.ports.iter().position(|p| p.id.means(id))
    }
}
