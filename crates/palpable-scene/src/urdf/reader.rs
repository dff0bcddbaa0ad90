//! What is carried along while a file is read: mistakes, remarks and the files it names.

use super::files::Files;
use super::remark::{Remark, RemarkKind};
use crate::place::{Mistakes, Place};

/// Collects what is found.
pub(super) struct Reader {
    pub mistakes: Mistakes,
    pub remarks: Vec<Remark>,
    pub files: Files,
    /// Bytes at which lines begin.
    lines: Vec<usize>,
}

impl Reader {
    pub fn new(text: &str, files: Files) -> Self {
        let after = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1);
        let lines = std::iter::once(0).chain(after).collect();
        Self { mistakes: Mistakes::default(), remarks: Vec::new(), files, lines }
    }

    /// Line of a byte, counted from 1.
    pub fn line(&self, at: usize) -> usize {
        self.lines.partition_point(|start| *start <= at)
    }

    /// Notes a mistake.
    pub fn wrong(&mut self, at: &Place, message: impl Into<String>, cure: impl Into<String>) {
        self.mistakes.add(at, message, cure);
    }

    /// Makes a remark.
    pub fn remark(
        &mut self,
        kind: RemarkKind,
        at: usize,
        about: impl Into<String>,
        message: impl Into<String>,
    ) {
        let (line, about, message) = (self.line(at), about.into(), message.into());
        self.remarks.push(Remark { kind, line, about, message });
    }
}
