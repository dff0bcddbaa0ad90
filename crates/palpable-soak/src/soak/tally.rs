//! Counts of worlds, steps and violations.

use crate::check::finding::{Finding, Kind};
use crate::run::{GateCounts, Outcome};
use crate::scene::Profile;
use std::collections::BTreeMap;

/// All counts of a soak.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tally {
    /// Counts of each profile.
    pub profiles: BTreeMap<Profile, Worlds>,
    /// Counts of each kind of violation in each profile.
    pub violations: BTreeMap<(Kind, Profile), Violations>,
}

/// Counts of the worlds of a profile.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Worlds {
    /// Worlds.
    pub worlds: u64,
    /// Worlds that the engine refused to build.
    pub refused: u64,
    /// Steps.
    pub steps: u64,
    /// Steps in which something touched.
    pub touching: u64,
    /// Worlds with a violation.
    pub violating: u64,
    /// What the engine's last gate did.
    pub gate: GateCounts,
    /// The slowest step, processor time [s].
    pub slowest: f64,
    /// Seed of the world of the slowest step.
    pub slowest_seed: u64,
}

/// Counts of a kind of violation in a profile.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Violations {
    /// Worlds.
    pub worlds: u64,
    /// Steps.
    pub steps: u64,
    /// Size of the worst in its own unit, [J] for energies.
    pub size: f64,
    /// The same relative to what is at stake [1].
    pub relative: f64,
    /// Seed of the worst.
    pub seed: u64,
}

impl Tally {
    /// Adds a world.
    pub fn add(&mut self, seed: u64, profile: Profile, outcome: &Outcome) {
        let worlds = self.profiles.entry(profile).or_default();
        worlds.worlds += 1;
        worlds.refused += u64::from(outcome.refusal.is_some());
        worlds.steps += outcome.steps as u64;
        worlds.touching += outcome.touching as u64;
        worlds.violating += u64::from(outcome.findings.found.keys().any(|kind| kind.is_grave()));
        worlds.gate.add(&outcome.gate);
        if outcome.slowest.seconds > worlds.slowest {
            (worlds.slowest, worlds.slowest_seed) = (outcome.slowest.seconds, seed);
        }
        for (kind, finding) in &outcome.findings.found {
            self.violations.entry((*kind, profile)).or_default().add(seed, finding);
        }
    }

    /// The sum over all profiles.
    pub fn total(&self) -> Worlds {
        let mut total = Worlds::default();
        for worlds in self.profiles.values() {
            total.worlds += worlds.worlds;
            total.refused += worlds.refused;
            total.steps += worlds.steps;
            total.touching += worlds.touching;
            total.violating += worlds.violating;
            total.gate.add(&worlds.gate);
            if worlds.slowest > total.slowest {
                (total.slowest, total.slowest_seed) = (worlds.slowest, worlds.slowest_seed);
            }
        }
        total
    }
}

/// The last gate may have something to do in one of so many steps of moderate worlds.
const RARE: u64 = 100_000;

impl Tally {
    /// True if the last gate was needed too often where sizes, masses and steps are ordinary: it is
    /// the last resort, and a force that is wrong would make it the method.
    pub fn leans_on_the_gate(&self) -> bool {
        let mut sum = Worlds::default();
        for (_, worlds) in self.profiles.iter().filter(|(profile, _)| profile.is_moderate()) {
            sum.steps += worlds.steps;
            sum.gate.add(&worlds.gate);
        }
        let GateCounts { paid, retries, held } = sum.gate;
        paid + retries + held > 2 + sum.steps / RARE
    }
}

impl Violations {
    fn add(&mut self, seed: u64, finding: &Finding) {
        if self.worlds == 0 || finding.relative > self.relative {
            (self.size, self.relative, self.seed) = (finding.size, finding.relative, seed);
        }
        self.worlds += 1;
        self.steps += finding.count as u64;
    }
}
