//! What a step may cost, and what it did: see [`crate::Options::budget`].

use super::World;
use crate::solve::{Counts, Purse};

impl World {
    /// Sets what a step may cost from now on; see [`crate::Options::budget`].
    pub fn set_budget(&mut self, budget: Counts) {
        self.options.budget = budget;
    }

    /// Solves of islands that a step in so many parts takes at least.
    pub(super) fn cost_of_parts(&self, parts: u32) -> u64 {
        u64::from(parts) * self.model.islands.len().max(1) as u64
    }

    /// Says what the step that begins may cost.
    pub(super) fn begin_budget(&mut self) {
        self.scratch.passes = Purse::new(self.options.budget.passes);
        if let Some(stage) = &mut self.scratch.contact {
            stage.grant(&self.options.budget);
        }
    }

    /// One number of each purse.
    pub(super) fn counted(&self, number: impl Fn(&Purse) -> u64) -> Counts {
        let of = |purse: Option<&Purse>| purse.map_or(0, &number);
        let stage = self.scratch.contact.as_ref();
        Counts {
            visits: of(stage.map(|s| &s.visits)),
            pairs: of(stage.map(|s| &s.search.pairs)),
            passes: number(&self.scratch.passes),
        }
    }
}
