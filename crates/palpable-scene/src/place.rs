//! Where a value stands, and the mistakes found there.

use crate::tree::Span;
use serde::{Serialize, Serializer};
use std::path::PathBuf;
use std::sync::Arc;

/// Element of a top-level list, such as the third `[[body]]`.
pub(crate) type Part = (String, usize);

/// A place in the scene file.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Place {
    pub span: Span,
    /// Path of the field, such as `body.shape.sphere.radius`.
    pub field: String,
    /// The part it belongs to.
    pub part: Option<Part>,
}

impl Place {
    /// A field of the table that stands here.
    pub fn child(&self, name: &str, span: Span) -> Self {
        let dot = if self.field.is_empty() { "" } else { "." };
        Self { span, field: format!("{}{dot}{name}", self.field), part: self.part.clone() }
    }

    /// This place under another name.
    pub fn renamed(&self, field: &str) -> Self {
        Self { field: field.to_owned(), ..self.clone() }
    }

    /// An element of the list that stands here; tables of a top-level list are parts.
    pub fn element(&self, index: usize, span: Span, is_table: bool) -> Self {
        if is_table && self.part.is_none() && !self.field.contains('.') {
            let part = Some((self.field.clone(), index));
            return Self { span, field: self.field.clone(), part };
        }
        Self { span, field: format!("{}[{index}]", self.field), part: self.part.clone() }
    }
}

/// A value and where it came from.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct At<T> {
    pub value: T,
    pub place: Place,
}

impl<T> std::ops::Deref for At<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: Serialize> Serialize for At<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}

/// The schema of a wrapper is that of the value: a scene has no `null`.
macro_rules! schema_of_value {
    ($wrapper:ident) => {
        impl<T: schemars::JsonSchema> schemars::JsonSchema for $wrapper<T> {
            fn inline_schema() -> bool {
                T::inline_schema()
            }
            fn schema_name() -> std::borrow::Cow<'static, str> {
                T::schema_name()
            }
            fn schema_id() -> std::borrow::Cow<'static, str> {
                T::schema_id()
            }
            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                T::json_schema(generator)
            }
        }
    };
}
pub(crate) use schema_of_value;

schema_of_value!(At);

/// A mistake before its line is looked up.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Mistake {
    pub place: Place,
    pub message: String,
    pub cure: String,
    /// Set if the mistake is in a file that the scene names: path and line.
    pub elsewhere: Option<Elsewhere>,
}

/// A place in another file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Elsewhere {
    pub file: PathBuf,
    /// Line from 1, 0 for the whole file.
    pub line: usize,
    /// The text of the file, if the span of the mistake is meant instead of a line.
    pub text: Option<Arc<str>>,
}

impl Elsewhere {
    /// A line of a file, 0 for the whole of it.
    pub fn line(file: PathBuf, line: usize) -> Self {
        Self { file, line, text: None }
    }
}

/// Mistakes that are listed, at most.
const MOST: usize = 100;

/// Collects mistakes: the first of them, and how many more there are.
#[derive(Debug, Default)]
pub(crate) struct Mistakes(pub Vec<Mistake>, pub usize);

impl Mistakes {
    /// Notes a mistake.
    pub fn add(&mut self, place: &Place, message: impl Into<String>, cure: impl Into<String>) {
        self.add_elsewhere(place, None, message, cure);
    }

    /// Notes a mistake in a file that the scene names at `place`.
    pub fn add_elsewhere(
        &mut self,
        place: &Place,
        elsewhere: Option<Elsewhere>,
        message: impl Into<String>,
        cure: impl Into<String>,
    ) {
        if self.is_full() {
            self.1 += 1;
            return;
        }
        let (message, cure) = (message.into(), cure.into());
        self.push(Mistake { place: place.clone(), message, cure, elsewhere });
    }

    /// Notes a mistake whose words are only made if it is listed.
    pub fn add_with(&mut self, place: &Place, words: impl FnOnce() -> (String, String)) {
        if self.is_full() {
            self.1 += 1;
        } else {
            let (message, cure) = words();
            self.add(place, message, cure);
        }
    }

    /// Takes over a mistake.
    pub fn push(&mut self, mistake: Mistake) {
        if self.is_full() {
            self.1 += 1;
        } else {
            self.0.push(mistake);
        }
    }

    /// True if no more are listed.
    pub fn is_full(&self) -> bool {
        self.0.len() >= MOST
    }

    /// How many there are, listed or not.
    pub fn count(&self) -> usize {
        self.0.len() + self.1
    }

    /// True if something is wrong with this field of the table at `place` already.
    pub fn blame(&self, place: &Place, field: &str) -> bool {
        let own = place.child(field, place.span.clone());
        self.0.iter().any(|m| m.place.field == own.field && m.place.part == own.part)
    }

    /// True if something is wrong with this part already.
    pub fn concern(&self, part: &Part) -> bool {
        self.0.iter().any(|m| m.place.part.as_ref() == Some(part))
    }
}
