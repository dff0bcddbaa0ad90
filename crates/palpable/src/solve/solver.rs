//! Direct solution of a [`Problem`] by block-sparse LU, with one refinement where it pays.

use super::{Problem, Side, Solution};
use crate::math::Vec6;
use crate::math::block_lu::{BlockId, BlockLu};
use crate::math::ordering::minimum_degree;

/// Relative residuals above this are refined.
const REFINE_ABOVE: f64 = 1e-14;
/// Refinements at most. One is enough unless redundant stiff rows meet at a light body.
const REFINEMENTS: usize = 8;

/// Ratio of mobilities beyond which the order of elimination has to respect it.
const MUCH_MORE: f64 = 30.0;

#[derive(Debug, Clone)]
struct ForceIds {
    diagonal: BlockId,
    /// per side: blocks (velocity, force) and (force, velocity)
    sides: Vec<(BlockId, BlockId)>,
}

/// Pattern, factors and work space for problems of one shape.
///
/// Velocities are the nodes `0..n`, forces follow. A force is never eliminated before a body it
/// acts on, nor before the much lighter one of two: accuracy then depends neither on stiffness nor
/// on mass ratios. A tree of similar masses costs O(bodies).
#[derive(Debug, Clone)]
pub struct Solver {
    lu: BlockLu,
    velocity_ids: Vec<BlockId>,
    force_ids: Vec<ForceIds>,
    x: Vec<f64>,
}

impl Solver {
    /// Analyses the pattern of `problem`; later problems must have the same blocks. `mobility` says
    /// how easily each force moves the velocity block on each of its sides.
    pub fn new(problem: &Problem, mobility: &[Vec<f64>]) -> Self {
        let mut sizes = vec![6; problem.velocities.len()];
        sizes.extend(problem.wide.iter().map(|w| w.rhs.len()));
        let n = sizes.len();
        let mut after = vec![Vec::new(); n];
        let mut edges = Vec::new();
        for (f, force) in problem.forces.iter().enumerate() {
            edges.extend(force.sides.iter().map(|s| (s.block, n + f)));
            sizes.push(force.rows);
            after.push(wait_for(&force.sides, &mobility[f]));
        }
        let lu = BlockLu::new(&sizes, &minimum_degree(&sizes, &edges, &after));
        let find = |i, j| lu.block(i, j).expect("the pattern holds every edge it was built from");
        let velocity_ids: Vec<BlockId> = (0..n).map(|i| find(i, i)).collect();
        let force_ids: Vec<ForceIds> = problem
            .forces
            .iter()
            .enumerate()
            .map(|(f, force)| ForceIds {
                diagonal: find(n + f, n + f),
                sides: force
                    .sides
                    .iter()
                    .map(|s| (find(s.block, n + f), find(n + f, s.block)))
                    .collect(),
            })
            .collect();
        let mut stamped = velocity_ids.clone();
        for ids in &force_ids {
            stamped.push(ids.diagonal);
            stamped.extend(ids.sides.iter().flat_map(|(up, down)| [*up, *down]));
        }
        let (mut lu, x) = (lu.clone(), vec![0.0; lu.len()]);
        lu.declare_stamped(&stamped);
        Self { lu, velocity_ids, force_ids, x }
    }

    /// Factors and solves without looking at the residual.
    pub fn solve_roughly(&mut self, problem: &Problem, solution: &mut Solution) {
        self.stamp(problem);
        self.lu.factor();
        self.solve_unrefined(problem, solution);
    }

    /// The velocities that a unit of `row`, a force on velocity block `place`, causes, by the
    /// factors at hand: six per body, then those of wide blocks, into `out`.
    pub fn respond(&mut self, problem: &Problem, place: usize, row: &[f64], out: &mut [f64]) {
        self.x.fill(0.0);
        self.write(place, row);
        self.lu.solve(&mut self.x);
        let mut at = 0;
        for i in 0..self.velocity_ids.len() {
            let wide = i.checked_sub(problem.velocities.len());
            let n = wide.map_or(6, |w| problem.wide[w].rhs.len());
            let start = self.lu.start(i);
            out[at..at + n].copy_from_slice(&self.x[start..start + n]);
            at += n;
        }
    }

    /// Solves with the factors at hand and refines.
    pub fn solve_factored(&mut self, problem: &Problem, solution: &mut Solution) {
        self.solve_unrefined(problem, solution);
        self.refine(problem, solution);
    }

    /// Solves with the factors at hand.
    pub fn solve_unrefined(&mut self, problem: &Problem, solution: &mut Solution) {
        for (i, block) in problem.velocities.iter().enumerate() {
            self.write(i, block.rhs.as_slice());
        }
        for (i, block) in problem.wide.iter().enumerate() {
            self.write(problem.velocities.len() + i, &block.rhs);
        }
        let n = self.velocity_ids.len();
        for (f, block) in problem.forces.iter().enumerate() {
            self.write(n + f, &block.bias.as_slice()[..block.rows]);
        }
        self.lu.solve(&mut self.x);
        solution.velocities.iter_mut().for_each(|v| v.fill(0.0));
        solution.wide.iter_mut().for_each(|v| v.fill(0.0));
        solution.forces.iter_mut().for_each(|v| v.fill(0.0));
        self.accumulate(problem, solution);
    }

    /// Factors, solves and refines; the result and the first residual go to `solution`.
    pub fn solve(&mut self, problem: &Problem, solution: &mut Solution) {
        self.solve_roughly(problem, solution);
        self.refine(problem, solution);
    }

    fn refine(&mut self, problem: &Problem, solution: &mut Solution) {
        solution.residual = self.residual(problem, solution);
        let mut residual = solution.residual;
        for _ in 0..REFINEMENTS {
            if !(residual > REFINE_ABOVE) {
                break;
            }
            self.lu.solve(&mut self.x);
            self.accumulate(problem, solution);
            let now = self.residual(problem, solution);
            if !(now < 0.5 * residual) {
                break;
            }
            residual = now;
        }
    }

    fn stamp(&mut self, problem: &Problem) {
        self.lu.clear();
        for (block, &id) in problem.velocities.iter().zip(&self.velocity_ids) {
            self.lu.set(id, (6, 6), |i, j| block.matrix[(i, j)]);
        }
        let wide_ids = &self.velocity_ids[problem.velocities.len()..];
        for (block, &id) in problem.wide.iter().zip(wide_ids) {
            let n = block.rhs.len();
            self.lu.set(id, (n, n), |i, j| block.matrix[i * n + j]);
        }
        for (block, ids) in problem.forces.iter().zip(&self.force_ids) {
            let rows = block.rows;
            let diagonal = |i, j| if i == j { block.compliance[i] } else { 0.0 };
            self.lu.set(ids.diagonal, (rows, rows), diagonal);
            for (side, &(up, down)) in block.sides.iter().zip(&ids.sides) {
                if side.wide.is_empty() {
                    let jac = &side.jacobian;
                    self.lu.set(up, (6, rows), |i, j| -jac[(j, i)]);
                    self.lu.set(down, (rows, 6), |i, j| jac[(i, j)]);
                } else {
                    let (jac, n) = (&side.wide, side.wide.len() / rows);
                    self.lu.set(up, (n, rows), |i, j| -jac[j * n + i]);
                    self.lu.set(down, (rows, n), |i, j| jac[i * n + j]);
                }
            }
        }
    }

    fn write(&mut self, node: usize, values: &[f64]) {
        let start = self.lu.start(node);
        self.x[start..start + values.len()].copy_from_slice(values);
    }

    fn accumulate(&self, problem: &Problem, solution: &mut Solution) {
        for (i, u) in solution.velocities.iter_mut().enumerate() {
            let start = self.lu.start(i);
            (0..6).for_each(|r| u[r] += self.x[start + r]);
        }
        for (i, u) in solution.wide.iter_mut().enumerate() {
            let start = self.lu.start(problem.velocities.len() + i);
            u.iter_mut().zip(&self.x[start..]).for_each(|(u, x)| *u += x);
        }
        let n = self.velocity_ids.len();
        for (f, lambda) in solution.forces.iter_mut().enumerate() {
            let start = self.lu.start(n + f);
            (0..problem.forces[f].rows).for_each(|r| lambda[r] += self.x[start + r]);
        }
    }

    /// Leaves the residual in `x`; returns its largest entry relative to the terms it came from.
    fn residual(&mut self, problem: &Problem, solution: &Solution) -> f64 {
        let n = self.velocity_ids.len();
        let mut worst: f64 = 0.0;
        for (f, block) in problem.forces.iter().enumerate() {
            let (rate, lambda) = (problem.rate(f, solution), &solution.forces[f]);
            let start = self.lu.start(n + f);
            for r in 0..block.rows {
                let soft = block.compliance[r] * lambda[r];
                let value = block.bias[r] - rate[r] - soft;
                let size = block.bias[r].abs() + rate[r].abs() + soft.abs();
                self.x[start + r] = value;
                worst = worst.max(ratio(value, size));
            }
        }
        for (i, block) in problem.velocities.iter().enumerate() {
            let momentum = block.matrix * solution.velocities[i];
            let start = self.lu.start(i);
            for r in 0..6 {
                self.x[start + r] = block.rhs[r] - momentum[r];
            }
        }
        self.wide_momentum(problem, solution);
        self.add_pushes(problem, solution);
        for (i, block) in problem.velocities.iter().enumerate() {
            let size = block.rhs.amax()
                + (block.matrix.diagonal().component_mul(&solution.velocities[i])).amax();
            let start = self.lu.start(i);
            let value = self.x[start..start + 6].iter().fold(0.0f64, |a, v| a.max(v.abs()));
            worst = worst.max(ratio(value, size));
        }
        for (i, block) in problem.wide.iter().enumerate() {
            let (n, u) = (block.rhs.len(), &solution.wide[i]);
            let largest =
                |values: &mut dyn Iterator<Item = f64>| values.fold(0.0f64, |a, v| a.max(v.abs()));
            let diagonal = &mut (0..n).map(|r| block.matrix[r * n + r] * u[r]);
            let size = largest(&mut block.rhs.iter().copied()) + largest(diagonal);
            let start = self.lu.start(problem.velocities.len() + i);
            let value = largest(&mut self.x[start..start + n].iter().copied());
            worst = worst.max(ratio(value, size));
        }
        worst
    }

    /// `rhs − matrix · û` of the wide blocks.
    fn wide_momentum(&mut self, problem: &Problem, solution: &Solution) {
        for (i, (block, u)) in problem.wide.iter().zip(&solution.wide).enumerate() {
            let start = self.lu.start(problem.velocities.len() + i);
            for (r, row) in block.matrix.chunks_exact(u.len()).enumerate() {
                let momentum: f64 = row.iter().zip(u).map(|(a, u)| a * u).sum();
                self.x[start + r] = block.rhs[r] - momentum;
            }
        }
    }

    /// Adds `Jᵀ λ` to the momentum rows of the residual.
    fn add_pushes(&mut self, problem: &Problem, solution: &Solution) {
        for (block, lambda) in problem.forces.iter().zip(&solution.forces) {
            for side in &block.sides {
                let start = self.lu.start(side.block);
                if side.wide.is_empty() {
                    let push: Vec6 = block.push(side, lambda);
                    (0..6).for_each(|r| self.x[start + r] += push[r]);
                } else {
                    let n = side.wide.len() / block.rows;
                    block.push_wide(side, lambda, 1.0, &mut self.x[start..start + n]);
                }
            }
        }
    }
}

/// The blocks one of which must be eliminated before a force: those that move much more easily
/// than the others, or any.
fn wait_for(sides: &[Side], mobility: &[f64]) -> Vec<usize> {
    let most = mobility.iter().copied().fold(0.0, f64::max);
    let mobile = |m: f64| most <= MUCH_MORE * m;
    let sides = sides.iter().zip(mobility);
    sides.filter(|(_, m)| mobile(**m)).map(|(s, _)| s.block).collect()
}

fn ratio(value: f64, size: f64) -> f64 {
    if size > 0.0 { value.abs() / size } else { 0.0 }
}
