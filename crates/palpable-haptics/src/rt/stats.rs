//! What a loop did: how often, how late, how long.

use std::time::Duration;

use hdrhistogram::Histogram;

use super::schedule::Wake;

/// Longest time that histograms tell apart [ns].
const LONGEST: u64 = 10_000_000_000;

/// A distribution of times [s].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Quantiles {
    /// Half are shorter [s].
    pub median: f64,
    /// 99 % are shorter [s].
    pub p99: f64,
    /// 99.9 % are shorter [s].
    pub p999: f64,
    /// The longest [s].
    pub max: f64,
}

/// Counts and histograms of a loop; adding to them never allocates.
#[derive(Debug, Clone)]
pub struct Stats {
    period: Histogram<u64>,
    lateness: Histogram<u64>,
    latency: Histogram<u64>,
    first: Option<Duration>,
    last: Duration,
    ticks: u64,
    missed: u64,
    /// readings that did not arrive
    pub(super) silent: u64,
    /// rows that found the recorder's ring full
    pub(super) dropped: u64,
}

impl Default for Stats {
    fn default() -> Self {
        Self::new()
    }
}

impl Stats {
    /// Nothing yet.
    pub fn new() -> Self {
        Self {
            period: histogram(),
            lateness: histogram(),
            latency: histogram(),
            first: None,
            last: Duration::ZERO,
            ticks: 0,
            missed: 0,
            silent: 0,
            dropped: 0,
        }
    }

    /// A tick begins.
    pub fn begin(&mut self, now: Duration, wake: Wake) {
        if self.ticks > 0 {
            self.period.saturating_record(nanoseconds(now.saturating_sub(self.last)));
        }
        self.first.get_or_insert(now);
        self.last = now;
        self.ticks += 1;
        self.missed += wake.missed;
        self.lateness.saturating_record(nanoseconds(wake.lateness));
    }

    /// The force of the tick has been sent.
    pub fn sent(&mut self, now: Duration) {
        self.latency.saturating_record(nanoseconds(now.saturating_sub(self.last)));
    }

    /// Ticks so far.
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Deadlines that passed without a tick.
    pub fn missed(&self) -> u64 {
        self.missed
    }

    /// Readings that did not arrive in time.
    pub fn silent(&self) -> u64 {
        self.silent
    }

    /// Rows that the recorder lost, because nobody took them in time.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Ticks per second, over all.
    pub fn rate(&self) -> f64 {
        let span = self.last.saturating_sub(self.first.unwrap_or(self.last)).as_secs_f64();
        if span > 0.0 { (self.ticks - 1) as f64 / span } else { 0.0 }
    }

    /// Times from tick to tick.
    pub fn period(&self) -> Quantiles {
        quantiles(&self.period)
    }

    /// Times from deadline to tick.
    pub fn lateness(&self) -> Quantiles {
        quantiles(&self.lateness)
    }

    /// Times from the start of a tick to its force.
    pub fn latency(&self) -> Quantiles {
        quantiles(&self.latency)
    }
}

fn histogram() -> Histogram<u64> {
    // three digits from 1 ns to 10 s: these bounds are always accepted
    let made = Histogram::new_with_bounds(1, LONGEST, 3);
    made.unwrap_or_else(|_| unreachable!("the bounds are constants"))
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

fn quantiles(h: &Histogram<u64>) -> Quantiles {
    let at = |q: f64| 1e-9 * h.value_at_quantile(q) as f64;
    Quantiles { median: at(0.5), p99: at(0.99), p999: at(0.999), max: 1e-9 * h.max() as f64 }
}
