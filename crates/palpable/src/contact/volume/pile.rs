//! The linear system of bodies that press on each other: blocks of six, eliminated in an order that
//! keeps it sparse ([`Plan`]).
//!
//! The symmetric part of a system of bodies alone is positive definite, so every order is stable
//! and no rows are exchanged; with wrenches on islands, each pivot exchanges its own rows.

use super::plan::Plan;
use crate::math::vector_unit::{Kernel, run_wide};
use crate::math::{Mat6, Room, Vec6};

/// Blocks that couple two unknowns.
#[derive(Debug, Clone, Copy)]
pub(super) struct Coupling {
    /// in the row of the first, for the second
    pub first: Mat6,
    /// in the row of the second, for the first
    pub second: Mat6,
}

impl Coupling {
    fn zeros() -> Self {
        Self { first: Mat6::zeros(), second: Mat6::zeros() }
    }
}

/// What one neighbour of a pivot takes: `A_ik A_kk⁻¹` and `A_ki`.
#[derive(Debug, Clone, Copy)]
struct Active {
    left: Mat6,
    right: Mat6,
}

/// Buffers of the system; they keep their room.
#[derive(Debug, Clone, Default)]
pub(super) struct Pile {
    diagonal: Room<Mat6>,
    rhs: Room<Vec6>,
    /// first those that were asked for, then those that elimination fills
    blocks: Room<Coupling>,
    plan: Plan,
    active: Room<Active>,
    /// Unknowns are not bodies alone.
    pub general: bool,
}

impl Pile {
    /// Room for `nodes` unknowns.
    pub fn with_capacity(nodes: usize) -> Self {
        Self {
            diagonal: Room::with_capacity(nodes),
            rhs: Room::with_capacity(nodes),
            blocks: Room::with_capacity(8 * nodes),
            plan: Plan::with_capacity(nodes),
            active: Room::with_capacity(nodes),
            general: false,
        }
    }

    /// Begins a system without unknowns.
    pub fn clear(&mut self) {
        self.diagonal.clear();
        self.rhs.clear();
        self.blocks.clear();
        self.plan.clear();
        self.general = false;
    }

    /// Adds an unknown: its block and right-hand side. Returns its number.
    pub fn node(&mut self, block: Mat6, rhs: Vec6) -> u32 {
        self.diagonal.push(block);
        self.rhs.push(rhs);
        self.plan.add_node()
    }

    /// Adds to the block and right-hand side of an unknown.
    pub fn add(&mut self, node: u32, block: &Mat6, rhs: &Vec6) {
        self.diagonal[node as usize] += block;
        self.rhs[node as usize] += rhs;
    }

    /// Adds to the blocks that couple two unknowns: row of `a` first, then row of `b`.
    pub fn couple(&mut self, a: u32, b: u32, blocks: &Coupling) {
        let link = self.plan.link(a, b);
        if link.edge() == self.blocks.len() {
            self.blocks.push(Coupling::zeros());
        }
        let known = &mut self.blocks[link.edge()];
        let (one, two) = match link.is_first() {
            true => (&mut known.first, &mut known.second),
            false => (&mut known.second, &mut known.first),
        };
        *one += blocks.first;
        *two += blocks.second;
    }

    /// Solves into the right-hand sides; false if a block was singular.
    pub fn solve(&mut self) -> bool {
        self.plan.make();
        self.blocks.resize(self.plan.edges(), Coupling::zeros());
        let Self { diagonal, rhs, blocks, plan, active, general, .. } = self;
        let mut sound = true;
        run_wide(Elimination {
            diagonal,
            rhs,
            blocks,
            plan,
            active,
            general: *general,
            sound: &mut sound,
        });
        sound
    }

    /// The solution of an unknown.
    pub fn value(&self, node: u32) -> &Vec6 {
        &self.rhs[node as usize]
    }
}

/// The whole solve as one piece of arithmetic.
struct Elimination<'a> {
    diagonal: &'a mut [Mat6],
    rhs: &'a mut [Vec6],
    blocks: &'a mut [Coupling],
    plan: &'a Plan,
    active: &'a mut Vec<Active>,
    general: bool,
    sound: &'a mut bool,
}

impl Kernel for Elimination<'_> {
    #[inline(always)]
    fn run(mut self) {
        for at in 0..self.plan.len() {
            if !self.eliminate(at) {
                *self.sound = false;
                return;
            }
        }
        (0..self.plan.len()).rev().for_each(|at| self.substitute(at));
    }
}

impl Elimination<'_> {
    /// `A_ij −= A_ik A_kk⁻¹ A_kj` for all neighbours of a pivot; the inverse stays in its place.
    #[inline(always)]
    fn eliminate(&mut self, at: usize) -> bool {
        let plan = self.plan;
        let pivot = plan.pivot(at);
        let k = pivot.node as usize;
        let inverse = match self.general {
            true => self.diagonal[k].try_inverse(),
            false => invert(&self.diagonal[k]),
        };
        let Some(inverse) = inverse else { return false };
        if !inverse.iter().all(|v| v.is_finite()) {
            return false;
        }
        self.diagonal[k] = inverse;
        self.active.clear();
        for near in plan.neighbours(pivot) {
            let block = &self.blocks[near.link.edge()];
            let (right, below) = match near.link.is_first() {
                true => (block.first, &block.second),
                false => (block.second, &block.first),
            };
            self.active.push(Active { left: times(below, &inverse), right });
        }
        let own = self.rhs[k];
        let mut fill = plan.fill(pivot).iter();
        for (m, near) in plan.neighbours(pivot).iter().enumerate() {
            let i = near.node as usize;
            let one = &self.active[m];
            subtract(&mut self.diagonal[i], &one.left, &one.right);
            subtract_vector(&mut self.rhs[i], &one.left, &own);
            for (other, link) in self.active[..m].iter().zip(&mut fill) {
                let block = &mut self.blocks[link.edge()];
                let (row_i, row_j) = match link.is_first() {
                    true => (&mut block.first, &mut block.second),
                    false => (&mut block.second, &mut block.first),
                };
                subtract(row_i, &one.left, &other.right);
                subtract(row_j, &other.left, &one.right);
            }
        }
        true
    }

    #[inline(always)]
    fn substitute(&mut self, at: usize) {
        let pivot = self.plan.pivot(at);
        let k = pivot.node as usize;
        let mut sum = self.rhs[k];
        for near in self.plan.neighbours(pivot) {
            let block = &self.blocks[near.link.edge()];
            let right = if near.link.is_first() { &block.first } else { &block.second };
            subtract_vector(&mut sum, right, &self.rhs[near.node as usize]);
        }
        let mut value = Vec6::zeros();
        subtract_vector(&mut value, &self.diagonal[k], &-sum);
        self.rhs[k] = value;
    }
}

/// `A −= L R`.
#[inline(always)]
fn subtract(a: &mut Mat6, l: &Mat6, r: &Mat6) {
    for j in 0..6 {
        let mut column = a.data.0[j];
        for k in 0..6 {
            let factor = r.data.0[j][k];
            column.iter_mut().zip(&l.data.0[k]).for_each(|(c, l)| *c -= l * factor);
        }
        a.data.0[j] = column;
    }
}

/// `L R`.
#[inline(always)]
fn times(l: &Mat6, r: &Mat6) -> Mat6 {
    let mut out = Mat6::zeros();
    for j in 0..6 {
        let mut column = [0.0; 6];
        for k in 0..6 {
            let factor = r.data.0[j][k];
            column.iter_mut().zip(&l.data.0[k]).for_each(|(c, l)| *c += l * factor);
        }
        out.data.0[j] = column;
    }
    out
}

/// `y −= A x`.
#[inline(always)]
fn subtract_vector(y: &mut Vec6, a: &Mat6, x: &Vec6) {
    for k in 0..6 {
        for i in 0..6 {
            y[i] -= a.data.0[k][i] * x[k];
        }
    }
}

/// The inverse of a block whose symmetric part is positive definite, by Gauss and Jordan in place.
#[inline(always)]
fn invert(block: &Mat6) -> Option<Mat6> {
    let mut m = block.data.0;
    for k in 0..6 {
        let pivot = m[k][k];
        if !(pivot > 0.0) {
            return None;
        }
        let scale = 1.0 / pivot;
        let mut column = m[k];
        column[k] = 0.0;
        for (j, other) in m.iter_mut().enumerate() {
            if j == k {
                continue;
            }
            let factor = other[k] * scale;
            for i in 0..6 {
                other[i] -= column[i] * factor;
            }
            other[k] = factor;
        }
        for i in 0..6 {
            m[k][i] = -column[i] * scale;
        }
        m[k][k] = scale;
    }
    Some(Mat6::from_data(nalgebra::ArrayStorage(m)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers between -1 and 1 that look random.
    fn some(seed: usize) -> Mat6 {
        Mat6::from_fn(|i, j| ((seed * 97 + 13 * i + 7 * j) as f64 * 12.9898).sin())
    }

    /// A loop of bodies with chords, against the dense matrix.
    #[test]
    fn piles_solve_what_they_are_given() {
        for (n, general) in
            [(1, false), (2, false), (7, false), (23, false), (11, true), (90, false)]
        {
            let mut pile = Pile::with_capacity(n);
            let mut dense = nalgebra::DMatrix::<f64>::zeros(6 * n, 6 * n);
            let mut b = nalgebra::DVector::<f64>::zeros(6 * n);
            for round in 0..2 {
                pile.clear();
                dense.fill(0.0);
                for k in 0..n {
                    let skew = some(k) - some(k).transpose();
                    let block = Mat6::identity() * 20.0 + skew * 0.3;
                    let rhs = some(k + 50 + round).column(0).into_owned();
                    pile.node(block, rhs);
                    dense.view_mut((6 * k, 6 * k), (6, 6)).copy_from(&block);
                    b.rows_mut(6 * k, 6).copy_from(&rhs);
                }
                pile.general = general;
                for k in 1..n {
                    for other in [k - 1, k / 2, k / 3] {
                        let j = [some(k), some(other + 7)];
                        for (c, d, jc, jd) in
                            [(k, k, 0, 0), (k, other, 0, 1), (other, k, 1, 0), (other, other, 1, 1)]
                        {
                            if k == other {
                                continue;
                            }
                            let block = j[jc].transpose() * j[jd] * 0.1;
                            let mut view = dense.view_mut((6 * c, 6 * d), (6, 6));
                            view += block;
                            if c == d {
                                pile.add(c as u32, &block, &Vec6::zeros());
                            }
                        }
                        if k != other {
                            let first = j[0].transpose() * j[1] * 0.1;
                            let second = first.transpose();
                            pile.couple(k as u32, other as u32, &Coupling { first, second });
                        }
                    }
                }
                assert!(pile.solve());
                let x = dense.clone().lu().solve(&b).expect("regular");
                for k in 0..n {
                    let miss = (x.rows(6 * k, 6) - pile.value(k as u32)).norm();
                    assert!(miss < 1e-13, "{n} {k}: {miss}");
                }
            }
        }
    }

    #[test]
    fn a_block_without_inertia_is_said_to_be_singular() {
        let mut pile = Pile::with_capacity(1);
        pile.node(Mat6::zeros(), Vec6::zeros());
        assert!(!pile.solve());
    }
}
