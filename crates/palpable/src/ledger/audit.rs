//! The audit: does the account close, and if not, which account moved, in words.

use super::{Entry, GateTotals, Ledger, beyond_rounding, relative};
use std::fmt;

/// Unexplained energy above this fraction of the energy in play is reported.
const TOLERANCE: f64 = 1e-9;

/// One thing the audit noticed.
#[derive(Debug, Clone, PartialEq)]
pub enum Finding {
    /// A step changed stored energy by more than its flows explain.
    Unexplained {
        /// Step at which it happened.
        tick: u64,
        /// Its account.
        entry: Entry,
    },
    /// The accounts since the start do not close.
    Drift {
        /// Unexplained energy [J], positive if created.
        energy: f64,
        /// Relative to the largest energy in play and all flows [1].
        relative: f64,
    },
    /// A contact law that is not passive created energy.
    Created {
        /// How much [J].
        energy: f64,
    },
    /// The last gate took back energy that a stage of a step was about to create.
    Gate {
        /// What it did.
        totals: GateTotals,
    },
    /// Strains could not follow the configuration because nobody could pay.
    Fallbacks {
        /// How often.
        count: u64,
    },
}

/// The result of [`Ledger::audit`]; prints as text.
#[derive(Debug, Clone, PartialEq)]
pub struct Audit {
    /// Unexplained energy since the start [J].
    pub closure: f64,
    /// Largest raw step defect, relative.
    pub max_defect: f64,
    /// What was noticed; empty when all is well.
    pub findings: Vec<Finding>,
}

impl Audit {
    /// True if no energy is unexplained or created. Fallbacks and firings of the gate alone do not
    /// spoil an audit: the world gained nothing.
    pub fn is_clean(&self) -> bool {
        let harmless = |f: &Finding| matches!(f, Finding::Fallbacks { .. } | Finding::Gate { .. });
        self.findings.iter().all(harmless)
    }
}

impl Ledger {
    /// Checks the books.
    pub fn audit(&self) -> Audit {
        let mut findings = Vec::new();
        if let Some((tick, entry)) = self.worst
            && !(entry.unexplained() <= TOLERANCE)
        {
            findings.push(Finding::Unexplained { tick, entry });
        }
        let flows = self.totals.supplied.abs() + self.totals.created + self.totals.lost().abs();
        let scale = self.largest_in_play + flows;
        // each step rounds, in no particular direction
        let size = self.initial.size().max(self.now.size()) * (self.steps as f64).sqrt();
        let drift = relative(beyond_rounding(self.closure(), size), scale);
        if !(drift <= TOLERANCE) {
            findings.push(Finding::Drift { energy: self.closure(), relative: drift });
        }
        // NaN does not hide
        if !(self.totals.created <= 0.0) {
            findings.push(Finding::Created { energy: self.totals.created });
        }
        if self.gate != GateTotals::default() {
            findings.push(Finding::Gate { totals: self.gate });
        }
        if self.fallbacks > 0 {
            findings.push(Finding::Fallbacks { count: self.fallbacks });
        }
        Audit { closure: self.closure(), max_defect: self.max_defect, findings }
    }
}

impl fmt::Display for Audit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_clean() {
            writeln!(f, "The account closes: {:.1e} J unexplained.", self.closure)?;
        }
        self.findings.iter().try_for_each(|finding| writeln!(f, "{finding}"))
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::Unexplained { tick, entry } => {
                let (change, flows) = (entry.after - entry.before, &entry.flows);
                let verb = if entry.closure() > 0.0 { "created" } else { "lost" };
                write!(f, "Step {tick} {verb} {:.3e} J: ", entry.closure().abs())?;
                let accounts = [
                    ("kinetic", change.kinetic),
                    ("elastic", change.elastic),
                    ("gravity", change.gravity),
                    ("tank", change.tank),
                    ("contact", change.contact),
                ];
                for (name, delta) in accounts.iter().filter(|(_, delta)| *delta != 0.0) {
                    let moved = if *delta > 0.0 { "rose" } else { "fell" };
                    write!(f, "{name} {moved} by {:.3e} J, ", delta.abs())?;
                }
                write!(f, "supplied {:.3e} J, lost {:.3e} J", flows.supplied, flows.lost())?;
                if flows.created > 0.0 {
                    write!(f, ", created by contact {:.3e} J", flows.created)?;
                }
                write!(f, ".")
            }
            Finding::Drift { energy, relative } => write!(
                f,
                "Since the start {energy:.3e} J are unexplained ({relative:.1e} of the energy in \
                 play). A scheme other than PassiveMidpoint does this by design."
            ),
            Finding::Created { energy } => write!(
                f,
                "The contact law created {energy:.3e} J: `printed-plastic` and `printed-volume` \
                 are not passive. Choose `cone` or `volume`."
            ),
            Finding::Gate { totals: GateTotals { paid, retries, held, energy } } => write!(
                f,
                "The last gate took back {energy:.3e} J that steps were about to create ({paid} \
                 paid by motion, {retries} steps done again, {held} groups held still). The world \
                 gained nothing; shorten the step if this is often."
            ),
            Finding::Fallbacks { count } => write!(
                f,
                "{count} times a strain could not follow the configuration, because tank and \
                 motion could not pay; shorten the step or grant the tank some energy."
            ),
        }
    }
}
