//! The books of a world as a part of a JSON report.

use palpable::{Flows, Stored, World};
use serde::{Serialize, Serializer};

/// Totals [J]; `initial` and `final` hold all accounts, the tank included.
#[derive(Serialize)]
pub struct Energy {
    initial: f64,
    r#final: f64,
    tank: f64,
    #[serde(flatten)]
    flows: Accounts<6>,
    booked: f64,
    /// largest step defect, relative to the energy in play
    max_defect: f64,
    initial_accounts: Accounts<5>,
    final_accounts: Accounts<5>,
}

/// Accounts by name.
struct Accounts<const N: usize>([&'static str; N], [f64; N]);

impl<const N: usize> Serialize for Accounts<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().zip(&self.1))
    }
}

impl Energy {
    /// Reads the ledger.
    pub fn of(world: &World) -> Self {
        let ledger = world.ledger();
        let (initial, last) = (ledger.initial(), ledger.now());
        let accounts = |stored: &Stored| Accounts(Stored::NAMES, stored.values());
        Self {
            initial: initial.total(),
            r#final: last.total(),
            tank: last.tank,
            flows: Accounts(Flows::NAMES, ledger.totals().values()),
            booked: ledger.booked(),
            max_defect: ledger.max_defect(),
            initial_accounts: accounts(&initial),
            final_accounts: accounts(&last),
        }
    }
}
