//! Step times in bounded memory, as bars of equal ratio and in microseconds.

use palpable_haptics::rt::{self, Times};
use serde::Serialize;
use std::time::Duration;

/// Bars per doubling at the most: 1 %.
const FINE: f64 = 64.0;

/// Counts durations, told apart to a thousandth.
#[derive(Debug, Clone, Default)]
pub struct StepTimes(Times);

/// Median and tail of the step times \[µs\].
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Quantiles {
    /// Half of the steps take no longer.
    pub median: f64,
    /// 99 % of the steps take no longer.
    pub p99: f64,
    /// 99.9 % of the steps take no longer.
    pub p999: f64,
    /// The longest.
    pub max: f64,
}

impl From<rt::Quantiles> for Quantiles {
    fn from(q: rt::Quantiles) -> Self {
        Self { median: 1e6 * q.median, p99: 1e6 * q.p99, p999: 1e6 * q.p999, max: 1e6 * q.max }
    }
}

impl StepTimes {
    /// Counts one step.
    pub fn add(&mut self, time: Duration) {
        self.0.add(time);
    }

    /// Number of steps counted.
    pub fn total(&self) -> u64 {
        self.0.total()
    }

    /// The time that `share` of the steps do not exceed \[ns\]; 0 if there are none.
    pub fn quantile(&self, share: f64) -> f64 {
        1e9 * self.0.quantile(share)
    }

    /// Median, p99, p99.9 and maximum \[µs\].
    pub fn quantiles(&self) -> Quantiles {
        self.0.quantiles().into()
    }

    /// About `bars` bars between the shortest and the longest step: edges \[s\] and counts.
    pub fn bars(&self, bars: usize) -> (Vec<f64>, Vec<f64>) {
        self.bars_below(f64::INFINITY, bars)
    }

    /// Likewise, without the times above `end` \[s\].
    pub fn bars_below(&self, end: f64, bars: usize) -> (Vec<f64>, Vec<f64>) {
        // a quantile as `end` may be rounded; no bar begins below a nanosecond
        let end = end * (1.0 + 1e-9);
        let times = self.0.occurred().map(|[time, count]| [time.max(1e-9), count]);
        let seen: Vec<[f64; 2]> = times.filter(|[time, _]| *time <= end).collect();
        let first = seen.first().map_or(1e-9, |t| t[0]);
        let octaves = (seen.last().map_or(first, |t| t[0]) / first).log2().max(1.0 / FINE);
        let number = (octaves * FINE).ceil().min(bars.max(1) as f64);
        let place = |t: f64| (t / first).log2() / octaves * number;
        let mut counts = vec![0.0; number as usize];
        for [time, count] in seen {
            counts[(place(time) as usize).min(number as usize - 1)] += count;
        }
        let edge = |k: usize| first * (octaves * k as f64 / number).exp2();
        ((0..=counts.len()).map(edge).collect(), counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_good_to_one_percent() {
        let mut times = StepTimes::default();
        for n in 1..=100_000u64 {
            times.add(Duration::from_nanos(10 * n));
        }
        let q = times.quantiles();
        for (found, exact) in [(q.median, 500.0), (q.p99, 990.0), (q.p999, 999.0), (q.max, 1000.0)]
        {
            assert!((found / exact - 1.0).abs() < 0.01, "{found} {exact}");
        }
        assert_eq!(StepTimes::default().quantiles().median, 0.0);
    }

    #[test]
    fn every_time_lies_between_the_edges_of_its_bar() {
        for nanoseconds in [0u64, 1, 2, 63, 100, 12_345, 1 << 39] {
            let mut times = StepTimes::default();
            times.add(Duration::from_nanos(nanoseconds));
            let (edges, counts) = times.bars(40);
            // told apart to a thousandth
            let (time, tell) = (1e-9 * nanoseconds.max(1) as f64, 1.001);
            assert_eq!(counts, [1.0], "{nanoseconds}");
            assert!(edges[0] <= tell * time && time <= tell * edges[1], "{time} {edges:?}");
        }
    }

    #[test]
    fn coarser_bars_count_every_step_once() {
        let mut times = StepTimes::default();
        (0..5000u64).for_each(|n| times.add(Duration::from_nanos(n * n)));
        let (edges, counts) = times.bars(40);
        assert!(counts.len() <= 40 && edges.len() == counts.len() + 1);
        assert_eq!(counts.iter().sum::<f64>(), 5000.0);
        assert!(edges.windows(2).all(|e| e[0] < e[1]));
        let (edges, counts) = times.bars_below(1e-3, 40);
        // n² ns stay below 1 ms up to n = 1000
        assert!((counts.iter().sum::<f64>() - 1000.0).abs() <= 2.0, "{counts:?}");
        assert!(edges.last().is_some_and(|end| (end * 1e3 - 1.0).abs() < 0.01));
        assert_eq!(StepTimes::default().bars(40).1, [0.0]);
    }
}
