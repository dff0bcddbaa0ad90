//! Indices that cannot be mistaken for one another, and the lists in which they look up.

use super::Room;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Index, IndexMut};

/// An index of one kind of thing.
pub trait Place: Copy {
    /// That of the thing so many are before.
    fn at(index: usize) -> Self;
    /// How many are before.
    fn index(self) -> usize;
}

impl Place for usize {
    fn at(index: usize) -> Self {
        index
    }

    fn index(self) -> usize {
        self
    }
}

/// Defines an index.
macro_rules! place {
    ($(#[$about:meta])* $name:ident) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $crate::math::Place for $name {
            #[inline]
            fn at(index: usize) -> Self {
                Self(index as u32)
            }

            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}
pub(crate) use place;

/// A value for each thing of a kind: only its own places look up in it.
///
/// ```
/// use palpable::math::{Per, Place};
/// use palpable::model::{IslandAt, SystemAt};
/// let owed: Per<IslandAt, f64> = vec![1.0].into();
/// assert_eq!(owed[IslandAt::at(0)], 1.0);
/// ```
/// The same with the place of a subsystem is no program:
/// ```compile_fail
/// use palpable::math::{Per, Place};
/// use palpable::model::{IslandAt, SystemAt};
/// let owed: Per<IslandAt, f64> = vec![1.0].into();
/// assert_eq!(owed[SystemAt::at(0)], 1.0);
/// ```
#[derive(Debug)]
pub struct Per<P, T>(Room<T>, PhantomData<P>);

impl<P: Place, T> Per<P, T> {
    /// None yet, with room for `most`.
    pub fn with_capacity(most: usize) -> Self {
        Self(Room::with_capacity(most), PhantomData)
    }

    /// All places.
    pub fn all(&self) -> impl Iterator<Item = P> + use<P, T> {
        (0..self.0.len()).map(P::at)
    }

    /// The values, each with its place.
    pub fn entries(&self) -> impl Iterator<Item = (P, &T)> {
        self.all().zip(&self.0)
    }

    /// The same, to be changed.
    pub fn entries_mut(&mut self) -> impl Iterator<Item = (P, &mut T)> {
        self.all().zip(&mut self.0)
    }
}

impl<P, T> From<Vec<T>> for Per<P, T> {
    fn from(values: Vec<T>) -> Self {
        Self(values.into(), PhantomData)
    }
}

impl<P, T> Default for Per<P, T> {
    fn default() -> Self {
        Self(Room::default(), PhantomData)
    }
}

impl<P, T: Clone> Clone for Per<P, T> {
    fn clone(&self) -> Self {
        Self(self.0.clone(), PhantomData)
    }

    /// In the room at hand.
    fn clone_from(&mut self, other: &Self) {
        self.0.clone_from(&other.0);
    }
}

impl<P, T: PartialEq> PartialEq for Per<P, T> {
    fn eq(&self, other: &Self) -> bool {
        *self.0 == *other.0
    }
}

impl<P, T> Deref for Per<P, T> {
    type Target = Room<T>;
    #[inline]
    fn deref(&self) -> &Room<T> {
        &self.0
    }
}

impl<P, T> DerefMut for Per<P, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Room<T> {
        &mut self.0
    }
}

impl<P: Place, T> Index<P> for Per<P, T> {
    type Output = T;
    #[inline]
    fn index(&self, place: P) -> &T {
        &(**self.0)[place.index()]
    }
}

impl<P: Place, T> IndexMut<P> for Per<P, T> {
    #[inline]
    fn index_mut(&mut self, place: P) -> &mut T {
        &mut (**self.0)[place.index()]
    }
}

impl<'a, P, T> IntoIterator for &'a Per<P, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'a, P, T> IntoIterator for &'a mut Per<P, T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter_mut()
    }
}
