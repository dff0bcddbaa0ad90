//! The numbers behind a figure as comma-separated text.
//!
//! Written in the manner of the recordings (heading `name [unit]`, every `f64` reads back with the
//! same bits), but free in its first column: not every figure is over time.

use crate::PaperError;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Columns of equal meaning per row.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Sheet {
    headings: Vec<String>,
    columns: Vec<Vec<f64>>,
}

impl Sheet {
    /// A sheet that begins with the time of every row \[s\].
    pub(crate) fn over_time(time: &[f64]) -> Self {
        Self::default().column("time", "s", time)
    }

    /// Adds a column; an empty unit is left out.
    pub(crate) fn column(mut self, name: &str, unit: &str, values: &[f64]) -> Self {
        let heading = if unit.is_empty() { name.to_string() } else { format!("{name} [{unit}]") };
        self.headings.push(heading);
        self.columns.push(values.to_vec());
        self
    }

    /// The sheet as text; a column that is too short ends in `NaN`.
    fn text(&self) -> String {
        let mut text = self.headings.join(",");
        text.push('\n');
        let rows = self.columns.iter().map(Vec::len).max().unwrap_or(0);
        for row in 0..rows {
            for (index, column) in self.columns.iter().enumerate() {
                let value = column.get(row).copied().unwrap_or(f64::NAN);
                let comma = if index == 0 { "" } else { "," };
                // writing to a string cannot fail
                let _ = write!(text, "{comma}{value:?}");
            }
            text.push('\n');
        }
        text
    }

    /// Writes the sheet; the file appears under its name only when it is whole.
    pub(crate) fn write(&self, path: &Path) -> Result<(), PaperError> {
        let refused = |source| PaperError::Io { path: path.to_path_buf(), source };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(refused)?;
        }
        let mut part = path.as_os_str().to_os_string();
        part.push(".part");
        fs::write(&part, self.text()).map_err(refused)?;
        fs::rename(&part, path).map_err(refused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_names_units_and_keeps_every_digit() {
        let sheet = Sheet::over_time(&[0.0, 0.1]).column("E", "J", &[1e-104, 1.0 / 3.0]).column(
            "E/E0",
            "",
            &[1.0],
        );
        let expected = "time [s],E [J],E/E0\n0.0,1e-104,1.0\n0.1,0.3333333333333333,NaN\n";
        assert_eq!(sheet.text(), expected);
    }
}
