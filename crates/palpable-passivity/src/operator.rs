//! The worst passive operator at one frequency, as a lossless network of masses and springs.

use std::f64::consts::{PI, TAU};

use nalgebra::{DMatrix, DVector};

use crate::error::{Error, Result, positive};
use crate::nnls::nnls;
use crate::polynomial::C64;
use crate::pulse::PulseTf;
use crate::sampling::Sampling;

/// Aliases at which the operator is prescribed.
const ALIASES: usize = 24;
/// Candidate resonances between neighbouring aliases.
const PER_GAP: usize = 5;
/// Relative misfit that still counts as exact.
const EXACT: f64 = 1e-7;

/// A resonance `a s/(s² + p²)`: a spring of stiffness `a` to a mass `a/p²`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Resonance {
    /// Stiffness of its spring [N/m].
    pub stiffness: f64,
    /// Frequency [rad/s].
    pub frequency: f64,
}

/// A lossless operator in Foster's form: `Z = k0/s + m0 s + Σ a s/(s² + p²)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    /// Stiffness to ground [N/m].
    pub stiffness: f64,
    /// Mass fixed to the handle [kg].
    pub mass: f64,
    /// Spring-mass resonators at the handle.
    pub resonances: Vec<Resonance>,
}

impl Network {
    /// Nobody holds the handle.
    pub fn none() -> Self {
        Self { stiffness: 0.0, mass: 0.0, resonances: Vec::new() }
    }

    /// Reactance at `omega` [rad/s], the imaginary part of the impedance [N·s/m].
    pub fn reactance(&self, omega: f64) -> f64 {
        let resonators: f64 = self
            .resonances
            .iter()
            .map(|r| r.stiffness * omega / (r.frequency * r.frequency - omega * omega))
            .sum();
        self.mass * omega - self.stiffness / omega + resonators
    }
}

/// The reactance that drives the pulse response to the edge of its disk, alias by alias.
///
/// # Equation
/// The device with total reactance X at Ω answers `1/(b + jX) = (1 + e^(jφ))/(2b)`,
/// `X = -b tan(φ/2)`. The edge point of the sum of alias disks in direction ψ has
/// `φ_n = ψ - arg g_n`, `g_n = R(jΩ_n)/(jΩ_n T)`; the loop turns critical for the direction of
/// `-1/H` from the centre. Derived here.
fn targets(
    tf: &PulseTf,
    damping: f64,
    mass: f64,
    sampling: &Sampling,
    theta: f64,
) -> Vec<(f64, f64)> {
    let h = sampling.time_step();
    let w = C64::from_polar(1.0, -theta);
    let p = C64::new(1.0, 0.0) - w;
    let delta = sampling.delay_fraction();
    let late = C64::from_polar(1.0, -theta * f64::from(sampling.delay_samples()));
    let center = w * late * (C64::new(1.0 - delta, 0.0) + w * delta) / p * (h / (2.0 * damping));
    let direction = (-tf.response(theta).inv() - center).arg();
    let delay = sampling.delay();
    let mut list: Vec<(f64, f64)> = Vec::with_capacity(ALIASES);
    for k in 0..ALIASES as i32 {
        // Ω in order of size: θ, θ - 2π, θ + 2π, ...
        let n = if k % 2 == 0 { k / 2 } else { -(k + 1) / 2 };
        let omega = (theta + TAU * f64::from(n)) / h;
        // R = (1 - w) e^(-jΩτ)/(jΩ), so g = -(1-w) e^(-jΩτ)/(Ω² T)
        let g = -p * C64::from_polar(1.0, -omega * delay);
        let phi = direction - g.arg();
        let total = -damping * (0.5 * phi).tan();
        let reactance = total - mass * omega;
        // odd in Ω: prescribe at the positive frequency
        list.push((omega.abs(), reactance * omega.signum()));
    }
    list.sort_by(|a, b| a.0.total_cmp(&b.0));
    // at Nyquist the aliases coincide in pairs
    list.dedup_by(|a, b| (a.0 - b.0).abs() < 1e-9 * b.0);
    list
}

/// The operator that is worst for H(z) on a device of `damping` [N·s/m] and `mass` [kg] at
/// `theta` [rad per sample].
///
/// With `damping` equal to the demand at `theta`, the loop is then on the edge: more damping and
/// it decays, less and it grows. Exact for 24 aliases; the rest makes it fall short by about 1 %.
/// # Errors
/// Numbers out of range, or a fit that misses ([`Error::Synthesis`]).
pub fn worst_operator(
    tf: &PulseTf,
    damping: f64,
    mass: f64,
    sampling: &Sampling,
    theta: f64,
) -> Result<Network> {
    positive("damping [N·s/m]", damping, "use the demand at this frequency")?;
    positive("device mass [kg]", mass, "give the moving mass at the handle")?;
    positive("critical angle [rad]", theta, "choose a frequency above rest, e.g. 0.3")?;
    let wanted = targets(tf, damping, mass, sampling, theta.min(PI));
    let frequencies = candidates(&wanted);
    // unknowns: k0, m0 and one residue per candidate, columns scaled to size one
    let columns = frequencies.len() + 2;
    let mut a = DMatrix::from_fn(wanted.len(), columns, |i, j| {
        let omega = wanted[i].0;
        match j {
            0 => -1.0 / omega,
            1 => omega,
            _ => omega / (frequencies[j - 2].powi(2) - omega * omega),
        }
    });
    // rows weigh alike whatever their reactance
    let mut y = DVector::from_iterator(wanted.len(), wanted.iter().map(|t| t.1));
    for i in 0..wanted.len() {
        let weight = 1.0 / (damping + wanted[i].1.abs());
        a.row_mut(i).scale_mut(weight);
        y[i] *= weight;
    }
    let sizes: Vec<f64> = (0..columns).map(|j| a.column(j).norm()).collect();
    for (j, size) in sizes.iter().enumerate() {
        a.column_mut(j).unscale_mut(*size);
    }
    let x = nnls(&a, &y);
    let residual = (&a * &x - &y).amax() / y.amax().max(1e-300);
    if !(residual <= EXACT) {
        return Err(Error::Synthesis { residual });
    }
    let resonances = frequencies
        .iter()
        .enumerate()
        .map(|(i, &frequency)| Resonance { stiffness: x[i + 2] / sizes[i + 2], frequency })
        .filter(|r| r.stiffness > 0.0)
        .collect();
    Ok(Network { stiffness: x[0] / sizes[0], mass: x[1] / sizes[1], resonances })
}

/// Candidate resonances: several between neighbouring targets, some below and above them.
fn candidates(wanted: &[(f64, f64)]) -> Vec<f64> {
    let first = wanted.first().map_or(1.0, |t| t.0);
    let last = wanted.last().map_or(1.0, |t| t.0);
    let mut list: Vec<f64> = [0.2, 0.5, 0.8, 0.95].iter().map(|f| f * first).collect();
    for pair in wanted.windows(2) {
        for i in 0..PER_GAP {
            let share = (i as f64 + 0.5) / PER_GAP as f64;
            list.push(pair[0].0 + share * (pair[1].0 - pair[0].0));
        }
    }
    list.extend([1.01, 1.03, 1.1, 1.3].map(|f| f * last));
    list
}
