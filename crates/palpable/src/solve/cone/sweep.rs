//! Matrix-free block Gauss-Seidel with exact local solutions, and nonsmooth nonlinear conjugate
//! gradients [Silcowitz2010] over its sweeps.
//!
//! # Differs from the source
//! Forces are weighed by the mobility of their rows, so β does not depend on units or mass ratios;
//! the velocity change `z` is extrapolated with the forces, so an acceleration costs no product.

use super::contact::ConeSettings;
use super::dense::invert3;
use super::island::Island;
use super::kernels::Rows;
use super::law::{Block, Kind};
use super::local::{ACCURACY, Cone, Local, disc, solve};
use super::passive::Found;
use super::problem::{Blocks, Unknowns};

/// Relative regularisation of local blocks, row by row: a group of few coordinates leaves them
/// singular. The solution does not move; the sweep becomes a proximal one in those directions. A
/// box on a hard slide (944 directions, 9 sizes and steps) ends in forces of 1e12 weights with
/// 1e-10 of the normal row for all, below 1e3 weights with this.
const SOFT: f64 = 1e-7;
/// Numbers kept per row: its contact's block and inverse.
const PER_ROW: usize = 12;

/// Local blocks and directions of the sweeps.
#[derive(Debug, Clone)]
pub(super) struct Sweeper {
    local: Vec<f64>,
    lambda: Vec<f64>,
    change: Vec<f64>,
    lambda_direction: Vec<f64>,
    change_direction: Vec<f64>,
}

/// What a sweep changed.
#[derive(Debug, Clone, Copy, Default)]
struct Moved {
    /// largest change of velocity, seen from the moved row alone [m/s]
    speed: f64,
    /// Σ mobility · dλ²
    size: f64,
}

impl Sweeper {
    pub fn new(rows: usize, coordinates: usize) -> Self {
        Self {
            local: vec![0.0; PER_ROW * rows],
            lambda: vec![0.0; rows],
            change: vec![0.0; coordinates],
            lambda_direction: vec![0.0; rows],
            change_direction: vec![0.0; coordinates],
        }
    }

    /// Sweeps until the residual is small enough or the budget is spent; returns the number of
    /// sweeps and the sums of the last state.
    pub fn relax(
        &mut self,
        island: &Island,
        unknowns: &mut Unknowns,
        settings: &ConeSettings,
    ) -> Found {
        let &Island { blocks, contacts, groups } = island;
        contacts.iter().for_each(|&i| self.prepare(blocks, &blocks.contacts[i as usize]));
        let (mut before, mut done) = (0.0, 0);
        let enough = settings.good_enough();
        while done < settings.sweeps {
            if settings.accelerate {
                self.remember(island, unknowns);
            }
            let moved = self.sweep(island, unknowns);
            done += 1;
            if moved.speed <= enough {
                let sums = unknowns.evaluate(blocks, contacts);
                if sums.residual <= enough {
                    break;
                }
            }
            if settings.accelerate && done < settings.sweeps {
                let beta = if before > 0.0 { moved.size / before } else { 0.0 };
                before = moved.size;
                // a longer sweep than the last one: start again from the plain direction
                self.extrapolate(island, unknowns, if beta < 1.0 { beta } else { 0.0 });
            }
        }
        unknowns.refresh(blocks, contacts, groups);
        Found { passes: done, sums: unknowns.evaluate(blocks, contacts) }
    }

    /// Local block of a contact and its inverse.
    fn prepare(&mut self, blocks: &Blocks, block: &Block) {
        let n = block.rows;
        let space = &mut self.local[PER_ROW * block.row..PER_ROW * (block.row + n)];
        let (d, inverse) = space.split_at_mut(n * n);
        blocks.local(block, d);
        for r in 0..n {
            d[r * n + r] += SOFT * d[r * n + r].max(SOFT * block.weight[0]);
        }
        if n >= 3 {
            let mut three = [0.0; 9];
            (0..9).for_each(|k| three[k] = d[k / 3 * n + k % 3]);
            inverse[..9].copy_from_slice(&invert3(&three));
        }
    }

    /// Always in the same order: going back and forth would make a different preconditioner of
    /// each sweep, and conjugate directions then gain nothing (13 boxes at rest after 3 steps
    /// instead of 200).
    fn sweep(&self, island: &Island, unknowns: &mut Unknowns) -> Moved {
        let mut moved = Moved::default();
        for &i in island.contacts {
            let block = &island.blocks.contacts[i as usize];
            if block.dead {
                continue;
            }
            if block.fast {
                self.visit3(island.blocks, block, unknowns, &mut moved);
            } else {
                self.visit(island.blocks, block, unknowns, &mut moved);
            }
        }
        moved
    }

    /// One point with friction between free bodies.
    #[inline(always)]
    fn visit3(&self, blocks: &Blocks, block: &Block, unknowns: &mut Unknowns, moved: &mut Moved) {
        let row = block.row;
        let rate = blocks.rate3(block, &unknowns.change);
        let space = &self.local[PER_ROW * row..];
        let (Some(d), Some(inverse), Some(free), Some(lambda)) = (
            space.first_chunk::<9>(),
            space[9..].first_chunk::<9>(),
            unknowns.free[row..].first_chunk::<3>(),
            unknowns.lambda[row..].first_chunk_mut::<3>(),
        ) else {
            return;
        };
        let u = [rate[0] + free[0] + block.goal, rate[1] + free[1], rate[2] + free[2]];
        let solved = solve(Local { d, inverse }, block.cone(), lambda, &u);
        let step = [solved[0] - lambda[0], solved[1] - lambda[1], solved[2] - lambda[2]];
        *lambda = solved;
        if step != [0.0; 3] {
            let (n, t) = (block.weight[0], block.weight[1]);
            let fastest = (n * step[0].abs()).max(t * step[1].abs().max(step[2].abs()));
            moved.speed = moved.speed.max(fastest);
            moved.size += n * step[0] * step[0] + t * (step[1] * step[1] + step[2] * step[2]);
            blocks.respond3(block, &step, &mut unknowns.change);
        }
    }

    /// Any contact.
    fn visit(&self, blocks: &Blocks, block: &Block, unknowns: &mut Unknowns, moved: &mut Moved) {
        let (row, n) = (block.row, block.rows);
        let mut u = blocks.rate(block, &unknowns.change);
        (0..n).for_each(|r| u[r] += unknowns.free[row + r]);
        let mut lambda = Rows::default();
        lambda[..n].copy_from_slice(&unknowns.lambda[row..row + n]);
        let space = &self.local[PER_ROW * row..PER_ROW * (row + n)];
        let (d, inverse) = space.split_at(n * n);
        let mut solved = lambda;
        match block.kind {
            Kind::Unilateral => solved[0] = (lambda[0] - (u[0] + block.goal) / d[0]).max(0.0),
            Kind::Bounded => {
                solved[0] = (lambda[0] - u[0] / d[0]).max(-block.limit).min(block.limit);
            }
            Kind::Frictional | Kind::Rolling => solve_rows(block, d, inverse, &mut solved, u),
        }
        let mut step = Rows::default();
        for r in 0..n {
            step[r] = solved[r] - lambda[r];
            moved.speed = moved.speed.max(d[r * n + r] * step[r].abs());
            moved.size += d[r * n + r] * step[r] * step[r];
        }
        unknowns.lambda[row..row + n].copy_from_slice(&solved[..n]);
        blocks.respond(block, &step[..n], &mut unknowns.change);
    }

    fn remember(&mut self, island: &Island, unknowns: &Unknowns) {
        island.rows(|r| self.lambda[r.clone()].copy_from_slice(&unknowns.lambda[r]));
        island.coordinates(|k| self.change[k.clone()].copy_from_slice(&unknowns.change[k]));
    }

    /// Goes on by β times the last direction, and makes this sweep the next direction.
    fn extrapolate(&mut self, island: &Island, unknowns: &mut Unknowns, beta: f64) {
        island.rows(|r| {
            let direction = &mut self.lambda_direction[r.clone()];
            advance(&mut unknowns.lambda[r.clone()], &self.lambda[r], direction, beta);
        });
        island.coordinates(|k| {
            let direction = &mut self.change_direction[k.clone()];
            advance(&mut unknowns.change[k.clone()], &self.change[k], direction, beta);
        });
    }
}

/// Frictional rows of any group: normal and tangential together, then spin, then rolling.
fn solve_rows(block: &Block, d: &[f64], inverse: &[f64], solved: &mut Rows, mut u: Rows) {
    let n = block.rows;
    let mut three = [0.0; 9];
    (0..9).for_each(|k| three[k] = d[k / 3 * n + k % 3]);
    let Some(inverse) = inverse.first_chunk::<9>() else { return };
    u[0] += block.goal;
    let lambda = [solved[0], solved[1], solved[2]];
    let now = solve(Local { d: &three, inverse }, block.cone(), &lambda, &[u[0], u[1], u[2]]);
    for c in 0..3 {
        let step = now[c] - solved[c];
        (0..n).for_each(|r| u[r] += d[r * n + c] * step);
        solved[c] = now[c];
    }
    for k in 1..block.discs() {
        let disc_k = block.disc(k);
        let (f, radius) = (disc_k.first, disc_k.slope * solved[0]);
        let before = *solved;
        if disc_k.len == 1 {
            solved[f] = (solved[f] - u[f] / d[f * n + f]).max(-radius).min(radius);
        } else {
            let g = f + 1;
            let s = [d[f * n + f], d[f * n + g], d[g * n + f], d[g * n + g]];
            let old = [solved[f], solved[g]];
            let b = [u[f] - s[0] * old[0] - s[1] * old[1], u[g] - s[2] * old[0] - s[3] * old[1]];
            [solved[f], solved[g]] = disc(&s, &b, radius, &old);
        }
        for c in f..f + disc_k.len {
            (0..n).for_each(|r| u[r] += d[r * n + c] * (solved[c] - before[c]));
        }
    }
}

impl Block {
    /// The cone of friction.
    fn cone(&self) -> Cone {
        Cone { mu: self.mu, accuracy: ACCURACY }
    }
}

/// `direction ← x − before + β direction`, `x ← x + β direction`.
#[inline]
fn advance(x: &mut [f64], before: &[f64], direction: &mut [f64], beta: f64) {
    for ((x, before), direction) in x.iter_mut().zip(before).zip(direction) {
        // without β the old direction is not read: it may be of another problem
        let further = if beta > 0.0 { beta * *direction } else { 0.0 };
        *direction = *x - before + further;
        *x += further;
    }
}
