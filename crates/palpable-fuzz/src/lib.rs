//! Random inputs for everything in palpable that reads: scenes, robots, meshes, tables, recordings,
//! profiles, commands of the studio's page, messages of the Haply service, and the bytes of
//! connections to both.
//!
//! An input that reaches code that no other has reached is kept and changed further. What was
//! reached is told by the counters that the compiler puts into the program on request
//! (`scripts/fuzz` builds so, on the stable compiler); without them, inputs are changed blindly.
//! Sequences of calls of the engine are tried by its own test, `law_call_sequences`.

pub mod coverage;
mod guest;
pub mod mutate;
pub mod target;

use coverage::Coverage;
use palpable_random::Random;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use target::{Bench, Target};

/// Longest time on a processor that is no defect \[s\].
const SLOW: Duration = Duration::from_secs(10);
/// Most memory that the process may have in use \[bytes\].
const LARGE: u64 = 1 << 30;
/// Inputs that are kept, at most.
const KEPT: usize = 20_000;
/// Largest input that is made \[bytes\].
const LONGEST: usize = 64 << 10;

/// What came of a campaign.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Inputs tried.
    pub runs: u64,
    /// Inputs kept because they reached something new.
    pub kept: usize,
    /// Places of the program that were reached; 0 without counters.
    pub reached: usize,
    /// Longest time on a processor, of all threads.
    pub slowest: Duration,
    /// Most memory that the process ever had in use \[bytes\].
    pub largest: u64,
    /// What must not happen, with the input that made it happen, and before it those whose traces
    /// it may have met.
    pub failure: Option<(String, Vec<Vec<u8>>)>,
}

/// When a campaign ends.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Inputs.
    pub runs: u64,
    /// Time.
    pub time: Duration,
}

/// Tries the seeds of a target, then inputs made from them, until a limit is reached or something
/// goes wrong.
pub fn campaign(target: Target, seed: u64, limits: Limits) -> Outcome {
    let (mut random, start) = (Random(seed), Instant::now());
    let mut bench = Bench::new(target);
    let mut coverage = Coverage::new();
    let mut corpus = target.seeds();
    let mut outcome = Outcome::default();
    let first = corpus.len();
    let mut next = 0;
    let mut last = Vec::new();
    while outcome.runs < limits.runs && start.elapsed() < limits.time {
        let input = if next < first {
            corpus[next].clone()
        } else {
            let mut input = corpus[random.below(corpus.len())].clone();
            let other = &corpus[random.below(corpus.len())];
            mutate::change(&mut input, other, &mut random);
            input.truncate(LONGEST);
            input
        };
        next += 1;
        outcome.runs += 1;
        if bench.is_new() {
            last.clear();
        }
        last.push(input.clone());
        coverage.clear();
        let began = spent(start);
        let ran = catch_unwind(AssertUnwindSafe(|| bench.run(&input)));
        let took = spent(start).saturating_sub(began);
        outcome.slowest = outcome.slowest.max(took);
        let problem = match ran {
            Err(_) => Some("it panics".to_owned()),
            Ok(()) if took > SLOW => Some(format!("it takes {:.1} s", took.as_secs_f64())),
            Ok(()) if memory() > LARGE => Some("it takes more than 1 GB".to_owned()),
            Ok(()) => None,
        };
        if let Some(problem) = problem {
            outcome.failure = Some((problem, last));
            break;
        }
        if coverage.is_new() && next > first && corpus.len() < KEPT {
            corpus.push(input);
        }
    }
    (outcome.kept, outcome.reached) = (corpus.len() - first, coverage.reached());
    outcome.largest = peak();
    outcome
}

/// Tries inputs one after the other, as a campaign that failed has left them; the time on a
/// processor of each.
///
/// # Panics
/// As the target does.
pub fn replay(target: Target, inputs: &[Vec<u8>]) -> Vec<Duration> {
    let (mut bench, start) = (Bench::new(target), Instant::now());
    let mut one = |input: &Vec<u8>| {
        let began = spent(start);
        bench.run(input);
        spent(start).saturating_sub(began)
    };
    inputs.iter().map(&mut one).collect()
}

/// Time that the process has had on processors; since `start`, where the system does not tell.
fn spent(start: Instant) -> Duration {
    // user and system time in hundredths of a second follow the name in parentheses
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = text.rsplit(')').next().unwrap_or_default();
    let times = after.split_whitespace().skip(11).take(2).map(|t| t.parse::<u64>().ok());
    let sum: Option<u64> = times.sum();
    sum.filter(|_| !text.is_empty()).map_or(start.elapsed(), |t| Duration::from_millis(10 * t))
}

/// Memory in use \[bytes\]; 0 where the system does not tell.
fn memory() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = text.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok());
    pages.unwrap_or(0) * 4096
}

/// Most memory that was ever in use \[bytes\]; 0 where the system does not tell.
fn peak() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    number.unwrap_or(0) * 1024
}

/// The folder of scenes, devices and seeds.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}
