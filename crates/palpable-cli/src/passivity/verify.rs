//! A bound tested in the time domain, from both sides.

use super::loop_args::Loop;
use super::page::{Page, number};
use crate::failure::Failure;
use crate::text::{digits, fit, si, wrapped};
use palpable_passivity::{
    Growth, PassiveWorld, PulseTf, Rendering, Sampling, Verification, verify, verify_coupling,
};
use serde_json::{Value, json};

/// Share of the bound on either side that is simulated.
const MARGIN: f64 = 0.05;
/// Mass of a device that nobody described \[kg\].
const MASS: f64 = 0.1;

/// A bound tested in the time domain.
pub struct Tested {
    /// For people.
    text: String,
    /// For programs.
    json: Value,
    /// Whether the bound lies between what was simulated.
    holds: bool,
}

impl Tested {
    /// Adds the test to an answer.
    pub fn append(self, page: &mut Page) {
        page.text.push_str(&self.text);
        page.json["verification"] = self.json;
        page.holds &= self.holds;
    }
}

/// Simulates H(z) with 5 % less and 5 % more damping than the bound.
///
/// # Errors
/// The worst operator cannot be built.
pub fn both_sides(tf: &PulseTf, of: &Loop) -> Result<Tested, Failure> {
    let mass = of.mass.unwrap_or(MASS);
    let found = verify(tf, mass, &of.sampling, MARGIN)?;
    Ok(Tested {
        text: intro(&found, mass, "") + &sides(&found),
        json: object(&found, mass),
        holds: found.brackets(),
    })
}

/// The same for a coupling, with the passive world behind it that asks most.
///
/// # Errors
/// The coupling has no bound, or the worst operator cannot be built.
pub fn coupling(rendering: &Rendering, of: &Loop) -> Result<Tested, Failure> {
    let mass = of.mass.unwrap_or(MASS);
    let (world, found) = verify_coupling(rendering, mass, &of.sampling, MARGIN)?;
    let (words, kind, size) = match world {
        PassiveWorld::Rigid => ("a rigid wall".into(), "rigid", None),
        PassiveWorld::Mass(m) => (format!("a mass of {}", si(m * 1e3, "g")), "mass", Some(m)),
        PassiveWorld::Spring(k) => (format!("a spring of {}", si(k, "N/m")), "spring", Some(k)),
    };
    let behind = format!("with the world that asks most behind the coupling, {words}, ");
    let mut json = object(&found, mass);
    json["world"] = json!({ "kind": kind, "value": size });
    json["world_damping"] = number(found.damping);
    let text = intro(&found, mass, &behind) + &sides(&found);
    Ok(Tested { text, json, holds: found.brackets() })
}

/// One loop of several.
pub struct Case {
    /// What it is called, and what is rendered.
    pub name: (String, String),
    /// What is rendered.
    pub tf: PulseTf,
    /// When it samples.
    pub sampling: Sampling,
}

/// Several loops on a device of `mass` \[kg\], one line each, under `heads`.
///
/// # Errors
/// A worst operator cannot be built.
pub fn table(heads: [&str; 2], cases: &[Case], mass: Option<f64>) -> Result<Tested, Failure> {
    let mass = mass.unwrap_or(MASS);
    let title = format!(
        "Verified in the time domain: the device as a continuous mass of {} between samples, each \
         loop against its worst passive operator, with 5 % less and 5 % more damping than it asks. \
         Rates per second; above zero it grows.",
        si(mass * 1e3, "g"),
    );
    let line = |name: &str, what: &str, b: &str, below: &str, above: &str| {
        format!("  {}{what:>10}{b:>14}{below:>12}{above:>12}\n", fit(name, 28))
    };
    let mut text = format!("\n{}\n", wrapped(&title, 2));
    text.push_str(&line(heads[0], heads[1], "asks", "5 % less", "5 % more"));
    let (mut list, mut holds) = (Vec::new(), true);
    for Case { name: (name, what), tf, sampling } in cases {
        let found = verify(tf, mass, sampling, MARGIN)?;
        let rate = |growth: &Growth| format!("{:+.3e}", growth.rate);
        let bound = si(found.damping, "N·s/m");
        text.push_str(&line(name, what, &bound, &rate(&found.below.1), &rate(&found.above.1)));
        let mut row = object(&found, mass);
        row["name"] = name.as_str().into();
        list.push(row);
        holds &= found.brackets();
    }
    Ok(Tested { text, json: list.into(), holds })
}

fn intro(found: &Verification, mass: f64, behind: &str) -> String {
    let words = format!(
        "Verified in the time domain: the device as a continuous mass of {} between samples, \
         {behind}against the worst passive operator for {} rad per sample.",
        si(mass * 1e3, "g"),
        digits(found.theta)
    );
    wrapped(&words, 2)
}

fn sides(found: &Verification) -> String {
    let mut text = String::new();
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
    let side = |(damping, growth): &(f64, Growth)| {
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
