//! Holds other than zero-order, by summing the alias disks of the held force.

use std::f64::consts::TAU;

use crate::error::{Error, Result};
use crate::polynomial::C64;
use crate::pulse::PulseTf;
use crate::sampling::Sampling;
use crate::scan::{frequencies_near, maximum_on};

/// Aliases summed one by one before the tail is integrated.
const ALIASES: i32 = 20;
const POINTS: usize = 1500;

/// How the force is held between samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    /// Constant: what every amplifier does.
    Zero,
    /// First order, extrapolating the last two samples.
    First,
    /// Linear interpolation between the last two samples, one sample late.
    Triangle,
}

impl Hold {
    /// Centre of the sum of alias disks for unit `1/(2b)` [s].
    ///
    /// # Equation
    /// `(1/T) Σ R(jΩ_n)/(jΩ_n)`, `Ω_n = (θ + 2πn)/T`, with `R` the hold's transfer function:
    /// zero `T w/(1-w)`, first `T w(3-w)/(2(1-w))`, triangle `T w(1+w)/(2(1-w))`; derived here.
    pub fn center(self, theta: f64, time_step: f64) -> C64 {
        let w = C64::from_polar(1.0, -theta);
        let base = w / (C64::new(1.0, 0.0) - w) * time_step;
        match self {
            Self::Zero => base,
            Self::First => base * (C64::new(1.5, 0.0) - w * 0.5),
            Self::Triangle => base * (C64::new(0.5, 0.0) + w * 0.5),
        }
    }

    /// Radius of the sum of alias disks for unit `1/(2b)` [s]: `(1/T) Σ |R(jΩ_n)/Ω_n|`.
    ///
    /// Zero `T/|1-w|`; first `T|1-w|² Σ √(1+x²)/|x|³`; triangle `T|1-w|² Σ 1/|x|³`, `x = θ+2πn`.
    pub fn radius(self, theta: f64, time_step: f64) -> f64 {
        let gap = 2.0 * (0.5 * theta).sin().abs();
        match self {
            Self::Zero => time_step / gap,
            Self::First => time_step * gap * gap * alias_sum(theta, &FIRST),
            Self::Triangle => time_step * gap * gap * alias_sum(theta, &TRIANGLE),
        }
    }

    /// Damping that frequency `theta` asks of the device [N·s/m].
    ///
    /// # Equation
    /// `b(θ) = ½[-Re(H c) + √(Re(H c)² + |H|²(ρ² - |c|²))]` with this hold's centre and radius.
    pub fn damping_at(self, tf: &PulseTf, time_step: f64, theta: f64) -> f64 {
        let (response, c) = (tf.response(theta), self.center(theta, time_step));
        let (along, rho) = ((response * c).re, self.radius(theta, time_step));
        let spread = response.norm_sqr() * (rho - c.norm()) * (rho + c.norm());
        0.5 * (-along + (along * along + spread).max(0.0).sqrt())
    }

    /// Required device damping of a stable H(z) behind this hold [N·s/m], and its frequency.
    ///
    /// A scan that is dense near H's poles, refined locally; [`crate::required_damping`] has the
    /// bracketed search for the zero-order hold.
    /// # Errors
    /// An unstable H, or a delay (only the zero-order hold has one).
    pub fn required_damping(self, tf: &PulseTf, sampling: &Sampling) -> Result<(f64, f64)> {
        if sampling.delay_periods() > 0.0 {
            return Err(Error::Invalid {
                field: "delay [samples]",
                value: sampling.delay_periods(),
                need: "0 for this hold",
                cure: "multiply H by 1/z for each whole sample of delay",
            });
        }
        let angles = frequencies_near(POINTS, &tf.stable()?.poles(), 1e-3);
        Ok(maximum_on(&angles, |theta| self.damping_at(tf, sampling.time_step(), theta)))
    }
}

/// A term of an alias sum: its value, its tail integral, first and third derivative for large x.
struct Term {
    value: fn(f64) -> f64,
    integral: fn(f64) -> f64,
    first: fn(f64) -> f64,
    third: fn(f64) -> f64,
}

const FIRST: Term = Term {
    value: |x| (1.0 + x * x).sqrt() / (x * x * x),
    integral: |x| 0.5 * ((1.0 + x * x).sqrt() / (x * x) + (1.0 / x).asinh()),
    first: |x| -2.0 / x.powi(3) - 2.0 / x.powi(5),
    third: |x| -24.0 / x.powi(5),
};

const TRIANGLE: Term = Term {
    value: |x| x.powi(-3),
    integral: |x| 0.5 / (x * x),
    first: |x| -3.0 / x.powi(4),
    third: |x| -60.0 / x.powi(6),
};

/// `Σ_n f(|θ + 2πn|)` over all n, the tails by the Euler-Maclaurin formula.
fn alias_sum(theta: f64, term: &Term) -> f64 {
    let half = |start: f64| {
        let head: f64 = (0..ALIASES).map(|n| (term.value)(start + TAU * f64::from(n))).sum();
        let x = start + TAU * f64::from(ALIASES);
        head + (term.integral)(x) / TAU + 0.5 * (term.value)(x) - TAU / 12.0 * (term.first)(x)
            + TAU.powi(3) / 720.0 * (term.third)(x)
    };
    half(theta) + half(TAU - theta)
}
