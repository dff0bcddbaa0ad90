//! The side of a contact on a body or link of an island: the island's own factors answer to it.

use super::pressing::Pressing;
use crate::contact::Site;
use crate::math::{Mat6, Room, Vec6};
use crate::model::{Block, Island, IslandAt, Model};
use crate::solve::Tools;

/// One side: rows towards the velocities of its block, and the answers of the whole island.
#[derive(Debug, Clone, Copy)]
pub(super) struct IslandSide {
    pub pressing: usize,
    pub island: IslandAt,
    /// number of its wrench in the pile
    pub number: u32,
    node: usize,
    place: usize,
    column: usize,
    width: usize,
    dim: usize,
    rows: usize,
    answers: usize,
}

/// A contact, and the body of an island that it presses on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seat {
    pub pressing: usize,
    pub island: IslandAt,
    pub node: usize,
}

/// Buffers of all such sides.
#[derive(Debug, Clone, Default)]
pub(super) struct Answers {
    pub sides: Room<IslandSide>,
    rows: Room<f64>,
    answers: Room<f64>,
}

/// Sides that a body of an island has room for; more of them need more room, once.
const SIDES: usize = 8;

fn width(model: &Model, block: &Block) -> usize {
    match *block {
        Block::Body(_) => 6,
        Block::System(s) => model.systems[s].law.freedoms(),
    }
}

fn before(model: &Model, island: &Island, place: usize) -> usize {
    let bodies = island.bodies.len().min(place);
    let systems = &island.systems[..place - bodies];
    6 * bodies + systems.iter().map(|&s| width(model, &Block::System(s))).sum::<usize>()
}

impl Answers {
    /// Room for the islands of a model.
    pub fn with_room(model: &Model) -> Self {
        let of = |island: &Island| island.bodies.len() + island.systems.len();
        let links = model.owners.iter().filter(|owner| owner.is_some()).count();
        let count = SIDES * (model.islands.iter().map(of).sum::<usize>() + links);
        let dim = model.islands.iter().map(|i| before(model, i, of(i))).max().unwrap_or(0);
        let widest = model.systems.iter().map(|s| s.law.freedoms()).max().unwrap_or(0).max(6);
        Self {
            sides: Room::with_capacity(count),
            rows: Room::with_capacity(6 * widest * count),
            answers: Room::with_capacity(6 * dim * count),
        }
    }

    pub fn clear(&mut self) {
        self.sides.clear();
        self.rows.clear();
        self.answers.clear();
    }

    /// Adds a side whose rows towards the twist of `node` are given; false if it has no place.
    pub fn add(&mut self, site: &mut Site, tools: &mut Tools, seat: Seat, rows: &Mat6) -> bool {
        let Seat { pressing, island, node } = seat;
        let model = site.model;
        let group = &model.islands[island];
        let block = model.owners[node].map_or(Block::Body(node), |(s, _)| Block::System(s));
        let Some(place) = group.place(block) else { return false };
        let width = width(model, &block);
        let dim = before(model, group, group.bodies.len() + group.systems.len());
        let column = before(model, group, place);
        let side = IslandSide {
            pressing,
            island,
            number: 0,
            node,
            place,
            column,
            width,
            dim,
            rows: self.rows.len(),
            answers: self.answers.len(),
        };
        let list: [[f64; 6]; 6] = rows.transpose().data.0;
        match model.owners[node] {
            Some((s, link)) => {
                self.rows.resize(side.rows + 6 * width, 0.0);
                site.systems[s].add_rows(link, &list, &mut self.rows[side.rows..]);
            }
            None => self.rows.extend(list.as_flattened()),
        }
        self.answers.resize(side.answers + 6 * dim, 0.0);
        for r in 0..6 {
            let row = &self.rows[side.rows + r * width..side.rows + (r + 1) * width];
            let out = &mut self.answers[side.answers + r * dim..side.answers + (r + 1) * dim];
            tools.solver.respond(&tools.problem, &[(place, row)], out);
        }
        self.sides.push(side);
        true
    }

    fn row(&self, side: &IslandSide, r: usize) -> &[f64] {
        &self.rows[side.rows + r * side.width..side.rows + (r + 1) * side.width]
    }

    /// `J_c A⁻¹ J_dᵀ` of two sides of one island.
    pub fn mobility(&self, c: &IslandSide, d: &IslandSide) -> Mat6 {
        Mat6::from_fn(|i, j| {
            let answer = &self.answers[d.answers + j * d.dim + c.column..];
            self.row(c, i).iter().zip(answer).map(|(a, b)| a * b).sum()
        })
    }

    /// Twist of a side as the island moves without contact.
    pub fn twist(&self, side: &IslandSide, tools: &Tools) -> Vec6 {
        let solution = &tools.solution;
        let u: &[f64] = match side.place.checked_sub(solution.velocities.len()) {
            None => solution.velocities[side.place].as_slice(),
            Some(w) => &solution.wide[w],
        };
        Vec6::from_fn(|r, _| self.row(side, r).iter().zip(u).map(|(a, b)| a * b).sum())
    }

    /// Adds the force of a side to the island's system, and to what is kept beside it.
    pub fn push(
        &self,
        site: &mut Site,
        tools: &mut Tools,
        side: &IslandSide,
        lambda: &Vec6,
        wrenches: &mut [Vec6],
    ) {
        let add = |out: &mut [f64]| {
            for r in 0..6 {
                let row = self.row(side, r);
                out.iter_mut().zip(row).for_each(|(o, j)| *o += lambda[r] * j);
            }
        };
        match side.place.checked_sub(tools.problem.velocities.len()) {
            None => {
                add(tools.problem.velocities[side.place].rhs.as_mut_slice());
                add(wrenches[side.node].as_mut_slice());
            }
            Some(w) => {
                add(&mut tools.problem.wide[w].rhs);
                let system = site.model.islands[side.island].systems[w];
                add(&mut site.systems[system].force);
            }
        }
    }
}

/// Twist of a body or link at the midpoint velocities `mid`; zero for what cannot move.
pub(super) fn rate(pressing: &Pressing, mid: &[Vec6]) -> Vec6 {
    let of = |side: usize| match pressing.pair.nodes[side] {
        Some(node) => pressing.rows[side].times(&mid[node]),
        None => Vec6::zeros(),
    };
    of(0) + of(1)
}
