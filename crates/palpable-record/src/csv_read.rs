//! Reading a CSV recording back.

use crate::{Column, RecordError, Table};
use std::fs::File;
use std::path::Path;

/// Reads a recording written by [`CsvSink`](crate::CsvSink), or any table of numbers whose first
/// column is the time.
///
/// Groups are not in the file: a column's group is its name up to the last dot.
pub fn read_csv(path: impl AsRef<Path>) -> Result<Table, RecordError> {
    let path = path.as_ref();
    let file = crate::regular::open(path)
        .map_err(|source| RecordError::io(path, "open the recording", source))?;
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(file);
    let mut record = csv::StringRecord::new();
    if !next(path, &mut reader, &mut record)? {
        return Err(fault(path, 1, "the file is empty".into(), RECORD_AGAIN));
    }
    let mut table = Table::new(&heading(path, &record)?);
    let mut row = Vec::with_capacity(record.len());
    while next(path, &mut reader, &mut record)? {
        parse_row(path, &record, &mut row)?;
        if let Some((time, values)) = row.split_first() {
            table.push(*time, values)?;
        }
    }
    Ok(table)
}

const RECORD_AGAIN: &str = "the recording was cut off or is not one: record it again";

fn fault(path: &Path, line: u64, problem: String, cure: &'static str) -> RecordError {
    RecordError::Csv { path: path.to_path_buf(), line, problem, cure }
}

/// Reads one record; false at the end of the file.
fn next(
    path: &Path,
    reader: &mut csv::Reader<File>,
    record: &mut csv::StringRecord,
) -> Result<bool, RecordError> {
    let before = reader.position().line();
    reader.read_record(record).map_err(|error| {
        let line = error.position().map_or(before, csv::Position::line);
        match error.kind() {
            csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                let problem = format!("{len} fields where the heading has {expected_len}");
                fault(path, line, problem, "delete the broken line, or record again")
            }
            csv::ErrorKind::Utf8 { .. } => {
                fault(path, line, "not text in UTF-8".into(), RECORD_AGAIN)
            }
            _ => fault(path, line, error.to_string(), RECORD_AGAIN),
        }
    })
}

/// The columns after the time column.
fn heading(path: &Path, record: &csv::StringRecord) -> Result<Vec<Column>, RecordError> {
    let mut columns = record.iter().map(Column::from_heading);
    let time = columns.next().unwrap_or_else(|| Column::new("", "", ""));
    if time.name != "time" {
        let problem = format!("the first column is `{}`, not `time`", time.name);
        return Err(fault(path, 1, problem, "begin the heading with `time [s]`"));
    }
    if !matches!(time.unit.as_str(), "" | "s") {
        let problem = format!("time is in `{}`", time.unit);
        return Err(fault(path, 1, problem, "convert the time column to seconds"));
    }
    Ok(columns.collect())
}

fn parse_row(
    path: &Path,
    record: &csv::StringRecord,
    row: &mut Vec<f64>,
) -> Result<(), RecordError> {
    row.clear();
    for (index, field) in record.iter().enumerate() {
        let value = field.trim().parse().map_err(|_| {
            let line = record.position().map_or(0, csv::Position::line);
            let problem = format!("field {}: `{}` is not a number", index + 1, field);
            fault(path, line, problem, "write numbers like 1.5, -2e-3, NaN or inf")
        })?;
        row.push(value);
    }
    Ok(())
}
