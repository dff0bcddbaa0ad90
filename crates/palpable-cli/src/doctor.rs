//! `palpable doctor`: what this machine offers.

use crate::connections::Connections;
use crate::failure::Failure;
use crate::text::{hanging, si};
use crate::{Done, output};
use palpable_haptics::drivers::{Finding, survey};
use std::time::{Duration, Instant};

/// Say what this machine offers: cores, clock, devices
#[derive(clap::Args)]
#[command(after_help = "Example:\n  palpable doctor --json")]
pub struct Args {
    #[command(flatten)]
    connections: Connections,
}

/// Runs the command.
pub fn main(args: &Args, json: bool) -> Result<Done, Failure> {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let clock = clock_step();
    let sleep = oversleep();
    let devices = survey(&args.connections.places());
    if json {
        output::print_json(&serde_json::json!({
            "version": env!("CARGO_PKG_VERSION"),
            "system": std::env::consts::OS,
            "processor": std::env::consts::ARCH,
            "cores": cores,
            "clock_step_ns": clock.as_nanos() as u64,
            "oversleep_us": 1e6 * sleep.as_secs_f64(),
            "devices": devices.iter().map(object).collect::<Vec<_>>(),
        }))?;
        return Ok(Done::Well);
    }
    let cores = if cores == 0 { "unknown".into() } else { cores.to_string() };
    output::print(&format!(
        "palpable {} on {} {}\n  cores          {cores}\n  clock step     {}\n  \
         oversleep      {} (worst of 20 sleeps of 1 ms)\n\ndevices\n{}",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS,
        std::env::consts::ARCH,
        si(clock.as_secs_f64(), "s"),
        si(sleep.as_secs_f64(), "s"),
        devices.iter().map(paragraph).collect::<String>() + ALWAYS,
    ))?;
    Ok(Done::Well)
}

/// What needs no device, and where options are.
const ALWAYS: &str = concat!(
    "  addresses, library files and sockets are options: palpable help doctor\n",
    "  simulated devices need nothing: palpable run SCENE --device simulated\n"
);

/// A finding as JSON.
fn object(finding: &Finding) -> serde_json::Value {
    serde_json::json!({
        "device": finding.device,
        "name": finding.title,
        "standing": finding.standing.text(),
        "seen": finding.seen,
        "cure": finding.cure,
    })
}

/// A finding in words.
fn paragraph(finding: &Finding) -> String {
    let mut text = format!("  {:<13} {}\n", finding.standing.text(), finding.title);
    text.push_str(&hanging(&finding.seen, 16, 2));
    if !finding.cure.is_empty() {
        text.push_str(&hanging(&format!("-> {}", finding.cure), 16, 3));
    }
    text
}

/// The smallest difference that two readings of the clock show.
fn clock_step() -> Duration {
    let between = || {
        let start = Instant::now();
        let mut now = Instant::now();
        while now == start {
            now = Instant::now();
        }
        now - start
    };
    (0..200).map(|_| between()).min().unwrap_or_default()
}

/// How late a sleep of one millisecond ends at worst: what a servo loop would feel.
fn oversleep() -> Duration {
    let nap = Duration::from_millis(1);
    let late = || {
        let start = Instant::now();
        std::thread::sleep(nap);
        start.elapsed().saturating_sub(nap)
    };
    (0..20).map(|_| late()).max().unwrap_or_default()
}
