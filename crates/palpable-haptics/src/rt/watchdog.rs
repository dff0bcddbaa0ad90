//! Notices that a loop no longer ticks.

use std::time::Duration;

/// Watches a count that should rise.
///
/// The servo thread judges its own lateness; this is for the case that it does not come back at
/// all. Only that thread holds the device: what takes the force away then is a thread of the
/// driver (Haply), or [`ServoThread::release`](super::ServoThread::release) where the maker's
/// library can be called from another thread (Force Dimension).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watchdog {
    patience: Duration,
    beats: u64,
    since: Option<Duration>,
}

impl Watchdog {
    /// Barks when the count stands still for longer than `patience`.
    pub fn new(patience: Duration) -> Self {
        Self { patience, beats: 0, since: None }
    }

    /// True if the count has stood still for too long at time `now`.
    pub fn barks(&mut self, now: Duration, beats: u64) -> bool {
        let since = match self.since {
            Some(since) if beats == self.beats => since,
            _ => {
                (self.beats, self.since) = (beats, Some(now));
                now
            }
        };
        now.saturating_sub(since) > self.patience
    }
}
