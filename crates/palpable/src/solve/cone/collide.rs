//! Collisions by choice: all at once, shock by shock, or by the pseudo-inverse of the paper.
//!
//! Every choice ends in impulses `p` with `ΔE = p·u⁻ + ½ p·W p ≤ 0`, by its own theorem and, where
//! rounding or a solver stopped early would break that, by the passive rule.

use super::contact::{ConeReport, ConeSettings, IslandReport, Rule};
use super::island::Island;
use super::passive::Sums;
use super::problem::ConeProblem;
use super::pseudo_inverse::MOST_ROWS;
use crate::math::Room;

/// Shocks that are slower than this part of the first end together, without bounce.
const FAINT: f64 = 1e-9;
/// Approach below this part of the fastest velocity of an island is rounding.
const ROUNDING: f64 = 1e-13;
/// Shocks an island may send at least, and per contact.
const SHOCKS: (usize, usize) = (16, 8);

/// How impulses of simultaneous collisions are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Resolution {
    /// Least change of energy over all contacts at once: `p ≥ 0`, friction, one answer.
    #[default]
    Simultaneous,
    /// Shocks in the order in which they travel: contacts that approach collide, those that
    /// approach then collide next, until none does `[Smith2012]`. The last ball of a row leaves.
    Sequential,
    /// `[Constantinescu2005, (20)-(21)]`: all that approaches obeys Newton's law with equality,
    /// without friction. Impulses may pull.
    PseudoInverse,
    /// The same with each body's own velocity reversed where two bodies meet
    /// `[Constantinescu2005, (13)-(14)]`. Does not keep momentum.
    PerBody,
}

impl Resolution {
    /// Names in scene files.
    pub const NAMES: [&str; 4] = ["simultaneous", "sequential", "pseudo-inverse", "per-body"];
    /// All of them, in the order of their names.
    pub const ALL: [Self; 4] =
        [Self::Simultaneous, Self::Sequential, Self::PseudoInverse, Self::PerBody];

    /// The choice of this name; `None` if there is none.
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().position(|n| *n == name).map(|i| Self::ALL[i])
    }

    /// Name in scene files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Simultaneous => Self::NAMES[0],
            Self::Sequential => Self::NAMES[1],
            Self::PseudoInverse => Self::NAMES[2],
            Self::PerBody => Self::NAMES[3],
        }
    }
}

/// What a collision is to be resolved by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Collision<'a> {
    /// How.
    pub resolution: Resolution,
    /// Approach speed below which nothing bounces [m/s].
    pub rest_speed: f64,
    /// For [`Resolution::PerBody`]: velocity that each side alone gives to the normal row of its
    /// contact, in the order in which sides were added [m/s]. Without them bodies count together.
    pub side_rates: &'a [f64],
    /// Shocks that an island may send at most; without a limit it has its own.
    pub shocks: usize,
}

/// Work space of collisions.
#[derive(Debug, Clone, Default)]
pub(super) struct Collider {
    /// contacts that approach
    pub shocks: Room<u32>,
    pub pseudo: super::pseudo_inverse::Pseudo,
}

/// Sums over the shocks of an island.
#[derive(Debug, Clone, Copy, Default)]
struct Passed {
    work: f64,
    residual: f64,
    scale: f64,
    rounds: usize,
}

impl ConeProblem {
    /// Finds the impulses of all islands as [`Rule::Impulse`] says, by the resolution chosen.
    /// Islands with dry friction are always resolved at once, and so are those with more than 256
    /// rows for the pseudo-inverse.
    ///
    /// # Guarantee
    /// The energy of no island rises, up to rounding.
    pub fn collide(&mut self, settings: &ConeSettings, how: &Collision) -> ConeReport {
        let rest = how.rest_speed;
        if how.resolution == Resolution::Simultaneous {
            return self.solve(settings, Rule::Impulse { rest_speed: rest });
        }
        self.islands.find(&self.blocks);
        self.begin_solve();
        let mut report = ConeReport::default();
        let finer = ConeSettings { idle: settings.impulse_idle(), ..*settings };
        for island in 0..self.islands.len() {
            let plain = |&c: &u32| self.blocks.contacts[c as usize].has_normal();
            let plain = self.islands.contacts(island).iter().all(plain);
            let per_body = how.resolution == Resolution::PerBody;
            let inverts = per_body || how.resolution == Resolution::PseudoInverse;
            let fits = plain && inverts && self.pseudo_rows(island, per_body) <= MOST_ROWS;
            let done = match how.resolution {
                Resolution::Sequential if plain => self.propagate(island, &finer, how),
                Resolution::PseudoInverse if fits => self.invert(island, rest, &[]),
                Resolution::PerBody if fits => self.invert(island, rest, how.side_rates),
                _ => self.impulse(island, &finer, rest),
            };
            report.add(&done);
            self.reports.push(done);
        }
        report
    }

    /// Multiplies the impulses of an island by `s` in 0..=1: with restitution `e` the collision is
    /// then one of `(1 + e) s − 1`, and as passive `[Constantinescu2005, (24)]`.
    pub fn lessen(&mut self, island: usize, s: f64) {
        self.scale(island, s.clamp(0.0, 1.0).max(0.0));
    }

    /// Impulses that pull, beyond rounding: only [`Resolution::PseudoInverse`] and
    /// [`Resolution::PerBody`] have any.
    pub fn pulls(&self) -> usize {
        let normals = || self.blocks.contacts.iter().filter(|b| b.has_normal() && b.sides > 0);
        let normal = |b: &super::law::Block| self.unknowns.lambda[b.row];
        let largest = normals().fold(0.0, |m: f64, b| m.max(normal(b).abs()));
        normals().filter(|b| normal(b) < -1e-12 * largest).count()
    }

    /// Shock by shock.
    ///
    /// # Equation
    /// ```text
    /// A = {i: u_i < 0},   0 ≤ (W_AA p + u)_A ⟂ p ≥ 0,   u ← u + (1 + e) W p,    until A is empty
    /// ```
    /// # Differs from the source
    /// `[Smith2012]` iterates without end; here shocks that have become faint, slower than rest, or
    /// too many end in one plastic impulse over all contacts.
    fn propagate(
        &mut self,
        island: usize,
        settings: &ConeSettings,
        how: &Collision,
    ) -> IslandReport {
        self.forget_impulses(island);
        let mut shocks = std::mem::take(&mut self.collider.shocks);
        let contacts = self.islands.contacts(island).len();
        let budget = how.shocks.min(SHOCKS.0 + SHOCKS.1 * contacts);
        let mut passed = Passed { scale: 1.0, ..Passed::default() };
        let mut first = None;
        loop {
            let fastest = self.list_approaching(island, &mut shocks);
            if shocks.is_empty() {
                break;
            }
            let first = *first.get_or_insert(fastest);
            let last = !(fastest > how.rest_speed.max(FAINT * first)) || passed.rounds >= budget;
            if last {
                shocks.clear();
                shocks.extend_from_slice(self.islands.contacts(island));
            }
            self.shock(island, &shocks, (settings, last), &mut passed);
            if last {
                break;
            }
        }
        self.collider.shocks = shocks;
        self.take_impulses(island);
        IslandReport {
            contacts,
            residual: passed.residual,
            start_scale: 1.0,
            scale: passed.scale,
            bounce: 1.0,
            sweeps: passed.rounds,
            newton_steps: 0,
            idle: passed.rounds == 0,
            work: passed.work,
        }
    }

    /// One shock through the listed contacts: the plastic impulse times `1 + e`, or the clamped law
    /// where they differ in `e`; then what the others see of it.
    fn shock(
        &mut self,
        island: usize,
        listed: &[u32],
        (settings, plastic): (&ConeSettings, bool),
        passed: &mut Passed,
    ) {
        // shocks go on until nothing approaches: a part of one comes to the same in the end
        let bounces = |&c: &u32| self.blocks.contacts[c as usize].restitution.max(0.0);
        let least = listed.iter().map(bounces).fold(f64::INFINITY, f64::min);
        let most = listed.iter().map(bounces).fold(0.0, f64::max);
        let clamped = !plastic && least < most;
        for &c in listed {
            let block = &mut self.blocks.contacts[c as usize];
            block.goal = 0.0;
            if clamped {
                let approach = (-self.unknowns.free[block.row]).max(0.0);
                block.goal = 0.5 * (1.0 - block.restitution.max(0.0)) * approach;
            }
        }
        let sums = self.search_listed(island, listed, settings);
        let (scale, factor) = match (plastic, clamped) {
            (true, _) => (sums.impulse_scale(1.0), 1.0),
            (false, true) => (sums.midpoint_scale(), 2.0),
            (false, false) => (sums.impulse_scale(1.0 + most), 1.0 + most),
        };
        let s = scale * factor;
        self.unknowns.scale(&self.blocks, listed, self.islands.groups(island), s);
        passed.work += if s > 0.0 { s * (0.5 * s * sums.a + sums.b) } else { 0.0 };
        passed.residual = sums.residual;
        passed.scale = passed.scale.min(scale);
        passed.rounds += 1;
        self.add_impulses(island, listed);
    }

    /// The plastic impulse of some contacts of an island, from none.
    fn search_listed(&mut self, island: usize, listed: &[u32], settings: &ConeSettings) -> Sums {
        let groups = self.islands.groups(island);
        let (blocks, u) = (&self.blocks, &mut self.unknowns);
        for &c in listed {
            let block = &blocks.contacts[c as usize];
            u.lambda[block.row..block.row + block.rows].fill(0.0);
        }
        u.clear_change(blocks, groups);
        let rest = u.evaluate_rest(blocks, listed);
        let part = Island { blocks, contacts: listed, groups };
        match self.newton.solve(&part, u, settings) {
            Some(found) if found.sums.residual <= settings.good_enough() => found.sums,
            _ if settings.sweeps > 0 => self.sweeper.relax(&part, u, settings).sums,
            Some(found) => found.sums,
            None => rest,
        }
    }

    /// No impulses yet.
    fn forget_impulses(&mut self, island: usize) {
        let u = &mut self.unknowns;
        for &c in self.islands.contacts(island) {
            let block = &self.blocks.contacts[c as usize];
            let rows = block.row..block.row + block.rows;
            u.lambda[rows.clone()].fill(0.0);
            u.total[rows].fill(0.0);
        }
        for &g in self.islands.groups(island) {
            let group = self.blocks.groups[g as usize];
            u.change[group.start..group.start + group.dim].fill(0.0);
            u.base[group.start..group.start + group.dim].fill(0.0);
        }
    }

    /// Adds the impulses of a shock to those before, and its change of velocity to what all see.
    fn add_impulses(&mut self, island: usize, listed: &[u32]) {
        let u = &mut self.unknowns;
        for &c in listed {
            let block = &self.blocks.contacts[c as usize];
            (block.row..block.row + block.rows).for_each(|r| u.total[r] += u.lambda[r]);
        }
        for &g in self.islands.groups(island) {
            let group = self.blocks.groups[g as usize];
            (group.start..group.start + group.dim).for_each(|k| u.base[k] += u.change[k]);
        }
        // from the sum, so that rounding does not pile up shock by shock
        for &c in self.islands.contacts(island) {
            let block = &self.blocks.contacts[c as usize];
            let rate = self.blocks.rate(block, &u.base);
            for (r, rate) in rate.iter().enumerate().take(block.rows) {
                u.free[block.row + r] = self.blocks.bias[block.row + r] + rate;
            }
        }
    }

    /// Impulses and changes are the sums over all shocks.
    fn take_impulses(&mut self, island: usize) {
        let u = &mut self.unknowns;
        for &c in self.islands.contacts(island) {
            let block = &self.blocks.contacts[c as usize];
            for r in block.row..block.row + block.rows {
                (u.lambda[r], u.velocity[r]) = (u.total[r], u.free[r]);
                u.free[r] = self.blocks.bias[r];
            }
        }
        for &g in self.islands.groups(island) {
            let group = self.blocks.groups[g as usize];
            let coordinates = group.start..group.start + group.dim;
            u.change[coordinates.clone()].copy_from_slice(&u.base[coordinates]);
        }
    }

    /// Lists the contacts of an island that approach; returns the fastest approach [m/s].
    pub(super) fn list_approaching(&self, island: usize, listed: &mut Room<u32>) -> f64 {
        listed.clear();
        let contacts = self.islands.contacts(island);
        let (mut fastest, mut size): (f64, f64) = (0.0, 0.0);
        for &c in contacts {
            let row = self.blocks.contacts[c as usize].row;
            size = size.max(self.blocks.bias[row].abs()).max(self.unknowns.free[row].abs());
        }
        for &c in contacts {
            let block = &self.blocks.contacts[c as usize];
            let approach = -self.unknowns.free[block.row];
            if !block.dead && approach > ROUNDING * size {
                listed.push(c);
                fastest = fastest.max(approach);
            }
        }
        fastest
    }
}
