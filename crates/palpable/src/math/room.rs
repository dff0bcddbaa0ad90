//! Lists of bounded length.

use std::ops::{Deref, DerefMut};

/// A list whose copies have as much room as itself: a copied world allocates no more than the
/// first.
#[derive(Debug, PartialEq)]
pub struct Room<T>(Vec<T>);

impl<T> Room<T> {
    /// An empty list with room for `most`.
    pub fn with_capacity(most: usize) -> Self {
        Self(Vec::with_capacity(most))
    }
}

impl<T> From<Vec<T>> for Room<T> {
    fn from(values: Vec<T>) -> Self {
        Self(values)
    }
}

impl<T> Default for Room<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Clone> Clone for Room<T> {
    fn clone(&self) -> Self {
        let mut copy = Self::with_capacity(self.0.capacity());
        copy.extend_from_slice(&self.0);
        copy
    }

    fn clone_from(&mut self, source: &Self) {
        self.0.clone_from(&source.0);
    }
}

impl<T> Deref for Room<T> {
    type Target = Vec<T>;
    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

impl<T> DerefMut for Room<T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.0
    }
}

impl<'a, T> IntoIterator for &'a Room<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut Room<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter_mut()
    }
}
