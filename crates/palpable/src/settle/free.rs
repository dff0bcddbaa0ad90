//! The whole step of a body without elements: three linear and three angular unknowns.

use super::advance::Tally;
use crate::math::{Vec3, Vec6, angular, join, linear, so3, solve_gyroscopic};
use crate::model::{BodyParams, BodyState};
use crate::predict::free_rotation;
use crate::stamp;

/// Defects up to this part of the energy in play are rounding.
const SOUND: f64 = 1e-14;

/// What the step of a free body did.
#[derive(Debug, Clone, Copy)]
pub struct Moved {
    /// Midpoint twist.
    pub mid: Vec6,
    /// Energy created by the arithmetic [J].
    pub defect: f64,
    /// Energy in play [J].
    pub play: f64,
}

impl Moved {
    /// Created no more than rounding explains; NaN is not sound.
    #[inline]
    pub fn is_sound(&self) -> bool {
        self.defect <= SOUND * self.play
    }

    /// Sum of the magnitudes of the terms that cancel in the defect [J]. Velocities are rounded to
    /// a part of what the forces alone would cause in a step.
    pub fn scale(&self, p: &BodyParams, load: &Load) -> f64 {
        let Load { gravity, wrench, h } = *load;
        let size = wrench.abs() + join(&(gravity.abs() * p.mass), &Vec3::zeros());
        let terms = (size * h).component_div(&stamp::mass_vector(p));
        self.play + h * size.dot(&(self.mid.abs() + terms))
    }
}

/// What acts on a body without elements in a step.
#[derive(Debug, Clone, Copy)]
pub struct Load<'a> {
    /// Gravity [m/s²].
    pub gravity: &'a Vec3,
    /// Wrench of ports and contact.
    pub wrench: &'a Vec6,
    /// For how long [s].
    pub h: f64,
}

impl Load<'_> {
    /// The rate `ω*` [rad/s] at which a body takes its gyroscopic term where nothing else says one:
    /// the root of the equation of its step, so that momentum is kept as well as energy.
    #[inline]
    pub fn rate(&self, p: &BodyParams, s: &BodyState) -> Vec3 {
        free_rotation(&p.inertia, p.angular_damping, &s.omega, &angular(self.wrench), self.h)
    }

    /// Advances a body on which only this and its own damping act, about the rate `w_star`.
    ///
    /// # Equation
    /// ```text
    /// (2m/h + b) v̂ = (2m/h) v + f,    (2I/h − S(I ω*) + b) ω̂ = (2I/h) ω + τ    [Kim2017, (13)]
    /// u⁺ = u + h M⁻¹ (F − (C + B) û),   x⁺ = x + h v̂,   R⁺ = R cayley(h ω̂)
    /// ```
    /// # Cost
    /// O(1), no allocation.
    #[inline]
    pub fn advance(
        &self,
        w_star: &Vec3,
        p: &BodyParams,
        s: &mut BodyState,
        tally: &mut Tally,
    ) -> Moved {
        let Load { gravity, wrench, h } = *self;
        let before = p.kinetic(&s.v, &s.omega);
        let weight = gravity * p.mass;
        let (force, torque) = (weight + linear(wrench), angular(wrench));
        let (b, c) = (p.linear_damping, p.angular_damping);
        let ratio = 0.5 * h / p.mass;
        let dv = (force - (s.v + force * ratio) * (b / (1.0 + ratio * b))) * (h / p.mass);
        let v_mid = s.v + dv * 0.5;
        let momentum = p.inertia.component_mul(w_star);
        let rate = p.inertia * (2.0 / h);
        let rhs = rate.component_mul(&s.omega) + torque;
        let w_solved = solve_gyroscopic(&rate.add_scalar(c), &momentum, &rhs);
        let turning = torque + momentum.cross(&w_solved) - w_solved * c;
        let mut dw = turning.component_div(&p.inertia) * h;
        let mut w_mid = s.omega + dw * 0.5;
        if dw.amax() > 2.0 * w_mid.amax() || h * w_star.amax() > 1.0 {
            // the increment would cancel: a hard stop, or more than a radian per step
            (w_mid, dw) = (w_solved, (w_solved - s.omega) * 2.0);
        }
        s.x += v_mid * h;
        s.q = so3::compose(&s.q, &so3::cayley(&(w_mid * h)));
        s.v += dv;
        s.omega += dw;
        let after = p.kinetic(&s.v, &s.omega);
        let fall = h * weight.dot(&v_mid);
        let supplied = h * (linear(wrench).dot(&v_mid) + torque.dot(&w_mid));
        let damped = h * (b * v_mid.norm_squared() + c * w_mid.norm_squared());
        tally.add_body(after, fall, supplied, damped);
        let defect = (after - before) - fall - supplied + damped;
        tally.defect += defect;
        let play = after + before + fall.abs() + supplied.abs();
        Moved { mid: join(&v_mid, &w_mid), defect, play }
    }
}
