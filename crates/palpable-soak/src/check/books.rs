//! What the books of a step must show, and whether they tell the truth.

use crate::check::finding::{Findings, Kind};
use crate::check::own::Own;
use palpable::{Entry, Stored};

/// A rise may be this part of the energy in play.
///
/// A step adds a few hundred numbers of at most that size, each rounded to 1e-16 of it. Measured
/// over 280 000 steps of random worlds, honest rises end at 1e-15 of energy in play and accounts
/// together, and gains of bodies begin at 1e-8; with chains there are gains in between.
const OF_IN_PLAY: f64 = 1e-13;

/// A rise may also be this part of the sum of the sizes of all accounts.
///
/// Energies are differences of totals, and a total is rounded by its own size: a pile at rest far
/// above the zero of its potential has no energy in play, but all of its weight in the books.
const OF_ACCOUNTS: f64 = 1e-14;

/// An account may be open by this part of the energy in play: what the audit allows.
const OPEN: f64 = 1e-9;

/// The books of one step.
#[derive(Debug, Clone, Copy)]
pub struct Books {
    /// Stored energy before.
    pub before: Stored,
    /// Stored energy after.
    pub after: Stored,
    /// The ledger's account of the step.
    pub entry: Entry,
}

impl Books {
    /// What was gained beyond what was supplied [J].
    pub fn rise(&self) -> f64 {
        self.after.total() - self.before.total() - self.entry.flows.supplied
    }

    /// Energy in play [J], never 0.
    pub fn in_play(&self) -> f64 {
        self.entry.in_play.max(f64::MIN_POSITIVE)
    }

    /// Sum of the sizes of all accounts [J].
    pub fn size(&self) -> f64 {
        self.before.size() + self.after.size()
    }

    /// What rounding explains [J].
    pub fn rounding(&self) -> f64 {
        OF_IN_PLAY * self.in_play() + OF_ACCOUNTS * self.size()
    }

    /// True if the ledger shows a gain; NaN counts as one.
    pub fn has_risen(&self) -> bool {
        !(self.rise() <= self.rounding())
    }
}

/// Stored energy does not rise, no loss is negative, nothing is created, the account closes.
pub fn judge_books(books: &Books, findings: &mut Findings) {
    let (flows, in_play) = (&books.entry.flows, books.in_play());
    let rise = books.rise();
    if books.has_risen() {
        findings.add(Kind::Rise, rise, rise / in_play, || describe(books));
    }
    let losses = [
        (Kind::NegativeDamped, flows.damped),
        (Kind::NegativeFriction, flows.friction),
        (Kind::NegativeImpact, flows.impact),
        (Kind::NegativeDiscarded, flows.discarded),
    ];
    for (kind, loss) in losses {
        if !(loss >= -books.rounding()) {
            findings.add(kind, -loss, -loss / in_play, || describe(books));
        }
    }
    if flows.created != 0.0 {
        findings.add(Kind::Created, flows.created, flows.created / in_play, || describe(books));
    }
    let open = books.entry.closure().abs();
    if !(open <= OPEN * in_play + OF_ACCOUNTS * books.size()) {
        findings.add(Kind::Closure, open, open / in_play, || describe(books));
    }
}

/// The independent energies of one step.
#[derive(Debug, Clone, Copy)]
pub struct OwnStep {
    /// Before the step.
    pub before: Own,
    /// After it.
    pub after: Own,
    /// The ledger's zero of gravity above ours [J].
    pub zero: f64,
    /// True if there are chains.
    pub chains: bool,
    /// How far rounding may move what links show [J].
    pub blurred: f64,
}

/// The energy of poses and velocities does not rise, and the ledger's accounts are equal to it.
pub fn judge_own(books: &Books, own: &OwnStep, findings: &mut Findings) {
    judge_own_rise(books, own, findings);
    let (in_play, after) = (books.in_play(), &own.after);
    let size = own.before.size + after.size;
    let say = |ours: f64, ledger: f64| format!("own {ours:e} J, ledger {ledger:e} J");
    let accounts = [
        (Kind::OwnKinetic, after.kinetic, books.after.kinetic),
        (Kind::OwnElastic, after.elastic, books.after.elastic),
    ];
    for (kind, ours, ledger) in accounts {
        // velocities of links come by way of their subsystem: 1e-9 of the account
        let (apart, allowed) = ((ours - ledger).abs(), 1e-9 * (ours.abs() + ledger.abs()));
        if !(apart <= allowed.max(1e-12 * in_play) + own.blurred) {
            findings.add(kind, apart, apart / in_play, || say(ours, ledger));
        }
    }
    let drift = (books.after.gravity - after.gravity - own.zero).abs();
    if !(drift <= 1e-9 * in_play + 1e-12 * size) {
        let kind = if own.chains { Kind::OwnGravityChain } else { Kind::OwnGravity };
        findings.add(kind, drift, drift / in_play, || say(after.gravity, books.after.gravity));
    }
}

/// A rise that the ledger does not show. Poses carry their own rounding: a hundred times more of
/// the energy in play and ten times more of the sizes than in the books.
fn judge_own_rise(books: &Books, own: &OwnStep, findings: &mut Findings) {
    let tank = books.after.tank - books.before.tank;
    let rise = own.after.total() - own.before.total() + tank - books.entry.flows.supplied;
    let size = own.before.size + own.after.size;
    let allowed = 100.0 * OF_IN_PLAY * books.in_play() + 10.0 * OF_ACCOUNTS * size;
    // before and after
    let allowed = allowed + 2.0 * own.blurred;
    if !(rise <= allowed) && !books.has_risen() {
        let kind = if own.chains { Kind::OwnRiseChain } else { Kind::OwnRise };
        findings.add(kind, rise, rise / books.in_play(), || describe(books));
    }
}

/// The price of a live change: `supplied` [J] was paid for it from outside.
pub struct Price {
    /// Stored energy before and after.
    pub stored: [Stored; 2],
    /// Energy of poses and velocities before and after; none if there are beams.
    pub own: Option<[Own; 2]>,
    /// Energy that came from outside [J]: the difference of two sums since the start.
    pub supplied: f64,
    /// Size of these sums [J].
    pub sums: f64,
}

/// A live change gains nothing that nobody paid for.
pub fn judge_price(price: &Price, findings: &mut Findings) {
    let [before, after] = &price.stored;
    let own_size = price.own.map_or(0.0, |[before, after]| before.size + after.size);
    let size = before.size() + after.size() + own_size;
    let size = (size + 0.1 * price.sums).max(f64::MIN_POSITIVE);
    let rise = after.total() - before.total() - price.supplied;
    let note = || format!("supplied {:e} J, before {before:?}, after {after:?}", price.supplied);
    if !(rise <= OF_IN_PLAY * size) {
        findings.add(Kind::ChangeRise, rise, rise / size, note);
    }
    let Some([own_before, own_after]) = price.own else { return };
    let tank = after.tank - before.tank;
    let rise = own_after.total() - own_before.total() + tank - price.supplied;
    if !(rise <= 10.0 * OF_IN_PLAY * size) {
        findings.add(Kind::ChangeOwnRise, rise, rise / size, note);
    }
}

fn describe(books: &Books) -> String {
    let Books { before, after, entry } = books;
    format!(
        "in play {:.2e} J, {:?}, kinetic {:.3e} to {:.3e}, elastic {:.3e} to {:.3e}, \
         gravity {:.4e} to {:.4e}, tank {:.2e} to {:.2e}, open {:.1e}, booked {:.1e}",
        entry.in_play,
        entry.flows,
        before.kinetic,
        after.kinetic,
        before.elastic,
        after.elastic,
        before.gravity,
        after.gravity,
        before.tank,
        after.tank,
        entry.closure(),
        entry.booked
    )
}
