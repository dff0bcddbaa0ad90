//! Why a rendering vibrates on a device, by how much, and what to do about it.

use crate::device::Device;
use crate::error::{Error, Result};
use crate::midpoint::MidpointCoupling;
use crate::rendering::Rendering;
use crate::wall::Wall;
use crate::ways::ways_out;

/// A condition that a rendering must meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// Viscous damping must pay for sampling, hold and delay.
    Damping,
    /// Coulomb friction must pay for the encoder's steps.
    Quantisation,
    /// The environment must be stable with a clamped handle.
    Stability,
    /// The maker's own limit on stiffness.
    Published,
}

/// One bound, checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// Which bound.
    pub bound: Bound,
    /// Whether it holds.
    pub holds: bool,
    /// What the device has: damping [N·s/m], or stiffness it allows [N/m].
    pub available: f64,
    /// What the rendering needs, in the same unit.
    pub needed: f64,
    /// In words.
    pub text: String,
}

/// A knob to turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Knob {
    /// Stiffness [N/m].
    Stiffness,
    /// Coupling damping, or virtual damping of a midpoint world [N·s/m].
    Damping,
    /// Share of the step sent to the device.
    Gamma,
    /// Virtual mass [kg].
    Mass,
    /// Update rate [Hz].
    Rate,
    /// Update rate [Hz], the delay staying the same number of periods.
    RateAndDelay,
    /// Computational delay [s].
    Delay,
    /// The device's own damping [N·s/m].
    DeviceDamping,
    /// The device's Coulomb friction [N].
    Friction,
    /// Encoder step [m].
    EncoderStep,
}

/// A change that makes every bound hold.
#[derive(Debug, Clone, PartialEq)]
pub struct WayOut {
    /// Which knob.
    pub knob: Knob,
    /// Present value.
    pub from: f64,
    /// Value at which all bounds hold.
    pub to: f64,
    /// In words.
    pub text: String,
}

/// The verdict on one rendering on one device.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// Whether every bound holds.
    pub passive: bool,
    /// Every bound, broken ones first.
    pub findings: Vec<Finding>,
    /// Changes that would make it passive, smallest first; empty if it is.
    pub ways_out: Vec<WayOut>,
}

/// Says which bound a rendering breaks on a device, by how much, and the ways out.
///
/// Every way out was checked: with that one change all bounds hold.
/// # Errors
/// A device or rendering with a number out of range.
pub fn explain(device: &Device, rendering: &Rendering) -> Result<Explanation> {
    let mut findings = findings(device, rendering)?;
    findings.sort_by_key(|f| f.holds);
    let passive = findings.iter().all(|f| f.holds);
    let ways_out = if passive { Vec::new() } else { ways_out(device, rendering) };
    Ok(Explanation { passive, findings, ways_out })
}

/// A coupling `K, B, γ` of the engine on a device: [`explain`] for a midpoint world.
/// # Errors
/// A device or coupling with a number out of range.
pub fn explain_coupling(
    device: &Device,
    stiffness: f64,
    virtual_damping: f64,
    gamma: f64,
) -> Result<Explanation> {
    let coupling = MidpointCoupling::new(stiffness, virtual_damping, gamma)?;
    explain(device, &Rendering::Midpoint(coupling))
}

/// A body that is where the device is, with no coupling between: contact of `stiffness` [N/m] and
/// `damping` [N·s/m] as [`explain`] sees it. The engine looks half a step ahead,
/// `f = K (x + T v/2) + B v` with `v` a backward difference, which is a wall with `B + KT/2`.
/// # Errors
/// A device or contact with a number out of range.
pub fn explain_pointer(device: &Device, stiffness: f64, damping: f64) -> Result<Explanation> {
    let ahead = 0.5 * stiffness / device.rate;
    explain(device, &Rendering::Wall(Wall::backward_difference(stiffness, damping + ahead)))
}

/// Whether every bound holds; an error counts as no.
pub(crate) fn all_hold(device: &Device, rendering: &Rendering) -> bool {
    findings(device, rendering).is_ok_and(|list| list.iter().all(|f| f.holds))
}

fn findings(device: &Device, rendering: &Rendering) -> Result<Vec<Finding>> {
    device.check()?;
    let ceiling = device.stiffness_ceiling()?;
    let mut list = vec![damping_finding(device, rendering)?];
    let needed = rendering.stiffness();
    if ceiling.quantisation.is_finite() {
        list.push(stiffness_finding(Bound::Quantisation, ceiling.quantisation, needed));
    }
    if ceiling.published.is_finite() {
        list.push(stiffness_finding(Bound::Published, ceiling.published, needed));
    }
    Ok(list)
}

fn damping_finding(device: &Device, rendering: &Rendering) -> Result<Finding> {
    let available = device.damping;
    match rendering.required_damping(&device.sampling()?) {
        Ok(needed) => {
            // a bound met exactly holds: it is attained only in the limit
            let holds = available >= needed * (1.0 - 1e-12);
            let text = if holds {
                format!(
                    "sampling at {:.6} Hz asks {needed:.6} N·s/m of damping; the device has \
                     {available:.6}, {:.2} times as much",
                    device.rate,
                    available / needed
                )
            } else {
                format!(
                    "sampling at {:.6} Hz asks {needed:.6} N·s/m of damping, but the device has \
                     only {available:.6}: {:.6} N·s/m ({:.1} %) are missing",
                    device.rate,
                    needed - available,
                    100.0 * (needed / available - 1.0)
                )
            };
            Ok(Finding { bound: Bound::Damping, holds, available, needed, text })
        }
        Err(error @ Error::Unstable { .. }) => Ok(unbounded(Bound::Stability, available, &error)),
        Err(error @ Error::Infeasible { .. }) => Ok(unbounded(Bound::Damping, available, &error)),
        Err(error) => Err(error),
    }
}

fn unbounded(bound: Bound, available: f64, error: &Error) -> Finding {
    let text = error.to_string();
    Finding { bound, holds: false, available, needed: f64::INFINITY, text }
}

fn stiffness_finding(bound: Bound, available: f64, needed: f64) -> Finding {
    let holds = needed <= available * (1.0 + 1e-12);
    let source = match bound {
        Bound::Quantisation => "Coulomb friction over the encoder step, 2 f_c/Δ,",
        _ => "the maker",
    };
    let text = if holds {
        format!("{source} allows {available:.6} N/m; the stiffness is {needed:.6}")
    } else {
        format!(
            "{source} allows {available:.6} N/m, but the stiffness is {needed:.6}: \
             {:.1} % too much",
            100.0 * (needed / available - 1.0)
        )
    };
    Finding { bound, holds, available, needed, text }
}
