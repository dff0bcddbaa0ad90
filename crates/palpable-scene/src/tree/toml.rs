//! TOML text to a tree with places.

use super::{Entry, Node, Span, SyntaxError, Value};
use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

/// Lists and tables may nest this deep, and a dotted key may have so many parts: less than where
/// the reader of TOML gives up.
const DEPTH: usize = 64;

pub(super) fn parse(text: &str) -> Result<Node, SyntaxError> {
    if let Some(span) = too_deep(text) {
        return Err(SyntaxError { span, message: "lists and tables nest too deep".into() });
    }
    let table = DeTable::parse(text).map_err(|error| SyntaxError {
        span: error.span().unwrap_or(0..0),
        message: error.message().lines().collect::<Vec<_>>().join(", "),
    })?;
    Ok(Node { span: 0..0, value: entries(table.get_ref()) })
}

/// Where brackets nest, or keys are dotted, beyond [`DEPTH`]: the reader of TOML gives up there
/// without a place.
fn too_deep(text: &str) -> Option<Span> {
    let (bytes, mut at) = (text.as_bytes(), 0);
    let (mut open, mut dots) = (0usize, 0usize);
    while at < bytes.len() {
        match bytes[at] {
            b'#' => at += bytes[at..].iter().take_while(|b| **b != b'\n').count() - 1,
            quote @ (b'"' | b'\'') => at = end_of_string(bytes, at, quote),
            b'[' | b'{' => (open, dots) = (open + 1, 0),
            b']' | b'}' => (open, dots) = (open.saturating_sub(1), 0),
            b'.' => dots += 1,
            b'\n' | b'=' | b',' => dots = 0,
            _ => {}
        }
        if open > DEPTH || dots >= DEPTH {
            return Some(at..at + 1);
        }
        at += 1;
    }
    None
}

/// The last byte of a string that begins at `start`; three quotes let it run over lines.
fn end_of_string(bytes: &[u8], start: usize, quote: u8) -> usize {
    let long = bytes[start..].starts_with(&[quote; 3]);
    let mut at = start + if long { 3 } else { 1 };
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if quote == b'"' => at += 1,
            b'\n' if !long => return at - 1,
            b if b == quote && !long => return at,
            b if b == quote && bytes[at..].starts_with(&[quote; 3]) => return at + 2,
            _ => {}
        }
        at += 1;
    }
    at
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Line and column of a mistake, from 1.
    fn mistake(text: &str) -> Option<(usize, usize, String)> {
        let error = parse(text).err()?;
        let before = &text[..error.span.start];
        let line = 1 + before.matches('\n').count();
        let column = 1 + before.len() - before.rfind('\n').map_or(0, |at| at + 1);
        Some((line, column, error.message))
    }

    #[test]
    fn what_nests_too_deep_is_refused_where_it_does() {
        let deep = |n: usize| format!("a = 1\n\nb = {}{}\n", "[".repeat(n), "]".repeat(n));
        assert_eq!(mistake(&deep(DEPTH)), None);
        for n in [DEPTH + 1, 100, 100_000] {
            let (line, column, message) = mistake(&deep(n)).expect("too deep");
            assert_eq!((line, column), (3, 5 + DEPTH), "{message}");
            assert!(message.contains("too deep"), "{message}");
        }
        for n in [100, 100_000] {
            for text in ["x = 1\n[K]\n", "x = 1\nK = 1\n", "x = 1\ny = { K = 1 }\n"] {
                let (line, _, message) =
                    mistake(&text.replace('K', &vec!["k"; n].join("."))).unwrap();
                assert_eq!(line, 2, "{message}");
            }
        }
    }

    #[test]
    fn brackets_and_dots_in_texts_and_remarks_do_not_count() {
        let many = "[".repeat(100) + &".".repeat(100);
        for text in [
            format!("a = \"{many}\" # {many}\nb = '{many}'\n"),
            format!("a = \"\"\"\n{many}\n\\\"\"\"\"\nb = '''\n{many}'''\n# {many}"),
            format!("a = \"\\\"{many}\"\n#\n#"),
        ] {
            assert_eq!(mistake(&text), None, "{text}");
        }
        // a thousand lists and numbers side by side are not deep
        assert_eq!(mistake(&format!("a = [{}]", "[1.5, 2.5], ".repeat(1000))), None);
        assert!(mistake("a = \"open").is_some() && mistake("a = \"\"\"open").is_some());
    }
}
