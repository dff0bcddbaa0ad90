//! A take: what was done from a moment on, so that it can be done again, bit for bit.

use super::{Moment, Order};

/// Orders that a take may hold; half an hour of dragging.
const LONGEST: usize = 120_000;

/// What is being recorded or replayed.
#[derive(Debug, Default)]
pub struct Take {
    start: Option<Moment>,
    orders: Vec<(u64, Order)>,
    /// tick and hash of the state at its end
    end: (u64, u64),
    recording: bool,
    next: Option<usize>,
}

impl Take {
    /// Begins to record at `start`.
    pub fn begin(&mut self, start: Moment) {
        *self = Take { start: Some(start), recording: true, ..Take::default() };
    }

    /// Notes an order given before step `tick`; a take that grew too long ends.
    pub fn note(&mut self, tick: u64, order: &Order) {
        if self.recording {
            if self.orders.len() < LONGEST {
                self.orders.push((tick, order.clone()));
            } else {
                self.recording = false;
            }
        }
    }

    /// Ends the recording at `tick` with a state of this hash.
    pub fn end(&mut self, tick: u64, hash: u64) {
        if self.recording {
            (self.recording, self.end) = (false, (tick, hash));
        }
    }

    /// Begins the replay; where to start from, if there is a recording.
    pub fn replay(&mut self) -> Option<Moment> {
        if self.recording || self.end.0 == 0 {
            return None;
        }
        self.next = Some(0);
        self.start.clone()
    }

    /// The next order of a replay due before step `tick`.
    pub fn due(&mut self, tick: u64) -> Option<Order> {
        let next = self.next?;
        let (at, order) = self.orders.get(next)?;
        if *at > tick {
            return None;
        }
        self.next = Some(next + 1);
        Some(order.clone())
    }

    /// The next order of a replay after its last step, which ends at `tick`.
    pub fn last_orders(&mut self, tick: u64) -> Option<Order> {
        if tick < self.end.0 { None } else { self.due(tick) }
    }

    /// At the end of a replay: ends it and tells whether the state is the same, bit for bit.
    pub fn finished(&mut self, tick: u64, hash: impl FnOnce() -> u64) -> Option<bool> {
        if self.next.is_none() || tick < self.end.0 {
            return None;
        }
        self.next = None;
        Some(tick == self.end.0 && hash() == self.end.1)
    }

    /// Ends a replay early.
    pub fn interrupt(&mut self) {
        self.next = None;
    }

    /// True while recording.
    pub fn is_recording(&self) -> bool {
        self.recording
    }

    /// True while replaying.
    pub fn is_replaying(&self) -> bool {
        self.next.is_some()
    }

    /// True if there is something to replay.
    pub fn is_ready(&self) -> bool {
        !self.recording && self.end.0 > 0
    }
}
