//! The four-step tuning procedure `[Brown1998, sec. 7.2]`, computed instead of tried.

use crate::device::{Device, StiffnessCeiling};
use crate::error::{Result, positive, unit_interval};
use crate::explain::Bound;
use crate::mass::{CoupledMass, Integrator};
use crate::midpoint::MidpointCoupling;
use crate::minimum_mass::{MinimumMass, minimum_mass};
use crate::rendering::Rendering;
use crate::sampling::Sampling;
use crate::wall::Wall;

/// What the user wants from the tuning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TuneOptions {
    /// `β = B/(KT)`; 1 nearly maximises the range of masses for the trapezoidal method.
    pub beta: f64,
    /// Share of the largest stiffness to use, e.g. 0.9.
    pub share: f64,
    /// How virtual masses are integrated.
    pub integrator: Integrator,
    /// A virtual mass that must be possible [kg], if any.
    pub wanted_mass: Option<f64>,
}

impl Default for TuneOptions {
    fn default() -> Self {
        Self { beta: 1.0, share: 0.9, integrator: Integrator::Trapezoidal, wanted_mass: None }
    }
}

/// Whether the update rate is fast enough to feel rigid `[Brown1998, sec. 7.2]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RateVerdict {
    /// 500 Hz or more: collisions feel reasonably rigid.
    Good,
    /// 200 to 500 Hz.
    Fair,
    /// Below 200 Hz: poor feel or stability trouble is likely.
    Poor,
}

/// One stiffness of the trade between stiffness and minimum mass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TradePoint {
    /// Coupling stiffness [N/m].
    pub stiffness: f64,
    /// Coupling damping [N·s/m].
    pub damping: f64,
    /// Lightest virtual mass.
    pub minimum_mass: MinimumMass,
}

/// The four steps, and the coupling they end with.
#[derive(Debug, Clone, PartialEq)]
pub struct TuneReport {
    /// Step 1: update rate [Hz].
    pub rate: f64,
    /// Step 1: whether it is fast enough.
    pub rate_verdict: RateVerdict,
    /// Step 2: ceilings on the stiffness of a spring alone.
    pub ceiling: StiffnessCeiling,
    /// Step 2: largest passive stiffness with damping `β K T` [N/m].
    pub max_stiffness: f64,
    /// Step 2: which bound set it.
    pub limited_by: Bound,
    /// Step 3: the chosen coupling and its lightest mass.
    pub chosen: TradePoint,
    /// Step 3: device damping over what the chosen coupling asks; above 1 is passive.
    pub margin: f64,
    /// Step 4: minimum mass at tenths of the largest stiffness.
    pub trade: Vec<TradePoint>,
    /// The midpoint coupling of the same share of stiffness, γ = 1, without a minimum mass.
    pub midpoint: MidpointCoupling,
    /// Remarks for the user.
    pub notes: Vec<String>,
}

/// Walks the four steps for a device.
///
/// 1. Take the update rate. 2. Find the largest stiffness and damping of a bilateral wall. 3. Find
///    the lightest mass behind that coupling. 4. Trade stiffness for lighter masses.
/// # Differs from the source
/// Steps 2 and 3 are computed, with delay, quantisation and the maker's limit included; the source
/// finds them by experiment.
/// # Errors
/// A device or option out of range.
pub fn tune(device: &Device, options: &TuneOptions) -> Result<TuneReport> {
    device.check()?;
    positive("beta", options.beta, "use 1, or more for heavier damping")?;
    unit_interval("share", options.share, "use e.g. 0.9 of the largest stiffness")?;
    positive("share", options.share, "use e.g. 0.9 of the largest stiffness")?;
    let sampling = device.sampling()?;
    let ceiling = device.stiffness_ceiling()?;
    let (max_stiffness, limited_by) = largest_wall(device, options.beta, &sampling, &ceiling)?;
    let point = |stiffness: f64| trade_point(device, options, &sampling, stiffness);
    let trade: Vec<TradePoint> = (1..=10)
        .rev()
        .map(|i| point(max_stiffness * f64::from(i) / 10.0))
        .collect::<Result<_>>()?;
    let mut notes = Vec::new();
    let stiffness = choose(options, max_stiffness, &point, &mut notes)?;
    let chosen = point(stiffness)?;
    let wall = Wall::backward_difference(stiffness, chosen.damping);
    let asked = Rendering::Wall(wall).required_damping(&sampling)?;
    let rate_verdict = judge(device.rate);
    remark(device, rate_verdict, limited_by, chosen.minimum_mass, &mut notes);
    Ok(TuneReport {
        rate: device.rate,
        rate_verdict,
        ceiling,
        max_stiffness,
        limited_by,
        chosen,
        margin: device.damping / asked,
        trade,
        midpoint: midpoint_for(device, options, &sampling, &ceiling)?,
        notes,
    })
}

fn judge(rate: f64) -> RateVerdict {
    if rate >= 500.0 {
        RateVerdict::Good
    } else if rate >= 200.0 {
        RateVerdict::Fair
    } else {
        RateVerdict::Poor
    }
}

/// Largest K with `B = β K T`: the demand is proportional to K, so one evaluation suffices.
fn largest_wall(
    device: &Device,
    beta: f64,
    sampling: &Sampling,
    ceiling: &StiffnessCeiling,
) -> Result<(f64, Bound)> {
    let unit = Wall::backward_difference(1.0, beta * sampling.time_step());
    let per_stiffness = Rendering::Wall(unit).required_damping(sampling)?;
    let limits = [
        (device.damping / per_stiffness, Bound::Damping),
        (ceiling.quantisation, Bound::Quantisation),
        (ceiling.published, Bound::Published),
    ];
    let (stiffness, bound) =
        limits.into_iter().fold(limits[0], |least, l| if l.0 < least.0 { l } else { least });
    let cure = "an encoder with steps needs some Coulomb friction: use a finer one, or a filter";
    positive("largest stiffness [N/m]", stiffness, cure)?;
    Ok((stiffness, bound))
}

fn trade_point(
    device: &Device,
    options: &TuneOptions,
    sampling: &Sampling,
    stiffness: f64,
) -> Result<TradePoint> {
    let damping = options.beta * stiffness * sampling.time_step();
    let minimum_mass =
        lightest_mass(options.integrator, stiffness, damping, device.damping, sampling)?;
    Ok(TradePoint { stiffness, damping, minimum_mass })
}

/// The share asked for, or less if a lighter mass is wanted.
fn choose(
    options: &TuneOptions,
    max_stiffness: f64,
    point: &impl Fn(f64) -> Result<TradePoint>,
    notes: &mut Vec<String>,
) -> Result<f64> {
    let top = options.share * max_stiffness;
    let Some(wanted) = options.wanted_mass else { return Ok(top) };
    positive("wanted mass [kg]", wanted, "give the lightest mass of the scene")?;
    let fits = |k: f64| point(k).map(|p| p.minimum_mass.kilograms() <= wanted);
    if fits(top)? {
        return Ok(top);
    }
    let (mut low, mut high) = (0.0, top);
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        if fits(middle)? { low = middle } else { high = middle }
    }
    if low == 0.0 {
        notes.push(format!(
            "no stiffness allows a mass of {wanted:.6} kg with this integrator: use the midpoint \
             coupling"
        ));
        return Ok(top);
    }
    notes
        .push(format!("stiffness lowered from {top:.6} to {low:.6} N/m for a {wanted:.6} kg mass"));
    Ok(low)
}

/// γ = 1 and `B_r = KT/2`, as stiff as the share of its own bound allows, delay included.
fn midpoint_for(
    device: &Device,
    options: &TuneOptions,
    sampling: &Sampling,
    ceiling: &StiffnessCeiling,
) -> Result<MidpointCoupling> {
    let h = sampling.time_step();
    // the demand is proportional to K as long as B_r is
    let unit = Rendering::Midpoint(MidpointCoupling::recommended(1.0, h)?);
    let sampled = match unit.required_damping(sampling) {
        Ok(per_stiffness) => device.damping / per_stiffness,
        Err(_) => ceiling.sampling,
    };
    let stiffness = sampled.min(ceiling.quantisation).min(ceiling.published);
    MidpointCoupling::recommended(options.share * stiffness, h)
}

/// [`minimum_mass`], or a search over masses if the loop has a delay.
///
/// # Errors
/// Numbers out of range.
pub fn lightest_mass(
    integrator: Integrator,
    stiffness: f64,
    damping: f64,
    device_damping: f64,
    sampling: &Sampling,
) -> Result<MinimumMass> {
    let h = sampling.time_step();
    if sampling.delay_periods() == 0.0 {
        return minimum_mass(integrator, stiffness, damping, h, device_damping);
    }
    let wall = Rendering::Wall(Wall::backward_difference(stiffness, damping));
    if wall.required_damping(sampling)? > device_damping * (1.0 + 1e-9) {
        return Ok(MinimumMass::Never);
    }
    let passes = |alpha: f64| {
        let mass = stiffness * h * h / alpha;
        let coupled = Rendering::Mass(CoupledMass { stiffness, damping, mass, integrator });
        coupled.required_damping(sampling).is_ok_and(|b| b <= device_damping * (1.0 + 1e-9))
    };
    // heavy to light in steps of 20 %, then bisection
    let (mut low, mut high) = (1e-4, 1e-4);
    while high < 1e3 && passes(high) {
        low = high;
        high *= 1.2;
    }
    if high >= 1e3 {
        return Ok(MinimumMass::Any);
    }
    if low == high {
        return Ok(MinimumMass::Never);
    }
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if passes(middle) { low = middle } else { high = middle }
    }
    Ok(MinimumMass::AtLeast(stiffness * h * h / low))
}

fn remark(
    device: &Device,
    rate: RateVerdict,
    limited_by: Bound,
    lightest: MinimumMass,
    notes: &mut Vec<String>,
) {
    match rate {
        RateVerdict::Good => {}
        RateVerdict::Fair => notes.push("below 500 Hz collisions feel soft".into()),
        RateVerdict::Poor => {
            notes.push("below 200 Hz expect poor feel; raise the update rate first".into());
        }
    }
    if limited_by == Bound::Quantisation {
        notes.push("the encoder limits stiffness: a finer one gains more than damping".into());
    }
    if lightest == MinimumMass::Never {
        notes.push("this integrator carries no mass at this coupling: use the midpoint one".into());
    }
    if let Some(force) = device.max_force {
        notes.push(format!("at {force:.6} N the amplifier saturates: limit forces before it"));
    }
}
