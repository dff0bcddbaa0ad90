//! Where the hand's coupling stands in the K-B plane of a device.

use crate::protocol::Event;
use palpable_passivity::{Device, Velocity, Wall, max_wall_stiffness, required_damping};
use serde_json::{Value, json};

/// Dampings of the curve, as shares of the device's own.
const SHARES: usize = 49;

/// The largest passive stiffness for each virtual damping, for a wall computed from the device's
/// samples and for our coupling, and where the present coupling `(K, B)` stands.
///
/// # Equation
/// Sampled wall: `[Brown1998, (3.7)]`. Our coupling with the end-of-step position needs
/// `b ≥ K T/2` alone, whatever its damping; friction must pay for the encoder's steps, and the
/// maker may set a limit.
pub fn event((k, b): (f64, f64), device: &Device) -> Event {
    match compute(k, b, device) {
        Ok(value) => Event::Gauge(value),
        Err(error) => Event::Error { text: format!("gauge: {error}") },
    }
}

fn compute(k: f64, b: f64, device: &Device) -> Result<Value, palpable_passivity::Error> {
    let (ceiling, sampling) = (device.stiffness_ceiling()?, device.sampling()?);
    let mut curve = Vec::new();
    for share in 0..SHARES {
        let damping = device.damping * share as f64 / (SHARES - 1) as f64;
        let velocity = Velocity::BackwardDifference;
        let most = max_wall_stiffness(device.damping, damping, velocity, &sampling);
        curve.push([damping, most.unwrap_or(0.0)]);
    }
    let wall = Wall::backward_difference(k, b).transfer_function(&sampling)?;
    let need = required_damping(&wall, &sampling)?.damping;
    let known = |limit: f64| limit.is_finite().then_some(limit);
    Ok(json!({
        "name": device.name,
        "stiffness": k,
        "damping": b,
        "device": device.damping,
        "ceiling": ceiling.lowest(),
        "sampling": ceiling.sampling,
        "quantisation": known(ceiling.quantisation),
        "published": known(ceiling.published),
        "curve": curve,
        "needed": need,
        "sampled": need <= device.damping,
        "coupled": k <= ceiling.lowest(),
    }))
}
