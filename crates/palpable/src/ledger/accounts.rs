//! The accounts by name, in one order: whoever writes them all out goes through these lists.

use super::{Flows, Stored};

impl Stored {
    /// Names of the accounts, in the order of [`Stored::values`].
    pub const NAMES: [&str; 5] = ["kinetic", "elastic", "gravity", "tank", "contact"];

    /// What is in the accounts [J].
    pub fn values(&self) -> [f64; 5] {
        let Self { kinetic, elastic, gravity, tank, contact } = *self;
        [kinetic, elastic, gravity, tank, contact]
    }

    /// Size of the numbers that stand in the accounts [J]: what their rounding is a part of.
    pub fn size(&self) -> f64 {
        self.values().iter().map(|e| e.abs()).sum()
    }
}

impl Flows {
    /// Names of the accounts, in the order of [`Flows::values`].
    pub const NAMES: [&str; 6] =
        ["supplied", "damped", "friction", "impact", "discarded", "created"];

    /// What is in the accounts [J].
    pub fn values(&self) -> [f64; 6] {
        let Self { supplied, damped, friction, impact, discarded, created } = *self;
        [supplied, damped, friction, impact, discarded, created]
    }
}
