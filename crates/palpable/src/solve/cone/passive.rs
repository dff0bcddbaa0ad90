//! The anytime-passive rule: forces that never add energy, however they were found.

use super::law::Block;
use super::problem::{Blocks, Unknowns};

/// Sums over an island that decide its energy.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::solve) struct Sums {
    /// `λ·Wλ`
    pub a: f64,
    /// `λ·c` as the law sees it
    pub b: f64,
    /// the rest of it: work at what the law does not see
    pub carried: f64,
    /// size of the terms of `a` and `b`, row by row; told for points only
    pub size: f64,
    /// `Σ λ_n goal`
    pub goal: f64,
    /// natural map [m/s]
    pub residual: f64,
}

/// What a method reached.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    /// Newton steps or sweeps.
    pub passes: usize,
    /// Sums of the state that it left.
    pub sums: Sums,
}

impl Sums {
    /// Takes a residual in; NaN does not hide.
    #[inline]
    fn worst(&mut self, residual: f64) {
        self.residual = if residual <= self.residual { self.residual } else { residual };
    }

    /// Exact line search of the dual along the warm start; never beyond the passive bound.
    pub fn start_scale(&self) -> f64 {
        clamp(-(self.b + self.goal) / self.a)
    }

    /// Largest `s` in 0..=1 with `s²a + s b ≤ 0`. `λ·Wλ` is never negative but by rounding, which
    /// then says nothing about its size.
    pub fn midpoint_scale(&self) -> f64 {
        let (a, b) = (self.a.abs(), self.b + self.carried);
        if a + b <= 0.0 { 1.0 } else { clamp(-b / a) }
    }

    /// Largest `s` in 0..=1 with `½(s f)²a + s f b ≤ 0`.
    pub fn impulse_scale(&self, f: f64) -> f64 {
        let (a, b) = (self.a.abs(), self.b);
        if 0.5 * f * a + b <= 0.0 { 1.0 } else { clamp(-2.0 * b / (f * a)) }
    }
}

/// To 0..=1; a number that is none counts as zero.
fn clamp(s: f64) -> f64 {
    if s > 0.0 { s.min(1.0) } else { 0.0 }
}

impl Unknowns {
    /// Velocities without forces; every buffer gets its length.
    pub fn restart(&mut self, bias: &[f64]) {
        for buffer in [&mut self.free, &mut self.velocity] {
            buffer.clear();
            buffer.extend_from_slice(bias);
        }
        self.total.resize(bias.len(), 0.0);
    }

    /// Velocities, energy sums and residual of an island for its present forces.
    pub fn evaluate(&mut self, blocks: &Blocks, contacts: &[u32]) -> Sums {
        let mut sums = Sums::default();
        for &i in contacts {
            let block = &blocks.contacts[i as usize];
            if block.fast {
                self.evaluate3(blocks, block, &mut sums);
                continue;
            }
            let range = block.row..block.row + block.rows;
            let rate = blocks.rate(block, &self.change);
            let (lambda, free) = (&self.lambda[range.clone()], &self.free[range.clone()]);
            let (v, carry) = (&mut self.velocity[range.clone()], &blocks.carry[range]);
            for r in 0..v.len() {
                v[r] = free[r] + rate[r];
                sums.a += lambda[r] * rate[r];
                sums.b += lambda[r] * free[r];
                sums.carried += lambda[r] * carry[r];
            }
            sums.goal += lambda[0] * block.goal;
            sums.worst(block.residual(lambda, v));
        }
        sums
    }

    /// The same for one contact of fixed size.
    #[inline(always)]
    fn evaluate3(&mut self, blocks: &Blocks, block: &Block, sums: &mut Sums) {
        let row = block.row;
        let rate = blocks.rate3(block, &self.change);
        let (Some(l), Some(free), Some(v)) = (
            self.lambda[row..].first_chunk::<3>(),
            self.free[row..].first_chunk::<3>(),
            self.velocity[row..].first_chunk_mut::<3>(),
        ) else {
            return;
        };
        *v = [free[0] + rate[0], free[1] + rate[1], free[2] + rate[2]];
        sums.a += l[0] * rate[0] + l[1] * rate[1] + l[2] * rate[2];
        sums.b += l[0] * free[0] + l[1] * free[1] + l[2] * free[2];
        let carry = &blocks.carry[row..row + 3];
        sums.carried += l[0] * carry[0] + l[1] * carry[1] + l[2] * carry[2];
        sums.goal += l[0] * block.goal;
        sums.worst(block.residual3(l, v));
    }

    /// What it takes to stop the contacts of an island one by one, and its groups one by one.
    pub fn demand(&self, blocks: &Blocks, contacts: &[u32], groups: &[u32]) -> f64 {
        let of = |i: &u32| {
            let block = &blocks.contacts[*i as usize];
            if block.dead {
                return 0.0;
            }
            let normal = (self.free[block.row] + block.goal).abs() / block.weight[0];
            let rows = &self.free[block.row + 1..(block.row + block.rows).min(block.row + 3)];
            let slide = rows.iter().fold(0.0, |m: f64, v| m.max(v.abs())) / block.weight[1];
            normal + if slide.is_finite() { slide } else { 0.0 } + block.limit
        };
        let alone: f64 = contacts.iter().map(of).sum();
        alone + groups.iter().map(|&g| blocks.groups[g as usize].momentum).sum::<f64>()
    }

    /// Largest force of an island; NaN does not hide.
    pub fn largest(&self, blocks: &Blocks, contacts: &[u32]) -> f64 {
        let rows = contacts.iter().flat_map(|&i| {
            let block = &blocks.contacts[i as usize];
            block.row..block.row + block.rows
        });
        rows.fold(0.0, |most, r| {
            let force = self.lambda[r].abs();
            if force <= most { most } else { force }
        })
    }

    /// Evaluation of an island whose forces are all zero: velocities are the free ones.
    pub fn evaluate_rest(&mut self, blocks: &Blocks, contacts: &[u32]) -> Sums {
        let mut sums = Sums::default();
        for &i in contacts {
            let block = &blocks.contacts[i as usize];
            let range = block.row..block.row + block.rows;
            let (lambda, free) = (&self.lambda[range.clone()], &self.free[range.clone()]);
            sums.worst(match (lambda.first_chunk::<3>(), free.first_chunk::<3>()) {
                (Some(lambda), Some(free)) if block.fast => block.residual3(lambda, free),
                _ => block.residual(lambda, free),
            });
            self.velocity[range.clone()].copy_from_slice(&self.free[range]);
        }
        sums
    }

    /// Lawful start and the velocity change that goes with it; false if all forces are zero.
    pub fn warm(&mut self, blocks: &Blocks, contacts: &[u32], groups: &[u32]) -> bool {
        self.clear_change(blocks, groups);
        let mut any = false;
        for &i in contacts {
            let block = &blocks.contacts[i as usize];
            let lambda = &mut self.lambda[block.row..block.row + block.rows];
            if lambda.iter().any(|l| *l != 0.0) {
                block.clip(lambda);
                blocks.respond(block, lambda, &mut self.change);
                any = true;
            }
        }
        any
    }

    /// `z = Σ A⁻¹Jᵀλ` of an island from its forces alone.
    pub fn refresh(&mut self, blocks: &Blocks, contacts: &[u32], groups: &[u32]) {
        self.clear_change(blocks, groups);
        for &i in contacts {
            let block = &blocks.contacts[i as usize];
            let lambda = &self.lambda[block.row..block.row + block.rows];
            if lambda.iter().any(|l| *l != 0.0) {
                blocks.respond(block, lambda, &mut self.change);
            }
        }
    }

    pub fn clear_change(&mut self, blocks: &Blocks, groups: &[u32]) {
        for &g in groups {
            let group = blocks.groups[g as usize];
            self.change[group.start..group.start + group.dim].fill(0.0);
        }
    }

    /// Multiplies the forces of an island and all that follows from them.
    pub fn scale(&mut self, blocks: &Blocks, contacts: &[u32], groups: &[u32], s: f64) {
        for &i in contacts {
            let block = &blocks.contacts[i as usize];
            for r in block.row..block.row + block.rows {
                // a force that is not finite was scaled to nothing
                self.lambda[r] = if s == 0.0 { 0.0 } else { s * self.lambda[r] };
                let pushed = self.velocity[r] - self.free[r];
                self.velocity[r] = self.free[r] + if s == 0.0 { 0.0 } else { s * pushed };
            }
        }
        for &g in groups {
            let group = blocks.groups[g as usize];
            for z in &mut self.change[group.start..group.start + group.dim] {
                *z = if s == 0.0 { 0.0 } else { s * *z };
            }
        }
    }
}
