//! Absolute deadlines: on a grid, without bursts.

use std::time::Duration;

/// How a tick began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Wake {
    /// Time after the deadline.
    pub lateness: Duration,
    /// Deadlines that passed meanwhile without a tick.
    pub missed: u64,
}

/// Deadlines `start + k · period`.
///
/// A loop that comes late skips the deadlines that have passed and goes on with the next one of
/// the same grid: it never drifts and never runs a burst to catch up. A clock that went back, and a
/// device that sets a faster pace of its own, start a new grid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    period: Duration,
    next: Duration,
}

impl Schedule {
    /// The first deadline is one `period` after `start`; a period of zero counts as 1 ns.
    pub fn new(start: Duration, period: Duration) -> Self {
        let period = period.max(Duration::from_nanos(1));
        Self { period, next: start + period }
    }

    /// The deadline to wait for at time `now`.
    pub fn aim(&mut self, now: Duration) -> Duration {
        if self.next > now + 2 * self.period {
            self.next = now + self.period;
        }
        self.next
    }

    /// A tick begins at `now`.
    pub fn woke(&mut self, now: Duration) -> Wake {
        if self.next > now + self.period {
            self.next = now;
        }
        let lateness = now.saturating_sub(self.next);
        let missed = (lateness.as_nanos() / self.period.as_nanos()) as u64;
        // the grid goes on from the last deadline that has passed
        let rest = (lateness.as_nanos() % self.period.as_nanos()) as u64;
        self.next = now.max(self.next) - Duration::from_nanos(rest) + self.period;
        Wake { lateness, missed }
    }
}
