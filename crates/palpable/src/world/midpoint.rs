//! The scheme: predict, stamp, solve, settle (advance, project, book).

use super::World;
use super::apply::{collect_applied, push_applied};
use super::scratch::{Bench, Progress, Scratch};
use crate::contact::{self, Drive, Site};
use crate::ledger::Surplus;
use crate::math::{Vec3, Vec6, angular, dense, join, linear};
use crate::model::{Island, Kind, Model, Params, State, SystemWork};
use crate::port::{Inputs, PortId, PortInput, PortOutput};
use crate::predict;
use crate::settle::{self, Tally};
use crate::solve::Tools;
use crate::stamp::{self, Acting, PortMap, Rule};

/// Raw defects of a linear step up to this part of the terms that cancel in it are rounding: bodies
/// end at 1e-13, subsystems that turn by many radians a step at 1e-11 (1e6 random steps).
const DEFECT: f64 = 1e-10;
/// Where refinement stalls above rounding (a milligram at 3e6 m/s on 200 t: 1.5e-11), a step may be
/// off by some such residuals, one of each row that cancels. Beyond `DEFECT` they explain nothing.
const STALLED: f64 = 10.0;

/// Residuals beyond this before refinement mean that hard rows say the same thing twice in this
/// pose. Of 360 000 solves of random islands 99.8 % (wild) to 96 % (chains with joints) end below
/// it; the others are spread up to 1.
const UNSOLVED: f64 = 1e-6;

impl World {
    /// `PassiveMidpoint`: the step in `parts` equal parts, overlaps pushed out or left.
    pub(super) fn passive_midpoint(
        &mut self,
        h: f64,
        (parts, pushes): (u32, bool),
        inputs: &Inputs,
    ) -> Progress {
        let Self { model, trial: params, scratch, options, .. } = self;
        let rule =
            Rule { joint_loss: options.joint_loss, ..Rule::midpoint(h / f64::from(parts), true) };
        let mut progress = Progress::default();
        clear_ports(scratch);
        for part in 0..parts {
            progress.begin_part();
            if let Some(stage) = &mut scratch.contact {
                stage.begin_share(part, parts);
            }
            strike(model, params, scratch, &rule, &mut progress);
            note_momenta(model, params, scratch);
            predict(model, params, scratch, &rule);
            push(model, params, scratch, inputs, &rule);
            for i in 0..model.islands.len() {
                let tolerance = options.resolve_tolerance;
                solve_well(model, params, scratch, inputs, &rule, i, tolerance, &mut progress);
            }
            hold(model, params, scratch, &rule);
            for i in 0..model.islands.len() {
                let mut tally = Tally::default();
                advance(model, params, scratch, &rule, i, &mut tally);
                // rows that yield may say that they gained: that is no loss
                scratch.gate.damped[model.moving.len() + i] += tally.damped.max(0.0);
                progress.tally.merge(&tally);
                let left = scratch.tools[i].solution.left.min(DEFECT);
                progress.defect.worst(tally.defect, (DEFECT + STALLED * left) * tally.scale);
                project(model, params, scratch, &rule, i, &mut progress);
            }
            keep_momenta(model, params, scratch, &rule, &mut progress);
            advance_free(model, params, scratch, &rule, &mut progress);
            weigh_contact(model, scratch, &rule, &mut progress);
            settle_volumes(model, params, scratch, &rule, &mut progress);
            if pushes {
                push_out(model, params, scratch, &rule, &mut progress);
            }
            for i in 0..model.islands.len() {
                book(model, params, scratch, i, &mut progress);
            }
            collect_ports(model, params, scratch, &rule, inputs, 1.0 / f64::from(parts));
            scratch.remember(&model.islands, rule.h);
        }
        progress
    }
}

/// What contact sees of the world, and its stage.
fn site<'a>(
    model: &'a Model,
    params: &'a Params,
    work: &'a mut State,
    systems: &'a mut [SystemWork],
) -> Site<'a> {
    Site { model, params, state: work, systems }
}

/// Phase I of contact: what closes stops, or bounces.
fn strike(
    model: &Model,
    params: &Params,
    scratch: &mut Scratch,
    rule: &Rule,
    progress: &mut Progress,
) {
    let Scratch { work, systems, tools, contact, volume, .. } = scratch;
    let mut lost = 0.0;
    if let Some(stage) = contact.as_mut() {
        lost += stage.settle_sleep(&mut site(model, params, work, systems), rule);
        stage.begin_part(work);
    }
    let mut site = site(model, params, work, systems);
    if let (Some(stage), Some(volume)) = (contact.as_mut(), volume.as_mut()) {
        volume.find(&site, stage, rule);
    }
    if let Some(stage) = contact {
        lost += contact::impulse(&mut site, tools, stage, rule);
        // layers yield to the motion that impulses left
        if let (Some(volume), true) = (volume, stage.touches.iter().any(|t| t.meeting.collides)) {
            volume.find(&site, stage, rule);
        }
    }
    lost += contact::calm(&mut site, tools, contact.as_ref(), rule);
    progress.impact += lost;
    progress.tally.work += lost.abs();
}

/// The chain of an island that nothing but gravity can move as a whole.
fn adrift(model: &Model, island: &Island) -> Option<usize> {
    let &[s] = &island.systems[..] else { return None };
    let inner = |&e: &usize| match &model.elements[e].kind {
        Kind::Coordinates(_) => true,
        Kind::Gear(_) => false,
        _ => !model.elements[e].ends.contains(&None),
    };
    let alone = island.bodies.is_empty() && island.elements.iter().all(inner);
    (alone && model.systems[s].law.floating()).then_some(s)
}

/// Takes note of what floating chains have to keep.
fn note_momenta(model: &Model, params: &Params, scratch: &mut Scratch) {
    for island in &model.islands {
        let Some(s) = adrift(model, island) else { continue };
        let (info, work) = (&model.systems[s], &mut scratch.systems[s]);
        let weightless = |n: usize| !(params.bodies[n].mass > 0.0);
        let touched = |n: usize| scratch.contact.as_ref().is_some_and(|c| c.bodies.touching[n]);
        scratch.momenta[s] = None;
        if !info.nodes.clone().any(|n| weightless(n) || touched(n)) {
            let state = &scratch.work;
            work.configure(&state.systems[s].q, &params.gravity);
            scratch.momenta[s] = Some(settle::momentum_of((params, state), info, work, s));
        }
    }
}

/// Gives floating chains back what they had to keep, unless a port acts on them.
fn keep_momenta(
    model: &Model,
    params: &Params,
    scratch: &mut Scratch,
    rule: &Rule,
    progress: &mut Progress,
) {
    for (i, island) in model.islands.iter().enumerate() {
        let &[s] = &island.systems[..] else { continue };
        let (info, work) = (&model.systems[s], &mut scratch.systems[s]);
        let pushed = |n: usize| scratch.wrenches[n] != Vec6::zeros();
        let Some(before) = scratch.momenta[s].filter(|_| !info.nodes.clone().any(pushed)) else {
            continue;
        };
        let now = (params, &mut scratch.work);
        let change = settle::keep_momentum(now, info, work, s, (&before, rule.h));
        progress.motion += change;
        scratch.work.debt[i] += change;
    }
}

/// Phase II of contact: forces that keep what touches from closing, as wrenches.
fn hold(model: &Model, params: &Params, scratch: &mut Scratch, rule: &Rule) {
    let Scratch { work, systems, tools, contact, volume, twists, wrenches, tank, .. } = scratch;
    let Some(stage) = contact else { return };
    let mut site = site(model, params, work, systems);
    if let Some(volume) = volume {
        volume.credit = tank.content();
        volume.press(&mut site, tools, stage, (twists, wrenches), rule);
    }
    contact::hold(&mut site, tools, stage, Drive { twists, wrenches }, rule);
}

/// The work of contact, by the forces and velocities of the step, is friction and impact.
fn weigh_contact(model: &Model, scratch: &mut Scratch, rule: &Rule, progress: &mut Progress) {
    let Some(stage) = &scratch.contact else { return };
    let body = |&b: &usize| rule.h * stage.effect.wrenches[b].dot(&scratch.mid[b]);
    let mut work: f64 = model.free.iter().map(body).sum();
    for (island, bench) in model.islands.iter().zip(&scratch.benches) {
        work += island.bodies.iter().map(body).sum::<f64>();
        for (&s, mid) in island.systems.iter().zip(&bench.mid) {
            work +=
                rule.h * stage.effect.forces[s].iter().zip(mid).map(|(f, x)| f * x).sum::<f64>();
        }
    }
    // a law that is not passive says what it created; the rest is a loss
    let created = rule.h * stage.effect.created;
    progress.created += created;
    work -= created;
    // the split is known to the accuracy of the solver, the sum exactly
    let rubbed = stage.rubbed(rule.h).min(-work).max(0.0);
    progress.friction += rubbed;
    progress.impact += -work - rubbed;
}

/// What contacts over a volume took or gave back, out of their stores.
fn settle_volumes(
    model: &Model,
    params: &Params,
    scratch: &mut Scratch,
    rule: &Rule,
    progress: &mut Progress,
) {
    let Scratch { work, systems, volume, mid, tank, gate, island_of, .. } = scratch;
    let Some(volume) = volume else { return };
    let mut site = site(model, params, work, systems);
    let bodies = model.moving.len();
    // what springs gave beyond their stores came out of what impulses had taken
    let mut taken = progress.impact.max(0.0);
    let settled = volume.settle(&mut site, mid, tank, rule.h, |nodes, drawn, unpaid| {
        let covered = unpaid.min(taken);
        taken -= covered;
        progress.impact -= covered;
        if let Some(node) = nodes.into_iter().flatten().next() {
            let unit = island_of[node].map_or(node, |i| bodies + i);
            gate.drawn[unit] += drawn;
            gate.unpaid[unit] += unpaid - covered;
        }
    });
    progress.tally.damped += settled.damped;
    progress.friction += settled.rubbed;
    progress.created += settled.created;
    progress.tally.work += settled.work;
}

/// Takes overlaps away as far as somebody pays.
fn push_out(
    model: &Model,
    params: &Params,
    scratch: &mut Scratch,
    rule: &Rule,
    progress: &mut Progress,
) {
    let Scratch { work, systems, tools, contact, tank, strains, gate, passes, .. } = scratch;
    let Some(stage) = contact else { return };
    stage.islands.pushed.fill(false);
    let mut site = site(model, params, work, systems);
    let books = contact::Books { tank, strains, drawn: &mut gate.drawn, passes };
    let pushed = contact::push_out(&mut site, tools, stage, books, rule);
    progress.lift += pushed.lift;
    progress.booked += pushed.lift.abs();
    progress.discarded += pushed.discarded;
    progress.motion += pushed.motion;
    progress.impact -= pushed.motion;
    for (i, island) in model.islands.iter().enumerate() {
        if stage.islands.pushed[i] {
            settle::strains(model, params, work, island, strains);
        }
    }
}

/// `u*` for every body whose prediction matters, and every subsystem at its midpoint.
fn predict(model: &Model, params: &Params, scratch: &mut Scratch, rule: &Rule) {
    for &b in &scratch.tracked {
        // what was struck goes on as it was left
        let struck = scratch.contact.as_ref().is_some_and(|c| c.effect.struck[b]);
        scratch.twists[b] = if struck {
            scratch.work.bodies[b].twist()
        } else {
            predict::extrapolate(&scratch.work, b, rule.h)
        };
    }
    for s in 0..model.systems.len() {
        let Scratch { work, systems, .. } = scratch;
        if scratch.contact.as_ref().is_some_and(|c| c.effect.struck_systems[s]) {
            systems[s].xi_star.copy_from_slice(&work.systems[s].xi);
        } else {
            predict::extrapolate_system(work, s, rule.h, &mut systems[s].xi_star);
        }
        predict_system(model, params, scratch, rule, s);
    }
}

/// Takes subsystem `s` to the midpoint that its `ξ*` says.
fn predict_system(model: &Model, params: &Params, scratch: &mut Scratch, rule: &Rule, s: usize) {
    let Scratch { work, systems, twists, .. } = scratch;
    let (info, system) = (&model.systems[s], &mut systems[s]);
    system.predict(&work.systems[s].q, &params.gravity, rule.h);
    system.show_predicted(&mut twists[info.nodes.clone()]);
}

/// Forces `F` of ports and, for islands, gravity, at the predicted midpoint.
pub(super) fn push(
    model: &Model,
    params: &Params,
    scratch: &mut Scratch,
    inputs: &Inputs,
    rule: &Rule,
) {
    for i in 0..model.islands.len() {
        push_island(model, params, scratch, inputs, rule, i);
    }
    for k in 0..scratch.free_ports.len() {
        let port = scratch.free_ports[k];
        scratch.wrenches[model.ports[port].body] = Vec6::zeros();
    }
    if scratch.contact.is_some() || scratch.applying {
        model.free.iter().for_each(|&b| scratch.wrenches[b] = Vec6::zeros());
    }
    for k in 0..scratch.free_ports.len() {
        push_port(model, scratch, inputs, rule, scratch.free_ports[k]);
    }
    if scratch.applying {
        model.free.iter().for_each(|&b| push_applied(model, scratch, rule, b));
    }
}

/// The same for the bodies of one island.
fn push_island(
    model: &Model,
    params: &Params,
    scratch: &mut Scratch,
    inputs: &Inputs,
    rule: &Rule,
    i: usize,
) {
    for &b in &model.islands[i].bodies {
        scratch.wrenches[b] = join(&(params.gravity * params.bodies[b].mass), &Vec3::zeros());
    }
    for &s in &model.islands[i].systems {
        scratch.wrenches[model.systems[s].nodes.clone()].fill(Vec6::zeros());
    }
    for k in 0..scratch.benches[i].ports.len() {
        push_port(model, scratch, inputs, rule, scratch.benches[i].ports[k]);
    }
    if scratch.applying {
        let island = &model.islands[i];
        let links = island.systems.iter().flat_map(|&s| model.systems[s].nodes.clone());
        for b in island.bodies.iter().copied().chain(links) {
            push_applied(model, scratch, rule, b);
        }
    }
    for &s in &model.islands[i].systems {
        push_system(model, scratch, s);
    }
}

/// `F_ξ = L*⁻¹ (Σ J_linkᵀ f − ∇U)`, all at the predicted midpoint.
fn push_system(model: &Model, scratch: &mut Scratch, s: usize) {
    let (work, nodes) = (&mut scratch.systems[s], model.systems[s].nodes.clone());
    let mut force = std::mem::take(&mut work.force);
    work.fall.iter_mut().zip(&work.terms.gradient).for_each(|(f, g)| *f = -g);
    dense::solve_lower(&work.l, &mut work.fall);
    force.copy_from_slice(&work.fall);
    for (link, node) in nodes.enumerate() {
        if scratch.wrenches[node] != Vec6::zeros() {
            work.add_wrench(link, &scratch.wrenches[node], &mut force);
        }
    }
    work.force = force;
}

/// Maps port `i` at the predicted midpoint and adds its wrench to its body.
fn push_port(model: &Model, scratch: &mut Scratch, inputs: &Inputs, rule: &Rule, i: usize) {
    let port = &model.ports[i];
    if port.motor {
        return;
    }
    let h = if rule.secant { rule.h } else { 0.0 };
    let map = PortMap::new(port, &scratch.work, &angular(&scratch.twists[port.body]), h);
    scratch.port_maps[i] = map;
    if let Some((force, torque)) = wrench_of(inputs, model.ports[i].id) {
        scratch.wrenches[port.body] += stamp::port_wrench(&map, &force, &torque);
    }
}

pub(super) fn wrench_of(inputs: &Inputs, port: PortId) -> Option<(Vec3, Vec3)> {
    match inputs.get(port) {
        input @ PortInput::Wrench { force, torque } if input.is_finite() => Some((force, torque)),
        _ => None,
    }
}

/// Solves island `i`, and once more if the prediction was poor or there is no history yet.
#[expect(clippy::too_many_arguments, reason = "one argument per neighbouring room")]
fn solve_well(
    model: &Model,
    params: &Params,
    scratch: &mut Scratch,
    inputs: &Inputs,
    rule: &Rule,
    i: usize,
    tolerance: f64,
    progress: &mut Progress,
) {
    let island = &model.islands[i];
    solve(model, params, scratch, rule, i);
    let mut opened = opening(scratch, island, i, rule);
    let poor = scratch.work.history.depth < 2 || opened > tolerance;
    if poor && scratch.passes.take(1) {
        for (local, &b) in island.bodies.iter().enumerate() {
            scratch.twists[b] = scratch.tools[i].solution.velocities[local];
        }
        for (local, &s) in island.systems.iter().enumerate() {
            let found = &scratch.tools[i].solution.wide[local];
            scratch.systems[s].xi_star.copy_from_slice(found);
            predict_system(model, params, scratch, rule, s);
        }
        push_island(model, params, scratch, inputs, rule, i);
        solve(model, params, scratch, rule, i);
        opened = opening(scratch, island, i, rule);
        progress.resolves += 1;
    }
    // written so that NaN counts as the worst
    progress.opening = if opened <= progress.opening { progress.opening } else { opened };
    progress.residual = progress.residual.max(scratch.tools[i].solution.residual);
}

/// `u⁺`, `q⁺`, `g⁺` of island `i`.
pub(super) fn advance(
    model: &Model,
    params: &Params,
    scratch: &mut Scratch,
    rule: &Rule,
    i: usize,
    tally: &mut Tally,
) {
    let Scratch { work, mid, twists, wrenches, drives, pushes, systems, strains, .. } = scratch;
    let Tools { problem, solution, .. } = &mut scratch.tools[i];
    let Bench { motors, mid: mids, .. } = &mut scratch.benches[i];
    let acting = Acting { twists, wrenches, drives };
    let space = (&mut pushes[..], &mut systems[..], &mut strains[..]);
    let system = (&*problem, &mut *solution);
    let (parts, island) = ((model, params), &model.islands[i]);
    let defect =
        settle::advance_island(parts, work, mid, &acting, space, rule, island, system, tally);
    work.debt[i] += defect;
    for (kept, found) in mids.iter_mut().zip(&solution.wide) {
        kept.copy_from_slice(found);
    }
    for &(port, local) in motors.iter() {
        scratch.motor_rates[port] = problem.rate(local, solution)[0];
    }
}

pub(super) fn solve(model: &Model, params: &Params, scratch: &mut Scratch, rule: &Rule, i: usize) {
    let Scratch { work, twists, wrenches, drives, systems, tools, .. } = scratch;
    let Tools { problem, solution, solver } = &mut tools[i];
    let acting = Acting { twists, wrenches, drives };
    stamp::island(model, params, work, &acting, systems, rule, &model.islands[i], problem);
    solver.solve(problem, solution);
    let island = &model.islands[i];
    // written so that NaN is unsolved
    let unsolved = !(solution.residual <= UNSOLVED) && !island.redundant;
    if unsolved && stamp::soften(params, island, rule, problem) {
        solver.solve(problem, solution);
    }
}

/// How far strains open because the prediction was off, to leading order [m or rad]:
/// `½ h² |ω̂ − ω*| |ω̂| r` for a lever arm `r`.
fn opening(scratch: &Scratch, island: &Island, i: usize, rule: &Rule) -> f64 {
    let mut worst: f64 = 0.0;
    for (local, &b) in island.bodies.iter().enumerate() {
        let found = angular(&scratch.tools[i].solution.velocities[local]);
        let error = (found - angular(&scratch.twists[b])).norm() * found.norm();
        let opened = 0.5 * rule.h * rule.h * error * scratch.arms[b];
        // written so that NaN counts as the worst
        worst = if opened <= worst { worst } else { opened };
    }
    for (local, &s) in island.systems.iter().enumerate() {
        let opened = system_opening(&scratch.systems[s], &scratch.tools[i].solution.wide[local]);
        let opened = 0.5 * rule.h * rule.h * opened;
        worst = if opened <= worst { worst } else { opened };
    }
    worst
}

/// `|ŵ − w*| |ŵ|` of a subsystem; a radian or metre of any coordinate counts alike.
fn system_opening(work: &SystemWork, found: &[f64]) -> f64 {
    let (mut error, mut size) = (0.0, 0.0);
    for k in (0..found.len()).rev() {
        // ŵ − w* = L⁻ᵀ (ξ̂ − ξ*), bounded by its largest entry without solving
        let scale = work.l[(k, k)];
        error += ((found[k] - work.xi_star[k]) / scale).powi(2);
        size += work.w_star[k].powi(2);
    }
    f64::sqrt(error * size)
}

fn project(
    model: &Model,
    params: &Params,
    scratch: &mut Scratch,
    rule: &Rule,
    i: usize,
    progress: &mut Progress,
) {
    let island = &model.islands[i];
    let Scratch { work, from, saved, strains, systems, tools, .. } = scratch;
    let Tools { problem, solution, solver } = &mut tools[i];
    island.bodies.iter().for_each(|&b| from[b] = work.bodies[b]);
    let elastic: f64 =
        island.elements.iter().map(|&e| params.elements[e].elastic(&work.strain[e])).sum();
    // booking below this is lost in the rounding of the energies themselves
    let weight = |n: usize| params.bodies[n].mass * params.gravity.dot(&work.bodies[n].x).abs();
    let systems_of = island.systems.iter();
    let heights: f64 = systems_of.flat_map(|&s| model.systems[s].nodes.clone()).map(weight).sum();
    let enough = 1e-15 * (elastic + settle::kinetic(params, work, island) + heights);
    let tools = (problem, solution, solver);
    let space = (&mut saved[..], &mut strains[..], &mut systems[..]);
    let gap = settle::project_island(model, params, work, rule, island, tools, space, enough);
    progress.gap_before = progress.gap_before.max(gap);
}

fn book(model: &Model, params: &Params, scratch: &mut Scratch, i: usize, progress: &mut Progress) {
    let island = &model.islands[i];
    let Scratch { work, tank, from, strains, systems, gate, .. } = scratch;
    let unit = model.moving.len() + i;
    let drawn = &mut gate.drawn[unit];
    let mut debt = work.debt[i];
    let space = (&from[..], &mut strains[..]);
    let booking = settle::book_island(model, params, work, tank, island, space, systems, &mut debt);
    work.debt[i] = debt;
    *drawn += booking.drawn;
    gate.unpaid[unit] += booking.unpaid;
    progress.lift += booking.lift;
    progress.motion += booking.motion;
    progress.booked += booking.booked;
    progress.discarded += booking.discarded;
    progress.fallbacks += booking.fallbacks;
    progress.gap = progress.gap.max(booking.gap);
    if tank.policy().surplus == Surplus::Return && tank.surplus() > 0.0 {
        let before = settle::kinetic(params, work, island);
        let taken = settle::return_surplus(params, work, island, tank.surplus());
        *drawn += tank.take_surplus(taken);
        let change = settle::kinetic(params, work, island) - before;
        progress.motion += change;
        // what the motion received beyond that, or less, is settled with its rounding errors
        work.debt[i] += change - taken;
    }
    for &s in &island.systems {
        systems[s].show(&model.systems[s], work, s);
    }
}

fn advance_free(
    model: &Model,
    params: &Params,
    scratch: &mut Scratch,
    rule: &Rule,
    progress: &mut Progress,
) {
    let Progress { tally, defect, .. } = progress;
    let Scratch { work, mid, wrenches, contact, gate, .. } = scratch;
    for &b in &model.free {
        let (p, s) = (&params.bodies[b], &mut work.bodies[b]);
        let forces = (&params.gravity, &wrenches[b]);
        if contact.as_ref().is_some_and(|c| c.sleep.is_asleep(b)) {
            mid[b] = Vec6::zeros();
            continue;
        }
        let held = contact.as_ref().filter(|c| c.bodies.touching[b]).map(|c| c.bodies.w_star[b]);
        if held.is_none() && !gate.watched[b] {
            let moved = settle::advance_free(p, s, forces, rule.h, tally);
            if !moved.is_sound() {
                gate.watched[b] = true;
                defect.worst(moved.defect, DEFECT * moved.scale(p, forces, rule.h));
            }
            mid[b] = moved.mid;
            continue;
        }
        let mut own = Tally::default();
        let moved = match held {
            Some(w_star) => settle::advance_held(p, s, forces, rule.h, &w_star, &mut own),
            None => settle::advance_free(p, s, forces, rule.h, &mut own),
        };
        gate.damped[b] += own.damped;
        defect.worst(moved.defect, DEFECT * moved.scale(p, forces, rule.h));
        tally.merge(&own);
        mid[b] = moved.mid;
    }
}

pub(super) fn clear_ports(scratch: &mut Scratch) {
    for (port, work) in scratch.draft.iter_mut().zip(&scratch.reference_work) {
        *port = PortOutput { work: *work, ..Default::default() };
    }
}

/// Adds this part's share to the representative velocity of each port and to its work.
pub(super) fn collect_ports(
    model: &Model,
    params: &Params,
    scratch: &mut Scratch,
    rule: &Rule,
    inputs: &Inputs,
    share: f64,
) {
    collect_applied(scratch, rule);
    for i in 0..model.ports.len() {
        if model.ports[i].motor {
            collect_motor(model, params, scratch, rule, i, share);
            continue;
        }
        let u = scratch.mid[model.ports[i].body];
        let (v, omega) = scratch.port_maps[i].velocity(&linear(&u), &angular(&u));
        let out = &mut scratch.draft[i];
        out.velocity += v * share;
        out.angular_velocity += omega * share;
        if let Some((force, torque)) = wrench_of(inputs, model.ports[i].id) {
            out.work += rule.h * (force.dot(&v) + torque.dot(&omega));
        }
    }
}

/// The same for a motor: its rate, its effort and its work.
fn collect_motor(
    model: &Model,
    params: &Params,
    scratch: &mut Scratch,
    rule: &Rule,
    i: usize,
    share: f64,
) {
    let Some(e) = model.ports[i].element else { return };
    let (drive, rate) = (scratch.drives[e], scratch.motor_rates[i]);
    let pull = -params.elements[e].damping[0] * (rate - drive.rate);
    let out = &mut scratch.draft[i];
    out.rate += rate * share;
    out.effort += (drive.effort + pull) * share;
    out.work += rule.h * (drive.effort * rate + pull * drive.rate);
}
