//! Numbers from CSV files, with the line of every row.

use crate::place::{Elsewhere, Mistakes, Place};
use crate::shelf::{Kind, Shelf};
use crate::suggest;
use std::path::{Path, PathBuf};

/// A CSV file with a header; lines that begin with `#` are comments.
pub(crate) struct CsvFile {
    path: PathBuf,
    header: Vec<String>,
    /// line of every row, from 1
    lines: Vec<usize>,
    /// the fields of all rows one after the other, and where each ends
    text: String,
    ends: Vec<usize>,
}

/// The chosen columns of one row.
pub(crate) struct Row {
    /// Line in the file, from 1.
    pub line: usize,
    pub values: Vec<f64>,
}

impl CsvFile {
    /// Reads a file, or notes why it cannot; `at` is where the scene names it.
    pub fn read(path: &Path, shelf: &Shelf, at: &Place, mistakes: &mut Mistakes) -> Option<Self> {
        let text = match shelf.text(path, Kind::Table) {
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
        let mut file = Self {
            path: path.to_owned(),
            header: Vec::new(),
            lines: Vec::new(),
            text: String::new(),
            ends: Vec::new(),
        };
        let read = file.fill(&mut reader);
        if let Err(error) = read {
            let line = error.position().map_or(0, |p| p.line() as usize);
            let cure = "give every row as many numbers as the header has names";
            file.note(line, at, error.to_string(), cure, mistakes);
            return None;
        }
        Some(file)
    }

    fn fill(&mut self, reader: &mut csv::Reader<&[u8]>) -> Result<(), csv::Error> {
        self.header = reader.headers()?.iter().map(str::to_owned).collect();
        let mut record = csv::StringRecord::new();
        while reader.read_record(&mut record)? {
            self.lines.push(record.position().map_or(0, |p| p.line() as usize));
            for field in &record {
                self.text.push_str(field);
                self.ends.push(self.text.len());
            }
        }
        Ok(())
    }

    /// A field of a row.
    fn field(&self, row: usize, column: usize) -> &str {
        let place = row * self.header.len() + column;
        let start = if place == 0 { 0 } else { self.ends.get(place - 1).copied().unwrap_or(0) };
        let end = self.ends.get(place).copied().unwrap_or(start);
        self.text.get(start..end).unwrap_or_default()
    }

    /// True if the header has this column.
    pub fn has(&self, column: &str) -> bool {
        self.header.iter().any(|name| name == column)
    }

    /// The named columns of every row as finite numbers; `None` if something is wrong.
    pub fn columns(&self, names: &[&str], at: &Place, mistakes: &mut Mistakes) -> Option<Vec<Row>> {
        let before = mistakes.count();
        for column in self.header.iter().filter(|c| !names.contains(&c.as_str())) {
            let cure = suggest::cure(column, names.iter().copied(), "known columns");
            let shown: String = column.chars().take(40).collect();
            let message = format!("there is no column `{shown}`");
            self.note(1, &at.renamed(&shown), message, cure, mistakes);
        }
        let mut indices = Vec::new();
        for name in names {
            match self.header.iter().position(|column| column == name) {
                Some(index) => indices.push(index),
                None => {
                    let cure = format!("make the header {}", names.join(", "));
                    let message = format!("column `{name}` is missing");
                    self.note(1, &at.renamed(name), message, cure, mistakes);
                }
            }
        }
        if self.lines.is_empty() {
            let at = at.renamed("rows");
            self.note(0, &at, "there are no rows", "add at least one row", mistakes);
        }
        if mistakes.count() > before {
            return None;
        }
        let rows = 0..self.lines.len();
        let rows = rows.map(|row| self.numbers(row, &indices, at, mistakes)).collect();
        (mistakes.count() == before).then_some(rows)
    }

    fn numbers(&self, row: usize, indices: &[usize], at: &Place, mistakes: &mut Mistakes) -> Row {
        let line = self.lines[row];
        let mut values = Vec::with_capacity(indices.len());
        for &index in indices {
            let text = self.field(row, index);
            let number = text.parse::<f64>().ok().filter(|v| v.is_finite());
            if number.is_none() {
                let shown: String = text.chars().take(40).collect();
                let message = format!("`{shown}` is not a finite number");
                let name = self.header.get(index).map_or("", String::as_str);
                let cure = "give a plain number in SI units";
                self.note(line, &at.renamed(name), message, cure, mistakes);
            }
            values.push(number.unwrap_or_default());
        }
        Row { line, values }
    }

    /// Notes a mistake on a line of this file.
    pub fn note(
        &self,
        line: usize,
        at: &Place,
        message: impl Into<String>,
        cure: impl Into<String>,
        mistakes: &mut Mistakes,
    ) {
        let elsewhere = Some(Elsewhere::line(self.path.clone(), line));
        mistakes.add_elsewhere(at, elsewhere, message, cure);
    }
}
