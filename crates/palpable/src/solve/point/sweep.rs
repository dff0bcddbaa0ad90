//! Block Gauss-Seidel over the points of a pile, each solved exactly.

use super::{Answer, Budget, NONE, Pile, Point, PointProblem, dot3, times, times6};
use crate::solve::Purse;
use crate::solve::cone::local::{ACCURACY as FINEST, Cone, Local, solve};

/// Accuracy of the radius of a cone while sweeps go on; forces end on the cone all the same.
const ACCURACY: f64 = 1e-5;
/// Piles of so few points are solved as well as numbers can say.
const FEW: usize = 16;

impl PointProblem {
    /// Lets the forces at hand act on the velocities.
    pub(super) fn warm(&mut self, pile: &Pile) {
        self.velocities[pile.movers.clone()].copy_from_slice(&self.bases[pile.movers.clone()]);
        let Self { points, velocities, answers, full, .. } = self;
        for p in &points[pile.points.clone()] {
            if p.lambda != [0.0; 3] {
                push(p, &p.lambda, velocities, (answers, full));
            }
        }
    }

    /// Sweeps until nothing moves, the budget is spent or the purse empty; returns how many, and
    /// the largest change of a velocity in the last one [m/s].
    pub(super) fn relax(
        &mut self,
        pile: &Pile,
        budget: &Budget,
        purse: &mut Purse,
    ) -> (usize, f64) {
        let count = pile.points.len().max(1);
        let most = budget.sweeps.max(budget.visits / count);
        let mut moved = 0.0;
        for done in 1..=most {
            if !purse.take(count as u64) {
                return (done - 1, moved);
            }
            moved = self.sweep(pile);
            if moved <= budget.tolerance {
                return (done, moved);
            }
        }
        (most, moved)
    }

    /// Visits every point once, always in the same order.
    fn sweep(&mut self, pile: &Pile) -> f64 {
        let Self { points, velocities, answers, full, .. } = self;
        let mut moved = 0.0;
        let accuracy = if pile.points.len() > FEW { ACCURACY } else { FINEST };
        for p in &mut points[pile.points.clone()] {
            if p.dead {
                continue;
            }
            let [a, b] = p.movers.map(|m| &velocities[m as usize]);
            let normal = p.normal_rate(a, b) + p.goal;
            if normal >= 0.0 && p.lambda[0] == 0.0 {
                continue;
            }
            let [t1, t2] = p.slide_rates(a, b);
            let u = [normal, t1 - p.carry[0], t2 - p.carry[1]];
            let cone = Cone { mu: p.mu, slack: 0.0, accuracy };
            let solved = solve(Local { d: &p.d, inverse: &p.inverse }, cone, &p.lambda, &u);
            let step: [f64; 3] = std::array::from_fn(|k| solved[k] - p.lambda[k]);
            if step == [0.0; 3] {
                continue;
            }
            p.lambda = solved;
            let change =
                (p.d[0] * step[0].abs()).max(p.d[4] * step[1].abs()).max(p.d[8] * step[2].abs());
            // written so that NaN counts as the worst
            moved = if change <= moved { moved } else { change };
            push(p, &step, velocities, (answers, full));
        }
        moved
    }
}

/// Lets a change of force act on both movers of a point.
#[inline(always)]
fn push(
    p: &Point,
    step: &[f64; 3],
    velocities: &mut [[f64; 6]],
    (answers, full): (&[Answer], &[[[f64; 6]; 6]]),
) {
    let f: [f64; 3] = std::array::from_fn(|j| {
        step[0] * p.axes[0][j] + step[1] * p.axes[1][j] + step[2] * p.axes[2][j]
    });
    for (side, sign) in [(0, -1.0), (1, 1.0)] {
        let m = p.movers[side] as usize;
        let (answer, u) = (&answers[m], &mut velocities[m]);
        let turns = &p.turns[side];
        let t: [f64; 3] = std::array::from_fn(|j| {
            step[0] * turns[0][j] + step[1] * turns[1][j] + step[2] * turns[2][j]
        });
        if answer.full != NONE {
            let [x, y, z] = f.map(|f| sign * f);
            let change = times6(&full[answer.full as usize], &[x, y, z, t[0], t[1], t[2]]);
            (0..6).for_each(|k| u[k] += change[k]);
            continue;
        }
        let (place, turned) = (sign * answer.place, times(&answer.turn, &t));
        for j in 0..3 {
            u[j] += place * f[j];
            u[3 + j] += turned[j];
        }
    }
}

impl Point {
    /// `J A⁻¹ Jᵀ` of the normal row for the present answers.
    #[inline(always)]
    pub(super) fn mobility(&self, answers: &[Answer]) -> f64 {
        let mut sum = 0.0;
        for side in 0..2 {
            let answer = &answers[self.movers[side] as usize];
            let turn = &self.turns[side][0];
            sum += answer.place + dot3(turn, &times(&answer.turn, turn));
        }
        sum
    }
}

/// Lets a normal push act on both movers of a point.
#[inline(always)]
pub(super) fn push_normal(p: &Point, step: f64, velocities: &mut [[f64; 6]], answers: &[Answer]) {
    for (side, sign) in [(0, -step), (1, step)] {
        let m = p.movers[side] as usize;
        let (answer, u) = (&answers[m], &mut velocities[m]);
        let turned = times(&answer.turn, &p.turns[side][0]);
        for j in 0..3 {
            u[j] += sign * answer.place * p.axes[0][j];
            u[3 + j] += step * turned[j];
        }
    }
}
