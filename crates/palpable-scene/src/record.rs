//! What a recording holds.

use palpable::{BodyId, ElementId, PortId};

/// A part and its name in recordings.
#[derive(Debug, Clone, PartialEq)]
pub struct Named<Id> {
    /// Its name; `spring 2` for the second spring if it has none.
    pub name: String,
    /// Its id.
    pub id: Id,
}

/// What to record, and how often.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordPlan {
    /// Every how many steps; at least 1.
    pub every: u64,
    /// Energy accounts.
    pub energy: bool,
    /// Bodies, in the order of the file or of the list that names them.
    pub bodies: Vec<Named<BodyId>>,
    /// Ports.
    pub ports: Vec<Named<PortId>>,
    /// Springs and dampers.
    pub springs: Vec<Named<ElementId>>,
}

impl RecordPlan {
    /// True if the state after `tick` steps is to be recorded; the start, tick 0, always is.
    pub fn is_due(&self, tick: u64) -> bool {
        tick.is_multiple_of(self.every.max(1))
    }
}
