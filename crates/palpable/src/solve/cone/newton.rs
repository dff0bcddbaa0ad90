//! Semismooth Newton for small islands: dense `W`, natural map, line search.

use super::contact::ConeSettings;
use super::dense;
use super::island::Island;
use super::newton_rows::{Equations, Point};
use super::passive::Found;
use super::problem::Unknowns;

/// Contacts of an island that Newton takes at most.
pub(super) const CONTACTS: usize = 8;
/// Rows of an island that Newton takes at most.
pub(super) const ROWS: usize = 6 * CONTACTS;
/// Halvings of a step at most.
const HALVINGS: usize = 4;
/// Rounding of velocities, relative to the fastest.
const ROUNDING: f64 = 1e-15;

/// Buffers of the small islands.
#[derive(Debug, Clone)]
pub(super) struct Newton {
    w: Vec<f64>,
    jacobian: Vec<f64>,
    lambda: Vec<f64>,
    velocity: Vec<f64>,
    f: Vec<f64>,
    step: Vec<f64>,
    best: Vec<f64>,
}

impl Newton {
    pub fn new() -> Self {
        let vector = || vec![0.0; ROWS];
        Self {
            w: vec![0.0; ROWS * ROWS],
            jacobian: vec![0.0; ROWS * ROWS],
            lambda: vector(),
            velocity: vector(),
            f: vector(),
            step: vector(),
            best: vector(),
        }
    }

    /// Improves the forces of a small island; returns the steps taken and the sums of the best
    /// state, which is never worse than the start. `None` where the island is too large.
    pub fn solve(
        &mut self,
        island: &Island,
        unknowns: &mut Unknowns,
        settings: &ConeSettings,
    ) -> Option<Found> {
        let &Island { blocks, contacts, groups } = island;
        let n = contacts.iter().map(|&i| blocks.contacts[i as usize].rows).sum();
        let most = settings.newton_contacts.min(CONTACTS);
        if contacts.len() > most || n > ROWS || settings.newton_steps == 0 {
            return None;
        }
        self.assemble(island, n);
        let mut scale = 0.0;
        copy_rows(island, |at, row| {
            self.lambda[at] = unknowns.lambda[row];
            scale = f64::max(scale, unknowns.free[row].abs());
        });
        let passes = self.iterate(island, unknowns, n, scale, settings.newton_steps);
        copy_rows(island, |at, row| unknowns.lambda[row] = self.best[at]);
        for &i in contacts {
            let block = &blocks.contacts[i as usize];
            let lambda = &mut unknowns.lambda[block.row..block.row + block.rows];
            // a contact that let go keeps the rounding of what it had
            if block.has_normal() && block.weight[0] * lambda[0] <= ROUNDING * scale {
                lambda[0] = 0.0;
            }
            block.clip(lambda);
        }
        unknowns.refresh(blocks, contacts, groups);
        Some(Found { passes, sums: unknowns.evaluate(blocks, contacts) })
    }

    fn iterate(
        &mut self,
        island: &Island,
        unknowns: &Unknowns,
        n: usize,
        scale: f64,
        budget: usize,
    ) -> usize {
        let mut merit = self.map(island, unknowns, n, true);
        self.best[..n].copy_from_slice(&self.lambda[..n]);
        let mut least = merit;
        for taken in 0..budget {
            if !(least > (ROUNDING * scale).powi(2)) {
                return taken;
            }
            for (step, f) in self.step[..n].iter_mut().zip(&self.f) {
                *step = -f;
            }
            if !dense::solve(&mut self.jacobian[..n * n], n, &mut self.step[..n]) {
                return taken + 1;
            }
            merit = self.search(island, unknowns, n, merit);
            if merit < least {
                let gained = least / merit;
                least = merit;
                self.best[..n].copy_from_slice(&self.lambda[..n]);
                // at the rounding of W: further steps only stir
                if gained < 4.0 && least < (1e-12 * scale).powi(2) {
                    return taken + 1;
                }
            } else if least < (1e-12 * scale).powi(2) {
                return taken + 1;
            }
        }
        budget
    }

    /// Takes the step, halved while that helps; leaves the derivative of the new point.
    fn search(&mut self, island: &Island, unknowns: &Unknowns, n: usize, merit: f64) -> f64 {
        let mut part = 1.0;
        for (l, step) in self.lambda[..n].iter_mut().zip(&self.step) {
            *l += step;
        }
        let mut now = self.map(island, unknowns, n, true);
        let (full, mut halvings) = (now, 0);
        while !(now < merit) && halvings < HALVINGS {
            halvings += 1;
            part *= 0.5;
            for (l, step) in self.lambda[..n].iter_mut().zip(&self.step) {
                *l -= part * step;
            }
            now = self.map(island, unknowns, n, false);
        }
        if halvings == 0 {
            return now;
        }
        if !(now < full) {
            // no part of the step is better than all of it: a change of active set is under way
            for (l, step) in self.lambda[..n].iter_mut().zip(&self.step) {
                *l += (1.0 - part) * step;
            }
        }
        self.map(island, unknowns, n, true)
    }

    /// `F`, its derivative if wanted, and `‖F‖²`.
    fn map(&mut self, island: &Island, unknowns: &Unknowns, n: usize, derive: bool) -> f64 {
        copy_rows(island, |at, row| {
            let w = &self.w[at * n..at * n + n];
            let push: f64 = w.iter().zip(&self.lambda).map(|(w, l)| w * l).sum();
            self.velocity[at] = unknowns.free[row] + push;
        });
        let (w, lambda, velocity) = (&self.w[..n * n], &self.lambda[..n], &self.velocity[..n]);
        let point = Point { n, w, lambda, velocity };
        let jacobian = derive.then_some(&mut self.jacobian[..n * n]);
        let mut equations = Equations { f: &mut self.f[..n], jacobian };
        let mut at = 0;
        for &i in island.contacts {
            let block = &island.blocks.contacts[i as usize];
            equations.write(block, at, &point);
            at += block.rows;
        }
        self.f[..n].iter().map(|f| f * f).sum()
    }

    fn assemble(&mut self, island: &Island, n: usize) {
        let &Island { blocks, contacts, .. } = island;
        let mut at = (0, 0);
        for &i in contacts {
            let a = &blocks.contacts[i as usize];
            at.1 = 0;
            for &j in contacts {
                let b = &blocks.contacts[j as usize];
                for r in 0..a.rows {
                    for s in 0..b.rows {
                        self.w[(at.0 + r) * n + at.1 + s] = blocks.delassus(a, r, b, s);
                    }
                }
                at.1 += b.rows;
            }
            at.0 += a.rows;
        }
    }
}

/// Calls `each` with the place in the island and the row in the problem.
fn copy_rows(island: &Island, mut each: impl FnMut(usize, usize)) {
    let mut at = 0;
    for &i in island.contacts {
        let block = &island.blocks.contacts[i as usize];
        for row in block.row..block.row + block.rows {
            each(at, row);
            at += 1;
        }
    }
}
