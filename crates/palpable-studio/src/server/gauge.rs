//! Where the hand's coupling stands in the K-B plane of a device.

use crate::protocol::Event;
use palpable_passivity::{Device, Velocity, Wall, max_wall_stiffness, required_damping};
use serde_json::{Value, json};

/// Dampings of the curve, as shares of the device's own.
const SHARES: usize = 49;

/// The largest passive stiffness for each virtual damping, for a wall computed from the device's
/// samples and for our coupling, and where the present coupling `(K, B, h)` stands.
///
/// # Equation
/// Sampled wall: `[Brown1998, (3.7)]`. Our coupling with the end-of-step position needs
/// `b ≥ K T/2` alone, whatever its damping.
pub fn event((k, b, _): (f64, f64, f64), damping: f64, rate: f64, delay: f64) -> Event {
    match compute(k, b, damping, rate, delay) {
        Ok(value) => Event::Gauge(value),
        Err(error) => Event::Error { text: format!("gauge: {error}") },
    }
}

fn compute(
    k: f64,
    b: f64,
    damping: f64,
    rate: f64,
    delay: f64,
) -> Result<Value, palpable_passivity::Error> {
    let mut device = Device::new("gauge", 0.1, damping, rate);
    device.delay = delay;
    let ceiling = device.stiffness_ceiling()?.sampling;
    let sampling = device.sampling()?;
    let mut curve = Vec::new();
    for share in 0..SHARES {
        let virtual_damping = damping * share as f64 / (SHARES - 1) as f64;
        let most =
            max_wall_stiffness(damping, virtual_damping, Velocity::BackwardDifference, &sampling);
        curve.push([virtual_damping, most.unwrap_or(0.0)]);
    }
    let wall = Wall::backward_difference(k, b).transfer_function(&sampling)?;
    let need = required_damping(&wall, &sampling)?.damping;
    Ok(json!({
        "stiffness": k,
        "damping": b,
        "device": damping,
        "ceiling": ceiling,
        "curve": curve,
        "needed": need,
        "sampled": need <= damping,
        "coupled": k <= ceiling,
    }))
}
