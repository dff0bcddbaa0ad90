//! Z-width: the region of stiffness and damping that a device can render passively.

use crate::damping::required_damping;
use crate::error::{Error, Result, positive};
use crate::sampling::Sampling;
use crate::wall::{Velocity, Wall};

/// One point of the boundary of the K-B plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ZPoint {
    /// Virtual damping [N·s/m].
    pub damping: f64,
    /// Largest virtual stiffness [N/m]; zero if even K = 0 is active.
    pub stiffness: f64,
}

/// The largest wall stiffness [N/m] that a device of `device_damping` renders passively with
/// virtual damping `damping`.
///
/// # Equation
/// Without delay and filter `K = 2(b - |B|)/T` `[Brown1998, (3.9)]`; otherwise bisection on the
/// bracketed demand, which is convex in (K, B), so the passive stiffnesses form one interval.
/// # Errors
/// Numbers out of range, or a Tustin damper.
pub fn max_wall_stiffness(
    device_damping: f64,
    damping: f64,
    velocity: Velocity,
    sampling: &Sampling,
) -> Result<f64> {
    let cure = "measure the device's viscous damping in N·s/m";
    let b = positive("device damping [N·s/m]", device_damping, cure)?;
    let need = |stiffness: f64| -> Result<f64> {
        let tf = Wall { stiffness, damping, velocity }.transfer_function(sampling)?;
        Ok(required_damping(&tf, sampling)?.damping)
    };
    let fits = |stiffness: f64| need(stiffness).map(|n| n <= b * (1.0 + 1e-12));
    if !fits(0.0)? {
        return Ok(0.0);
    }
    // a spring alone never asks less than KT/2 at rest, less what |B| can take off
    let (mut low, mut high) = (0.0, 2.0 * (b + damping.abs()) / sampling.time_step() * 1.01);
    if fits(high)? {
        return Ok(high);
    }
    while high - low > 1e-12 * high {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if fits(middle)? { low = middle } else { high = middle }
    }
    Ok(low)
}

/// The boundary of the K-B plane at `count` dampings from `lowest` to `highest` [N·s/m].
/// # Errors
/// As [`max_wall_stiffness`], or fewer than two points.
pub fn zwidth(
    device_damping: f64,
    dampings: std::ops::RangeInclusive<f64>,
    count: usize,
    velocity: Velocity,
    sampling: &Sampling,
) -> Result<Vec<ZPoint>> {
    if count < 2 {
        let cure = "ask for two points or more";
        return Err(Error::Length { field: "Z-width", len: count, need: "at least 2", cure });
    }
    let (first, last) = (*dampings.start(), *dampings.end());
    (0..count)
        .map(|i| {
            let damping = first + (last - first) * i as f64 / (count - 1) as f64;
            let stiffness = max_wall_stiffness(device_damping, damping, velocity, sampling)?;
            Ok(ZPoint { damping, stiffness })
        })
        .collect()
}

/// The largest wall stiffness with one sample of delay, for `KT <= 4B` [N/m]:
/// `K = (2/T)(√(2bB - B²) - B)`, derived here.
pub fn one_sample_stiffness(device_damping: f64, damping: f64, time_step: f64) -> f64 {
    let (b, v) = (device_damping, damping);
    2.0 / time_step * ((2.0 * b * v - v * v).max(0.0).sqrt() - v)
}
