//! What a scene remembers, taken over by one in which bodies came or went.

use super::broad::{Key, Near};
use super::pipeline::{CollisionMemory, CollisionPipeline};
use crate::math::Vec3;

/// The memory of another scene, and which of its contacts are still there.
#[derive(Debug, Clone)]
pub(crate) struct Adopted {
    /// For the scene it was made for.
    pub memory: CollisionMemory,
    /// Places of the contacts that stayed, in the list of the other memory.
    pub kept: Vec<usize>,
}

impl CollisionPipeline {
    /// Takes over what another scene remembers of the bodies that `stays` names, which have the
    /// same numbers and shapes here. What stays is found again to the last bit. Allocates.
    pub(crate) fn adopt(
        &self,
        other: &CollisionPipeline,
        memory: &CollisionMemory,
        stays: impl Fn(u32) -> bool,
    ) -> Adopted {
        let places = self.places_of(other, &stays);
        let place = |piece: u32| places[piece as usize];
        let mut out = self.blank();
        let mut kept = Vec::new();
        for m in &memory.store.manifolds {
            let (Some(a), Some(b)) = (place(m.pieces.0), place(m.pieces.1)) else { continue };
            let mut moved = *m;
            moved.pieces = (a, b);
            moved.collider_a = self.pieces[a as usize].collider;
            moved.collider_b = self.pieces[b as usize].collider;
            moved.first = out.store.contacts.len() as u32;
            kept.extend(m.range());
            out.store.contacts.extend_from_slice(&memory.store.contacts[m.range()]);
            out.store.manifolds.push(moved);
        }
        for near in &memory.kept.pairs {
            let Key { bodies, pieces } = near.key;
            if let (Some(a), Some(b)) = (place(pieces.0), place(pieces.1)) {
                out.kept.pairs.push(Near { key: Key { bodies, pieces: (a, b) }, ..*near });
            }
        }
        for (piece, place) in places.iter().enumerate() {
            if let Some(place) = place {
                out.kept.loose[*place as usize] = memory.kept.loose[piece];
            }
        }
        let mut known = vec![false; self.pieces.len()];
        places.iter().flatten().for_each(|&piece| known[piece as usize] = true);
        let fresh = (0u32..).zip(&known).filter(|(_, known)| !**known);
        let fresh: Vec<u32> = fresh.map(|(piece, _)| piece).collect();
        self.meet_endless(&fresh, &mut out);
        (out.kept.stale, out.kept.reach) = (memory.kept.stale, memory.kept.reach);
        out.kept.pairs.sort_unstable_by_key(|p| p.key);
        out.next_id = memory.next_id;
        Adopted { memory: out, kept }
    }

    /// Where each piece of another scene stands in this one, if its body stays.
    pub(crate) fn places_of(
        &self,
        other: &CollisionPipeline,
        stays: impl Fn(u32) -> bool,
    ) -> Vec<Option<u32>> {
        let most = self.pieces.iter().map(|p| p.body as usize + 1).max().unwrap_or(0);
        let mut firsts = vec![None; most];
        for (i, piece) in self.pieces.iter().enumerate().rev() {
            firsts[piece.body as usize] = Some(i);
        }
        let first = |body: u32| firsts.get(body as usize).copied().flatten();
        let mut out = Vec::with_capacity(other.pieces.len());
        let (mut last, mut next) = (None, None);
        for piece in &other.pieces {
            if last != Some(piece.body) {
                last = Some(piece.body);
                next = first(piece.body).filter(|_| stays(piece.body));
            }
            let here = next.filter(|&i| self.pieces.get(i).is_some_and(|p| p.body == piece.body));
            out.push(here.map(|i| i as u32));
            next = here.map(|i| i + 1);
        }
        out
    }

    /// Pairs of new pieces with those that have no box: no box tells of them.
    fn meet_endless(&self, fresh: &[u32], out: &mut CollisionMemory) {
        for &piece in fresh {
            let endless = self.pieces[piece as usize].shape.is_endless();
            for other in 0..self.pieces.len() as u32 {
                let meets = endless || self.pieces[other as usize].shape.is_endless();
                // of two new ones the first one asks
                let asked = other < piece && fresh.contains(&other);
                let key = self.broad.key(piece, other, &self.pieces).filter(|_| meets && !asked);
                if let Some(key) = key.filter(|_| out.kept.pairs.len() < out.kept.pairs.capacity())
                {
                    out.kept.pairs.push(Near { key, guess: Vec3::zeros() });
                }
            }
        }
    }
}
