//! What a solve costs, in visits of contacts: see [`crate::solve::Counts`].

use super::contact::{ConeReport, ConeSettings};
use super::newton::ROWS;
use super::problem::ConeProblem;
use crate::solve::{PER_VISIT, Purse};

/// Searches of an island at most: a jam is solved again from nothing.
const SEARCHES: u64 = 2;

impl ConeProblem {
    /// Visits that a sweep over all contacts is worth.
    fn sweep_cost(&self) -> u64 {
        1 + (self.blocks.jacobian.len() + self.blocks.response.len()) as u64 / PER_VISIT
    }

    /// Visits that a Newton step of all islands is worth, at most: a dense solve of each.
    fn newton_cost(&self, settings: &ConeSettings) -> u64 {
        let rows = self.blocks.bias.len() as u64;
        let largest = rows.min(ROWS.min(6 * settings.newton_contacts) as u64);
        1 + rows * largest * largest / (3 * PER_VISIT)
    }

    /// The settings with as many sweeps and Newton steps as a purse pays for, half of it for each.
    pub fn afford(&self, settings: &ConeSettings, purse: &Purse) -> ConeSettings {
        let half = purse.left() / (2 * SEARCHES);
        let most = |cost: u64, wanted: usize| wanted.min((half / cost).min(1 << 31) as usize);
        ConeSettings {
            sweeps: most(self.sweep_cost(), settings.sweeps),
            newton_steps: most(self.newton_cost(settings), settings.newton_steps),
            ..*settings
        }
    }

    /// Enters what the last solve cost; it was done with `taken` in the place of `wanted`.
    pub fn pay(&self, report: &ConeReport, [wanted, taken]: [&ConeSettings; 2], purse: &mut Purse) {
        let all = self.blocks.contacts.len().max(1) as u64;
        for island in &self.reports {
            let [sweeps, steps] = [island.sweeps, island.newton_steps].map(|n| n as u64);
            let cost = sweeps * self.sweep_cost() + steps * self.newton_cost(wanted);
            purse.spent += (cost * island.contacts as u64).div_ceil(all);
        }
        let less = taken.sweeps < wanted.sweeps || taken.newton_steps < wanted.newton_steps;
        if less && report.residual > wanted.tolerance {
            purse.cut += self.sweep_cost();
        }
    }
}
