//! `palpable doctor`: what this machine offers.

use crate::failure::Failure;
use crate::text::si;
use crate::{Done, output};
use std::time::{Duration, Instant};

/// Say what this machine offers: cores, clock, devices
#[derive(clap::Args)]
#[command(after_help = "Example:\n  palpable doctor --json")]
pub struct Args {}

/// Runs the command.
pub fn main(_args: &Args, json: bool) -> Result<Done, Failure> {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let clock = clock_step();
    let sleep = oversleep();
    if json {
        output::print_json(&serde_json::json!({
            "version": env!("CARGO_PKG_VERSION"),
            "system": std::env::consts::OS,
            "processor": std::env::consts::ARCH,
            "cores": cores,
            "clock_step_ns": clock.as_nanos() as u64,
            "oversleep_us": 1e6 * sleep.as_secs_f64(),
            "devices": [],
        }))?;
        return Ok(Done::Well);
    }
    let cores = if cores == 0 { "unknown".into() } else { cores.to_string() };
    output::print(&format!(
        "palpable {} on {} {}\n  cores          {cores}\n  clock step     {}\n  \
         oversleep      {} (worst of 20 sleeps of 1 ms)\n  \
         haptic devices none (no device is supported yet; ports take scripts)\n",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS,
        std::env::consts::ARCH,
        si(clock.as_secs_f64(), "s"),
        si(sleep.as_secs_f64(), "s"),
    ))?;
    Ok(Done::Well)
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
