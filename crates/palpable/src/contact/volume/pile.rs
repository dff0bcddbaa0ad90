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
    /// who was eliminated when
    order: Room<u32>,
    /// neighbours of each unknown that are still there
    degree: Room<u32>,
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
            degree: Room::with_capacity(nodes),
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

    /// The edge between two unknowns, made if there is none: its number, and whether `a` is its
    /// first end.
    fn edge(&mut self, a: u32, b: u32) -> (usize, bool) {
        let lists = [a, b].map(|node| self.lists[node as usize].len());
        let (from, to) = if lists[0] <= lists[1] { (a, b) } else { (b, a) };
        let list = &self.lists[from as usize];
        let known = list.iter().copied().find(|&e| self.edges[e as usize].other(from) == to);
        if let Some(e) = known {
            return (e as usize, self.edges[e as usize].ends.0 == a);
        }
        let number = self.edges.len();
        self.edges.push(Edge { ends: (a, b), blocks: (Mat6::zeros(), Mat6::zeros()) });
        for node in [a, b] {
            self.lists[node as usize].push(number as u32);
            self.degree[node as usize] += 1;
        }
        (number, true)
    }

    /// Solves into the right-hand sides; false if a block was singular.
    pub fn solve(&mut self) -> bool {
        self.done.clear();
        self.done.resize(self.count, false);
        self.order.clear();
        self.degree.clear();
        self.degree.extend(self.lists[..self.count].iter().map(|list| list.len() as u32));
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

    /// Who has the fewest neighbours left.
    fn next(&self) -> Option<u32> {
        let mut best: Option<(u32, u32)> = None;
        for (node, (degree, done)) in self.degree.iter().zip(self.done.iter()).enumerate() {
            if !done && best.is_none_or(|(least, _)| *degree < least) {
                best = Some((*degree, node as u32));
            }
        }
        best.map(|(_, node)| node)
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
            self.degree[*i as usize] -= 1;
            subtract(&mut self.diagonal[*i as usize], left, right);
            self.rhs[*i as usize] -= left * own;
            for (j, other_left, other_right) in &active[..m] {
                let (e, straight) = self.edge(*i, *j);
                let (one, two) = &mut self.edges[e].blocks;
                let (row_i, row_j) = if straight { (one, two) } else { (two, one) };
                subtract(row_i, left, other_right);
                subtract(row_j, other_left, right);
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

/// `A −= L R`, without copies.
fn subtract(a: &mut Mat6, l: &Mat6, r: &Mat6) {
    for j in 0..6 {
        for k in 0..6 {
            let factor = r[(k, j)];
            for i in 0..6 {
                a[(i, j)] -= l[(i, k)] * factor;
            }
        }
    }
}

/// The inverse of a block by Gauss and Jordan with exchanges of rows; `None` if it is singular.
fn invert(block: &Mat6) -> Option<Mat6> {
    block.try_inverse().filter(|m| m.iter().all(|v| v.is_finite()))
}
