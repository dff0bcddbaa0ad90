//! A box falls on a level floor: the contact laws of `[Kim2017 sec. 3.3]` as printed, and
//! symplectic Euler. Setting of `kim2017/fig6` to `fig8`; the paper does not give its own.

use crate::PaperError;
use palpable::math::so3;
use palpable::solve::cone::pyramid::Printed;
use palpable::solve::cone::{Capacity, ConeProblem, Contact, Law, Side};
use palpable::{Mat3, Rotation, Vec3};

/// What holds at a touching corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Touching {
    /// `[Kim2017, (34)]`: conditions on the midpoint velocity.
    Elastic,
    /// The same on the velocity at the end, midpoint step.
    Plastic,
    /// Symplectic Euler, conditions on its velocity.
    Symplectic,
}

const MASS: f64 = 1.0;
const GRAVITY: f64 = 9.81;
/// Half the edges [m].
const HALF: [f64; 3] = [0.1, 0.1, 0.05];
/// Sides of the friction pyramid.
const SIDES: usize = 8;

/// The box in flight.
#[derive(Debug, Clone)]
pub(super) struct Falling {
    touching: Touching,
    friction: f64,
    x: Vec3,
    q: Rotation,
    v: Vec3,
    omega: Vec3,
    inertia: Vec3,
    problem: ConeProblem,
}

/// What became of it: one entry per step, the start included.
#[derive(Debug, Clone, Default)]
pub(super) struct Run {
    /// Time \[s\].
    pub time: Vec<f64>,
    /// Height of the centre \[m\].
    pub height: Vec<f64>,
    /// Kinetic and potential energy \[J\].
    pub energy: Vec<f64>,
    /// True where a corner touched in the step that ended here.
    pub touched: Vec<bool>,
    /// Deepest corner \[m\].
    pub depth: f64,
}

impl Run {
    /// Change of energy in each step, those in contact or those in flight \[J\].
    pub(super) fn changes(&self, in_contact: bool) -> impl Iterator<Item = f64> + '_ {
        let pairs = self.energy.windows(2).zip(&self.touched[1..]);
        pairs.filter(move |(_, touched)| **touched == in_contact).map(|(e, _)| e[1] - e[0])
    }

    /// Highest place of the centre after time `t` \[m\].
    pub(super) fn highest_after(&self, t: f64) -> f64 {
        let late = self.time.iter().zip(&self.height).filter(|(time, _)| **time >= t);
        late.map(|(_, z)| *z).fold(f64::MIN, f64::max)
    }

    /// Largest departure of the energy from its start \[J\].
    pub(super) fn drift(&self) -> f64 {
        let away = self.energy.iter().map(|e| (e - self.energy[0]).abs());
        away.fold(0.0, f64::max)
    }

    /// Energy at the end \[J\].
    pub(super) fn last_energy(&self) -> f64 {
        self.energy.last().copied().unwrap_or(f64::NAN)
    }
}

impl Falling {
    /// 0.6 m up, tilted, moving and turning: 6.0714 J.
    pub(super) fn new(touching: Touching, friction: f64) -> Self {
        let [a, b, c] = HALF.map(|h| 4.0 * h * h);
        Self {
            touching,
            friction,
            x: Vec3::new(0.0, 0.0, 0.6),
            q: Rotation::from_scaled_axis(Vec3::new(0.4, 0.3, 0.2)),
            v: Vec3::new(0.5, 0.2, 0.0),
            omega: Vec3::new(1.0, 2.0, 3.0),
            inertia: Vec3::new(b + c, a + c, a + b) * (MASS / 12.0),
            problem: ConeProblem::new(Capacity::bodies(1, 8)),
        }
    }

    fn energy(&self) -> f64 {
        let spin = self.inertia.component_mul(&self.omega).dot(&self.omega);
        0.5 * (MASS * self.v.norm_squared() + spin) + MASS * GRAVITY * self.x.z
    }

    /// Falls for `steps` steps of `h` \[s\].
    pub(super) fn fall(mut self, h: f64, steps: u32) -> Result<Run, PaperError> {
        let mut run = Run::default();
        run.take(&self, 0.0, false);
        for n in 1..=steps {
            let touched = self.step(h)?;
            run.take(&self, f64::from(n) * h, touched);
            let corners = corners().map(|c| -(self.x + self.q * c).z);
            run.depth = corners.fold(run.depth, f64::max);
        }
        Ok(run)
    }

    fn step(&mut self, h: f64) -> Result<bool, PaperError> {
        let weight = Vec3::new(0.0, 0.0, -MASS * GRAVITY);
        let momentum = self.inertia.component_mul(&self.omega);
        let midpoint = self.touching != Touching::Symplectic;
        // A V̂ = b + Gᵀ λ, with the gyroscopic term skew in A (midpoint) or explicit in b
        let share = if midpoint { 2.0 / h } else { 1.0 / h };
        let skew = if midpoint { so3::skew(&momentum) } else { Mat3::zeros() };
        let turning = Mat3::from_diagonal(&(self.inertia * share)) - skew;
        let Some(mobility) = turning.try_inverse() else { return Ok(false) };
        let torque = if midpoint { Vec3::zeros() } else { momentum.cross(&self.omega) };
        let slide = self.v + weight / (MASS * share);
        let spin = mobility * (momentum * share + torque);
        let touched = self.meet(slide, spin, 1.0 / (MASS * share), &mobility)?;
        let change = if touched { self.problem.change(0) } else { &[0.0; 6] };
        let v = slide + Vec3::from_column_slice(&change[..3]);
        let omega = spin + Vec3::from_column_slice(&change[3..]);
        self.x += v * h;
        self.q = so3::compose(&self.q, &so3::exp(&(omega * h)));
        if midpoint {
            (self.v, self.omega) = (2.0 * v - self.v, 2.0 * omega - self.omega);
        } else {
            (self.v, self.omega) = (v, omega);
        }
        Ok(touched)
    }

    /// Solves for the forces of the corners at or below the floor; false if there are none.
    fn meet(
        &mut self,
        slide: Vec3,
        spin: Vec3,
        lightness: f64,
        mobility: &Mat3,
    ) -> Result<bool, PaperError> {
        self.problem.clear();
        let mut before = Vec::new();
        let full = PaperError::Missing { what: "room for a body in the problem" };
        let group = self.problem.group(6).ok_or(full)?;
        for corner in corners().filter(|c| (self.x + self.q * c).z <= 0.0) {
            let (mut rows, mut answers) = (Vec::new(), Vec::new());
            let mut bias = [0.0; 3];
            for (k, axis) in [Vec3::z(), Vec3::x(), Vec3::y()].into_iter().enumerate() {
                let turn = corner.cross(&(self.q.inverse() * axis));
                rows.extend(axis.iter().chain(turn.iter()));
                let answer = mobility * turn;
                answers.extend((axis * lightness).iter().chain(answer.iter()));
                bias[k] = axis.dot(&slide) + turn.dot(&spin);
                before.push(axis.dot(&self.v) + turn.dot(&self.omega));
            }
            let sides = [Side { group, column: 0, jacobian: &rows, response: &answers }];
            let law = Law::Frictional { mu: self.friction };
            let (target, restitution, start) = (0.0, 0.0, &[][..]);
            let contact =
                Contact { law, target, restitution, bias: &bias, carry: &[], start, sides: &sides };
            // there is room for every corner
            let _ = self.problem.push(&contact);
        }
        if before.is_empty() {
            return Ok(false);
        }
        let law = match self.touching {
            Touching::Plastic => Printed::Plastic(&before),
            Touching::Elastic | Touching::Symplectic => Printed::Elastic,
        };
        self.problem.solve_printed(SIDES, law)?;
        Ok(true)
    }
}

impl Run {
    fn take(&mut self, falling: &Falling, time: f64, touched: bool) {
        self.time.push(time);
        self.height.push(falling.x.z);
        self.energy.push(falling.energy());
        self.touched.push(touched);
    }
}

fn corners() -> impl Iterator<Item = Vec3> {
    let sign = |corner: u8, bit: u8| if corner >> bit & 1 == 0 { 1.0 } else { -1.0 };
    (0..8).map(move |i| Vec3::new(HALF[0] * sign(i, 0), HALF[1] * sign(i, 1), HALF[2] * sign(i, 2)))
}
