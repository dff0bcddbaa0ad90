//! What a reader of the file would want to know, though nothing is wrong.

use std::fmt;

/// Why a remark is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RemarkKind {
    /// A tag or attribute that has no meaning here.
    Ignored,
    /// Read and kept, but not part of the simulation yet.
    NotSimulated,
    /// Taken in a way that the file does not spell out.
    Changed,
    /// A link that became part of another.
    Merged,
}

impl RemarkKind {
    /// The kind in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ignored => "ignored",
            Self::NotSimulated => "not simulated yet",
            Self::Changed => "note",
            Self::Merged => "merged",
        }
    }
}

/// A remark about a line of a URDF file.
#[derive(Debug, Clone, PartialEq)]
pub struct Remark {
    /// Why it is made.
    pub kind: RemarkKind,
    /// Line, counted from 1.
    pub line: usize,
    /// The tag or part it is about, such as `<gazebo>` or `joint[elbow].limit`.
    pub about: String,
    /// What becomes of it.
    pub message: String,
}

impl fmt::Display for Remark {
    /// `12: <gazebo>: ignored: a setting of another simulator`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}: {}", self.line, self.about, self.kind.name(), self.message)
    }
}
