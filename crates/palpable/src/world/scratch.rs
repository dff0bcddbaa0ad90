//! Work space of a world: allocated once, written by one stage each.

use super::gate::Gate;
use super::memory::Memory;
use crate::contact::{Stage, VolumeStage};
use crate::ledger::{Entry, Tank};
use crate::math::Vec6;
use crate::model::{
    Island, IslandAt, Kind, Model, Params, PerIsland, PerSystem, Site, State, SystemWork,
};
use crate::port::PortOutput;
use crate::settle::{Booking, Slate, Tally};
use crate::solve::{Purse, Solution, Solver, Tools};
use crate::stamp::{self, Acting, PortMap};

/// What belongs to one island besides its linear system.
#[derive(Debug, Clone)]
pub(super) struct Bench {
    /// `ξ̂` of its subsystems in this step
    pub mid: Vec<Vec<f64>>,
    /// ports on its bodies and links
    pub ports: Vec<usize>,
    /// its motors: port and force block
    pub motors: Vec<(usize, usize)>,
}

/// Ports in the attempt under way.
#[derive(Debug, Clone)]
pub(super) struct PortWork {
    /// what they show
    pub draft: Vec<PortOutput>,
    pub maps: Vec<PortMap>,
    /// work of moving each reference [J]
    pub reference_work: Vec<f64>,
    /// what motors got
    pub motor_rates: Vec<f64>,
}

/// What a program applies to each body.
#[derive(Debug, Clone)]
pub(super) struct Applied {
    pub wrenches: Vec<Vec6>,
    /// their work [J]
    pub work: Vec<f64>,
}

/// What stages look up about a model.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    /// largest lever arm of the elements on each body [m], 1 for rotations
    pub arms: Vec<f64>,
    /// bodies whose history matters: those in islands and under ports
    pub tracked: Vec<usize>,
    /// ports on bodies without elements
    pub free_ports: Vec<usize>,
}

/// What the checker knows of the last step.
#[derive(Debug, Clone, Default)]
pub(super) struct Last {
    /// the account of the step whose beginning is in `work`, unless something has changed since
    pub committed: Option<Entry>,
    /// its raw defect and mistaken claim
    pub doubts: [Doubt; 2],
}

#[derive(Debug, Clone)]
pub(super) struct Scratch {
    /// the state being made
    pub work: State,
    pub tank: Tank,
    /// subsystems where they were last evaluated
    pub systems: PerSystem<SystemWork>,
    /// predicted motion, forces, motors
    pub acting: Acting,
    /// what the step notes beside the state
    pub slate: Slate,
    pub tools: PerIsland<Tools>,
    pub benches: PerIsland<Bench>,
    /// contact, if anything can touch
    pub contact: Option<Stage>,
    /// contact over a volume, if any surface yields
    pub volume: Option<VolumeStage>,
    /// the last gate
    pub gate: Gate,
    /// solves of islands that the step may still do
    pub passes: Purse,
    pub ports: PortWork,
    pub applied: Applied,
    pub last: Last,
    pub layout: Layout,
}

impl Bench {
    fn new(site: &mut Site, i: IslandAt) -> (Tools, Self) {
        let (model, island) = (site.model, &site.model.islands[i]);
        let problem = stamp::blank(model, island);
        let solution = Solution::blank(&problem);
        let mobility = stamp::mobilities(site, island, &problem.forces);
        let on = |p: &usize| model.units.island_of(model.ports[*p].body) == Some(i);
        let ports = (0..model.ports.len()).filter(on);
        let motor = |p: usize| {
            let e = model.ports[p].element.filter(|_| model.ports[p].motor)?;
            Some((p, island.elements.binary_search(&e).ok()?))
        };
        let bench = Self {
            motors: (0..model.ports.len()).filter_map(motor).collect(),
            ports: ports.collect(),
            mid: solution.wide.clone(),
        };
        let solver = Solver::new(&problem, &mobility, &hard_elements(model, island));
        (Tools { solver, problem, solution }, bench)
    }
}

/// Which elements of an island were built with rows that do not yield.
fn hard_elements(model: &Model, island: &Island) -> Vec<bool> {
    let hard = |&e: &usize| (0..6).any(|row| model.params.elements[e].is_hard(row));
    island.elements.iter().map(hard).collect()
}

impl Scratch {
    pub fn new(model: &Model, tank: Tank) -> Self {
        let bodies = model.moving.len();
        let mut work = model.state.clone();
        let systems = model.systems.iter().map(|s| SystemWork::new(&s.law));
        let mut systems: PerSystem<SystemWork> = systems.collect::<Vec<_>>().into();
        let mut site =
            Site { model, params: &model.params, state: &mut work, systems: &mut systems };
        let bench = |i| Bench::new(&mut site, i);
        let (tools, benches): (Vec<_>, Vec<_>) = model.islands.all().map(bench).unzip();
        let mut tracked: Vec<usize> = model.islands.iter().flat_map(|i| i.bodies.clone()).collect();
        tracked.extend(model.ports.iter().map(|p| p.body));
        if model.params.surfaces.any_soft() {
            tracked.extend(0..bodies);
        }
        tracked.sort_unstable();
        tracked.dedup();
        let layout = Layout {
            arms: vec![0.0; bodies],
            tracked,
            free_ports: (0..model.ports.len())
                .filter(|&p| model.units.island_of(model.ports[p].body).is_none())
                .collect(),
        };
        let ports = PortWork {
            draft: vec![PortOutput::default(); model.ports.len()],
            maps: vec![PortMap::default(); model.ports.len()],
            reference_work: vec![0.0; model.ports.len()],
            motor_rates: vec![0.0; model.ports.len()],
        };
        let applied = Applied { wrenches: vec![Vec6::zeros(); bodies], work: vec![0.0; bodies] };
        let mut scratch = Self {
            work,
            tank,
            systems,
            acting: Acting::new(model),
            slate: Slate::new(model),
            tools: tools.into(),
            benches: benches.into(),
            contact: Stage::new(model),
            volume: VolumeStage::new(model),
            gate: Gate::new(model),
            passes: Purse::default(),
            ports,
            applied,
            last: Last::default(),
            layout,
        };
        scratch.measure_arms(model, &model.params);
        scratch
    }

    /// Analyses the systems anew after masses changed by much; allocates. Depends on masses only,
    /// neither on the present state nor on references, so that a replay solves in the same order.
    pub fn reorder(&mut self, model: &Model, params: &Params) {
        let params = &Params { bodies: params.bodies.clone(), ..model.params.clone() };
        let state = &mut model.state.clone();
        let mut site = Site { model, params, state, systems: &mut self.systems };
        for (island, tools) in model.islands.iter().zip(self.tools.iter_mut()) {
            let mobility = stamp::mobilities(&mut site, island, &tools.problem.forces);
            let hard = hard_elements(model, island);
            tools.solver = Solver::new(&tools.problem, &mobility, &hard);
        }
    }

    /// Lever arms decide how much a wrong prediction opens an element.
    pub fn measure_arms(&mut self, model: &Model, params: &Params) {
        let arms = &mut self.layout.arms;
        arms.fill(0.0);
        for (info, p) in model.elements.iter().zip(&params.elements) {
            for (side, body) in info.ends.iter().enumerate() {
                let Some(body) = *body else { continue };
                let turns = if matches!(info.kind, Kind::Point) { 0.0 } else { 1.0 };
                arms[body] = arms[body].max(p.points[side].norm()).max(turns);
            }
        }
    }

    /// Begins an attempt from a committed state.
    pub fn restart(&mut self, model: &Model, state: &State, memory: &Memory, tank: &Tank) {
        self.gate.restart(model);
        if memory.applying {
            self.applied.work.fill(0.0);
            let pushed = memory.applied.iter().zip(&mut self.gate.watched);
            pushed.for_each(|(f, watched)| *watched |= *f != Vec6::zeros());
        }
        self.systems.iter_mut().for_each(|s| s.sizes.fill(Vec6::zeros()));
        self.work.copy_from(state);
        self.work.strain.copy_from_slice(&self.slate.start);
        self.tank = *tank;
    }

    /// Remembers the midpoint velocities for the next prediction.
    pub fn remember(&mut self, islands: &[Island], h: f64) {
        let history = &mut self.work.history;
        for &b in &self.layout.tracked {
            // a jump ends what could be extrapolated
            let struck = self.contact.as_ref().is_some_and(|c| c.effect.struck[b]);
            let now = self.slate.mid[b];
            history.mid[b] = [now, if struck { now } else { history.mid[b][0] }];
        }
        for (bench, island) in self.benches.iter().zip(islands) {
            for (found, &s) in bench.mid.iter().zip(&island.systems) {
                history.wide[s].swap(0, 1);
                history.wide[s][0].copy_from_slice(found);
                if self.contact.as_ref().is_some_and(|c| c.effect.struck_systems[s]) {
                    history.wide[s][1].copy_from_slice(found);
                }
            }
        }
        history.h = [h, history.h[0]];
        history.depth = (history.depth + 1).min(2);
    }
}

/// Sums over the parts of a divided step.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Progress {
    pub tally: Tally,
    pub friction: f64,
    pub impact: f64,
    pub created: f64,
    /// stored in springs that stand in for contact and hard joints
    pub penalty: f64,
    pub booking: Booking,
    pub resolves: u32,
    pub opening: f64,
    pub gap_before: f64,
    pub residual: f64,
    /// the gate changed something: losses are what is missing, not what stages say
    pub weighed: bool,
    /// the gate held something: places are not what stages say
    pub held: bool,
    /// the state says what is stored, stages do not
    pub measured: bool,
    /// raw defect of the island that rounding explains least
    pub defect: Doubt,
    /// what stages claim to have taken beyond what is missing
    pub claim: Doubt,
}

/// Energy that should not be there, and what rounding explains of it [J].
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Doubt {
    pub energy: f64,
    pub allowed: f64,
}

impl Doubt {
    /// Keeps the one of two that is less explained; NaN is explained by nothing.
    pub fn worst(&mut self, energy: f64, allowed: f64) {
        let beyond = |e: f64, a: f64| e.abs() - a;
        if !(beyond(energy, allowed) <= beyond(self.energy, self.allowed)) {
            *self = Self { energy, allowed };
        }
    }
}

impl Progress {
    /// Kinetic energy is what the last part leaves; everything else adds up.
    pub fn begin_part(&mut self) {
        (self.tally.kinetic, self.booking.motion) = (0.0, 0.0);
    }
}
