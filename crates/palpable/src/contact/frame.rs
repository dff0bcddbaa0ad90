//! What contact needs of a body in one phase, found once for all its contacts.

use super::gather::Metric;
use crate::math::{Mat3, Vec3, Vec6, angular, inverse_gyroscopic, join, linear, so3};
use crate::model::{BodyParams, BodyState};
use crate::stamp;

/// How a body turns during a phase and, if it is free, how it answers to forces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Frame {
    /// secant of the rotation over the phase, body axes to world
    pub turn: Mat3,
    /// rotation in the middle of the phase
    pub middle: Mat3,
    /// `A⁻¹` of a free body: of its place and of its rotation
    place: f64,
    rotation: Mat3,
}

impl Default for Frame {
    fn default() -> Self {
        let (turn, middle) = (Mat3::identity(), Mat3::identity());
        Self { turn, middle, place: 0.0, rotation: Mat3::zeros() }
    }
}

impl Frame {
    /// A body as it is.
    pub fn still(s: &BodyState) -> Self {
        let r = s.q.to_rotation_matrix().into_inner();
        Self { turn: r, middle: r, ..Self::default() }
    }

    /// A body over a step of `h` [s] at the rate `omega` [rad/s].
    pub fn turning(s: &BodyState, omega: &Vec3, h: f64) -> Self {
        let r = s.q.to_rotation_matrix().into_inner();
        let middle = so3::compose(&s.q, &so3::cayley(&(omega * (0.5 * h))));
        let turn = r * so3::cayley_secant(&(omega * h));
        Self { turn, middle: middle.to_rotation_matrix().into_inner(), ..Self::default() }
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

    /// `A⁻¹` times a row.
    #[inline]
    pub fn respond_row(&self, row: &[f64; 6]) -> [f64; 6] {
        let (m, p) = (&self.rotation.data.0, self.place);
        let [x, y, z] = [row[3], row[4], row[5]];
        let turn = |k: usize| m[0][k] * x + m[1][k] * y + m[2][k] * z;
        [p * row[0], p * row[1], p * row[2], turn(0), turn(1), turn(2)]
    }
}
