//! The checker: energy computed from poses, velocities, strains and parameters alone.

use super::gate::blur;
use super::scratch::Doubt;
use super::{World, links_weigh};
use crate::ledger::Stored;
use crate::model::{State, SystemAt};
use thiserror::Error;

/// A rise beyond this part of the energy in play is no rounding.
const PLAY: f64 = 1e-13;
/// Rounding of an account relative to the numbers that stand in it; sums of many of them.
const SIZE: f64 = 1e-14;
/// An account follows the motion by increments, which round in every step.
const DRIFT: f64 = 1e-9;

/// What [`World::verify`] found.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum Violation {
    /// A number that is not finite.
    #[error("{what} is not finite")]
    NotFinite {
        /// Where.
        what: &'static str,
    },
    /// Stored energy rose by more than was supplied.
    #[error(
        "energy rose by {energy:.3e} J beyond what was supplied; rounding explains {allowed:.1e} J"
    )]
    Rise {
        /// How much [J].
        energy: f64,
        /// What rounding explains [J].
        allowed: f64,
    },
    /// A loss that is negative: a stage added energy and called it a loss.
    #[error("the loss `{account}` is {energy:.3e} J; rounding explains −{allowed:.1e} J")]
    NegativeLoss {
        /// Which.
        account: &'static str,
        /// The loss [J].
        energy: f64,
        /// What rounding explains [J].
        allowed: f64,
    },
    /// The linear step left more than rounding explains: what acts is not what was solved for.
    #[error("a linear step left {energy:.3e} J; rounding explains {allowed:.1e} J")]
    Defect {
        /// What it created, or lost if negative [J].
        energy: f64,
        /// What rounding explains [J].
        allowed: f64,
    },
    /// Stages took more, or less, than they say.
    #[error("losses are {energy:.3e} J larger than what is missing; {allowed:.1e} J may be")]
    Claim {
        /// What was claimed beyond what is missing [J].
        energy: f64,
        /// What rounding explains [J].
        allowed: f64,
    },
    /// An account of the ledger that is not what the state says.
    #[error("the ledger says {ledger:.6e} J for `{account}`, the state {found:.6e} J")]
    Account {
        /// Which.
        account: &'static str,
        /// What the ledger says [J].
        ledger: f64,
        /// What the state says [J].
        found: f64,
    },
}

/// Energies of a state, and how large the numbers are that they were summed from [J].
#[derive(Debug, Clone, Copy, Default)]
struct Found {
    stored: Stored,
    size: f64,
    shown: f64,
}

impl World {
    /// Checks the promise independently of the running sums of the ledger.
    ///
    /// After a step: stored energy rose by no more than was supplied, up to rounding; no loss is
    /// negative; the accounts agree with the state; all is finite. After a live change, a restore
    /// or an attached port only what the state alone can tell. Schemes and contact laws that
    /// create energy by design are not held to the promise. Debug builds check every step.
    ///
    /// # Errors
    /// The first violation found.
    /// # Cost
    /// O(bodies + elements); does not allocate.
    pub fn verify(&self) -> Result<(), Violation> {
        let now = self.find(&self.state);
        let ledger = self.ledger.now();
        finite("the state", now.size + now.stored.total())?;
        finite("the ledger", ledger.total())?;
        let total = now.stored.size() + ledger.size();
        let mut accounts = [
            ("kinetic", ledger.kinetic, now.stored.kinetic + now.shown),
            ("elastic", ledger.elastic, now.stored.elastic),
        ];
        if !self.is_passive() {
            accounts = [accounts[1]; 2];
        }
        for (account, ledger, found) in accounts {
            let drift = DRIFT * (ledger.abs() + found.abs()) + PLAY * total + self.blurred();
            if !((ledger - found).abs() <= drift) {
                return Err(Violation::Account { account, ledger, found });
            }
        }
        let Some(entry) = self.scratch.last.committed.filter(|_| self.is_passive()) else {
            return Ok(());
        };
        let before = self.find(&self.scratch.work);
        // references may have moved energies that the state no longer shows
        let booked = entry.before.size() + entry.after.size();
        let allowed = PLAY * entry.in_play + SIZE * (now.size + before.size + booked);
        let lifted = now.stored.gravity - before.stored.gravity;
        // the account may have begun far away
        let size = now.size + booked;
        let booked = entry.after.gravity - entry.before.gravity;
        if !((lifted - booked).abs() <= DRIFT * entry.in_play + 100.0 * SIZE * size) {
            let account = "gravity";
            return Err(Violation::Account { account, ledger: booked, found: lifted });
        }
        // the references moved before the step: their work is in the state it began with
        let moved: f64 = self.scratch.ports.reference_work.iter().sum();
        let tank = entry.after.tank - entry.before.tank;
        let rise = (now.stored - before.stored).total() + tank - (entry.flows.supplied - moved);
        if !(rise <= allowed) {
            return Err(Violation::Rise { energy: rise, allowed });
        }
        // velocities of links are rounded as sums over joints
        let (shown, allowed) = (rise + now.shown - before.shown, allowed + 2.0 * self.blurred());
        if !(shown <= allowed) {
            return Err(Violation::Rise { energy: shown, allowed });
        }
        let flows = &entry.flows;
        for (account, energy) in [
            ("damped", flows.damped),
            ("friction", flows.friction),
            ("impact", flows.impact),
            ("discarded", flows.discarded),
        ] {
            if !(energy >= -allowed) {
                return Err(Violation::NegativeLoss { account, energy, allowed });
            }
        }
        self.verify_doubts(SIZE * (entry.in_play + now.size + before.size))
    }

    /// The promise alone: a linear system that is solved badly raises doubts, and may keep it.
    pub(super) fn verify_promise(&self) -> Result<(), Violation> {
        self.verify().or_else(|violation| match violation {
            Violation::Defect { .. } | Violation::Claim { .. } => Ok(()),
            broken => Err(broken),
        })
    }

    /// What linear steps left, and what stages claim. An island that moves at the rounding of its
    /// forces has no terms of its own, but the rounding of the world's energies: `least` [J].
    fn verify_doubts(&self, least: f64) -> Result<(), Violation> {
        let [defect, claim] = self.scratch.last.doubts;
        let (energy, allowed) = (defect.energy, defect.allowed + least);
        if !(energy.abs() <= allowed) {
            return Err(Violation::Defect { energy, allowed });
        }
        let Doubt { energy, allowed } = claim;
        if !(energy.abs() <= allowed) {
            return Err(Violation::Claim { energy, allowed });
        }
        Ok(())
    }

    /// How far rounding may move the kinetic energy that links show [J]: their velocities are sums
    /// over joints, which cancel where a chain is long and its joints are near each other.
    pub fn blurred(&self) -> f64 {
        let (model, params) = (&self.model, &self.params);
        let of = |s: SystemAt| blur(model, params, &self.scratch.systems[s], s);
        model.systems.all().filter(|&s| links_weigh(model, params, s)).map(of).sum()
    }

    /// Sums a state; `shown` is what links show beyond the motion of their subsystems.
    fn find(&self, state: &State) -> Found {
        let (params, mut found) = (&self.params, Found::default());
        let weigh = |s: SystemAt| links_weigh(&self.model, params, s);
        for (b, (p, s)) in params.bodies.iter().zip(&state.bodies).enumerate() {
            let owner = self.model.owners[b].map(|(s, _)| s);
            if owner.is_some_and(|s| !weigh(s)) {
                continue;
            }
            let kinetic = p.kinetic(&s.v, &s.omega);
            if owner.is_some() {
                found.shown += kinetic
            } else {
                found.stored.kinetic += kinetic
            }
            found.stored.gravity -= p.mass * params.gravity.dot(&s.x);
            found.size += p.mass * params.gravity.component_mul(&s.x).abs().sum();
        }
        for (s, system) in state.systems.entries() {
            found.stored.kinetic += system.kinetic();
            if weigh(s) {
                found.shown -= system.kinetic();
            } else {
                found.stored.gravity += system.potential;
                found.size += system.potential.abs();
            }
        }
        let elements = params.elements.iter().zip(&state.strain);
        found.stored.elastic = elements.map(|(p, g)| p.elastic(g)).sum();
        found.stored.contact = state.volume.stored();
        found.size += found.stored.kinetic + found.stored.elastic + found.stored.contact;
        found
    }
}

fn finite(what: &'static str, value: f64) -> Result<(), Violation> {
    if value.is_finite() { Ok(()) } else { Err(Violation::NotFinite { what }) }
}
