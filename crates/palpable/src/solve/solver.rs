//! Direct solution of a [`Problem`] by block-sparse LU, with one refinement where it pays.

use super::condensed::Condensed;
use super::mixed::Mixed;
use super::{ForceBlock, Problem, Solution};
use crate::math::{Vec6, add_scaled, dot6, largest};

/// Relative residuals above this are refined.
const REFINE_ABOVE: f64 = 1e-14;
/// Refinements at most. One is enough unless redundant stiff rows meet at a light body.
const REFINEMENTS: usize = 8;
/// The part of the power of a force by which its answer may be wrong: energies are weighed to 4e-14
/// of it, and a stop may take all that a motor gives.
const DISAGREE: f64 = 1e-14;

/// Pattern, factors and work space for problems of one shape.
#[derive(Debug, Clone)]
pub struct Solver {
    mixed: Mixed,
    /// the velocities alone, where no force is hard
    condensed: Option<Condensed>,
    /// first unknown of each velocity, then of each force
    starts: Vec<usize>,
    x: Vec<f64>,
    /// sizes of the velocities, for the residual
    scale: Vec<f64>,
    /// what a unit of force causes
    answer: Solution,
    /// three right-hand sides, three numbers per unknown
    three: Vec<f64>,
    /// what was factored is soft, and so the velocities alone were
    soft: bool,
    /// answers of small systems with wide blocks
    inverse: Option<Inverse>,
}

impl Solver {
    /// Analyses the pattern of `problem`; later problems must have the same blocks. `mobility` says
    /// how easily each force moves the velocity block on each of its sides, `hard` whether it has
    /// rows that do not yield.
    pub fn new(problem: &Problem, mobility: &[Vec<f64>], hard: &[bool]) -> Self {
        let (mixed, condensed) =
            (Mixed::new(problem, mobility, hard), Condensed::new(problem, hard));
        let (starts, x) = (mixed.starts().to_vec(), vec![0.0; mixed.len()]);
        let answer = Solution::blank(problem);
        let three = vec![0.0; 3 * x.len()];
        let inverse = Inverse::new(problem, x.len());
        let (scale, soft) = (x.clone(), false);
        Self { mixed, condensed, starts, scale, x, answer, three, soft, inverse }
    }

    /// Factors and solves without looking at the residual.
    pub fn solve_roughly(&mut self, problem: &Problem, solution: &mut Solution) {
        self.soft = self.condensed.is_some() && self.is_soft(problem);
        match &mut self.condensed {
            Some(condensed) if self.soft => condensed.factor(problem),
            _ => self.mixed.factor(problem),
        }
        self.inverse.iter_mut().for_each(Inverse::forget);
        self.solve_unrefined(problem, solution);
    }

    /// The velocities that `forces` cause, each on one velocity block, by the factors at hand: six
    /// per body, then those of wide blocks, into `out`.
    ///
    /// Along a stiff row nearly all of a force is taken by that row, and what is left to move the
    /// bodies is a difference of large numbers: there, the answer is refined.
    pub fn respond(&mut self, problem: &Problem, forces: &[(usize, &[f64])], out: &mut [f64]) {
        if let Some(mut inverse) = self.inverse.take() {
            inverse.asked += 1;
            if !inverse.found && FEW * inverse.asked > inverse.dim {
                self.invert(problem, &mut inverse);
            }
            let clear = inverse.found && inverse.combine(forces, out);
            self.inverse = Some(inverse);
            if clear {
                return;
            }
        }
        self.x.fill(0.0);
        self.push(forces);
        if let (true, Some(condensed)) = (self.soft, &self.condensed) {
            let x = &mut self.x[..6 * problem.velocities.len()];
            condensed.solve_velocities(x, 1);
            out.iter_mut().zip(x).for_each(|(o, x)| *o = *x);
            return;
        }
        self.mixed.solve(&mut self.x);
        self.answer(problem, forces, out);
    }

    /// The same for the three rows of a contact; `out` holds one answer after the other.
    pub fn respond_three(
        &mut self,
        problem: &Problem,
        forces: [&[(usize, &[f64])]; 3],
        out: &mut [f64],
    ) {
        self.three.fill(0.0);
        for (r, forces) in forces.iter().enumerate() {
            for &(place, row) in *forces {
                let three = self.three[3 * self.starts[place]..].as_chunks_mut::<3>().0;
                three.iter_mut().zip(row).for_each(|(x, f)| x[r] += f);
            }
        }
        let each = out.len() / 3;
        if let (true, Some(condensed)) = (self.soft, &self.condensed) {
            let three = &mut self.three[..18 * problem.velocities.len()];
            condensed.solve_velocities(three, 3);
            for (r, out) in out.chunks_exact_mut(each).enumerate() {
                out.iter_mut().zip(three.as_chunks::<3>().0).for_each(|(o, x)| *o = x[r]);
            }
            return;
        }
        self.mixed.solve_three(&mut self.three);
        for ((r, forces), out) in forces.iter().enumerate().zip(out.chunks_exact_mut(each)) {
            let three = self.three.as_chunks::<3>().0;
            self.x.iter_mut().zip(three).for_each(|(x, three)| *x = three[r]);
            self.answer(problem, forces, out);
        }
    }

    /// Finds what a unit of force along each velocity causes.
    fn invert(&mut self, problem: &Problem, inverse: &mut Inverse) {
        let Inverse { dim, many, columns, reach, firsts, found, .. } = inverse;
        let ends = firsts.iter().skip(1).chain([&*dim]);
        many.fill(0.0);
        for ((&first, &end), start) in firsts.iter().zip(ends.clone()).zip(&self.starts) {
            (first..end).for_each(|i| many[(start + i - first) * *dim + i] = 1.0);
        }
        self.mixed.solve_many(many, *dim);
        for (place, (&first, &end)) in firsts.iter().zip(ends).enumerate() {
            for i in first..end {
                let mut unit = [0.0; INVERTED];
                unit[i - first] = 1.0;
                let each = many.chunks_exact(*dim);
                self.x.iter_mut().zip(each).for_each(|(x, many)| *x = many[i]);
                let out = &mut columns[i * *dim..(i + 1) * *dim];
                self.answer(problem, &[(place, &unit[..end - first])], out);
                reach[i] = out[i].max(0.0).sqrt();
            }
        }
        *found = true;
    }

    /// Hands over the answer that lies in `x`, refined where it has to be.
    fn answer(&mut self, problem: &Problem, forces: &[(usize, &[f64])], out: &mut [f64]) {
        let felt = |&(place, row): &(usize, &[f64])| {
            self.x[self.starts[place]..].iter().zip(row).map(|(x, r)| x * r).sum::<f64>()
        };
        let power = forces.iter().map(felt).sum();
        let mut answer = std::mem::take(&mut self.answer);
        self.read(problem, &mut answer, |old, found| *old = found);
        if disagrees(problem, &answer, power) {
            self.miss(problem, &answer);
            self.push(forces);
            self.mixed.solve(&mut self.x);
            self.read(problem, &mut answer, |old, found| *old += found);
        }
        let (six, wide) = out.split_at_mut(6 * answer.velocities.len());
        six.chunks_exact_mut(6)
            .zip(&answer.velocities)
            .for_each(|(o, u)| o.copy_from_slice(u.as_slice()));
        wide.iter_mut().zip(answer.wide.iter().flatten()).for_each(|(o, u)| *o = *u);
        self.answer = answer;
    }

    /// Solves for what is in `x` with the factors at hand.
    fn back(&mut self, problem: &Problem) {
        match &self.condensed {
            Some(condensed) if self.soft => condensed.solve(problem, &self.starts, &mut self.x),
            _ => self.mixed.solve(&mut self.x),
        }
    }

    /// Every row yields at least as much as the bodies that it moves: `J D⁻¹ Jᵀ ≤ 1/d`.
    ///
    /// The power of a force is `u·Du + Σ λ²/d`, so with soft rows alone each `λ²/d`, and each term
    /// of `λ J u`, is a part of it: what an answer is off by is a few units in the last place of
    /// that power, and nothing has to be refined.
    fn is_soft(&mut self, problem: &Problem) -> bool {
        for (i, block) in problem.velocities.iter().enumerate() {
            let start = self.starts[i];
            let inverse = block.diagonal.map(|d| 1.0 / d);
            self.scale[start..start + 6].copy_from_slice(inverse.as_slice());
        }
        problem.wide.is_empty() && problem.forces.iter().all(|f| self.yields_well(f))
    }

    /// The same for one force; the inverses of the diagonals are in `scale`.
    fn yields_well(&self, block: &ForceBlock) -> bool {
        let mut moved = [0.0; 6];
        for side in &block.sides {
            let Some(inverse) = self.scale[self.starts[side.block]..].first_chunk() else {
                continue;
            };
            for (row, moved) in side.jacobian[..block.rows].iter().zip(&mut moved) {
                *moved += dot6(&row.map(|j| j * j), inverse);
            }
        }
        moved.iter().zip(&block.compliance).take(block.rows).all(|(moved, c)| moved <= c)
    }

    /// Adds forces to the momentum rows.
    fn push(&mut self, forces: &[(usize, &[f64])]) {
        for &(place, row) in forces {
            let start = self.starts[place];
            self.x[start..].iter_mut().zip(row).for_each(|(x, r)| *x += r);
        }
    }

    /// Leaves in `x` what an answer lacks, but for the forces that it answers.
    fn miss(&mut self, problem: &Problem, answer: &Solution) {
        for (i, block) in problem.velocities.iter().enumerate() {
            *self.six(i) = (-block.apply(&answer.velocities[i])).into();
        }
        for (i, (block, u)) in problem.wide.iter().zip(&answer.wide).enumerate() {
            let start = self.starts[problem.velocities.len() + i];
            for (x, row) in self.x[start..].iter_mut().zip(block.matrix.chunks_exact(u.len())) {
                *x = -row.iter().zip(u).map(|(a, u)| a * u).sum::<f64>();
            }
        }
        let n = problem.velocities.len() + problem.wide.len();
        for (f, block) in problem.forces.iter().enumerate() {
            let (rate, lambda) = (problem.rate(f, answer), &answer.forces[f]);
            let start = self.starts[n + f];
            for r in 0..block.rows {
                self.x[start + r] = -rate[r] - block.compliance[r] * lambda[r];
            }
            self.add_pushes(block, lambda);
        }
    }

    /// Solves with the factors at hand and refines, once more where rows that yield do not take the
    /// power that their forces say: contact may press a thousand times harder than anything moves,
    /// and its work is judged by what is left.
    pub fn solve_factored(&mut self, problem: &Problem, solution: &mut Solution) {
        self.solve_unrefined(problem, solution);
        self.refine(problem, solution);
        // the residual lies in `x`
        if solution.residual <= REFINE_ABOVE && self.is_blurred(problem, solution) {
            self.back(problem);
            self.read(problem, solution, |old, found| *old += found);
        }
    }

    /// Solves with the factors at hand.
    pub fn solve_unrefined(&mut self, problem: &Problem, solution: &mut Solution) {
        for (i, block) in problem.velocities.iter().enumerate() {
            *self.six(i) = block.rhs.into();
        }
        for (i, block) in problem.wide.iter().enumerate() {
            self.write(problem.velocities.len() + i, &block.rhs);
        }
        let n = problem.velocities.len() + problem.wide.len();
        for (f, block) in problem.forces.iter().enumerate() {
            let start = self.starts[n + f];
            let rows = self.x[start..start + block.rows].iter_mut().zip(&block.bias.data.0[0]);
            rows.for_each(|(x, b)| *x = *b);
        }
        self.back(problem);
        self.read(problem, solution, |old, found| *old = found);
    }

    /// Factors, solves and refines; the result and the first residual go to `solution`.
    pub fn solve(&mut self, problem: &Problem, solution: &mut Solution) {
        self.solve_roughly(problem, solution);
        self.refine(problem, solution);
    }

    /// The residual in `x` costs more power than energies are rounded to.
    fn is_blurred(&self, problem: &Problem, solution: &Solution) -> bool {
        let n = problem.velocities.len() + problem.wide.len();
        let soft = problem.forces.iter().enumerate().filter(|(_, block)| yields(block));
        let wrong = soft.map(|(f, block)| {
            let rows = self.x[self.starts[n + f]..].iter().zip(&solution.forces[f]);
            rows.take(block.rows).map(|(x, l)| (x * l).abs()).sum::<f64>()
        });
        let six = problem.velocities.iter().zip(&solution.velocities);
        let six = six.map(|(block, u)| block.rhs.dot(u).abs()).sum::<f64>();
        let wide = problem.wide.iter().zip(&solution.wide);
        let wide = wide.map(|(block, u)| block.rhs.iter().zip(u).map(|(b, u)| b * u).sum::<f64>());
        wrong.sum::<f64>() > REFINE_ABOVE * (six + wide.map(f64::abs).sum::<f64>())
    }

    fn refine(&mut self, problem: &Problem, solution: &mut Solution) {
        solution.residual = self.residual(problem, solution);
        solution.left = solution.residual;
        for _ in 0..REFINEMENTS {
            if !(solution.left > REFINE_ABOVE) {
                break;
            }
            self.back(problem);
            self.read(problem, solution, |old, found| *old += found);
            let before = solution.left;
            solution.left = self.residual(problem, solution);
            if !(solution.left < 0.5 * before) {
                break;
            }
        }
    }

    fn write(&mut self, node: usize, values: &[f64]) {
        let start = self.starts[node];
        self.x[start..start + values.len()].copy_from_slice(values);
    }

    /// The unknowns of velocity block `i`, one of six.
    #[inline]
    fn six(&mut self, i: usize) -> &mut [f64; 6] {
        let start = self.starts[i];
        self.x[start..].first_chunk_mut().expect("a block of six has six unknowns")
    }

    /// Hands what is in `x` to the solution.
    #[inline(always)]
    fn read(&self, problem: &Problem, solution: &mut Solution, take: impl Fn(&mut f64, f64)) {
        for (i, u) in solution.velocities.iter_mut().enumerate() {
            let found = self.x[self.starts[i]..].first_chunk::<6>();
            u.iter_mut().zip(found.into_iter().flatten()).for_each(|(u, x)| take(u, *x));
        }
        for (i, u) in solution.wide.iter_mut().enumerate() {
            let found = &self.x[self.starts[problem.velocities.len() + i]..];
            u.iter_mut().zip(found).for_each(|(u, x)| take(u, *x));
        }
        let n = problem.velocities.len() + problem.wide.len();
        for (f, lambda) in solution.forces.iter_mut().enumerate() {
            let start = self.starts[n + f];
            let found = &self.x[start..start + problem.forces[f].rows];
            lambda.data.0[0].iter_mut().zip(found).for_each(|(l, x)| take(l, *x));
        }
    }

    /// Leaves the residual in `x`; returns its largest entry relative to the terms it came from.
    ///
    /// A rate is known to the rounding of the velocities that forces could cause in the step, each
    /// alone: where they balance, the rate itself is nothing but rounding.
    fn residual(&mut self, problem: &Problem, solution: &Solution) -> f64 {
        let mut worst: f64 = 0.0;
        for (i, block) in problem.velocities.iter().enumerate() {
            *self.six(i) = (block.rhs - block.apply(&solution.velocities[i])).into();
            let start = self.starts[i];
            let caused = block.rhs.component_div(&block.diagonal).abs();
            let size = solution.velocities[i].abs() + caused;
            self.scale[start..start + 6].copy_from_slice(size.as_slice());
        }
        self.wide_momentum(problem, solution);
        let n = problem.velocities.len() + problem.wide.len();
        for (f, block) in problem.forces.iter().enumerate() {
            let (rate, lambda) = (problem.rate(f, solution), &solution.forces[f]);
            let terms = self.rate_scale(block);
            let start = self.starts[n + f];
            for r in 0..block.rows {
                let soft = block.compliance[r] * lambda[r];
                let value = block.bias[r] - rate[r] - soft;
                let size = block.bias[r].abs() + terms[r] + soft.abs();
                self.x[start + r] = value;
                worst = worse(worst, value, size);
            }
            self.add_pushes(block, lambda);
        }
        for (i, block) in problem.velocities.iter().enumerate() {
            let terms = block.diagonal.component_mul(&solution.velocities[i]);
            let size = largest(&block.rhs.into()) + largest(&terms.into());
            worst = worse(worst, largest(self.six(i)), size);
        }
        for (i, block) in problem.wide.iter().enumerate() {
            let (n, u) = (block.rhs.len(), &solution.wide[i]);
            let largest =
                |values: &mut dyn Iterator<Item = f64>| values.fold(0.0f64, |a, v| a.max(v.abs()));
            let diagonal = &mut (0..n).map(|r| block.matrix[r * n + r] * u[r]);
            let size = largest(&mut block.rhs.iter().copied()) + largest(diagonal);
            let start = self.starts[problem.velocities.len() + i];
            let value = largest(&mut self.x[start..start + n].iter().copied());
            worst = worse(worst, value, size);
        }
        worst
    }

    /// `rhs − matrix · û` of the wide blocks.
    fn wide_momentum(&mut self, problem: &Problem, solution: &Solution) {
        for (i, (block, u)) in problem.wide.iter().zip(&solution.wide).enumerate() {
            let start = self.starts[problem.velocities.len() + i];
            for (r, row) in block.matrix.chunks_exact(u.len()).enumerate() {
                let momentum: f64 = row.iter().zip(u).map(|(a, u)| a * u).sum();
                self.x[start + r] = block.rhs[r] - momentum;
                let caused = block.rhs[r] / block.matrix[r * u.len() + r];
                self.scale[start + r] = u[r].abs() + caused.abs();
            }
        }
    }

    /// `|J|` times the sizes of the velocities.
    fn rate_scale(&self, block: &ForceBlock) -> Vec6 {
        let mut out = Vec6::zeros();
        for side in &block.sides {
            let scale = &self.scale[self.starts[side.block]..];
            if side.wide.is_empty() {
                let Some(scale) = scale.first_chunk() else { continue };
                for (row, out) in side.jacobian[..block.rows].iter().zip(out.iter_mut()) {
                    *out += dot6(&row.map(f64::abs), scale);
                }
            } else {
                let n = side.wide.len() / block.rows;
                for (row, out) in side.wide.chunks_exact(n).zip(out.iter_mut()) {
                    *out += row.iter().zip(scale).map(|(j, s)| j.abs() * s).sum::<f64>();
                }
            }
        }
        out
    }

    /// Adds `Jᵀ λ` of one force to the momentum rows of the residual.
    fn add_pushes(&mut self, block: &ForceBlock, lambda: &Vec6) {
        for side in &block.sides {
            if side.wide.is_empty() {
                let out = self.six(side.block);
                let rows = side.jacobian[..block.rows].iter().zip(lambda);
                rows.for_each(|(row, l)| add_scaled(out, row, *l));
            } else {
                let (start, n) = (self.starts[side.block], side.wide.len() / block.rows);
                block.push_wide(side, lambda, 1.0, &mut self.x[start..start + n]);
            }
        }
    }
}

/// Velocities of a system whose answers are kept.
const INVERTED: usize = 32;
/// Where fewer than one answer in so many velocities is asked for, each is found by itself.
const FEW: usize = 4;
/// A force whose power is at least this part of what its entries would have each alone, in step, is
/// answered by a sum: it loses two digits at most, as an answer that is found by itself may.
const CLEAR: f64 = 0.02;

/// What a unit of force along each velocity of a small system causes.
///
/// A hand of fifteen freedoms that touches at a dozen points has more rows than freedoms: their
/// answers are sums of these.
#[derive(Debug, Clone)]
struct Inverse {
    /// Velocities.
    dim: usize,
    /// Right-hand sides, `dim` numbers per unknown.
    many: Vec<f64>,
    /// The answers, one after the other.
    columns: Vec<f64>,
    /// Square roots of what each force causes along itself.
    reach: Vec<f64>,
    /// First velocity of each block.
    firsts: Vec<usize>,
    /// Answers that were asked for since the factors were found.
    asked: usize,
    found: bool,
}

impl Inverse {
    /// The factors have changed.
    fn forget(&mut self) {
        (self.asked, self.found) = (0, false);
    }

    /// Room for the answers of a small system with wide blocks; `None` for others.
    fn new(problem: &Problem, unknowns: usize) -> Option<Self> {
        let sizes = problem.velocities.iter().map(|_| 6);
        let sizes = sizes.chain(problem.wide.iter().map(|w| w.rhs.len()));
        let firsts = sizes.clone().scan(0, |sum, n| Some(std::mem::replace(sum, *sum + n)));
        let (firsts, dim) = (firsts.collect(), sizes.sum());
        let wanted = !problem.wide.is_empty() && dim <= INVERTED;
        let numbers = |n: usize| vec![0.0; n];
        wanted.then(|| Self {
            dim,
            many: numbers(unknowns * dim),
            columns: numbers(dim * dim),
            reach: numbers(dim),
            firsts,
            asked: 0,
            found: false,
        })
    }

    /// Sums the answers to forces, each on one block; false where they all but cancel.
    fn combine(&self, forces: &[(usize, &[f64])], out: &mut [f64]) -> bool {
        let (mut power, mut most) = (0.0, 0.0);
        out.fill(0.0);
        let rows = forces.iter().flat_map(|(place, row)| row.iter().zip(self.firsts[*place]..));
        for (f, i) in rows.clone().filter(|(f, _)| **f != 0.0) {
            let column = &self.columns[i * self.dim..(i + 1) * self.dim];
            out.iter_mut().zip(column).for_each(|(o, c)| *o += f * c);
            most += f.abs() * self.reach[i];
        }
        rows.for_each(|(f, i)| power += f * out[i]);
        power >= CLEAR * most * most
    }
}

/// Some row of it is neither hard nor slack.
fn yields(block: &ForceBlock) -> bool {
    (0..block.rows)
        .any(|r| block.compliance[r] > 0.0 && (block.compliance[r], block.bias[r]) != (1.0, 0.0))
}

/// Power that rows which yield seem to take beyond what their forces say, relative to the `power`
/// of the force that is answered: too much.
fn disagrees(problem: &Problem, answer: &Solution, power: f64) -> bool {
    let soft = problem.forces.iter().enumerate().filter(|(_, block)| yields(block));
    let wrong = soft.map(|(f, block)| {
        let (rate, lambda) = (problem.rate(f, answer), &answer.forces[f]);
        let row = |r: usize| lambda[r] * (rate[r] + block.compliance[r] * lambda[r]);
        (0..block.rows).map(|r| row(r).abs()).sum::<f64>()
    });
    wrong.sum::<f64>() > DISAGREE * power.abs()
}

/// The larger of `worst` and `|value| / size`; infinite where either is no number.
#[inline]
fn worse(worst: f64, value: f64, size: f64) -> f64 {
    if value.abs() <= worst * size || size <= 0.0 {
        return worst;
    }
    let found = value.abs() / size;
    if found.is_nan() { f64::INFINITY } else { found }
}

#[cfg(test)]
impl Solver {
    /// The factors at hand are those of the velocities alone.
    pub(super) fn is_condensed(&self) -> bool {
        self.soft
    }
}
