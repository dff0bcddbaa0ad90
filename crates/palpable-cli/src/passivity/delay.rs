//! `palpable passivity delay`: what a late force costs.

use super::loop_args::LoopArgs;
use super::page::{Page, number};
use super::spring_args::SpringArgs;
use super::verify::{self, Case};
use crate::failure::Failure;
use crate::text::{si, wrapped};
use palpable_passivity::{Rendering, Sampling, Velocity, Wall, max_wall_stiffness};
use palpable_record::figure::{Axis, Figure, Line, Panel};
use serde_json::json;

/// What a force that comes late costs: damping asked, stiffness left
#[derive(clap::Args)]
#[command(after_help = "Example:
  palpable passivity delay --stiffness 1000 --damping 1 --device-damping 3 \\
      --verify")]
pub struct Args {
    #[command(flatten)]
    spring: SpringArgs,
    #[command(flatten)]
    of: LoopArgs,
    /// Simulate each delay just inside and outside its bound
    #[arg(long)]
    verify: bool,
}

/// One delay and what it costs.
struct Cost {
    /// \[s\]
    delay: f64,
    /// Damping asked of the device \[N·s/m\].
    damping: f64,
    /// Stiffness that the device can still render \[N/m\], if its damping is known.
    stiffness: Option<f64>,
}

/// Delays in the table, in periods.
const PERIODS: [f64; 7] = [0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0];

/// Answers the question.
pub fn answer(args: &Args) -> Result<Page, Failure> {
    let of = args.of.read()?;
    let h = of.sampling.time_step();
    let cost = |periods: f64| cost(args, of.damping, h, periods);
    // the delay asked for is in the table, wherever it falls
    let mut periods = PERIODS.to_vec();
    periods.extend(args.of.delay().map(|delay| delay / h).filter(|p| !PERIODS.contains(p)));
    periods.sort_by(f64::total_cmp);
    let last = periods.last().copied().unwrap_or(3.0);
    let table = periods.iter().copied().map(cost).collect::<Result<Vec<_>, _>>()?;
    let fine = (0..=60).map(|i| last * f64::from(i) / 60.0);
    let curve = fine.map(cost).collect::<Result<Vec<_>, _>>()?;
    let wall =
        format!("{} and {}", si(args.spring.stiffness, "N/m"), si(args.spring.damping, "N·s/m"));
    let title = format!("A wall of {wall} at {}", si(1.0 / h, "Hz"));
    let object = |c: &Cost| {
        json!({
            "delay": c.delay,
            "required_damping": number(c.damping),
            "max_stiffness": c.stiffness.map(number),
        })
    };
    let mut page = Page {
        text: text(&title, &table),
        json: json!({
            "stiffness": args.spring.stiffness, "damping": args.spring.damping,
            "device_damping": of.damping,
            "delays": table.iter().map(object).collect::<Vec<_>>(),
        }),
        figures: vec![("delay", figure(&title, &curve))],
        holds: true,
    };
    if args.verify {
        let cases = periods.into_iter().map(|p| case(args, h, p)).collect::<Result<Vec<_>, _>>()?;
        verify::table(["delay", ""], &cases, of.mass)?.append(&mut page);
    }
    Ok(page)
}

/// The wall at a delay of some periods of `h` \[s\].
fn case(args: &Args, h: f64, periods: f64) -> Result<Case, Failure> {
    let sampling = Sampling::new(h)?.with_delay_seconds(periods * h)?;
    let wall = Wall::backward_difference(args.spring.stiffness, args.spring.damping);
    let tf = wall.transfer_function(&sampling)?;
    Ok(Case { name: (si(sampling.delay(), "s"), String::new()), tf, sampling })
}

/// What a delay of some periods of `h` \[s\] costs on a device of `available` \[N·s/m\].
fn cost(args: &Args, available: Option<f64>, h: f64, periods: f64) -> Result<Cost, Failure> {
    let sampling = Sampling::new(h)?.with_delay_seconds(periods * h)?;
    let wall = Wall::backward_difference(args.spring.stiffness, args.spring.damping);
    let most =
        |b| max_wall_stiffness(b, args.spring.damping, Velocity::BackwardDifference, &sampling);
    Ok(Cost {
        delay: sampling.delay(),
        damping: Rendering::Wall(wall).required_damping(&sampling)?,
        stiffness: available.map(most).transpose()?,
    })
}

fn text(title: &str, table: &[Cost]) -> String {
    let line = |delay: &str, damping: &str, stiffness: &str| {
        format!("  {delay:>12}{damping:>18}{stiffness:>20}\n")
    };
    let mut text = wrapped(title, 0);
    text.push('\n');
    text.push_str(&line("delay", "damping asked", "stiffness left"));
    for Cost { delay, damping, stiffness } in table {
        let stiffness = stiffness.map_or_else(|| "-".into(), |k| si(k, "N/m"));
        text.push_str(&line(&si(*delay, "s"), &si(*damping, "N·s/m"), &stiffness));
    }
    if table.iter().all(|cost| cost.stiffness.is_none()) {
        let why = "The stiffness left depends on the damping of the device: give --device-damping \
                   or --device FILE.";
        text.push_str(&wrapped(why, 2));
    }
    text
}

fn figure(title: &str, curve: &[Cost]) -> Figure {
    let delay: Vec<f64> = curve.iter().map(|cost| cost.delay).collect();
    let damping: Vec<f64> = curve.iter().map(|cost| cost.damping).collect();
    let stiffness: Vec<f64> = curve.iter().filter_map(|cost| cost.stiffness).collect();
    let asked = Panel::new(Axis::new("damping asked", "N·s/m").include(0.0));
    let mut figure = Figure::new(title, Axis::new("delay", "s"))
        .panel(asked.line(Line::new("", &delay, &damping)));
    if !stiffness.is_empty() {
        let left = Panel::new(Axis::new("stiffness left", "N/m").include(0.0));
        figure = figure.panel(left.line(Line::new("", &delay, &stiffness)));
    }
    figure
}
