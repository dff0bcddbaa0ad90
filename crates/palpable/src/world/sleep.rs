//! Worlds in which everything sleeps, and what wakes them.

use super::World;
use super::report::StepReport;
use crate::contact::{ContactReport, Sleeping, VolumeStage};
use crate::ledger::Entry;
use crate::model::{BodyId, PortInfo};
use crate::port::{Inputs, PortInput, PortOutput};

/// A port does something in this step.
pub(super) fn is_active(inputs: &Inputs, port: &PortInfo) -> bool {
    match inputs.get(port.id) {
        PortInput::Idle => false,
        PortInput::Wrench { force, torque } => force.norm() + torque.norm() != 0.0,
        _ => true,
    }
}

impl World {
    /// True if a body sleeps: see [`Sleeping`]. An id that names nothing here does not.
    pub fn is_asleep(&self, body: BodyId) -> bool {
        let node = self.moving(body);
        let sleep = self.memory.contact.as_ref().map(|c| &c.sleep);
        sleep.zip(node).is_some_and(|(sleep, node)| sleep.is_asleep(node))
    }

    /// Wakes every body.
    pub fn wake(&mut self) {
        if let Some(carry) = &mut self.memory.contact {
            carry.sleep.wake_all();
        }
    }

    /// Nothing would happen in a step: all sleep, and no port acts.
    pub(super) fn sleeps_on(&self, inputs: &Inputs) -> bool {
        self.options.sleeping != Sleeping::NEVER
            && self.model.islands.is_empty()
            && self.memory.contact.as_ref().is_some_and(|c| c.sleep.all_asleep())
            && self.shows_areas()
            && self.scheme_fits()
            && self.is_passive()
            && !self.model.ports.iter().any(|port| is_active(inputs, port))
    }

    /// What presses over areas can be read: a world that was loaded takes a step for it.
    fn shows_areas(&self) -> bool {
        let shown = |v: &VolumeStage| v.shows(self.state.volume.patches.len());
        self.scratch.volume.as_ref().is_none_or(shown)
    }

    /// A step in which all sleep: time goes on.
    pub(super) fn sleep_on(&mut self, h: f64) -> StepReport {
        let now = self.ledger.now();
        let entry = Entry { before: now, after: now, ..Default::default() };
        self.advance_clock(h);
        self.ledger.enter(self.tick, &entry, 0);
        for out in &mut self.memory.ports {
            let PortOutput { position, rotation, measure, .. } = *out;
            *out = PortOutput { position, rotation, measure, ..Default::default() };
        }
        self.scratch.last.committed = None;
        let points = self.memory.contact.as_ref().map_or(0, |c| c.touches.len());
        let contact = ContactReport { points, scale: 1.0, ..Default::default() };
        let (tick, time) = (self.tick, self.time);
        StepReport { tick, time, entry, substeps: 1, contact, ..Default::default() }
    }
}
