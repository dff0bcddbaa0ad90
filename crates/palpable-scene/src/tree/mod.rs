//! The file as a tree in which every value knows where it stands.

mod json;
mod toml;

use std::ops::Range;

/// Bytes of the text that a value covers.
pub(crate) type Span = Range<usize>;

/// A value and its place in the text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub span: Span,
    pub value: Value,
}

/// What TOML and JSON have in common.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    /// JSON's null or a TOML date: nothing a scene can use.
    Other(&'static str),
    Bool(bool),
    Integer(i128),
    Float(f64),
    String(String),
    Array(Vec<Node>),
    Table(Vec<Entry>),
}

/// One field of a table.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub key: String,
    pub key_span: Span,
    pub node: Node,
}

impl Value {
    /// The kind of value in words, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Other(name) => name,
            Value::Bool(_) => "a boolean",
            Value::Integer(_) | Value::Float(_) => "a number",
            Value::String(_) => "a string",
            Value::Array(_) => "a list",
            Value::Table(_) => "a table",
        }
    }
}

/// The first thing that is not TOML (or JSON).
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SyntaxError {
    pub span: Span,
    pub message: String,
}

/// Reads JSON if the text begins with a brace, which no TOML text does, and TOML otherwise.
pub(crate) fn parse(text: &str) -> Result<Node, SyntaxError> {
    let body = text.trim_start_matches('\u{feff}');
    if body.trim_start().starts_with('{') { json::parse(text) } else { toml::parse(text) }
}
