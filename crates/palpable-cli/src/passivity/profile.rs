//! `palpable passivity profile`: checks a device profile and says what it allows.

use super::device_file::{Profile, load_profile};
use super::page::{Page, line, number};
use crate::failure::Failure;
use crate::text::{si, wrapped};
use palpable_passivity::StiffnessCeiling;
use serde_json::json;
use std::path::PathBuf;

/// Check a device profile and say what it allows
#[derive(clap::Args)]
#[command(after_help = "Example:\n  palpable passivity profile devices/example.toml")]
pub struct Args {
    /// Device profile (TOML), or the name of one inside the program, such as touch
    file: PathBuf,
}

/// Answers the question.
pub fn answer(args: &Args) -> Result<Page, Failure> {
    let known = load_profile(&args.file)?;
    let device = &known.device;
    let ceiling = device.stiffness_ceiling()?;
    let value = |field: &str, text: String| {
        let mark = if known.assumed.iter().any(|a| a == field) { "  (assumed)" } else { "" };
        format!("{text}{mark}")
    };
    let mut text = format!("{}\n{}\n", device.name, provenance(&known));
    let rows = [
        ("mass", "moving mass", si(1e3 * device.mass, "g")),
        ("damping", "viscous damping", si(device.damping, "N·s/m")),
        ("coulomb_friction", "Coulomb friction", si(device.coulomb_friction, "N")),
        ("encoder_step", "encoder step", si(device.encoder_step, "m")),
        ("rate", "update rate", si(device.rate, "Hz")),
        ("delay", "delay", si(device.delay, "s")),
        ("max_force", "largest force", limit(device.max_force, "N")),
        ("max_stiffness", "stiffness by the maker", limit(device.max_stiffness, "N/m")),
    ];
    rows.into_iter().for_each(|(field, name, amount)| {
        text.push_str(&line(name, &value(field, amount)));
    });
    text.push_str("\n  stiffest spring it renders passively\n");
    text.push_str(&ceilings(&ceiling));
    Ok(Page {
        text,
        json: json!({
            "name": device.name, "status": known.status, "source": known.source,
            "assumed": known.assumed, "mass": device.mass, "damping": device.damping,
            "coulomb_friction": device.coulomb_friction, "encoder_step": device.encoder_step,
            "rate": device.rate, "delay": device.delay, "max_force": device.max_force,
            "max_stiffness": device.max_stiffness,
            "stiffness_ceiling": {
                "sampling": number(ceiling.sampling),
                "quantisation": number(ceiling.quantisation),
                "published": number(ceiling.published),
                "lowest": number(ceiling.lowest()),
            },
        }),
        figures: Vec::new(),
        holds: true,
    })
}

fn ceilings(ceiling: &StiffnessCeiling) -> String {
    let stiffness = |k: f64| if k.is_finite() { si(k, "N/m") } else { "no limit".into() };
    [
        ("  by sampling", ceiling.sampling),
        ("  by the encoder", ceiling.quantisation),
        ("  by the maker", ceiling.published),
        ("  lowest", ceiling.lowest()),
    ]
    .map(|(name, k)| line(name, &stiffness(k)))
    .concat()
}

fn limit(amount: Option<f64>, unit: &str) -> String {
    amount.map_or_else(|| "unknown".into(), |amount| si(amount, unit))
}

/// Where the numbers of a profile come from, for people.
pub fn provenance(known: &Profile) -> String {
    let mut text = wrapped(&format!("{}: {}", known.status, known.source), 2);
    if !known.assumed.is_empty() {
        let fields = known.assumed.join(", ").replace('_', " ");
        text.push_str(&wrapped(&format!("Assumed, since no source gives it: {fields}."), 2));
    }
    text
}
