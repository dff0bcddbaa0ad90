//! Which touches hang together: the piles of one phase.

use super::touch::{PerTouch, Touch, TouchAt};
use crate::math::{Groups, Room};
use crate::model::{Block, Kind, Model, PerIsland, PerUnit, Unit, Units};
use std::sync::Arc;

/// No number yet.
const NONE: u32 = u32::MAX;

/// Piles: groups of units that chosen touches join; the immovable world joins none.
#[derive(Debug, Clone)]
pub(super) struct Graph {
    /// touches that take part in the phase
    pub chosen: Room<TouchAt>,
    pub units: Arc<Units>,
    groups: Groups<Unit>,
    /// per leader: number of its pile
    number: PerUnit<u32>,
    /// per leader: something in it has joints, or more rows than a point
    general: PerUnit<bool>,
    /// every pile is one of them in this phase
    pub all_general: bool,
    /// islands that are one body without joints: a body on springs, or in a hand
    pub lone: PerIsland<bool>,
    /// chosen touches, pile by pile, and where the piles end
    order: Room<TouchAt>,
    ends: Room<u32>,
    /// leaders of the piles
    leaders: Room<Unit>,
    /// leaders of piles that the phase at work singles out: those that are struck, or woken
    marked: PerUnit<bool>,
    any_marked: bool,
}

impl Graph {
    pub fn new(model: &Model, touches: usize) -> Self {
        let plain = |&e: &usize| {
            let element = &model.elements[e];
            !element.joint && !element.is_bounded() && !matches!(element.kind, Kind::Gear(_))
        };
        let units = Arc::clone(&model.units);
        let lone = model.islands.entries().map(|(i, island)| {
            let spans = units.spans(units.of_island(i));
            let one = spans.len() == 1 && matches!(spans[0].block, Block::Body(_));
            one && island.elements.iter().all(plain)
        });
        Self {
            chosen: Room::with_capacity(touches),
            groups: Groups::of(units.count()),
            number: PerUnit::new(&units, NONE),
            general: PerUnit::new(&units, false),
            all_general: false,
            lone: lone.collect::<Vec<_>>().into(),
            order: Room::with_capacity(touches),
            ends: Room::with_capacity(touches + 2),
            leaders: Room::with_capacity(touches),
            marked: PerUnit::new(&units, false),
            any_marked: false,
            units,
        }
    }

    /// Who leads the pile of a touch; `None` if nothing that it is between can move.
    pub fn leader_at(&mut self, touch: &Touch) -> Option<Unit> {
        let node = touch.movers().next()?;
        Some(self.groups.leader(self.units.of(node)))
    }

    /// Chooses the touches that a phase takes.
    pub fn choose(&mut self, touches: &PerTouch<Touch>, takes: impl Fn(&Touch) -> bool) {
        self.chosen.clear();
        self.chosen.extend(touches.all().filter(|&t| takes(&touches[t])));
    }

    /// Joins the chosen touches into piles. Islands are general piles even if nothing touches them.
    pub fn join(&mut self, touches: &PerTouch<Touch>) {
        self.groups.part(self.units.count());
        self.general.fill(self.all_general);
        for (i, lone) in self.lone.entries() {
            self.general[self.units.of_island(i)] |= !lone;
        }
        for k in 0..self.chosen.len() {
            let touch = &touches[self.chosen[k]];
            let special = touch.is_special();
            match touch.nodes().map(|node| node.map(|n| self.units.of(n))) {
                [Some(a), Some(b)] => {
                    let [first, second] = self.groups.join(a, b);
                    self.general[first] |= self.general[second] || special;
                }
                [Some(a), None] | [None, Some(a)] => {
                    let leader = self.groups.leader(a);
                    self.general[leader] |= special;
                }
                [None, None] => {}
            }
        }
        self.sort(touches);
    }

    /// Joins the piles of two moving bodies that something else than a touch ties together.
    pub fn join_bodies(&mut self, a: usize, b: usize) {
        let [first, second] = self.groups.join(self.units.of(a), self.units.of(b));
        self.general[first] |= self.general[second];
    }

    /// Counting sort of the chosen touches by their piles; the counts stand two places up.
    fn sort(&mut self, touches: &PerTouch<Touch>) {
        self.number.fill(NONE);
        self.leaders.clear();
        self.ends.clear();
        self.ends.extend([0, 0]);
        for k in 0..self.chosen.len() {
            let Some(leader) = self.leader_at(&touches[self.chosen[k]]) else { continue };
            if self.number[leader] == NONE {
                self.number[leader] = self.leaders.len() as u32;
                self.leaders.push(leader);
                self.ends.push(0);
            }
            self.ends[self.number[leader] as usize + 2] += 1;
        }
        for i in 1..self.ends.len() {
            self.ends[i] += self.ends[i - 1];
        }
        self.order.clone_from(&self.chosen);
        for k in 0..self.chosen.len() {
            let t = self.chosen[k];
            let Some(leader) = self.leader_at(&touches[t]) else { continue };
            let at = &mut self.ends[self.number[leader] as usize + 1];
            self.order[*at as usize] = t;
            *at += 1;
        }
        self.ends.pop();
    }

    /// Number of piles with touches.
    pub fn len(&self) -> usize {
        self.leaders.len()
    }

    /// Touches of a pile.
    pub fn pile(&self, number: usize) -> &[TouchAt] {
        &self.order[self.ends[number] as usize..self.ends[number + 1] as usize]
    }

    /// A pile has joints, or touches of more than three rows.
    pub fn is_general(&self, number: usize) -> bool {
        self.general[self.leaders[number]]
    }

    /// The same for the pile of a unit.
    pub fn is_general_at(&mut self, unit: Unit) -> bool {
        let leader = self.groups.leader(unit);
        self.general[leader]
    }

    /// Singles out no pile.
    pub fn unmark(&mut self) {
        self.marked.fill(false);
        self.any_marked = false;
    }

    /// Singles out the pile of a unit.
    pub fn mark(&mut self, unit: Unit) {
        let leader = self.groups.leader(unit);
        self.marked[leader] = true;
        self.any_marked = true;
    }

    /// Some pile is singled out.
    pub fn any_marked(&self) -> bool {
        self.any_marked
    }

    /// The pile of a unit is singled out.
    pub fn is_marked(&mut self, unit: Unit) -> bool {
        let leader = self.groups.leader(unit);
        self.marked[leader]
    }
}
