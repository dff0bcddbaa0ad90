//! Phase I: closing contacts stop (or bounce) in no time.

use super::Site;
use super::frame::closing;
use super::gather::{Metric, Terms, dimension};
use super::rigid::{configure, stamp_rigid, take_over};
use super::stage::{Stage, TOUCHING};
use super::stops::StopAt;
use super::touch::Touch;
use crate::math::{Vec6, angular, linear};
use crate::model::Island;
use crate::settle::kinetic_of;
use crate::solve::Tools;
use crate::solve::cone::{Law, Resolution};
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
pub fn impulse(site: &mut Site, islands: &mut [Tools], stage: &mut Stage, rule: &Rule) -> f64 {
    stage.islands.cleaned.fill(false);
    if stage.touches.is_empty() && stage.stops.blocks.is_empty() {
        return 0.0;
    }
    stage.restart();
    let mut lost = 0.0;
    let rest_speed = 2.0 * rule.h * site.params.gravity.norm();
    stage.find_colliding(site, rest_speed, rule);
    stage.join_islands();
    for (i, island) in site.model.islands.iter().enumerate() {
        stage.islands.cleaned[i] = stage.islands.joined[i] && !stage.graph.lone[i];
        if stage.islands.cleaned[i] {
            configure(site, island);
            lost += clean(site, island, &mut islands[i], rule);
        }
    }
    let strikes = stage.choose_struck(rest_speed, rule);
    if strikes {
        stage.frame_bodies(site, Metric::Mass, rule, &[]);
        lost += stage.strike_points(site, islands, rule, rest_speed);
    }
    lost += strike_others(site, islands, stage, rest_speed, rule);
    for k in 0..stage.stops.blocks.len() {
        stage.stops.measure(site, k, None, rule);
        stage.stops.rates[k] = stage.stops.motion(site, k).1;
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
    pub(super) fn strikes(&self, t: usize, rest_speed: f64, rule: &Rule) -> bool {
        let (touch, speed) = (&self.touches[t], -self.rows.start_rates[t][0]);
        let reach = |b: usize| self.bodies.spans[b];
        let reach = touch.nodes().into_iter().flatten().map(reach).fold(f64::INFINITY, f64::min);
        let sinks = 0.5 * rule.h * speed - touch.gap.max(0.0);
        speed > STRIKES * rest_speed || sinks > SINKS * reach
    }

    /// Chooses the touches that an impulse may act on; false if none of them strikes.
    fn choose_struck(&mut self, rest_speed: f64, rule: &Rule) -> bool {
        let Self { touches, rows, graph, sleep, bodies, .. } = self;
        let (rates, starts) = (&mut rows.start_rates, &bodies.starts);
        graph.chosen.clear();
        for (t, (touch, rates)) in touches.iter().zip(rates.iter_mut()).enumerate() {
            // a sleeper that is touched wakes before; one that is only near stays as it is
            let sleeps = touch.nodes().into_iter().flatten().any(|b| sleep.is_asleep(b));
            if sleeps || !(touch.is_conic() || touch.meeting.collides) {
                continue;
            }
            let paces = touch.nodes().map(|b| b.map_or([0.0; 2], |b| starts[b].pace));
            let far = touch.gap - 0.5 * rule.h * closing(paces, touch.gap) > TOUCHING;
            if far && !touch.meeting.collides {
                continue;
            }
            *rates = touch.start_rates(starts);
            if touch.meeting.collides || !is_apart(touch, rates, rule) {
                graph.chosen.push(t as u32);
            }
        }
        let mut chosen = self.graph.chosen.iter();
        let strikes = chosen.any(|&t| self.strikes(t as usize, rest_speed, rule));
        if strikes || self.has_conic_stops() {
            self.graph.all_general = self.ask.resolution != Resolution::Simultaneous;
            self.graph.join(&self.touches, &self.islands.of);
            self.graph.all_general = false;
        }
        strikes
    }

    /// Marks the islands of piles in which a touch strikes, and of stops that are struck.
    fn mark_struck(&mut self, site: &mut Site, rest_speed: f64, rule: &Rule) {
        let bodies = self.islands.of.len();
        self.graph.marked.fill(false);
        for k in 0..self.graph.chosen.len() {
            let t = self.graph.chosen[k] as usize;
            if self.strikes(t, rest_speed, rule)
                && let Some(b) = self.touches[t].nodes().into_iter().flatten().next()
            {
                let root = self.graph.root(self.islands.of[b].map_or(b, |i| bodies + i));
                self.graph.marked[root] = self.graph.is_general(root);
            }
        }
        let stops = if self.has_conic_stops() { self.stops.blocks.len() } else { 0 };
        for k in 0..stops {
            let StopAt { island: i, element: e } = self.stops.at[k];
            self.stops.measure(site, k, None, rule);
            let (place, rate) = self.stops.motion(site, k);
            let Some(stops) = site.model.elements[e].stops else { continue };
            for (end, sign) in stops.into_iter().zip([1.0, -1.0]) {
                let (gap, rate) = (sign * (place - end), sign * rate);
                if gap.is_finite() && gap + 0.5 * rule.h * rate < 0.0 && rate < 0.0 {
                    let root = self.graph.root(bodies + i);
                    self.graph.marked[root] = true;
                }
            }
        }
    }
}

/// Phase I of piles with joints, stops, or touches of more than three rows.
fn strike_others(
    site: &mut Site,
    islands: &mut [Tools],
    stage: &mut Stage,
    rest_speed: f64,
    rule: &Rule,
) -> f64 {
    stage.mark_struck(site, rest_speed, rule);
    if !stage.graph.marked.contains(&true) {
        return 0.0;
    }
    let (bodies, mut lost) = (stage.islands.of.len(), 0.0);
    for (i, island) in site.model.islands.iter().enumerate() {
        let root = stage.graph.root(bodies + i);
        if stage.graph.lone[i] && stage.graph.marked[root] {
            lost += clean(site, island, &mut islands[i], rule);
        }
    }
    stage.frame_bodies(site, Metric::Mass, rule, &[]);
    let mut sides = [[[0.0; 6]; 6]; 2];
    for k in 0..stage.graph.chosen.len() {
        let t = stage.graph.chosen[k] as usize;
        let Some(b) = stage.touches[t].nodes().into_iter().flatten().next() else { continue };
        let root = stage.graph.root(stage.islands.of[b].map_or(b, |i| bodies + i));
        if !stage.graph.marked[root] || !stage.graph.is_general(root) {
            continue;
        }
        let touch = &stage.touches[t];
        let (bias, count) = (touch.rates(site.state), touch.count());
        let terms = Terms {
            law: touch.cone(),
            target: 0.0,
            restitution: touch.material.restitution,
            bias: &bias[..count],
            carry: &[],
            start: &[],
            scale: 1.0,
        };
        stage.sides(t, count, &mut sides);
        let number = stage.add_touch(site, islands, t, &sides, terms);
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
fn add_stops(site: &mut Site, islands: &mut [Tools], stage: &mut Stage, rule: &Rule) {
    for k in 0..stage.stops.blocks.len() {
        let StopAt { island: i, element: e } = stage.stops.at[k];
        let root = stage.graph.root(stage.islands.of.len() + i);
        if !stage.graph.marked[root] {
            continue;
        }
        stage.stops.measure(site, k, None, rule);
        let (place, rate) = stage.stops.motion(site, k);
        let Some(stops) = site.model.elements[e].stops else { continue };
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            let gap = sign * (place - stops[side]);
            let reached = gap + (0.5 * rule.h * sign * rate).min(0.0) <= TOUCHING;
            if !gap.is_finite() || !reached {
                continue;
            }
            let terms = Terms {
                law: Law::Unilateral,
                target: 0.0,
                restitution: 0.0,
                bias: &[sign * rate],
                carry: &[],
                start: &[],
                scale: 1.0,
            };
            stage.add_stop(site, &mut islands[i], (k, sign), terms);
        }
    }
}

/// Takes the velocity that stiff joints resist out of an island; returns its energy [J].
fn clean(site: &mut Site, island: &Island, tools: &mut Tools, rule: &Rule) -> f64 {
    let before = kinetic_of(site.params, site.state, island);
    stamp_rigid(site, island, tools, rule, true);
    let Tools { problem, solution, solver } = tools;
    solver.solve(problem, solution);
    take_over(site, island, solution);
    before - kinetic_of(site.params, site.state, island)
}

/// Adds the jumps to the velocities; returns the energy they took [J].
fn apply(site: &mut Site, stage: &mut Stage) -> f64 {
    let (mut lost, mut most) = (0.0, (0.0, None));
    for b in 0..stage.rows.groups.bodies.len() {
        let Some(group) = stage.rows.groups.bodies[b] else { continue };
        let jump = Vec6::from_column_slice(stage.cone.change(group as usize));
        let (p, s) = (&site.params.bodies[b], &mut site.state.bodies[b]);
        let before = p.kinetic(&s.v, &s.omega);
        s.v += linear(&jump);
        s.omega += angular(&jump);
        lost += before - p.kinetic(&s.v, &s.omega);
        stage.effect.struck[b] = p.kinetic(&linear(&jump), &angular(&jump)) > FELT * before;
    }
    for (i, island) in site.model.islands.iter().enumerate() {
        let Some(group) = stage.rows.groups.islands[i] else { continue };
        let jump = stage.cone.change(group as usize);
        let before = kinetic_of(site.params, site.state, island);
        let mut size = 0.0;
        for (k, &b) in island.bodies.iter().enumerate() {
            let jump = Vec6::from_column_slice(&jump[6 * k..6 * k + 6]);
            let s = &mut site.state.bodies[b];
            s.v += linear(&jump);
            s.omega += angular(&jump);
            size += site.params.bodies[b].kinetic(&linear(&jump), &angular(&jump));
        }
        let mut at = 6 * island.bodies.len();
        for &s in &island.systems {
            let xi = &mut site.state.systems[s].xi;
            for (x, jump) in xi.iter_mut().zip(&jump[at..]) {
                *x += jump;
                size += 0.5 * jump * jump;
            }
            at += xi.len();
            site.systems[s].show(&site.model.systems[s], site.state, s);
        }
        debug_assert_eq!(at, dimension(site.model, island));
        let gain = kinetic_of(site.params, site.state, island) - before;
        lost -= gain;
        most = if gain > most.0 { (gain, Some(i)) } else { most };
        let felt = size > FELT * before;
        island.bodies.iter().for_each(|&b| stage.effect.struck[b] = felt);
        island.systems.iter().for_each(|&s| stage.effect.struck_systems[s] = felt);
    }
    for t in 0..stage.touches.len() {
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
