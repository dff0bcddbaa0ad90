//! Which pieces are near each other: boxes with room to move, kept from one update to the next.

use super::frame::{Aabb, Frame};
use super::piece::Piece;
use super::tree::Tree;
use crate::math::{Room, Vec3};

/// Two pieces near each other, in the order of their bodies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Near {
    /// Bodies, then pieces: pairs of the same bodies stand together.
    pub key: (u32, u32, u32, u32),
    /// The normal of the last contact, in the frame of the first piece; zero for none.
    pub guess: Vec3,
}

/// How much larger than a piece its kept box is, as a share of its size.
const ROOM: f64 = 0.1;
/// How much farther than asked the boxes reach, so that bodies may speed up.
const LEAP: f64 = 1.5;

/// Pairs of pieces whose boxes overlap.
///
/// Each piece keeps a box with some room around it; only a piece that leaves its box asks the
/// tree for new partners. A scene at rest costs one comparison a piece.
#[derive(Debug, Clone)]
pub(super) struct Broad {
    tree: Tree,
    /// Boxes around the pieces now.
    tight: Vec<Aabb>,
    /// Boxes with room.
    loose: Vec<Aabb>,
    moved: Vec<bool>,
    pairs: Room<Near>,
    capacity: usize,
    endless: Vec<u32>,
    excluded: Vec<(u32, u32)>,
    /// Every pair has to be looked for again.
    stale: bool,
    reach: f64,
}

impl Broad {
    pub fn new(pieces: &[Piece], capacity: usize, excluded: Vec<(u32, u32)>) -> Self {
        let finite = |(_, p): &(u32, &Piece)| !p.shape.is_endless();
        let numbered = || (0u32..).zip(pieces);
        let members = numbered().filter(finite).map(|(i, _)| i).collect();
        let endless = numbered().filter(|p| !finite(p)).map(|(i, _)| i).collect();
        Self {
            tree: Tree::new(pieces.len(), members),
            tight: vec![Aabb::NONE; pieces.len()],
            loose: vec![Aabb::NONE; pieces.len()],
            moved: vec![false; pieces.len()],
            pairs: Room::with_capacity(capacity),
            capacity,
            endless,
            excluded,
            stale: true,
            reach: 0.0,
        }
    }

    pub fn pairs(&self) -> &[Near] {
        &self.pairs
    }

    pub fn pairs_mut(&mut self) -> (&mut [Near], &[Aabb]) {
        (&mut self.pairs, &self.tight)
    }

    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Pieces without a box.
    pub fn endless(&self) -> &[u32] {
        &self.endless
    }

    /// Forgets all pairs.
    pub fn reset(&mut self) {
        self.stale = true;
        self.pairs.clear();
    }

    /// Takes new frames (`None` for pieces to leave out); returns how many pairs found no room.
    pub fn update(&mut self, pieces: &[Piece], frames: &[Option<Frame>], reach: f64) -> usize {
        // every change of the reach makes all boxes anew, so it follows in leaps
        if reach > self.reach || reach * LEAP * LEAP < self.reach {
            self.reach = LEAP * reach;
            self.stale = true;
        }
        let mut any = self.stale;
        for (i, piece) in pieces.iter().enumerate() {
            let tight = frames[i].and_then(|f| piece.shape.aabb(&f)).unwrap_or(Aabb::NONE);
            self.tight[i] = tight;
            let needed = tight.grown(self.reach);
            let fits = self.loose[i].contains(&needed) && frames[i].is_some();
            self.moved[i] = self.stale || !(fits || piece.shape.is_endless());
            if self.moved[i] {
                let size = (tight.high - tight.low).amax();
                let room = if size.is_finite() { ROOM * size } else { 0.0 };
                self.loose[i] = needed.grown(room);
                any = true;
            }
        }
        if any { self.find(pieces) } else { 0 }
    }

    fn find(&mut self, pieces: &[Piece]) -> usize {
        let whole = self.stale;
        self.stale = false;
        if whole {
            self.tree.build(&self.loose);
        } else {
            let moved = |i: &u32| self.moved[*i as usize];
            for i in (0..pieces.len() as u32).filter(moved) {
                self.tree.refit(i, &self.loose);
            }
        }
        let (moved, loose) = (&self.moved, &self.loose);
        let endless = |i: usize| pieces[i].shape.is_endless();
        self.pairs.retain(|p| {
            let (a, b) = (p.key.2 as usize, p.key.3 as usize);
            let settled = !moved[a] && !moved[b] || endless(a) || endless(b);
            settled || loose[a].overlaps(&loose[b])
        });
        let known = self.pairs.len();
        let mut dropped = 0;
        for i in 0..pieces.len() as u32 {
            if self.moved[i as usize] && !pieces[i as usize].shape.is_endless() {
                dropped += self.add_partners(i, pieces, known, whole);
            }
        }
        self.pairs.sort_unstable_by_key(|p| p.key);
        self.stale = dropped > 0;
        dropped
    }

    /// Pairs of one piece that moved with all that its box meets.
    fn add_partners(&mut self, i: u32, pieces: &[Piece], known: usize, whole: bool) -> usize {
        let (tree, moved, loose) = (&self.tree, &self.moved, &self.loose);
        let (pairs, excluded, capacity) = (&mut self.pairs, &self.excluded, self.capacity);
        let mut dropped = 0;
        let mut add = |j: u32| {
            let Some(key) = key(i, j, pieces, excluded) else { return };
            if pairs[..known].binary_search_by_key(&key, |p| p.key).is_ok() {
                return;
            }
            if pairs.len() == capacity {
                dropped += 1;
                return;
            }
            pairs.push(Near { key, guess: Vec3::zeros() });
        };
        // of two that moved the first one asks
        tree.overlaps(&loose[i as usize], |j| {
            if !moved[j as usize] || i < j {
                add(j);
            }
        });
        if whole {
            self.endless.iter().for_each(|&j| add(j));
        }
        dropped
    }
}

/// The order of a pair; `None` if the two never meet.
fn key(i: u32, j: u32, pieces: &[Piece], excluded: &[(u32, u32)]) -> Option<(u32, u32, u32, u32)> {
    let (p, q) = (&pieces[i as usize], &pieces[j as usize]);
    let bodies = (p.body.min(q.body), p.body.max(q.body));
    let apart = p.body == q.body
        || p.still && q.still
        || !p.groups.meet(&q.groups)
        || excluded.binary_search(&bodies).is_ok();
    if apart {
        return None;
    }
    let (a, b) = if p.body < q.body { (i, j) } else { (j, i) };
    Some((bodies.0, bodies.1, a, b))
}
