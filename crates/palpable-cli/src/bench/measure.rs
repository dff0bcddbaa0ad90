//! Steps of one world, each one timed.

use super::worlds::Kind;
use crate::failure::Failure;
use crate::step_times::{Quantiles, StepTimes};
use palpable::Inputs;
use palpable_haptics::rt::thread_time;
use serde::Serialize;
use std::time::{Duration, Instant};

/// Length of a step \[s\].
const STEP: f64 = 1e-3;
/// Steps before the clock starts: caches fill, the predictor has its history.
const WARM_UP: u64 = 5;
/// Fewest steps that are timed, and most.
const STEPS: [u64; 2] = [20, 200_000];

/// The times of one world.
#[derive(Debug, Clone, Serialize)]
pub struct Measured {
    /// Kind of the world: `free`, `chain`, `net` or `heap`.
    pub kind: &'static str,
    /// Kind in words.
    #[serde(skip)]
    pub name: &'static str,
    /// Number of bodies.
    pub n: usize,
    /// Steps that were timed.
    pub steps: u64,
    /// Wall-clock time of a step.
    pub step_time_us: Quantiles,
    /// Median per body \[ns\].
    pub ns_per_body: f64,
    /// Time on a processor per step, mean; none where the system does not tell.
    pub cpu_mean_us: Option<f64>,
    /// The histogram.
    #[serde(skip)]
    pub times: StepTimes,
}

/// Times steps of a world for about `time`.
///
/// # Errors
/// A world or a step that the engine refused, which is a bug.
pub fn measure(kind: Kind, time: Duration) -> Result<Measured, Failure> {
    let mut world = kind.world()?;
    let inputs = Inputs::none();
    let mut step = || -> Result<(), Failure> {
        match world.step(STEP, &inputs).status.is_taken() {
            true => Ok(()),
            false => Err(Failure::new("the engine refused a step; report this as a bug")),
        }
    };
    (0..WARM_UP).try_for_each(|_| step())?;
    let mut times = StepTimes::default();
    let (start, cpu_start) = (Instant::now(), thread_time());
    let mut before = start;
    while times.total() < STEPS[0] || (before - start < time && times.total() < STEPS[1]) {
        step()?;
        let after = Instant::now();
        times.add(after - before);
        before = after;
    }
    let spent = thread_time().saturating_sub(cpu_start);
    // a system that does not tell says zero, always
    let cpu_mean_us = Some(spent)
        .filter(|spent| !spent.is_zero())
        .map(|spent| 1e6 * spent.as_secs_f64() / times.total() as f64);
    let step_time_us = times.quantiles();
    Ok(Measured {
        kind: kind.word(),
        name: kind.name(),
        n: kind.bodies(),
        steps: times.total(),
        ns_per_body: 1e3 * step_time_us.median / kind.bodies() as f64,
        step_time_us,
        cpu_mean_us,
        times,
    })
}
