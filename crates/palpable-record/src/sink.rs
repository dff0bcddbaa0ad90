//! Where rows go: the trait that every recorder implements, and a splitter.

use crate::{Column, RecordError};

/// Takes the rows of a run as they come.
///
/// Call [`begin`](Sink::begin) once, [`row`](Sink::row) for every sample and
/// [`finish`](Sink::finish) at the end. Sinks that write files also finish when dropped, so that an
/// interrupted run leaves a complete file; only `finish` can report a failure, though.
pub trait Sink {
    /// Announces the columns.
    fn begin(&mut self, columns: &[Column]) -> Result<(), RecordError>;

    /// Takes one row at `time` \[s\], with one value per announced column in the column's unit.
    fn row(&mut self, time: f64, values: &[f64]) -> Result<(), RecordError>;

    /// Closes the recording. A second call does nothing.
    fn finish(&mut self) -> Result<(), RecordError>;
}

/// Hands every row to several sinks.
///
/// All sinks get every call, even after one of them failed; the first error is returned.
#[derive(Default)]
pub struct Tee<'a> {
    sinks: Vec<Box<dyn Sink + 'a>>,
}

impl<'a> Tee<'a> {
    /// A splitter without sinks: it swallows everything.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a sink, owned or borrowed (`&mut` sinks are sinks).
    pub fn with(mut self, sink: impl Sink + 'a) -> Self {
        self.sinks.push(Box::new(sink));
        self
    }

    fn each(
        &mut self,
        mut call: impl FnMut(&mut dyn Sink) -> Result<(), RecordError>,
    ) -> Result<(), RecordError> {
        let mut outcome = Ok(());
        for sink in &mut self.sinks {
            outcome = outcome.and(call(sink.as_mut()));
        }
        outcome
    }
}

impl Sink for Tee<'_> {
    fn begin(&mut self, columns: &[Column]) -> Result<(), RecordError> {
        self.each(|sink| sink.begin(columns))
    }

    fn row(&mut self, time: f64, values: &[f64]) -> Result<(), RecordError> {
        self.each(|sink| sink.row(time, values))
    }

    fn finish(&mut self) -> Result<(), RecordError> {
        self.each(|sink| sink.finish())
    }
}

impl<S: Sink + ?Sized> Sink for &mut S {
    fn begin(&mut self, columns: &[Column]) -> Result<(), RecordError> {
        (**self).begin(columns)
    }

    fn row(&mut self, time: f64, values: &[f64]) -> Result<(), RecordError> {
        (**self).row(time, values)
    }

    fn finish(&mut self) -> Result<(), RecordError> {
        (**self).finish()
    }
}
