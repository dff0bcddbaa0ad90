//! Fields of tables, words, and tables that hold one of several things.

use super::{Field, Read, wrong_kind};
use crate::place::{At, Mistakes, Place};
use crate::suggest;
use crate::tree::{Entry, Node, Value};

/// A table being read.
pub(crate) struct Fields<'n> {
    entries: &'n [Entry],
    at: &'n Place,
    /// unknown fields and what they are taken for
    slips: Vec<(&'static str, &'n Entry)>,
}

impl<'n> Fields<'n> {
    /// Opens a table with the known fields, and notes all others.
    pub fn open(
        node: &'n Node,
        known: &'n [&'static str],
        at: &'n Place,
        mistakes: &mut Mistakes,
    ) -> Option<Self> {
        let Value::Table(entries) = &node.value else {
            wrong_kind(node, "a table", "write { field = value, .. }", at, mistakes);
            return None;
        };
        let mut slips = Vec::new();
        for entry in entries.iter().filter(|e| !known.contains(&e.key.as_str())) {
            let place = at.child(&entry.key, entry.key_span.clone());
            mistakes.add_with(&place, || {
                let near = suggest::nearest(&entry.key, known.iter().copied());
                slips.extend(near.map(|near| (near, entry)));
                let cure = suggest::cure(&entry.key, known.iter().copied(), "known fields");
                (format!("there is no field `{}`", entry.key), cure)
            });
        }
        Some(Self { entries, at, slips })
    }

    /// A field that may be left out.
    pub fn optional<T: Read>(&self, name: &'static str, mistakes: &mut Mistakes) -> Field<T> {
        let Some(entry) = self.find(name) else { return Field(None) };
        let place = self.at.child(&entry.key, entry.node.span.clone());
        Field(T::read(&entry.node, &place, mistakes).map(|value| At { value, place }))
    }

    /// A field that must be there.
    pub fn required<T: Read>(&self, name: &'static str, mistakes: &mut Mistakes) -> Field<T> {
        if self.find(name).is_none() {
            let place = self.at.child(name, self.at.span.clone());
            let value = if name == "version" { "1" } else { ".." };
            mistakes.add(&place, format!("`{name}` is missing"), format!("add `{name} = {value}`"));
        }
        self.optional(name, mistakes)
    }

    /// The field of this name, or one that is noted as a slip for it: what it says is not missing.
    fn find(&self, name: &str) -> Option<&'n Entry> {
        let exact = self.entries.iter().find(|e| e.key == name);
        let slip = || self.slips.iter().find(|(near, _)| *near == name).map(|(_, entry)| *entry);
        exact.or_else(slip)
    }
}

/// One of a few words.
pub(crate) fn read_word<T: Copy>(
    node: &Node,
    words: &[(&'static str, T)],
    at: &Place,
    mistakes: &mut Mistakes,
) -> Option<T> {
    let text = String::read(node, at, mistakes)?;
    if let Some((_, value)) = words.iter().find(|(word, _)| *word == text) {
        return Some(*value);
    }
    let cure = suggest::cure(&text, words.iter().map(|(w, _)| *w), "known words");
    mistakes.add(at, format!("`{text}` is not known"), cure);
    None
}

/// The one entry of a table that holds exactly one of several things.
pub(crate) fn read_choice<'n>(
    node: &'n Node,
    known: &[&'static str],
    at: &Place,
    mistakes: &mut Mistakes,
) -> Option<(&'n Entry, Place)> {
    let list = known.join(", ");
    let Value::Table(entries) = &node.value else {
        let cure = format!("write {{ {} = {{ .. }} }}; one of {list}", known[0]);
        wrong_kind(node, "a table", &cure, at, mistakes);
        return None;
    };
    for entry in entries.iter().filter(|e| !known.contains(&e.key.as_str())) {
        let place = at.child(&entry.key, entry.key_span.clone());
        mistakes.add_with(&place, || {
            let cure = suggest::cure(&entry.key, known.iter().copied(), "known kinds");
            (format!("there is no kind `{}`", entry.key), cure)
        });
    }
    match entries.as_slice() {
        [] => mistakes.add(at, "this table is empty", format!("give one of {list}")),
        [entry] if known.contains(&entry.key.as_str()) => {
            return Some((entry, at.child(&entry.key, entry.node.span.clone())));
        }
        [_] => {}
        [_, second, ..] => {
            let place = at.child(&second.key, second.key_span.clone());
            mistakes.add(&place, "only one kind is allowed", format!("keep one of {list}"));
        }
    }
    None
}
