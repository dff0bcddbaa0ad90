//! A solve of one pile, and the rule that its forces never add energy, however they were found.

use super::sweep::FEW;
use super::{Budget, Lanes, Outcome, Pile, Point, PointProblem, Twist};
use crate::math::vector_unit::{Kernel, run_wide};
use crate::solve::cone::passive::Sums;
use crate::solve::{Power, Purse};

/// Forces beyond so many times what would stop a pile press against each other in a jam, where any
/// size of them is a solution: see `cone::driver`.
const LARGEST: f64 = 100.0;
/// Part of what counts as rest that a strike leaves to phase II.
const SLOW: f64 = 0.1;

impl PointProblem {
    /// Forces over a midpoint step: power `Σ λ·û ≤ 0`.
    pub fn hold(&mut self, pile: &Pile, budget: &Budget, purse: &mut Purse) -> Outcome {
        self.warm(pile);
        let (mut sweeps, mut residual) = self.relax(pile, budget, purse);
        if residual > budget.poor && budget.factor > 0.0 {
            (sweeps, residual) = self.hold_firmly(pile, (budget, purse), (sweeps, residual));
        }
        if self.is_jammed(pile) {
            self.points[pile.points.clone()].iter_mut().for_each(|p| p.lambda = [0.0; 4]);
            self.warm(pile);
            let more = self.relax(pile, budget, purse);
            (sweeps, residual) = (sweeps + more.0, more.1);
            self.restrain(pile);
        }
        let sums = self.sums(pile);
        let scale = sums.midpoint_scale();
        self.scale(pile, scale);
        let sum = scale * (scale * sums.a + sums.b);
        Outcome { sweeps, residual, scale, work: Power { sum, size: sums.size } }
    }

    /// Newton where sweeps were slow; sweeps then say whether that was better.
    fn hold_firmly(
        &mut self,
        pile: &Pile,
        (budget, purse): (&Budget, &mut Purse),
        (sweeps, residual): (usize, f64),
    ) -> (usize, f64) {
        let before = self.objective(pile);
        self.save(pile);
        let steps = self.refine(pile, budget, residual, purse);
        if steps == 0 {
            self.go_back(pile);
            return (sweeps, residual);
        }
        self.warm(pile);
        let (more, now) = self.relax(pile, &Budget { sweeps: 2, visits: 0, ..*budget }, purse);
        // written so that NaN goes back
        if !(self.objective(pile) < before) {
            self.go_back(pile);
            return (sweeps + more + steps, residual);
        }
        (sweeps + more + steps, now)
    }

    /// `½ λ·Wλ + λ·c` as the law sees it, which sweeps make smaller and smaller.
    fn objective(&self, pile: &Pile) -> f64 {
        let of = |p: usize| {
            let (free, now, point) = (self.free_rates(p), self.rates(p), &self.points[p]);
            let row = |k: usize| point.lambda[k] * (0.5 * (free[k] + now[k]) + point.shift[k]);
            row(0) + row(1) + row(2)
        };
        pile.points.clone().map(of).sum()
    }

    /// Impulses in no time: `ΔE = b + ½a ≤ 0`. Where points that close faster than `rest_speed`
    /// agree on a restitution the plastic impulse is multiplied by `1 + e`; where they
    /// differ the law holds at the mean velocity, as in [`crate::solve::cone::Rule::Impulse`].
    pub fn strike(
        &mut self,
        pile: &Pile,
        restitutions: &[f64],
        rest_speed: f64,
        budget: &Budget,
        purse: &mut Purse,
    ) -> Outcome {
        let (mut least, mut most, mut fastest) = (f64::INFINITY, f64::NEG_INFINITY, 0.0f64);
        for (point, &e) in pile.points.clone().zip(restitutions) {
            let approach = -self.free_rates(point)[0];
            if approach > 0.0 {
                (least, most) = (least.min(e), most.max(e));
                fastest = fastest.max(approach);
            }
        }
        let bounces = (most > 0.0 || least < 0.0) && fastest > rest_speed;
        let clamped = bounces && least < most;
        if clamped {
            for (point, &e) in pile.points.clone().zip(restitutions) {
                let approach = (-self.free_rates(point)[0]).max(0.0);
                self.aim(point, 0.5 * (1.0 - e) * approach, [0.0; 2]);
            }
        } else if pile.points.len() > FEW {
            // what closes no faster than this by what struck elsewhere is left to phase II
            for point in pile.points.clone() {
                if -self.free_rates(point)[0] < SLOW * rest_speed {
                    self.aim(point, SLOW * rest_speed, [0.0; 2]);
                }
            }
        }
        self.warm(pile);
        let (sweeps, residual) = self.relax(pile, budget, purse);
        if self.is_jammed(pile) {
            self.restrain(pile);
        }
        let sums = self.sums(pile);
        let (scale, factor) = match (clamped, bounces) {
            (true, _) => (sums.midpoint_scale(), 2.0),
            (false, true) => (sums.impulse_scale(1.0 + most), 1.0 + most),
            _ => (sums.impulse_scale(1.0), 1.0),
        };
        let s = scale * factor;
        self.scale(pile, s);
        let sum = s * (0.5 * s * sums.a + sums.b);
        Outcome { sweeps, residual, scale, work: Power { sum, size: sums.size } }
    }

    /// `a = λ·Wλ` and `b = λ·c`, with velocities made anew from the forces.
    fn sums(&mut self, pile: &Pile) -> Sums {
        self.warm(pile);
        let (mut sums, points) = (Sums::default(), &self.points[pile.points.clone()]);
        let at = [&self.bases[..], &self.velocities[..]];
        run_wide(Total { points, at, sums: &mut sums });
        sums
    }

    fn is_jammed(&self, pile: &Pile) -> bool {
        !(self.largest(pile) <= LARGEST * self.stopping(pile))
    }

    /// Scales forces down to what would stop the pile so many times.
    fn restrain(&mut self, pile: &Pile) {
        let (largest, most) = (self.largest(pile), LARGEST * self.stopping(pile));
        if !(largest <= most) {
            let part = if largest.is_finite() { most / largest } else { 0.0 };
            self.scale(pile, part);
        }
    }

    fn largest(&self, pile: &Pile) -> f64 {
        let forces = self.points[pile.points.clone()].iter().flat_map(|p| p.lambda);
        forces.fold(0.0, |m, f| if f.abs() <= m { m } else { f.abs() })
    }

    /// What would stop the movers of a pile one by one, and its points one by one.
    fn stopping(&self, pile: &Pile) -> f64 {
        let movers: f64 = self.answers[pile.movers.clone()].iter().map(|a| a.momentum).sum();
        if self.largest(pile) <= LARGEST * movers {
            return movers;
        }
        let alone = pile.points.clone().filter(|&p| !self.points[p].dead).map(|point| {
            let (p, u) = (&self.points[point], self.free_rates(point));
            let slide = u[1].abs().max(u[2].abs()) / p.d[4].max(p.d[8]);
            (u[0] + p.shift[0]).abs() / p.d[0] + if slide.is_finite() { slide } else { 0.0 }
        });
        movers + alone.sum::<f64>()
    }

    fn scale(&mut self, pile: &Pile, s: f64) {
        if s == 1.0 {
            return;
        }
        for p in &mut self.points[pile.points.clone()] {
            // a force that is not finite was scaled to nothing
            p.lambda = if s == 0.0 { [0.0; 4] } else { p.lambda.map(|l| s * l) };
        }
        self.warm(pile);
    }
}

/// Powers of all points, before and with their forces.
struct Total<'a> {
    points: &'a [Point],
    at: [&'a [Twist]; 2],
    sums: &'a mut Sums,
}

impl Kernel for Total<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { points, at: [bases, velocities], sums } = self;
        for p in points {
            let l = &p.lambda;
            if *l == [0.0; 4] {
                continue;
            }
            let [a, b] = [p.movers[0] as usize, p.movers[1] as usize];
            let free = power(l, &p.lanes(&bases[a], &bases[b]));
            sums.a += power(l, &p.lanes(&velocities[a], &velocities[b])) - free;
            sums.b += free;
            let own: Lanes = std::array::from_fn(|k| p.diagonal[k] * l[k] * l[k]);
            sums.size += free.abs() + own[0] + own[1] + own[2];
        }
    }
}

#[inline(always)]
fn power(l: &Lanes, u: &Lanes) -> f64 {
    l[0] * u[0] + l[1] * u[1] + l[2] * u[2]
}
