//! Newton's method on the velocities of a pile, for what sweeps are slow at: high stacks, walls,
//! heavy on light.
//!
//! ```text
//! A (u − c) = Jᵀ γ,    γ = P(λ − (J u + goal)/R),    λ ← γ
//! ```
//! `P` projects on the friction cones, so its fixed point solves the contact problem for any
//! `R > 0` (a method of multipliers). The normal row sees `μ ‖u_t‖` added, as Coulomb's law asks.
//! For given multipliers `u` makes a convex function least; each step factors `A + Jᵀ G J` with
//! `G = −∂γ/∂(J u)` and goes where that function is least on its line.
//!
//! The multipliers' own error falls by `R/(R + σ)` from round to round, where `σ` is the mobility
//! of the stack as a whole: that of its heaviest body by the square of the levels above the ground.
//! `R` is a part of that. In a pile that rests one round a step is enough: the next goes on.

use super::envelope::{Envelope, Measure};
use super::{Budget, GROUND, Pile, Point, PointProblem, Twist};
use crate::math::{Room, dot6};
use crate::solve::{PER_VISIT, Purse};

/// `R` relative to the least mobility of a mover by the square of the levels: a round leaves about
/// a twentieth of the error.
const FIRM: f64 = 0.1;
/// `R` in the first round is as many times larger as the residual is larger than this many times
/// what counts as solved,
const SOFT: f64 = 1e4;
/// but no more than this,
const SOFTEST: f64 = 1e2;
/// and so many times smaller from round to round. A wall of 200 bricks that starts without forces
/// takes 30, 15, 9, 7, 7 and 6 steps without this, 10, 7, 7, 5 and 5 with it.
const FIRMER: f64 = 0.1;
/// Rounds go on until what is off is this part of what calls for them.
const ENOUGH: f64 = 0.3;
/// Where one leaves more than this of what the one before did, as in a slender tower that sways,
const GAIN: f64 = 0.5;
/// and took no more Newton steps than this, so that it is not a question of who touches,
const EASY: usize = 3;
/// `R` becomes smaller still, down to this part of what is usual.
const FIRMEST: f64 = 1e-3;
/// Newton steps of a round at most; in scenes at rest it takes 1 to 14.
const STEPS: usize = 30;
/// Fewer steps than this are of no use.
const FEWEST: usize = 8;
/// A line is searched until its slope is this part of what it was at the start.
const FLAT: f64 = 0.05;
/// Trials on a line at most.
const TRIALS: usize = 20;
/// Where the six numbers of a velocity stand.
const LANES: [usize; 6] = [0, 1, 2, 4, 5, 6];

/// Buffers of the search.
#[derive(Debug, Clone)]
pub(super) struct Newton {
    envelope: Envelope,
    /// what is left to do, and the step that does it, in the order of elimination
    downhill: Room<f64>,
    vector: Room<f64>,
    masses: Room<[[f64; 6]; 6]>,
    saved: Room<[f64; 4]>,
    shifts: Room<f64>,
    lines: Room<Line>,
}

/// A point along the line that is searched.
#[derive(Debug, Clone, Copy)]
struct Line {
    /// what is projected on the cone, and how fast it changes along the line
    at: [f64; 3],
    by: [f64; 3],
    force: Projected,
}

/// A force of the cone and how it follows what is projected.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Projected {
    gamma: [f64; 3],
    gain: [[f64; 3]; 3],
}

impl Newton {
    pub fn new(movers: usize, points: usize) -> Self {
        Self {
            envelope: Envelope::new(movers, points),
            downhill: Room::with_capacity(6 * movers),
            vector: Room::with_capacity(6 * movers),
            masses: Room::with_capacity(movers),
            saved: Room::with_capacity(points),
            shifts: Room::with_capacity(points),
            lines: Room::with_capacity(points),
        }
    }

    /// Adds `Jᵀ G J` of a point to the matrix and `Jᵀ γ` to what is left to do.
    fn add_point(&mut self, point: &Point, base: usize, force: &Projected) {
        let rows = [point.rows(0), point.rows(1)];
        let weighed = rows.map(|rows| {
            force.gain.map(|g| {
                [0, 1, 2, 3, 4, 5]
                    .map(|c| g[0] * rows[0][c] + g[1] * rows[1][c] + g[2] * rows[2][c])
            })
        });
        for (own, m) in point.movers.iter().enumerate() {
            if *m as usize == GROUND {
                continue;
            }
            let i = self.envelope.place(*m as usize - base);
            let out = &mut self.downhill[6 * i..6 * i + 6];
            for (row, f) in rows[own].iter().zip(&force.gamma) {
                (0..6).for_each(|c| out[c] += row[c] * f);
            }
            for (other, m) in point.movers.iter().enumerate() {
                if *m as usize != GROUND {
                    let j = self.envelope.place(*m as usize - base);
                    self.envelope.add([i, j], &rows[own], &weighed[other]);
                }
            }
        }
    }
}

impl PointProblem {
    /// Improves the forces of a pile, which leave a `residual` [m/s], by factorisations that cost
    /// no more than budget and purse allow; returns how many it took: none where so few would not
    /// help.
    pub(super) fn refine(
        &mut self,
        pile: &Pile,
        budget: &Budget,
        residual: f64,
        purse: &mut Purse,
    ) -> usize {
        let points = &self.points[pile.points.clone()];
        let Some(Measure { cost, levels }) = self.newton.envelope.analyse(points, pile) else {
            return 0;
        };
        let each = 1 + (cost as u64) / PER_VISIT;
        // half of the purse is left to what tells whether it was any good
        let afforded = if cost <= budget.dearest { budget.factor / cost } else { 0.0 };
        let most = (afforded as usize).min((purse.left() / 2 / each) as usize);
        let least = self.answers[pile.movers.clone()].iter().fold(f64::MAX, |m, a| m.min(a.place));
        let firm = FIRM * least / (levels * levels) as f64;
        if most < FEWEST {
            purse.cut += if afforded > 0.0 { each * FEWEST as u64 } else { 0 };
            return 0;
        }
        if !(firm > 0.0 && self.weigh_movers(pile)) {
            return 0;
        }
        // multipliers change by no more than what the heaviest weighs, or Newton's method gets lost
        let soft = (residual / (SOFT * budget.fine)).clamp(1.0, SOFTEST);
        let taken = self.rounds(pile, budget, [firm * soft, firm], most);
        purse.spent += each * taken as u64;
        taken
    }

    /// Rounds with smaller and smaller `R` while they gain; returns the Newton steps taken.
    fn rounds(&mut self, pile: &Pile, budget: &Budget, firm: [f64; 2], most: usize) -> usize {
        let ([mut now, usual], mut taken, mut last) = (firm, 0, f64::MAX);
        while taken < most {
            // forces are wrong by what velocities are, over `R`
            let fine = budget.fine * (now / usual).min(1.0);
            let (steps, arrived) = self.round(pile, now, STEPS.min(most - taken), fine);
            taken += steps;
            if !arrived {
                break;
            }
            let off = self.take_forces(pile, now);
            // written so that NaN is slow
            let slow = now <= usual && !(off < GAIN * last);
            let hard = steps > EASY || now < FIRMEST * usual;
            if now <= usual && (off <= ENOUGH * budget.poor || (slow && hard)) {
                break;
            }
            (now, last) = match (now > usual, slow) {
                (true, _) => (usual.max(FIRMER * now), f64::MAX),
                (_, true) => (FIRMER * now, off),
                _ => (now, off),
            };
        }
        taken
    }

    /// Velocities for the multipliers at hand; returns how many steps that took, and whether it got
    /// there.
    fn round(&mut self, pile: &Pile, firm: f64, most: usize, fine: f64) -> (usize, bool) {
        self.freeze_shifts(pile);
        for taken in 1..=most {
            if !(self.newton_step(pile, firm) > fine) {
                return (taken, true);
            }
        }
        (most, false)
    }

    /// Masses of the movers; false if one of them has none.
    fn weigh_movers(&mut self, pile: &Pile) -> bool {
        let Self { newton, answers, full, .. } = self;
        newton.masses.clear();
        let masses =
            answers[pile.movers.clone()].iter().map_while(|a| a.mass(full.get(a.full as usize)));
        newton.masses.extend(masses);
        newton.masses.len() == pile.movers.len()
    }

    /// `μ ‖u_t‖` of each point, as it is.
    fn freeze_shifts(&mut self, pile: &Pile) {
        self.newton.shifts.clear();
        for p in pile.points.clone() {
            let shift = self.points[p].mu * self.slip(p);
            self.newton.shifts.push(shift);
        }
    }

    /// Makes the forces that the velocities ask for the multipliers; returns the largest violation
    /// of the law [m/s].
    fn take_forces(&mut self, pile: &Pile, firm: f64) -> f64 {
        let mut off = 0.0f64;
        for (k, p) in pile.points.clone().enumerate() {
            let at = asked(&self.points[p], &self.velocities, self.newton.shifts[k], firm);
            let [n, a, b] = project(&at, &self.points[p]).0;
            let before = std::mem::replace(&mut self.points[p].lambda, [n, a, b, 0.0]);
            for (now, before) in [n, a, b].iter().zip(before) {
                off = off.max(firm * (now - before).abs());
            }
        }
        off
    }

    /// One Newton step with a search on its line; returns the largest change of a velocity [m/s].
    fn newton_step(&mut self, pile: &Pile, firm: f64) -> f64 {
        self.newton.lines.clear();
        for (k, p) in pile.points.clone().enumerate() {
            let point = &self.points[p];
            let at = asked(point, &self.velocities, self.newton.shifts[k], firm);
            let force = project(&at, point).with_gain(&at, point, firm);
            self.newton.lines.push(Line { at, by: [0.0; 3], force });
        }
        if !self.assemble(pile) {
            return 0.0;
        }
        let Newton { downhill, vector, envelope, .. } = &mut self.newton;
        vector.clear();
        vector.extend_from_slice(downhill);
        envelope.solve(vector);
        let slope: f64 = downhill.iter().zip(vector.iter()).map(|(g, d)| -g * d).sum();
        let moved = vector.iter().fold(0.0, |m: f64, d| m.max(d.abs()));
        if !(slope < 0.0 && moved.is_finite()) {
            return 0.0;
        }
        let part = self.search(pile, firm, slope);
        self.move_along(pile, part);
        part * moved
    }

    /// Where the function is least on the line of the step at hand, as a part of that step.
    fn search(&mut self, pile: &Pile, firm: f64, slope: f64) -> f64 {
        let (mut straight, mut bent) = (0.0, 0.0);
        for (k, m) in pile.movers.clone().enumerate() {
            let (d, mass) = (self.step_of(k), &self.newton.masses[k]);
            let push: [f64; 6] = std::array::from_fn(|r| dot6(&mass[r], &d));
            straight += dot6(&push, &self.change(m));
            bent += dot6(&push, &d);
        }
        let base = pile.movers.start;
        for (k, p) in pile.points.clone().enumerate() {
            let point = &self.points[p];
            let ends = point.movers.map(|m| match m as usize {
                GROUND => [0.0; 8],
                m => super::twist(&self.step_of(m - base)),
            });
            let rates = point.rates(&ends[0], &ends[1]);
            self.newton.lines[k].by = rates.map(|u| -u / firm);
        }
        let slope_at = |t: f64| {
            let mut sum = straight + t * bent;
            for (line, point) in self.newton.lines.iter().zip(&self.points[pile.points.clone()]) {
                let at = [0, 1, 2].map(|k| line.at[k] + t * line.by[k]);
                let [n, a, b] = project(&at, point).0;
                sum += firm * (n * line.by[0] + a * line.by[1] + b * line.by[2]);
            }
            sum
        };
        least_on_line(slope, slope_at)
    }

    /// The step of the mover at so many places after the first of its pile.
    fn step_of(&self, number: usize) -> [f64; 6] {
        let at = 6 * self.newton.envelope.place(number);
        std::array::from_fn(|r| self.newton.vector[at + r])
    }

    fn move_along(&mut self, pile: &Pile, part: f64) {
        for (k, m) in pile.movers.clone().enumerate() {
            let step = self.step_of(k);
            (0..6).for_each(|r| self.velocities[m][LANES[r]] += part * step[r]);
        }
    }

    /// Matrix and what is left to do; false if it cannot be factored.
    fn assemble(&mut self, pile: &Pile) -> bool {
        let Self { newton, points, velocities, bases, .. } = self;
        newton.envelope.clear();
        newton.downhill.clear();
        newton.downhill.resize(6 * pile.movers.len(), 0.0);
        for (k, m) in pile.movers.clone().enumerate() {
            let (mass, place) = (newton.masses[k], newton.envelope.place(k));
            newton.envelope.add([place, place], &UNIT, &mass);
            let change = LANES.map(|c| velocities[m][c] - bases[m][c]);
            for (r, row) in mass.iter().enumerate() {
                newton.downhill[6 * place + r] -= dot6(row, &change);
            }
        }
        for (k, p) in pile.points.clone().enumerate() {
            let force = newton.lines[k].force;
            if force.gamma != [0.0; 3] {
                newton.add_point(&points[p], pile.movers.start, &force);
            }
        }
        newton.envelope.factor()
    }

    /// Keeps the forces of a pile, in case others are worse.
    pub(super) fn save(&mut self, pile: &Pile) {
        self.newton.saved.clear();
        let forces = self.points[pile.points.clone()].iter().map(|p| p.lambda);
        self.newton.saved.extend(forces);
    }

    /// Goes back to the forces that were kept.
    pub(super) fn go_back(&mut self, pile: &Pile) {
        for (p, saved) in self.points[pile.points.clone()].iter_mut().zip(&self.newton.saved) {
            p.lambda = *saved;
        }
        self.warm(pile);
    }
}

/// The identity.
const UNIT: [[f64; 6]; 6] = {
    let mut unit = [[0.0; 6]; 6];
    let mut k = 0;
    while k < 6 {
        unit[k][k] = 1.0;
        k += 1;
    }
    unit
};

/// Where an ascending function of `t` is zero, between 0, where it is `slope < 0`, and 1: near
/// enough for a Newton step, by false position that halves the value of an end that stays
/// (Illinois).
fn least_on_line(slope: f64, slope_at: impl Fn(f64) -> f64) -> f64 {
    let enough = FLAT * slope.abs();
    let (mut low, mut high) = ((0.0, slope), (1.0, slope_at(1.0)));
    if high.1 <= enough {
        return 1.0;
    }
    for _ in 0..TRIALS {
        let t = low.0 - low.1 * (high.0 - low.0) / (high.1 - low.1);
        // written so that NaN ends the search
        if !(t > low.0 && t < high.0) {
            break;
        }
        let now = slope_at(t);
        if now.abs() <= enough {
            return t;
        }
        if now < 0.0 {
            (low, high.1) = ((t, now), 0.5 * high.1);
        } else {
            (high, low.1) = ((t, now), 0.5 * low.1);
        }
    }
    low.0
}

/// What is projected on the cone: `λ − (J u + goal)/R`.
#[inline(always)]
fn asked(p: &Point, velocities: &[Twist], shift: f64, firm: f64) -> [f64; 3] {
    let [a, b] = p.movers.map(|m| &velocities[m as usize]);
    let u = p.rates(a, b);
    [
        p.lambda[0] - (u[0] + p.shift[0] + shift) / firm,
        p.lambda[1] - (u[1] + p.shift[1]) / firm,
        p.lambda[2] - (u[2] + p.shift[2]) / firm,
    ]
}

/// The nearest force of a cone.
struct Nearest([f64; 3]);

/// The nearest force of a point's cone.
#[inline(always)]
fn project(y: &[f64; 3], p: &Point) -> Nearest {
    if p.dead {
        return Nearest([0.0; 3]);
    }
    let size = (y[1] * y[1] + y[2] * y[2]).sqrt();
    if size <= p.mu * y[0] {
        return Nearest(*y);
    }
    let n = (y[0] + p.mu * size) / (1.0 + p.mu * p.mu);
    if !(n > 0.0) {
        return Nearest([0.0; 3]);
    }
    let part = p.mu * n / size;
    Nearest([n, part * y[1], part * y[2]])
}

impl Nearest {
    /// How the force follows what is projected, by `1/R`.
    fn with_gain(self, y: &[f64; 3], p: &Point, firm: f64) -> Projected {
        let (gamma, g) = (self.0, 1.0 / firm);
        if gamma == [0.0; 3] {
            return Projected { gamma, gain: [[0.0; 3]; 3] };
        }
        if gamma == *y {
            return Projected { gamma, gain: [[g, 0.0, 0.0], [0.0, g, 0.0], [0.0, 0.0, g]] };
        }
        let size = (y[1] * y[1] + y[2] * y[2]).sqrt();
        let (x, z) = (y[1] / size, y[2] / size);
        let mix = 1.0 + p.mu * p.mu;
        let (nn, nt, tt) = (g / mix, g * p.mu / mix, g * p.mu * p.mu / mix);
        let across = g * p.mu * gamma[0] / size;
        let (xx, zz, xz) =
            (tt * x * x + across * z * z, tt * z * z + across * x * x, (tt - across) * x * z);
        let gain = [[nn, nt * x, nt * z], [nt * x, xx, xz], [nt * z, xz, zz]];
        Projected { gamma, gain }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Budget, Mover, Touching};
    use super::*;

    /// Cubes of side 0.2 m on the ground, the top one of `ratio` kg, over a step of 1 ms.
    fn tower(boxes: usize, ratio: f64) -> (PointProblem, Pile) {
        let mut p = PointProblem::new(boxes, 4 * boxes);
        let h = 1e-3;
        for k in 0..boxes {
            let mass = if k + 1 == boxes { ratio } else { 1.0 };
            let place = h / (2.0 * mass);
            let t = place / (0.01 * 2.0 / 3.0);
            let turn = [[t, 0.0, 0.0], [0.0, t, 0.0], [0.0, 0.0, t]];
            let velocity = [0.0, 0.0, -9.81 * h / 2.0, 0.0, 0.0, 0.0];
            p.add_mover(&Mover { velocity, place, turn, momentum: 9.81 * mass, full: None });
        }
        let cross = |a: [f64; 3], b: [f64; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        let axes = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        for k in 0..boxes {
            for (x, y) in [(0.1, 0.1), (-0.1, 0.1), (-0.1, -0.1), (0.1, -0.1)] {
                let up = axes.map(|a| cross([x, y, 0.1], a).map(|c| -c));
                let down = axes.map(|a| cross([x, y, -0.1], a));
                let turns = [if k == 0 { [[0.0; 3]; 3] } else { up }, down];
                let point = Touching { movers: [k, k + 1], axes, turns, mu: 0.5, start: [0.0; 3] };
                p.add_point(&point);
            }
        }
        (p, Pile { points: 0..4 * boxes, movers: 1..boxes + 1 })
    }

    #[test]
    fn newton_holds_heavy_on_light() {
        for (boxes, ratio) in [(1, 1.0), (2, 1e6), (4, 1e4), (16, 1.0), (32, 1e3)] {
            let (mut p, pile) = tower(boxes, ratio);
            p.warm(&pile);
            let (sweeps, tolerance, factor) = (8, 1e-12, 2e7);
            let budget = Budget {
                sweeps,
                visits: 0,
                tolerance,
                factor,
                dearest: factor,
                poor: 0.0,
                fine: tolerance,
            };
            let (_, residual) = p.relax(&pile, &budget, &mut Purse::default());
            let steps = p.refine(&pile, &budget, residual, &mut Purse::default());
            p.warm(&pile);
            let speed = |m: usize| p.velocities[m].iter().fold(0.0, |a: f64, v| a.max(v.abs()));
            let worst = pile.movers.clone().map(speed).fold(0.0, f64::max);
            println!("{boxes} {ratio:e}: {worst:e} m/s after {steps} factorisations");
            // forces of 1e7 N are rounded, and move the lightest box
            assert!(worst < 1e-8, "{boxes} {ratio:e}: {worst:e}");
        }
    }
}
