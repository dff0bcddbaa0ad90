//! Where the hand's coupling stands in the K-B plane of a device.

use crate::protocol::Event;
use palpable_passivity::{Device, Velocity, Wall, max_wall_stiffness, required_damping};
use serde_json::{Value, json};

/// Dampings of the curve, as shares of the device's own.
const SHARES: usize = 49;
/// Samples of delay that are analysed at the device's own rate.
const MOST_SAMPLES: f64 = 50.0;

/// The largest passive stiffness for each virtual damping, for a wall computed from the device's
/// samples and for our coupling, and where the present coupling `(K, B)` stands.
///
/// # Equation
/// Sampled wall: `[Brown1998, (3.7)]`. Our coupling with the end-of-step position needs
/// `b ≥ K T/2` alone, whatever its damping; friction must pay for the encoder's steps, and the
/// maker may set a limit.
pub fn event((k, b): (f64, f64), device: &Device) -> Event {
    let sound = (1e-6..=1e6).contains(&device.damping)
        && (1.0..=1e5).contains(&device.rate)
        && (0.0..=10.0).contains(&device.delay);
    if !sound {
        let text = "gauge: give a damping of 1e-6 to 1e6 N·s/m, 1 to 1e5 Hz and up to 10 s";
        return Event::Error { text: text.into() };
    }
    match compute(k, b, &coarsened(device)) {
        Ok(value) => Event::Gauge(value),
        Err(error) => Event::Error { text: format!("gauge: {error}") },
    }
}

/// A device whose delay is at most so many samples: the work grows with the square of that, and
/// half a sample more of delay, of which a coarser rate has one percent, asks for more damping.
fn coarsened(device: &Device) -> Device {
    let rate = if device.delay > 0.0 { MOST_SAMPLES / device.delay } else { f64::INFINITY };
    Device { rate: device.rate.min(rate), ..device.clone() }
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
