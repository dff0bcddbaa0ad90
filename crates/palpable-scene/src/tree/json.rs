//! JSON text to a tree with places; the usual parsers forget where a value stood.

use super::{Entry, Node, Span, SyntaxError, Value};
use std::collections::HashSet;

/// Lists and tables may nest this deep.
const DEPTH: usize = 80;

pub(super) fn parse(text: &str) -> Result<Node, SyntaxError> {
    let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut parser = Parser { text, at, depth: 0 };
    let node = parser.value()?;
    parser.space();
    if parser.at < text.len() { Err(parser.error("text after the end")) } else { Ok(node) }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn error(&self, message: &str) -> SyntaxError {
        let here = self.text.get(self.at..).and_then(|t| t.chars().next());
        let end = self.at + here.map_or(0, char::len_utf8);
        SyntaxError { span: self.at..end, message: message.to_owned() }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    /// Passes one byte after white space, if it is there.
    fn accept(&mut self, byte: u8) -> bool {
        self.space();
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8) -> Result<(), SyntaxError> {
        if self.accept(byte) {
            return Ok(());
        }
        Err(self.error(&format!("expected `{}`", char::from(byte))))
    }

    fn value(&mut self) -> Result<Node, SyntaxError> {
        self.space();
        let start = self.at;
        let value = match self.peek() {
            Some(b'{') => self.nested(Self::table)?,
            Some(b'[') => self.nested(Self::array)?,
            Some(b'"') => Value::String(self.string()?.0),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            _ => self.word()?,
        };
        Ok(Node { span: start..self.at, value })
    }

    fn nested(
        &mut self,
        inside: impl Fn(&mut Self) -> Result<Value, SyntaxError>,
    ) -> Result<Value, SyntaxError> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(self.error("lists and tables nest too deep"));
        }
        let value = inside(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn table(&mut self) -> Result<Value, SyntaxError> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut seen = HashSet::new();
        self.expect(b'{')?;
        if self.accept(b'}') {
            return Ok(Value::Table(entries));
        }
        loop {
            self.space();
            let (key, key_span) = self.string()?;
            if !seen.insert(key.clone()) {
                return Err(SyntaxError { span: key_span, message: format!("`{key}` twice") });
            }
            self.expect(b':')?;
            entries.push(Entry { key, key_span, node: self.value()? });
            if !self.accept(b',') {
                break;
            }
        }
        self.expect(b'}')?;
        Ok(Value::Table(entries))
    }

    fn array(&mut self) -> Result<Value, SyntaxError> {
        let mut items = Vec::new();
        self.expect(b'[')?;
        if self.accept(b']') {
            return Ok(Value::Array(items));
        }
        loop {
            items.push(self.value()?);
            if !self.accept(b',') {
                break;
            }
        }
        self.expect(b']')?;
        Ok(Value::Array(items))
    }

    /// Finds the closing quote; the escapes inside are left to `serde_json`.
    fn string(&mut self) -> Result<(String, Span), SyntaxError> {
        let start = self.at;
        if self.peek() != Some(b'"') {
            return Err(self.error("expected a string in double quotes"));
        }
        self.at += 1;
        while let Some(byte) = self.peek() {
            match byte {
                b'"' => {
                    self.at += 1;
                    let span = start..self.at;
                    return match serde_json::from_str(&self.text[span.clone()]) {
                        Ok(text) => Ok((text, span)),
                        Err(_) => {
                            Err(SyntaxError { span, message: "bad escape in string".to_owned() })
                        }
                    };
                }
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        self.at = start;
        Err(self.error("this string has no end"))
    }

    fn number(&mut self) -> Result<Value, SyntaxError> {
        let start = self.at;
        while matches!(self.peek(), Some(b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9')) {
            self.at += 1;
        }
        let digits = &self.text[start..self.at];
        if let Ok(integer) = digits.parse() {
            return Ok(Value::Integer(integer));
        }
        digits.parse().map(Value::Float).map_err(|_| SyntaxError {
            span: start..self.at,
            message: "this is not a number".to_owned(),
        })
    }

    fn word(&mut self) -> Result<Value, SyntaxError> {
        let words = [
            ("true", Value::Bool(true)),
            ("false", Value::Bool(false)),
            ("null", Value::Other("null")),
        ];
        for (word, value) in words {
            if self.text.get(self.at..).is_some_and(|t| t.starts_with(word)) {
                self.at += word.len();
                return Ok(value);
            }
        }
        Err(self.error("expected a value"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_know_where_they_stand() {
        let text = r#"{ "a": [1, -2.5e3], "b": "é\n", "c": true }"#;
        let Value::Table(entries) = parse(text).expect("valid").value else { panic!("a table") };
        assert_eq!(&text[entries[1].node.span.clone()], r#""é\n""#);
        assert_eq!(entries[1].node.value, Value::String("é\n".to_owned()));
        let Value::Array(items) = &entries[0].node.value else { panic!("a list") };
        assert_eq!(items[0].value, Value::Integer(1));
        assert_eq!(items[1].value, Value::Float(-2500.0));
        assert_eq!(&text[items[1].span.clone()], "-2.5e3");
    }

    #[test]
    fn every_cut_of_a_text_is_an_error_and_not_a_panic() {
        let text = "\u{feff}{\"a\": [1, {\"é\\u00e9\\\\\": null}], \"b\": -1.5e-3}";
        for end in (0..text.len()).filter(|&i| text.is_char_boundary(i)) {
            assert!(parse(&text[..end]).is_err(), "{end}");
        }
        assert!(parse(text).is_ok());
        assert!(parse(&"[".repeat(100_000)).is_err());
        assert!(parse(r#"{"a": 1, "a": 2}"#).is_err());
    }
}
