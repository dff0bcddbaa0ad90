//! Which touches hang together: the piles of one phase.

use super::touch::Touch;
use crate::math::{Room, find_root};
use crate::model::{Island, Kind, Model};

/// No number yet.
const NONE: u32 = u32::MAX;

/// Piles of touches that share bodies or islands; the immovable world joins none.
#[derive(Debug, Clone, Default)]
pub(super) struct Graph {
    /// touches that take part in the phase
    pub chosen: Room<u32>,
    parent: Vec<u32>,
    /// per root: number of its pile
    number: Vec<u32>,
    /// per root: something in it has joints, or more rows than a point
    general: Vec<bool>,
    /// every pile is one of them in this phase
    pub all_general: bool,
    /// islands that are one body without joints: a body on springs, or in a hand
    pub lone: Vec<bool>,
    /// chosen touches, pile by pile, and where the piles end
    order: Room<u32>,
    ends: Room<u32>,
    /// roots of piles that the phase at work singles out: those that are struck, or woken
    pub marked: Vec<bool>,
}

impl Graph {
    pub fn new(model: &Model, touches: usize) -> Self {
        let n = model.moving.len() + model.islands.len();
        let plain = |&e: &usize| {
            let element = &model.elements[e];
            !element.joint && !element.is_bounded() && !matches!(element.kind, Kind::Gear(_))
        };
        let lone = |island: &Island| {
            let one = island.bodies.len() == 1 && island.systems.is_empty();
            one && island.elements.iter().all(plain)
        };
        Self {
            chosen: Room::with_capacity(touches),
            parent: vec![0; n],
            number: vec![NONE; n],
            general: vec![false; n],
            all_general: false,
            lone: model.islands.iter().map(lone).collect(),
            order: Room::with_capacity(touches),
            ends: Room::with_capacity(touches + 2),
            marked: vec![false; n],
        }
    }

    /// The pile's name of a moving body.
    fn node(body: usize, island_of: &[Option<usize>]) -> usize {
        island_of[body].map_or(body, |i| island_of.len() + i)
    }

    /// The root of a moving body's pile.
    pub fn root_of_body(&mut self, body: usize, island_of: &[Option<usize>]) -> usize {
        self.root(Self::node(body, island_of))
    }

    /// First node of whatever hangs together with a node.
    pub fn root(&mut self, node: usize) -> usize {
        find_root(&mut self.parent, node as u32) as usize
    }

    /// Joins the chosen touches into piles. Islands are general piles even if nothing touches them.
    pub fn join(&mut self, touches: &[Touch], island_of: &[Option<usize>]) {
        self.parent.iter_mut().enumerate().for_each(|(i, p)| *p = i as u32);
        let bodies = island_of.len();
        for (n, general) in self.general.iter_mut().enumerate() {
            *general = self.all_general || (n >= bodies && !self.lone[n - bodies]);
        }
        for k in 0..self.chosen.len() {
            let touch = &touches[self.chosen[k] as usize];
            let roots = touch.nodes().map(|b| b.map(|b| self.root(Self::node(b, island_of))));
            let special = touch.is_special();
            if let [Some(a), Some(b)] = roots {
                // the smaller number leads, so the result depends on the order of bodies alone
                let (low, high) = (a.min(b), a.max(b));
                self.parent[high] = low as u32;
                self.general[low] |= self.general[high] || special;
            } else if let [Some(a), None] | [None, Some(a)] = roots {
                self.general[a] |= special;
            }
        }
        self.sort(touches, island_of);
    }

    /// Two moving bodies hang together, whatever touches: for [`Self::root_of_body`] only.
    pub fn join_bodies(&mut self, a: usize, b: usize, island_of: &[Option<usize>]) {
        let [a, b] = [a, b].map(|body| self.root(Self::node(body, island_of)));
        self.parent[a.max(b)] = a.min(b) as u32;
    }

    /// Counting sort of the chosen touches by their piles; the counts stand two places up.
    fn sort(&mut self, touches: &[Touch], island_of: &[Option<usize>]) {
        self.number.fill(NONE);
        self.ends.clear();
        self.ends.extend([0, 0]);
        for k in 0..self.chosen.len() {
            let Some(root) = self.root_of(&touches[self.chosen[k] as usize], island_of) else {
                continue;
            };
            if self.number[root] == NONE {
                self.number[root] = self.ends.len() as u32 - 2;
                self.ends.push(0);
            }
            self.ends[self.number[root] as usize + 2] += 1;
        }
        for i in 1..self.ends.len() {
            self.ends[i] += self.ends[i - 1];
        }
        self.order.clear();
        self.order.resize(self.chosen.len(), 0);
        for k in 0..self.chosen.len() {
            let t = self.chosen[k];
            let Some(root) = self.root_of(&touches[t as usize], island_of) else { continue };
            let at = &mut self.ends[self.number[root] as usize + 1];
            self.order[*at as usize] = t;
            *at += 1;
        }
        self.ends.pop();
    }

    fn root_of(&mut self, touch: &Touch, island_of: &[Option<usize>]) -> Option<usize> {
        let body = touch.nodes().into_iter().flatten().next()?;
        Some(self.root(Self::node(body, island_of)))
    }

    /// Number of piles with touches.
    pub fn len(&self) -> usize {
        self.ends.len().saturating_sub(1)
    }

    /// Touches of a pile.
    pub fn pile(&self, number: usize) -> &[u32] {
        &self.order[self.ends[number] as usize..self.ends[number + 1] as usize]
    }

    /// The root of a pile, by one of its touches.
    pub fn root_of_pile(
        &mut self,
        number: usize,
        touches: &[Touch],
        island_of: &[Option<usize>],
    ) -> Option<usize> {
        let t = *self.pile(number).first()?;
        self.root_of(&touches[t as usize], island_of)
    }

    /// A root's pile has joints, or touches of more than three rows.
    pub fn is_general(&self, root: usize) -> bool {
        self.general[root]
    }
}
