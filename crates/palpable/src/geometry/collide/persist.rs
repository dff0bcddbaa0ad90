//! The same contact in two successive updates, and close contacts as one
//! [Constantinescu2005 sec. III].

use super::broad::Key;
use super::contact::{Contact, Manifold};
use super::frame::Frame;
use crate::math::{Room, Vec3};

/// Contacts and the manifolds that hold them.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Store {
    pub manifolds: Room<Manifold>,
    pub contacts: Room<Contact>,
}

impl Store {
    pub fn with_capacity(contacts: usize) -> Self {
        Self { manifolds: Room::with_capacity(contacts), contacts: Room::with_capacity(contacts) }
    }

    pub fn clear(&mut self) {
        self.manifolds.clear();
        self.contacts.clear();
    }

    /// Takes over another one in the room at hand.
    pub fn copy_from(&mut self, other: &Store) {
        self.manifolds.clone_from(&other.manifolds);
        self.contacts.clone_from(&other.contacts);
    }

    /// Takes the manifolds of a pair of pieces over from the last update.
    pub fn repeat(&mut self, last: &Store, pair: Key) {
        let Key { bodies, pieces } = pair;
        let from = last.manifolds.partition_point(|m| (m.body_a, m.body_b) < bodies);
        let pair = last.manifolds[from..].iter().take_while(|m| (m.body_a, m.body_b) == bodies);
        for m in pair.filter(|m| m.pieces == pieces) {
            let first = self.contacts.len() as u32;
            let again = |c: &Contact| Contact { id: 0, previous: None, ..*c };
            self.contacts.extend(last.contacts[m.range()].iter().map(again));
            self.manifolds.push(Manifold { first, ..*m });
        }
    }

    /// The same for bodies that have moved to the given frames: points go with them, the normal
    /// stays.
    pub fn follow(&mut self, last: &Store, pair: Key, [fa, fb]: [&Frame; 2]) {
        let (contacts, manifolds) = (self.contacts.len(), self.manifolds.len());
        self.repeat(last, pair);
        for m in &self.manifolds[manifolds..] {
            debug_assert!(m.first as usize >= contacts);
            for c in &mut self.contacts[m.range()] {
                (c.point_a, c.point_b) = (fa.point(&c.local_a), fb.point(&c.local_b));
                c.gap = m.normal.dot(&(c.point_b - c.point_a));
            }
        }
    }

    /// Keeps the contacts for which `keep` holds and the manifolds that still have one.
    pub fn retain(&mut self, mut keep: impl FnMut(usize, &Contact) -> bool) {
        let mut kept = 0;
        for m in &mut self.manifolds {
            let range = m.range();
            m.first = kept as u32;
            for i in range {
                if keep(i, &self.contacts[i]) {
                    self.contacts[kept] = self.contacts[i];
                    kept += 1;
                }
            }
            m.count = kept as u32 - m.first;
        }
        self.contacts.truncate(kept);
        self.manifolds.retain(|m| m.count > 0);
    }

    /// The manifolds from `start` on that join the same two bodies.
    fn group(&self, start: usize) -> &[Manifold] {
        let Some(first) = self.manifolds.get(start) else { return &[] };
        let rest = &self.manifolds[start..];
        let end = rest.iter().position(|m| m.bodies() != first.bodies()).unwrap_or(rest.len());
        &rest[..end]
    }
}

/// Contacts of different normals (beyond about 15°) are never the same.
const SAME_NORMAL: f64 = 0.966;

/// Drops contacts nearer than `distance` [m] to a deeper one of the same two bodies, of another
/// manifold and about the same normal; returns how many. `gone` is scratch.
pub(super) fn cluster(store: &mut Store, distance: f64, gone: &mut Vec<bool>) -> usize {
    gone.clear();
    gone.resize(store.contacts.len(), false);
    let mut dropped = 0;
    let mut start = 0;
    while start < store.manifolds.len() {
        let group = store.group(start);
        start += group.len();
        for (k, m) in group.iter().enumerate() {
            for other in group[k + 1..].iter().filter(|o| same_way(&o.normal, &m.normal)) {
                dropped += mark(store, m, other, distance, gone);
            }
        }
    }
    if dropped > 0 {
        store.retain(|i, _| !gone[i]);
    }
    dropped
}

fn same_way(n: &Vec3, m: &Vec3) -> bool {
    n.dot(m) > SAME_NORMAL
}

/// Marks the shallower of each close pair of contacts of two manifolds.
fn mark(store: &Store, m: &Manifold, o: &Manifold, distance: f64, gone: &mut [bool]) -> usize {
    let mut marked = 0;
    for i in m.range() {
        for j in o.range() {
            let (p, q) = (&store.contacts[i], &store.contacts[j]);
            if !gone[i] && !gone[j] && (p.point_a - q.point_a).norm() <= distance {
                gone[if p.gap <= q.gap { j } else { i }] = true;
                marked += 1;
            }
        }
    }
    marked
}

/// Finds each contact again in the last update: by its feature, else by place, within `distance`
/// [m] in the frame of either body. New contacts get the next number. `taken` is scratch.
pub(super) fn recognise(
    store: &mut Store,
    last: &Store,
    distance: f64,
    next_id: &mut u64,
    taken: &mut Vec<bool>,
) {
    taken.clear();
    taken.resize(last.contacts.len(), false);
    let (mut start, mut old) = (0, 0);
    while start < store.manifolds.len() {
        let bodies = store.manifolds[start].bodies();
        let end = start + store.group(start).len();
        while last.manifolds.get(old).is_some_and(|m| m.bodies() < bodies) {
            old += 1;
        }
        let before = last.group(old);
        let before =
            if before.first().is_some_and(|m| m.bodies() == bodies) { before } else { &[] };
        let (group, contacts) = (&store.manifolds[start..end], &mut store.contacts);
        by_feature(group, contacts, before, last, taken);
        by_place(group, contacts, before, last, distance, taken);
        for m in group {
            for c in &mut contacts[m.range()] {
                let old_id = c.previous.map(|i| last.contacts[i as usize].id);
                c.id = old_id.unwrap_or_else(|| {
                    *next_id += 1;
                    *next_id
                });
            }
        }
        start = end;
    }
}

fn by_feature(
    group: &[Manifold],
    contacts: &mut [Contact],
    before: &[Manifold],
    last: &Store,
    taken: &mut [bool],
) {
    for m in group {
        for old in before.iter().filter(|o| o.pieces == m.pieces && same_way(&o.normal, &m.normal))
        {
            for c in contacts[m.range()].iter_mut().filter(|c| c.previous.is_none()) {
                let same = |i: &usize| !taken[*i] && last.contacts[*i].feature == c.feature;
                if let Some(i) = old.range().find(same) {
                    taken[i] = true;
                    c.previous = Some(i as u32);
                }
            }
        }
    }
}

fn by_place(
    group: &[Manifold],
    contacts: &mut [Contact],
    before: &[Manifold],
    last: &Store,
    distance: f64,
    taken: &mut [bool],
) {
    for m in group {
        for c in contacts[m.range()].iter_mut().filter(|c| c.previous.is_none()) {
            let mut best = (None, distance);
            for old in before.iter().filter(|o| same_way(&o.normal, &m.normal)) {
                for i in old.range().filter(|i| !taken[*i]) {
                    let p = &last.contacts[i];
                    let (da, db) = (p.local_a - c.local_a, p.local_b - c.local_b);
                    let away = da.norm_squared().min(db.norm_squared()).sqrt();
                    if away <= best.1 {
                        best = (Some(i), away);
                    }
                }
            }
            if let Some(i) = best.0 {
                taken[i] = true;
                c.previous = Some(i as u32);
            }
        }
    }
}
