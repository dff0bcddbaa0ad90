//! One solve: islands, warm start, solvers, and the passive rule.

use super::contact::{ConeReport, ConeSettings, IslandReport, Rule};
use super::island::Island;
use super::passive::Sums;
use super::problem::ConeProblem;

/// A warm start this close to its line search is left alone.
const UNSCALED: f64 = 1.0 - 1e-9;

/// Forces beyond so many times what would stop an island, contact by contact and body by body, do
/// no work: they press against each other in a jam, where any size of them is a solution. A wedge
/// of one degree asks for 57 times.
const LARGEST: f64 = 100.0;

/// How an island finds its impulse.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Mode {
    /// plastic impulse times the factor
    Plastic(f64),
    /// λ is half the impulse and acts at the mean velocity
    Clamped,
}

/// What the solvers did to an island.
#[derive(Debug, Clone, Copy)]
struct Effort {
    sums: Sums,
    start_scale: f64,
    sweeps: usize,
    newton_steps: usize,
    idle: bool,
}

impl ConeProblem {
    /// Solves every island from the forces at hand and bounds the energy they add.
    ///
    /// # Guarantee
    /// The work reported, and done, is at most zero up to rounding, for any start, any budget and
    /// any matrix with a positive semidefinite symmetric part.
    pub fn solve(&mut self, settings: &ConeSettings, rule: Rule) -> ConeReport {
        self.islands.find(&self.blocks);
        self.solve_some(settings, rule, |_| true)
    }

    /// The same for the islands that `takes` says; they are known, and forces elsewhere are zero.
    pub(super) fn solve_some(
        &mut self,
        settings: &ConeSettings,
        rule: Rule,
        takes: impl Fn(usize) -> bool,
    ) -> ConeReport {
        self.begin_solve();
        let mut report = ConeReport::default();
        let finer = ConeSettings { idle: settings.impulse_idle(), ..*settings };
        for island in (0..self.islands.len()).filter(|i| takes(*i)) {
            let done = match rule {
                Rule::Midpoint => self.midpoint(island, settings),
                Rule::Impulse { rest_speed } => self.impulse(island, &finer, rest_speed),
            };
            report.add(&done);
            self.reports.push(done);
        }
        report
    }

    /// Velocities are those without forces.
    pub(super) fn begin_solve(&mut self) {
        self.reports.clear();
        let u = &mut self.unknowns;
        u.restart(&self.blocks.bias);
        u.change.fill(0.0);
        for block in &mut self.blocks.contacts {
            block.goal = block.target;
            if block.sides == 0 {
                u.lambda[block.row..block.row + block.rows].fill(0.0);
            }
        }
    }

    fn midpoint(&mut self, island: usize, settings: &ConeSettings) -> IslandReport {
        let mut effort = self.search(island, settings);
        self.restrain(island, &mut effort, settings);
        let scale = effort.sums.midpoint_scale();
        self.scale(island, scale);
        let Sums { a, b, carried, .. } = effort.sums;
        let work = if scale > 0.0 { scale * (scale * a + b + carried) } else { 0.0 };
        self.report(island, effort, scale, (1.0, work))
    }

    pub(super) fn impulse(
        &mut self,
        island: usize,
        settings: &ConeSettings,
        rest: f64,
    ) -> IslandReport {
        let mode = self.bounce(island, rest);
        if mode == Mode::Clamped {
            self.scale(island, 0.5);
        }
        let mut effort = self.search(island, settings);
        self.restrain(island, &mut effort, settings);
        let Sums { a, b, .. } = effort.sums;
        let (scale, factor) = match mode {
            Mode::Plastic(factor) => (effort.sums.impulse_scale(factor), factor),
            Mode::Clamped => (effort.sums.midpoint_scale(), 2.0),
        };
        self.scale(island, scale * factor);
        let s = scale * factor;
        let work = if s > 0.0 { s * (0.5 * s * a + b) } else { 0.0 };
        let bounce = if mode == Mode::Clamped { 1.0 } else { factor };
        self.report(island, effort, scale, (bounce, work))
    }

    /// Warm start, Newton or sweeps.
    fn search(&mut self, island: usize, settings: &ConeSettings) -> Effort {
        let island = self.islands.get(island, &self.blocks);
        let (Island { blocks, contacts, groups }, u) = (island, &mut self.unknowns);
        let warm = u.warm(blocks, contacts, groups);
        let mut sums = match warm {
            true => u.evaluate(blocks, contacts),
            false => u.evaluate_rest(blocks, contacts),
        };
        let mut start_scale = 1.0;
        if warm && (sums.a != 0.0 || sums.b != 0.0) {
            start_scale = sums.start_scale();
            if start_scale < UNSCALED {
                u.scale(blocks, contacts, groups, start_scale);
                sums = u.evaluate(blocks, contacts);
            }
        }
        let mut effort = Effort { sums, start_scale, sweeps: 0, newton_steps: 0, idle: true };
        if effort.sums.residual <= settings.idle.max(settings.tolerance) {
            return effort;
        }
        effort.idle = false;
        if let Some(found) = self.newton.solve(&island, u, settings) {
            (effort.newton_steps, effort.sums) = (found.passes, found.sums);
            if found.sums.residual <= settings.good_enough() {
                return effort;
            }
        }
        if settings.sweeps > 0 {
            let found = self.sweeper.relax(&island, u, settings);
            (effort.sweeps, effort.sums) = (found.passes, found.sums);
        }
        effort
    }

    /// Finds forces again from none, without extrapolation, where those found are beyond what the
    /// motion can ask for: the least that do the work, or nearly.
    fn restrain(&mut self, island: usize, effort: &mut Effort, settings: &ConeSettings) {
        let island = self.islands.get(island, &self.blocks);
        let (Island { blocks, contacts, groups }, u) = (island, &mut self.unknowns);
        let most = LARGEST * u.demand(blocks, contacts, groups);
        // written so that a demand that is not a number restrains nothing
        if !(u.largest(blocks, contacts) > most) {
            return;
        }
        for &i in contacts {
            let block = &blocks.contacts[i as usize];
            u.lambda[block.row..block.row + block.rows].fill(0.0);
        }
        u.clear_change(blocks, groups);
        let plain = ConeSettings { accelerate: false, ..*settings };
        let found = self.sweeper.relax(&island, u, &plain);
        effort.sweeps += found.passes;
        effort.sums = found.sums;
        let largest = u.largest(blocks, contacts);
        if largest > most {
            let part = if largest.is_finite() { most / largest } else { 0.0 };
            u.scale(blocks, contacts, groups, part);
            u.refresh(blocks, contacts, groups);
            effort.sums = u.evaluate(blocks, contacts);
        }
    }

    pub(super) fn scale(&mut self, island: usize, s: f64) {
        if s != 1.0 {
            let (contacts, groups) = (self.islands.contacts(island), self.islands.groups(island));
            self.unknowns.scale(&self.blocks, contacts, groups, s);
        }
    }

    /// Restitution of an island; sets goals accordingly.
    fn bounce(&mut self, island: usize, rest_speed: f64) -> Mode {
        let (mut least, mut most, mut fastest) = (f64::INFINITY, f64::NEG_INFINITY, 0.0);
        for &i in self.islands.contacts(island) {
            let block = &self.blocks.contacts[i as usize];
            let approach = -self.unknowns.free[block.row];
            if block.has_normal() && approach > 0.0 {
                least = f64::min(least, block.restitution);
                most = f64::max(most, block.restitution);
                fastest = f64::max(fastest, approach);
            }
        }
        let plastic = !(most > 0.0 || least < 0.0);
        if plastic || !(fastest > rest_speed) {
            return Mode::Plastic(1.0);
        }
        if least == most {
            return Mode::Plastic(1.0 + most);
        }
        for &i in self.islands.contacts(island) {
            let block = &mut self.blocks.contacts[i as usize];
            if block.has_normal() {
                let approach = (-self.unknowns.free[block.row]).max(0.0);
                block.goal += 0.5 * (1.0 - block.restitution) * approach;
            }
        }
        Mode::Clamped
    }

    fn report(
        &self,
        island: usize,
        effort: Effort,
        scale: f64,
        (bounce, work): (f64, f64),
    ) -> IslandReport {
        IslandReport {
            contacts: self.islands.contacts(island).len(),
            residual: effort.sums.residual,
            start_scale: effort.start_scale,
            scale,
            bounce,
            sweeps: effort.sweeps,
            newton_steps: effort.newton_steps,
            idle: effort.idle,
            work,
        }
    }
}
