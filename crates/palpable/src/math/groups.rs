//! Which things hang together: a forest in which the first of each tree leads.

use super::{Place, Room};
use std::marker::PhantomData;

/// Groups of things of one kind.
#[derive(Debug, Clone, Default)]
pub struct Groups<P>(Room<u32>, PhantomData<P>);

impl<P: Place> Groups<P> {
    /// So many things, each alone.
    pub fn of(count: usize) -> Self {
        let mut groups = Self(Room::with_capacity(count), PhantomData);
        groups.part(count);
        groups
    }

    /// Begins anew with so many; allocates if there never were as many.
    pub fn part(&mut self, count: usize) {
        self.0.clear();
        self.0.extend(0..count as u32);
    }

    /// The first thing of a group: all of it has the same.
    #[inline]
    pub fn leader(&mut self, thing: P) -> P {
        let (parent, mut at) = (&mut self.0, thing.index());
        while parent[at] as usize != at {
            // the way up gets shorter
            parent[at] = parent[parent[at] as usize];
            at = parent[at] as usize;
        }
        P::at(at)
    }

    /// Makes one group of those of two things. Returns who leads it, and who led the other before.
    pub fn join(&mut self, a: P, b: P) -> [P; 2] {
        let (a, b) = (self.leader(a).index(), self.leader(b).index());
        // the smaller index leads, so the result depends on the order of things alone
        let [first, second] = [a.min(b), a.max(b)];
        self.0[second] = first as u32;
        [first, second].map(P::at)
    }
}
