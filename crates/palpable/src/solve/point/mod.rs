//! Points with friction between free bodies: the contact problem in its leanest form.
//!
//! ```text
//! u = c + J A⁻¹ Jᵀ λ,   0 ≤ u_n + goal ⟂ λ_n ≥ 0,   ‖λ_t‖ ≤ μ λ_n,   λ_t opposes u_t − carry
//! ```
//! Velocities of movers follow the forces while sweeps go on. A point keeps its three rows column
//! by column and what each of its forces does to its two movers, all in fours, which is what a
//! vector unit takes at once.
//!
//! `carry` is half the velocity at which a step began. Friction then opposes `u⁺ = 2û − u⁻`, the
//! velocity at its end, while its work is that of `û`: the passive rule counts the difference.

mod envelope;
mod newton;
mod passive;
mod push;
mod sweep;

use super::Power;
use super::cone::dense::invert3;
use crate::math::vector_unit::{Kernel, run_wide};
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
    /// by columns
    turn: [Lanes; 3],
    momentum: f64,
    /// number of its full answer, if it has one
    full: u32,
}

/// Four numbers that are worked on at once.
type Lanes = [f64; 4];

/// A velocity, or what a force does to it: linear, one lane empty, angular, one lane empty.
type Twist = [f64; 8];

#[derive(Debug, Clone, Copy)]
struct Point {
    /// how fast normal and tangents move with `v₂ − v₁`, `ω₁` and `ω₂`, column by column
    columns: [Lanes; 9],
    /// what a unit of each force adds to the velocities of both movers
    gains: [[Twist; 3]; 2],
    /// inverse of `d` by columns
    inverse: [Lanes; 3],
    /// forces
    lambda: Lanes,
    /// how fast it may close, and what friction does not see, with a minus
    shift: Lanes,
    /// entries of `d` on its diagonal
    diagonal: Lanes,
    mu: f64,
    d: [f64; 9],
    movers: [u32; 2],
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
    /// The same for one of them.
    pub dearest: f64,
    /// Largest change of the last sweep beyond which they are tried [m/s].
    pub poor: f64,
    /// A factorisation that changes no velocity by more than this is the last [m/s].
    pub fine: f64,
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
    pub work: Power,
}

/// Contact forces of free bodies in preallocated buffers.
#[derive(Debug, Clone)]
pub struct PointProblem {
    answers: Room<Answer>,
    full: Room<[[f64; 6]; 6]>,
    velocities: Room<Twist>,
    bases: Room<Twist>,
    points: Room<Point>,
    pushes: Room<push::Push>,
    newton: newton::Newton,
    most: usize,
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
            pushes: Room::with_capacity(points),
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
        self.answers.push(Answer { place, turn: by_columns(&turn), momentum, full });
        self.velocities.push(twist(&velocity));
        self.bases.push(twist(&velocity));
        self.answers.len() - 1
    }

    /// Changes how a mover answers, by place and turn alone, and its velocity.
    pub fn set_mover(&mut self, number: usize, mover: &Mover) {
        let Mover { velocity, place, turn, momentum, .. } = *mover;
        let turn = by_columns(&turn);
        self.answers[number] = Answer { place, turn, momentum, full: NONE };
        (self.velocities[number], self.bases[number]) = (twist(&velocity), twist(&velocity));
    }

    /// Adds a point and returns its number; `None` if there is no room.
    pub fn add_point(&mut self, t: &Touching) -> Option<usize> {
        if self.points.len() == self.most {
            return None;
        }
        let (movers, mu) = (t.movers.map(|m| m as u32), t.mu.clamp(0.0, 1e9));
        let [x, y, z] = lawful(t.start, mu);
        self.points.push(Point::NONE);
        let number = self.points.len() - 1;
        let Self { points, answers, full, .. } = self;
        let point = &mut points[number];
        (point.movers, point.mu, point.lambda) = (movers, mu, [x, y, z, 0.0]);
        run_wide(Build { point, touching: t, answers: (answers, full) });
        Some(number)
    }

    /// Says how fast a point may close, ≥ 0, and what friction does not see [m/s].
    pub fn aim(&mut self, point: usize, goal: f64, carry: [f64; 2]) {
        let p = &mut self.points[point];
        p.shift = [if goal > 0.0 { goal } else { 0.0 }, -carry[0], -carry[1], 0.0];
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
        let (u, shift) = (self.rates(point), &self.points[point].shift);
        (u[1] + shift[1]).hypot(u[2] + shift[2])
    }

    /// Its two movers.
    pub fn movers_of(&self, point: usize) -> [usize; 2] {
        self.points[point].movers.map(|m| m as usize)
    }

    /// Force or impulse along the axes of a point.
    pub fn lambda(&self, point: usize) -> [f64; 3] {
        let [n, t1, t2, _] = self.points[point].lambda;
        [n, t1, t2]
    }

    /// What contact added to the velocity of a mover.
    pub fn change(&self, mover: usize) -> [f64; 6] {
        let (now, base) = (&self.velocities[mover], &self.bases[mover]);
        [0, 1, 2, 4, 5, 6].map(|k| now[k] - base[k])
    }

    /// Adds `Jᵀλ` of a pile's points to `wrenches`, one per mover: force, and torque in the axes
    /// of the turns.
    pub fn add_wrenches(&self, pile: &Pile, wrenches: &mut [[f64; 6]]) {
        for point in &self.points[pile.points.clone()] {
            let l = &point.lambda;
            let along = |c: &Lanes| c[0] * l[0] + c[1] * l[1] + c[2] * l[2];
            for (side, sign) in [(0, -1.0), (1, 1.0)] {
                let out = &mut wrenches[point.movers[side] as usize];
                for j in 0..3 {
                    out[j] += sign * along(&point.columns[j]);
                    out[3 + j] += along(&point.columns[3 + 3 * side + j]);
                }
            }
        }
    }
}

/// Builds a point in its place.
struct Build<'a> {
    point: &'a mut Point,
    touching: &'a Touching,
    answers: (&'a [Answer], &'a [[[f64; 6]; 6]]),
}

impl Kernel for Build<'_> {
    #[inline(always)]
    fn run(self) {
        let (p, t) = (self.point, self.touching);
        let ([n, a, b], [first, second]) = (&t.axes, &t.turns);
        for j in 0..3 {
            p.columns[j] = [n[j], a[j], b[j], 0.0];
            p.columns[3 + j] = [first[0][j], first[1][j], first[2][j], 0.0];
            p.columns[6 + j] = [second[0][j], second[1][j], second[2][j], 0.0];
        }
        let [one, two] = p.movers;
        for (k, [x, y, z]) in t.axes.iter().enumerate() {
            p.gains[0][k] = gain(self.answers, one, &[-x, -y, -z], &first[k]);
            p.gains[1][k] = gain(self.answers, two, &[*x, *y, *z], &second[k]);
        }
        p.weigh();
    }
}

/// What a unit of force along `axis`, which turns by `turn`, does to a mover.
#[inline(always)]
fn gain(
    (answers, full): (&[Answer], &[[[f64; 6]; 6]]),
    mover: u32,
    [x, y, z]: &[f64; 3],
    turn: &[f64; 3],
) -> Twist {
    let answer = &answers[mover as usize];
    if answer.full != NONE {
        let full = &full[answer.full as usize];
        return twist(&times6(full, &[*x, *y, *z, turn[0], turn[1], turn[2]]));
    }
    let (p, [c, d, e]) = (answer.place, &answer.turn);
    let turned: Lanes = std::array::from_fn(|k| c[k] * turn[0] + d[k] * turn[1] + e[k] * turn[2]);
    [p * x, p * y, p * z, 0.0, turned[0], turned[1], turned[2], turned[3]]
}

impl Point {
    /// A point that does nothing.
    const NONE: Self = Self {
        columns: [[0.0; 4]; 9],
        gains: [[[0.0; 8]; 3]; 2],
        inverse: [[0.0; 4]; 3],
        lambda: [0.0; 4],
        shift: [0.0; 4],
        diagonal: [0.0; 4],
        mu: 0.0,
        d: [0.0; 9],
        movers: [GROUND as u32; 2],
        dead: false,
    };

    /// Rows towards the velocity of one mover.
    fn rows(&self, side: usize) -> [[f64; 6]; 3] {
        let sign = if side == 0 { -1.0 } else { 1.0 };
        let (c, t) = (&self.columns, &self.columns[3 + 3 * side..]);
        std::array::from_fn(|k| {
            [sign * c[0][k], sign * c[1][k], sign * c[2][k], t[0][k], t[1][k], t[2][k]]
        })
    }

    /// Velocities of the rows at given velocities of the movers; the last lane is empty.
    #[inline(always)]
    fn lanes(&self, a: &Twist, b: &Twist) -> Lanes {
        let c = &self.columns;
        let [x, y, z] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
        // three sums that do not wait for each other
        std::array::from_fn(|k| {
            let place = c[0][k] * x + c[1][k] * y + c[2][k] * z;
            let first = c[3][k] * a[4] + c[4][k] * a[5] + c[5][k] * a[6];
            let second = c[6][k] * b[4] + c[7][k] * b[5] + c[8][k] * b[6];
            place + (first + second)
        })
    }

    /// Velocities of the rows at given velocities of the movers.
    #[inline(always)]
    fn rates(&self, a: &Twist, b: &Twist) -> [f64; 3] {
        let [n, t1, t2, _] = self.lanes(a, b);
        [n, t1, t2]
    }

    /// Local block of a point and its inverse.
    #[inline(always)]
    fn weigh(&mut self) {
        let mut d = [0.0; 9];
        for k in 0..3 {
            let column = self.lanes(&self.gains[0][k], &self.gains[1][k]);
            (0..3).for_each(|j| d[3 * j + k] = column[j]);
        }
        let top = d[0].max(d[4]).max(d[8]);
        let all: f64 = d.iter().sum();
        self.dead = !(d[0] > IMMOBILE * top) || !all.is_finite();
        for k in 0..3 {
            d[4 * k] += SOFT * d[4 * k].max(SOFT * d[0]);
        }
        let i = invert3(&d);
        (self.d, self.diagonal) = (d, [d[0], d[4], d[8], 0.0]);
        self.inverse = [0, 1, 2].map(|k| [i[k], i[3 + k], i[6 + k], 0.0]);
        if self.dead {
            self.lambda = [0.0; 4];
        }
    }
}

/// Lets forces, or changes of them, act on a velocity.
#[inline(always)]
fn add_gains(u: &mut Twist, gains: &[Twist; 3], l: &Lanes) {
    for k in 0..8 {
        u[k] += (gains[0][k] * l[0] + gains[1][k] * l[1]) + gains[2][k] * l[2];
    }
}

#[inline(always)]
fn twist(u: &[f64; 6]) -> Twist {
    [u[0], u[1], u[2], 0.0, u[3], u[4], u[5], 0.0]
}

impl Answer {
    /// The symmetric part of the mass that answers so; `None` if nothing moves it.
    fn mass(&self, full: Option<&[[f64; 6]; 6]>) -> Option<[[f64; 6]; 6]> {
        let answer = match full {
            Some(full) => Mat6::from_fn(|r, c| 0.5 * (full[r][c] + full[c][r])),
            None => Mat6::from_fn(|r, c| match (r, c) {
                (0..3, 0..3) if r == c => self.place,
                (3.., 3..) => 0.5 * (self.turn[c - 3][r - 3] + self.turn[r - 3][c - 3]),
                _ => 0.0,
            }),
        };
        let mass = answer.try_inverse()?;
        let finite = mass.iter().all(|x| x.is_finite());
        finite.then(|| std::array::from_fn(|r| std::array::from_fn(|c| mass[(r, c)])))
    }
}

/// The columns of a matrix that is given by rows.
fn by_columns(m: &[[f64; 3]; 3]) -> [Lanes; 3] {
    [0, 1, 2].map(|c| [m[0][c], m[1][c], m[2][c], 0.0])
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
