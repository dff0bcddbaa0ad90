//! Block Gauss-Seidel over the points of a pile, each solved exactly.

use super::{Budget, Lanes, Pile, Point, PointProblem, Twist, add_gains};
use crate::math::vector_unit::{Kernel, run_wide};
use crate::solve::Purse;
use crate::solve::cone::local::{ACCURACY as FINEST, Cone, slide};

/// Accuracy of the radius of a cone while sweeps go on, at best and at worst; forces end on the
/// cone all the same.
const ACCURACY: [f64; 2] = [1e-5, 1e-2];
/// The part of what ends the search that an error of the radius may come to.
const PART: f64 = 0.1;
/// Piles of so few points are solved as well as numbers can say.
pub(super) const FEW: usize = 4;

impl PointProblem {
    /// Lets the forces at hand act on the velocities.
    pub(super) fn warm(&mut self, pile: &Pile) {
        self.velocities[pile.movers.clone()].copy_from_slice(&self.bases[pile.movers.clone()]);
        let Self { points, velocities, .. } = self;
        run_wide(Warm { points: &points[pile.points.clone()], velocities });
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
            moved = self.sweep(pile, budget.tolerance);
            if moved <= budget.tolerance {
                return (done, moved);
            }
        }
        (most, moved)
    }

    /// Visits every point once, always in the same order.
    fn sweep(&mut self, pile: &Pile, tolerance: f64) -> f64 {
        let many = pile.points.len() > FEW;
        let (felt, accuracy) =
            if many { (PART * tolerance, ACCURACY) } else { (0.0, [FINEST, FINEST]) };
        let Self { points, velocities, .. } = self;
        let mut moved = 0.0;
        let points = &mut points[pile.points.clone()];
        run_wide(Sweep { points, velocities, felt, accuracy, moved: &mut moved });
        moved
    }
}

/// Lets all forces act.
struct Warm<'a> {
    points: &'a [Point],
    velocities: &'a mut [Twist],
}

impl Kernel for Warm<'_> {
    #[inline(always)]
    fn run(self) {
        for p in self.points {
            if p.lambda != [0.0; 4] {
                act(p, &p.lambda, self.velocities);
            }
        }
    }
}

/// Lets a change of force act on both movers of a point.
#[inline(always)]
fn act(p: &Point, step: &Lanes, velocities: &mut [Twist]) {
    for (m, gains) in p.movers.iter().zip(&p.gains) {
        add_gains(&mut velocities[*m as usize], gains, step);
    }
}

/// One sweep; `moved` becomes the largest change of a velocity [m/s].
struct Sweep<'a> {
    points: &'a mut [Point],
    velocities: &'a mut [Twist],
    /// an error of velocity that is none [m/s]
    felt: f64,
    accuracy: [f64; 2],
    moved: &'a mut f64,
}

impl Kernel for Sweep<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { points, velocities, felt, accuracy, .. } = self;
        let mut moved = 0.0;
        for p in points {
            if p.dead {
                continue;
            }
            let [a, b] = p.movers.map(|m| &velocities[m as usize]);
            let mut u = p.lanes(a, b);
            (0..4).for_each(|k| u[k] += p.shift[k]);
            if u[0] >= 0.0 && p.lambda[0] == 0.0 {
                continue;
            }
            let solved = solve(p, &u, felt, accuracy);
            let step: Lanes = std::array::from_fn(|k| solved[k] - p.lambda[k]);
            p.lambda = solved;
            let change: Lanes = std::array::from_fn(|k| p.diagonal[k] * step[k].abs());
            // written so that NaN counts as the worst
            let worse = |a: f64, b: f64| if a <= b { b } else { a };
            let change = worse(worse(change[0], change[1]), worse(change[2], change[3]));
            if change == 0.0 {
                continue;
            }
            moved = worse(change, moved);
            act(p, &step, velocities);
        }
        *self.moved = moved;
    }
}

/// The force that solves a point alone where its rows move at `u`: it sticks, or slides.
#[inline(always)]
fn solve(p: &Point, u: &Lanes, felt: f64, [best, worst]: [f64; 2]) -> Lanes {
    let i = &p.inverse;
    let stick: Lanes =
        std::array::from_fn(|k| p.lambda[k] - ((i[0][k] * u[0] + i[1][k] * u[1]) + i[2][k] * u[2]));
    let (radius, size) = (p.mu * stick[0], stick[1] * stick[1] + stick[2] * stick[2]);
    if stick[0] >= 0.0 && size <= radius * radius {
        return stick;
    }
    // no finer than a velocity that the search can tell; NaN is the finest
    let accuracy = (felt / (p.diagonal[1] * p.mu * p.lambda[0])).max(best).min(worst);
    let cone = Cone { mu: p.mu, accuracy };
    let (lambda, u) = ([p.lambda[0], p.lambda[1], p.lambda[2]], [u[0], u[1], u[2]]);
    let [n, t1, t2] = slide(&p.d, cone, &lambda, &u);
    [n, t1, t2, 0.0]
}
