//! Work space of contact: allocated once; what lasts is in [`Carry`].

use super::Site;
use super::carry::Carry;
use super::collide::Mover;
use super::frame::{Frame, Start};
use super::graph::Graph;
use super::meet::{Coherence, ImpulseLimit};
use super::points::Points;
use super::sleep::{Sleep, Sleeping};
use super::touch::{Rim, Touch, TouchEvent, tangents};
use crate::geometry::{CollisionPipeline, Isometry, Listing};
use crate::math::{Room, Vec3, Vec6, dot6};
use crate::model::{Block, BodyInfo, ContactLaw, Model, Params, State};
use crate::solve::cone::{Capacity, ConeProblem, ConeReport, ConeSettings, Resolution};
use crate::solve::{Counts, ForceBlock, Purse, Side, Solution};
use crate::stamp::{self, At, Rule};

/// A slide of less than this in a step [m] is none.
pub(super) const STILL: f64 = 1e-9;
/// Gaps below this [m] count as closed: rounding must not part what rests.
pub(super) const TOUCHING: f64 = 1e-9;

/// What a contact leaves to the next step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Memory {
    pub force: Vec3,
    pub torque: Vec3,
    pub stuck: bool,
    /// surfaces that yield were in contact; the impulse was lessened
    pub met: bool,
    pub pending: bool,
}

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

/// What of a body carries a contact.
#[derive(Debug, Clone, Copy)]
struct Carried {
    node: Option<usize>,
    point: Vec3,
    arm: Vec3,
    rim: Option<Rim>,
}

impl Carried {
    /// The body's point that touches, `local` in its axes and `world` in those of the world; where
    /// its surface is round, the centre below it; where a rim touches, the centre of that.
    #[inline]
    fn of(info: &BodyInfo, pose: &Isometry, point: (&Vec3, &Vec3), inward: &Vec3) -> Self {
        let (local, world) = point;
        let (arm, rim) = (Vec3::zeros(), None);
        let Some(node) = info.moving else { return Self { node: None, point: *world, arm, rim } };
        let inverse = info.body_from_principal.inverse();
        let at = |center: &Vec3| inverse * (center - info.center_of_mass);
        let node = Some(node);
        let Some(shape) = info.shape.as_ref().filter(|s| info.from_shape && s.is_round()) else {
            return Self { node, point: at(local), arm, rim };
        };
        let inward = pose.rotation.inverse() * inward;
        if let Some((center, radius)) = shape.rim(local, &inward) {
            let rim = Some(Rim { axis: inverse * Vec3::z(), radius });
            return Self { node, point: at(&center), arm, rim };
        }
        let center = shape.round_center(local, &inward);
        Self { node, point: at(&center), arm: pose.rotation * (local - center), rim }
    }
}

/// Numbers of velocity groups in the problem being solved.
#[derive(Debug, Clone, Default)]
pub(super) struct Groups {
    pub(super) bodies: Vec<Option<u32>>,
    pub(super) islands: Vec<Option<u32>>,
}

impl Groups {
    pub(super) fn clear(&mut self) {
        self.bodies.fill(None);
        self.islands.fill(None);
    }
}

/// Everything contact needs besides the state and what the last step left. The fields that
/// [`Carry`] has as well are those of the step being made.
#[derive(Debug, Clone)]
pub struct Stage {
    pub(super) pipeline: CollisionPipeline,
    poses: Vec<Isometry>,
    /// Contacts of the present step.
    pub touches: Room<Touch>,
    pub(super) memory: Room<Memory>,
    /// points and pairs that the pipeline had no room for
    missed: usize,
    /// forces of the lower stop, the upper stop and dry friction, three per element
    pub(super) stops: Vec<f64>,
    pub(super) cone: ConeProblem,
    /// budget of the solver
    pub settings: ConeSettings,
    /// how contacts are recognised, and what a device can do
    pub coherence: Coherence,
    /// the same
    pub limit: ImpulseLimit,
    /// impulses on bodies in this step, and their moments about the centres of mass, world axes
    pub(super) impulses: Vec<[Vec3; 2]>,
    /// bodies whose group collides
    pub colliding: Vec<bool>,
    /// how collisions are resolved
    pub resolution: Resolution,
    /// velocities of the sides of a problem, for collisions body by body
    pub(super) side_rates: Room<f64>,
    /// whose velocities the groups of a problem are, likewise
    pub(super) movers: Room<(u32, Mover)>,
    /// contacts of the last step that may be recognised by their place, by their bodies
    pub(super) places: Room<u32>,
    /// touches by their numbers in the problem
    pub(super) numbered: Room<u32>,
    /// who leads the group of a body
    pub(super) leaders: Vec<u32>,
    /// law of pairs whose surfaces name none, and of stops
    pub law: ContactLaw,
    /// what the solvers may do in this step
    pub visits: Purse,
    /// what collision detection found anew, and could not
    pub pairs: Purse,
    /// parts of the step that are still to come, this one included
    pub parts_left: usize,
    pub(super) groups: Groups,
    /// which island a body or link belongs to
    pub(super) island_of: Vec<Option<usize>>,
    /// islands that touch something, and those that a push moved
    pub(super) joined: Vec<bool>,
    /// islands that a push moved
    pub pushed_islands: Vec<bool>,
    /// per element with stops or dry friction: island and place in it, rows, numbers in the
    /// problem
    pub(super) stop_at: Vec<(usize, usize)>,
    pub(super) stop_blocks: Vec<ForceBlock>,
    pub(super) stop_numbers: Vec<[Option<usize>; 3]>,
    /// velocities of the rows of each touch at the start
    pub(super) rates: Vec<[f64; 6]>,
    pub(super) graph: Graph,
    /// who sleeps, in the attempt at hand
    pub sleep: Sleep,
    /// when piles sleep
    pub sleeping: Sleeping,
    pub(super) points: Points,
    /// bodies that touch, in the phase at work
    pub(super) frames: Vec<Frame>,
    /// bodies that touch, or are touched in their sleep: where they begin
    pub(super) starts: Vec<Start>,
    near: Vec<bool>,
    /// how far the moving bodies reach from their centres [m]
    pub(super) spans: Vec<f64>,
    /// speed of the fastest point of a body in the middle of the step without contact at most
    /// [m/s], and how fast it turns [rad/s]; and its turning, world axes
    pub(super) paces: Vec<[f64; 2]>,
    pub(super) spins: Vec<Vec3>,
    /// speeds at which others run into a body in this step [m/s]
    pub(super) pushes: Vec<f64>,
    /// free bodies that touch: predicted rate, and midpoint velocity without contact
    pub w_star: Vec<Vec3>,
    /// bodies on which contacts over a volume act: their rate was chosen with those forces
    pub pressing: Vec<bool>,
    pub(super) mid: Vec<Vec6>,
    pub(super) jacobian: Vec<f64>,
    pub(super) response: Vec<f64>,
    /// forces of contact, per body and per subsystem, as the midpoint phase found them
    pub wrenches: Vec<Vec6>,
    /// the same on `ξ`
    pub forces: Vec<Vec<f64>>,
    /// bodies and systems whose velocity jumped
    pub struck: (Vec<bool>, Vec<bool>),
    /// bodies that touch something
    pub touching: Vec<bool>,
    /// How this step goes.
    pub report: ContactReport,
    /// Power that the law created in the midpoint phase [W]; 0 for a passive one.
    pub created: f64,
    /// islands that phase I cleaned
    pub(super) cleaned: Vec<bool>,
    /// rates of stops and dry friction at the start of the step
    pub(super) stop_rates: Vec<f64>,
    /// bounding radii of the moving bodies [m]
    pub(super) radii: Vec<f64>,
    /// islands on which points push
    pub(super) pressed: Vec<bool>,
    /// roots of piles that are struck
    pub(super) struck_roots: Vec<bool>,
}

/// Bounding radii of the moving bodies [m].
fn radii(model: &Model) -> Vec<f64> {
    let mut radii = vec![0.0; model.moving.len()];
    for body in &model.bodies {
        if let (Some(node), Some(shape)) = (body.moving, &body.shape) {
            radii[node] = shape.bounding_radius();
        }
    }
    radii
}

/// How far the moving bodies reach from their centres of mass at most [m].
fn spans(model: &Model) -> Vec<f64> {
    let mut spans = radii(model);
    for body in &model.bodies {
        if let Some(node) = body.moving {
            spans[node] += body.center_of_mass.norm();
        }
    }
    spans
}

/// Work space for a model: whatever `ContactModel` allows, every stop and all dry friction.
fn capacity(model: &Model, points: usize) -> Capacity {
    let widths = |block: &Block| match *block {
        Block::Body(_) => 6,
        Block::System(s) => model.systems[s].law.freedoms(),
    };
    let island_dim = |i: &crate::model::Island| -> usize {
        6 * i.bodies.len() + i.systems.iter().map(|&s| widths(&Block::System(s))).sum::<usize>()
    };
    let widest = model.islands.iter().map(island_dim).max().unwrap_or(6).max(6);
    let bodies = model.moving.len() + model.systems.len();
    let coordinates: usize =
        6 * model.moving.len() + model.systems.iter().map(|s| s.law.freedoms()).sum::<usize>();
    let elements = model.elements.len();
    let joint_rows: usize = model.elements.iter().map(|e| e.kind.rows()).sum();
    let own = model.contact.as_ref().map_or(3, |c| c.rows);
    let width = model.systems.iter().map(|s| s.law.freedoms()).max().unwrap_or(6);
    let rows = own * points + joint_rows + 2 * elements;
    Capacity {
        groups: bodies,
        coordinates,
        contacts: points + 3 * elements,
        rows,
        sides: 2 * points + 12 * elements,
        jacobian: rows * 2 * width.max(12),
        response: rows * 2 * widest,
    }
}

impl Stage {
    /// Space for a model; `None` if nothing can touch and no joint has stops or dry friction.
    pub fn new(model: &Model) -> Option<Self> {
        let stops = model.elements.iter().any(|e| e.is_bounded());
        let found = model.contact.as_ref();
        if found.is_none() && !stops {
            return None;
        }
        let none = || CollisionPipeline::new(0, &[], Default::default()).ok();
        let pipeline = found.map(|c| c.pipeline.furnished()).or_else(none)?;
        let points = found.map_or(0, |c| c.capacity);
        let (bodies, systems) = (model.moving.len(), model.systems.len());
        let (mut stop_at, mut stop_blocks) = (Vec::new(), Vec::new());
        for (i, island) in model.islands.iter().enumerate() {
            let blank = stamp::blank(model, island);
            for (local, &e) in island.elements.iter().enumerate() {
                if model.elements[e].is_bounded() {
                    stop_at.push((i, local));
                    stop_blocks.push(blank.forces[local].clone());
                }
            }
        }
        let capacity = capacity(model, points);
        let widest = capacity.coordinates.max(6);
        Some(Self {
            pipeline,
            poses: vec![Isometry::identity(); found.map_or(0, |_| model.bodies.len())],
            touches: Room::with_capacity(points),
            memory: Room::with_capacity(points),
            missed: 0,
            stops: vec![0.0; 3 * model.elements.len()],
            cone: ConeProblem::new(capacity),
            settings: ConeSettings::default(),
            coherence: Coherence::default(),
            limit: ImpulseLimit::default(),
            impulses: vec![[Vec3::zeros(); 2]; bodies],
            colliding: vec![false; bodies],
            resolution: Resolution::default(),
            side_rates: Room::default(),
            movers: Room::default(),
            places: Room::with_capacity(points),
            numbered: Room::with_capacity(capacity.contacts),
            leaders: vec![0; bodies],
            law: ContactLaw::Cone,
            visits: Purse::default(),
            pairs: Purse::default(),
            parts_left: 1,
            groups: Groups { bodies: vec![None; bodies], islands: vec![None; model.islands.len()] },
            island_of: model.island_of(),
            joined: vec![false; model.islands.len()],
            pushed_islands: vec![false; model.islands.len()],
            stop_numbers: vec![[None; 3]; stop_at.len()],
            stop_rates: vec![0.0; stop_at.len()],
            stop_at,
            stop_blocks,
            rates: vec![[0.0; 6]; points],
            graph: Graph::new(model, points),
            sleep: Sleep::new(bodies),
            sleeping: Sleeping::default(),
            points: Points::new(bodies, points),
            frames: vec![Frame::default(); bodies],
            starts: vec![Start::default(); bodies],
            near: vec![false; bodies],
            spans: spans(model),
            paces: vec![[0.0; 2]; bodies],
            spins: vec![Vec3::zeros(); bodies],
            pushes: vec![0.0; bodies],
            w_star: vec![Vec3::zeros(); bodies],
            pressing: vec![false; bodies],
            mid: vec![Vec6::zeros(); bodies],
            jacobian: vec![0.0; 24 * widest],
            response: vec![0.0; 24 * widest],
            wrenches: vec![Vec6::zeros(); bodies],
            forces: model.systems.iter().map(|s| vec![0.0; s.law.freedoms()]).collect(),
            struck: (vec![false; bodies], vec![false; systems]),
            touching: vec![false; bodies],
            report: ContactReport::default(),
            created: 0.0,
            cleaned: vec![false; model.islands.len()],
            radii: radii(model),
            pressed: vec![false; model.islands.len()],
            struck_roots: vec![false; bodies + model.islands.len()],
        })
    }

    /// Finds who touches whom at a state, out to what may be reached in a step of `h` [s].
    pub fn collide(
        &mut self,
        carry: &Carry,
        (model, params): (&Model, &Params),
        state: &State,
        h: f64,
    ) {
        self.missed = 0;
        if model.contact.is_some() {
            let fastest = self.place(model, state);
            let sleep = &carry.sleep;
            let still = |b: usize| model.bodies[b].moving.is_none_or(|n| sleep.is_asleep(n));
            self.pipeline.freeze(still);
            let margin = h * (2.0 * fastest + 2.0 * h * params.gravity.norm()) + 1e-5;
            let any = params.surfaces.any_soft();
            let soft = |a: usize, b: usize| match any {
                true => params.surfaces.listing(a, b),
                false => Listing::Contacts,
            };
            self.pipeline.foresee(4.0 * h * h * params.gravity.norm() + 1e-6, |b| {
                let none = Vec3::zeros();
                model.bodies[b].moving.map_or([none; 3], |n| {
                    let s = &state.bodies[n];
                    [s.x, s.v * h, s.q * s.omega * h]
                })
            });
            let last = &carry.collision;
            let found = self.pipeline.update_apart(last, &self.poses, margin.min(1e3), soft);
            self.missed = found.contacts_dropped + found.pairs_dropped;
            self.pairs.spent = found.pairs_found as u64;
            self.pairs.cut = found.pairs_repeated as u64;
        }
    }

    /// Says what the step that begins may cost.
    pub fn grant(&mut self, budget: &Counts) {
        self.visits = Purse::new(budget.visits);
        self.pairs = Purse::new(budget.pairs);
        self.pipeline.limit(usize::try_from(budget.pairs).unwrap_or(usize::MAX));
    }

    /// Takes the poses of all bodies; returns the speed of the fastest point [m/s].
    fn place(&mut self, model: &Model, state: &State) -> f64 {
        let mut fastest: f64 = 0.0;
        for (pose, body) in self.poses.iter_mut().zip(&model.bodies) {
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
    pub fn begin(
        &mut self,
        carry: &Carry,
        (model, params): (&Model, &Params),
        state: &State,
        h: f64,
    ) {
        self.recall(carry);
        self.impulses.fill([Vec3::zeros(); 2]);
        self.report = ContactReport { scale: 1.0, dropped: self.missed, ..Default::default() };
        self.memory.clear();
        self.touches.clear();
        self.list_places(carry);
        for i in 0..self.pipeline.manifolds().len() {
            self.add_manifold(carry, (model, params), (state, h), i);
        }
        self.report.points = self.touches.len();
    }

    /// Begins a part of a step of so many parts: hands over what the part before left.
    pub fn begin_share(&mut self, part: u32, parts: u32) {
        self.parts_left = (parts - part) as usize;
        if part == 0 {
            return;
        }
        for (touch, memory) in self.touches.iter_mut().zip(&self.memory) {
            let Memory { force, torque, stuck, met, pending } = *memory;
            (touch.force, touch.torque, touch.stuck) = (force, torque, stuck);
            (touch.known, touch.pending) = (touch.known || met, pending);
        }
    }

    /// Forgets all forces on a moving body.
    pub fn forget(&mut self, node: usize) {
        for (touch, memory) in self.touches.iter_mut().zip(&mut self.memory) {
            if touch.nodes.contains(&Some(node)) {
                *memory = Memory::default();
                (touch.force, touch.torque) = (Vec3::zeros(), Vec3::zeros());
                touch.impulse = Vec3::zeros();
            }
        }
    }

    fn add_manifold(
        &mut self,
        carry: &Carry,
        (model, params): (&Model, &Params),
        (state, h): (&State, f64),
        index: usize,
    ) {
        let (manifold, before, from) = (self.pipeline.manifolds()[index], &carry.memory, carry);
        let bodies = [manifold.body_a as usize, manifold.body_b as usize];
        let material = params.surfaces.material(bodies[0], bodies[1]);
        let (tangents, law) = (tangents(&manifold.normal), material.law.unwrap_or(self.law));
        let carry = |side: usize, local: &Vec3, world: &Vec3| {
            let info = &model.bodies[bodies[side]];
            let inward = if side == 0 { -manifold.normal } else { manifold.normal };
            Carried::of(info, &self.poses[bodies[side]], (local, world), &inward)
        };
        for found in &self.pipeline.contacts()[manifold.range()] {
            if self.touches.len() == self.touches.capacity() {
                self.report.dropped += 1;
                continue;
            }
            let last = found.previous.and_then(|i| before.get(i as usize)).copied();
            let memory = last.unwrap_or_default();
            let a = carry(0, &found.local_a, &found.point_a);
            let b = carry(1, &found.local_b, &found.point_b);
            let mut touch = Touch {
                bodies,
                nodes: [a.node, b.node],
                points: [a.point, b.point],
                arms: [a.arm, b.arm],
                rims: [a.rim, b.rim],
                leans: [0.0; 2],
                normal: manifold.normal,
                point: (found.point_a + found.point_b) * 0.5,
                gap: found.gap,
                id: found.id,
                event: if last.is_some() { TouchEvent::Stay } else { TouchEvent::Begin },
                force: memory.force,
                torque: memory.torque,
                impulse: Vec3::zeros(),
                collides: false,
                yields: manifold.listed,
                known: memory.met,
                pending: memory.pending,
                met: false,
                material,
                law,
                stuck: memory.stuck,
                count: material.rows(),
                tangents,
                number: None,
                spot: None,
            };
            if last.is_none() {
                touch.stuck = touch.slip(state) * h < STILL;
            }
            if touch.yields && !touch.known {
                touch.known = self.is_known(from, &touch, state, h);
            }
            self.touches.push(touch);
            self.memory.push(Memory::default());
        }
    }

    /// Forgets what jumped; call at the start of a part of a step.
    pub fn begin_part(&mut self, state: &State) {
        self.restart();
        self.struck.0.fill(false);
        self.struck.1.fill(false);
        self.touching.fill(false);
        self.created = 0.0;
        self.wrenches.fill(Vec6::zeros());
        self.forces.iter_mut().for_each(|f| f.fill(0.0));
        self.near.fill(false);
        for touch in &mut self.touches {
            if self.sleep.holds(touch) {
                continue;
            }
            for node in touch.nodes.into_iter().flatten() {
                self.touching[node] = !self.sleep.is_asleep(node);
                if !std::mem::replace(&mut self.near[node], true) {
                    self.starts[node] = Start::of(&state.bodies[node], self.spans[node]);
                }
            }
            touch.begin(&self.starts);
        }
    }

    /// Takes the velocities of bodies that phase I left.
    pub(super) fn begin_hold(&mut self, state: &State) {
        for (b, start) in self.starts.iter_mut().enumerate() {
            if self.near[b] {
                start.hasten(&state.bodies[b], self.spans[b]);
            }
        }
    }

    /// Finds the islands that something touches by the law of the cone, or whose joints have stops
    /// or dry friction under it.
    pub(super) fn join_islands(&mut self) {
        self.joined.fill(false);
        for touch in self.touches.iter().filter(|t| t.is_conic() || t.collides) {
            for i in touch.nodes.into_iter().flatten().filter_map(|b| self.island_of[b]) {
                self.joined[i] = true;
            }
        }
        if self.has_conic_stops() {
            self.stop_at.iter().for_each(|&(i, _)| self.joined[i] = true);
        }
    }

    /// How far the measure of a stop is from its lower and its upper end [m or rad],
    /// at the true strains `G`.
    pub(super) fn stop_gaps(&self, site: &Site, strains: &[Vec6], k: usize) -> [f64; 2] {
        let (i, local) = self.stop_at[k];
        let e = site.model.islands[i].elements[local];
        let place = strains[e][0] + site.params.elements[e].rest[0];
        let ends = site.model.elements[e].stops;
        ends.map_or([f64::INFINITY; 2], |[lower, upper]| [place - lower, upper - place])
    }

    /// Writes the row of stop `k`, over the predicted step or as it is.
    pub(super) fn measure_stop(
        &mut self,
        site: &mut Site,
        k: usize,
        twists: Option<&[Vec6]>,
        rule: &Rule,
    ) {
        let (i, local) = self.stop_at[k];
        let e = site.model.islands[i].elements[local];
        let at = twists.map_or(At::Now, |twists| At::Step(twists, rule));
        stamp::jacobians(site, e, at, &mut self.stop_blocks[k]);
    }

    /// Measure of a stop's element [m or rad], and its rate at the present velocity.
    pub(super) fn stop_motion(&self, site: &Site, k: usize, e: usize) -> (f64, f64) {
        let (i, _) = self.stop_at[k];
        let island = &site.model.islands[i];
        let rate = self.stop_blocks[k].sides.iter().map(|side| {
            match side.block.checked_sub(island.bodies.len()) {
                None => {
                    let u = site.state.bodies[island.bodies[side.block]].twist();
                    dot6(&side.jacobian[0], &u.into())
                }
                Some(w) => {
                    let xi = &site.state.systems[island.systems[w]].xi;
                    side.wide.iter().zip(xi).map(|(j, x)| j * x).sum::<f64>()
                }
            }
        });
        (site.state.strain[e][0] + site.params.elements[e].rest[0], rate.sum())
    }

    /// Rate of a stop's element at the midpoint velocity of its island.
    pub(super) fn stop_rate(&self, k: usize, at: &Solution) -> f64 {
        let sides = self.stop_blocks[k].sides.iter();
        let of = |side: &Side| match side.block.checked_sub(at.velocities.len()) {
            None => dot6(&side.jacobian[0], &at.velocities[side.block].into()),
            Some(w) => side.wide.iter().zip(&at.wide[w]).map(|(j, x)| j * x).sum::<f64>(),
        };
        sides.map(of).sum()
    }

    /// Energy lost by rubbing in the midpoint phase [J].
    pub fn rubbed(&self, h: f64) -> f64 {
        let of = |n: usize| {
            let (l, v, carry) = (self.cone.lambda(n), self.cone.velocity(n), self.cone.carry(n));
            let rows = l.iter().zip(v.iter().zip(carry)).skip(1);
            -h * rows.map(|(l, (v, carry))| l * (v + carry)).sum::<f64>()
        };
        let touches: f64 = self.touches.iter().filter_map(|t| t.number).map(of).sum();
        let problem = &self.points.problem;
        let at = |n: usize| {
            let (l, u) = (problem.lambda(n), problem.rates(n));
            -h * (l[1] * u[1] + l[2] * u[2])
        };
        let points: f64 = self.touches.iter().filter_map(|t| t.spot).map(at).sum();
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
