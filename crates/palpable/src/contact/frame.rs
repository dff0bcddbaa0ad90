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

    /// How a free body answers in the axes of its lever: by its place, and `Λᵀ A⁻¹ Λ`.
    #[inline]
    pub fn answer(&self) -> (f64, Mat3) {
        (self.place, self.lever.tr_mul(&(self.rotation * self.lever)))
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
