//! Piles of free bodies that touch at points: from touches to [`PointProblem`] and back.

use super::gather::Metric;
use super::stage::Stage;
use super::touch::TouchAt;
use super::{Site, Toolbox};
use crate::math::{Mat3, Mat6, Room, Vec3, Vec6, angular, join, linear, so3};
use crate::solve::point::{Budget, GROUND, Mover, Outcome, Pile, PointProblem, Touching};
use crate::solve::{Power, Purse, Tools};
use crate::stamp::Rule;

/// Part of what gravity gives in a step below which a change of velocity is none.
const FINE: f64 = 1e-6;
/// The same relative to the fastest body of a pile.
const FAST: f64 = 1e-5;
/// Overlaps below this part of the smaller body's radius are left alone.
const SLIGHT: f64 = 3e-6;
/// Piles of so few points are solved as well as the settings say, in motion and where they all but
/// rest: there the errors of many steps add up (a million on one, 8 points: 2e-5 m in 0.3 s).
const FEW: [usize; 2] = [4, 16];
/// Multiplications per body that factorisations, and one of them, may take in a pile that moves,
const MOVING: [f64; 2] = [4e4, 5e3];
/// in one that may creep: thirty of a wall of 200 bricks, none of a heap, whose bodies have more
/// neighbours,
const CREEPS: [f64; 2] = [4e5, 2e4];
/// in one that is calm: eight of a cube of 64 cubes,
const CALM: [f64; 2] = [8e5, 1e5];
/// and in one of whose forces nothing is known yet: eighty of that.
const FIRST: [f64; 2] = [8e6, 5e5];
/// Piles slower than so many times what gravity gives in a step move slowly,
const SLOW: f64 = 2.0;
/// and are calm below this.
const CALMER: f64 = 0.05;
/// Below this they may creep: a wall that was hit does for ever if its forces are only swept.
const CREEPING: f64 = 0.5;
/// One of so many steps is given to a pile that may creep: if it can rest, it then does. A heap
/// that cannot pays ten steps' work each time; with 16, and trials in every step while it moved
/// slowly, 60 capsules took 1 ms instead of 0.12 in 60 of 1500 steps, now in 26.
const TURN: u64 = 64;
/// Sweeps that leave more than this part of it were too slow. News travels along a stack as the
/// square of its bodies, so that what is left is so many times what a sweep still changes.
const POOR: f64 = 1e-6;
/// A pile in motion was swept too little where its smallest body would sink by more than this part
/// of its radius in a step: heavy on light. In random piles of 50 mg to 5 t at up to 10 ms a body
/// was pressed into the floor up to its centre in 2.0 % of the worlds, and is in 1.3 % with this.
const SINKS: f64 = 1e-3;
/// Part of what calls for factorisations to which they find velocities.
const FINER: f64 = 0.1;
/// Visits of its points that a small pile may take.
const VISITS: usize = 256;

/// Piles of free bodies, their problem, and who is who in it.
#[derive(Debug, Clone)]
pub(super) struct Points {
    pub problem: PointProblem,
    pub piles: Room<Pile>,
    /// touch of each point
    touch_of: Room<TouchAt>,
    /// body of each mover
    body_of: Room<u32>,
    /// mover of each body, `GROUND` if it has none
    mover_of: Vec<u32>,
    wrenches: Room<[f64; 6]>,
    group: Room<usize>,
    restitutions: Room<f64>,
    gaps: Room<Option<f64>>,
    deep: Room<bool>,
    /// per pile: power of its forces in phase II, as its solver says
    pub said: Room<Power>,
}

impl Points {
    pub fn new(bodies: usize, touches: usize) -> Self {
        Self {
            problem: PointProblem::new(bodies, touches),
            piles: Room::with_capacity(touches),
            touch_of: Room::with_capacity(touches),
            body_of: Room::with_capacity(bodies + 1),
            mover_of: vec![GROUND as u32; bodies],
            wrenches: Room::with_capacity(bodies + 1),
            group: Room::with_capacity(bodies),
            restitutions: Room::with_capacity(touches),
            gaps: Room::with_capacity(touches),
            deep: Room::with_capacity(touches),
            said: Room::with_capacity(touches),
        }
    }

    /// Bodies that the last [`Stage::part_points`] moved.
    pub fn pushed(&self) -> impl Iterator<Item = usize> + '_ {
        let moved = |m: &usize| self.problem.change(*m) != [0.0; 6];
        (1..self.body_of.len()).filter(moved).map(|m| self.body_of[m] as usize)
    }

    /// The body of a mover.
    pub fn body(&self, mover: usize) -> usize {
        self.body_of[mover] as usize
    }

    /// Sum of the forces on a mover, world axes [N].
    pub fn force(&self, mover: usize) -> Vec3 {
        Vec3::from_column_slice(&self.wrenches[mover][..3])
    }

    /// Sum of their torques about its centre, world axes [N·m].
    pub fn torque(&self, mover: usize) -> Vec3 {
        Vec3::from_column_slice(&self.wrenches[mover][3..])
    }

    /// Makes the forces on a mover smaller.
    pub fn scale_wrench(&mut self, mover: usize, part: f64) {
        self.wrenches[mover].iter_mut().for_each(|f| *f *= part);
    }

    /// Writes down the bodies of some movers.
    pub fn list(&mut self, movers: std::ops::Range<usize>) {
        self.group.clear();
        self.group.extend(self.body_of[movers].iter().map(|&b| b as usize));
    }

    /// The bodies that were written down.
    pub fn listed(&self) -> &[usize] {
        &self.group
    }

    /// No points, no piles.
    pub fn clear(&mut self) {
        for &b in self.body_of.iter().skip(1) {
            self.mover_of[b as usize] = GROUND as u32;
        }
        self.problem.clear();
        self.piles.clear();
        self.said.clear();
        self.touch_of.clear();
        self.body_of.clear();
        self.body_of.push(0);
        self.restitutions.clear();
    }
}

impl Stage {
    /// The problem of the piles of free bodies among the chosen touches; `takes` decides by a
    /// pile's touches which of them take part.
    fn gather_points(
        &mut self,
        site: &Site,
        islands: &mut Toolbox,
        metric: Metric,
        takes: impl Fn(&Stage, &[TouchAt]) -> bool,
    ) {
        self.points.clear();
        for number in 0..self.graph.len() {
            if self.graph.is_general(number) || !takes(self, self.graph.pile(number)) {
                continue;
            }
            let first = (self.points.problem.len(), self.points.problem.movers());
            for k in 0..self.graph.pile(number).len() {
                let t = self.graph.pile(number)[k];
                self.gather_point(site, islands, metric, t);
            }
            let last = (self.points.problem.len(), self.points.problem.movers());
            self.points.piles.push(Pile { points: first.0..last.0, movers: first.1..last.1 });
        }
    }

    fn gather_point(&mut self, site: &Site, islands: &mut Toolbox, metric: Metric, t: TouchAt) {
        let nodes = self.touches[t].nodes();
        let movers = nodes.map(|n| n.map_or(GROUND, |b| self.mover(site, islands, metric, b)));
        let touch = &self.touches[t];
        let frames = nodes.map(|n| n.map(|b| &self.bodies.frames[b]));
        let (arms, axes) = (touch.levers(frames), touch.axes());
        let [n, a, b] = &axes;
        let about = |arm: Vec3| [arm.cross(n).into(), arm.cross(a).into(), arm.cross(b).into()];
        let turns = [about(-arms[0]), about(arms[1])];
        let start = match metric {
            Metric::Step => [n.dot(&touch.force), a.dot(&touch.force), b.dot(&touch.force)],
            Metric::Mass => [0.0; 3],
        };
        let axes = [(*n).into(), (*a).into(), (*b).into()];
        let touching = Touching { movers, axes, turns, mu: touch.friction(), start };
        let Some(point) = self.points.problem.add_point(&touching) else { return };
        self.points.touch_of.push(t);
        self.points.restitutions.push(touch.material.restitution);
        self.touches[t].seat.spot = Some(point);
    }

    /// The mover of a body, added if it is new.
    fn mover(&mut self, site: &Site, islands: &mut Toolbox, metric: Metric, b: usize) -> usize {
        let known = self.points.mover_of[b] as usize;
        if known != GROUND {
            return known;
        }
        let (p, s, frame) = (&site.params.bodies[b], &site.state.bodies[b], &self.bodies.frames[b]);
        let u = match metric {
            Metric::Step => self.bodies.mid[b],
            Metric::Mass => s.twist(),
        };
        let spin = frame.lever.tr_mul(&angular(&u));
        let (mut place, turn) = (frame.answer_of_place(), frame.answer_of_turn());
        let island = site.model.units.island_of(b).filter(|_| metric == Metric::Step);
        let full = island.map(|i| full_answer(&mut islands[i], &frame.lever));
        if let Some(full) = &full {
            place = (full[0][0] + full[1][1] + full[2][2]) / 3.0;
        }
        let rows = [0, 1, 2].map(|r| [turn[(r, 0)], turn[(r, 1)], turn[(r, 2)]]);
        let stop = p.mass * linear(&u).norm()
            + p.mass.sqrt() * angular(&u).component_mul(&p.inertia.map(f64::sqrt)).norm();
        let momentum = stop * if metric == Metric::Step { p.mass.recip() / place } else { 1.0 };
        let velocity = join(&linear(&u), &spin).into();
        let mover = Mover { velocity, place, turn: rows, momentum, full };
        let number = self.points.problem.add_mover(&mover);
        self.points.mover_of[b] = number as u32;
        self.points.body_of.push(b as u32);
        number
    }

    /// What a pile may cost: changes that a step cannot feel are left to the next.
    fn point_budget(&self, site: &Site, pile: &Pile, rule: &Rule) -> Budget {
        let mut tolerance = self.ask.settings.tolerance;
        let bodies = &self.points.body_of[pile.movers.clone()];
        let speed = |m: f64, &b: &u32| m.max(site.state.bodies[b as usize].v.amax());
        let fastest = bodies.iter().fold(0.0, speed);
        let fall = rule.h * site.params.gravity.norm();
        let slow = fastest <= SLOW * fall && self.ask.settings.newton_steps > 0;
        let few = FEW[usize::from(slow)];
        if pile.points.len() > few {
            let felt = FINE * rule.h * site.params.gravity.norm() + FAST * fastest;
            tolerance = tolerance.max(felt);
        }
        let radius = |least: f64, &b: &u32| least.min(self.bodies.radii[b as usize]);
        let smallest = bodies.iter().fold(f64::INFINITY, radius);
        // sweeps that ended have arrived
        let (each, poor) = match self.effort(pile, fastest / fall).filter(|_| slow) {
            Some(each) => (each, (POOR * fall).max(tolerance)),
            None => (MOVING, SINKS * smallest / rule.h),
        };
        let firm = self.ask.settings.newton_steps > 0;
        let [factor, dearest] = each.map(|e| if firm { e * bodies.len() as f64 } else { 0.0 });
        let (sweeps, fine) = (self.ask.settings.point_sweeps, FINER * poor);
        Budget { sweeps, visits: VISITS, tolerance, factor, dearest, poor, fine }
    }

    /// Multiplications per body that factorisations may take in a pile that may come to rest, whose
    /// fastest body has so many times the speed that gravity gives in a step; `None` if it moves.
    fn effort(&self, pile: &Pile, fastest: f64) -> Option<[f64; 2]> {
        let cold = pile.points.clone().all(|p| self.points.problem.lambda(p) == [0.0; 3]);
        match (cold, fastest <= CALMER, fastest <= CREEPING && self.ask.turn.is_multiple_of(TURN)) {
            (true, ..) => Some(FIRST),
            (_, true, _) => Some(CALM),
            (_, _, true) => Some(CREEPS),
            _ => None,
        }
    }

    /// Phase I of piles of free bodies in which something strikes faster than `rest_speed` [m/s].
    /// Returns the energy lost [J].
    pub(super) fn strike_points(
        &mut self,
        site: &mut Site,
        islands: &mut Toolbox,
        rule: &Rule,
        rest_speed: f64,
    ) -> f64 {
        self.gather_points(site, islands, Metric::Mass, |stage, pile| {
            pile.iter().any(|&t| stage.strikes(t, rest_speed, rule))
        });
        let (mut pot, mut rest) = (self.pot(1, 4), self.points.problem.len());
        for k in 0..self.points.piles.len() {
            let pile = self.points.piles[k].clone();
            let budget = self.point_budget(site, &pile, rule);
            let mut own = Purse::new(pot.share(pile.points.len(), rest));
            let Points { problem, restitutions, .. } = &mut self.points;
            let bounce = &restitutions[pile.points.clone()];
            let found = problem.strike(&pile, bounce, rest_speed, &budget, &mut own);
            self.note_points(&found);
            pot.settle(&own);
            rest -= pile.points.len();
        }
        self.visits.settle(&pot);
        let mut lost = 0.0;
        for mover in 1..self.points.body_of.len() {
            let b = self.points.body_of[mover] as usize;
            let jump = self.points.problem.change(mover);
            let (p, s) = (&site.params.bodies[b], &mut site.state.bodies[b]);
            let before = p.kinetic(&s.v, &s.omega);
            // the turns of this phase are in world axes
            let (dv, dw) =
                (Vec3::from_column_slice(&jump[..3]), Vec3::from_column_slice(&jump[3..]));
            let dw = self.bodies.frames[b].lever * dw;
            s.v += dv;
            s.omega += dw;
            lost += before - p.kinetic(&s.v, &s.omega);
            self.effect.struck[b] = p.kinetic(&dv, &dw) > super::impulse::FELT * before;
        }
        for point in 0..self.points.problem.len() {
            let p = self.points.problem.lambda(point);
            let t = self.points.touch_of[point];
            self.add_impulse(site.state, t, p);
            self.touches[t].seat.spot = None;
        }
        lost
    }

    /// Phase II of piles of free bodies: forces, added to the `pushes` of everything else.
    ///
    /// # Equation
    /// ```text
    /// 0 ≤ û_n + max(gap/h, −u⁻_n/2) ⟂ λ_n ≥ 0,    ‖λ_t‖ ≤ μ λ_n against û_t − u⁻_t/2 = u⁺_t/2
    /// ```
    pub(super) fn hold_points(
        &mut self,
        site: &Site,
        islands: &mut Toolbox,
        pushes: &mut [Vec6],
        rule: &Rule,
    ) {
        self.islands.pressed.fill(false);
        self.gather_points(site, islands, Metric::Step, |_, _| true);
        for point in 0..self.points.problem.len() {
            let touch = &self.touches[self.points.touch_of[point]];
            let u = self.rows.start_rates[self.points.touch_of[point]];
            let goal = (touch.gap / rule.h).max(-0.5 * u[0]);
            self.points.problem.aim(point, goal, [0.5 * u[1], 0.5 * u[2]]);
        }
        let movers = self.points.problem.movers();
        self.points.wrenches.clear();
        self.points.wrenches.resize(movers, [0.0; 6]);
        // joined bodies are held after this, overlaps pushed out after that
        let part = if self.points.problem.len() < self.graph.chosen.len() { 3 } else { 6 };
        let (mut pot, mut rest) = (self.pot(part, 8), self.points.problem.len());
        for k in 0..self.points.piles.len() {
            let pile = self.points.piles[k].clone();
            let budget = self.point_budget(site, &pile, rule);
            let mut own = Purse::new(pot.share(pile.points.len(), rest));
            let found = self.points.problem.hold(&pile, &budget, &mut own);
            self.note_points(&found);
            self.points.said.push(found.work);
            pot.settle(&own);
            rest -= pile.points.len();
            let Points { problem, wrenches, .. } = &mut self.points;
            problem.add_wrenches(&pile, wrenches);
            self.turn_exactly(site, &pile, pushes, rule);
        }
        self.visits.settle(&pot);
        for (&b, wrench) in self.points.body_of.iter().zip(&self.points.wrenches).skip(1) {
            let b = b as usize;
            let torque = self.bodies.frames[b].lever * Vec3::from_column_slice(&wrench[3..]);
            let push = join(&Vec3::from_column_slice(&wrench[..3]), &torque);
            self.effect.wrenches[b] += push;
            if let Some(i) = site.model.units.island_of(b) {
                self.islands.pressed[i] = true;
            }
        }
    }

    /// The part `mine / all` of the visits that are left to this part of the step.
    pub(super) fn pot(&self, mine: usize, all: usize) -> Purse {
        Purse::new(self.visits.share(mine, all * self.ask.parts_left))
    }

    fn note_points(&mut self, found: &Outcome) {
        self.report.residual = self.report.residual.max(found.residual);
        self.report.scale = self.report.scale.min(found.scale);
        self.report.iterations += found.sweeps;
    }

    /// Displacements that take the overlaps of piles of free bodies away where one is deeper than
    /// a hair of their size; true if there are any. The answers are in [`Self::push_of`].
    pub(super) fn part_points(&mut self, site: &Site, rest_speed: f64) -> bool {
        let mut any = false;
        self.points.gaps.clear();
        self.points.deep.clear();
        for point in 0..self.points.problem.len() {
            let touch = &self.touches[self.points.touch_of[point]];
            let gap = touch.gap_at(site.state);
            let leaves = gap < 0.0 && touch.bounces(site.state, rest_speed);
            self.points.gaps.push((!leaves).then_some(gap));
            let sizes = touch.nodes().into_iter().flatten().map(|b| self.bodies.radii[b]);
            let slight = SLIGHT * sizes.fold(f64::MAX, f64::min);
            self.points.deep.push(!leaves && -gap > slight);
        }
        let (mut pot, mut rest) = (self.pot(1, 2), self.points.problem.len());
        for k in 0..self.points.piles.len() {
            let pile = self.points.piles[k].clone();
            let deep = self.points.deep[pile.points.clone()].contains(&true);
            any |= deep;
            for mover in pile.movers.clone() {
                self.rest_mover(site, mover, deep);
            }
            if deep {
                let mut own = Purse::new(pot.share(pile.points.len(), rest));
                let Points { problem, gaps, .. } = &mut self.points;
                let gaps = &gaps[pile.points.clone()];
                self.report.iterations += problem.part(&pile, gaps, &mut own);
                pot.settle(&own);
            }
            rest -= pile.points.len();
        }
        self.visits.settle(&pot);
        any
    }

    /// Puts a mover to rest, and lets it answer by its mass.
    fn rest_mover(&mut self, site: &Site, mover: usize, answers: bool) {
        let b = self.points.body_of[mover] as usize;
        let (place, turn, momentum, full) = (0.0, [[0.0; 3]; 3], 0.0, None);
        let mut now = Mover { velocity: [0.0; 6], place, turn, momentum, full };
        if answers {
            let p = &site.params.bodies[b];
            let r = site.state.bodies[b].q.to_rotation_matrix().into_inner();
            let k = r * Mat3::from_diagonal(&p.inertia.map(f64::recip)) * r.transpose();
            now.place = p.mass.recip();
            now.turn = [0, 1, 2].map(|i| [k[(i, 0)], k[(i, 1)], k[(i, 2)]]);
        }
        self.points.problem.set_mover(mover, &now);
    }

    /// Bodies that [`Self::part_points`] moves, and by how much: world axes.
    pub(super) fn pushes(&self) -> impl Iterator<Item = (usize, Vec6)> + '_ {
        let Points { problem, body_of, .. } = &self.points;
        let movers = (1..body_of.len()).filter(|&m| problem.change(m) != [0.0; 6]);
        movers.map(|m| (body_of[m] as usize, Vec6::from(problem.change(m))))
    }
}

/// How the one body of an island answers, in the axes of its lever: `T A⁻¹ Tᵀ`.
fn full_answer(tools: &mut Tools, lever: &Mat3) -> [[f64; 6]; 6] {
    let (mut out, mut t) = ([[0.0; 6]; 6], Mat6::identity());
    t.fixed_view_mut::<3, 3>(3, 3).copy_from(lever);
    let mut answer = Mat6::zeros();
    for k in 0..6 {
        let (mut unit, mut column) = ([0.0; 6], [0.0; 6]);
        unit[k] = 1.0;
        tools.solver.respond(&tools.problem, &[(0, &unit)], &mut column);
        answer.set_column(k, &Vec6::from(column));
    }
    let answer = t.tr_mul(&(answer * t));
    (0..36).for_each(|k| out[k / 6][k % 6] = answer[(k / 6, k % 6)]);
    out
}

/// Turns a rotation by a small angle in world axes.
pub(super) fn turned(q: &crate::math::Rotation, angle: &Vec3) -> crate::math::Rotation {
    so3::compose(q, &so3::exp(&(q.inverse() * angle)))
}
