//! Forces that yield well, taken out of the system: what is left are the velocities.
//!
//! ```text
//! (A + Jᵀ d J) û = rhs + Jᵀ d b,    λ = d (b − J û),    d = 1 / compliance
//! ```
//! As accurate as the whole system while no force pushes more than the bodies that it moves resist,
//! `d J D⁻¹ Jᵀ ≤ 1`: then `Jᵀ d J` is no larger than what it is added to. Two links of a hand are
//! coupled by one block instead of four.

use super::Problem;
use crate::math::block_lu::{BlockId, BlockLu};
use crate::math::kernels::subtract_scaled;
use crate::math::ordering::minimum_degree;
use crate::math::vector_unit::{Kernel, run_wide};
use crate::math::{Rows, Vec6, add_scaled, dot6};

/// Pattern and factors of the velocities alone.
#[derive(Debug, Clone)]
pub(super) struct Condensed {
    lu: BlockLu,
    velocities: Vec<BlockId>,
    /// per force, per pair of its sides: the block between their velocities
    pairs: Vec<Vec<BlockId>>,
    /// `d` per force
    slopes: Vec<Vec6>,
}

impl Condensed {
    /// Analyses the pattern; `None` where a force is hard, or a velocity is not of six numbers.
    pub fn new(problem: &Problem, hard: &[bool]) -> Option<Self> {
        if !problem.wide.is_empty() || problem.forces.is_empty() || hard.iter().any(|hard| *hard) {
            return None;
        }
        let n = problem.velocities.len();
        let sides = |f: usize| problem.forces[f].sides.iter().map(|side| side.block);
        let both = |f: usize| sides(f).flat_map(move |i| sides(f).map(move |j| (i, j)));
        let edges: Vec<_> = (0..problem.forces.len()).flat_map(both).collect();
        let order = minimum_degree(&vec![6; n], &edges, &vec![Vec::new(); n], &vec![false; n]);
        let lu = BlockLu::new(&vec![6; n], &order);
        let velocities = (0..n).map(|i| lu.block(i, i)).collect::<Option<_>>()?;
        let ids = |f: usize| both(f).map(|(i, j)| lu.block(i, j)).collect::<Option<_>>();
        let pairs = (0..problem.forces.len()).map(ids).collect::<Option<_>>()?;
        Some(Self { lu, velocities, pairs, slopes: vec![Vec6::zeros(); problem.forces.len()] })
    }

    /// Stamps and factors a problem whose rows all yield.
    pub fn factor(&mut self, problem: &Problem) {
        run_wide(Stamp(self, problem));
        self.lu.factor();
    }

    /// Replaces the right-hand sides in `x` by the solution: six numbers per velocity, then each
    /// force where `starts` says.
    pub fn solve(&self, problem: &Problem, starts: &[usize], x: &mut [f64]) {
        let (velocities, forces) = x.split_at_mut(6 * problem.velocities.len());
        let starts = &starts[problem.velocities.len()..];
        let six = velocities.as_chunks_mut::<6>().0;
        for ((block, d), start) in problem.forces.iter().zip(&self.slopes).zip(starts) {
            let bias = &forces[start - 6 * six.len()..];
            for side in &block.sides {
                let out = &mut six[side.block];
                for (r, row) in side.jacobian[..block.rows].iter().enumerate() {
                    add_scaled(out, row, d[r] * bias[r]);
                }
            }
        }
        self.lu.solve(velocities);
        let six = velocities.as_chunks::<6>().0;
        for ((block, d), start) in problem.forces.iter().zip(&self.slopes).zip(starts) {
            let first = start - 6 * six.len();
            let own = &mut forces[first..first + block.rows];
            for side in &block.sides {
                let u = &six[side.block];
                own.iter_mut().zip(&side.jacobian).for_each(|(x, row)| *x -= dot6(row, u));
            }
            own.iter_mut().zip(d).for_each(|(x, d)| *x *= d);
        }
    }

    /// Velocities alone, for `m` right-hand sides without any at the forces.
    pub fn solve_velocities(&self, x: &mut [f64], m: usize) {
        if m == 1 { self.lu.solve(x) } else { self.lu.solve_many(x, m) }
    }
}

struct Stamp<'a>(&'a mut Condensed, &'a Problem);

impl Kernel for Stamp<'_> {
    #[inline(always)]
    fn run(self) {
        let Self(Condensed { lu, velocities, pairs, slopes }, problem) = self;
        lu.clear();
        for (block, &id) in problem.velocities.iter().zip(&*velocities) {
            lu.block_mut(id, 36).copy_from_slice(block.matrix().transpose().as_slice());
        }
        for ((block, d), ids) in problem.forces.iter().zip(slopes).zip(&*pairs) {
            *d = block.compliance.map(|c| 1.0 / c);
            let mut ids = ids.iter();
            for a in &block.sides {
                let mut pushes: Rows = [[0.0; 6]; 6];
                for r in 0..block.rows {
                    subtract_scaled(&mut pushes[r], &a.jacobian[r], -d[r]);
                }
                for (b, &id) in block.sides.iter().zip(&mut ids) {
                    let out = lu.block_mut(id, 36);
                    match block.rows {
                        3 => add_product::<3>(out, &pushes, &b.jacobian),
                        6 => add_product::<6>(out, &pushes, &b.jacobian),
                        rows => (0..rows).for_each(|r| {
                            add_product::<1>(out, &pushes[r..], &b.jacobian[r..]);
                        }),
                    }
                }
            }
        }
    }
}

/// `out += aᵀ b` for blocks of `R` rows of six.
#[inline(always)]
fn add_product<const R: usize>(out: &mut [f64], a: &[[f64; 6]], b: &[[f64; 6]]) {
    let Some(out) = out.as_chunks_mut::<6>().0.first_chunk_mut::<6>() else { return };
    let (Some(a), Some(b)) = (a.first_chunk::<R>(), b.first_chunk::<R>()) else { return };
    for k in 0..6 {
        let mut row = out[k];
        for r in 0..R {
            (0..6).for_each(|l| row[l] += a[r][k] * b[r][l]);
        }
        out[k] = row;
    }
}

#[cfg(test)]
mod tests {
    use crate::math::{Rows, Vec3, Vec6};
    use crate::solve::{ForceBlock, Problem, Side, Solution, Solver, VelocityBlock};

    /// A reproducible number in [-1, 1].
    fn noise(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Bodies of masses over four decades in a ring with spokes and a tie to the world; each row
    /// yields `soft` times as much as what it moves.
    fn ring(n: usize, soft: f64, seed: &mut u64) -> Problem {
        let velocities: Vec<_> = (0..n)
            .map(|_| {
                let mass = 10f64.powf(2.0 * noise(seed));
                let diagonal = Vec6::from_fn(|i, _| mass * if i < 3 { 1.0 } else { 0.01 });
                let spin = Vec3::from_fn(|_, _| 0.01 * mass * noise(seed));
                VelocityBlock { diagonal, spin, rhs: Vec6::from_fn(|_, _| noise(seed)) }
            })
            .collect();
        let ties = (0..n).map(|i| vec![i, (i + 1) % n]).chain((2..n).map(|i| vec![0, i]));
        let mut forces = Vec::new();
        for (k, blocks) in ties.chain([vec![n - 1]]).enumerate() {
            let rows = [3, 6, 1, 2][k % 4];
            let side = |&block: &usize| {
                let jacobian: Rows = std::array::from_fn(|_| std::array::from_fn(|_| noise(seed)));
                Side { block, jacobian, wide: Vec::new() }
            };
            let sides: Vec<Side> = blocks.iter().map(side).collect();
            let moved = |r: usize| -> f64 {
                let of = |s: &Side| {
                    let d = &velocities[s.block].diagonal;
                    s.jacobian[r].iter().zip(d.iter()).map(|(j, d)| j * j / d).sum::<f64>()
                };
                sides.iter().map(of).sum()
            };
            let compliance = Vec6::from_fn(|r, _| soft * moved(r));
            let bias = Vec6::from_fn(|_, _| noise(seed));
            forces.push(ForceBlock { rows, sides, compliance, bias, loss: Vec6::zeros() });
        }
        Problem { velocities, wide: Vec::new(), forces }
    }

    /// A solver that may take soft forces out, and one that does not.
    fn solvers(problem: &Problem) -> [Solver; 2] {
        let mobility: Vec<_> = problem.forces.iter().map(|f| vec![1.0; f.sides.len()]).collect();
        let soft = vec![false; problem.forces.len()];
        let mut hard = soft.clone();
        hard[0] = true;
        [soft, hard].map(|hard| Solver::new(problem, &mobility, &hard))
    }

    #[test]
    fn soft_forces_may_be_taken_out_and_nothing_else_changes() {
        let mut seed = 3;
        for round in 0..60 {
            let n = 3 + round % 8;
            let problem = ring(n, [1.01, 3.0, 1e3][round % 3], &mut seed);
            let [mut short, mut whole] = solvers(&problem);
            let mut found = [Solution::blank(&problem), Solution::blank(&problem)];
            short.solve(&problem, &mut found[0]);
            whole.solve(&problem, &mut found[1]);
            assert!(short.is_condensed() && !whole.is_condensed());
            // as good before refinement
            assert!(found[0].residual <= 1e-13, "{:e}", found[0].residual);
            for (a, b) in found[0].velocities.iter().zip(&found[1].velocities) {
                assert!((a - b).amax() <= 1e-11 * (1.0 + b.amax()), "{a} {b}");
            }
            let rows: [[f64; 6]; 3] =
                std::array::from_fn(|_| std::array::from_fn(|_| noise(&mut seed)));
            let sides = rows.each_ref().map(|row| [(n - 1, &row[..])]);
            let mut out = [vec![0.0; 18 * n], vec![0.0; 18 * n]];
            let three = sides.each_ref().map(|s| &s[..]);
            short.respond_three(&problem, three, &mut out[0]);
            whole.respond_three(&problem, three, &mut out[1]);
            let most = out[1].iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            assert!(out[0].iter().zip(&out[1]).all(|(a, b)| (a - b).abs() <= 1e-11 * most));
            short.respond(&problem, three[1], &mut out[1][..6 * n]);
            let same = out[0][6 * n..].iter().zip(&out[1][..6 * n]);
            assert!(same.clone().all(|(a, b)| (a - b).abs() <= 1e-13 * most));
        }
    }

    #[test]
    fn stiff_forces_stay_in_the_system() {
        let mut seed = 5;
        for soft in [0.9, 1e-3, 1e-12] {
            let problem = ring(5, soft, &mut seed);
            let [mut short, _] = solvers(&problem);
            let mut found = Solution::blank(&problem);
            short.solve(&problem, &mut found);
            assert!(!short.is_condensed(), "{soft}");
            assert!(found.left <= 1e-12, "{:e}", found.left);
        }
    }
}
