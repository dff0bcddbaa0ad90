//! What forces of contact are said to do, to be compared with what they did.

/// A power, and the size of the terms that it is a sum of [W].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Power {
    /// The power.
    pub sum: f64,
    /// Its terms, each as large as if nothing cancelled.
    pub size: f64,
}

impl Power {
    /// Adds the power of a force along a row that moves at a `rate`; without any force it would
    /// move at `free`, and by `mobility` for a unit of this one alone.
    #[inline]
    pub fn add(&mut self, force: f64, [rate, free]: [f64; 2], mobility: f64) {
        self.sum += force * rate;
        self.size += force.abs() * (free.abs() + force.abs() * mobility);
    }
}
