//! Time-domain verification: device, operator and sampled environment as one exact loop.

use nalgebra::{DMatrix, DVector};

use crate::damping::{damping_at, required_damping};
use crate::error::{Result, positive};
use crate::operator::{Network, worst_operator};
use crate::plant::Plant;
use crate::pulse::PulseTf;
use crate::sampling::Sampling;

/// Doublings of the loop matrix: the last power spans 2^26 samples.
const DOUBLINGS: u32 = 26;
/// First and last frequency tried for a bound that is attained at rest [rad per sample].
const LOWEST_THETA: [f64; 2] = [0.2, 0.01];

/// How a loop behaves in the long run.
#[derive(Debug, Clone, PartialEq)]
pub struct Growth {
    /// Factor per sample of the slowest-decaying or fastest-growing motion.
    pub radius: f64,
    /// The same as a rate [1/s]; above zero it grows.
    pub rate: f64,
    /// Samples elapsed, and the energy of device and operator relative to its start.
    pub energy: Vec<(u64, f64)>,
}

impl Growth {
    /// Whether motion grows.
    pub fn is_growing(&self) -> bool {
        self.rate > 0.0
    }
}

/// Simulates the continuous device with `network` in hand between samples of H(z).
///
/// # Equation
/// In energy coordinates the mechanical part is `ẏ = (S - R) y + g u` with S skew and R the
/// device's damping; it is carried exactly over each period (two pieces for a fractional delay),
/// and the discrete loop matrix F is squared 26 times: `radius = lim |F^N|^(1/N)`.
/// # Guarantee
/// Exact up to rounding: no integrator's own damping enters. The radius is good to about 1e-8.
/// # Errors
/// Numbers out of range.
pub fn simulate(
    tf: &PulseTf,
    mass: f64,
    damping: f64,
    network: &Network,
    sampling: &Sampling,
) -> Result<Growth> {
    positive("device mass [kg]", mass, "give the moving mass at the handle")?;
    crate::error::non_negative("damping [N·s/m]", damping, "use 0 for none")?;
    let plant = Plant::new(mass, damping, network);
    let loop_matrix = loop_matrix(&plant, tf, sampling);
    Ok(growth(&loop_matrix, &plant, sampling.time_step()))
}

/// `F`: mechanical states, past positions, past forces.
fn loop_matrix(plant: &Plant, tf: &PulseTf, sampling: &Sampling) -> DMatrix<f64> {
    let n = plant.states();
    let (h, delta) = (sampling.time_step(), sampling.delay_fraction());
    let positions = tf.num().len() - 1;
    let late = sampling.delay_samples() as usize;
    let forces = (tf.den().len() - 1).max(late + 1);
    let size = n + positions + forces;
    // u_k = Σ den.. u_(k-i) - Σ num.. x_(k-i): a row over the loop's state
    let d0 = tf.den()[0];
    let mut force = DMatrix::zeros(1, size);
    force[(0, 0)] = -tf.num()[0] / d0;
    for (i, c) in tf.num().iter().enumerate().skip(1) {
        force[(0, n + i - 1)] = -c / d0;
    }
    for (i, c) in tf.den().iter().enumerate().skip(1) {
        force[(0, n + positions + i - 1)] = -c / d0;
    }
    let past = |back: usize| {
        let mut row = DMatrix::zeros(1, size);
        if back == 0 {
            row.copy_from(&force);
        } else {
            row[(0, n + positions + back - 1)] = 1.0;
        }
        row
    };
    let [early, late_part] = [plant.over(delta * h), plant.over((1.0 - delta) * h)];
    let mut f = DMatrix::zeros(size, size);
    f.view_mut((0, 0), (n, n)).copy_from(&(&late_part.phi * early.phi));
    let pushes = &late_part.phi * early.gamma * past(late + 1) + late_part.gamma * past(late);
    let mut mechanical = f.view_mut((0, 0), (n, size));
    mechanical += pushes;
    shift_register(&mut f, n, positions, |row| row[0] = 1.0);
    shift_register(&mut f, n + positions, forces, |row| row.copy_from_slice(force.as_slice()));
    f
}

/// Rows `start..start + len` remember: the first takes `newest`, the rest move down by one.
fn shift_register(f: &mut DMatrix<f64>, start: usize, len: usize, newest: impl Fn(&mut [f64])) {
    if len == 0 {
        return;
    }
    let mut row = vec![0.0; f.ncols()];
    newest(&mut row);
    for (j, value) in row.iter().enumerate() {
        f[(start, j)] = *value;
    }
    for i in 1..len {
        f[(start + i, start + i - 1)] = 1.0;
    }
}

/// Squares the loop matrix, keeping its size in a logarithm.
fn growth(loop_matrix: &DMatrix<f64>, plant: &Plant, h: f64) -> Growth {
    let n = plant.states();
    // a push at the handle starts the motion
    let mut kick = DVector::zeros(loop_matrix.nrows());
    kick[1] = 2f64.sqrt();
    let mut power = loop_matrix.clone();
    let mut log_size = 0.0;
    let mut rate_per_sample = 0.0;
    let mut energy = Vec::new();
    for k in 0..=DOUBLINGS {
        let norm = power.norm();
        if !(norm > 0.0 && norm.is_finite()) {
            break;
        }
        power /= norm;
        let total = log_size + norm.ln();
        rate_per_sample =
            if k == 0 { total } else { (total - log_size * 0.5) / 2f64.powi(k as i32 - 1) };
        log_size = total;
        let after = (&power * &kick).rows(0, n).into_owned();
        energy.push((1u64 << k, plant.energy(after.as_slice()) * (2.0 * log_size).exp()));
        power = &power * &power;
        log_size *= 2.0;
    }
    Growth { radius: rate_per_sample.exp(), rate: rate_per_sample / h, energy }
}

/// A bound tested in the time domain from both sides.
#[derive(Debug, Clone, PartialEq)]
pub struct Verification {
    /// The bound [N·s/m].
    pub damping: f64,
    /// Critical frequency used for the operator [rad per sample].
    pub theta: f64,
    /// The worst-case operator.
    pub network: Network,
    /// Damping tested below the bound [N·s/m], and what happened.
    pub below: (f64, Growth),
    /// Damping tested above the bound [N·s/m], and what happened.
    pub above: (f64, Growth),
}

impl Verification {
    /// Whether the loop grows below the bound and decays above it.
    pub fn brackets(&self) -> bool {
        self.below.1.is_growing() && !self.above.1.is_growing()
    }
}

/// Simulates H(z) on a device of `mass` [kg] against its worst passive operator, with the damping
/// `margin` (e.g. 0.05) below and above the bound.
///
/// A bound attained at rest is tested at 0.2 rad per sample, or as much lower as is needed to come
/// within a quarter of the margin: operators act in finite time only away from rest.
/// # Errors
/// An unstable H, numbers out of range, or a frequency without an exact operator.
pub fn verify(tf: &PulseTf, mass: f64, sampling: &Sampling, margin: f64) -> Result<Verification> {
    crate::error::unit_interval("margin", margin, "use e.g. 0.05 for 5 % on either side")?;
    let need = required_damping(tf, sampling)?;
    let mut theta = need.theta.max(LOWEST_THETA[0]);
    let mut at_theta = damping_at(tf, sampling, theta)?;
    while at_theta < need.damping * (1.0 - 0.25 * margin) && theta > need.theta.max(LOWEST_THETA[1])
    {
        theta = (0.7 * theta).max(need.theta);
        at_theta = damping_at(tf, sampling, theta)?;
    }
    let network = worst_operator(tf, at_theta, mass, sampling, theta)?;
    let run = |damping: f64| -> Result<(f64, Growth)> {
        Ok((damping, simulate(tf, mass, damping, &network, sampling)?))
    };
    Ok(Verification {
        damping: need.damping,
        theta,
        below: run(need.damping * (1.0 - margin))?,
        above: run(need.damping * (1.0 + margin))?,
        network,
    })
}
