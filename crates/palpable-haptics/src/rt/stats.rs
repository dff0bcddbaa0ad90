//! What a loop did: how often, how late, how long.

use std::time::Duration;

use hdrhistogram::Histogram;

use super::schedule::Wake;

/// Longest time that histograms tell apart [ns]: 18 minutes.
const LONGEST: u64 = 1 << 40;

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

/// Durations in bounded memory, told apart to a thousandth; adding never allocates.
#[derive(Debug, Clone)]
pub struct Times(Histogram<u64>);

impl Default for Times {
    fn default() -> Self {
        // three digits: these bounds are always accepted
        let made = Histogram::new_with_bounds(1, LONGEST, 3);
        Self(made.unwrap_or_else(|_| unreachable!("the bounds are constants")))
    }
}

impl Times {
    /// Counts one; longer than 18 minutes counts as that.
    pub fn add(&mut self, time: Duration) {
        self.0.saturating_record(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
    }

    /// How many were counted.
    pub fn total(&self) -> u64 {
        self.0.len()
    }

    /// The time that `share` of them do not exceed [s]; 0 if there are none.
    pub fn quantile(&self, share: f64) -> f64 {
        1e-9 * self.0.value_at_quantile(share) as f64
    }

    /// Median, tail and maximum.
    pub fn quantiles(&self) -> Quantiles {
        let [median, p99, p999] = [0.5, 0.99, 0.999].map(|share| self.quantile(share));
        Quantiles { median, p99, p999, max: 1e-9 * self.0.max() as f64 }
    }

    /// Times that occurred [s] and how often, shortest first.
    pub fn occurred(&self) -> impl Iterator<Item = [f64; 2]> + '_ {
        self.0
            .iter_recorded()
            .map(|v| [1e-9 * v.value_iterated_to() as f64, v.count_since_last_iteration() as f64])
    }
}

/// Counts and histograms of a loop; adding to them never allocates.
#[derive(Debug, Clone, Default)]
pub struct Stats {
    period: Times,
    lateness: Times,
    latency: Times,
    first: Option<Duration>,
    last: Duration,
    ticks: u64,
    missed: u64,
    /// readings that did not arrive
    pub(super) silent: u64,
    /// rows that found the recorder's ring full
    pub(super) dropped: u64,
}

impl Stats {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// A tick begins.
    pub fn begin(&mut self, now: Duration, wake: Wake) {
        if self.ticks > 0 {
            self.period.add(now.saturating_sub(self.last));
        }
        self.first.get_or_insert(now);
        self.last = now;
        self.ticks += 1;
        self.missed += wake.missed;
        self.lateness.add(wake.lateness);
    }

    /// The force of the tick has been sent.
    pub fn sent(&mut self, now: Duration) {
        self.latency.add(now.saturating_sub(self.last));
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
        self.period.quantiles()
    }

    /// Times from deadline to tick.
    pub fn lateness(&self) -> Quantiles {
        self.lateness.quantiles()
    }

    /// Times from the start of a tick to its force.
    pub fn latency(&self) -> Quantiles {
        self.latency.quantiles()
    }
}
