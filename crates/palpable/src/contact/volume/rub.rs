//! Friction over an area: what holds at rest, what drags, and when one becomes the other.
//!
//! # Equation
//! ```text
//! at rest:   f = −∫ (k_t (r + θ×p) + d_t v) dS           [Hasegawa2004, (21), (22), (28), (29)]
//! sliding:   f = −∫ μ p v/|v| dS                          [Hasegawa2004, (13)-(16)]
//! slips when the wrench at rest is larger than ∫ μ₀ p e/|e| dS, along the local displacement e
//! ```
//! # Differs from the source
//! Forces are summed at points of the region, not interpolated between vertices: a spinning disc
//! of uniform pressure would have ½ μ N R instead of ⅔ μ N R. Force and torque are compared
//! together, `|f|² + (m/ρ)²` with the radius of gyration `ρ`: compared one by one, a turn of
//! 1e-16 rad beside a slide would let go at half of the bound.

use super::pressing::{Pressing, Rubbing, Spot, Sums};
use crate::math::{Mat3, Vec6};

/// Slides slower than this part of the stiction length per step are no direction.
const STILL: f64 = 1e-12;
/// A damper that brakes harder than its bound by more than this is replaced by the bound.
const HARDER: f64 = 1.02;

/// Friction of pressures `N depth/V` with coefficient `mu` along the field `e`.
fn coulomb(spots: &[Spot], pressure: f64, mu: f64, e: &Vec6) -> Vec6 {
    let volume: f64 = spots.iter().map(|s| s.area * s.depth).sum();
    let mut sum = Vec6::zeros();
    if !(volume > 0.0 && pressure > 0.0) {
        return sum;
    }
    for s in spots {
        let (u, v) = (e[1] - s.y * e[3], e[2] + s.x * e[3]);
        let size = (u * u + v * v).sqrt();
        if size > 0.0 {
            let f = mu * pressure * s.area * s.depth / (volume * size);
            sum[1] -= f * u;
            sum[2] -= f * v;
            sum[3] -= f * (s.x * v - s.y * u);
        }
    }
    sum
}

/// Size of a tangential wrench; `gyration` is the square of the radius at which a torque counts.
fn size(wrench: &Vec6, gyration: f64) -> f64 {
    let turn = if gyration > 0.0 { wrench[3] * wrench[3] / gyration } else { 0.0 };
    (wrench[1] * wrench[1] + wrench[2] * wrench[2] + turn).sqrt()
}

impl Pressing {
    fn gyration(&self) -> f64 {
        let area = self.shear_sum[(0, 0)];
        if area > 0.0 { self.shear_sum[(2, 2)] / area } else { 0.0 }
    }

    /// Decides how it rubs, before the solve.
    pub(super) fn begin_rubbing(&mut self, spots: &[Spot]) {
        if !(self.mu.1 > 0.0) {
            self.rubbing = Rubbing::Smooth;
            return;
        }
        self.rubbing = Rubbing::Sticks;
        if !self.memory.slips {
            return;
        }
        let [last, next] = &self.slid;
        // the drag of a slide that turns around or ends is found at rest
        let same = coulomb(spots, 1.0, 1.0, next).dot(last) < 0.0;
        let pressure =
            (self.push[0] - self.law.damping * self.normal_sum[(0, 0)] * next[0]).max(0.0);
        if same && pressure > 0.0 {
            self.drag = drag(spots, pressure * self.mu.0, next);
            self.rubbing = Rubbing::Slips;
        }
    }

    /// After a solve: true if it rubs otherwise than was assumed, and has to be solved again.
    pub(super) fn review_rubbing(&mut self, spots: &[Spot], h: f64, u: &Vec6) -> bool {
        let pressure = self.pressure();
        let gyration = self.gyration();
        match self.rubbing {
            Rubbing::Smooth | Rubbing::Dragged(_) => false,
            Rubbing::Sticks => {
                let lag = if self.law.shear > 0.0 {
                    0.5 * h + self.law.shear_damping / self.law.shear
                } else {
                    f64::INFINITY
                };
                let e = if lag.is_finite() { self.strain + u * lag } else { *u };
                let most = coulomb(spots, pressure, self.mu.1, &e);
                let held = self.held();
                if size(&held, gyration) <= size(&most, gyration) * (1.0 + STILL) {
                    return false;
                }
                self.rubbing = Rubbing::Dragged(most * (self.mu.0 / self.mu.1));
                self.unhook();
                true
            }
            Rubbing::Slips => {
                let bound = coulomb(spots, pressure, self.mu.0, u);
                if size(&self.parts.rubbed, gyration) <= HARDER * size(&bound, gyration) {
                    return false;
                }
                self.rubbing = Rubbing::Dragged(bound);
                true
            }
        }
    }

    /// Force of the distributed spring and damper at rest.
    fn held(&self) -> Vec6 {
        let mut held = self.parts.elastic + self.parts.rubbed;
        for k in [0, 4, 5] {
            held[k] = 0.0;
        }
        held
    }

    /// Takes the friction spring out of elastic forces that were frozen.
    fn unhook(&mut self) {
        if let (Some(fixed), true) = (&mut self.fixed, self.held_fast) {
            (1..4).for_each(|k| fixed[k] = 0.0);
            self.held_fast = false;
        }
    }

    /// Displacement of the friction spring after the step; it rides along with a slide.
    pub(super) fn next_strain(&self, h: f64, u: &Vec6) -> Vec6 {
        let mut next = Vec6::zeros();
        match self.rubbing {
            Rubbing::Smooth => {}
            Rubbing::Sticks => (1..4).for_each(|k| next[k] = self.strain[k] + h * u[k]),
            Rubbing::Slips | Rubbing::Dragged(_) => {
                let area = self.shear_sum[(0, 0)] * self.law.shear;
                let turn = self.shear_sum[(2, 2)] * self.law.shear;
                let f = &self.parts.rubbed;
                if area > 0.0 {
                    (next[1], next[2]) = (-f[1] / area, -f[2] / area);
                }
                if turn > 0.0 {
                    next[3] = -f[3] / turn;
                }
            }
        }
        next
    }
}

/// The damper that brakes with `bound` [N] in all at the twist `u`.
pub(super) fn drag(spots: &[Spot], bound: f64, u: &Vec6) -> Mat3 {
    let volume: f64 = spots.iter().map(|s| s.area * s.depth).sum();
    let fastest = spots.iter().map(|s| speed(s, u)).fold(0.0, f64::max);
    Sums::new(spots, |s| {
        // the centre of a spin is nowhere at rest for good
        let speed = speed(s, u).max(1e-3 * fastest);
        if speed > 0.0 && volume > 0.0 { bound * s.area * s.depth / (volume * speed) } else { 0.0 }
    })
    .shear
}

fn speed(s: &Spot, u: &Vec6) -> f64 {
    let (v, w) = (u[1] - s.y * u[3], u[2] + s.x * u[3]);
    (v * v + w * w).sqrt()
}
