//! Couplings as two-ports between device and environment `[Brown1998, (4.1)]`.

use std::f64::consts::PI;

use nalgebra::Matrix2;

use crate::disk::Disk;
use crate::error::{Error, Result, positive};
use crate::polynomial::C64;
use crate::pulse::PulseTf;
use crate::sampling::Sampling;
use crate::scan::{frequencies, minimum_on};

/// Frequencies tested per candidate damping.
const POINTS: usize = 600;
/// Range of device damping searched [N·s/m].
const LEAST_DAMPING: f64 = 1e-9;
const MOST_DAMPING: f64 = 1e7;

/// A two-port `[-f; s1] = C [x; -s2]` between handle (left) and environment (right).
///
/// `C(w)` is given at `w = z^-1` on the unit circle `[Brown1998, (4.1)]`.
pub trait TwoPort {
    /// The matrix at `w = z^-1`.
    fn at(&self, w: C64) -> Matrix2<C64>;
}

impl<F: Fn(C64) -> Matrix2<C64>> TwoPort for F {
    fn at(&self, w: C64) -> Matrix2<C64> {
        self(w)
    }
}

/// Which side of the coupling the environment integrates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Causality {
    /// The environment takes force and gives motion.
    Admittance,
    /// The environment takes motion and gives force.
    Impedance,
}

/// A coupling C(z) as a two-port in either causality.
#[derive(Debug, Clone, PartialEq)]
pub struct CouplingTwoPort {
    /// The coupling's one-port transfer function [N/m].
    pub coupling: PulseTf,
    /// The environment's causality.
    pub causality: Causality,
}

impl TwoPort for CouplingTwoPort {
    fn at(&self, w: C64) -> Matrix2<C64> {
        let (c, one) = (self.coupling.at(w), C64::new(1.0, 0.0));
        let p = one - w;
        match self.causality {
            // environment output Δx_e: one-port of [Brown1998, (4.11)]
            Causality::Admittance => Matrix2::new(c, c / p, c, c / p),
            // environment output f_e: one-port of [Brown1998, (4.22)]
            Causality::Impedance => Matrix2::new(C64::from(0.0), -one, p, p / c),
        }
    }
}

/// The disk of all `G*(jω)` that a device with damping `b` and any passive operator can show.
///
/// # Equation
/// ```text
/// centre = T w^(1+d) (1-δ+δw) / ((1-w) 2b),   radius = T / (|1-w| 2b)
/// ```
/// which for no delay is `[Brown1998, (4.3)-(4.4)]`.
pub fn device_disk(damping: f64, sampling: &Sampling, theta: f64) -> Disk {
    let w = C64::from_polar(1.0, -theta);
    let p = C64::new(1.0, 0.0) - w;
    let delta = sampling.delay_fraction();
    let held = C64::from_polar(1.0, -theta * (1.0 + f64::from(sampling.delay_samples())))
        * (C64::new(1.0 - delta, 0.0) + w * delta);
    let scale = sampling.time_step() / (2.0 * damping);
    Disk::new(held / p * scale, scale / p.norm())
}

/// The region of the environment-side port `G'(jω)` `[Brown1998, (4.5)]`.
pub fn environment_disk(
    two_port: &impl TwoPort,
    damping: f64,
    sampling: &Sampling,
    theta: f64,
) -> Disk {
    let c = two_port.at(C64::from_polar(1.0, -theta));
    // G' = (det C · G* + C22)/(C11 G* + 1)                             [Brown1998, (4.8)]
    let n = Matrix2::new(c.determinant(), c[(1, 1)], c[(0, 0)], C64::new(1.0, 0.0));
    device_disk(damping, sampling, theta).mobius(&n)
}

/// Verdict on a two-port coupling at one device damping.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TwoPortVerdict {
    /// Smallest margin over frequency; passive with every passive environment if above zero.
    pub margin: f64,
    /// Where it is smallest [rad per sample].
    pub theta: f64,
}

/// The smallest margin of `Re G' > 0` over frequency `[Brown1998, (4.6)]`.
///
/// A scan with local refinement, not a bracket: the two-port is an arbitrary function.
/// # Errors
/// A damping that is not finite and above zero.
pub fn two_port_verdict(
    two_port: &impl TwoPort,
    damping: f64,
    sampling: &Sampling,
) -> Result<TwoPortVerdict> {
    positive("damping [N·s/m]", damping, "measure the device's viscous damping")?;
    let margin =
        |theta: f64| environment_disk(two_port, damping, sampling, theta).right_half_plane_margin();
    let (margin, theta) = minimum_on(&frequencies(POINTS), margin);
    Ok(TwoPortVerdict { margin, theta })
}

/// The device damping above which the two-port is passive with any passive environment.
///
/// Bisection on `b` at each frequency of a scan that asks more than those before it: a larger `b`
/// shrinks the device's disk about a point it holds, so each verdict changes once. Good to about
/// 1e-6 for smooth two-ports.
/// # Errors
/// [`Error::Infeasible`] if no damping up to 1e7 N·s/m is enough.
pub fn two_port_damping(two_port: &impl TwoPort, sampling: &Sampling) -> Result<f64> {
    let passive = |b: f64, theta: f64| {
        // margins are relative to the disk's own size: 1e-13 is their rounding
        environment_disk(two_port, b, sampling, theta).right_half_plane_margin() >= -1e-13
    };
    let mut need = LEAST_DAMPING;
    for theta in frequencies(POINTS) {
        if passive(need, theta) {
            continue;
        }
        let (mut low, mut high) = (need, MOST_DAMPING);
        if !passive(high, theta) {
            return Err(Error::Infeasible {
                why: "the two-port is active at some frequency for any device damping",
                cure: "use a backward-difference coupling, or add damping on the virtual side",
            });
        }
        while high > low * (1.0 + 1e-13) {
            let middle = (low * high).sqrt();
            if middle <= low || middle >= high {
                break;
            }
            if passive(middle, theta) { high = middle } else { low = middle }
        }
        need = high;
    }
    Ok(need)
}

/// The Nyquist picture of one frequency: circle of the device and of the environment's port.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NyquistDisks {
    /// Frequency [rad per sample].
    pub theta: f64,
    /// Region of `G*` [m/N].
    pub device: Disk,
    /// Region of `G'`.
    pub environment: Disk,
}

/// Disks at `count` frequencies up to Nyquist, for plotting.
pub fn nyquist_disks(
    two_port: &impl TwoPort,
    damping: f64,
    sampling: &Sampling,
    count: usize,
) -> Vec<NyquistDisks> {
    (1..=count)
        .map(|i| {
            let theta = PI * i as f64 / count as f64;
            NyquistDisks {
                theta,
                device: device_disk(damping, sampling, theta),
                environment: environment_disk(two_port, damping, sampling, theta),
            }
        })
        .collect()
}
