//! Books what a step left over: gravity work of the projection first, then elastic energy.

use super::pay::{Payable, kinetic};
use super::project::{scale_back, scale_back_system, strains};
use crate::ledger::Tank;
use crate::math::Vec6;
use crate::model::{BodyState, Island, Kind, Model, Params, State, SystemWork};
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
    /// Times a strain could not be moved all the way.
    pub fallbacks: u32,
    /// Largest `|g − G|` left [m or rad].
    pub gap: f64,
}

/// Moves the strains of an island onto the configuration as far as that is paid for.
///
/// `need = gravity work of the projection + ½k|G|² − ½k|g|²`, paid from the tank, then from at most
/// half the island's payable motion, else `g` moves only part of the way. If the gravity work alone
/// cannot be paid, the projection is taken back in part. The carried potential of a subsystem is
/// the true one afterwards, whoever pays. `from` holds the bodies before the
/// projection, `out` the true strains, `debt` the rounding errors of the island's linear steps,
/// which its own motion pays or gets back; what nobody paid is left to the last gate.
#[expect(clippy::too_many_arguments, reason = "one argument per neighbouring room")]
pub fn book_island(
    model: &Model,
    params: &Params,
    state: &mut State,
    tank: &mut Tank,
    island: &Island,
    (from, out): (&[BodyState], &mut [Vec6]),
    systems: &mut [SystemWork],
    debt: &mut f64,
) -> Booking {
    let mut booking = Booking::default();
    let mut payable = Payable::of(params, state, &island.movers());
    let defect = settle_debt(&mut payable, params, state, island, debt, &mut booking);
    let budget = tank.content() + SPENDABLE * payable.energy;
    let raised = |systems: &[SystemWork]| {
        let of = |s: usize| systems[s].terms.potential - systems[s].from_potential;
        island.systems.iter().map(|&s| of(s)).sum::<f64>()
    };
    booking.lift = lift(params, state, island, from) + raised(systems);
    for pass in 0..BACKWARDS {
        if booking.lift <= budget {
            break;
        }
        // a lift need not be proportional to the way
        let fraction = if pass + 1 < BACKWARDS { 0.9 * budget / booking.lift } else { 0.0 };
        for &b in &island.bodies {
            scale_back(&from[b], &mut state.bodies[b], fraction);
        }
        for &s in &island.systems {
            scale_back_system((&model.systems[s], params), state, &mut systems[s], (s, fraction));
        }
        strains(model, params, state, island, out);
        booking.lift = lift(params, state, island, from) + raised(systems);
        payable = Payable::of(params, state, &island.movers());
    }
    // what the step itself left of a potential is owed whether it is projected or not
    let sunk = |s: usize| systems[s].from_potential - state.systems[s].potential;
    booking.lift += island.systems.iter().map(|&s| sunk(s)).sum::<f64>();
    let fixed = defect + booking.lift;
    let (linear, square) = elastic_price(params, state, island, out);
    let reach = affordable(linear, square, budget - fixed);
    if reach < 1.0 {
        booking.fallbacks = 1;
    }
    for &e in &island.elements {
        let g = &mut state.strain[e];
        for row in 0..6 {
            let (p, gap) = (&params.elements[e], out[e][row] - g[row]);
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
    island.systems.iter().for_each(|&s| state.systems[s].potential = systems[s].terms.potential);
    let need = fixed + reach * (linear + reach * square);
    settle_need(need, params, state, tank, island, payable, debt, &mut booking);
    wrap_angles(model, params, state, tank, island, &mut booking);
    let most = ROUNDING * (kinetic(params, state, island) + elastic(params, state, island));
    booking.unpaid = (*debt - most).max(0.0);
    *debt = debt.max(-most).min(most);
    booking
}

/// Energy in the carried strains of an island [J].
fn elastic(params: &Params, state: &State, island: &Island) -> f64 {
    island.elements.iter().map(|&e| params.elements[e].elastic(&state.strain[e])).sum()
}

/// Work against gravity of moving the bodies from `from` to where they are [J].
fn lift(params: &Params, state: &State, island: &Island, from: &[BodyState]) -> f64 {
    let work =
        |b: usize| -params.bodies[b].mass * params.gravity.dot(&(state.bodies[b].x - from[b].x));
    island.bodies.iter().map(|&b| work(b)).sum()
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

#[expect(clippy::too_many_arguments, reason = "one argument per neighbouring room")]
fn settle_need(
    need: f64,
    params: &Params,
    state: &mut State,
    tank: &mut Tank,
    island: &Island,
    payable: Payable,
    debt: &mut f64,
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
        *debt += owed;
        pay_by_motion(owed, payable, params, state, island, debt, booking);
    }
}

/// Lets the island's motion absorb the rounding errors of its linear steps, in either direction;
/// returns what it could not and the tank has to pay [J].
fn settle_debt(
    payable: &mut Payable,
    params: &Params,
    state: &mut State,
    island: &Island,
    debt: &mut f64,
    booking: &mut Booking,
) -> f64 {
    if debt.abs() <= WORTH_PAYING * payable.energy {
        return 0.0;
    }
    if *debt < -ROUNDING * (payable.energy + elastic(params, state, island)) {
        // lost, and not by rounding
        booking.discarded -= std::mem::take(debt);
        return 0.0;
    }
    let limit = 0.1 * payable.energy;
    let (amount, energy) = (debt.max(-limit).min(limit), payable.energy);
    *payable = pay_by_motion(amount, *payable, params, state, island, debt, booking);
    if debt.abs() <= WORTH_PAYING * energy || *debt < 0.0 {
        return 0.0;
    }
    std::mem::take(debt)
}

/// Takes `amount` [J] out of the motion (negative: gives) and the actual change off `debt`;
/// returns what can still pay.
///
/// A free island's motion splits into rigid and payable part only up to rounding, which wild mass
/// ratios and distances magnify; further passes correct that, the last with all of the motion.
fn pay_by_motion(
    amount: f64,
    mut payable: Payable,
    params: &Params,
    state: &mut State,
    island: &Island,
    debt: &mut f64,
    booking: &mut Booking,
) -> Payable {
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
    *debt += change;
    if whole { Payable::of(params, state, &island.movers()) } else { payable }
}

/// A rotation strain beyond π continues on the other side; what that releases goes to the tank.
fn wrap_angles(
    model: &Model,
    params: &Params,
    state: &mut State,
    tank: &mut Tank,
    island: &Island,
    booking: &mut Booking,
) {
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
