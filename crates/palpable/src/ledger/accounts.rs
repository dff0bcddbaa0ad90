//! The accounts by name, in one order: whoever writes them all out goes through these lists.

use super::{Flows, Ledger, Stored};

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

impl Ledger {
    /// What is stored now, then what came and went since the start [J]: [`Stored::NAMES`] and
    /// [`Flows::NAMES`] in a row.
    pub fn accounts(&self) -> [f64; 11] {
        let mut all = [0.0; 11];
        let (stored, flows) = all.split_at_mut(Stored::NAMES.len());
        stored.copy_from_slice(&self.now().values());
        flows.copy_from_slice(&self.totals().values());
        all
    }
}
