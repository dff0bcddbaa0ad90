//! Places of a list that are taken, given up and taken again while a world runs.

/// Which places of a list are in use, and how often each was given up: an id holds both, so that
/// one of a part that is gone is refused, whoever has its place now.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Slots {
    places: Vec<(bool, u32)>,
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
    pub fn holds(&self, index: usize, born: u32) -> bool {
        self.places.get(index) == Some(&(true, born))
    }

    /// How often a place was given up.
    pub fn born(&self, index: usize) -> u32 {
        self.places.get(index).map_or(0, |p| p.1)
    }

    /// Takes the first free place.
    pub fn take(&mut self) -> usize {
        let looked = if self.gaps > 0 { self.len } else { 0 };
        let free = (0..looked).find(|&i| !self.places[i].0);
        let index = free.unwrap_or(self.len);
        self.gaps -= usize::from(free.is_some());
        self.take_at(index);
        index
    }

    /// Takes `count` places behind the last one in use; they were given up equally often.
    pub fn append(&mut self, count: usize) -> usize {
        let first = self.len;
        let born = (first..first + count).map(|i| self.born(i)).max().unwrap_or(0);
        for index in first..first + count {
            self.take_at(index);
            self.places[index].1 = born;
        }
        first
    }

    fn take_at(&mut self, index: usize) {
        if index >= self.places.len() {
            self.places.resize(index + 1, (false, 0));
        }
        self.places[index].0 = true;
        self.len = self.len.max(index + 1);
    }

    /// Gives a place up.
    pub fn free(&mut self, index: usize) {
        if self.is_taken(index) {
            self.places[index] = (false, self.places[index].1.wrapping_add(1));
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
    pub fn add(&mut self, part: T) -> usize {
        let index = self.slots.take();
        self.put(index, part);
        index
    }

    /// Adds parts side by side, behind all others.
    pub fn append(&mut self, parts: Vec<T>) -> usize {
        let first = self.slots.append(parts.len());
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
