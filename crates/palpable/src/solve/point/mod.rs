//! Points with friction between free bodies: the contact problem in its leanest form.
//!
//! ```text
//! u = c + J A⁻¹ Jᵀ λ,   0 ≤ u_n + goal ⟂ λ_n ≥ 0,   ‖λ_t‖ ≤ μ λ_n,   λ_t opposes u_t − carry
//! ```
//! Rows are never formed: a point keeps three axes and the turn that each gives to its two bodies,
//! and a mover answers to a force by one number and one 3 × 3 block. Velocities of movers follow
//! the forces while sweeps go on, so a visit reads half of what general rows would.
//!
//! `carry` is half the velocity at which a step began. Friction then opposes `u⁺ = 2û − u⁻`, the
//! velocity at its end, while its work is that of `û`: the passive rule counts the difference.

mod newton;
mod passive;
mod push;
mod sweep;

use super::cone::dense::invert3;
use crate::math::{Mat6, Room, dot6};
use std::ops::Range;

/// The mover that stands for everything that cannot move.
pub const GROUND: usize = 0;

/// Relative regularisation of local blocks, as in `cone::sweep`.
const SOFT: f64 = 1e-7;
/// A point whose normal is this much less mobile than its other rows cannot push.
const IMMOBILE: f64 = 1e-12;
/// No full answer.
const NONE: u32 = u32::MAX;

/// One body: its velocity without contact, and how it answers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mover {
    /// Linear velocity, and the angular one in the axes of the turns.
    pub velocity: [f64; 6],
    /// Velocity that a unit of force gives.
    pub place: f64,
    /// Angular velocity that units of torque give, by rows.
    pub turn: [[f64; 3]; 3],
    /// Force that would stop it alone.
    pub momentum: f64,
    /// Velocity that units of force and torque give, by rows, if place and turn do not tell all.
    pub full: Option<[[f64; 6]; 6]>,
}

/// One contact as data.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touching {
    /// Its movers; the force acts on the second, its opposite on the first.
    pub movers: [usize; 2],
    /// Normal and two tangents.
    pub axes: [[f64; 3]; 3],
    /// Torque on each mover per unit of force along each axis.
    pub turns: [[[f64; 3]; 3]; 2],
    /// Coefficient of friction.
    pub mu: f64,
    /// Force to start from.
    pub start: [f64; 3],
}

#[derive(Debug, Clone, Copy)]
struct Answer {
    place: f64,
    turn: [[f64; 3]; 3],
    momentum: f64,
    /// number of its full answer, if it has one
    full: u32,
}

#[derive(Debug, Clone, Copy)]
struct Point {
    movers: [u32; 2],
    axes: [[f64; 3]; 3],
    turns: [[[f64; 3]; 3]; 2],
    inverse: [f64; 9],
    lambda: [f64; 3],
    goal: f64,
    carry: [f64; 2],
    mu: f64,
    d: [f64; 9],
    /// the point cannot move anything along its normal
    dead: bool,
}

/// Points and movers that depend on each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pile {
    /// Its points.
    pub points: Range<usize>,
    /// Its movers.
    pub movers: Range<usize>,
}

/// Budget of a solve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Budget {
    /// Sweeps over a pile at least, if it needs them.
    pub sweeps: usize,
    /// Visits of points up to which a small pile may go on.
    pub visits: usize,
    /// A sweep that changes no velocity by more than this ends the search [m/s].
    pub tolerance: f64,
    /// Multiplications that factorisations may take, where sweeps do not get there.
    pub factor: f64,
    /// Largest change of the last sweep beyond which they are tried [m/s].
    pub poor: f64,
}

/// How a pile went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// Sweeps taken.
    pub sweeps: usize,
    /// Largest change of a velocity in the last sweep [m/s].
    pub residual: f64,
    /// Scale that kept it passive.
    pub scale: f64,
    /// Power, or energy of an impulse; not positive but for rounding [W or J].
    pub work: f64,
}

/// Contact forces of free bodies in preallocated buffers.
#[derive(Debug, Clone)]
pub struct PointProblem {
    answers: Room<Answer>,
    full: Room<[[f64; 6]; 6]>,
    velocities: Room<[f64; 6]>,
    bases: Room<[f64; 6]>,
    points: Room<Point>,
    newton: newton::Newton,
    most: usize,
}

#[inline(always)]
fn dot3(a: &[f64; 3], b: &[f64]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

impl PointProblem {
    /// Allocates all buffers.
    pub fn new(movers: usize, points: usize) -> Self {
        let mut new = Self {
            answers: Room::with_capacity(movers + 1),
            full: Room::with_capacity(movers + 1),
            velocities: Room::with_capacity(movers + 1),
            bases: Room::with_capacity(movers + 1),
            points: Room::with_capacity(points),
            newton: newton::Newton::new(movers, points),
            most: points,
        };
        new.clear();
        new
    }

    /// Empties the problem; capacity and the ground stay.
    pub fn clear(&mut self) {
        self.answers.clear();
        self.full.clear();
        self.velocities.clear();
        self.bases.clear();
        self.points.clear();
        let (place, turn, momentum) = (0.0, [[0.0; 3]; 3], 0.0);
        self.add_mover(&Mover { velocity: [0.0; 6], place, turn, momentum, full: None });
    }

    /// Points in the problem.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// No point was added.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// Movers in the problem, the ground among them.
    pub fn movers(&self) -> usize {
        self.answers.len()
    }

    /// Adds a mover and returns its number.
    pub fn add_mover(&mut self, mover: &Mover) -> usize {
        let Mover { velocity, place, turn, momentum, .. } = *mover;
        let full = mover.full.map_or(NONE, |_| self.full.len() as u32);
        self.full.extend(mover.full);
        self.answers.push(Answer { place, turn, momentum, full });
        self.velocities.push(velocity);
        self.bases.push(velocity);
        self.answers.len() - 1
    }

    /// Changes how a mover answers, by place and turn alone, and its velocity.
    pub fn set_mover(&mut self, number: usize, mover: &Mover) {
        let Mover { velocity, place, turn, momentum, .. } = *mover;
        self.answers[number] = Answer { place, turn, momentum, full: NONE };
        (self.velocities[number], self.bases[number]) = (velocity, velocity);
    }

    /// Adds a point and returns its number; `None` if there is no room.
    pub fn add_point(&mut self, t: &Touching) -> Option<usize> {
        if self.points.len() == self.most {
            return None;
        }
        let (movers, mu) = (t.movers.map(|m| m as u32), t.mu.clamp(0.0, 1e9));
        let mut point = Point {
            movers,
            axes: t.axes,
            turns: t.turns,
            inverse: [0.0; 9],
            lambda: lawful(t.start, mu),
            goal: 0.0,
            carry: [0.0; 2],
            mu,
            d: [0.0; 9],
            dead: false,
        };
        self.weigh(&mut point);
        self.points.push(point);
        Some(self.points.len() - 1)
    }

    /// Says how fast a point may close, ≥ 0, and what friction does not see [m/s].
    pub fn aim(&mut self, point: usize, goal: f64, carry: [f64; 2]) {
        let p = &mut self.points[point];
        (p.goal, p.carry) = (if goal > 0.0 { goal } else { 0.0 }, carry);
    }

    /// Local block of a point and its inverse.
    fn weigh(&self, point: &mut Point) {
        let [a, b] = point.movers.map(|m| &self.answers[m as usize]);
        let mut d = [0.0; 9];
        for (side, (answer, turns)) in [a, b].into_iter().zip(&point.turns).enumerate() {
            if answer.full != NONE {
                let rows = point.rows(side);
                for k in 0..3 {
                    let y = times6(&self.full[answer.full as usize], &rows[k]);
                    (0..3).for_each(|j| d[3 * j + k] += dot6(&rows[j], &y));
                }
                continue;
            }
            (0..3).for_each(|k| d[4 * k] += answer.place);
            for k in 0..3 {
                let turned = times(&answer.turn, &turns[k]);
                (0..3).for_each(|j| d[3 * j + k] += dot3(&turns[j], &turned));
            }
        }
        let top = d[0].max(d[4]).max(d[8]);
        let all: f64 = d.iter().sum();
        point.dead = !(d[0] > IMMOBILE * top) || !all.is_finite();
        for k in 0..3 {
            d[4 * k] += SOFT * d[4 * k].max(SOFT * d[0]);
        }
        (point.d, point.inverse) = (d, invert3(&d));
        if point.dead {
            point.lambda = [0.0; 3];
        }
    }

    /// Velocities of a point's rows without any contact force.
    pub fn free_rates(&self, point: usize) -> [f64; 3] {
        let p = &self.points[point];
        let [a, b] = p.movers.map(|m| &self.bases[m as usize]);
        p.rates(a, b)
    }

    /// Velocities of a point's rows with the forces found.
    pub fn rates(&self, point: usize) -> [f64; 3] {
        let p = &self.points[point];
        let [a, b] = p.movers.map(|m| &self.velocities[m as usize]);
        p.rates(a, b)
    }

    /// Speed at which a point slides at the end of the step, halved [m/s].
    pub fn slip(&self, point: usize) -> f64 {
        let (u, carry) = (self.rates(point), self.points[point].carry);
        (u[1] - carry[0]).hypot(u[2] - carry[1])
    }

    /// Its two movers.
    pub fn movers_of(&self, point: usize) -> [usize; 2] {
        self.points[point].movers.map(|m| m as usize)
    }

    /// Force or impulse along the axes of a point.
    pub fn lambda(&self, point: usize) -> &[f64; 3] {
        &self.points[point].lambda
    }

    /// What contact added to the velocity of a mover.
    pub fn change(&self, mover: usize) -> [f64; 6] {
        let (now, base) = (&self.velocities[mover], &self.bases[mover]);
        std::array::from_fn(|k| now[k] - base[k])
    }

    /// Adds `Jᵀλ` of a pile's points to `wrenches`, one per mover: force, and torque in the axes
    /// of the turns.
    pub fn add_wrenches(&self, pile: &Pile, wrenches: &mut [[f64; 6]]) {
        for point in &self.points[pile.points.clone()] {
            let Point { lambda: l, axes, turns, .. } = point;
            for (side, sign) in [(0, -1.0), (1, 1.0)] {
                let out = &mut wrenches[point.movers[side] as usize];
                for k in 0..3 {
                    for j in 0..3 {
                        out[j] += sign * l[k] * axes[k][j];
                        out[3 + j] += l[k] * turns[side][k][j];
                    }
                }
            }
        }
    }
}

impl Point {
    /// Rows towards the velocity of one mover.
    fn rows(&self, side: usize) -> [[f64; 6]; 3] {
        let sign = if side == 0 { -1.0 } else { 1.0 };
        std::array::from_fn(|k| {
            let ([x, y, z], [a, b, c]) = (self.axes[k], self.turns[side][k]);
            [sign * x, sign * y, sign * z, a, b, c]
        })
    }

    /// Velocities of the rows at given velocities of the movers.
    #[inline(always)]
    fn rates(&self, a: &[f64; 6], b: &[f64; 6]) -> [f64; 3] {
        let ([t1, t2], n) = (self.slide_rates(a, b), self.normal_rate(a, b));
        [n, t1, t2]
    }

    /// Velocity of the normal row.
    #[inline(always)]
    fn normal_rate(&self, a: &[f64; 6], b: &[f64; 6]) -> f64 {
        self.rate(0, a, b)
    }

    /// Velocities of the tangents.
    #[inline(always)]
    fn slide_rates(&self, a: &[f64; 6], b: &[f64; 6]) -> [f64; 2] {
        [self.rate(1, a, b), self.rate(2, a, b)]
    }

    #[inline(always)]
    fn rate(&self, k: usize, a: &[f64; 6], b: &[f64; 6]) -> f64 {
        let v = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
        dot3(&self.axes[k], &v)
            + dot3(&self.turns[0][k], &a[3..])
            + dot3(&self.turns[1][k], &b[3..])
    }
}

impl Answer {
    /// The symmetric part of the mass that answers so; `None` if nothing moves it.
    fn mass(&self, full: Option<&[[f64; 6]; 6]>) -> Option<[[f64; 6]; 6]> {
        let answer = match full {
            Some(full) => Mat6::from_fn(|r, c| 0.5 * (full[r][c] + full[c][r])),
            None => Mat6::from_fn(|r, c| match (r, c) {
                (0..3, 0..3) if r == c => self.place,
                (3.., 3..) => 0.5 * (self.turn[r - 3][c - 3] + self.turn[c - 3][r - 3]),
                _ => 0.0,
            }),
        };
        let mass = answer.try_inverse()?;
        let finite = mass.iter().all(|x| x.is_finite());
        finite.then(|| std::array::from_fn(|r| std::array::from_fn(|c| mass[(r, c)])))
    }
}

#[inline(always)]
fn times(m: &[[f64; 3]; 3], x: &[f64; 3]) -> [f64; 3] {
    [dot3(&m[0], x), dot3(&m[1], x), dot3(&m[2], x)]
}

fn times6(m: &[[f64; 6]; 6], x: &[f64; 6]) -> [f64; 6] {
    std::array::from_fn(|r| dot6(&m[r], x))
}

/// Nearest force of a cone, row by row. What is not finite counts as zero.
fn lawful(l: [f64; 3], mu: f64) -> [f64; 3] {
    if !(l[0] > 0.0 && l.iter().all(|x| x.is_finite())) {
        return [0.0; 3];
    }
    let (size, radius) = ((l[1] * l[1] + l[2] * l[2]).sqrt(), mu * l[0]);
    let shrink = if size > radius { radius / size } else { 1.0 };
    [l[0], shrink * l[1], shrink * l[2]]
}
