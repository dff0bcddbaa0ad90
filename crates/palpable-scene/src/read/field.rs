//! A field that may be empty: left out, or wrong and noted.

use crate::place::{At, schema_of_value};
use serde::{Serialize, Serializer};

/// A value with its place, if there is one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Field<T>(pub Option<At<T>>);

impl<T> Field<T> {
    /// True if there is no value.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The value with its place.
    pub fn get(&self) -> Option<&At<T>> {
        self.0.as_ref()
    }
}

impl<T: Copy + Default> Field<T> {
    /// The value, or the usual one.
    pub fn or_default(&self) -> T {
        self.0.as_ref().map_or_else(T::default, |at| at.value)
    }
}

impl<T: Clone> Field<T> {
    /// The value, or another.
    pub fn or(&self, default: T) -> T {
        self.0.as_ref().map_or(default, |at| at.value.clone())
    }
}

impl<T> Default for Field<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: Serialize> Serialize for Field<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

schema_of_value!(Field);
