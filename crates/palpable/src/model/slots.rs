//! Places of a list that are taken, given up and taken again while a world runs.

use super::lineage::{NOBODY, along};
use crate::port::ANY;

/// Which places of a list are in use, and by whom: an id holds a place and the mark of a part, so
/// that one of a part that is gone or of another model is refused, whoever has its place now.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Slots {
    places: Vec<(bool, u64)>,
    /// places in use, or between such
    len: usize,
    /// places between them that are free
    gaps: usize,
}

impl Slots {
    /// Places up to the last one in use.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if this place is in use.
    pub fn is_taken(&self, index: usize) -> bool {
        self.places.get(index).is_some_and(|p| p.0)
    }

    /// True if this place is in use by the part that an id names.
    pub fn holds(&self, index: usize, mark: u64) -> bool {
        self.is_taken(index) && (mark == ANY || mark == self.mark(index))
    }

    /// The mark of who is at a place.
    pub fn mark(&self, index: usize) -> u64 {
        self.places.get(index).map_or(NOBODY, |p| p.1)
    }

    /// Takes the first free place.
    pub fn take(&mut self, mark: u64) -> usize {
        let looked = if self.gaps > 0 { self.len } else { 0 };
        let free = (0..looked).find(|&i| !self.places[i].0);
        let index = free.unwrap_or(self.len);
        self.gaps -= usize::from(free.is_some());
        self.take_at(index, mark);
        index
    }

    /// Takes `count` places behind the last one in use, with marks that follow the first one's.
    pub fn append(&mut self, count: usize, mark: u64) -> usize {
        let first = self.len;
        (0..count).for_each(|i| self.take_at(first + i, along(mark, i)));
        first
    }

    fn take_at(&mut self, index: usize, mark: u64) {
        if index >= self.places.len() {
            self.places.resize(index + 1, (false, NOBODY));
        }
        self.places[index] = (true, mark);
        self.len = self.len.max(index + 1);
    }

    /// Gives a place up.
    pub fn free(&mut self, index: usize) {
        if self.is_taken(index) {
            self.places[index] = (false, NOBODY);
            self.gaps += 1;
        }
        while self.len > 0 && !self.places[self.len - 1].0 {
            self.len -= 1;
            self.gaps -= 1;
        }
    }
}

/// A list of parts that come and go.
#[derive(Debug, Clone)]
pub(crate) struct Parts<T> {
    list: Vec<Option<T>>,
    pub slots: Slots,
}

impl<T> Default for Parts<T> {
    fn default() -> Self {
        Self { list: Vec::new(), slots: Slots::default() }
    }
}

impl<T> Parts<T> {
    /// Adds a part in the first free place.
    pub fn add(&mut self, part: T, mark: u64) -> usize {
        let index = self.slots.take(mark);
        self.put(index, part);
        index
    }

    /// Adds parts side by side, behind all others.
    pub fn append(&mut self, parts: Vec<T>, mark: u64) -> usize {
        let first = self.slots.append(parts.len(), mark);
        parts.into_iter().zip(first..).for_each(|(part, index)| self.put(index, part));
        first
    }

    fn put(&mut self, index: usize, part: T) {
        if index >= self.list.len() {
            self.list.resize_with(index + 1, || None);
        }
        self.list[index] = Some(part);
    }

    /// Takes a part out; false if there is none.
    pub fn remove(&mut self, index: usize) -> bool {
        self.slots.free(index);
        let gone = self.list.get_mut(index).and_then(Option::take).is_some();
        self.list.truncate(self.slots.len());
        gone
    }

    /// A part.
    pub fn get(&self, index: usize) -> Option<&T> {
        self.list.get(index).and_then(Option::as_ref)
    }

    /// A part that may be changed.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        self.list.get_mut(index).and_then(Option::as_mut)
    }

    /// The parts and their places.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &T)> + '_ {
        self.list.iter().enumerate().filter_map(|(i, part)| Some((i, part.as_ref()?)))
    }

    /// The parts alone.
    pub fn values(&self) -> impl Iterator<Item = &T> + '_ {
        self.list.iter().flatten()
    }
}
