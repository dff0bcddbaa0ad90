//! How much a page may send.

use std::time::Instant;

/// Largest message from a page [bytes].
pub const LARGEST_MESSAGE: usize = 64 * 1024;
/// Largest file that may be dropped [bytes].
pub const LARGEST_UPLOAD: usize = 16 * 1024 * 1024;
/// Files that may be dropped while the program runs.
pub const MOST_UPLOADS: usize = 200;
/// Bytes of all files that may be dropped while the program runs.
pub const MOST_KEPT: usize = 512 * 1024 * 1024;
/// Connections at once, pages and requests together.
pub const MOST_CONNECTIONS: usize = 256;
/// Pages connected at once.
pub const MOST_PAGES: usize = 32;
/// Messages that cannot be read before the connection is closed.
pub const MOST_MISTAKES: u32 = 16;

/// A leaky bucket: so many messages at once, so many per second.
#[derive(Debug, Clone)]
pub struct Bucket {
    level: f64,
    burst: f64,
    rate: f64,
    last: Instant,
}

impl Bucket {
    /// `burst` messages at once, `rate` per second [1/s].
    pub fn new(burst: f64, rate: f64, now: Instant) -> Self {
        Self { level: burst, burst, rate, last: now }
    }

    /// Counts a message at `now`; false if it is one too many.
    pub fn admit(&mut self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.last).as_secs_f64();
        self.last = now;
        self.level = (self.level + passed * self.rate).min(self.burst);
        let fits = self.level >= 1.0;
        if fits {
            self.level -= 1.0;
        }
        fits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_bucket_lets_a_burst_through_and_then_its_rate() {
        let start = Instant::now();
        let mut bucket = Bucket::new(10.0, 100.0, start);
        let at = |ms: u64| start + Duration::from_millis(ms);
        assert_eq!((0..50).filter(|_| bucket.admit(at(0))).count(), 10);
        // one second of one message a millisecond: a hundred pass
        let passed = (1..=1000).filter(|ms| bucket.admit(at(*ms))).count();
        assert!((99..=101).contains(&passed), "{passed}");
        // rest does not save up more than the burst
        assert_eq!((0..50).filter(|_| bucket.admit(at(90_000))).count(), 10);
    }
}
