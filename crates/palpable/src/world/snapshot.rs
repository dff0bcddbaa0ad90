//! Snapshots and the state hash: same inputs, same bits.

use super::memory::Memory;
use super::{Options, World};
use crate::ledger::{Ledger, Tank};
use crate::math::Vec6;
use crate::model::mark::Fnv;
use crate::model::{Params, State};

/// Everything that changes in a world; goes back with [`World::restore`].
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    /// which model it belongs to
    model: u64,
    params: Params,
    state: State,
    tank: Tank,
    ledger: Ledger,
    memory: Memory,
    options: Options,
    tick: u64,
    time: f64,
    time_error: f64,
}

impl World {
    /// A copy of everything that changes. Live changes made since the last step are included.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            model: self.fingerprint(),
            params: self.params.clone(),
            state: self.state.clone(),
            tank: self.tank,
            ledger: self.ledger.clone(),
            memory: self.memory.clone(),
            options: self.options,
            tick: self.tick,
            time: self.time,
            time_error: self.time_error,
        }
    }

    /// The same into a snapshot made before; does not allocate if it has the same size.
    pub fn snapshot_into(&self, snapshot: &mut Snapshot) {
        snapshot.model = self.fingerprint();
        snapshot.params.copy_from(&self.params);
        snapshot.state.copy_from(&self.state);
        snapshot.tank = self.tank;
        snapshot.ledger.clone_from(&self.ledger);
        snapshot.memory.copy_from(&self.memory);
        snapshot.options = self.options;
        (snapshot.tick, snapshot.time) = (self.tick, self.time);
        snapshot.time_error = self.time_error;
    }

    /// Returns to a snapshot of this world or of one built from an equal model that has the same
    /// ports. Returns false and changes nothing if bodies, shapes, elements, subsystems or ports
    /// are others; masses and other parameters are part of the snapshot.
    pub fn restore(&mut self, snapshot: &Snapshot) -> bool {
        let fits = snapshot.model == self.fingerprint();
        if fits {
            self.params.copy_from(&snapshot.params);
            self.trial.copy_from(&snapshot.params);
            self.state.copy_from(&snapshot.state);
            self.tank = snapshot.tank;
            self.ledger.clone_from(&snapshot.ledger);
            self.memory.copy_from(&snapshot.memory);
            self.options = snapshot.options;
            self.scratch.last.committed = None;
            if let Some(volume) = &mut self.scratch.volume {
                volume.doubt();
            }
            (self.tick, self.time) = (snapshot.tick, snapshot.time);
            self.time_error = snapshot.time_error;
            self.scratch.measure_arms(&self.model, &self.params);
            self.scratch.reorder(&self.model, &self.params);
        }
        fits
    }

    /// A 64-bit hash (FNV-1a) of the bits of configuration, velocity, strain, history,
    /// contact memory and tank.
    pub fn state_hash(&self) -> u64 {
        let mut hash = Fnv::default();
        for s in &self.state.bodies {
            hash.add(s.x.as_slice());
            hash.add(s.q.coords.as_slice());
            hash.add(s.v.as_slice());
            hash.add(s.omega.as_slice());
        }
        for s in &self.state.systems {
            hash.add(&s.q);
            hash.add(&s.xi);
            hash.add(&[s.potential]);
        }
        self.state.history.wide.iter().flatten().for_each(|u| hash.add(u));
        self.state.strain.iter().for_each(|g| hash.add(g.as_slice()));
        let apart = self.state.parting.iter().filter(|e| **e != Vec6::zeros());
        apart.for_each(|e| hash.add(e.as_slice()));
        for &b in &self.scratch.layout.tracked {
            self.state.history.mid[b].iter().for_each(|u| hash.add(u.as_slice()));
        }
        self.state.volume.hash(&mut hash);
        hash.add(&self.state.debt);
        if let Some(contact) = &self.memory.contact {
            contact.numbers(|numbers| hash.add(numbers));
        }
        if self.memory.applying {
            self.memory.applied.iter().for_each(|f| hash.add(f.as_slice()));
        }
        hash.add(&[self.tank.content(), self.tank.surplus(), self.time]);
        hash.0
    }
}

impl World {
    /// Tells whether a snapshot fits: the mark of the model, and the ports that came since.
    fn fingerprint(&self) -> u64 {
        let mut hash = Fnv(self.model.mark);
        hash.count(self.model.elements.len());
        for port in &self.model.ports {
            let element = port.element.map(|e| self.model.elements[e].kind.rows());
            hash.text(&port.name);
            hash.count(port.body);
            hash.place(port.element);
            hash.place(element);
            hash.add(port.point.as_slice());
            hash.add(port.frame.coords.as_slice());
        }
        hash.0
    }
}
