//! From the tree to typed documents; goes on after a mistake, so that all are found.

mod field;
mod fields;
mod macros;

pub(crate) use field::Field;
pub(crate) use fields::{Fields, read_choice, read_word};
pub(crate) use macros::{choice, document, words};

use crate::place::{At, Mistakes, Place};
use crate::tree::{Node, Value};

/// Something a scene file can hold.
pub(crate) trait Read: Sized {
    /// Reads a value, or notes what is wrong with it.
    fn read(node: &Node, at: &Place, mistakes: &mut Mistakes) -> Option<Self>;
}

/// Notes that a value is of the wrong kind.
pub(crate) fn wrong_kind(
    node: &Node,
    expected: &str,
    cure: &str,
    at: &Place,
    mistakes: &mut Mistakes,
) {
    mistakes.add(at, format!("this is {}, not {expected}", node.value.kind()), cure);
}

impl Read for String {
    fn read(node: &Node, at: &Place, mistakes: &mut Mistakes) -> Option<Self> {
        if let Value::String(text) = &node.value {
            return Some(text.clone());
        }
        wrong_kind(node, "a text", "put it in double quotes", at, mistakes);
        None
    }
}

impl Read for bool {
    fn read(node: &Node, at: &Place, mistakes: &mut Mistakes) -> Option<Self> {
        if let Value::Bool(flag) = node.value {
            return Some(flag);
        }
        wrong_kind(node, "true or false", "write true or false, without quotes", at, mistakes);
        None
    }
}

impl Read for u64 {
    fn read(node: &Node, at: &Place, mistakes: &mut Mistakes) -> Option<Self> {
        if let Value::Integer(i) = node.value
            && let Ok(count) = u64::try_from(i)
        {
            return Some(count);
        }
        wrong_kind(
            node,
            "a whole number of 0 or more",
            "give a whole number such as 1",
            at,
            mistakes,
        );
        None
    }
}

/// Reads every element of a list; those with mistakes are left out.
impl<T: Read> Read for Vec<At<T>> {
    fn read(node: &Node, at: &Place, mistakes: &mut Mistakes) -> Option<Self> {
        let Value::Array(items) = &node.value else {
            let cure = format!("make `{0}` a list: [..], or [[{0}]] for tables", at.field);
            wrong_kind(node, "a list", &cure, at, mistakes);
            return None;
        };
        let mut read = Vec::with_capacity(items.len());
        for (i, item) in items.iter().enumerate() {
            let place = at.element(i, item.span.clone(), matches!(item.value, Value::Table(_)));
            read.extend(T::read(item, &place, mistakes).map(|value| At { value, place }));
        }
        Some(read)
    }
}

impl<T: Read, const N: usize> Read for [T; N] {
    fn read(node: &Node, at: &Place, mistakes: &mut Mistakes) -> Option<Self> {
        let cure = format!("give a list of {N}");
        let Value::Array(items) = &node.value else {
            wrong_kind(node, &format!("a list of {N}"), &cure, at, mistakes);
            return None;
        };
        if items.len() != N {
            mistakes.add(at, format!("this list has {} entries, not {N}", items.len()), cure);
        }
        let mut read = Vec::with_capacity(N);
        for (i, item) in items.iter().enumerate() {
            read.extend(T::read(item, &at.element(i, item.span.clone(), false), mistakes));
        }
        read.try_into().ok()
    }
}
