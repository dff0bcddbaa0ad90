//! The linear system of bodies that press on each other: blocks of six, eliminated in an order that
//! keeps it sparse.
//!
//! The symmetric part of the matrix is positive definite, so every order is stable; who has the
//! fewest neighbours goes first.

use crate::math::{Mat6, Room, Vec6};

/// Coupling of two unknowns, both ways.
#[derive(Debug, Clone, Copy)]
struct Edge {
    ends: (u32, u32),
    /// row of the first, column of the second, and the other way around
    blocks: (Mat6, Mat6),
}

impl Edge {
    /// The block in the row of `row`.
    fn block(&self, row: u32) -> &Mat6 {
        if self.ends.0 == row { &self.blocks.0 } else { &self.blocks.1 }
    }

    fn other(&self, node: u32) -> u32 {
        if self.ends.0 == node { self.ends.1 } else { self.ends.0 }
    }
}

/// Buffers of the system; they keep their room.
#[derive(Debug, Clone, Default)]
pub(super) struct Pile {
    diagonal: Room<Mat6>,
    rhs: Room<Vec6>,
    edges: Room<Edge>,
    /// edges of each unknown; empty ones keep their room
    lists: Vec<Room<u32>>,
    count: usize,
    done: Room<bool>,
    order: Room<u32>,
    active: Room<(u32, Mat6, Mat6)>,
}

impl Pile {
    /// Room for `nodes` unknowns.
    pub fn with_capacity(nodes: usize) -> Self {
        Self {
            diagonal: Room::with_capacity(nodes),
            rhs: Room::with_capacity(nodes),
            edges: Room::with_capacity(8 * nodes),
            lists: (0..nodes).map(|_| Room::with_capacity(32)).collect(),
            count: 0,
            done: Room::with_capacity(nodes),
            order: Room::with_capacity(nodes),
            active: Room::with_capacity(nodes),
        }
    }

    /// Begins a system without unknowns.
    pub fn clear(&mut self) {
        self.diagonal.clear();
        self.rhs.clear();
        self.edges.clear();
        self.lists.iter_mut().for_each(|list| list.clear());
        self.count = 0;
    }

    /// Adds an unknown: its block and right-hand side. Returns its number.
    pub fn node(&mut self, block: Mat6, rhs: Vec6) -> u32 {
        self.diagonal.push(block);
        self.rhs.push(rhs);
        self.count += 1;
        if self.lists.len() < self.count {
            self.lists.push(Room::with_capacity(16));
        }
        self.count as u32 - 1
    }

    /// Adds to the block and right-hand side of an unknown.
    pub fn add(&mut self, node: u32, block: &Mat6, rhs: &Vec6) {
        self.diagonal[node as usize] += block;
        self.rhs[node as usize] += rhs;
    }

    /// Adds to the blocks that couple two unknowns: row of `a`, and row of `b`.
    pub fn couple(&mut self, a: u32, b: u32, blocks: (&Mat6, &Mat6)) {
        let known =
            self.lists[a as usize].iter().copied().find(|&e| self.edges[e as usize].other(a) == b);
        let Some(e) = known else {
            let number = self.edges.len() as u32;
            self.edges.push(Edge { ends: (a, b), blocks: (*blocks.0, *blocks.1) });
            self.lists[a as usize].push(number);
            self.lists[b as usize].push(number);
            return;
        };
        let edge = &mut self.edges[e as usize];
        let (one, two) = if edge.ends.0 == a { blocks } else { (blocks.1, blocks.0) };
        edge.blocks.0 += one;
        edge.blocks.1 += two;
    }

    /// Solves into the right-hand sides; false if a block was singular.
    pub fn solve(&mut self) -> bool {
        self.done.clear();
        self.done.resize(self.count, false);
        self.order.clear();
        for _ in 0..self.count {
            let Some(node) = self.next() else { break };
            if !self.eliminate(node) {
                return false;
            }
        }
        // from here on: whose value is known
        self.done.fill(false);
        (0..self.order.len()).rev().for_each(|at| self.substitute(at));
        true
    }

    /// The solution of an unknown.
    pub fn value(&self, node: u32) -> &Vec6 {
        &self.rhs[node as usize]
    }

    fn next(&self) -> Option<u32> {
        let open = |e: &&u32, node: usize| {
            let other = self.edges[**e as usize].other(node as u32);
            !self.done[other as usize]
        };
        let degree = |node: &usize| self.lists[*node].iter().filter(|e| open(e, *node)).count();
        (0..self.count).filter(|n| !self.done[*n]).min_by_key(degree).map(|n| n as u32)
    }

    /// `A_ij −= A_ik A_kk⁻¹ A_kj` for all neighbours of `k`; the inverse stays in its place.
    fn eliminate(&mut self, k: u32) -> bool {
        let Some(inverse) = invert(&self.diagonal[k as usize]) else { return false };
        self.diagonal[k as usize] = inverse;
        self.done[k as usize] = true;
        self.order.push(k);
        let mut active = std::mem::take(&mut self.active);
        active.clear();
        for &e in &self.lists[k as usize] {
            let edge = &self.edges[e as usize];
            let i = edge.other(k);
            if !self.done[i as usize] {
                active.push((i, edge.block(i) * inverse, *edge.block(k)));
            }
        }
        let own = self.rhs[k as usize];
        for (m, (i, left, right)) in active.iter().enumerate() {
            self.diagonal[*i as usize] -= left * right;
            self.rhs[*i as usize] -= left * own;
            for (j, other_left, other_right) in &active[..m] {
                let blocks = (-(left * other_right), -(other_left * right));
                self.couple(*i, *j, (&blocks.0, &blocks.1));
            }
        }
        self.active = active;
        true
    }

    fn substitute(&mut self, at: usize) {
        let k = self.order[at];
        let mut sum = self.rhs[k as usize];
        for &e in &self.lists[k as usize] {
            let edge = &self.edges[e as usize];
            let j = edge.other(k);
            // those eliminated later are known by now
            if self.done[j as usize] {
                sum -= edge.block(k) * self.rhs[j as usize];
            }
        }
        self.rhs[k as usize] = self.diagonal[k as usize] * sum;
        self.done[k as usize] = true;
    }
}

/// The inverse of a block by Gauss and Jordan with exchanges of rows; `None` if it is singular.
fn invert(block: &Mat6) -> Option<Mat6> {
    block.try_inverse().filter(|m| m.iter().all(|v| v.is_finite()))
}
