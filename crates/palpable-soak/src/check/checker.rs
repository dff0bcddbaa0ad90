//! Goes along with a world and checks every step and every live change.

use crate::check::books::{Books, OwnStep, Price, judge_books, judge_own, judge_price};
use crate::check::finding::{Findings, Kind};
use crate::check::motion::{Momentum, Stake, judge_finite, judge_momentum, judge_places, spin};
use crate::check::own::Own;
use crate::check::same::{Companions, Taken};
use crate::check::watch::Watch;
use palpable::{StepReport, Stored, World};

/// A world that refused this many steps in a row is stuck.
const PATIENCE: usize = 6;

/// The checker of one world.
pub struct Checker {
    /// What it looks at; ports that are attached later are added here.
    pub watch: Watch,
    /// What it found.
    pub findings: Findings,
    own: Own,
    zero: f64,
    before: Before,
    refused: usize,
    held: usize,
    over: bool,
    companions: Companions,
}

/// A world before a step or a change.
#[derive(Debug, Clone, Copy, Default)]
struct Before {
    stored: Stored,
    momentum: Momentum,
    spin: f64,
    supplied: f64,
}

impl Checker {
    /// A checker of a world that was just built.
    pub fn new(world: &World, watch: Watch) -> Self {
        let own = Own::of(world);
        Self {
            watch,
            findings: Findings::default(),
            zero: world.energy().gravity - own.gravity,
            own,
            before: Before::default(),
            refused: 0,
            held: 0,
            over: false,
            companions: Companions::default(),
        }
    }

    /// True if it makes no sense to go on: the world is stuck or not finite.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// To be called before each step and each live change.
    pub fn before(&mut self, world: &World) {
        self.before = Before {
            stored: world.energy(),
            momentum: Momentum::of(world),
            spin: spin(world),
            supplied: world.ledger().totals().supplied,
        };
    }

    /// To be called after each step: `report` is what it returned.
    pub fn after_step(&mut self, world: &mut World, report: &StepReport, taken: &Taken) {
        if report.status.is_taken() {
            self.refused = 0;
            self.judge(world, report, taken.h);
        } else {
            self.count_refusal(report, taken.h);
        }
        if !self.over {
            self.companions.follow(world, taken, &mut self.findings);
        }
        self.findings.step += 1;
    }

    /// To be called after each live change.
    pub fn after_change(&mut self, world: &World) {
        let own = Own::of(world);
        let price = Price {
            stored: [self.before.stored, world.energy()],
            own: (!self.watch.beams).then_some([self.own, own]),
            supplied: world.ledger().totals().supplied - self.before.supplied,
            sums: self.before.supplied.abs(),
        };
        judge_price(&price, &mut self.findings);
        self.zero = world.energy().gravity - own.gravity;
        self.own = own;
        self.companions.end();
    }

    /// Takes a snapshot, from which steps will be replayed, and a clone, which goes along.
    pub fn begin_replay(&mut self, world: &World) {
        self.companions.begin(world);
    }

    /// To be called at the end.
    pub fn finish(&mut self, world: &World) {
        let audit = world.audit();
        if !audit.is_clean() {
            let (size, relative) = (audit.closure.abs(), audit.max_defect);
            self.findings.add(Kind::Audit, size, relative, || audit.to_string());
        }
    }

    fn judge(&mut self, world: &World, report: &StepReport, h: f64) {
        let after = Own::of(world);
        let books =
            Books { before: self.before.stored, after: world.energy(), entry: report.entry };
        judge_books(&books, &mut self.findings);
        if !self.watch.beams {
            let (before, zero, chains) = (self.own, self.zero, self.watch.chains);
            let own = OwnStep { before, after, zero, chains, blurred: world.blurred() };
            judge_own(&books, &own, &mut self.findings);
        }
        judge_verified(world, &mut self.findings);
        self.judge_gate(report, &books);
        self.judge_ports(world, &books);
        self.over = !judge_finite(world, &mut self.findings);
        if let Some(radius) = self.watch.free {
            let stake = Stake::of(
                world,
                [&self.own, &after],
                radius,
                self.before.spin.max(spin(world)) * h,
            );
            judge_momentum(world, &self.before.momentum, stake, &mut self.findings);
        }
        judge_places(world, &self.watch, &mut self.findings);
        self.own = after;
    }

    /// The work of the ports is what the ledger calls supplied, to 1e-9.
    fn judge_ports(&mut self, world: &World, books: &Books) {
        let works = || self.watch.ports.iter().map(|port| world.port(*port).work);
        let (work, sizes) = (works().sum::<f64>(), works().map(f64::abs).sum::<f64>());
        let supplied = books.entry.flows.supplied;
        let (apart, scale) = ((work - supplied).abs(), sizes + books.in_play());
        if !(apart <= 1e-9 * scale) {
            let note = || format!("ports {work:e} J, supplied {supplied:e} J");
            self.findings.add(Kind::PortWork, apart, apart / scale, note);
        }
    }

    /// What the last gate did, and how many steps in a row it held something.
    fn judge_gate(&mut self, report: &StepReport, books: &Books) {
        let gate = report.gate;
        self.held = if gate.held > 0 { self.held + 1 } else { 0 };
        let note = || format!("{gate:?}, {} steps in a row", self.held);
        if !gate.is_idle() {
            self.findings.add(Kind::Gate, gate.energy, gate.energy / books.in_play(), note);
        }
        if self.held >= PATIENCE {
            self.findings.add(Kind::Held, self.held as f64, self.held as f64, note);
        }
    }

    fn count_refusal(&mut self, report: &StepReport, h: f64) {
        self.refused += 1;
        let note = || format!("{:?}, h {h:e} s", report.status);
        self.findings.add(Kind::Refused, 1.0, 1.0, note);
        if self.refused == PATIENCE {
            self.findings.add(Kind::Stuck, PATIENCE as f64, 1.0, note);
            self.over = true;
        }
    }
}

/// The engine's own recomputation of its energy, a further witness beside [`Own`].
///
/// `World::verify` is called here once the engine has it; what it objects to becomes
/// [`Kind::Verify`].
fn judge_verified(world: &World, findings: &mut Findings) {
    if let Err(violation) = world.verify() {
        findings.add(Kind::Verify, 1.0, 1.0, || violation.to_string());
    }
}
