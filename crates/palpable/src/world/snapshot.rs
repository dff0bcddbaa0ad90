//! Snapshots and the state hash: same inputs, same bits.

use super::World;
use crate::contact::{ContactLaw, Stage};
use crate::ledger::{Ledger, Tank};
use crate::math::Vec6;
use crate::model::{Params, State};
use crate::port::PortOutput;

/// Everything that changes in a world; goes back with [`World::restore`].
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    /// which model it belongs to
    model: u64,
    params: Params,
    state: State,
    tank: Tank,
    ledger: Ledger,
    ports: Vec<PortOutput>,
    contact: Option<Stage>,
    contact_law: ContactLaw,
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
            ports: self.scratch.ports.clone(),
            contact: self.scratch.contact.clone(),
            contact_law: self.options.contact_law,
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
        snapshot.ports.clone_from(&self.scratch.ports);
        snapshot.contact.clone_from(&self.scratch.contact);
        snapshot.contact_law = self.options.contact_law;
        (snapshot.tick, snapshot.time) = (self.tick, self.time);
        snapshot.time_error = self.time_error;
    }

    /// Returns to a snapshot of this world or of one built from the same model; returns false
    /// and changes nothing if it does not fit.
    pub fn restore(&mut self, snapshot: &Snapshot) -> bool {
        let fits = snapshot.model == self.fingerprint();
        if fits {
            self.params.clone_from(&snapshot.params);
            self.state.clone_from(&snapshot.state);
            self.tank = snapshot.tank;
            self.ledger.clone_from(&snapshot.ledger);
            self.scratch.ports.clone_from(&snapshot.ports);
            self.scratch.contact.clone_from(&snapshot.contact);
            self.options.contact_law = snapshot.contact_law;
            self.scratch.committed = None;
            (self.tick, self.time) = (snapshot.tick, snapshot.time);
            self.time_error = snapshot.time_error;
            self.scratch.measure_arms(&self.model, &self.params);
            self.scratch.reorder(&self.model, &self.params);
        }
        fits
    }

    /// A 64-bit hash (FNV-1a) of the bits of configuration, velocity, strain, history and tank.
    pub fn state_hash(&self) -> u64 {
        let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
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
        for &b in &self.scratch.tracked {
            self.state.history.mid[b].iter().for_each(|u| hash.add(u.as_slice()));
        }
        hash.add(&self.state.debt);
        hash.add(&[self.tank.content(), self.tank.surplus(), self.time]);
        hash.0
    }
}

impl World {
    /// A hash of the topology: what is joined to what, and by how many rows.
    fn fingerprint(&self) -> u64 {
        let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
        let place = |end: Option<usize>| end.map_or(-1.0, |b| b as f64);
        hash.add(&[self.model.bodies.len() as f64, self.model.moving.len() as f64]);
        for e in &self.model.elements {
            hash.add(&[place(e.ends[0]), place(e.ends[1]), e.kind.rows() as f64]);
        }
        for s in &self.model.systems {
            hash.add(&[s.nodes.start as f64, s.law.freedoms() as f64]);
        }
        for p in &self.model.ports {
            hash.add(&[p.body as f64, place(p.element)]);
        }
        hash.0
    }
}

struct Fnv(u64);

impl Fnv {
    fn add(&mut self, values: &[f64]) {
        for byte in values.iter().flat_map(|v| v.to_bits().to_le_bytes()) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}
