//! `palpable passivity mass`: how light a virtual mass may be behind a coupling.

use super::loop_args::{Loop, LoopArgs};
use super::page::{Page, number};
use super::quantity;
use super::verify::{self, Case, Tested};
use crate::failure::Failure;
use crate::text::{fit, si, wrapped};
use palpable_passivity::{
    CoupledMass, Integrator, MinimumMass, alpha_at_level, clamped_stability_mass, lightest_mass,
};
use palpable_record::figure::{Axis, Color, Figure, Legend, Line, Marker, Panel};
use serde_json::{Value, json};

/// Lightest virtual mass behind a coupling, for each integrator
#[derive(clap::Args)]
#[command(after_help = "Example:
  palpable passivity mass --stiffness 8000 --damping 8 --device-damping 18.6 --verify")]
pub struct Args {
    /// Stiffness of the coupling [N/m]
    #[arg(long, short = 'k', value_parser = quantity::stiffness, allow_negative_numbers = true)]
    stiffness: f64,
    /// Damping of the coupling [N·s/m]; K T unless given
    #[arg(long, short = 'b', value_parser = quantity::damping, allow_negative_numbers = true)]
    damping: Option<f64>,
    #[command(flatten)]
    of: LoopArgs,
    /// Simulate the lightest masses just inside and outside their bound
    #[arg(long)]
    verify: bool,
}

/// One integrator and its masses \[kg\].
struct Row {
    integrator: Integrator,
    passive: MinimumMass,
    stable: f64,
}

/// Answers the question.
pub fn answer(args: &Args) -> Result<Page, Failure> {
    let of = args.of.read()?;
    let (k, h, available) = (args.stiffness, of.sampling.time_step(), of.known_damping()?);
    let damping = args.damping.unwrap_or(k * h);
    let row = |integrator| -> Result<Row, Failure> {
        let passive = lightest_mass(integrator, k, damping, available, &of.sampling)?;
        let stable = clamped_stability_mass(integrator, k, damping, h);
        Ok(Row { integrator, passive, stable })
    };
    let rows = Integrator::ALL.into_iter().map(row).collect::<Result<Vec<_>, _>>()?;
    let coupling = format!("{} and {}", si(k, "N/m"), si(damping, "N·s/m"));
    let title = format!("Lightest mass behind {coupling} on {}", of.words);
    let level = available / (0.5 * k * h + damping);
    let mut page = Page {
        text: table(&title, available, &rows),
        json: json!({
            "stiffness": k, "damping": damping, "device_damping": available,
            "integrators": rows.iter().map(object).collect::<Vec<_>>(),
        }),
        figures: vec![("mass", figure(&title, damping / (k * h), level))],
        holds: rows.iter().any(|row| row.passive != MinimumMass::Never),
    };
    if args.verify {
        test(k, damping, &rows, &of)?.append(&mut page);
    }
    Ok(page)
}

/// Simulates the lightest mass of each integrator; `K T²` where any mass is passive.
fn test(stiffness: f64, damping: f64, rows: &[Row], of: &Loop) -> Result<Tested, Failure> {
    let mut loops = Vec::new();
    for Row { integrator, passive, .. } in rows {
        let mass = match passive {
            MinimumMass::Never => continue,
            MinimumMass::AtLeast(mass) => *mass,
            MinimumMass::Any => stiffness * of.sampling.time_step().powi(2),
        };
        let coupled = CoupledMass { stiffness, damping, mass, integrator: *integrator };
        loops.push(Case {
            name: (name(*integrator).into(), grams(mass)),
            tf: coupled.transfer_function(&of.sampling)?,
            sampling: of.sampling,
        });
    }
    verify::table(["integrator", "mass"], &loops, of.mass)
}

fn table(title: &str, available: f64, rows: &[Row]) -> String {
    let mut text = wrapped(title, 0);
    text.push_str(&format!("  device damping {}\n\n", si(available, "N·s/m")));
    let line = |name: &str, passive: &str, stable: &str| {
        format!("  {}{passive:>14}{stable:>22}\n", fit(name, 34))
    };
    text.push_str(&line("integrator", "passive", "stable, clamped"));
    for Row { integrator, passive, stable } in rows {
        let stable = if *stable == 0.0 { "any".into() } else { grams(*stable) };
        text.push_str(&line(name(*integrator), &words(*passive), &stable));
    }
    let hint = "The midpoint coupling of this engine has no minimum mass: `palpable passivity \
                coupling --gamma 1`.";
    text.push('\n');
    text.push_str(&wrapped(hint, 2));
    text
}

fn object(row: &Row) -> Value {
    json!({
        "integrator": word(row.integrator),
        "minimum_mass": number(row.passive.kilograms()),
        "passive_masses": match row.passive {
            MinimumMass::Any => "any",
            MinimumMass::AtLeast(_) => "at least",
            MinimumMass::Never => "none",
        },
        "stable_mass": number(row.stable),
    })
}

/// Level curves of the explicit methods: largest α = K T² / m over β = B / (K T), where `b*` is
/// the device's damping over what the bare coupling asks.
fn figure(title: &str, beta: f64, own_level: f64) -> Figure {
    let betas: Vec<f64> = (0..=300).map(|i| 0.3 + 3.7 * f64::from(i) / 300.0).collect();
    let mut figure = Figure::new(title, Axis::new("β = B / (K T)", "")).columns(2);
    for integrator in [Integrator::SymplecticEuler, Integrator::Trapezoidal] {
        let alpha =
            |beta: f64, level: f64| alpha_at_level(integrator, beta, level).unwrap_or(f64::NAN);
        let curve = |level| betas.iter().map(|beta| alpha(*beta, level)).collect::<Vec<f64>>();
        let mut panel = Panel::new(Axis::new("largest α = K T² / m", "")).title(name(integrator));
        for level in [1.0, 1.1, 1.5, 2.0] {
            panel = panel.line(Line::new(format!("b* = {level}"), &betas, &curve(level)));
        }
        if own_level >= 1.0 {
            let own = Line::new("this device", &betas, &curve(own_level));
            let here = [alpha(beta, own_level)];
            let mark = Line::scatter("this coupling", &[beta], &here, Marker::Disc);
            panel = panel.line(own.color(Color::BLACK)).line(mark.color(Color::BLACK));
        }
        figure = figure.panel(panel);
    }
    figure.size(880.0, 460.0).legend(Legend::Below)
}

/// `any`, `none` or a mass.
pub fn words(least: MinimumMass) -> String {
    match least {
        MinimumMass::Any => "any".into(),
        MinimumMass::AtLeast(mass) => grams(mass),
        MinimumMass::Never => "none".into(),
    }
}

/// A mass in grams, with a prefix.
pub fn grams(mass: f64) -> String {
    if mass.is_finite() { si(1e3 * mass, "g") } else { "none".into() }
}

/// What people call an integrator.
fn name(integrator: Integrator) -> &'static str {
    match integrator {
        Integrator::DelayedEuler => "delayed Euler (method 1)",
        Integrator::SymplecticEuler => "symplectic Euler (method 2)",
        Integrator::Trapezoidal => "trapezoidal (method 3)",
        Integrator::ImplicitEuler => "implicit Euler",
        Integrator::ImplicitTaylor => "implicit, second order",
    }
}

/// One word for programs and options.
pub fn word(integrator: Integrator) -> &'static str {
    match integrator {
        Integrator::DelayedEuler => "delayed-euler",
        Integrator::SymplecticEuler => "symplectic-euler",
        Integrator::Trapezoidal => "trapezoidal",
        Integrator::ImplicitEuler => "implicit-euler",
        Integrator::ImplicitTaylor => "implicit-taylor",
    }
}
