//! What can go wrong with a recording or a figure, and the cure.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// An error of reading, writing or building a recording or a figure.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The operating system refused a file operation.
    #[error("{}: cannot {action}: {source}; {}", path.display(), cure(source))]
    Io {
        /// File or folder concerned.
        path: PathBuf,
        /// What was tried, as a verb phrase.
        action: &'static str,
        /// The system's answer.
        source: std::io::Error,
    },
    /// Another run writes the same file now.
    #[error("{}: another run writes here; wait for its end, or choose another folder with --out",
        path.display())]
    Busy {
        /// The file that grows.
        path: PathBuf,
    },
    /// A row has another number of values than there are columns.
    #[error("row {row} has {found} values for {expected} columns; pass one value per column")]
    RowLength {
        /// Index of the row, from 0.
        row: u64,
        /// Number of columns announced by `begin`.
        expected: usize,
        /// Number of values given.
        found: usize,
    },
    /// A sink was used before `begin`, after `finish`, or begun twice.
    #[error("recording: {problem}; call begin once, then row, then finish")]
    Order {
        /// What was out of order.
        problem: &'static str,
    },
    /// A text recording does not read as a table.
    #[error("{}: line {line}: {problem}; {cure}", path.display())]
    Csv {
        /// File read.
        path: PathBuf,
        /// Line in the file, from 1.
        line: u64,
        /// What is wrong there.
        problem: String,
        /// What to do about it.
        cure: &'static str,
    },
    /// A binary recording does not read as a table.
    #[error("{}:{} {problem}; {cure}", path.display(), place(.offset))]
    Mcap {
        /// File read or written.
        path: PathBuf,
        /// Place of the fault in a file that was read \[byte\]; none when writing.
        offset: Option<u64>,
        /// What is wrong there.
        problem: String,
        /// What to do about it.
        cure: &'static str,
    },
    /// The name of a figure ends in something that is not a known format.
    #[error("{}: unknown figure format; end the name in .png or .svg", path.display())]
    FigureFormat {
        /// Name given.
        path: PathBuf,
    },
    /// The PNG container could not be made.
    #[error("figure of {width} x {height} pixels: {problem}; choose a smaller size")]
    Png {
        /// Width of the image \[pixel\].
        width: u32,
        /// Height of the image \[pixel\].
        height: u32,
        /// What the encoder said.
        problem: String,
    },
}

fn cure(source: &std::io::Error) -> &'static str {
    match source.kind() {
        ErrorKind::StorageFull | ErrorKind::FileTooLarge | ErrorKind::QuotaExceeded => {
            "make room on the disk, or record elsewhere"
        }
        ErrorKind::IsADirectory => "name a file, not a folder",
        ErrorKind::NotFound => "check the name",
        _ => "check the name and that its folder is writable",
    }
}

fn place(offset: &Option<u64>) -> String {
    offset.map_or(String::new(), |offset| format!(" byte {offset}:"))
}

impl RecordError {
    /// Wraps a refusal of the operating system.
    pub(crate) fn io(path: &Path, action: &'static str, source: std::io::Error) -> Self {
        Self::Io { path: path.to_path_buf(), action, source }
    }
}
