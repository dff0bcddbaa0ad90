//! What contact needs of a body in one phase, found once for all its contacts.

use super::gather::Metric;
use crate::math::{Mat3, Vec3, Vec6, angular, inverse_gyroscopic, join, linear, so3};
use crate::model::{BodyParams, BodyState};
use crate::stamp;

/// How a body turns during a phase and, if it is free, how it answers to forces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Frame {
    /// secant `A` of the rotation over the phase, body axes to world; the mean of its ends
    pub turn: Mat3,
    /// `A⁻¹`: the torque on the body that changes its spatial momentum by a torque in world axes
    pub lever: Mat3,
    /// centre of mass in the middle of the phase [m]
    pub center: Vec3,
    /// `A⁻¹` of a free body: of its place and of its rotation
    place: f64,
    rotation: Mat3,
}

/// Where a body is and how it moves when a phase begins, world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Start {
    turn: Mat3,
    center: Vec3,
    velocity: Vec3,
    spin: Vec3,
    /// speed of its fastest point at most [m/s], and how fast it turns [rad/s]
    pub pace: [f64; 2],
    /// its velocity is not that at which the phase began
    pub jumped: bool,
}

impl Default for Start {
    fn default() -> Self {
        let (zero, turn) = (Vec3::zeros(), Mat3::identity());
        Self { turn, center: zero, velocity: zero, spin: zero, pace: [0.0; 2], jumped: false }
    }
}

impl Start {
    /// A body that reaches so far from its centre [m].
    pub fn of(s: &BodyState, reach: f64) -> Self {
        let turn = s.q.to_rotation_matrix().into_inner();
        let mut start = Self { turn, center: s.x, ..Self::default() };
        start.hasten(s, reach);
        start.jumped = false;
        start
    }

    /// The same body in the same place at another velocity.
    pub fn hasten(&mut self, s: &BodyState, reach: f64) {
        let now = (s.v, self.turn * s.omega);
        self.jumped |= (self.velocity, self.spin) != now;
        (self.velocity, self.spin) = now;
        let turning = s.omega.norm();
        self.pace = [s.v.norm() + turning * reach, turning];
    }

    /// A point of the body.
    #[inline(always)]
    pub fn place(&self, point: &Vec3) -> Vec3 {
        self.center + self.turn * point
    }

    /// A direction of the body.
    #[inline(always)]
    pub fn direction(&self, axis: &Vec3) -> Vec3 {
        self.turn * axis
    }

    /// How fast the body moves at a place.
    #[inline(always)]
    pub fn velocity_at(&self, place: &Vec3) -> Vec3 {
        self.velocity + self.spin.cross(&(place - self.center))
    }

    /// How it turns.
    #[inline(always)]
    pub fn spin(&self) -> Vec3 {
        self.spin
    }
}

/// Speed at which two bodies close at most where they are `gap` apart [m/s].
#[inline(always)]
pub(super) fn closing(paces: [[f64; 2]; 2], gap: f64) -> f64 {
    let [a, b] = paces;
    (a[0] + b[0]) + (a[1] + b[1]) * gap.abs()
}

impl Default for Frame {
    fn default() -> Self {
        let (turn, lever) = (Mat3::identity(), Mat3::identity());
        Self { turn, lever, center: Vec3::zeros(), place: 0.0, rotation: Mat3::zeros() }
    }
}

impl Frame {
    /// A body as it is.
    pub fn still(s: &BodyState) -> Self {
        let r = s.q.to_rotation_matrix().into_inner();
        Self { turn: r, lever: r.transpose(), center: s.x, ..Self::default() }
    }

    /// A body over a step of `h` [s] at the rate `omega` [rad/s]:
    /// `A = R (1 − h/2 S(ω))⁻¹ = (R + R⁺)/2`.
    pub fn turning(s: &BodyState, omega: &Vec3, h: f64) -> Self {
        let r = s.q.to_rotation_matrix().into_inner();
        let turn = r * so3::cayley_secant(&(omega * h));
        // a body that turns by more than two radians has no lever to speak of
        let half = omega * (0.5 * h);
        let most = (2.0 / (1.0 + half.norm_squared())).sqrt().min(1.0);
        let lever = (Mat3::identity() - so3::skew(&half)) * r.transpose() * most;
        Self { turn, lever, center: s.x, ..Self::default() }
    }

    /// The answer of a free body, `A = M`, or `2M/h + C + B` about the rate `w_star`.
    pub fn alone(self, p: &BodyParams, metric: Metric, w_star: &Vec3, h: f64) -> Self {
        let mass = stamp::mass_vector(p);
        if metric == Metric::Mass {
            let rotation = Mat3::from_diagonal(&p.inertia.map(f64::recip));
            return Self { place: p.mass.recip(), rotation, ..self };
        }
        let full = mass * (2.0 / h) + stamp::damping_vector(p);
        let momentum = p.inertia.component_mul(w_star);
        let rotation = inverse_gyroscopic(&angular(&full), &momentum);
        Self { place: full.x.recip(), rotation, ..self }
    }

    /// `A⁻¹ f`.
    #[inline]
    pub fn respond(&self, f: &Vec6) -> Vec6 {
        join(&(linear(f) * self.place), &(self.rotation * angular(f)))
    }

    /// How a free body's rotation answers in the axes of its lever: `Λᵀ A⁻¹ Λ`.
    #[inline]
    pub fn answer_of_turn(&self) -> Mat3 {
        self.lever.tr_mul(&(self.rotation * self.lever))
    }

    /// The answer of a free body's place to a force.
    #[inline]
    pub fn answer_of_place(&self) -> f64 {
        self.place
    }

    /// `A⁻¹` times a row.
    #[inline]
    pub fn respond_row(&self, row: &[f64; 6]) -> [f64; 6] {
        let (m, p) = (&self.rotation.data.0, self.place);
        let [x, y, z] = [row[3], row[4], row[5]];
        let turn = |k: usize| m[0][k] * x + m[1][k] * y + m[2][k] * z;
        [p * row[0], p * row[1], p * row[2], turn(0), turn(1), turn(2)]
    }
}
