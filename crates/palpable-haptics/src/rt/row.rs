//! One tick, as it is recorded.

use std::time::Duration;

use super::render::Books;
use crate::device::Sample;
use crate::safety::{Command, Fault, State, Wrench};

/// One tick, as it is recorded. Plain data: it goes through a ring without allocation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// Number of the tick, from 1; a gap is a row that the ring had no room for.
    pub tick: u64,
    /// Start of the tick by the loop's clock.
    pub time: Duration,
    /// Length of the world's step.
    pub step: Duration,
    /// Time after the deadline.
    pub lateness: Duration,
    /// What the device reported.
    pub sample: Sample,
    /// What the world wished.
    pub wish: Wrench,
    /// What the device was sent.
    pub command: Command,
    /// State of the safety stage.
    pub state: State,
    /// Why forces are or were away.
    pub fault: Option<Fault>,
    /// Energy that the hand received since the start [J].
    pub given: f64,
    /// The world's books.
    pub books: Books,
}
