//! `palpable bench`: how long steps take, and how that grows with the world.

mod budget;
mod heaps;
mod histogram;
mod measure;
mod suite;
mod table;
mod worlds;

use crate::failure::Failure;
use crate::progress::Progress;
use crate::{Done, output, stop};
use measure::{Measured, measure};
use serde::Serialize;
use std::time::{Duration, Instant};
use worlds::Kind;

/// Measure step times: median, p99, p99.9, max, growth
#[derive(clap::Args)]
#[command(after_help = "Examples:
  palpable bench
  palpable bench --quick --json
  palpable bench --bodies 1,1000
  palpable bench --suite
  palpable bench --budget \"0.8 ms\" --steps 100000

Times on a machine that others use are noisy: look at the median, and repeat.")]
pub struct Args {
    /// Numbers of free bodies, e.g. 1,10,100
    #[arg(long, value_name = "N", value_delimiter = ',', num_args = 1..,
        value_parser = clap::value_parser!(u32).range(1..=1_000_000),
        default_values_t = [1, 10, 100, 1000, 10_000])]
    bodies: Vec<u32>,
    /// Measure worlds in motion instead: scenes, heaps, stacks, a hand among blocks
    #[arg(long, group = "worlds")]
    suite: bool,
    /// Worlds of --suite or --budget, by name [default: all]
    #[arg(long, value_name = "NAME", value_delimiter = ',', requires = "worlds")]
    only: Vec<String>,
    /// With --suite: take exactly so many steps of each and measure nothing, for whoever counts
    /// instructions. With --budget: so many steps [default: 10000]
    #[arg(long, value_name = "N", requires = "worlds")]
    steps: Option<u64>,
    /// Let no step cost more counts than this time is worth on a core of 3 GHz, and compare with
    /// runs without a limit: two hands with a peg, and a hand that stirs 50 boxes
    #[arg(long, value_name = "TIME", group = "worlds")]
    #[arg(value_parser = crate::hand::deadline)]
    budget: Option<f64>,
    /// Folder for the figure of --budget
    #[arg(long, value_name = "DIR", default_value = "palpable-out/budget")]
    out: std::path::PathBuf,
    /// Spend a tenth of the time
    #[arg(long)]
    quick: bool,
}

/// Time spent on each world, and in `--quick` runs.
const TIME: [Duration; 2] = [Duration::from_millis(600), Duration::from_millis(60)];

/// The object that `--json` prints.
#[derive(Serialize)]
struct Report {
    worlds: Vec<Measured>,
    growth_exponent: Growth,
    note: &'static str,
}

/// Slope of log median against log n, from 10 parts up; none if there are not two such worlds.
#[derive(Serialize)]
struct Growth {
    free: Option<f64>,
    chain: Option<f64>,
}

/// Said below every measurement.
const NOTE: &str = "Times on a machine that others use are noisy: the median is what the step \
                    costs, the tail is what the machine adds.";

/// Runs the command.
pub fn main(args: &Args, json: bool) -> Result<Done, Failure> {
    stop::listen();
    if args.suite {
        return suite::main(&args.only, args.steps, args.quick, json);
    }
    if let Some(allowed) = args.budget {
        let allowed = Duration::from_secs_f64(allowed);
        let steps = args.steps.unwrap_or(10_000);
        return budget::main(&args.only, (allowed, steps), &args.out, json);
    }
    let mut kinds: Vec<Kind> = args.bodies.iter().map(|n| Kind::Free(*n as usize)).collect();
    kinds.extend([10, 50, 200].map(Kind::Chain));
    kinds.extend([Kind::Net(20), Kind::Heap(27)]);
    let time = TIME[usize::from(args.quick)];
    let mut progress = Progress::new("bench", "");
    let mut worlds = Vec::new();
    for (index, kind) in kinds.iter().enumerate() {
        if stop::asked() {
            progress.end();
            output::remark("interrupted: what follows is not complete");
            break;
        }
        progress.at(Instant::now(), index as f64 / kinds.len() as f64, 0);
        worlds.push(measure(*kind, time)?);
    }
    progress.end();
    let growth_exponent = Growth { free: growth(&worlds, "free"), chain: growth(&worlds, "chain") };
    let report = Report { worlds, growth_exponent, note: NOTE };
    if json {
        output::print_json(&report)?
    } else {
        output::print(&table::text(&report))?
    }
    Ok(if stop::asked() { Done::Interrupted } else { Done::Well })
}

/// Least-squares slope of log median against log n.
fn growth(worlds: &[Measured], kind: &str) -> Option<f64> {
    let points: Vec<(f64, f64)> = worlds
        .iter()
        .filter(|w| w.kind == kind && w.n >= 10 && w.step_time_us.median > 0.0)
        .map(|w| ((w.n as f64).ln(), w.step_time_us.median.ln()))
        .collect();
    let count = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), p| (x + p.0 / count, y + p.1 / count));
    let spread: f64 = points.iter().map(|p| (p.0 - x).powi(2)).sum();
    let slope: f64 = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    (spread > 0.0).then(|| slope / spread)
}
