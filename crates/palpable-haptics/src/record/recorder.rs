//! Writes the rows of a servo loop.

use super::columns::{Setup, columns, fill};
use crate::rt::Row;
use palpable_record::{RecordError, Sink};

/// Writes the rows of a servo loop into a sink; runs beside the loop, never in it.
///
/// The sink finishes when dropped, so that a run that is interrupted or fails leaves a complete
/// and readable file.
pub struct Recorder<S: Sink> {
    sink: S,
    setup: Setup,
    values: Vec<f64>,
    rows: u64,
}

impl<S: Sink> Recorder<S> {
    /// Announces the columns.
    /// # Errors
    /// The sink's.
    pub fn new(mut sink: S, setup: Setup) -> Result<Self, RecordError> {
        sink.begin(&columns())?;
        Ok(Self { sink, setup, values: Vec::new(), rows: 0 })
    }

    /// Writes one tick.
    /// # Errors
    /// The sink's.
    pub fn write(&mut self, row: &Row) -> Result<(), RecordError> {
        self.values.clear();
        fill(&mut self.values, row, &self.setup);
        self.rows += 1;
        self.sink.row(row.time.as_secs_f64(), &self.values)
    }

    /// Ticks written.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Closes the recording.
    /// # Errors
    /// The sink's.
    pub fn finish(mut self) -> Result<(), RecordError> {
        self.sink.finish()
    }
}
