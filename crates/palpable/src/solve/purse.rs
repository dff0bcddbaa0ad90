//! What a step may cost, in counts that do not depend on the machine.

/// Work of a step in counts: a limit of it, what was spent, or what was left out.
///
/// Counts are the same on every machine and in every replay, which times are not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Visits of contact points by sweeps. Whatever else a contact solver does counts by its
    /// multiplications, [`PER_VISIT`] to a visit: Newton steps, contacts of joined bodies.
    pub visits: u64,
    /// Pairs of pieces whose contacts are found anew.
    pub pairs: u64,
    /// Times that the equations of an island are solved: in each part of a step, a second time, to
    /// push joined bodies apart, when the last gate asks for more care. The first is never refused.
    pub passes: u64,
}

impl Counts {
    /// No limit at all.
    pub const UNLIMITED: Self = Self { visits: u64::MAX, pairs: u64::MAX, passes: u64::MAX };

    /// True if each count is at most that of `other`.
    pub fn within(&self, other: &Self) -> bool {
        self.visits <= other.visits && self.pairs <= other.pairs && self.passes <= other.passes
    }
}

/// Multiplications of a visit: three rows by twelve velocities, there and back.
pub const PER_VISIT: u64 = 72;

/// One of the counts during a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Purse {
    limit: u64,
    /// What was taken.
    pub spent: u64,
    /// What was wanted and refused.
    pub cut: u64,
}

impl Default for Purse {
    fn default() -> Self {
        Self::new(u64::MAX)
    }
}

impl Purse {
    /// Full.
    pub fn new(limit: u64) -> Self {
        Self { limit, spent: 0, cut: 0 }
    }

    /// What is left.
    pub fn left(&self) -> u64 {
        self.limit.saturating_sub(self.spent)
    }

    /// Takes `cost` if it is there; else it is cut.
    pub fn take(&mut self, cost: u64) -> bool {
        let takes = cost <= self.left();
        *if takes { &mut self.spent } else { &mut self.cut } += cost;
        takes
    }

    /// The part of what is left that is due to `mine` of `all`.
    pub fn share(&self, mine: usize, all: usize) -> u64 {
        if self.limit == u64::MAX {
            return u64::MAX;
        }
        (u128::from(self.left()) * mine as u128 / all.max(1) as u128) as u64
    }

    /// Enters what was done with a share of it.
    pub fn settle(&mut self, part: &Purse) {
        self.spent = self.spent.saturating_add(part.spent);
        self.cut = self.cut.saturating_add(part.cut);
    }
}
