//! What a step says about itself.

use super::gate::GateReport;
use crate::contact::ContactReport;
use crate::ledger::Entry;
use crate::solve::Counts;

/// How a step ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Status {
    /// Taken.
    #[default]
    Taken,
    /// Taken, with non-finite port inputs replaced by idle ones.
    InputIgnored,
    /// Refused: the step length is not a positive finite number. Nothing changed.
    BadStep,
    /// Refused: an explicit scheme cannot hold hard joints, which need a stiffness; or the contact
    /// law does not suit the model. Nothing changed.
    Unsupported,
    /// Refused: the result would not be finite. Everything is as before the step.
    NotFinite,
}

impl Status {
    /// True if time went on.
    pub fn is_taken(self) -> bool {
        matches!(self, Status::Taken | Status::InputIgnored)
    }
}

/// The result of [`crate::World::step`].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[must_use = "a step may be refused, and its account tells what was lost"]
pub struct StepReport {
    /// How it ended.
    pub status: Status,
    /// Steps taken since the world was built, this one included.
    pub tick: u64,
    /// Simulated time after the step [s].
    pub time: f64,
    /// Its energy account.
    pub entry: Entry,
    /// Parts it was divided into.
    pub substeps: u32,
    /// True if the division stopped at the allowed maximum with the tolerance unmet.
    pub substeps_exhausted: bool,
    /// Islands solved a second time.
    pub resolves: u32,
    /// Times a strain could not follow the configuration because nobody could pay.
    pub fallbacks: u32,
    /// Largest gap `|g − G|` before projection [m or rad].
    pub gap_before: f64,
    /// Largest gap left at the end [m or rad].
    pub gap: f64,
    /// Largest relative residual of the linear solves before refinement.
    pub residual: f64,
    /// What the step cost.
    pub spent: Counts,
    /// What it wanted beyond its budget and did not get; zero if nothing was cut.
    pub cut: Counts,
    /// How contact went.
    pub contact: ContactReport,
    /// What the last gate had to do; idle in a healthy world.
    pub gate: GateReport,
}
