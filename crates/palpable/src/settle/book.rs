//! Books what a step left over: gravity work of the projection first, then elastic energy.

use super::pay::{Payable, kinetic};
use super::project::{scale_back, scale_back_system, strains};
use super::slate::Slate;
use crate::ledger::Tank;
use crate::math::Vec6;
use crate::model::{BodyState, Island, Kind, Params, Site, State, SystemAt};
use std::f64::consts::PI;

/// The part of an island's kinetic energy that may be spent in one step.
const SPENDABLE: f64 = 0.5;

/// Rounding errors smaller than this part of the payable motion wait until they add up.
const WORTH_PAYING: f64 = 1e-14;

/// Times that a projection is taken back in part, until somebody pays for it; the last time all.
const BACKWARDS: usize = 4;

/// A debt beyond this part of the island's energy is no rounding: the worst defect of a linear step
/// in 1e5 wild ones is 5e-13 of it. It is paid at once or void, never handed back to motion.
const ROUNDING: f64 = 1e-12;

/// What a booking did [J].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Booking {
    /// Work of the projection against gravity.
    pub lift: f64,
    /// Sum of the magnitudes of needs and surpluses.
    pub booked: f64,
    /// Surplus that a full tank turned away, and energy of wrapped angles.
    pub discarded: f64,
    /// Change of kinetic energy by payments; never positive.
    pub motion: f64,
    /// Taken from the tank, less what was put in.
    pub drawn: f64,
    /// What nobody paid: the last gate sees to it.
    pub unpaid: f64,
    /// Rounding errors of the island's linear steps that are still to be settled.
    pub debt: f64,
    /// Times a strain could not be moved all the way.
    pub fallbacks: u32,
    /// Largest `|g − G|` left [m or rad].
    pub gap: f64,
}

impl Booking {
    /// Adds what another island's booking did.
    pub fn merge(&mut self, other: &Booking) {
        self.lift += other.lift;
        self.booked += other.booked;
        self.discarded += other.discarded;
        self.motion += other.motion;
        self.drawn += other.drawn;
        self.unpaid += other.unpaid;
        self.debt += other.debt;
        self.fallbacks += other.fallbacks;
        self.gap = self.gap.max(other.gap);
    }
}

/// Moves the strains of an island onto the configuration as far as that is paid for.
///
/// `need = gravity work of the projection + ½k|G|² − ½k|g|²`, paid from the tank, then from at most
/// half the island's payable motion, else `g` moves only part of the way. If the gravity work alone
/// cannot be paid, the projection is taken back in part. The carried potential of a subsystem is
/// the true one afterwards, whoever pays. The slate holds the bodies before the
/// projection and the true strains; `debt`, the rounding errors of the island's linear steps [J],
/// its own motion pays or gets back; what nobody paid is left to the last gate.
pub fn book_island(
    site: &mut Site,
    island: &Island,
    slate: &mut Slate,
    tank: &mut Tank,
    debt: f64,
) -> Booking {
    let params = site.params;
    let (from, out) = (&slate.from[..], &mut slate.strains[..]);
    let mut booking = Booking { debt, ..Default::default() };
    let mut payable = Payable::of(params, site.state, &island.movers());
    let defect = settle_debt(&mut payable, site, island, &mut booking);
    let budget = tank.content() + SPENDABLE * payable.energy;
    booking.lift = lift(site, island, from);
    for pass in 0..BACKWARDS {
        if booking.lift <= budget {
            break;
        }
        // a lift need not be proportional to the way
        let fraction = if pass + 1 < BACKWARDS { 0.9 * budget / booking.lift } else { 0.0 };
        for &b in &island.bodies {
            scale_back(&from[b], &mut site.state.bodies[b], fraction);
        }
        island.systems.iter().for_each(|&s| scale_back_system(site, s, fraction));
        strains(site, island, out);
        booking.lift = lift(site, island, from);
        payable = Payable::of(params, site.state, &island.movers());
    }
    // what the step itself left of a potential is owed whether it is projected or not
    let sunk = |s: SystemAt| site.systems[s].begun.potential - site.state.systems[s].potential;
    booking.lift += island.systems.iter().map(|&s| sunk(s)).sum::<f64>();
    let fixed = defect + booking.lift;
    let (linear, square) = elastic_price(params, site.state, island, out);
    let reach = affordable(linear, square, budget - fixed);
    if reach < 1.0 {
        booking.fallbacks = 1;
    }
    let carried = &mut site.state.strain[..];
    for &e in &island.elements {
        let (p, g) = (&params.elements[e], &mut carried[e]);
        for row in 0..6 {
            let gap = out[e][row] - g[row];
            // a hard row keeps g = 0 and leaves its gap to the next projection
            let part = if p.is_hard(row) { 0.0 } else { reach };
            g[row] = if part < 1.0 && p.stiffness[row] > 0.0 {
                booking.gap = booking.gap.max((1.0 - part) * gap.abs());
                g[row] + gap * part
            } else {
                out[e][row]
            };
        }
    }
    for &s in &island.systems {
        site.state.systems[s].potential = site.systems[s].terms.potential;
    }
    let need = fixed + reach * (linear + reach * square);
    settle_need(need, payable, site, island, tank, &mut booking);
    wrap_angles(site, island, tank, &mut booking);
    let energy = kinetic(params, site.state, island) + elastic(params, site.state, island);
    let most = ROUNDING * energy;
    booking.unpaid = (booking.debt - most).max(0.0);
    booking.debt = booking.debt.max(-most).min(most);
    booking
}

/// Energy in the carried strains of an island [J].
fn elastic(params: &Params, state: &State, island: &Island) -> f64 {
    island.elements.iter().map(|&e| params.elements[e].elastic(&state.strain[e])).sum()
}

/// Work against potentials of moving bodies from `from`, and subsystems from where their
/// projection began, to where they are [J].
fn lift(site: &Site, island: &Island, from: &[BodyState]) -> f64 {
    let Site { params, systems, .. } = site;
    let bodies = &site.state.bodies[..];
    let work = |b: usize| -params.bodies[b].mass * params.gravity.dot(&(bodies[b].x - from[b].x));
    let raised = |s: SystemAt| systems[s].terms.potential - systems[s].begun.potential;
    island.bodies.iter().map(|&b| work(b)).sum::<f64>()
        + island.systems.iter().map(|&s| raised(s)).sum::<f64>()
}

/// Price of moving every strain a fraction t of the way: `t·linear + t²·square` [J].
fn elastic_price(params: &Params, state: &State, island: &Island, out: &[Vec6]) -> (f64, f64) {
    let (mut linear, mut square) = (0.0, 0.0);
    for &e in &island.elements {
        let (p, g) = (&params.elements[e], &state.strain[e]);
        for row in 0..6 {
            let (k, gap) = (p.bookable(row), out[e][row] - g[row]);
            linear += k * g[row] * gap;
            square += 0.5 * k * gap * gap;
        }
    }
    (linear, square)
}

/// Largest t in [0, 1] with `t·linear + t²·square <= budget`.
fn affordable(linear: f64, square: f64, budget: f64) -> f64 {
    if linear + square <= budget {
        return 1.0;
    }
    if budget <= 0.0 {
        // only moves that release energy are possible: up to where the price is least
        let least = if square > 0.0 { (-0.5 * linear / square).clamp(0.0, 1.0) } else { 0.0 };
        return if linear < 0.0 { least } else { 0.0 };
    }
    let root = (linear * linear + 4.0 * square * budget).sqrt();
    // the form without cancellation for either sign of `linear`
    let t = if linear > 0.0 {
        2.0 * budget / (linear + root)
    } else {
        (root - linear) / (2.0 * square)
    };
    if t.is_finite() { t.clamp(0.0, 1.0) } else { 0.0 }
}

fn settle_need(
    need: f64,
    payable: Payable,
    site: &mut Site,
    island: &Island,
    tank: &mut Tank,
    booking: &mut Booking,
) {
    booking.booked += need.abs();
    if need <= 0.0 {
        let kept = tank.offer_surplus(-need);
        booking.drawn -= kept;
        booking.discarded += -need - kept;
        return;
    }
    let paid = tank.pay(need);
    booking.drawn += paid;
    let owed = need - paid;
    if owed > 0.0 {
        booking.debt += owed;
        pay_by_motion(owed, payable, site, island, booking);
    }
}

/// Lets the island's motion absorb the rounding errors of its linear steps, in either direction;
/// returns what it could not and the tank has to pay [J].
fn settle_debt(
    payable: &mut Payable,
    site: &mut Site,
    island: &Island,
    booking: &mut Booking,
) -> f64 {
    let debt = booking.debt;
    if debt.abs() <= WORTH_PAYING * payable.energy {
        return 0.0;
    }
    if debt < -ROUNDING * (payable.energy + elastic(site.params, site.state, island)) {
        // lost, and not by rounding
        booking.discarded -= std::mem::take(&mut booking.debt);
        return 0.0;
    }
    let limit = 0.1 * payable.energy;
    let (amount, energy) = (debt.max(-limit).min(limit), payable.energy);
    *payable = pay_by_motion(amount, *payable, site, island, booking);
    if booking.debt.abs() <= WORTH_PAYING * energy || booking.debt < 0.0 {
        return 0.0;
    }
    std::mem::take(&mut booking.debt)
}

/// Takes `amount` [J] out of the motion (negative: gives) and the actual change off the debt;
/// returns what can still pay.
///
/// A free island's motion splits into rigid and payable part only up to rounding, which wild mass
/// ratios and distances magnify; further passes correct that, the last with all of the motion.
fn pay_by_motion(
    amount: f64,
    mut payable: Payable,
    site: &mut Site,
    island: &Island,
    booking: &mut Booking,
) -> Payable {
    let (params, state) = (site.params, &mut *site.state);
    let start = kinetic(params, state, island);
    let (mut left, mut change, mut whole) = (amount, 0.0, false);
    for pass in 0..4 {
        let part = left.min(payable.energy);
        payable.change(state, &island.movers(), -part);
        payable.energy -= part;
        change = kinetic(params, state, island) - start;
        left = amount + change;
        if left.abs() <= WORTH_PAYING * start {
            break;
        }
        whole = pass == 2 && left > 0.0;
        payable = Payable::of(params, state, &island.movers());
        payable = if whole { payable.and_rigid(params, state, &island.movers()) } else { payable };
    }
    booking.motion += change;
    booking.booked += change.abs();
    booking.debt += change;
    if whole { Payable::of(params, state, &island.movers()) } else { payable }
}

/// A rotation strain beyond π continues on the other side; what that releases goes to the tank.
fn wrap_angles(site: &mut Site, island: &Island, tank: &mut Tank, booking: &mut Booking) {
    let Site { model, params, state, .. } = site;
    for &e in &island.elements {
        let Some(first) = model.elements[e].kind.rotation_rows() else { continue };
        debug_assert!(matches!(model.elements[e].kind, Kind::Rotation | Kind::Pose));
        let g = &mut state.strain[e];
        let angle = g.fixed_rows::<3>(first).norm();
        if angle > PI {
            let before = params.elements[e].elastic(g);
            let mut rows = g.fixed_rows_mut::<3>(first);
            rows *= 1.0 - 2.0 * PI / angle;
            let released = before - params.elements[e].elastic(g);
            let kept = tank.offer_surplus(released);
            booking.booked += released.abs();
            booking.drawn -= kept;
            booking.discarded += released - kept;
        }
    }
}
