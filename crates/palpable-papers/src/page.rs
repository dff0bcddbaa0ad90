//! What an experiment makes before it is written: figure, numbers and checks.

use crate::sheet::Sheet;
use crate::{Check, PaperError};
use palpable_record::figure::Figure;
use palpable_record::picture::Picture;
use std::path::{Path, PathBuf};

/// What is drawn.
pub(crate) enum Sight {
    /// Curves.
    Figure(Figure),
    /// Snapshots.
    Picture(Picture),
}

impl From<Figure> for Sight {
    fn from(figure: Figure) -> Self {
        Self::Figure(figure)
    }
}

impl From<Picture> for Sight {
    fn from(picture: Picture) -> Self {
        Self::Picture(picture)
    }
}

/// The result of an experiment in memory.
pub(crate) struct Page {
    pub figure: Sight,
    /// Numbers behind the figure, each with the ending of its name: none for the first.
    pub sheets: Vec<(&'static str, Sheet)>,
    pub checks: Vec<Check>,
}

impl Page {
    /// A page with one table of numbers.
    pub(crate) fn new(figure: impl Into<Sight>, sheet: Sheet, checks: Vec<Check>) -> Self {
        Self { figure: figure.into(), sheets: vec![("", sheet)], checks }
    }

    /// Writes figure and numbers under `stem` and returns the names.
    pub(crate) fn write(&self, stem: &Path) -> Result<Vec<PathBuf>, PaperError> {
        let drawn = match &self.figure {
            Sight::Figure(figure) => figure.write_both(stem)?,
            Sight::Picture(picture) => picture.write_both(stem)?,
        };
        let mut files = drawn.to_vec();
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
