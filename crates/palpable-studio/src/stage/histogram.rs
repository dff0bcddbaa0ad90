//! How long steps take: counts in buckets of a quarter octave.

/// Buckets; the first begins at 2⁹ ns, the last at 16.7 ms, and both take what lies beyond.
pub const BUCKETS: usize = 60;
const FIRST_OCTAVE: f64 = 9.0;

/// Step times.
#[derive(Debug, Clone, PartialEq)]
pub struct Histogram {
    /// Steps per bucket.
    pub counts: [u32; BUCKETS],
}

impl Default for Histogram {
    fn default() -> Self {
        Self { counts: [0; BUCKETS] }
    }
}

impl Histogram {
    /// Counts one step of `nanoseconds`.
    pub fn add(&mut self, nanoseconds: u64) {
        let octave = (nanoseconds.max(1) as f64).log2() - FIRST_OCTAVE;
        // the cast saturates
        let bucket = ((octave * 4.0) as usize).min(BUCKETS - 1);
        self.counts[bucket] = self.counts[bucket].saturating_add(1);
    }

    /// Where a bucket begins [s].
    pub fn edge(bucket: usize) -> f64 {
        1e-9 * (FIRST_OCTAVE + bucket as f64 / 4.0).exp2()
    }

    /// The time below which a share `q` of the steps stayed [s]; 0 without steps.
    pub fn quantile(&self, q: f64) -> f64 {
        let total: u64 = self.counts.iter().map(|c| u64::from(*c)).sum();
        let mut left = (q * total as f64).ceil() as u64;
        for (bucket, count) in self.counts.iter().enumerate() {
            left = left.saturating_sub(u64::from(*count));
            if left == 0 && total > 0 {
                return Self::edge(bucket + 1);
            }
        }
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_within_a_quarter_octave() {
        let mut histogram = Histogram::default();
        assert_eq!(histogram.quantile(0.5), 0.0);
        (0..990).for_each(|_| histogram.add(20_000));
        (0..10).for_each(|_| histogram.add(3_000_000));
        for (q, truth) in [(0.5, 20e-6), (0.999, 3e-3)] {
            let found = histogram.quantile(q);
            assert!(truth <= found && found < truth * 2f64.powf(0.25), "{found}");
        }
        histogram.add(0);
        histogram.add(u64::MAX);
        assert_eq!((histogram.counts[0], histogram.counts[BUCKETS - 1]), (1, 1));
    }
}
