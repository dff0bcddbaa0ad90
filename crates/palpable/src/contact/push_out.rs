//! What is left of an overlap is taken away, as far as somebody pays for it.

use super::gather::{Metric, plain};
use super::points::turned;
use super::rigid::stamp_rigid;
use super::stage::{ContactReport, Stage};
use super::stops::WAYS;
use super::touch::Touch;
use super::{Site, Toolbox};
use crate::ledger::Tank;
use crate::math::{Vec6, angular, linear};
use crate::model::{Block, PerUnit, Span, Unit};
use crate::solve::cone::{Law, Rule as ConeRule};
use crate::solve::{Purse, Tools};
use crate::stamp::Rule;

/// Overlaps below this [m] are left alone.
const SLIGHT: f64 = 1e-9;
/// Pushes of piles that are not points at most: rims and joints are not straight.
const PASSES: usize = 2;
/// Part of the tank that a push may take: places are rounded, so the work done is not quite the
/// work planned.
const PAYABLE: f64 = 0.999;
/// Least content of the tank, relative to what lifts are
/// rounded to, that pays for less than the whole way: its
/// margin covers the rounding of places.
const ROUNDED: f64 = f64::EPSILON / (1.0 - PAYABLE);
/// Largest turn of a push, and change of a coordinate [rad or m].
const LARGEST_TURN: f64 = 0.1;

/// The books that a push writes in.
#[derive(Debug)]
pub struct Books<'a> {
    /// Pays for lifting.
    pub tank: &'a mut Tank,
    /// True strains, by which stops are measured.
    pub strains: &'a [Vec6],
    /// Energy taken from the tank for each unit [J].
    pub drawn: &'a mut PerUnit<f64>,
    /// Solves of islands that the step may still do.
    pub passes: &'a mut Purse,
}

/// Work of a push against gravity on free bodies, and what the tank did not take of it [J].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Pushed {
    /// Work against gravity.
    pub lift: f64,
    /// Surplus that a full tank turned away.
    pub discarded: f64,
    /// Change of kinetic energy, where velocities follow to keep angular momentum.
    pub motion: f64,
}

/// Moves overlapping bodies apart by the least mass-weighted displacement.
///
/// # Equation
/// ```text
/// δ = argmin ½ δᵀ M δ    with  G_n δ ≥ −gap,  stiff joints held
/// ```
/// A contact that closes and will bounce is left to the next step's impulse, which parts it: moving
/// bodies that move changes their angular momentum. Velocities do not change, so nothing but
/// gravity works against a push: all move by the same part of the way, and no further than the
/// tank pays. Free bodies pay here, what it costs an island is booked with the island.
pub fn push_out(
    site: &mut Site,
    islands: &mut Toolbox,
    stage: &mut Stage,
    mut books: Books,
    rule: &Rule,
) -> Pushed {
    let rest_speed = 2.0 * rule.h * site.params.gravity.norm();
    let mut pushed = Pushed::default();
    if stage.part_points(site, rest_speed) {
        pushed = move_points(site, stage, &mut books);
    }
    // stops are measured by strains, which a push does not renew
    let passes = if stage.stops.at.is_empty() { PASSES } else { 1 };
    for _ in 0..passes {
        let joined = stage.islands.joined.iter().filter(|j| **j).count() as u64;
        if !is_deep(site, stage, books.strains, rest_speed) || !books.passes.take(joined) {
            break;
        }
        let others = push_others(site, islands, stage, &mut books, rule);
        pushed.lift += others.lift;
        pushed.discarded += others.discarded;
    }
    // what the cone did not choose is apart, or sleeps
    let depth = stage.touches.iter().fold(0.0, |d: f64, t| {
        let chosen = t.seat.spot.is_some() || t.seat.number.is_some() || !t.is_conic();
        d.max(if chosen { -t.gap_at(site.state) } else { -t.gap })
    });
    stage.report.depth = stage.report.depth.max(depth);
    pushed
}

/// Something that is not a pile of points overlaps, or a joint is past its stop.
fn is_deep(site: &Site, stage: &Stage, strains: &[Vec6], rest_speed: f64) -> bool {
    let deep = |t: &Touch| {
        t.seat.number.is_some()
            && t.is_conic()
            && -t.gap_at(site.state) > SLIGHT
            && !t.bounces(site.state, rest_speed)
    };
    let past = |k: usize| stage.stops.gaps(site, strains, k).into_iter().any(|g| -g > SLIGHT);
    let stops = if stage.has_conic_stops() { stage.stops.at.len() } else { 0 };
    stage.touches.iter().any(deep) || (0..stops).any(past)
}

/// One push of piles with joints, stops, or touches of more than three rows.
fn push_others(
    site: &mut Site,
    islands: &mut Toolbox,
    stage: &mut Stage,
    books: &mut Books,
    rule: &Rule,
) -> Pushed {
    let rest_speed = 2.0 * rule.h * site.params.gravity.norm();
    stage.begin_cone(1.0);
    for (i, island) in site.model.islands.entries() {
        if stage.islands.joined[i] {
            stamp_rigid(site, island, &mut islands[i], rule, false);
            let Tools { problem, solution, solver } = &mut islands[i];
            solver.solve_roughly(problem, solution);
        }
    }
    stage.frame_bodies(site, Metric::Mass, rule, &[]);
    let mut sides = [[[0.0; 6]; 6]; 2];
    for t in stage.touches.all() {
        let touch = &stage.touches[t];
        let gap = touch.gap_at(site.state);
        if touch.seat.number.is_none() || !touch.is_conic() || touch.bounces(site.state, rest_speed)
        {
            continue;
        }
        stage.sides(t, 1, &mut sides);
        stage.add_touch(site, islands, t, &sides, plain(Law::Unilateral, &[gap]));
    }
    if stage.has_conic_stops() {
        add_stops(site, islands, stage, books.strains);
    }
    let (settings, last) = (stage.ask.settings, stage.report);
    let rule = ConeRule::Impulse { rest_speed: f64::MAX };
    stage.solve_cone(&settings, [1, 1], |cone, settings| cone.solve(settings, rule));
    // a push is no phase: its residual is a length
    stage.report = ContactReport { iterations: stage.report.iterations, ..last };
    let part = affordable(site, stage, books.tank);
    if !(part > 0.0) {
        return Pushed::default();
    }
    move_units(site, stage, books, part)
}

/// Moves the bodies of piles of points as far as the tank pays.
fn move_points(site: &mut Site, stage: &mut Stage, books: &mut Books) -> Pushed {
    let (mut lift, mut own, mut turn, mut size) = (0.0, 0.0, 0.0f64, 0.0);
    for (b, delta) in stage.pushes() {
        size += size_of(site, b);
        let up = -site.params.bodies[b].mass * site.params.gravity.dot(&linear(&delta));
        let unit = site.model.units.of(b);
        match site.model.units.island(unit) {
            None => lift += up,
            // booking lets half of an island's motion pay
            Some(_) => own += (up - 0.5 * site.kinetic(unit)).max(0.0),
        }
        turn = turn.max(angular(&delta).norm());
    }
    let part = part_of((lift.max(0.0) + own, turn), books.tank, size);
    if !(part > 0.0) {
        return Pushed::default();
    }
    let mut lifted = Lifted::default();
    for (b, delta) in stage.pushes() {
        let s = &mut site.state.bodies[b];
        let before = s.x;
        s.x += linear(&delta) * part;
        s.q = turned(&s.q, &(angular(&delta) * part));
        let unit = site.model.units.of(b);
        if site.model.units.island(unit).is_none() {
            let lift = -site.params.bodies[b].mass * site.params.gravity.dot(&(s.x - before));
            lifted.add(unit, lift, books);
        }
    }
    let motion = stage.turn_back(site, part);
    for i in stage.points.pushed().filter_map(|b| site.model.units.island_of(b)) {
        stage.islands.pushed[i] = true;
    }
    Pushed { motion, ..lifted.settle(books) }
}

/// `m |g_i x_i|` of a body, to a part of which a lift is rounded [J].
fn size_of(site: &Site, b: usize) -> f64 {
    let place = site.params.gravity.component_mul(&site.state.bodies[b].x);
    site.params.bodies[b].mass * place.abs().sum()
}

/// The part of the way that turns nothing too far and that the tank pays for.
fn part_of((lift, turn): (f64, f64), tank: &Tank, size: f64) -> f64 {
    let part = if turn > LARGEST_TURN { LARGEST_TURN / turn } else { 1.0 };
    let payable = PAYABLE * tank.content();
    if part * lift <= payable {
        return part;
    }
    if payable > ROUNDED * size { payable / lift } else { 0.0 }
}

/// Work of a push against gravity on free bodies [J].
#[derive(Debug, Default)]
struct Lifted {
    work: f64,
    /// the one that is lifted the most, and by how much
    most: (f64, Option<Unit>),
}

impl Lifted {
    fn add(&mut self, unit: Unit, lift: f64, books: &mut Books) {
        books.drawn[unit] += lift;
        self.work += lift;
        if lift > self.most.0 {
            self.most = (lift, Some(unit));
        }
    }

    /// The tank pays for the work, or keeps it. What is missing belongs to the one that is lifted
    /// the most.
    fn settle(self, books: &mut Books) -> Pushed {
        let Self { work, most: (_, unit) } = self;
        let discarded = if work > 0.0 {
            // all of it, but for rounding, which is left to the last gate
            let missing = work - books.tank.pay(work);
            unit.iter().for_each(|&unit| books.drawn[unit] -= missing);
            0.0
        } else {
            -work - books.tank.offer_surplus(-work)
        };
        Pushed { lift: work, discarded, motion: 0.0 }
    }
}

/// Stops near enough to matter.
fn add_stops(site: &mut Site, islands: &mut Toolbox, stage: &mut Stage, strains: &[Vec6]) {
    for k in 0..stage.stops.at.len() {
        stage.stops.measure(site, k);
        for (gap, way) in stage.stops.gaps(site, strains, k).into_iter().zip(WAYS) {
            if gap < LARGEST_TURN {
                stage.add_stop(site, islands, (k, way), plain(Law::Unilateral, &[gap]));
            }
        }
    }
}

/// The part of the way that turns nothing too far and that the tank pays for, or the motion of an
/// island. What free bodies or one island release does not lift another.
fn affordable(site: &mut Site, stage: &Stage, tank: &Tank) -> f64 {
    let (units, mut lift, mut turn, mut size) = (&site.model.units, 0.0f64, 0.0f64, 0.0);
    for unit in units.all() {
        let Some(number) = stage.rows.numbers.of(unit) else { continue };
        let (change, mut own) = (stage.cone.change(number), 0.0);
        for span in units.spans(unit) {
            match span.block {
                Block::Body(b) => {
                    let delta = Vec6::from_column_slice(span.of(change));
                    own -= site.params.bodies[b].mass * site.params.gravity.dot(&linear(&delta));
                    size += size_of(site, b);
                    turn = turn.max(angular(&delta).norm());
                }
                Block::System(s) => {
                    let work = &mut site.systems[s];
                    work.take_rates(span.of(change));
                    own +=
                        work.terms.gradient.iter().zip(&work.row).map(|(g, d)| g * d).sum::<f64>();
                    turn = work.row.iter().fold(turn, |m: f64, d| m.max(d.abs()));
                    let links = site.model.systems[s].nodes.clone();
                    size += links.map(|b| size_of(site, b)).sum::<f64>();
                }
            }
        }
        match units.island(unit) {
            None => lift += own,
            // booking lets half of an island's motion pay
            Some(_) => lift = lift.max(0.0) + (own - 0.5 * site.kinetic(unit)).max(0.0),
        }
    }
    part_of((lift.max(0.0), turn), tank, size)
}

/// Moves what a push moves. The tank pays or keeps the work against gravity on free bodies; booking
/// settles what islands cost.
fn move_units(site: &mut Site, stage: &mut Stage, books: &mut Books, part: f64) -> Pushed {
    let (units, mut lifted) = (&site.model.units, Lifted::default());
    for unit in units.all() {
        let Some(number) = stage.rows.numbers.of(unit) else { continue };
        let (change, spans) = (stage.cone.change(number), units.spans(unit));
        match (units.island(unit), spans) {
            (None, &[Span { block: Block::Body(b), .. }]) => {
                let before = site.state.bodies[b].x;
                site.shift(&spans[0], change, part);
                let way = site.state.bodies[b].x - before;
                lifted.add(
                    unit,
                    -site.params.bodies[b].mass * site.params.gravity.dot(&way),
                    books,
                );
            }
            (island, _) => {
                spans.iter().for_each(|span| site.shift(span, change, part));
                island.iter().for_each(|&i| stage.islands.pushed[i] = true);
            }
        }
    }
    lifted.settle(books)
}
