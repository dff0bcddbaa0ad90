//! TOML text to a tree with places.

use super::{Entry, Node, Span, SyntaxError, Value};
use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

pub(super) fn parse(text: &str) -> Result<Node, SyntaxError> {
    let table = DeTable::parse(text).map_err(|error| SyntaxError {
        span: error.span().unwrap_or(0..0),
        message: error.message().lines().collect::<Vec<_>>().join(", "),
    })?;
    Ok(Node { span: 0..0, value: entries(table.get_ref()) })
}

fn entries(table: &DeTable<'_>) -> Value {
    let mut entries: Vec<Entry> = table.iter().map(|(key, value)| entry(key, value)).collect();
    entries.sort_by_key(|e| e.key_span.start);
    Value::Table(entries)
}

fn entry(key: &Spanned<std::borrow::Cow<'_, str>>, value: &Spanned<DeValue<'_>>) -> Entry {
    Entry { key: key.get_ref().to_string(), key_span: key.span(), node: node(value, &key.span()) }
}

/// A table made by dotted keys has no text of its own: it stands where its key does.
fn node(value: &Spanned<DeValue<'_>>, key: &Span) -> Node {
    let span = if value.span().is_empty() { key.clone() } else { value.span() };
    let value = match value.get_ref() {
        DeValue::String(s) => Value::String(s.to_string()),
        DeValue::Integer(i) => integer(i),
        DeValue::Float(f) => Value::Float(f.as_str().replace('_', "").parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(b) => Value::Bool(*b),
        DeValue::Datetime(_) => Value::Other("a date"),
        DeValue::Array(items) => Value::Array(items.iter().map(|v| node(v, &span)).collect()),
        DeValue::Table(table) => entries(table),
    };
    Node { span, value }
}

/// Integers beyond 128 bits become floating point.
fn integer(i: &DeInteger<'_>) -> Value {
    let digits = i.as_str().replace('_', "");
    match i128::from_str_radix(&digits, i.radix()) {
        Ok(value) => Value::Integer(value),
        Err(_) => Value::Float(digits.parse().unwrap_or(f64::NAN)),
    }
}
