//! Semismooth Newton for small islands: dense `W`, natural map, line search.

use super::contact::ConeSettings;
use super::dense;
use super::island::Island;
use super::newton_rows::{Equations, Point, SOFT};
use super::passive::Found;
use super::problem::Unknowns;
use crate::math::vector_unit::{Kernel, run_wide};

/// Contacts of an island that Newton takes at most.
pub(super) const CONTACTS: usize = 32;
/// Rows of an island that Newton takes at most.
pub(super) const ROWS: usize = 3 * CONTACTS;
/// Rows beyond which a factorisation is dear.
const MANY: usize = 48;
/// Newton steps of such an island at most. Two hands with a peg (60 to 75 rows): twenty steps leave
/// 9e-5 m/s, and the slowest steps take twice the time of sweeps; twelve leave 5e-4, sweeps alone
/// 5e-3.
const FEW: usize = 12;
/// Halvings of a step at most.
const HALVINGS: usize = 4;
/// Rounding of velocities, relative to the fastest.
const ROUNDING: f64 = 1e-15;
/// Steps without gain after which the search goes back to its best point.
const ASTRAY: usize = 2;
/// After going back the search is softer by this factor.
const SOFTER: f64 = 100.0;
/// A search that is softer than this ends.
const SOFTEST: f64 = 0.1;

/// Buffers of the small islands.
#[derive(Debug, Clone)]
pub(super) struct Newton {
    w: Vec<f64>,
    /// the transpose of `w`
    columns: Vec<f64>,
    jacobian: Vec<f64>,
    lambda: Vec<f64>,
    velocity: Vec<f64>,
    f: Vec<f64>,
    step: Vec<f64>,
    best: Vec<f64>,
    /// part of its mobility that is added to a row
    soft: f64,
}

impl Newton {
    /// Room for islands of up to so many rows, and [`ROWS`] at most.
    pub fn new(rows: usize) -> Self {
        let most = rows.min(ROWS);
        let (vector, square) = (|| vec![0.0; most], || vec![0.0; most * most]);
        Self {
            w: square(),
            columns: square(),
            jacobian: square(),
            lambda: vector(),
            velocity: vector(),
            f: vector(),
            step: vector(),
            best: vector(),
            soft: SOFT,
        }
    }

    /// Improves the forces of a small island; the state that is left is never worse than the start.
    /// `None` where the island is too large.
    pub fn solve(
        &mut self,
        island: &Island,
        unknowns: &mut Unknowns,
        settings: &ConeSettings,
    ) -> Option<Found> {
        let &Island { blocks, contacts, groups } = island;
        let n = contacts.iter().map(|&i| blocks.contacts[i as usize].rows).sum();
        let most = settings.newton_contacts.min(CONTACTS);
        if contacts.len() > most || n > self.lambda.len() || settings.newton_steps == 0 {
            return None;
        }
        self.assemble(island, n);
        let mut scale = 0.0;
        copy_rows(island, |at, row| {
            self.lambda[at] = unknowns.lambda[row];
            scale = f64::max(scale, unknowns.free[row].abs());
        });
        let passes = self.iterate(island, unknowns, n, scale, settings);
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

    /// Takes steps to the best point that can be found. Redundant contacts leave directions that no
    /// row feels; where steps along them lead astray, the search goes on from its best point with
    /// rows that are softer: shorter steps to the same solution.
    fn iterate(
        &mut self,
        island: &Island,
        unknowns: &Unknowns,
        n: usize,
        scale: f64,
        settings: &ConeSettings,
    ) -> usize {
        let fine = settings.good_enough().max(1e-12 * scale).powi(2);
        self.soft = SOFT;
        let mut merit = self.map(island, unknowns, n, true);
        self.best[..n].copy_from_slice(&self.lambda[..n]);
        let (mut least, mut astray) = (merit, 0);
        let most = if n > MANY { settings.newton_steps.min(FEW) } else { settings.newton_steps };
        for taken in 0..most {
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
            let gained = if merit < least { least / merit } else { 1.0 };
            // near the rounding of W further steps only stir
            let is_done = gained < 4.0 && least.min(merit) < fine;
            if merit < least {
                (least, astray) = (merit, 0);
                self.best[..n].copy_from_slice(&self.lambda[..n]);
                self.soft = SOFT.max(self.soft / SOFTER);
            } else {
                astray += 1;
            }
            if is_done {
                return taken + 1;
            }
            if astray == ASTRAY {
                astray = 0;
                self.soft *= SOFTER;
                if self.soft > SOFTEST {
                    return taken + 1;
                }
                self.lambda[..n].copy_from_slice(&self.best[..n]);
                merit = self.map(island, unknowns, n, true);
            }
        }
        most
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
        let (columns, lambda) = (&self.columns[..n * n], &self.lambda[..n]);
        run_wide(Product { columns, lambda, out: &mut self.velocity[..n] });
        copy_rows(island, |at, row| self.velocity[at] += unknowns.free[row]);
        let (w, lambda, velocity) = (&self.w[..n * n], &self.lambda[..n], &self.velocity[..n]);
        let point = Point { n, w, lambda, velocity, soft: self.soft };
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
                let block = blocks.coupling(a, b);
                for (r, row) in block.iter().enumerate().take(a.rows) {
                    let start = (at.0 + r) * n + at.1;
                    self.w[start..start + b.rows].copy_from_slice(&row[..b.rows]);
                    for (s, entry) in row.iter().enumerate().take(b.rows) {
                        self.columns[(at.1 + s) * n + at.0 + r] = *entry;
                    }
                }
                at.1 += b.rows;
            }
            at.0 += a.rows;
        }
    }
}

/// `out = W λ`, column by column.
struct Product<'a> {
    columns: &'a [f64],
    lambda: &'a [f64],
    out: &'a mut [f64],
}

impl Kernel for Product<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { columns, lambda, out } = self;
        out.fill(0.0);
        for (column, l) in columns.chunks_exact(lambda.len().max(1)).zip(lambda) {
            out.iter_mut().zip(column).for_each(|(o, w)| *o += w * l);
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
