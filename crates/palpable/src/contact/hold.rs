//! Phase II: contacts hold during the step, at its midpoint velocity.

use super::gather::{Metric, plain};
use super::printed;
use super::stage::{STILL, Stage, TOUCHING};
use super::stops::{StopAt, WAYS};
use super::touch::{SideRows, Touch, TouchAt};
use super::workspace::{Bodies, Effect};
use super::{Site, Toolbox};
use crate::math::{Vec3, Vec6, angular, dot6, join, linear};
use crate::model::{Block, SystemWork};
use crate::predict::free_rotation;
use crate::solve::Tools;
use crate::solve::cone::{ConeSettings, Contact, Law};
use crate::stamp::{self, Rule};

/// Part of what gravity gives in a step below which a change of velocity is none.
const UNFELT: f64 = 1e-7;
/// The same relative to the fastest body that touches.
const SLIGHT: f64 = 1e-8;

/// What moves bodies before contact.
#[derive(Debug)]
pub struct Drive<'a> {
    /// Predicted velocities of bodies in islands.
    pub twists: &'a [Vec6],
    /// Forces of ports and gravity.
    pub wrenches: &'a mut [Vec6],
}

/// Finds the contact forces of the step and adds them to the islands' systems and to the wrenches
/// that act on bodies.
///
/// # Equation
/// ```text
/// 0 ≤ û_n + max(gap/h, −u⁻_n/2, 0) ⟂ λ_n ≥ 0,    ‖λ_t‖ ≤ μ λ_n against û_t − u⁻_t/2 = u⁺_t/2
/// û = A⁻¹ (b + Gᵀ λ)                                                         [Kim2017, (31)]
/// ```
/// with secant rows `G` over the predicted step, so that a gap closes exactly. What closed at the
/// start stops, what parted goes on; work is counted at `û`, and never positive.
pub fn hold(site: &mut Site, islands: &mut Toolbox, stage: &mut Stage, drive: Drive, rule: &Rule) {
    let Drive { twists, wrenches } = drive;
    if stage.touches.is_empty() && stage.stops.blocks.is_empty() {
        return;
    }
    stage.restart(1.0 / rule.inertia);
    stage.begin_hold(site.state);
    free_motion(site, islands, stage, (twists, wrenches), rule);
    let rest_speed = 2.0 * rule.h * site.params.gravity.norm();
    let reach = 2.0 * rule.h * rest_speed + 1e-6;
    stage.choose_held((reach, rest_speed), rule);
    stage.hold_points(site, islands, wrenches, rule);
    hold_others(site, islands, stage, (twists, reach), rule);
    act(site, islands, stage, wrenches, rule);
}

impl Stage {
    /// How fast any point of the bodies that touch may move without contact forces [m/s].
    fn fastest(&self) -> f64 {
        let Bodies { paces, touching, .. } = &self.bodies;
        let touching = paces.iter().zip(touching).filter(|(_, touches)| **touches);
        touching.fold(0.0, |most, (pace, _)| f64::max(most, pace[0]))
    }

    /// Chooses the touches that take part in the midpoint phase, and joins them into piles.
    fn choose_held(&mut self, speeds: (f64, f64), rule: &Rule) {
        self.graph.chosen.clear();
        self.bodies.pushes.fill(0.0);
        let mut pushed = false;
        for t in self.touches.all() {
            let touch = &self.touches[t];
            if touch.meeting.yields || touch.movers().any(|b| self.sleep.is_asleep(b)) {
                continue;
            }
            if !touch.is_conic() {
                if touch.gap <= TOUCHING {
                    self.choose(t);
                }
                continue;
            }
            let most = self.bodies.closing(touch);
            if touch.gap - rule.h * most > speeds.0 {
                continue;
            }
            // what is this near takes part, and runs into nobody
            if touch.material.restitution == 0.0 && touch.gap <= speeds.0 && most <= speeds.1 {
                self.choose(t);
                continue;
            }
            let arms = touch.levers(self.bodies.frames_of(touch));
            let mut rate = 0.0;
            for (side, sign) in [(0, -1.0), (1, 1.0)] {
                let Some(node) = touch.nodes()[side] else { continue };
                let (u, spin) = (&self.bodies.mid[node], &self.bodies.spins[node]);
                rate += sign * touch.normal.dot(&(linear(u) + spin.cross(&arms[side])));
            }
            if is_held(touch, rate, speeds, rule) {
                self.choose(t);
                if -rate > speeds.1 {
                    pushed = true;
                    self.run_into(t, -rate);
                }
            }
        }
        if pushed {
            self.choose_pushed(speeds.0, rule);
        }
        self.graph.join(&self.touches);
    }

    /// Chooses a touch, and takes note of its rates at the start.
    fn choose(&mut self, t: TouchAt) {
        let (touch, starts) = (&self.touches[t], &self.bodies.starts);
        if !touch.seat.rated || touch.movers().any(|b| starts[b].jumped) {
            self.rows.start_rates[t] = touch.start_rates(starts);
        }
        self.graph.chosen.push(t);
    }

    /// Others run into the bodies of a touch at a speed [m/s].
    fn run_into(&mut self, t: TouchAt, speed: f64) {
        for b in self.touches[t].movers() {
            self.bodies.pushes[b] = self.bodies.pushes[b].max(speed);
        }
    }

    /// Chooses what bodies may reach that others push on in this step, and what those push on.
    fn choose_pushed(&mut self, reach: f64, rule: &Rule) {
        let (mut next, first) = (0, self.graph.chosen.len());
        for t in self.touches.all() {
            if next < first && self.graph.chosen[next] == t {
                next += 1;
                continue;
            }
            let touch = &self.touches[t];
            let push = touch.movers().fold(0.0, |most, b| self.bodies.pushes[b].max(most));
            let asleep = touch.movers().any(|b| self.sleep.is_asleep(b));
            let bounces = touch.material.restitution > 0.0 || !touch.is_conic();
            let closing = push + self.bodies.closing(touch);
            if push != 0.0 && !asleep && !bounces && touch.gap - rule.h * closing <= reach {
                self.choose(t);
                self.run_into(t, push);
            }
        }
    }
}

/// Piles with joints, stops, touches of more than three rows, or of other laws than the cone.
fn hold_others(
    site: &mut Site,
    islands: &mut Toolbox,
    stage: &mut Stage,
    (twists, reach): (&[Vec6], f64),
    rule: &Rule,
) {
    let mut sides = [[[0.0; 6]; 6]; 2];
    for k in 0..stage.graph.chosen.len() {
        let t = stage.graph.chosen[k];
        if stage.touches[t].seat.spot.is_some() || !stage.touches[t].is_conic() {
            continue;
        }
        let count = stage.touches[t].count();
        stage.sides(t, count, &mut sides);
        let bias = rates_at(&stage.touches[t], &sides, count, |b| stage.bodies.mid[b]);
        let mut carry = stage.rows.start_rates[t].map(|u| 0.5 * u);
        let touch = &stage.touches[t];
        let gap = if touch.gap > TOUCHING { touch.gap / rule.h } else { 0.0 };
        let target = gap.max(-carry[0]);
        carry[0] = 0.0;
        let [a, b] = [touch.force, touch.torque].map(|f| touch.axes().map(|axis| axis.dot(&f)));
        let start = [a[0], a[1], a[2], b[0], b[1], b[2]];
        let row = plain(touch.cone(), &bias[..count]);
        let contact = Contact { target, carry: &carry[..count], start: &start[..count], ..row };
        let number = stage.add_touch(site, islands, t, &sides, contact);
        stage.touches[t].seat.number = number;
    }
    if stage.has_conic_stops() {
        add_stops(site, islands, stage, (twists, reach), rule);
    }
    let pyramids = printed::gather(site, islands, stage, twists, rule);
    if stage.cone.is_empty() {
        return;
    }
    // what a warm start leaves over would creep
    let unfelt = UNFELT * rule.h * site.params.gravity.norm() + SLIGHT * stage.fastest();
    let enough = stage.ask.settings.enough.max(unfelt);
    let settings =
        ConeSettings { idle: stage.ask.settings.tolerance, enough, ..stage.ask.settings };
    stage.weigh_groups(site, islands, Some(2.0 / rule.h));
    printed::solve(stage, &pyramids, &settings);
}

/// A contact takes part in the midpoint phase; `rate` is its normal velocity without contact.
/// What others push may close as well: a stack falls as one until its floor holds.
fn is_held(touch: &Touch, rate: f64, (reach, rest_speed): (f64, f64), rule: &Rule) -> bool {
    let closes = touch.gap + (rule.h * rate).min(0.0) <= reach;
    let bounces = touch.material.restitution > 0.0 && touch.gap > 0.0;
    closes && !(bounces && -rate > rest_speed)
}

/// Lets the forces that were found act, and remembers them.
pub(super) fn act(
    site: &mut Site,
    islands: &mut Toolbox,
    stage: &mut Stage,
    wrenches: &mut [Vec6],
    rule: &Rule,
) {
    push_bodies(site, stage);
    push_stops(site, stage);
    for &b in &site.model.free {
        wrenches[b] += stage.effect.wrenches[b];
    }
    for (i, island) in site.model.islands.entries() {
        let touched = stage.rows.numbers.of(site.model.units.of_island(i)).is_some();
        if !touched && !stage.islands.pressed[i] {
            continue;
        }
        let Tools { problem, solution, solver } = &mut islands[i];
        // forces that cancel are summed once: what is solved for is then what acts, to the last bit
        for (block, &b) in problem.velocities.iter_mut().zip(&island.bodies) {
            block.rhs += stage.effect.wrenches[b];
            wrenches[b] += stage.effect.wrenches[b];
        }
        for (block, &s) in problem.wide.iter_mut().zip(&island.systems) {
            let force = site.systems[s].force.iter_mut().zip(&mut block.rhs);
            force.zip(&stage.effect.forces[s]).for_each(|((f, r), c)| (*f, *r) = (*f + c, *r + c));
        }
        solver.solve_factored(problem, solution);
    }
    remember(stage, rule);
}

/// `û` of the free bodies that touch something, without contact forces.
pub(super) fn free_motion(
    site: &mut Site,
    islands: &Toolbox,
    stage: &mut Stage,
    (twists, wrenches): (&[Vec6], &[Vec6]),
    rule: &Rule,
) {
    let units = &site.model.units;
    let free = |stage: &Stage, b| stage.bodies.touching[b] && units.island_of(b).is_none();
    for (b, wrench) in wrenches.iter().enumerate() {
        // layers answered at the rate they were given, and their stores with them
        if free(stage, b) && !stage.bodies.pressing[b] {
            let (p, s) = (&site.params.bodies[b], &site.state.bodies[b]);
            let (inertia, damping, torque) = (&p.inertia, p.angular_damping, angular(wrench));
            stage.bodies.w_star[b] = free_rotation(inertia, damping, &s.omega, &torque, rule.h);
        }
    }
    stage.frame_bodies(site, Metric::Step, rule, twists);
    for (b, wrench) in wrenches.iter().enumerate().filter(|(b, _)| stage.bodies.touching[*b]) {
        let (mid, way) = match units.island_of(b) {
            None => {
                let (p, s) = (&site.params.bodies[b], &site.state.bodies[b]);
                let weight = join(&(site.params.gravity * p.mass), &Vec3::zeros());
                let inertia = stamp::mass_vector(p) * (2.0 / rule.h);
                let rhs = inertia.component_mul(&s.twist()) + wrench + weight;
                let mid = stage.bodies.frames[b].respond(&rhs);
                (mid, mid)
            }
            Some(i) => (island_twist(site, &islands[i], b), twists[b]),
        };
        stage.bodies.frames[b].center += linear(&way) * (0.5 * rule.h);
        let spin = stage.bodies.frames[b].lever.tr_mul(&angular(&mid));
        let turning = spin.norm();
        stage.bodies.paces[b] = [linear(&mid).norm() + turning * stage.bodies.spans[b], turning];
        (stage.bodies.mid[b], stage.bodies.spins[b]) = (mid, spin);
    }
    for t in stage.touches.all() {
        let Stage { touches, bodies, sleep, .. } = &mut *stage;
        // a sleeper has no frame in this step, and nothing acts on it
        let awake = touches[t].movers().all(|b| !sleep.is_asleep(b));
        if awake && touches[t].feet[0].arm != Vec3::zeros() {
            let frames = bodies.frames_of(&touches[t]);
            touches[t].turn_normal(frames, site.state);
        }
    }
}

/// Velocities of the first `count` rows of a touch, where bodies have the twists `of`.
#[inline]
pub(super) fn rates_at(
    touch: &Touch,
    sides: &[SideRows; 2],
    count: usize,
    mut of: impl FnMut(usize) -> Vec6,
) -> [f64; 6] {
    let mut out = [0.0; 6];
    for (node, rows) in touch.nodes().iter().zip(sides) {
        let Some(node) = *node else { continue };
        let u = of(node);
        for (out, row) in out.iter_mut().zip(rows).take(count) {
            *out += dot6(row, &u.data.0[0]);
        }
    }
    out
}

/// Midpoint twist of a body or link of an island, without contact forces.
fn island_twist(site: &mut Site, tools: &Tools, node: usize) -> Vec6 {
    let (place, solution) = (site.model.units.place(node), &tools.solution);
    let Some((system, link)) = site.model.owners[node] else { return solution.velocities[place] };
    let xi = &solution.wide[place - solution.velocities.len()];
    link_twist(&mut site.systems[system], link, xi)
}

/// Twist of a link of a subsystem that moves at `ξ`, where it was last evaluated.
pub(super) fn link_twist(work: &mut SystemWork, link: usize, xi: &[f64]) -> Vec6 {
    work.take_rates(xi);
    let w = std::mem::take(&mut work.row);
    let twist = work.twist(link, &w);
    work.row = w;
    twist
}

fn add_stops(
    site: &mut Site,
    islands: &mut Toolbox,
    stage: &mut Stage,
    (twists, reach): (&[Vec6], f64),
    rule: &Rule,
) {
    for k in 0..stage.stops.blocks.len() {
        let e = stage.stops.at[k].element;
        let (gaps, rate) = stage.stops.foresee(site, islands, k, twists, rule);
        stage.hold_dry(site, islands, k, rate);
        for (side, (gap, way)) in gaps.into_iter().zip(WAYS).enumerate() {
            if !gap.is_finite() || gap + (rule.h * way * rate).min(0.0) > reach {
                stage.stops.forces[e][side] = 0.0;
                continue;
            }
            let (start, bias) = ([stage.stops.forces[e][side]], [way * rate]);
            let row = plain(Law::Unilateral, &bias);
            let contact = Contact { target: gap.max(0.0) / rule.h, start: &start, ..row };
            stage.stops.numbers[k][side] = stage.add_stop(site, islands, (k, way), contact);
        }
    }
}

/// `Gᵀ λ` of the touches on bodies and links.
fn push_bodies(site: &Site, stage: &mut Stage) {
    let Stage { touches, cone, effect: Effect { forces, wrenches, .. }, .. } = stage;
    for touch in touches.iter() {
        let Some(number) = touch.seat.number else { continue };
        let lambda = cone.lambda(number);
        for (node, side) in touch.movers().zip(cone.sides(number)) {
            let push = match site.model.owners[node] {
                Some((system, _)) => &mut forces[system][..],
                None => wrenches[node].as_mut_slice(),
            };
            for (l, row) in lambda.iter().zip(side.jacobian.chunks_exact(push.len())) {
                push.iter_mut().zip(row).for_each(|(f, j)| *f += l * j);
            }
        }
    }
}

/// The same for stops and dry friction.
fn push_stops(site: &Site, stage: &mut Stage) {
    let Stage { stops, cone, effect: Effect { forces, wrenches, .. }, .. } = stage;
    let units = &site.model.units;
    for (k, StopAt { island, element: e }) in stops.at.iter().enumerate() {
        let spans = units.spans(units.of_island(*island));
        for (side, way) in WAYS.into_iter().chain([1.0]).enumerate() {
            let Some(number) = stops.numbers[k][side] else { continue };
            let force = cone.lambda(number)[0];
            stops.forces[*e][side] = force;
            let (block, lambda) = (&stops.blocks[k], Vec6::x() * (way * force));
            for from in &block.sides {
                match spans[from.block].block {
                    Block::Body(b) => wrenches[b] += block.push(from, &lambda),
                    Block::System(s) => block.push_wide(from, &lambda, 1.0, &mut forces[s]),
                }
            }
        }
    }
}

/// Keeps forces for the next step, and whether a touch stuck.
fn remember(stage: &mut Stage, rule: &Rule) {
    let Stage { touches, sleep, points, cone, .. } = stage;
    for touch in touches.iter_mut().filter(|touch| !sleep.holds(touch)) {
        touch.meeting.stuck = false;
        (touch.force, touch.torque) = (Vec3::zeros(), Vec3::zeros());
        let mut lambda = None;
        let (force, slip) = match (touch.seat.spot, touch.seat.number) {
            (Some(point), _) => {
                let problem = &points.problem;
                (&lambda.insert(problem.lambda(point))[..], problem.slip(point))
            }
            (None, Some(number)) => {
                let v = cone.velocity(number);
                (cone.lambda(number), v[1].hypot(v[2]))
            }
            _ => continue,
        };
        let [n, t1, t2] = touch.axes();
        touch.force = n * force[0] + t1 * force[1] + t2 * force[2];
        let turned = force.iter().skip(3).zip(touch.axes());
        touch.torque = turned.map(|(l, axis)| axis * *l).sum();
        touch.meeting.stuck = slip * rule.h < STILL && force[0] > 0.0;
    }
}
