//! Phase I: closing contacts stop (or bounce) in no time.

use super::frame::closing;
use super::gather::{Metric, plain};
use super::rigid::{configure, stamp_rigid, take_over};
use super::stage::{Stage, TOUCHING};
use super::stops::WAYS;
use super::touch::{Touch, TouchAt};
use super::{Site, Toolbox};
use crate::model::{Block, IslandAt};
use crate::solve::Tools;
use crate::solve::cone::{Contact, Law, Resolution};
use crate::stamp::Rule;

/// Jumps below this part of a body's energy leave its prediction alone.
pub(super) const FELT: f64 = 1e-8;

/// Closing speeds beyond this part of what counts as rest strike; others stop in phase II.
pub(super) const STRIKES: f64 = 0.5;

/// A body that phase II would let sink by more than this part of its reach strikes as well: less is
/// not seen, and at 1 ms phase I has no more to do for whatever is larger than 5 mm.
const SINKS: f64 = 1e-3;

/// Applies the impulses of a step's beginning; returns the energy they took [J].
///
/// # Equation
/// ```text
/// 0 ≤ (W p + u⁻)_n ⟂ p_n ≥ 0,   ‖p_t‖ ≤ μ p_n,    W = G M⁻¹ Gᵀ,    u⁺ = u + (1 + e) M⁻¹ Gᵀ p
/// ```
/// over contacts that touch or will within half the step, in piles where one of them closes faster
/// than gravity explains: the rest is stopped by phase II as it is. Stiff joints of an island in
/// contact hold rigidly (`J u = 0`) before and during the impulse.
/// # Guarantee
/// Never adds energy, for any restitution in 0..=1 and any budget of the solver.
pub fn impulse(site: &mut Site, islands: &mut Toolbox, stage: &mut Stage, rule: &Rule) -> f64 {
    stage.islands.cleaned.fill(false);
    if stage.touches.is_empty() && stage.stops.blocks.is_empty() {
        return 0.0;
    }
    stage.restart(1.0);
    let mut lost = 0.0;
    let rest_speed = 2.0 * rule.h * site.params.gravity.norm();
    stage.find_colliding(site, rest_speed, rule);
    stage.join_islands();
    for (i, island) in site.model.islands.entries() {
        stage.islands.cleaned[i] = stage.islands.joined[i] && !stage.graph.lone[i];
        if stage.islands.cleaned[i] {
            configure(site, island);
            lost += clean(site, i, &mut islands[i], rule);
        }
    }
    let strikes = stage.choose_struck(rest_speed, rule);
    if strikes {
        stage.frame_bodies(site, Metric::Mass, rule, &[]);
        lost += stage.strike_points(site, islands, rule, rest_speed);
    }
    lost += strike_others(site, islands, stage, rest_speed, rule);
    for k in 0..stage.stops.blocks.len() {
        stage.stops.measure(site, k);
        stage.stops.rates[k] = stage.stops.rate_now(site, k);
    }
    lost
}

/// Out of reach for half the step.
fn is_apart(touch: &Touch, rates: &[f64; 6], rule: &Rule) -> bool {
    touch.gap + (0.5 * rule.h * rates[0]).min(0.0) > TOUCHING
}

impl Stage {
    /// A touch of those that an impulse may act on strikes: it closes faster than gravity explains,
    /// or so fast that it would sink visibly while phase II stops it, at half its speed.
    pub(super) fn strikes(&self, t: TouchAt, rest_speed: f64, rule: &Rule) -> bool {
        let (touch, speed) = (&self.touches[t], -self.rows.start_rates[t][0]);
        let reach = |b: usize| self.bodies.spans[b];
        let reach = touch.movers().map(reach).fold(f64::INFINITY, f64::min);
        let sinks = 0.5 * rule.h * speed - touch.gap.max(0.0);
        speed > STRIKES * rest_speed || sinks > SINKS * reach
    }

    /// Chooses the touches that an impulse may act on; false if none of them strikes.
    fn choose_struck(&mut self, rest_speed: f64, rule: &Rule) -> bool {
        let Self { touches, rows, graph, sleep, bodies, .. } = self;
        let (rates, starts) = (&mut rows.start_rates, &bodies.starts);
        graph.chosen.clear();
        for ((t, touch), rates) in touches.entries_mut().zip(rates.iter_mut()) {
            // a sleeper that is touched wakes before; one that is only near stays as it is
            let sleeps = touch.movers().any(|b| sleep.is_asleep(b));
            if sleeps || !(touch.is_conic() || touch.meeting.collides) {
                continue;
            }
            let paces = touch.nodes().map(|b| b.map_or([0.0; 2], |b| starts[b].pace));
            let far = touch.gap - 0.5 * rule.h * closing(paces, touch.gap) > TOUCHING;
            if far && !touch.meeting.collides {
                continue;
            }
            *rates = touch.start_rates(starts);
            touch.seat.rated = true;
            if touch.meeting.collides || !is_apart(touch, rates, rule) {
                graph.chosen.push(t);
            }
        }
        let mut chosen = self.graph.chosen.iter();
        let strikes = chosen.any(|&t| self.strikes(t, rest_speed, rule));
        if strikes || self.has_conic_stops() {
            self.graph.all_general = self.ask.resolution != Resolution::Simultaneous;
            self.graph.join(&self.touches);
            self.graph.all_general = false;
        }
        strikes
    }

    /// Marks the general piles in which a touch strikes, and those of stops that are struck.
    fn mark_struck(&mut self, site: &mut Site, rest_speed: f64, rule: &Rule) {
        self.graph.unmark();
        for k in 0..self.graph.chosen.len() {
            let t = self.graph.chosen[k];
            if self.strikes(t, rest_speed, rule)
                && let Some(leader) = self.graph.leader_at(&self.touches[t])
                && self.graph.is_general_at(leader)
            {
                self.graph.mark(leader);
            }
        }
        let stops = if self.has_conic_stops() { self.stops.at.len() } else { 0 };
        for k in 0..stops {
            self.stops.measure(site, k);
            let (gaps, rate) = self.stop_motion(site, k);
            let struck = |(gap, way): (f64, f64)| {
                gap.is_finite() && gap + 0.5 * rule.h * way * rate < 0.0 && way * rate < 0.0
            };
            if gaps.into_iter().zip(WAYS).any(struck) {
                self.graph.mark(site.model.units.of_island(self.stops.at[k].island));
            }
        }
    }

    /// How far stop `k` is from its ends [m or rad], and how fast it moves.
    fn stop_motion(&self, site: &Site, k: usize) -> ([f64; 2], f64) {
        (self.stops.gaps(site, &site.state.strain, k), self.stops.rate_now(site, k))
    }
}

/// Phase I of piles with joints, stops, or touches of more than three rows.
fn strike_others(
    site: &mut Site,
    islands: &mut Toolbox,
    stage: &mut Stage,
    rest_speed: f64,
    rule: &Rule,
) -> f64 {
    stage.mark_struck(site, rest_speed, rule);
    if !stage.graph.any_marked() {
        return 0.0;
    }
    let mut lost = 0.0;
    for (i, tools) in islands.entries_mut() {
        if stage.graph.lone[i] && stage.graph.is_marked(site.model.units.of_island(i)) {
            lost += clean(site, i, tools, rule);
        }
    }
    stage.frame_bodies(site, Metric::Mass, rule, &[]);
    let mut sides = [[[0.0; 6]; 6]; 2];
    for k in 0..stage.graph.chosen.len() {
        let t = stage.graph.chosen[k];
        let Some(leader) = stage.graph.leader_at(&stage.touches[t]) else { continue };
        if !stage.graph.is_marked(leader) || !stage.graph.is_general_at(leader) {
            continue;
        }
        let touch = &stage.touches[t];
        let (bias, count) = (touch.rates(site.state), touch.count());
        let row = plain(touch.cone(), &bias[..count]);
        let contact = Contact { restitution: touch.material.restitution, ..row };
        stage.sides(t, count, &mut sides);
        let number = stage.add_touch(site, islands, t, &sides, contact);
        stage.touches[t].seat.number = number;
    }
    add_stops(site, islands, stage, rule);
    if stage.cone.is_empty() {
        return lost;
    }
    stage.weigh_groups(site, islands, None);
    stage.collide_all(site, rest_speed);
    stage.lessen_impulses(site, rule);
    lost + apply(site, stage)
}

/// Stops that the measure has reached, or will within half the step.
fn add_stops(site: &mut Site, islands: &mut Toolbox, stage: &mut Stage, rule: &Rule) {
    for k in 0..stage.stops.at.len() {
        if !stage.graph.is_marked(site.model.units.of_island(stage.stops.at[k].island)) {
            continue;
        }
        stage.stops.measure(site, k);
        let (gaps, rate) = stage.stop_motion(site, k);
        for (gap, way) in gaps.into_iter().zip(WAYS) {
            let reached = gap + (0.5 * rule.h * way * rate).min(0.0) <= TOUCHING;
            if gap.is_finite() && reached {
                stage.add_stop(site, islands, (k, way), plain(Law::Unilateral, &[way * rate]));
            }
        }
    }
}

/// Takes the velocity that stiff joints resist out of an island; returns its energy [J].
fn clean(site: &mut Site, i: IslandAt, tools: &mut Tools, rule: &Rule) -> f64 {
    let (unit, island) = (site.model.units.of_island(i), &site.model.islands[i]);
    let before = site.kinetic(unit);
    stamp_rigid(site, island, tools, rule, true);
    let Tools { problem, solution, solver } = tools;
    solver.solve(problem, solution);
    take_over(site, island, solution);
    before - site.kinetic(unit)
}

/// Adds the jumps to the velocities; returns the energy they took [J].
fn apply(site: &mut Site, stage: &mut Stage) -> f64 {
    let (units, mut lost, mut most) = (&site.model.units, 0.0, (0.0, None));
    for unit in units.all() {
        let Some(number) = stage.rows.numbers.of(unit) else { continue };
        let (jump, before) = (stage.cone.change(number), site.kinetic(unit));
        let size: f64 = units.spans(unit).iter().map(|span| site.hasten(span, jump)).sum();
        let gain = site.kinetic(unit) - before;
        lost -= gain;
        if let (Some(i), true) = (units.island(unit), gain > most.0) {
            most = (gain, Some(i));
        }
        for span in units.spans(unit) {
            match span.block {
                Block::Body(b) => stage.effect.struck[b] = size > FELT * before,
                Block::System(s) => stage.effect.struck_systems[s] = size > FELT * before,
            }
        }
    }
    for t in stage.touches.all() {
        let Some(number) = stage.touches[t].seat.number else { continue };
        // a stop has one row, and no touch
        let p = stage.cone.lambda(number);
        stage.add_impulse(site.state, t, [p[0], p[1], p[2]]);
    }
    // what rounding let an impulse add is owed by who gained most, like any defect
    if let (true, Some(i)) = (lost < 0.0, most.1) {
        site.state.debt[i] -= lost;
        return 0.0;
    }
    lost
}
