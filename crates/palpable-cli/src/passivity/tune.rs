//! `palpable passivity tune`: from a device profile to K, B, the lightest mass and scene lines.

use super::loop_args::LoopArgs;
use super::mass::{word, words};
use super::page::{Page, line, number};
use super::{profile, quantity, verify};
use crate::failure::Failure;
use crate::text::{digits, hanging, si, tidy, wrapped};
use palpable_passivity::{
    Bound, Device, Integrator, RateVerdict, TuneOptions, TuneReport, Wall, tune,
};
use palpable_record::figure::{Axis, Figure, Line, Marker, Panel};
use serde_json::{Value, json};

/// From a device profile to K, B, the lightest mass, margins and scene lines
///
/// Walks the four steps of [Brown1998, sec. 7.2]: rate, stiffest wall, lightest
/// mass, trade of stiffness for mass.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  palpable passivity tune --device devices/example.toml --verify"
)]
pub struct Args {
    #[command(flatten)]
    of: LoopArgs,
    /// Damping of the coupling as β = B / (K T)
    #[arg(long, default_value_t = 1.0)]
    beta: f64,
    /// Share of the largest stiffness to use, 0 to 1
    #[arg(long, default_value_t = 0.9)]
    share: f64,
    /// A virtual mass that must be possible [kg]
    #[arg(long, value_name = "M", value_parser = quantity::mass, allow_negative_numbers = true)]
    mass: Option<f64>,
    /// How virtual masses are integrated
    #[arg(long, default_value = "trapezoidal",
        value_parser = clap::builder::PossibleValuesParser::new(Integrator::ALL.map(word)))]
    integrator: String,
    /// Simulate just inside and outside the bound
    #[arg(long)]
    verify: bool,
}

/// Answers the question.
pub fn answer(args: &Args) -> Result<Page, Failure> {
    let known = args.of.whole_device()?;
    let default = TuneOptions::default();
    let named = Integrator::ALL.into_iter().find(|i| word(*i) == args.integrator);
    let options = TuneOptions {
        beta: args.beta,
        share: args.share,
        integrator: named.unwrap_or(default.integrator),
        wanted_mass: args.mass,
    };
    let report = tune(&known.device, &options)?;
    let mut text = format!("Tuning for {}\n", known.device.name);
    text.push_str(&profile::provenance(&known));
    text.push('\n');
    text.push_str(&steps(&report, &options));
    text.push('\n');
    text.push_str(&beside(&report));
    let mut page = Page {
        text,
        json: object(&known.device, &report),
        figures: vec![("tune", figure(&known.device, &report))],
        holds: report.margin >= 1.0 - 1e-12,
    };
    if args.verify {
        let wall = Wall::backward_difference(report.chosen.stiffness, report.chosen.damping);
        let of = args.of.read()?;
        page.text.push('\n');
        verify::both_sides(&wall.transfer_function(&of.sampling)?, &of)?.append(&mut page);
    }
    page.text.push_str("\nScene lines to paste, with the name of your body:\n\n");
    page.text.push_str(&scene(&report));
    Ok(page)
}

fn steps(report: &TuneReport, options: &TuneOptions) -> String {
    let verdict = match report.rate_verdict {
        RateVerdict::Good => "good",
        RateVerdict::Fair => "fair",
        RateVerdict::Poor => "poor",
    };
    let limit = match report.limited_by {
        Bound::Damping => "sampling, against the device's damping",
        Bound::Quantisation => "the encoder, against its friction",
        Bound::Stability => "stability",
        Bound::Published => "the maker",
    };
    let chosen = &report.chosen;
    let mut text = line("1. update rate", &format!("{} ({verdict})", si(report.rate, "Hz")));
    let most = format!("{} with β = {}", si(report.max_stiffness, "N/m"), digits(options.beta));
    text.push_str(&line("2. stiffest wall", &most));
    text.push_str(&line("   limited by", limit));
    let share = digits(100.0 * options.share);
    text.push_str(&line(&format!("3. coupling, at most {share} %"), &si(chosen.stiffness, "N/m")));
    text.push_str(&line("   its damping", &si(chosen.damping, "N·s/m")));
    text.push_str(&line("   lightest mass", &words(chosen.minimum_mass)));
    let margin = format!("{} times the damping asked", digits(report.margin));
    text.push_str(&line("   the device has", &margin));
    text.push_str(&line("4. trade", "stiffness against lightest mass"));
    for point in report.trade.iter().step_by(3) {
        let pair = format!("{:>12}  {:>12}", si(point.stiffness, "N/m"), words(point.minimum_mass));
        text.push_str(&line("", &pair));
    }
    text
}

/// The coupling of this engine, and remarks.
fn beside(report: &TuneReport) -> String {
    let end = &report.midpoint;
    let words = format!(
        "Or the midpoint coupling of this engine, without a minimum mass: {} with a virtual \
         damping of {} and γ = 1.",
        si(end.stiffness(), "N/m"),
        si(end.virtual_damping(), "N·s/m")
    );
    let mut text = wrapped(&words, 2);
    for note in &report.notes {
        text.push_str(&hanging(&format!("Note: {}.", tidy(note)), 2, 2));
    }
    text
}

/// Scene lines with the midpoint coupling.
fn scene(report: &TuneReport) -> String {
    let end = &report.midpoint;
    format!(
        "[[port]]\nname = \"hand\"\nbody = \"NAME\"\nkind = \"reference\"\n\
         stiffness = \"{} N/m\"\ndamping = \"{} N s/m\"\n\n[step]\nlength = {:?}\n",
        down(end.stiffness()),
        down(end.virtual_damping()),
        1.0 / report.rate
    )
}

/// A number cut to four digits, never above itself, so that it stays within its bound.
fn down(value: f64) -> f64 {
    let unit = 10f64.powi(value.log10().floor() as i32 - 3);
    // a quotient that is whole up to rounding stays whole
    let cut = (value / unit + 1e-9).floor() * unit;
    if cut > 0.0 { format!("{cut:.3e}").parse().unwrap_or(cut) } else { value }
}

fn object(device: &Device, report: &TuneReport) -> Value {
    let point = |p: &palpable_passivity::TradePoint| {
        json!({
            "stiffness": p.stiffness,
            "damping": p.damping,
            "minimum_mass": number(p.minimum_mass.kilograms()),
        })
    };
    json!({
        "device": device.name,
        "rate": report.rate,
        "max_stiffness": report.max_stiffness,
        "chosen": point(&report.chosen),
        "margin": report.margin,
        "trade": report.trade.iter().map(point).collect::<Vec<_>>(),
        "midpoint": {
            "stiffness": report.midpoint.stiffness(),
            "virtual_damping": report.midpoint.virtual_damping(),
            "gamma": report.midpoint.gamma(),
        },
        "notes": report.notes,
        "scene": scene(report),
    })
}

/// The trade between stiffness and lightest mass.
fn figure(device: &Device, report: &TuneReport) -> Figure {
    let of = |p: &palpable_passivity::TradePoint| (p.stiffness, 1e3 * p.minimum_mass.kilograms());
    let (x, y): (Vec<f64>, Vec<f64>) = report.trade.iter().map(of).unzip();
    let (k, m) = of(&report.chosen);
    let panel = Panel::new(Axis::new("lightest virtual mass", "g").include(0.0))
        .line(Line::new("trade", &x, &y).marker(Marker::Disc))
        .line(Line::scatter("chosen", &[k], &[m], Marker::Diamond));
    Figure::new(format!("{}: stiffness against mass", device.name), Axis::new("stiffness", "N/m"))
        .panel(panel)
}
