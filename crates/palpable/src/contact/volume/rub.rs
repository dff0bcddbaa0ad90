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

use super::pressing::{Pressing, Rubbing, Spot, shear_of};
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
        let area = self.sums.shear[(0, 0)];
        if area > 0.0 { self.sums.shear[(2, 2)] / area } else { 0.0 }
    }

    /// Decides how it rubs, before the solve.
    pub(super) fn begin_rubbing(&mut self, spots: &[Spot]) {
        if !(self.pair.mu.rest > 0.0) {
            self.friction.rubbing = Rubbing::Smooth;
            return;
        }
        self.friction.rubbing = Rubbing::Sticks;
        if !self.memory.slips {
            return;
        }
        let [last, next] = &self.friction.slid;
        // the drag of a slide that turns around or ends is found at rest
        let same = coulomb(spots, 1.0, 1.0, next).dot(last) < 0.0;
        let pressure = (self.springs.push[0]
            - self.pair.law.damping * self.sums.normal[(0, 0)] * next[0])
            .max(0.0);
        if same && pressure > 0.0 {
            self.friction.drag = drag(spots, pressure * self.pair.mu.sliding, next);
            self.friction.rubbing = Rubbing::Slips;
        }
    }

    /// After a solve: true if it rubs otherwise than was assumed, and has to be solved again.
    pub(super) fn review_rubbing(&mut self, spots: &[Spot], h: f64, u: &Vec6) -> bool {
        let pressure = self.pressure();
        let gyration = self.gyration();
        match self.friction.rubbing {
            Rubbing::Smooth | Rubbing::Dragged(_) => false,
            Rubbing::Sticks => {
                let lag = if self.pair.law.shear > 0.0 {
                    0.5 * h + self.pair.law.shear_damping / self.pair.law.shear
                } else {
                    f64::INFINITY
                };
                let e = if lag.is_finite() { self.friction.strain + u * lag } else { *u };
                let held = self.held();
                let surely = self.least_bound(pressure, &e);
                if size(&held, gyration) <= surely {
                    return false;
                }
                let most = coulomb(spots, pressure, self.pair.mu.rest, &e);
                if size(&held, gyration) <= size(&most, gyration) * (1.0 + STILL) {
                    return false;
                }
                self.friction.rubbing =
                    Rubbing::Dragged(most * (self.pair.mu.sliding / self.pair.mu.rest));
                self.unhook();
                true
            }
            Rubbing::Slips => {
                let bound = coulomb(spots, pressure, self.pair.mu.sliding, u);
                if size(&self.parts.rubbed, gyration) <= HARDER * size(&bound, gyration) {
                    return false;
                }
                self.friction.rubbing = Rubbing::Dragged(bound);
                true
            }
        }
    }

    /// No more than the size of [`coulomb`] at rest along the field `e`: by the inequality of
    /// Cauchy and Schwarz its work, `μ ∫ p |e|`, is at most its size times that of `e`, and
    /// `∫ p |e| ≥ ∫ p e²/max |e|`.
    fn least_bound(&self, pressure: f64, e: &Vec6) -> f64 {
        let sums = &self.sums;
        let slide = e[1] * e[1] + e[2] * e[2];
        let lean = 2.0 * e[3] * (e[2] * sums.lean[0] - e[1] * sums.lean[1]);
        let square = slide * sums.volume + lean + e[3] * e[3] * sums.polar;
        let fastest = slide.sqrt() + e[3].abs() * sums.reach.sqrt();
        let of_field = (slide + self.gyration() * e[3] * e[3]).sqrt();
        let bound = self.pair.mu.rest * pressure * square / (sums.volume * fastest * of_field);
        // no bound where nothing moves, or without gyration something turns
        if bound.is_finite() && self.gyration() > 0.0 { bound } else { 0.0 }
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
        if let (Some(fixed), true) = (&mut self.springs.fixed, self.springs.held_fast) {
            (1..4).for_each(|k| fixed[k] = 0.0);
            self.springs.held_fast = false;
        }
    }

    /// Displacement of the friction spring after the step; it rides along with a slide.
    pub(super) fn next_strain(&self, h: f64, u: &Vec6) -> Vec6 {
        let mut next = Vec6::zeros();
        match self.friction.rubbing {
            Rubbing::Smooth => {}
            Rubbing::Sticks => (1..4).for_each(|k| next[k] = self.friction.strain[k] + h * u[k]),
            Rubbing::Slips | Rubbing::Dragged(_) => {
                let area = self.sums.shear[(0, 0)] * self.pair.law.shear;
                let turn = self.sums.shear[(2, 2)] * self.pair.law.shear;
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
    shear_of(spots, |s| {
        // the centre of a spin is nowhere at rest for good
        let speed = speed(s, u).max(1e-3 * fastest);
        if speed > 0.0 && volume > 0.0 { bound * s.area * s.depth / (volume * speed) } else { 0.0 }
    })
}

fn speed(s: &Spot, u: &Vec6) -> f64 {
    let (v, w) = (u[1] - s.y * u[3], u[2] + s.x * u[3]);
    (v * v + w * w).sqrt()
}
