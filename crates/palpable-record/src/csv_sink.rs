//! Recording as comma-separated text.

use crate::table::check_length;
use crate::{Column, RecordError, Sink, atomic};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes a recording as CSV: `time \[s\],ball.x \[m\],...`, one row per sample.
///
/// # Guarantee
/// Every finite `f64` reads back with the same bits, and so do both infinities (`inf`, `-inf`). Any
/// NaN is written `NaN`; its sign and payload are not kept. Groups are not written.
///
/// The file grows as `NAME.part` and takes its name when finished or dropped.
pub struct CsvSink {
    path: PathBuf,
    writer: Option<BufWriter<File>>,
    columns: usize,
    rows: u64,
    begun: bool,
    line: String,
}

impl CsvSink {
    /// Creates the growing file, and its folder if need be.
    pub fn create(path: impl AsRef<Path>) -> Result<Self, RecordError> {
        let path = path.as_ref().to_path_buf();
        let writer = Some(BufWriter::new(atomic::create_part(&path)?));
        Ok(Self { path, writer, columns: 0, rows: 0, begun: false, line: String::new() })
    }

    fn put_line(&mut self) -> Result<(), RecordError> {
        let writer =
            self.writer.as_mut().ok_or(RecordError::Order { problem: "already finished" })?;
        let outcome = writer.write_all(self.line.as_bytes());
        if outcome.is_err() {
            // what was written is not whole: it keeps its name of growth
            self.writer = None;
        }
        outcome.map_err(|source| RecordError::io(&self.path, "write a row", source))
    }
}

impl Sink for CsvSink {
    fn begin(&mut self, columns: &[Column]) -> Result<(), RecordError> {
        if std::mem::replace(&mut self.begun, true) {
            return Err(RecordError::Order { problem: "begun twice" });
        }
        self.columns = columns.len();
        self.line.push_str("time [s]");
        for column in columns {
            self.line.push(',');
            push_quoted(&mut self.line, &column.heading());
        }
        self.line.push('\n');
        self.put_line()
    }

    fn row(&mut self, time: f64, values: &[f64]) -> Result<(), RecordError> {
        if !self.begun {
            return Err(RecordError::Order { problem: "row before begin" });
        }
        check_length(self.rows, self.columns, values.len())?;
        self.line.clear();
        // shortest text that reads back to the same bits; writing to a string cannot fail
        let _ = write!(self.line, "{time:?}");
        for value in values {
            let _ = write!(self.line, ",{value:?}");
        }
        self.line.push('\n');
        self.rows += 1;
        self.put_line()
    }

    fn finish(&mut self) -> Result<(), RecordError> {
        let Some(mut writer) = self.writer.take() else { return Ok(()) };
        if !self.begun {
            // a recording without columns still is a table
            let _ = writer.write_all(b"time [s]\n");
        }
        writer.flush().map_err(|source| RecordError::io(&self.path, "write the rows", source))?;
        drop(writer);
        atomic::publish(&self.path)
    }
}

impl Drop for CsvSink {
    fn drop(&mut self) {
        // nobody is left to hear of a failure; the part file stays then
        let _ = self.finish();
    }
}

/// Appends a field, in quotes where it needs them.
fn push_quoted(line: &mut String, field: &str) {
    if field.is_empty() || field.contains([',', '"', '\n', '\r']) {
        line.push('"');
        line.push_str(&field.replace('"', "\"\""));
        line.push('"');
    } else {
        line.push_str(field);
    }
}
