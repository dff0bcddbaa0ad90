//! Stiffness and damping: one number, one per row, or linear and angular apart.

use crate::place::{At, Mistakes, Place};
use crate::quantity::Loose;
use crate::read::{Read, document};
use crate::tree::{Node, Value};
use schemars::JsonSchema;
use serde::Serialize;

/// Stiffness or damping: one number for all rows, a list with one per row (offsets first), or
/// { linear, angular }.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Rows {
    /// The same for all rows.
    Same(Loose),
    /// One per row.
    Each(Vec<At<Loose>>),
    /// Offsets and rotations apart.
    Split(Box<Split>),
}

document! {
    /// Offsets and rotations apart.
    struct Split {
        required {}
        optional {
            /// For the three offsets: one number or three; 0 unless given.
            linear: Triple,
            /// For the three rotations: one number or three; 0 unless given.
            angular: Triple,
        }
    }
}

/// One number for all three axes, or one for each.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Triple {
    /// The same for x, y and z.
    Same(Loose),
    /// One for each of x, y and z.
    Each([Loose; 3]),
}

impl Triple {
    /// The three of them.
    pub fn each(&self) -> [Loose; 3] {
        match self {
            Triple::Same(value) => [*value; 3],
            Triple::Each(values) => *values,
        }
    }
}

impl Read for Triple {
    fn read(node: &Node, at: &Place, mistakes: &mut Mistakes) -> Option<Self> {
        match node.value {
            Value::Array(_) => Read::read(node, at, mistakes).map(Self::Each),
            _ => Loose::read(node, at, mistakes).map(Self::Same),
        }
    }
}

impl Read for Rows {
    fn read(node: &Node, at: &Place, mistakes: &mut Mistakes) -> Option<Self> {
        match &node.value {
            Value::Table(_) => Split::read(node, at, mistakes).map(|s| Self::Split(Box::new(s))),
            Value::Array(items) => {
                let rows: Vec<At<Loose>> = Read::read(node, at, mistakes)?;
                (rows.len() == items.len()).then_some(Self::Each(rows))
            }
            _ => Loose::read(node, at, mistakes).map(Self::Same),
        }
    }
}
