//! Numbers from CSV files, with the line of every row.

use crate::place::{Elsewhere, Mistakes, Place};
use crate::suggest;
use std::path::{Path, PathBuf};

/// A CSV file with a header; lines that begin with `#` are comments.
pub(crate) struct CsvFile {
    path: PathBuf,
    header: Vec<String>,
    rows: Vec<(usize, csv::StringRecord)>,
}

/// The chosen columns of one row.
pub(crate) struct Row {
    /// Line in the file, from 1.
    pub line: usize,
    pub values: Vec<f64>,
}

impl CsvFile {
    /// Reads a file, or notes why it cannot; `at` is where the scene names it.
    pub fn read(path: &Path, at: &Place, mistakes: &mut Mistakes) -> Option<Self> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) => {
                let message = format!("cannot read `{}`: {error}", path.display());
                mistakes.add(at, message, "check the path; it starts at the scene file");
                return None;
            }
        };
        let mut reader = csv::ReaderBuilder::new()
            .comment(Some(b'#'))
            .trim(csv::Trim::All)
            .from_reader(text.trim_start_matches('\u{feff}').as_bytes());
        let mut file = Self { path: path.to_owned(), header: Vec::new(), rows: Vec::new() };
        let read = file.fill(&mut reader);
        if let Err(error) = read {
            let line = error.position().map_or(0, |p| p.line() as usize);
            let cure = "give every row as many numbers as the header has names";
            file.note(line, &at.field, at, error.to_string(), cure, mistakes);
            return None;
        }
        Some(file)
    }

    fn fill(&mut self, reader: &mut csv::Reader<&[u8]>) -> Result<(), csv::Error> {
        self.header = reader.headers()?.iter().map(str::to_owned).collect();
        for record in reader.records() {
            let record = record?;
            let line = record.position().map_or(0, |p| p.line() as usize);
            self.rows.push((line, record));
        }
        Ok(())
    }

    /// True if the header has this column.
    pub fn has(&self, column: &str) -> bool {
        self.header.iter().any(|name| name == column)
    }

    /// The named columns of every row as finite numbers; `None` if something is wrong.
    pub fn columns(&self, names: &[&str], at: &Place, mistakes: &mut Mistakes) -> Option<Vec<Row>> {
        let before = mistakes.0.len();
        for column in self.header.iter().filter(|c| !names.contains(&c.as_str())) {
            let cure = suggest::cure(column, names.iter().copied(), "known columns");
            self.note(1, column, at, format!("there is no column `{column}`"), cure, mistakes);
        }
        let mut indices = Vec::new();
        for name in names {
            match self.header.iter().position(|column| column == name) {
                Some(index) => indices.push(index),
                None => {
                    let cure = format!("make the header {}", names.join(", "));
                    self.note(1, name, at, format!("column `{name}` is missing"), cure, mistakes);
                }
            }
        }
        if self.rows.is_empty() {
            self.note(0, "rows", at, "there are no rows", "add at least one row", mistakes);
        }
        if mistakes.0.len() > before {
            return None;
        }
        let rows = self.rows.iter().map(|row| self.numbers(row, &indices, at, mistakes)).collect();
        (mistakes.0.len() == before).then_some(rows)
    }

    fn numbers(
        &self,
        (line, record): &(usize, csv::StringRecord),
        indices: &[usize],
        at: &Place,
        mistakes: &mut Mistakes,
    ) -> Row {
        let mut values = Vec::with_capacity(indices.len());
        for &index in indices {
            let text = record.get(index).unwrap_or_default();
            let number = text.parse::<f64>().ok().filter(|v| v.is_finite());
            if number.is_none() {
                let message = format!("`{text}` is not a finite number");
                let name = self.header.get(index).map_or("", String::as_str);
                self.note(*line, name, at, message, "give a plain number in SI units", mistakes);
            }
            values.push(number.unwrap_or_default());
        }
        Row { line: *line, values }
    }

    /// Notes a mistake on a line of this file.
    pub fn note(
        &self,
        line: usize,
        field: &str,
        at: &Place,
        message: impl Into<String>,
        cure: impl Into<String>,
        mistakes: &mut Mistakes,
    ) {
        let place = Place { field: field.to_owned(), ..at.clone() };
        let elsewhere = Some(Elsewhere::line(self.path.clone(), line));
        mistakes.add_elsewhere(&place, elsewhere, message, cure);
    }
}
