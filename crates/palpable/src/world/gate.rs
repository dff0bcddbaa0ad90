//! The last gate before the commit: no group of bodies may end a step with more energy than it had,
//! was supplied with and took from the tank.
//!
//! Proofs are about the forces that a stage meant; worlds are moved by those that act after
//! rounding, solving again and exceptions. So the gate knows nothing of the stages: it computes the
//! energy from the poses, velocities, strains and parameters that are about to be committed.
//!
//! # Equation
//! ```text
//! excess = ΔK + Δ½k|g|² − Σ m g·Δx + ∫ û·Bû − port work − taken from the tank    per group
//! ```
//! Viscous losses count, so that they cannot hide a gain elsewhere. A group whose excess is beyond
//! rounding pays by its motion; else the step is done again with more care ([`Care`]). Then its
//! momentum pays as well, or what it lost elsewhere in the same step; in the end the group stays
//! where it is, at rest, while the rest of the world goes on.

use super::scratch::{Progress, Scratch};
use super::{World, links_weigh};
use crate::contact::{Stage, VolumeStage};
use crate::math::{Groups, Vec3, Vec6};
use crate::model::{
    BodyId, BodyState, Model, Movers, Params, PerUnit, Span, State, SystemAt, SystemWork, Unit,
    Units,
};
use crate::settle::{Payable, kinetic_of_movers};
use crate::stamp;
use std::sync::Arc;

/// Excess up to this part of a group's energy in play is rounding: honest steps end at 1e-15 of it
/// (280 k fuzzed steps), real gains begin at 1e-8.
const PLAY: f64 = 4e-14;
/// The same relative to `Σ m |g_i x_i|`: places are rounded, and a lift with them.
const SIZE: f64 = 2e-15;
/// Rounding of the world's accounts.
const ACCOUNTS: f64 = 4e-15;
/// Rounding of the motion that links show, relative to `½ Σ |w_j M_jk w_k|`: the terms of its sums,
/// products of some rotations each.
const SHOWN: f64 = 512.0 * f64::EPSILON;
/// The part of a group's motion that may pay before the step is done again.
const PAYABLE: f64 = 0.5;

/// How carefully a step is done. Each level is tried once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Care {
    /// As always.
    #[default]
    Usual,
    /// Overlaps stay for this step.
    NoPush,
    /// The same, in eight parts.
    Parts,
}

impl Care {
    /// Parts into which a step is divided at least.
    pub fn parts(self) -> u32 {
        if self == Care::Parts { 8 } else { 1 }
    }

    fn more(self) -> Option<Self> {
        match self {
            Care::Usual => Some(Care::NoPush),
            Care::NoPush => Some(Care::Parts),
            Care::Parts => None,
        }
    }
}

/// What the last gate had to do in a step. All zero in a healthy world.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct GateReport {
    /// Groups whose motion or losses paid for energy that a stage had created.
    pub paid: u32,
    /// Times the step was done again with more care.
    pub retries: u32,
    /// Groups that stayed where they were, at rest.
    pub held: u32,
    /// Energy that was about to be created [J].
    pub energy: f64,
    /// A body of the last group that the gate touched.
    pub body: Option<BodyId>,
}

impl GateReport {
    /// True if the gate had nothing to do.
    pub fn is_idle(&self) -> bool {
        self.paid == 0 && self.retries == 0 && self.held == 0
    }
}

/// Energy of a unit (a free body or an island) or of a group of them [J].
#[derive(Debug, Clone, Copy, Default)]
struct Weight {
    excess: f64,
    /// lost in dampers, which excess counts as if it were still there
    damped: f64,
    /// change of what links show beyond `½ |ξ|²` of their system, and its rounding: their
    /// velocities are sums over joints, which cancel where a chain is long and its joints are near
    shown: f64,
    blur: f64,
    play: f64,
    size: f64,
    pushed: f64,
    /// what a booking needed and nobody paid: losses elsewhere in the group do not excuse it
    unpaid: f64,
    /// it holds on to something that does not move
    anchored: bool,
}

/// Masses and gravity over a step.
struct Pull<'a> {
    params: &'a Params,
    /// step [s]
    h: f64,
    /// energy that gravity gives to a unit of mass in a step from rest [J/kg]
    fall: f64,
    /// what the accounts of the world are rounded to [J]
    most: f64,
}

impl Weight {
    fn add(&mut self, other: &Weight) {
        self.excess += other.excess;
        self.damped += other.damped;
        self.shown += other.shown;
        self.blur += other.blur;
        self.play += other.play;
        self.size += other.size;
        self.pushed = self.pushed.max(other.pushed);
        self.unpaid += other.unpaid;
        self.anchored |= other.anchored;
    }

    /// Excess that is rounding.
    fn allowed(&self) -> f64 {
        PLAY * self.play + SIZE * self.size + self.pushed
    }

    /// What the state shows to have come from nowhere [J].
    fn seen(&self) -> f64 {
        let shown = self.excess + self.shown;
        if shown <= self.allowed() + self.blur { self.excess } else { shown }
    }

    /// What has to be paid [J]; not positive if all is within rounding. NaN is not.
    fn owed(&self) -> f64 {
        let seen = self.seen();
        // written so that NaN stays
        if self.unpaid > seen { self.unpaid } else { seen }
    }

    /// Its energy does not rise, although something in it gained: it has lost more elsewhere.
    fn falls(&self) -> bool {
        self.seen() - self.damped <= self.allowed()
    }

    /// The part of what was owed that no motion of a system shows [J].
    fn hidden(&self) -> f64 {
        let shown = self.excess + self.shown;
        if shown <= self.allowed() + self.blur { 0.0 } else { self.shown.max(0.0) }
    }

    /// Within rounding; NaN is not.
    fn is_sound(&self) -> bool {
        self.owed() <= self.allowed()
    }

    /// Adds a body; returns the work against gravity [J]. What gravity alone would give it in the
    /// step is in play: joints that hold it are rounded to a part of that.
    fn add_body(&mut self, b: usize, pull: &Pull, pair: [&BodyState; 2]) -> f64 {
        let (p, gravity) = (&pull.params.bodies[b], &pull.params.gravity);
        let [before, after] = pair.map(|s| p.kinetic(&s.v, &s.omega));
        let lift = -p.mass * gravity.dot(&(pair[1].x - pair[0].x));
        self.excess += (after - before) + lift;
        self.play += after + before + lift.abs() + p.mass * pull.fall;
        self.size += p.mass * (gravity.component_mul(&pair[1].x)).abs().sum();
        lift
    }

    /// Takes note of a contact force on a body: velocities are rounded, once, to a part of what it
    /// alone would cause, which is much where forces balance.
    fn add_pushed(&mut self, b: usize, pull: &Pull, wrench: &Vec6) {
        let (impulse, mass) = (wrench * pull.h, stamp::mass_vector(&pull.params.bodies[b]));
        let alone = impulse.component_div(&mass).dot(&impulse);
        self.pushed = (self.pushed + f64::EPSILON * alone).min(pull.most);
    }

    /// `Δ` of an account that is known before and after.
    fn add_stored(&mut self, before: f64, after: f64) {
        self.excess += after - before;
        self.play += after.abs() + before.abs();
    }

    /// Energy that dampers took: it does not excuse a gain elsewhere.
    fn add_damped(&mut self, energy: f64) {
        self.damped += energy;
        self.add_given(-energy);
    }

    /// Energy that came in, or was lost if negative.
    fn add_given(&mut self, energy: f64) {
        self.excess -= energy;
        self.play += energy.abs();
    }
}

/// Work space of the gate.
#[derive(Debug, Clone)]
pub(super) struct Gate {
    groups: Groups<Unit>,
    weights: PerUnit<Weight>,
    /// energy taken from the tank, less what was put in [J]
    pub drawn: PerUnit<f64>,
    /// lost in dampers [J]
    pub damped: PerUnit<f64>,
    /// what bookings needed and nobody paid [J]
    pub unpaid: PerUnit<f64>,
    /// free bodies that are weighed although they touch nothing
    pub watched: Vec<bool>,
    bodies: Vec<usize>,
    systems: Vec<SystemAt>,
    pub report: GateReport,
}

impl Gate {
    pub fn new(model: &Model) -> Self {
        let (bodies, units) = (model.moving.len(), &model.units);
        Self {
            groups: Groups::of(units.count()),
            weights: PerUnit::new(units, Weight::default()),
            drawn: PerUnit::new(units, 0.0),
            damped: PerUnit::new(units, 0.0),
            unpaid: PerUnit::new(units, 0.0),
            watched: vec![false; bodies],
            bodies: Vec::with_capacity(bodies),
            systems: Vec::with_capacity(model.systems.len()),
            report: GateReport::default(),
        }
    }

    /// Begins an attempt.
    pub fn restart(&mut self, model: &Model) {
        self.drawn.fill(0.0);
        self.damped.fill(0.0);
        self.unpaid.fill(0.0);
        self.watched.fill(false);
        model.ports.iter().for_each(|p| self.watched[p.body] = true);
    }

    /// Two bodies are one group; one that holds on to something fixed keeps no momentum.
    fn join(&mut self, units: &Units, nodes: [Option<usize>; 2]) {
        match nodes.map(|node| node.map(|n| units.of(n))) {
            [Some(a), Some(b)] => {
                self.groups.join(a, b);
            }
            [Some(a), None] | [None, Some(a)] => self.weights[a].anchored = true,
            [None, None] => {}
        }
    }

    /// Touching bodies are one group.
    fn join_touching(&mut self, units: &Units, stage: &Stage) {
        let mut last = None;
        for touch in &stage.touches {
            if last != Some(touch.nodes()) {
                last = Some(touch.nodes());
                self.join(units, touch.nodes());
            }
        }
    }

    /// Adds the stores of contacts over a volume, whose bodies are one group. What ended contacts
    /// had belongs to no group: it is lost.
    fn weigh_stores(
        &mut self,
        units: &Units,
        states: [&State; 2],
        volume: &VolumeStage,
        pull: &Pull,
    ) {
        for ((a, b), nodes) in volume.pairs() {
            self.join(units, nodes);
            let Some(first) = nodes.into_iter().flatten().next() else { continue };
            let [was, is] = states.map(|s| s.volume.of(a, b).map_or(0.0, |p| p.store));
            self.weights[units.of(first)].add_stored(was, is);
            for node in nodes.into_iter().flatten() {
                self.weights[units.of(node)].add_pushed(node, pull, &volume.wrenches[node]);
            }
        }
    }

    /// The group of a body or link is that which `leader` leads.
    fn is_in(&mut self, units: &Units, node: usize, leader: Unit) -> bool {
        self.groups.leader(units.of(node)) == leader
    }
}

impl World {
    /// Weighs the attempt; `Err` says how to try again.
    pub(super) fn pass(&mut self, h: f64, care: Care, progress: &mut Progress) -> Result<(), Care> {
        let idle = self.scratch.contact.is_none() && self.model.islands.is_empty();
        if !self.is_passive() || (idle && !self.scratch.gate.watched.contains(&true)) {
            return Ok(());
        }
        self.weigh_groups(h);
        let (mut again, mut short) = (None, 0.0);
        let units = Arc::clone(&self.model.units);
        for unit in units.all() {
            let gate = &mut self.scratch.gate;
            if gate.groups.leader(unit) != unit || gate.weights[unit].is_sound() {
                continue;
            }
            let created = gate.weights[unit].owed();
            self.gather(unit);
            let gate = &mut self.scratch.gate;
            gate.report.energy += if created.is_finite() { created } else { 0.0 };
            let link = gate.systems.first().map(|&s| self.model.systems[s].nodes.start);
            let first = gate.bodies.first().copied().or(link);
            gate.report.body = first.map(|b| self.model.moving[b]);
            progress.weighed = true;
            if self.pay(unit, false, progress) {
                self.scratch.gate.report.paid += 1;
            } else if let Some(more) = self.more_care(care) {
                again = Some(more);
            } else if self.scratch.gate.weights[unit].falls() || self.pay(unit, true, progress) {
                self.scratch.gate.report.paid += 1;
            } else {
                short += self.hold_still(unit);
                progress.held = true;
            }
        }
        if again.is_none() {
            self.call_in(short);
        }
        again.map_or(Ok(()), |care| {
            self.scratch.gate.report.retries += 1;
            Err(care)
        })
    }

    /// Holds groups that took from the tank what held ones had put in, until nothing is `short`.
    fn call_in(&mut self, mut short: f64) {
        let units = Arc::clone(&self.model.units);
        for unit in units.all() {
            if short > 0.0 && self.scratch.gate.drawn[unit] > 0.0 {
                let leader = self.scratch.gate.groups.leader(unit);
                self.gather(leader);
                short += self.hold_still(leader);
                short -= self.scratch.tank.pay(short);
            }
        }
    }

    /// How to try again, if there is a way that the budget pays for.
    fn more_care(&mut self, care: Care) -> Option<Care> {
        let more = care.more()?;
        let cost = self.cost_of_parts(more.parts());
        let passes = &mut self.scratch.passes;
        (cost <= passes.left()).then_some(more).or_else(|| {
            passes.cut += cost;
            None
        })
    }

    /// Enters what the gate did into the books.
    pub(super) fn note_gate(&mut self) {
        let GateReport { paid, retries, held, energy, .. } = self.scratch.gate.report;
        self.ledger.note_gate(paid, retries, held, energy);
    }

    /// Sums what each group gained.
    fn weigh_groups(&mut self, h: f64) {
        let most = ACCOUNTS * self.ledger.now().size();
        let Self { model, trial: params, state, scratch, memory, .. } = self;
        let Scratch { gate, work, contact, volume, systems, slate, ports, applied, .. } = scratch;
        let units = &*model.units;
        gate.groups.part(units.count());
        gate.weights.fill(Weight::default());
        let pull = Pull { params, h, fall: params.fall(h), most };
        let touches = |b: usize| contact.as_ref().is_some_and(|c| c.bodies.touching[b]);
        for unit in units.all() {
            let (spans, weight) = (units.spans(unit), &mut gate.weights[unit]);
            let island = units.island(unit).map(|i| &model.islands[i]);
            let bodies = spans.iter().filter_map(Span::body);
            if island.is_none() && !bodies.clone().any(|b| gate.watched[b] || touches(b)) {
                continue;
            }
            weight.anchored = island.is_some_and(|i| i.anchored);
            for b in bodies {
                weight.add_body(b, &pull, [&state.bodies[b], &work.bodies[b]]);
                if let Some(stage) = &*contact {
                    weight.add_pushed(b, &pull, &stage.effect.wrenches[b]);
                }
            }
            for &e in island.iter().flat_map(|i| &i.elements) {
                let p = &params.elements[e];
                weight.add_stored(p.elastic(&slate.start[e]), p.elastic(&work.strain[e]));
            }
            for s in spans.iter().filter_map(Span::system) {
                weigh_system(weight, (model, &pull), ([state, work], &systems[s]), s);
            }
            weight.add_given(gate.drawn[unit]);
            weight.add_damped(gate.damped[unit]);
            weight.unpaid += gate.unpaid[unit];
        }
        for (i, port) in model.ports.iter().enumerate() {
            // moving its reference came before the step
            let given = ports.draft[i].work - ports.reference_work[i];
            gate.weights[units.of(port.body)].add_given(given);
        }
        for (b, work) in applied.work.iter().enumerate().filter(|_| memory.applying) {
            gate.weights[units.of(b)].add_given(*work);
        }
        if let Some(stage) = contact {
            gate.join_touching(units, stage);
        }
        if let Some(volume) = &*volume {
            gate.weigh_stores(units, [state, work], volume, &pull);
        }
        for unit in units.all() {
            let leader = gate.groups.leader(unit);
            if leader != unit {
                let weight = gate.weights[unit];
                gate.weights[leader].add(&weight);
            }
        }
    }

    /// Lists the bodies and subsystems of a group.
    fn gather(&mut self, leader: Unit) {
        let Self { model, scratch: Scratch { gate, .. }, .. } = self;
        gate.bodies.clear();
        gate.systems.clear();
        for unit in model.units.all() {
            if gate.groups.leader(unit) == leader {
                gate.bodies.extend(model.units.spans(unit).iter().filter_map(Span::body));
                gate.systems.extend(model.units.spans(unit).iter().filter_map(Span::system));
            }
        }
    }

    /// Takes the excess of a group out of its motion, at the cost of its momentum if it must be;
    /// false if that is too much to ask.
    fn pay(&mut self, leader: Unit, must: bool, progress: &mut Progress) -> bool {
        let Self { model, trial: params, scratch, .. } = self;
        let Scratch { gate, work, systems, .. } = scratch;
        let weight = gate.weights[leader];
        let anchored = weight.anchored || must;
        let movers = Movers { bodies: &gate.bodies, systems: &gate.systems, anchored };
        let start = kinetic_of_movers(params, work, &movers);
        let mut owed = weight.owed();
        if !(owed <= PAYABLE * Payable::of(params, work, &movers).energy) {
            return false;
        }
        let mut change = 0.0;
        // scaling rounds, too
        for _ in 0..4 {
            let payable = Payable::of(params, work, &movers);
            payable.change(work, &movers, -owed.max(weight.allowed()));
            change = kinetic_of_movers(params, work, &movers) - start;
            owed = weight.owed() + change;
            if owed <= weight.allowed() {
                break;
            }
        }
        progress.booking.motion += change;
        // where bodies differ by many decades, keeping the momentum may cost more than it brings
        gate.weights[leader].excess += change;
        gate.weights[leader].unpaid += change;
        // what links showed beyond their system's motion is no loss that a tank may keep
        progress.booking.discarded += weight.hidden();
        for &s in movers.systems {
            systems[s].show(&model.systems[s], work, s);
        }
        owed <= weight.allowed()
    }

    /// Puts a group back where it was, at rest; its ports did nothing, the tank gets back what it
    /// paid, and contact forgets it. Returns what it had put into the tank and others took [J].
    fn hold_still(&mut self, leader: Unit) -> f64 {
        let Self { model, state, scratch, memory, .. } = self;
        let Scratch { gate, work, contact, volume, tank, ports, applied, .. } = scratch;
        let units = &*model.units;
        let (start, tracked) = (&scratch.slate.start, &scratch.layout.tracked);
        let mut hold = |b: usize| {
            let s = &mut work.bodies[b];
            *s = BodyState { v: Vec3::zeros(), omega: Vec3::zeros(), ..state.bodies[b] };
            if tracked.binary_search(&b).is_ok() {
                work.history.mid[b] = [Vec6::zeros(); 2];
            }
            if let Some(stage) = contact {
                stage.forget(b);
            }
            if let Some(volume) = volume {
                volume.forget(b, &state.volume, &mut work.volume);
            }
        };
        gate.bodies.iter().for_each(|&b| hold(b));
        gate.systems.iter().for_each(|&s| model.systems[s].nodes.clone().for_each(&mut hold));
        for &s in &gate.systems {
            work.systems[s].copy_from(&state.systems[s]);
            work.systems[s].xi.fill(0.0);
            work.history.wide[s].iter_mut().for_each(|xi| xi.fill(0.0));
        }
        let mut drawn = 0.0;
        for unit in units.all() {
            if gate.groups.leader(unit) != leader {
                continue;
            }
            drawn += std::mem::take(&mut gate.drawn[unit]);
            if let Some(i) = units.island(unit) {
                for &e in &model.islands[i].elements {
                    work.strain[e] = start[e];
                    work.parting[e].fill(0.0);
                }
                work.debt[i] = 0.0;
            }
        }
        gate.report.held += 1;
        // what it paid comes back, what it put in goes
        tank.grant(drawn);
        let short = (-drawn).max(0.0) - tank.pay(-drawn);
        for (b, work) in applied.work.iter_mut().enumerate().filter(|_| memory.applying) {
            *work = if gate.is_in(units, b, leader) { 0.0 } else { *work };
        }
        for (i, port) in model.ports.iter().enumerate() {
            if gate.is_in(units, port.body, leader) {
                let work = ports.reference_work[i];
                ports.draft[i] = crate::port::PortOutput { work, ..Default::default() };
            }
        }
        short
    }
}

/// Kinetic energy and weight of a subsystem; what links show is weighed beside it.
fn weigh_system(
    weight: &mut Weight,
    (model, pull): (&Model, &Pull),
    (states, work): ([&State; 2], &SystemWork),
    s: SystemAt,
) {
    let params = pull.params;
    let [before, after] = states.map(|state| &state.systems[s]);
    weight.add_stored(before.kinetic(), after.kinetic());
    if !links_weigh(model, params, s) {
        weight.add_stored(before.potential, after.potential);
        return;
    }
    let mut links = Weight::default();
    for n in model.systems[s].nodes.clone() {
        let pair = states.map(|state| &state.bodies[n]);
        let lift = links.add_body(n, pull, pair);
        weight.excess += lift;
        weight.play += lift.abs() + params.bodies[n].mass * pull.fall;
        links.excess -= lift;
    }
    weight.shown += links.excess - (after.kinetic() - before.kinetic());
    weight.size += links.size;
    weight.blur += blur(model, params, work, s);
}

/// How far rounding may move the kinetic energy that the links of a subsystem show [J].
pub(super) fn blur(model: &Model, params: &Params, work: &SystemWork, s: SystemAt) -> f64 {
    let of = |(n, size): (usize, &Vec6)| {
        stamp::mass_vector(&params.bodies[n]).component_mul(size).dot(size)
    };
    let sum: f64 = model.systems[s].nodes.clone().zip(&work.sizes).map(of).sum();
    // a subsystem that cannot be evaluated shows nothing
    if sum.is_finite() { 0.5 * SHOWN * sum } else { 0.0 }
}
