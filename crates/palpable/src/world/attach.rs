//! Ports that come and go: a hand takes hold of a body and lets go. Both happen between steps,
//! allocate, and are paid for.

use super::{ChangeError, Payment, Receipt, World};
use crate::math::Vec6;
use crate::model::{BuildErrors, Island, Port};
use crate::port::{PortId, PortOutput};

impl World {
    /// Adds a port at the end of the list. A reference port begins relaxed: its reference rests
    /// where the anchor is now, so that nothing is stored and nothing jumps.
    ///
    /// # Errors
    /// A motor, a name that is taken, an unknown or fixed body, a coupling that is negative or not
    /// finite.
    pub fn attach(&mut self, port: Port) -> Result<PortId, BuildErrors> {
        let islands = self.model.islands.clone();
        let id = self.model.push_port(&port)?;
        let info = &self.model.ports[id.0];
        let held = info.body;
        if let Some(e) = info.element {
            let mut params = self.model.params.elements[e];
            let s = &self.state.bodies[held];
            (params.points[1], params.frames[1]) = (s.x + s.q * info.point, s.q * info.frame);
            self.params.elements.push(params);
            self.state.strain.push(Vec6::zeros());
        }
        if self.scratch.tracked.binary_search(&held).is_err() {
            // nobody kept the past of a free body
            self.state.history.mid[held] = [self.state.bodies[held].twist(); 2];
        }
        self.rebuild(&islands);
        let s = &self.state.bodies[held];
        let (position, rotation) = (s.x + s.q * port_point(self, id), s.q * port_frame(self, id));
        self.memory.ports[id.0] = PortOutput { position, rotation, ..PortOutput::default() };
        Ok(id)
    }

    /// Removes the port that was added last. What its coupling stores goes to the tank, or is
    /// discarded if the tank is full: letting go gives nothing to the motion.
    ///
    /// # Errors
    /// There is no port, or `port` is not the last one.
    pub fn detach(&mut self, port: PortId) -> Result<Receipt, ChangeError> {
        if port.0 + 1 != self.model.ports.len() {
            return Err(ChangeError::Unknown { field: "last port" });
        }
        let nothing = Receipt { applied: 1.0, jump: 0.0, tank: 0.0, supplied: 0.0 };
        let receipt = match self.model.ports[port.0].element.and_then(|e| self.element(e)) {
            Some(element) => self.set_stiffness(element, Vec6::zeros(), Payment::Tank)?,
            None => nothing,
        };
        let islands = self.model.islands.clone();
        if self.model.ports[port.0].element.is_some() {
            self.params.elements.pop();
            self.state.strain.pop();
        }
        self.model.pop_port();
        self.rebuild(&islands);
        Ok(receipt)
    }

    /// New work space for changed islands; debts follow their bodies.
    fn rebuild(&mut self, before: &[Island]) {
        let mut debt = vec![0.0; self.model.islands.len()];
        for (island, owed) in before.iter().zip(&self.state.debt) {
            let head = |i: &Island| (i.bodies.first().copied(), i.systems.first().copied());
            let place = self.model.islands.iter().position(|i| head(i) == head(island));
            if let Some(place) = place {
                debt[place] += owed;
            }
        }
        self.state.debt = debt;
        self.state.parting.resize(self.state.strain.len(), Vec6::zeros());
        self.forget_scratch();
        // nobody keeps the past of a free body: let go, it is as one that was never held
        for b in 0..self.model.moving.len() {
            if self.scratch.tracked.binary_search(&b).is_err() {
                self.state.history.mid[b] = self.model.state.history.mid[b];
                self.scratch.work.history.mid[b] = self.model.state.history.mid[b];
            }
        }
        self.memory.fit(self.scratch.contact.as_ref(), self.model.ports.len());
    }
}

fn port_point(world: &World, port: PortId) -> crate::math::Vec3 {
    world.model.ports[port.0].point
}

fn port_frame(world: &World, port: PortId) -> crate::math::Rotation {
    world.model.ports[port.0].frame
}
