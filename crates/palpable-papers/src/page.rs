//! What an experiment makes before it is written: figure, numbers and checks.

use crate::sheet::Sheet;
use crate::{Check, PaperError};
use palpable_record::figure::Figure;
use std::path::{Path, PathBuf};

/// The result of an experiment in memory.
pub(crate) struct Page {
    pub figure: Figure,
    /// Numbers behind the figure, each with the ending of its name: none for the first.
    pub sheets: Vec<(&'static str, Sheet)>,
    pub checks: Vec<Check>,
}

impl Page {
    /// A page with one table of numbers.
    pub(crate) fn new(figure: Figure, sheet: Sheet, checks: Vec<Check>) -> Self {
        Self { figure, sheets: vec![("", sheet)], checks }
    }

    /// Writes figure and numbers under `stem` and returns the names.
    pub(crate) fn write(&self, stem: &Path) -> Result<Vec<PathBuf>, PaperError> {
        let mut files = self.figure.write_both(stem)?.to_vec();
        for (ending, sheet) in &self.sheets {
            // not `with_extension`: the figure's number may hold a dot
            let mut name = stem.as_os_str().to_os_string();
            name.push(format!("{ending}.csv"));
            sheet.write(Path::new(&name))?;
            files.push(name.into());
        }
        Ok(files)
    }
}
