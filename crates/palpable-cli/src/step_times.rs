//! Step times in bounded memory: a histogram with bars of equal ratio.

use serde::Serialize;
use std::time::Duration;

/// Bars per doubling.
const FINE: u64 = 64;
/// Bars: times up to 2^40 ns, 18 minutes, one step.
const BARS: usize = (41 * FINE) as usize;

/// Counts durations in bars; quantiles are good to 1 %, or 1 ns below 64 ns.
#[derive(Debug, Clone)]
pub struct StepTimes {
    counts: Vec<u64>,
    total: u64,
    max: u64,
}

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

impl Default for StepTimes {
    fn default() -> Self {
        Self { counts: vec![0; BARS], total: 0, max: 0 }
    }
}

impl StepTimes {
    /// Counts one step.
    pub fn add(&mut self, time: Duration) {
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.counts[bar(nanoseconds)] += 1;
        self.total += 1;
        self.max = self.max.max(nanoseconds);
    }

    /// Number of steps counted.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The time that `share` of the steps do not exceed \[ns\]; 0 if there are none.
    pub fn quantile(&self, share: f64) -> f64 {
        let rank = (share * self.total as f64).ceil().max(1.0) as u64;
        let mut seen = 0;
        for (index, count) in self.counts.iter().enumerate() {
            seen += count;
            if *count > 0 && seen >= rank {
                let middle = 0.5 * (edge(index) + edge(index + 1) - 1.0);
                return middle.min(self.max as f64);
            }
        }
        0.0
    }

    /// Median, p99, p99.9 and maximum \[µs\].
    pub fn quantiles(&self) -> Quantiles {
        let at = |share| 1e-3 * self.quantile(share);
        Quantiles { median: at(0.5), p99: at(0.99), p999: at(0.999), max: 1e-3 * self.max as f64 }
    }

    /// About `bars` bars between the shortest and the longest step: edges \[s\] and counts.
    pub fn bars(&self, bars: usize) -> (Vec<f64>, Vec<f64>) {
        self.bars_below(f64::INFINITY, bars)
    }

    /// Likewise, without the bars above `end` \[s\].
    pub fn bars_below(&self, end: f64, bars: usize) -> (Vec<f64>, Vec<f64>) {
        let within = |index: &usize| self.counts[*index] > 0 && 1e-9 * edge(*index) <= end;
        let first = (0..BARS).find(within).unwrap_or(0);
        let last = (0..BARS).rfind(within).unwrap_or(0);
        let group = (last + 1 - first).div_ceil(bars.max(1)).max(1);
        let starts = (first..=last).step_by(group);
        let mut edges: Vec<f64> = starts.clone().map(|i| 1e-9 * edge(i)).collect();
        let counts: Vec<f64> = starts
            .map(|i| self.counts[i..(i + group).min(BARS)].iter().sum::<u64>() as f64)
            .collect();
        edges.push(1e-9 * edge(first + group * counts.len()));
        (edges, counts)
    }
}

/// The bar of a time: exact below [`FINE`], then [`FINE`] bars per doubling.
fn bar(nanoseconds: u64) -> usize {
    let shift = u64::from((nanoseconds | 1).ilog2()).saturating_sub(u64::from(FINE.ilog2()));
    // (nanoseconds >> shift) runs from FINE to 2 FINE - 1 in each doubling
    let index = shift * FINE + (nanoseconds >> shift);
    (index as usize).min(BARS - 1)
}

/// Lower edge of a bar \[ns\].
fn edge(bar: usize) -> f64 {
    let bar = bar as u64;
    let shift = (bar / FINE).saturating_sub(1);
    let steps = bar - shift * FINE;
    steps as f64 * 2f64.powi(shift as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_time_lies_between_the_edges_of_its_bar() {
        let mut time = 0u64;
        while time < 1 << 39 {
            let index = bar(time);
            assert!(edge(index) <= time as f64 && (time as f64) < edge(index + 1), "{time}");
            time = time + 1 + time / 37;
        }
        assert_eq!(bar(u64::MAX), BARS - 1);
    }

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
    fn coarser_bars_count_every_step_once() {
        let mut times = StepTimes::default();
        (0..5000u64).for_each(|n| times.add(Duration::from_nanos(n * n)));
        let (edges, counts) = times.bars(40);
        assert!(counts.len() <= 40 && edges.len() == counts.len() + 1);
        assert_eq!(counts.iter().sum::<f64>(), 5000.0);
        assert!(edges.windows(2).all(|e| e[0] < e[1]));
    }
}
