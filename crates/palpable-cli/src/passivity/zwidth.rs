//! `palpable passivity zwidth`: which stiffness and damping a device can render.

use super::loop_args::LoopArgs;
use super::page::{Page, number};
use super::quantity;
use crate::failure::Failure;
use crate::text::{si, wrapped};
use palpable_passivity::{Sampling, Velocity, ZPoint, zwidth};
use palpable_record::figure::{Axis, Dash, Figure, Line, Panel};
use serde_json::json;

/// Which stiffness and damping of a wall a device can render (Z-width)
#[derive(clap::Args)]
#[command(after_help = "Example:
  palpable passivity zwidth --device-damping 3 --delay \"0.5 ms\"")]
pub struct Args {
    #[command(flatten)]
    of: LoopArgs,
    /// Time constant of the velocity filter [s]; 0 for a plain backward difference
    #[arg(long, value_name = "TAU", value_parser = quantity::time, default_value = "0",
        allow_negative_numbers = true)]
    filter: f64,
}

/// Points of a boundary.
const POINTS: usize = 81;

/// Answers the question.
pub fn answer(args: &Args) -> Result<Page, Failure> {
    let of = args.of.read()?;
    let available = of.known_damping()?;
    let velocity = if args.filter == 0.0 {
        Velocity::BackwardDifference
    } else {
        Velocity::Filtered(args.filter)
    };
    // a filter or a delay lets more than the device's own damping be rendered
    let late = if of.sampling.delay() > 0.0 { 2.0 } else { 1.0 };
    let most = late * available * (1.0 + 2.0 * args.filter / of.sampling.time_step());
    let edge = zwidth(available, 0.0..=most, POINTS, velocity, &of.sampling)?;
    let prompt = Sampling::new(of.sampling.time_step())?;
    let without = zwidth(available, 0.0..=most, POINTS, velocity, &prompt)?;
    let title = format!("Z-width of {}, b = {}", of.words, si(available, "N·s/m"));
    let best = edge
        .iter()
        .copied()
        .fold(edge[0], |best, point| if point.stiffness > best.stiffness { point } else { best });
    let mut text =
        format!("{}\n  {:>16}{:>20}\n", wrapped(&title, 0), "wall damping", "largest stiffness");
    for point in edge.iter().step_by(POINTS / 8).filter(|point| point.stiffness > 0.0) {
        let (damping, stiffness) = (si(point.damping, "N·s/m"), si(point.stiffness, "N/m"));
        text.push_str(&format!("  {damping:>16}{stiffness:>20}\n"));
    }
    let (stiffness, damping) = (si(best.stiffness, "N/m"), si(best.damping, "N·s/m"));
    text.push_str(&format!("\n  stiffest: {stiffness} with a damping of {damping}\n"));
    let point = |p: &ZPoint| json!({ "damping": p.damping, "stiffness": number(p.stiffness) });
    Ok(Page {
        text,
        json: json!({
            "device_damping": available,
            "boundary": edge.iter().map(point).collect::<Vec<_>>(),
            "stiffest": point(&best),
        }),
        figures: vec![("zwidth", figure(&title, &edge, &without, of.sampling.delay()))],
        holds: true,
    })
}

/// The K-B plane; below the line is passive.
fn figure(title: &str, edge: &[ZPoint], without: &[ZPoint], delay: f64) -> Figure {
    let split = |points: &[ZPoint]| -> (Vec<f64>, Vec<f64>) {
        // the line ends where nothing can be rendered any more
        let end = points.iter().rposition(|p| p.stiffness > 0.0).map_or(0, |last| last + 2);
        points.iter().take(end).map(|p| (p.damping, p.stiffness)).unzip()
    };
    let (x, y) = split(edge);
    let name = if delay > 0.0 { format!("force {} late", si(delay, "s")) } else { String::new() };
    let mut panel = Panel::new(Axis::new("largest wall stiffness", "N/m").include(0.0))
        .line(Line::new(name, &x, &y));
    if delay > 0.0 {
        let (x, y) = split(without);
        panel = panel.line(Line::new("without delay", &x, &y).dash(Dash::Dashed));
    }
    Figure::new(title, Axis::new("wall damping", "N·s/m")).panel(panel)
}
