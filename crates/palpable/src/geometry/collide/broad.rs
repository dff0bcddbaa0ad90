//! Which pieces are near each other: boxes with room to move, kept from one update to the next.

use super::frame::{Aabb, Frame};
use super::piece::Piece;
use super::tree::Tree;
use crate::math::{Room, Vec3};

/// Two pieces and their bodies. Pairs of the same bodies stand together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub bodies: (u32, u32),
    pub pieces: (u32, u32),
}

/// Two pieces near each other, in the order of their bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Near {
    pub key: Key,
    /// The normal of the last contact, in the frame of the first piece; zero for none.
    pub guess: Vec3,
}

/// How much larger than a piece its kept box is, as a share of its size.
const ROOM: f64 = 0.1;
/// How much farther than asked the boxes reach, so that bodies may speed up.
const LEAP: f64 = 1.5;

/// What one update hands to the next.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Kept {
    pub pairs: Room<Near>,
    /// Boxes with room.
    pub loose: Vec<Aabb>,
    /// Every pair has to be looked for again.
    pub stale: bool,
    pub reach: f64,
}

impl Kept {
    /// Forgets all pairs.
    pub fn reset(&mut self) {
        self.stale = true;
        self.pairs.clear();
    }

    /// Takes over another one in the room at hand.
    pub fn copy_from(&mut self, other: &Kept) {
        self.pairs.clone_from(&other.pairs);
        self.loose.clone_from(&other.loose);
        (self.stale, self.reach) = (other.stale, other.reach);
    }

    /// Calls `each` with every number of it.
    pub fn numbers(&self, mut each: impl FnMut(&[f64])) {
        for near in &self.pairs {
            each(near.guess.as_slice());
            each(&[f64::from(near.key.pieces.0), f64::from(near.key.pieces.1)]);
        }
        self.loose.iter().for_each(|b| each(b.low.as_slice()));
        self.loose.iter().for_each(|b| each(b.high.as_slice()));
        each(&[self.reach, f64::from(u8::from(self.stale))]);
    }
}

/// Pairs of pieces whose boxes overlap.
///
/// Each piece keeps a box with some room around it; only a piece that leaves its box asks the
/// tree for new partners. A scene at rest costs one comparison a piece. What is found depends on
/// [`Kept`] and the poses alone: the tree follows the boxes, whosever they are.
#[derive(Debug, Clone)]
pub(super) struct Broad {
    tree: Tree,
    /// Boxes around the pieces now.
    tight: Vec<Aabb>,
    moved: Vec<bool>,
    capacity: usize,
    endless: Vec<u32>,
    excluded: Vec<(u32, u32)>,
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
            moved: vec![false; pieces.len()],
            capacity,
            endless,
            excluded,
        }
    }

    /// Most pairs that are kept.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// What is kept before the first update.
    pub fn kept(&self) -> Kept {
        let (pairs, loose) =
            (Room::with_capacity(self.capacity), vec![Aabb::NONE; self.tight.len()]);
        Kept { pairs, loose, stale: true, reach: 0.0 }
    }

    /// The order of a pair; `None` if the two never meet.
    pub fn key(&self, i: u32, j: u32, pieces: &[Piece]) -> Option<Key> {
        key(i, j, pieces, &self.excluded)
    }

    /// Boxes around the pieces now.
    pub fn tight(&self) -> &[Aabb] {
        &self.tight
    }

    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Pieces without a box.
    pub fn endless(&self) -> &[u32] {
        &self.endless
    }

    /// Takes new frames (`None` for pieces to leave out); returns how many pairs found no room.
    pub fn update(
        &mut self,
        kept: &mut Kept,
        pieces: &[Piece],
        frames: &[Option<Frame>],
        reach: f64,
    ) -> usize {
        // every change of the reach makes all boxes anew, so it follows in leaps
        if reach > kept.reach || reach * LEAP * LEAP < kept.reach {
            kept.reach = LEAP * reach;
            kept.stale = true;
        }
        let mut any = kept.stale;
        for (i, piece) in pieces.iter().enumerate() {
            let tight = frames[i].and_then(|f| piece.shape.aabb(&f)).unwrap_or(Aabb::NONE);
            self.tight[i] = tight;
            let needed = tight.grown(kept.reach);
            let fits = kept.loose[i].contains(&needed) && frames[i].is_some();
            self.moved[i] = kept.stale || !(fits || piece.shape.is_endless());
            if self.moved[i] {
                let size = (tight.high - tight.low).amax();
                let room = if size.is_finite() { ROOM * size } else { 0.0 };
                kept.loose[i] = needed.grown(room);
                any = true;
            }
        }
        if any { self.find(kept, pieces) } else { 0 }
    }

    fn find(&mut self, kept: &mut Kept, pieces: &[Piece]) -> usize {
        let whole = kept.stale;
        kept.stale = false;
        if whole {
            self.tree.build(&kept.loose);
        } else {
            self.tree.follow(&kept.loose);
        }
        let (moved, loose) = (&self.moved, &kept.loose);
        let endless = |i: usize| pieces[i].shape.is_endless();
        kept.pairs.retain(|p| {
            let (a, b) = (p.key.pieces.0 as usize, p.key.pieces.1 as usize);
            let settled = !moved[a] && !moved[b] || endless(a) || endless(b);
            settled || loose[a].overlaps(&loose[b])
        });
        let known = kept.pairs.len();
        let mut dropped = self.add_all(kept, pieces, whole);
        if dropped > 0 && !whole {
            // which ones find no room depends on the tree: make it one that depends on boxes alone
            self.tree.build(&kept.loose);
            kept.pairs.truncate(known);
            dropped = self.add_all(kept, pieces, whole);
        }
        sort_in(&mut kept.pairs, if dropped > 0 { 0 } else { known });
        kept.stale = dropped > 0;
        dropped
    }

    /// Pairs of all pieces that moved, floors first. What finds no room ends the search: in a crowd
    /// the pairs are as many as the square of the pieces.
    fn add_all(&self, kept: &mut Kept, pieces: &[Piece], whole: bool) -> usize {
        let known = kept.pairs.len();
        let bounded =
            || (0..pieces.len() as u32).filter(|&i| !pieces[i as usize].shape.is_endless());
        let mut dropped = 0;
        if whole {
            for i in bounded() {
                dropped += self.add(kept, pieces, known, (i, &mut self.endless.iter().copied()));
            }
        }
        for i in bounded().filter(|&i| self.moved[i as usize]) {
            if dropped > 0 {
                break;
            }
            dropped = self.add_partners(kept, i, pieces, known);
        }
        dropped
    }

    /// Pairs of one piece that moved with all that its box meets.
    fn add_partners(&self, kept: &mut Kept, i: u32, pieces: &[Piece], known: usize) -> usize {
        let (moved, loose) = (&self.moved, &kept.loose);
        let (pairs, excluded, capacity) = (&mut kept.pairs, &self.excluded, self.capacity);
        let mut dropped = 0;
        // of two that moved the first one asks
        self.tree.overlaps(&loose[i as usize], |j| {
            if !moved[j as usize] || i < j {
                let key = key(i, j, pieces, excluded);
                dropped += usize::from(!push(pairs, key, (known, capacity)));
            }
        });
        dropped
    }

    /// Pairs of one piece with some others; returns how many found no room.
    fn add(
        &self,
        kept: &mut Kept,
        pieces: &[Piece],
        known: usize,
        (i, others): (u32, &mut dyn Iterator<Item = u32>),
    ) -> usize {
        let keys = others.map(|j| key(i, j, pieces, &self.excluded));
        keys.filter(|&key| !push(&mut kept.pairs, key, (known, self.capacity))).count()
    }
}

/// Adds a pair unless it is one of the first `known` already; false if there is no room.
fn push(pairs: &mut Room<Near>, key: Option<Key>, (known, capacity): (usize, usize)) -> bool {
    let Some(key) = key else { return true };
    if pairs[..known].binary_search_by_key(&key, |p| p.key).is_ok() {
        return true;
    }
    let fits = pairs.len() < capacity;
    if fits {
        pairs.push(Near { key, guess: Vec3::zeros() });
    }
    fits
}

/// New pairs that are put in their places one by one at most.
const FEW: usize = 24;

/// Sorts pairs of which the first `known` are in order.
fn sort_in(pairs: &mut [Near], known: usize) {
    if pairs.len() - known > FEW {
        return pairs.sort_unstable_by_key(|p| p.key);
    }
    for end in known..pairs.len() {
        let key = pairs[end].key;
        let at = pairs[..end].partition_point(|p| p.key < key);
        pairs[at..=end].rotate_right(1);
    }
}

/// The order of a pair; `None` if the two never meet.
fn key(i: u32, j: u32, pieces: &[Piece], excluded: &[(u32, u32)]) -> Option<Key> {
    let (p, q) = (&pieces[i as usize], &pieces[j as usize]);
    let bodies = (p.body.min(q.body), p.body.max(q.body));
    let apart = p.body == q.body
        || p.still && q.still
        || !p.groups.meet(&q.groups)
        || excluded.binary_search(&bodies).is_ok();
    if apart {
        return None;
    }
    Some(Key { bodies, pieces: if p.body < q.body { (i, j) } else { (j, i) } })
}
