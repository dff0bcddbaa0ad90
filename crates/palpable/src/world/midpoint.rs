//! The scheme: predict, stamp, solve, settle (advance, project, book).

use super::World;
use super::scratch::{Progress, Scratch};
use crate::contact::{self, Drive};
use crate::ledger::Surplus;
use crate::math::{Vec3, Vec6, angular, dense, join, linear};
use crate::model::{Island, IslandAt, Kind, Model, Params, Site, SystemAt, SystemWork};
use crate::port::{Inputs, PortId, PortInput, PortOutput};
use crate::predict;
use crate::settle::{self, Load, Solved, Tally};
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

/// One part of a step: what it reads, and the work space that its stages write.
pub(super) struct Part<'a> {
    pub model: &'a Model,
    pub params: &'a Params,
    pub scratch: &'a mut Scratch,
    pub inputs: &'a Inputs,
    /// what a program applies to each body, empty if nothing
    pub applied: &'a [Vec6],
    pub rule: Rule,
    pub progress: Progress,
}

impl World {
    /// A step, or each of its parts, by a rule.
    pub(super) fn part<'a>(&'a mut self, inputs: &'a Inputs, rule: Rule) -> Part<'a> {
        let Self { model, trial: params, scratch, memory, .. } = self;
        let applied = if memory.applying { &memory.applied[..] } else { &[] };
        Part { model, params, scratch, inputs, applied, rule, progress: Progress::default() }
    }

    /// `PassiveMidpoint`: the step in `parts` equal parts, overlaps pushed out or left.
    pub(super) fn passive_midpoint(
        &mut self,
        h: f64,
        parts: u32,
        pushes: bool,
        inputs: &Inputs,
    ) -> Progress {
        let (joint_loss, tolerance) = (self.options.joint_loss, self.options.resolve_tolerance);
        let rule = Rule { joint_loss, ..Rule::midpoint(h / f64::from(parts), true) };
        let mut part = self.part(inputs, rule);
        let islands = &part.model.islands;
        part.clear_ports();
        for i in 0..parts {
            part.progress.begin_part();
            if let Some(stage) = &mut part.scratch.contact {
                stage.begin_share(i, parts);
            }
            part.strike();
            part.note_momenta();
            part.predict();
            part.push();
            islands.all().for_each(|i| part.solve_well(i, tolerance));
            part.hold();
            for i in islands.all() {
                part.advance(i);
                part.project(i);
            }
            part.keep_momenta();
            part.advance_free();
            part.weigh_contact();
            part.settle_volumes();
            if pushes {
                part.push_out();
            }
            islands.all().for_each(|i| part.book(i));
            part.collect_ports(1.0 / f64::from(parts));
            part.scratch.remember(&part.model.islands, rule.h);
        }
        part.progress
    }
}

impl Part<'_> {
    /// Phase I of contact: what closes stops, or bounces.
    fn strike(&mut self) {
        let Self { model, params, scratch, rule, progress, .. } = self;
        let Scratch { work: state, systems, tools, contact, volume, .. } = &mut **scratch;
        let mut site = Site { model, params, state, systems };
        let mut lost = 0.0;
        if let Some(stage) = contact.as_mut() {
            lost += stage.settle_sleep(&mut site, volume.as_mut(), rule);
            stage.begin_part(site.state);
        }
        if let (Some(stage), Some(volume)) = (contact.as_mut(), volume.as_mut()) {
            volume.find(&mut site, stage, rule);
        }
        if let Some(stage) = contact {
            lost += contact::impulse(&mut site, tools, stage, rule);
            // layers yield to the motion that impulses left
            if let (Some(volume), true) = (volume, stage.touches.iter().any(|t| t.meeting.collides))
            {
                volume.find(&mut site, stage, rule);
            }
        }
        lost += contact::calm(&mut site, tools, contact.as_ref(), rule);
        progress.impact += lost;
        progress.tally.work += lost.abs();
    }

    /// Takes note of what floating chains have to keep.
    fn note_momenta(&mut self) {
        let Self { model, params, scratch, .. } = self;
        let Scratch { work: state, systems, slate, contact, .. } = &mut **scratch;
        let site = Site { model, params, state, systems };
        for island in &model.islands {
            let Some(s) = adrift(model, island) else { continue };
            let weightless = |n: usize| !(params.bodies[n].mass > 0.0);
            let touched = |n: usize| contact.as_ref().is_some_and(|c| c.bodies.touching[n]);
            let kept = !model.systems[s].nodes.clone().any(|n| weightless(n) || touched(n));
            slate.momenta[s] = kept.then(|| {
                site.systems[s].configure(&site.state.systems[s].q, &params.gravity);
                settle::momentum_of(&site, s)
            });
        }
    }

    /// Gives floating chains back what they had to keep, unless a port acts on them.
    fn keep_momenta(&mut self) {
        let Self { model, params, scratch, rule, progress, .. } = self;
        let Scratch { work: state, systems, slate, acting, .. } = &mut **scratch;
        let mut site = Site { model, params, state, systems };
        for (i, island) in model.islands.entries() {
            let &[s] = &island.systems[..] else { continue };
            let pushed = |n: usize| acting.wrenches[n] != Vec6::zeros();
            if let Some(before) = &slate.momenta[s]
                && !model.systems[s].nodes.clone().any(pushed)
            {
                let change = settle::keep_momentum(&mut site, s, before, rule.h);
                progress.booking.motion += change;
                site.state.debt[i] += change;
            }
        }
    }

    /// Phase II of contact: forces that keep what touches from closing, as wrenches.
    fn hold(&mut self) {
        let Self { model, params, scratch, rule, .. } = self;
        let Scratch { work: state, systems, tools, contact, volume, acting, tank, .. } =
            &mut **scratch;
        let Acting { twists, wrenches, .. } = acting;
        let Some(stage) = contact else { return };
        let mut site = Site { model, params, state, systems };
        if let Some(volume) = volume {
            volume.means.credit = tank.content();
            volume.press(&mut site, tools, stage, Drive { twists, wrenches }, rule);
        }
        contact::hold(&mut site, tools, stage, Drive { twists, wrenches }, rule);
    }

    /// The work of contact, by the forces and velocities of the step, is friction and impact.
    fn weigh_contact(&mut self) {
        let Self { model, scratch, rule, progress, .. } = self;
        let Some(stage) = &scratch.contact else { return };
        let body = |b: usize| rule.h * stage.effect.wrenches[b].dot(&scratch.slate.mid[b]);
        let island = |i: IslandAt, mut work: f64| {
            let (island, bench) = (&model.islands[i], &scratch.benches[i]);
            work += island.bodies.iter().map(|&b| body(b)).sum::<f64>();
            for (&s, mid) in island.systems.iter().zip(&bench.mid) {
                work += rule.h
                    * stage.effect.forces[s].iter().zip(mid).map(|(f, x)| f * x).sum::<f64>();
            }
            work
        };
        let mut work: f64 = model.free.iter().map(|&b| body(b)).sum();
        model.islands.all().for_each(|i| work = island(i, work));
        let defect = &mut progress.defect;
        let whole = |i: IslandAt| island(i, 0.0);
        stage.compare(rule.h, body, whole, |energy, allowed| defect.worst(energy, allowed));
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
    fn settle_volumes(&mut self) {
        let Self { model, params, scratch, rule, progress, .. } = self;
        let Scratch { work: state, systems, volume, slate, tank, gate, .. } = &mut **scratch;
        let Some(volume) = volume else { return };
        let mut site = Site { model, params, state, systems };
        // what springs gave beyond their stores came out of what impulses had taken
        let mut taken = progress.impact.max(0.0);
        let settled = volume.settle(&mut site, &slate.mid, tank, rule.h, |nodes, drawn, unpaid| {
            let covered = unpaid.min(taken);
            taken -= covered;
            progress.impact -= covered;
            if let Some(node) = nodes.into_iter().flatten().next() {
                let unit = model.units.of(node);
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
    fn push_out(&mut self) {
        let Self { model, params, scratch, rule, progress, .. } = self;
        let Scratch { work: state, systems, tools, contact, tank, slate, gate, passes, .. } =
            &mut **scratch;
        let Some(stage) = contact else { return };
        stage.islands.pushed.fill(false);
        let mut site = Site { model, params, state, systems };
        let strains = &mut slate.strains;
        let books = contact::Books { tank, strains, drawn: &mut gate.drawn, passes };
        let pushed = contact::push_out(&mut site, tools, stage, books, rule);
        progress.booking.lift += pushed.lift;
        progress.booking.booked += pushed.lift.abs();
        progress.booking.discarded += pushed.discarded;
        progress.booking.motion += pushed.motion;
        progress.impact -= pushed.motion;
        for (i, island) in model.islands.entries() {
            if stage.islands.pushed[i] {
                settle::strains(&site, island, &mut slate.strains);
            }
        }
    }

    /// `u*` for every body whose prediction matters, and every subsystem at its midpoint.
    fn predict(&mut self) {
        let (h, Scratch { layout, work, acting, contact, .. }) = (self.rule.h, &mut *self.scratch);
        let twists = &mut acting.twists[..];
        let struck = contact.as_ref().map(|c| &c.effect.struck[..]);
        for &b in &layout.tracked {
            twists[b] = match struck {
                // what was struck goes on as it was left
                Some(struck) if struck[b] => work.bodies[b].twist(),
                _ => predict::extrapolate(work, b, h),
            };
        }
        for s in self.model.systems.all() {
            let Scratch { work, systems, contact, .. } = &mut *self.scratch;
            if contact.as_ref().is_some_and(|c| c.effect.struck_systems[s]) {
                systems[s].star.xi.copy_from_slice(&work.systems[s].xi);
            } else {
                predict::extrapolate_system(work, s, h, &mut systems[s].star.xi);
            }
            self.predict_system(s);
        }
    }

    /// Takes subsystem `s` to the midpoint that its `ξ*` says.
    fn predict_system(&mut self, s: SystemAt) {
        let Scratch { work, systems, acting, .. } = &mut *self.scratch;
        let (info, system) = (&self.model.systems[s], &mut systems[s]);
        system.predict(&work.systems[s].q, &self.params.gravity, self.rule.h);
        system.show_predicted(&mut acting.twists[info.nodes.clone()]);
    }

    /// Forces `F` of ports and, for islands, gravity, at the predicted midpoint.
    pub(super) fn push(&mut self) {
        let model = self.model;
        model.islands.all().for_each(|i| self.push_island(i));
        let Scratch { layout, acting, contact, .. } = &mut *self.scratch;
        for &port in &layout.free_ports {
            acting.wrenches[model.ports[port].body] = Vec6::zeros();
        }
        if contact.is_some() || !self.applied.is_empty() {
            model.free.iter().for_each(|&b| acting.wrenches[b] = Vec6::zeros());
        }
        for k in 0..self.scratch.layout.free_ports.len() {
            self.push_port(self.scratch.layout.free_ports[k]);
        }
        if !self.applied.is_empty() {
            model.free.iter().for_each(|&b| self.push_applied(b));
        }
    }

    /// The same for the bodies of one island.
    fn push_island(&mut self, i: IslandAt) {
        let Self { model, params, .. } = *self;
        let (island, wrenches) = (&model.islands[i], &mut self.scratch.acting.wrenches[..]);
        for &b in &island.bodies {
            wrenches[b] = join(&(params.gravity * params.bodies[b].mass), &Vec3::zeros());
        }
        for &s in &island.systems {
            wrenches[model.systems[s].nodes.clone()].fill(Vec6::zeros());
        }
        for k in 0..self.scratch.benches[i].ports.len() {
            self.push_port(self.scratch.benches[i].ports[k]);
        }
        if !self.applied.is_empty() {
            let links = island.systems.iter().flat_map(|&s| model.systems[s].nodes.clone());
            island.bodies.iter().copied().chain(links).for_each(|b| self.push_applied(b));
        }
        island.systems.iter().for_each(|&s| self.push_system(s));
    }

    /// `F_ξ = L*⁻¹ (Σ J_linkᵀ f − ∇U)`, all at the predicted midpoint.
    fn push_system(&mut self, s: SystemAt) {
        let Scratch { systems, acting, .. } = &mut *self.scratch;
        let (work, nodes) = (&mut systems[s], self.model.systems[s].nodes.clone());
        let mut force = std::mem::take(&mut work.force);
        work.fall.iter_mut().zip(&work.terms.gradient).for_each(|(f, g)| *f = -g);
        dense::solve_lower(&work.l, &mut work.fall);
        force.copy_from_slice(&work.fall);
        for (link, node) in nodes.enumerate() {
            if acting.wrenches[node] != Vec6::zeros() {
                work.add_wrench(link, &acting.wrenches[node], &mut force);
            }
        }
        work.force = force;
    }

    /// Maps port `i` at the predicted midpoint and adds its wrench to its body.
    fn push_port(&mut self, i: usize) {
        let (port, rule) = (&self.model.ports[i], &self.rule);
        if port.motor {
            return;
        }
        let Scratch { work, acting, ports, .. } = &mut *self.scratch;
        let h = if rule.secant { rule.h } else { 0.0 };
        let q = &work.bodies[port.body].q;
        let map = PortMap::new(&port.point, q, &angular(&acting.twists[port.body]), h);
        ports.maps[i] = map;
        if let Some((force, torque)) = wrench_of(self.inputs, port.id) {
            acting.wrenches[port.body] += stamp::port_wrench(&map, &force, &torque);
        }
    }

    /// Solves island `i`, and once more if the prediction was poor or there is no history yet.
    fn solve_well(&mut self, i: IslandAt, tolerance: f64) {
        let island = &self.model.islands[i];
        self.solve(i);
        let mut opened = self.opening(i);
        let poor = self.scratch.work.history.depth < 2 || opened > tolerance;
        if poor && self.scratch.passes.take(1) {
            let Scratch { acting, tools, .. } = &mut *self.scratch;
            for (local, &b) in island.bodies.iter().enumerate() {
                acting.twists[b] = tools[i].solution.velocities[local];
            }
            for (local, &s) in island.systems.iter().enumerate() {
                let Scratch { systems, tools, .. } = &mut *self.scratch;
                systems[s].star.xi.copy_from_slice(&tools[i].solution.wide[local]);
                self.predict_system(s);
            }
            self.push_island(i);
            self.solve(i);
            opened = self.opening(i);
            self.progress.resolves += 1;
        }
        let progress = &mut self.progress;
        // written so that NaN counts as the worst
        progress.opening = if opened <= progress.opening { progress.opening } else { opened };
        progress.residual = progress.residual.max(self.scratch.tools[i].solution.residual);
    }

    /// `u⁺`, `q⁺`, `g⁺` of island `i`.
    fn advance(&mut self, i: IslandAt) {
        let Self { model, params, scratch, rule, progress, .. } = self;
        let Scratch { work: state, systems, acting, slate, tools, benches, gate, ports, .. } =
            &mut **scratch;
        let mut site = Site { model, params, state, systems };
        let (island, tools) = (&model.islands[i], &mut tools[i]);
        let tally = Solved { island, tools, acting, rule }.advance(&mut site, slate);
        state.debt[i] += tally.defect;
        let (Tools { problem, solution, .. }, bench) = (tools, &mut benches[i]);
        for (kept, found) in bench.mid.iter_mut().zip(&solution.wide) {
            kept.copy_from_slice(found);
        }
        for &(port, local) in &bench.motors {
            ports.motor_rates[port] = problem.rate(local, solution)[0];
        }
        // rows that yield may say that they gained: that is no loss
        gate.damped[model.units.of_island(i)] += tally.damped.max(0.0);
        progress.tally.merge(&tally);
        let left = solution.left.min(DEFECT);
        progress.defect.worst(tally.defect, (DEFECT + STALLED * left) * tally.scale);
    }

    pub(super) fn solve(&mut self, i: IslandAt) {
        let Self { model, params, scratch, rule, .. } = self;
        let Scratch { work: state, systems, acting, tools, .. } = &mut **scratch;
        let Tools { problem, solution, solver } = &mut tools[i];
        let island = &model.islands[i];
        stamp::island(&mut Site { model, params, state, systems }, island, acting, rule, problem);
        solver.solve(problem, solution);
        // written so that NaN is unsolved
        let unsolved = !(solution.residual <= UNSOLVED) && !island.redundant;
        if unsolved && stamp::soften(params, island, rule, problem) {
            solver.solve(problem, solution);
        }
    }

    /// How far strains open because the prediction was off, to leading order [m or rad]:
    /// `½ h² |ω̂ − ω*| |ω̂| r` for a lever arm `r`.
    fn opening(&self, i: IslandAt) -> f64 {
        let (island, scratch, rule) = (&self.model.islands[i], &*self.scratch, &self.rule);
        let mut worst: f64 = 0.0;
        for (local, &b) in island.bodies.iter().enumerate() {
            let found = angular(&scratch.tools[i].solution.velocities[local]);
            let error = (found - angular(&scratch.acting.twists[b])).norm() * found.norm();
            let opened = 0.5 * rule.h * rule.h * error * scratch.layout.arms[b];
            // written so that NaN counts as the worst
            worst = if opened <= worst { worst } else { opened };
        }
        for (local, &s) in island.systems.iter().enumerate() {
            let opened =
                system_opening(&scratch.systems[s], &scratch.tools[i].solution.wide[local]);
            let opened = 0.5 * rule.h * rule.h * opened;
            worst = if opened <= worst { worst } else { opened };
        }
        worst
    }

    fn project(&mut self, i: IslandAt) {
        let Self { model, params, scratch, rule, progress, .. } = self;
        let Scratch { work, slate, systems, tools, .. } = &mut **scratch;
        let island = &model.islands[i];
        island.bodies.iter().for_each(|&b| slate.from[b] = work.bodies[b]);
        let elastic: f64 =
            island.elements.iter().map(|&e| params.elements[e].elastic(&work.strain[e])).sum();
        // booking below this is lost in the rounding of the energies themselves
        let weight = |n: usize| params.bodies[n].mass * params.gravity.dot(&work.bodies[n].x).abs();
        let systems_of = island.systems.iter();
        let heights: f64 =
            systems_of.flat_map(|&s| model.systems[s].nodes.clone()).map(weight).sum();
        let enough = 1e-15 * (elastic + settle::kinetic(params, work, island) + heights);
        let mut site = Site { model, params, state: work, systems };
        let gap = settle::project_island(&mut site, island, &mut tools[i], slate, rule, enough);
        progress.gap_before = progress.gap_before.max(gap);
    }

    fn book(&mut self, i: IslandAt) {
        let Self { model, params, scratch, progress, .. } = self;
        let Scratch { work: state, tank, slate, systems, gate, .. } = &mut **scratch;
        let (island, unit) = (&model.islands[i], model.units.of_island(i));
        let debt = state.debt[i];
        let mut site = Site { model, params, state, systems };
        let booking = settle::book_island(&mut site, island, slate, tank, debt);
        let (work, drawn) = (site.state, &mut gate.drawn[unit]);
        work.debt[i] = booking.debt;
        *drawn += booking.drawn;
        gate.unpaid[unit] += booking.unpaid;
        progress.booking.merge(&booking);
        if tank.policy().surplus == Surplus::Return && tank.surplus() > 0.0 {
            let before = settle::kinetic(params, work, island);
            let taken = settle::return_surplus(params, work, island, tank.surplus());
            *drawn += tank.take_surplus(taken);
            let change = settle::kinetic(params, work, island) - before;
            progress.booking.motion += change;
            // what the motion received beyond that, or less, is settled with its rounding errors
            work.debt[i] += change - taken;
        }
        for &s in &island.systems {
            site.systems[s].show(&model.systems[s], work, s);
        }
    }

    fn advance_free(&mut self) {
        let Self { model, params, scratch, rule, progress, .. } = self;
        let Progress { tally, defect, .. } = progress;
        let Scratch { work, slate, acting, contact, gate, .. } = &mut **scratch;
        let mid = &mut slate.mid;
        for &b in &model.free {
            let (p, s) = (&params.bodies[b], &mut work.bodies[b]);
            let load = Load { gravity: &params.gravity, wrench: &acting.wrenches[b], h: rule.h };
            if contact.as_ref().is_some_and(|c| c.sleep.is_asleep(b)) {
                mid[b] = Vec6::zeros();
                continue;
            }
            let held =
                contact.as_ref().filter(|c| c.bodies.touching[b]).map(|c| c.bodies.w_star[b]);
            let w_star = held.unwrap_or_else(|| load.rate(p, s));
            if held.is_none() && !gate.watched[b] {
                let moved = load.advance(&w_star, p, s, tally);
                if !moved.is_sound() {
                    gate.watched[b] = true;
                    defect.worst(moved.defect, DEFECT * moved.scale(p, &load));
                }
                mid[b] = moved.mid;
                continue;
            }
            let mut own = Tally::default();
            let moved = load.advance(&w_star, p, s, &mut own);
            gate.damped[model.units.of(b)] += own.damped;
            defect.worst(moved.defect, DEFECT * moved.scale(p, &load));
            tally.merge(&own);
            mid[b] = moved.mid;
        }
    }

    pub(super) fn clear_ports(&mut self) {
        let ports = &mut self.scratch.ports;
        for (port, work) in ports.draft.iter_mut().zip(&ports.reference_work) {
            *port = PortOutput { work: *work, ..Default::default() };
        }
    }

    /// Adds this part's share to the representative velocity of each port and to its work.
    pub(super) fn collect_ports(&mut self, share: f64) {
        self.collect_applied();
        for (i, port) in self.model.ports.iter().enumerate() {
            if port.motor {
                self.collect_motor(i, share);
                continue;
            }
            let Scratch { slate, ports, .. } = &mut *self.scratch;
            let u = ports.maps[i].velocity(&slate.mid[port.body]);
            let (out, v, omega) = (&mut ports.draft[i], linear(&u), angular(&u));
            out.velocity += v * share;
            out.angular_velocity += omega * share;
            if let Some((force, torque)) = wrench_of(self.inputs, port.id) {
                out.work += self.rule.h * (force.dot(&v) + torque.dot(&omega));
            }
        }
    }
}

pub(super) fn wrench_of(inputs: &Inputs, port: PortId) -> Option<(Vec3, Vec3)> {
    match inputs.get(port) {
        input @ PortInput::Wrench { force, torque } if input.is_finite() => Some((force, torque)),
        _ => None,
    }
}

/// The chain of an island that nothing but gravity can move as a whole.
fn adrift(model: &Model, island: &Island) -> Option<SystemAt> {
    let &[s] = &island.systems[..] else { return None };
    let inner = |&e: &usize| match &model.elements[e].kind {
        Kind::Coordinates(_) => true,
        Kind::Gear(_) => false,
        _ => !model.elements[e].ends.contains(&None),
    };
    let alone = island.bodies.is_empty() && island.elements.iter().all(inner);
    (alone && model.systems[s].law.floating()).then_some(s)
}

/// `|ŵ − w*| |ŵ|` of a subsystem; a radian or metre of any coordinate counts alike.
fn system_opening(work: &SystemWork, found: &[f64]) -> f64 {
    let (mut error, mut size) = (0.0, 0.0);
    for k in (0..found.len()).rev() {
        // ŵ − w* = L⁻ᵀ (ξ̂ − ξ*), bounded by its largest entry without solving
        let scale = work.l[(k, k)];
        error += ((found[k] - work.star.xi[k]) / scale).powi(2);
        size += work.star.w[k].powi(2);
    }
    f64::sqrt(error * size)
}
