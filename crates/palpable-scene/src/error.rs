//! What is wrong with a scene: file, line, column, field, message and cure.

use crate::place::{Elsewhere, Mistake, Mistakes};
use std::fmt;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// One mistake in a scene file.
#[derive(Debug, Clone, PartialEq, Error)]
pub struct SceneError {
    /// The file at fault.
    pub file: PathBuf,
    /// Line, counted from 1; 0 where the whole file is meant.
    pub line: usize,
    /// Column in characters, counted from 1; 0 where the whole line is meant.
    pub column: usize,
    /// Path of the field, such as `body.mass`; empty where there is none.
    pub field: String,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub cure: String,
    excerpt: Option<Excerpt>,
}

/// A source line with the part to underline, both in characters.
#[derive(Debug, Clone, PartialEq)]
struct Excerpt {
    text: String,
    start: usize,
    length: usize,
}

/// Longest piece of a source line that is shown [characters].
const WIDTH: usize = 96;

impl SceneError {
    /// A mistake about a whole file.
    pub(crate) fn of_file(file: &Path, message: String, cure: &str) -> Self {
        let (file, field, cure) = (file.to_owned(), String::new(), cure.to_owned());
        Self { file, line: 0, column: 0, field, message, cure, excerpt: None }
    }

    /// Looks up the line of a mistake in `text`, the contents of `file`.
    pub(crate) fn locate(mistake: Mistake, file: &Path, text: &str) -> Self {
        let Mistake { place, message, cure, elsewhere } = mistake;
        let inside;
        let (file, text) = match elsewhere {
            Some(Elsewhere { file, line, text: None }) => {
                let (column, excerpt) = (0, None);
                return Self { file, line, column, field: place.field, message, cure, excerpt };
            }
            Some(Elsewhere { file, text: Some(other), .. }) => {
                inside = other;
                (file, &*inside)
            }
            None => (file.to_owned(), text),
        };
        let (line, column, excerpt) = look_up(text, place.span.start, place.span.end);
        Self { file, line, column, field: place.field, message, cure, excerpt: Some(excerpt) }
    }
}

/// Line and column of a byte, counted from 1, and the line itself. Total for any offsets.
fn look_up(text: &str, start: usize, end: usize) -> (usize, usize, Excerpt) {
    let start = floor_boundary(text, start);
    let end = floor_boundary(text, end).max(start);
    let line_start = text[..start].rfind('\n').map_or(0, |i| i + 1);
    let line_end = text[start..].find('\n').map_or(text.len(), |i| start + i);
    let line = text[..start].matches('\n').count() + 1;
    let before = text[line_start..start].chars().count();
    let marked = text[start..end.min(line_end)].trim_end().chars().count().max(1);
    // a long line is shown around the mistake only
    let skip = before.saturating_sub(if before + marked > WIDTH { WIDTH / 2 } else { before });
    let shown = text[line_start..line_end].trim_end_matches('\r');
    let shown = shown.chars().skip(skip).take(WIDTH);
    let shown = shown.map(|c| if c.is_control() { ' ' } else { c }).collect();
    let length = marked.min(WIDTH - (before - skip).min(WIDTH - 1));
    (line, before + 1, Excerpt { text: shown, start: before - skip, length })
}

fn floor_boundary(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0)
}

impl fmt::Display for SceneError {
    /// `scene.toml:12:8: body.mass: what is wrong; what to do`, then the line with a caret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.file.display())?;
        for number in [self.line, self.column].iter().filter(|n| **n > 0) {
            write!(f, "{number}:")?;
        }
        if !self.field.is_empty() {
            write!(f, " {}:", self.field)?;
        }
        write!(f, " {}; {}", self.message, self.cure)?;
        let Some(excerpt) = &self.excerpt else { return Ok(()) };
        let number = self.line.to_string();
        let gutter = " ".repeat(number.len());
        let (indent, marks) = (" ".repeat(excerpt.start), "^".repeat(excerpt.length));
        write!(f, "\n  {number} | {}\n  {gutter} | {indent}{marks}", excerpt.text)
    }
}

/// All mistakes of a scene, in the order of the file.
#[derive(Debug, Clone, PartialEq, Error)]
pub struct SceneErrors(pub Vec<SceneError>);

impl SceneErrors {
    pub(crate) fn locate(mistakes: Mistakes, file: &Path, text: &str) -> Self {
        let locate = |m| SceneError::locate(m, file, text);
        let more = mistakes.1;
        let mut errors: Vec<_> = mistakes.0.into_iter().map(locate).collect();
        errors.sort_by_key(|e| (e.file != file, e.file.clone(), e.line, e.column));
        if more > 0 {
            let message = format!("there are {more} more mistakes");
            errors.push(SceneError::of_file(file, message, "correct those above first"));
        }
        Self(errors)
    }
}

impl fmt::Display for SceneErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, error) in self.0.iter().enumerate() {
            let end = if i + 1 < self.0.len() { "\n" } else { "" };
            write!(f, "{error}{end}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistake_is_shown_with_its_line_and_a_caret() {
        let text = "a = 1\r\n\tmaß = -1.5\n";
        let start = text.find("-1").expect("there");
        let (line, column, excerpt) = look_up(text, start, start + 4);
        assert_eq!((line, column), (2, 8));
        assert_eq!((excerpt.text.as_str(), excerpt.start, excerpt.length), (" maß = -1.5", 7, 4));
    }

    #[test]
    fn any_span_of_any_text_can_be_shown() {
        let text = format!("é = [{}]\n\nü", "1, ".repeat(400));
        for start in 0..text.len() + 3 {
            for end in [0, start, start + 1, start + 200, usize::MAX] {
                let (_, _, excerpt) = look_up(&text, start, end);
                assert!(excerpt.text.chars().count() <= WIDTH);
                assert!(excerpt.start + excerpt.length <= WIDTH + 1);
            }
        }
    }
}
