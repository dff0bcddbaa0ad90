//! Work space of contact: allocated once; what lasts is in [`Carry`].

use super::carry::Carry;
use super::frame::Start;
use super::graph::Graph;
use super::points::Points;
use super::sleep::Sleep;
use super::stops::Stops;
use super::touch::{Foot, Meeting, PerTouch, Seat, Touch, TouchEvent, tangents};
use super::workspace::{Ask, Bodies, Effect, Islands, Rows, Search, capacity};
use crate::geometry::{Isometry, Listing};
use crate::math::{Vec3, Vec6};
use crate::model::{Model, Params, State};
use crate::solve::cone::{ConeProblem, ConeReport, ConeSettings};
use crate::solve::{Counts, Purse};

/// A slide of less than this in a step [m] is none.
pub(super) const STILL: f64 = 1e-9;
/// Gaps below this [m] count as closed: rounding must not part what rests.
pub(super) const TOUCHING: f64 = 1e-9;

/// How contact went in a step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ContactReport {
    /// Points within reach.
    pub points: usize,
    /// Points and pairs that found no room.
    pub dropped: usize,
    /// Largest residual of the two phases [m/s].
    pub residual: f64,
    /// Smallest scaling that kept a phase passive; 1 if none was needed.
    pub scale: f64,
    /// Sweeps and Newton steps of all phases.
    pub iterations: usize,
    /// Deepest overlap at the end of the step [m].
    pub depth: f64,
    /// Piles that a printed law could not solve; the exact cone held them instead.
    pub unsolved: usize,
    /// Contacts of surfaces that yield at which impulses acted.
    pub colliding: usize,
    /// Least restitution, in [−1, 1], that was left of impulses beyond the limit of a device;
    /// `None` if all were rendered in full.
    pub adapted: Option<f64>,
    /// Impulses that pulled, by [`Resolution::PseudoInverse`] or [`Resolution::PerBody`].
    pub pulls: usize,
}

/// Where a step begins.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'a> {
    /// Topology.
    pub model: &'a Model,
    /// Parameters.
    pub params: &'a Params,
    /// The state that is left.
    pub state: &'a State,
    /// Length of the step [s].
    pub h: f64,
}

/// Everything contact needs besides the state and what the last step left. The fields that
/// [`Carry`] has as well are those of the step being made.
#[derive(Debug, Clone)]
pub struct Stage {
    /// What the world asks for.
    pub ask: Ask,
    /// What solvers may do in this step.
    pub visits: Purse,
    /// Who is near whom.
    pub search: Search,
    /// Contacts of the present step.
    pub touches: PerTouch<Touch>,
    pub(super) stops: Stops,
    pub(super) graph: Graph,
    /// Who sleeps, in the attempt at hand.
    pub sleep: Sleep,
    /// Moving bodies that touch.
    pub bodies: Bodies,
    /// Islands that touch.
    pub islands: Islands,
    pub(super) cone: ConeProblem,
    pub(super) rows: Rows,
    pub(super) points: Points,
    /// What contact does to the world in this part of the step.
    pub effect: Effect,
    /// How this step goes.
    pub report: ContactReport,
}

impl Stage {
    /// Space for a model; `None` if nothing can touch and no joint has stops or dry friction.
    pub fn new(model: &Model) -> Option<Self> {
        if model.contact.is_none() && !model.elements.iter().any(|e| e.is_bounded()) {
            return None;
        }
        let points = model.contact.as_ref().map_or(0, |c| c.capacity);
        let capacity = capacity(model, points);
        Some(Self {
            ask: Ask::default(),
            visits: Purse::default(),
            search: Search::new(model, points)?,
            touches: PerTouch::with_capacity(points),
            stops: Stops::new(model),
            graph: Graph::new(model, points),
            sleep: Sleep::new(model.moving.len()),
            bodies: Bodies::new(model),
            islands: Islands::new(model),
            cone: ConeProblem::new(capacity),
            rows: Rows::new(model, points, &capacity),
            points: Points::new(model.moving.len(), points),
            effect: Effect::new(model),
            report: ContactReport::default(),
        })
    }

    /// Finds who touches whom at a state, out to what may be reached in a step of `h` [s].
    pub fn collide(&mut self, carry: &Carry, moment: &Moment) {
        let Moment { model, params, state, h } = *moment;
        self.search.missed = 0;
        if model.contact.is_some() {
            let fastest = self.place(model, state);
            let sleep = &carry.sleep;
            let still = |b: usize| model.bodies[b].moving.is_none_or(|n| sleep.is_asleep(n));
            self.search.pipeline.freeze(still);
            let margin = h * (2.0 * fastest + 2.0 * h * params.gravity.norm()) + 1e-5;
            let any = params.surfaces.any_soft();
            let soft = |a: usize, b: usize| match any {
                true => params.surfaces.listing(a, b),
                false => Listing::Contacts,
            };
            self.search.pipeline.foresee(4.0 * h * h * params.gravity.norm() + 1e-6, |b| {
                let none = Vec3::zeros();
                model.bodies[b].moving.map_or([none; 3], |n| {
                    let s = &state.bodies[n];
                    [s.x, s.v * h, s.q * s.omega * h]
                })
            });
            let last = &carry.collision;
            let found =
                self.search.pipeline.update_apart(last, &self.search.poses, margin.min(1e3), soft);
            self.search.missed = found.contacts_dropped + found.pairs_dropped;
            self.search.pairs.spent = found.pairs_found as u64;
            self.search.pairs.cut = found.pairs_repeated as u64;
        }
    }

    /// Says what the step that begins may cost.
    pub fn grant(&mut self, budget: &Counts) {
        self.visits = Purse::new(budget.visits);
        self.search.pairs = Purse::new(budget.pairs);
        self.search.pipeline.limit(usize::try_from(budget.pairs).unwrap_or(usize::MAX));
    }

    /// Takes the poses of all bodies; returns the speed of the fastest point [m/s].
    fn place(&mut self, model: &Model, state: &State) -> f64 {
        let mut fastest: f64 = 0.0;
        for (pose, body) in self.search.poses.iter_mut().zip(&model.bodies) {
            let (mut position, mut rotation) = (body.start.position, body.start.rotation);
            if let Some(node) = body.moving {
                let s = &state.bodies[node];
                rotation = s.q * body.body_from_principal.inverse();
                position = s.x - rotation * body.center_of_mass;
                let radius = body.shape.as_ref().map_or(0.0, |s| s.bounding_radius());
                fastest = fastest.max(s.v.norm() + s.omega.norm() * radius);
            }
            *pose = Isometry::from_parts(position.into(), rotation);
        }
        fastest
    }

    /// Begins an attempt: the touches of the manifolds at hand, with what the last step left.
    pub fn begin(&mut self, carry: &Carry, moment: &Moment) {
        self.recall(carry);
        self.effect.impulses.fill([Vec3::zeros(); 2]);
        self.report =
            ContactReport { scale: 1.0, dropped: self.search.missed, ..Default::default() };
        self.touches.clear();
        self.list_places(carry);
        for i in 0..self.search.pipeline.manifolds().len() {
            self.add_manifold(carry, moment, i);
        }
        self.report.points = self.touches.len();
    }

    /// Begins a part of a step of so many parts, with what the part before left.
    pub fn begin_share(&mut self, part: u32, parts: u32) {
        self.ask.parts_left = (parts - part) as usize;
        if part == 0 {
            return;
        }
        self.touches.iter_mut().for_each(|t| t.meeting.known |= t.meeting.met);
    }

    /// Forgets all forces on a moving body.
    pub fn forget(&mut self, node: usize) {
        for touch in self.touches.iter_mut().filter(|t| t.nodes().contains(&Some(node))) {
            touch.meeting.leave();
            (touch.force, touch.torque) = (Vec3::zeros(), Vec3::zeros());
            touch.impulse = Vec3::zeros();
        }
    }

    fn add_manifold(&mut self, carry: &Carry, moment: &Moment, index: usize) {
        let Moment { model, params, state, h } = *moment;
        let manifold = self.search.pipeline.manifolds()[index];
        let bodies = [manifold.body_a as usize, manifold.body_b as usize];
        let material = params.surfaces.material(bodies[0], bodies[1]);
        let (tangents, law) = (tangents(&manifold.normal), material.law.unwrap_or(self.ask.law));
        let rows = material.rows();
        let foot = |side: usize, local: &Vec3, world: &Vec3| {
            let info = &model.bodies[bodies[side]];
            let inward = if side == 0 { -manifold.normal } else { manifold.normal };
            Foot::of(info, &self.search.poses[bodies[side]], [local, world], &inward)
        };
        for found in &self.search.pipeline.contacts()[manifold.range()] {
            if self.touches.len() == self.touches.capacity() {
                self.report.dropped += 1;
                continue;
            }
            let last = found.previous.and_then(|i| carry.touches.get(i as usize));
            let Meeting { met, pending, stuck, .. } = last.map(|t| t.meeting).unwrap_or_default();
            let meeting = Meeting {
                yields: manifold.listed,
                known: met,
                pending,
                stuck,
                ..Meeting::default()
            };
            let mut touch = Touch {
                bodies,
                feet: [
                    foot(0, &found.local_a, &found.point_a),
                    foot(1, &found.local_b, &found.point_b),
                ],
                normal: manifold.normal,
                point: (found.point_a + found.point_b) * 0.5,
                gap: found.gap,
                id: found.id,
                event: if last.is_some() { TouchEvent::Stay } else { TouchEvent::Begin },
                force: last.map_or(Vec3::zeros(), |t| t.force),
                torque: last.map_or(Vec3::zeros(), |t| t.torque),
                impulse: Vec3::zeros(),
                law,
                material,
                tangents,
                meeting,
                seat: Seat { rows, ..Seat::default() },
            };
            if last.is_none() {
                touch.meeting.stuck = touch.slip(state) * h < STILL;
            }
            if touch.meeting.yields && !touch.meeting.known {
                touch.meeting.known = self.is_known(carry, &touch, state, h);
            }
            self.touches.push(touch);
        }
    }

    /// Forgets what jumped; call at the start of a part of a step.
    pub fn begin_part(&mut self, state: &State) {
        self.restart(1.0);
        self.effect.struck.fill(false);
        self.effect.struck_systems.fill(false);
        self.bodies.touching.fill(false);
        self.effect.created = 0.0;
        self.effect.wrenches.fill(Vec6::zeros());
        self.effect.forces.iter_mut().for_each(|f| f.fill(0.0));
        self.bodies.near.fill(false);
        for touch in &mut self.touches {
            if self.sleep.holds(touch) {
                continue;
            }
            for node in touch.movers() {
                self.bodies.touching[node] = !self.sleep.is_asleep(node);
                if !std::mem::replace(&mut self.bodies.near[node], true) {
                    self.bodies.starts[node] =
                        Start::of(&state.bodies[node], self.bodies.spans[node]);
                }
            }
            touch.begin(&self.bodies.starts);
        }
    }

    /// Takes the velocities of bodies that phase I left.
    pub(super) fn begin_hold(&mut self, state: &State) {
        for (b, start) in self.bodies.starts.iter_mut().enumerate() {
            if self.bodies.near[b] {
                start.hasten(&state.bodies[b], self.bodies.spans[b]);
            }
        }
    }

    /// Finds the islands that something touches by the law of the cone, or whose joints have stops
    /// or dry friction under it.
    pub(super) fn join_islands(&mut self) {
        self.islands.joined.fill(false);
        for touch in self.touches.iter().filter(|t| t.is_conic() || t.meeting.collides) {
            let bodies = touch.movers();
            for i in bodies.filter_map(|b| self.graph.units.island_of(b)) {
                self.islands.joined[i] = true;
            }
        }
        if self.has_conic_stops() {
            self.stops.at.iter().for_each(|at| self.islands.joined[at.island] = true);
        }
    }

    /// Energy lost by rubbing in the midpoint phase [J].
    pub fn rubbed(&self, h: f64) -> f64 {
        let of = |n: usize| {
            let (l, v, carry) = (self.cone.lambda(n), self.cone.velocity(n), self.cone.carry(n));
            let rows = l.iter().zip(v.iter().zip(carry)).skip(1);
            -h * rows.map(|(l, (v, carry))| l * (v + carry)).sum::<f64>()
        };
        let touches: f64 = self.touches.iter().filter_map(|t| t.seat.number).map(of).sum();
        let problem = &self.points.problem;
        let at = |n: usize| {
            let (l, u) = (problem.lambda(n), problem.rates(n));
            -h * (l[1] * u[1] + l[2] * u[2])
        };
        let points: f64 = self.touches.iter().filter_map(|t| t.seat.spot).map(at).sum();
        touches + points + self.rubbed_dry(h)
    }

    /// Solves the problem of joined bodies with the part `mine / all` of the visits that are left.
    pub(super) fn solve_cone(
        &mut self,
        settings: &ConeSettings,
        part: [usize; 2],
        solve: impl FnOnce(&mut ConeProblem, &ConeSettings) -> ConeReport,
    ) {
        let mut pot = self.pot(part[0], part[1]);
        let afforded = self.cone.afford(settings, &pot);
        let report = solve(&mut self.cone, &afforded);
        self.cone.pay(&report, [settings, &afforded], &mut pot);
        self.visits.settle(&pot);
        self.note(&report);
    }

    /// Takes note of a solved problem.
    fn note(&mut self, found: &ConeReport) {
        self.report.residual = self.report.residual.max(found.residual);
        self.report.scale = self.report.scale.min(found.scale);
        self.report.iterations += found.sweeps + found.newton_steps;
    }
}
