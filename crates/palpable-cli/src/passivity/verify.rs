//! A bound tested in the time domain, from both sides.

use super::loop_args::Loop;
use super::page::number;
use crate::failure::Failure;
use crate::text::{digits, si, wrapped};
use palpable_passivity::{PulseTf, Verification, verify};
use serde_json::{Value, json};

/// Share of the bound on either side that is simulated.
const MARGIN: f64 = 0.05;
/// Mass of a device that nobody described \[kg\].
const MASS: f64 = 0.1;

/// Simulates H(z) with 5 % less and 5 % more damping than the bound; text, JSON, whether the bound
/// lies between.
///
/// # Errors
/// The worst operator cannot be built.
pub fn both_sides(tf: &PulseTf, of: &Loop) -> Result<(String, Value, bool), Failure> {
    let mass = of.mass.unwrap_or(MASS);
    let found = verify(tf, mass, &of.sampling, MARGIN)?;
    let holds = found.brackets();
    Ok((text(&found, mass), object(&found, mass), holds))
}

fn text(found: &Verification, mass: f64) -> String {
    let intro = format!(
        "Verified in the time domain: the device as a continuous mass of {} between samples, \
         against the worst passive operator for {} rad per sample.",
        si(mass * 1e3, "g"),
        digits(found.theta)
    );
    let mut text = wrapped(&intro, 2);
    for (name, (damping, growth)) in [("5 % below", &found.below), ("5 % above", &found.above)] {
        let verb = if growth.is_growing() { "grows" } else { "decays" };
        let rate = digits(growth.rate.abs());
        text.push_str(&format!(
            "    {name} the bound, b = {}: motion {verb}, rate {rate} per second\n",
            si(*damping, "N·s/m")
        ));
    }
    text
}

fn object(found: &Verification, mass: f64) -> Value {
    let side = |(damping, growth): &(f64, palpable_passivity::Growth)| {
        json!({
            "damping": number(*damping),
            "growth_per_second": number(growth.rate),
            "grows": growth.is_growing(),
        })
    };
    json!({
        "device_mass": mass,
        "theta": found.theta,
        "below": side(&found.below),
        "above": side(&found.above),
        "brackets": found.brackets(),
    })
}
