//! Forces of the midpoint solve, for all bodies that press on each other at once.

use super::island_side::{IslandSide, Seat, rate};
use super::pile::Coupling;
use super::pressing::{Linear, Pressing};
use super::slope::Rows;
use super::stage::VolumeStage;
use crate::contact::frame::Frame;
use crate::contact::{Drive, Site, Stage, Toolbox};
use crate::math::{Mat3, Mat6, Vec3, Vec6, angular, join, so3};
use crate::model::BodyParams;
use crate::predict::free_rotation;
use crate::solve::Tools;
use crate::stamp::{self, Rule};

/// Solves after the first, for contacts that turned out otherwise.
const AGAIN: usize = 2;
/// Solves after those, while springs would give more than they have; in the last one none can.
const BOUNDED: usize = 4;

impl VolumeStage {
    /// Finds the forces of the step and adds them to the islands' systems and to the wrenches that
    /// act on bodies.
    pub fn press(
        &mut self,
        site: &mut Site,
        islands: &mut Toolbox,
        stage: &mut Stage,
        drive: Drive,
        rule: &Rule,
    ) {
        stage.bodies.pressing.fill(false);
        let pressed = self.pressings.iter().flat_map(|p| p.pair.nodes).flatten();
        pressed.for_each(|n| stage.bodies.pressing[n] = true);
        self.turn_others(site, stage, drive.wrenches, rule);
        if self.pressings.is_empty() {
            return;
        }
        self.frame(site, stage, &drive, rule);
        let wrenches = drive.wrenches;
        self.answer(site, islands);
        for attempt in 0..=AGAIN + BOUNDED {
            self.assemble(site, islands, stage, wrenches, rule);
            if !self.pile.solve() {
                self.pressings.iter_mut().for_each(|p| {
                    (p.springs.off, p.parts) = (true, Default::default());
                });
                break;
            }
            if !self.review(site, islands, (attempt, rule.h)) {
                break;
            }
        }
        self.act(site, islands, wrenches);
    }

    /// Bodies near a layer that press on nothing turn as they do without contact: where no points
    /// touch, nobody else says how.
    fn turn_others(&self, site: &Site, stage: &mut Stage, wrenches: &[Vec6], rule: &Rule) {
        for node in self.near.iter().flat_map(|(_, nodes)| *nodes).flatten() {
            if !stage.bodies.pressing[node] && site.model.units.island_of(node).is_none() {
                stage.bodies.w_star[node] = turning_alone(site, node, wrenches, rule);
            }
        }
    }

    /// Rows of all contacts, over the step that is predicted.
    fn frame(&mut self, site: &Site, stage: &mut Stage, drive: &Drive, rule: &Rule) {
        let Drive { twists, wrenches } = drive;
        self.seats.iter_mut().for_each(|seat| seat.frame = None);
        for pressing in &mut self.pressings {
            for (side, sign) in [(0, -1.0), (1, 1.0)] {
                let Some(node) = pressing.pair.nodes[side] else { continue };
                let s = &site.state.bodies[node];
                let turning = || {
                    if site.model.units.island_of(node).is_some() {
                        return Frame::turning(s, &angular(&twists[node]), rule.h);
                    }
                    let w = turning_alone(site, node, wrenches, rule);
                    stage.bodies.w_star[node] = w;
                    Frame::turning(s, &w, rule.h)
                };
                let frame = self.seats[node].frame.get_or_insert_with(turning);
                let axes = pressing.region.axes.map(|axis| axis * sign);
                pressing.rows[side] = rows(&axes, &pressing.region.arms[side], frame);
            }
        }
    }

    /// Answers of islands to the contacts on their bodies.
    fn answer(&mut self, site: &mut Site, islands: &mut Toolbox) {
        self.answers.clear();
        for (k, pressing) in self.pressings.iter().enumerate() {
            for side in 0..2 {
                let Some(node) = pressing.pair.nodes[side] else { continue };
                if let Some(i) = site.model.units.island_of(node) {
                    let rows = pressing.rows[side].matrix();
                    let seat = Seat { pressing: k, island: i, node };
                    self.answers.add(site, &mut islands[i], seat, &rows);
                }
            }
        }
    }

    /// The system of all free bodies that press, and of the wrenches on islands.
    fn assemble(
        &mut self,
        site: &Site,
        islands: &Toolbox,
        stage: &Stage,
        wrenches: &[Vec6],
        rule: &Rule,
    ) {
        self.pile.clear();
        self.seats.iter_mut().for_each(|seat| seat.number = None);
        for node in self.pressings.iter().flat_map(|p| p.pair.nodes).flatten() {
            if self.seats[node].number.is_none() && site.model.units.island_of(node).is_none() {
                let (p, s) = (&site.params.bodies[node], &site.state.bodies[node]);
                let weight = join(&(site.params.gravity * p.mass), &Vec3::zeros());
                let inertia = stamp::mass_vector(p) * rule.inertia;
                let rhs = inertia.component_mul(&s.twist()) + wrenches[node] + weight;
                let block = free_block(p, &stage.bodies.w_star[node], rule);
                self.seats[node].number = Some(self.pile.node(block, rhs));
            }
        }
        for k in 0..self.pressings.len() {
            let on_island = self.answers.sides.iter().any(|s| s.pressing == k);
            if on_island {
                self.add_wrench(islands, k, rule.h);
            } else {
                self.add_springs(k, rule.h);
            }
        }
        self.couple_islands(rule.h);
    }

    /// A contact between free bodies and fixed ones: `Jᵀ K J` in their blocks.
    fn add_springs(&mut self, k: usize, h: f64) {
        let pressing = &self.pressings[k];
        let Linear { start, slope } = pressing.linear(h);
        let numbers = pressing.pair.nodes.map(|node| node.and_then(|n| self.seats[n].number));
        let [ja, jb] = &pressing.rows;
        for (number, j) in numbers.iter().zip([ja, jb]) {
            if let Some(number) = *number {
                self.pile.add(number, &slope.about(j), &j.back(&start));
            }
        }
        if let [Some(a), Some(b)] = numbers {
            let ab = slope.between(ja, jb);
            self.pile.couple(a, b, &Coupling { first: ab, second: ab.transpose() });
        }
    }

    /// A contact on an island: its wrench is an unknown, `λ + K W λ + K J û = start − K u₀`.
    fn add_wrench(&mut self, islands: &Toolbox, k: usize, h: f64) {
        let Linear { start, slope } = self.pressings[k].linear(h);
        let slope = slope.matrix();
        let (mut moved, mut mobility) = (Vec6::zeros(), Mat6::zeros());
        let own = |s: &&IslandSide| s.pressing == k;
        for side in self.answers.sides.iter().filter(own) {
            moved += self.answers.twist(side, &islands[side.island]);
            for other in self.answers.sides.iter().filter(own) {
                if other.island == side.island {
                    mobility += self.answers.mobility(side, other);
                }
            }
        }
        let block = Mat6::identity() + slope * mobility;
        self.pile.general = true;
        let number = self.pile.node(block, start - slope * moved);
        self.answers.sides.iter_mut().filter(|s| s.pressing == k).for_each(|s| s.number = number);
        let pressing = &self.pressings[k];
        for (node, j) in pressing.pair.nodes.iter().zip(&pressing.rows) {
            if let Some(body) = node.and_then(|n| self.seats[n].number) {
                let j = j.matrix();
                let blocks = Coupling { first: slope * j, second: -j.transpose() };
                self.pile.couple(number, body, &blocks);
            }
        }
    }

    /// Contacts on one island move each other.
    fn couple_islands(&mut self, h: f64) {
        for c in 0..self.answers.sides.len() {
            for d in 0..c {
                let (one, two) = (self.answers.sides[c], self.answers.sides[d]);
                if one.island != two.island || one.pressing == two.pressing {
                    continue;
                }
                let [k, l] = [one, two].map(|s| self.pressings[s.pressing].linear(h).slope);
                let cd = k.matrix() * self.answers.mobility(&one, &two);
                let dc = l.matrix() * self.answers.mobility(&two, &one);
                let blocks = Coupling { first: cd, second: dc };
                self.pile.couple(one.number, two.number, &blocks);
            }
        }
    }

    /// Twist of contact `k` as solved.
    fn twist(&self, islands: &Toolbox, k: usize) -> Vec6 {
        let pressing = &self.pressings[k];
        let mut u = Vec6::zeros();
        for (node, j) in pressing.pair.nodes.iter().zip(&pressing.rows) {
            if let Some(number) = node.and_then(|n| self.seats[n].number) {
                u += j.times(self.pile.value(number));
            }
        }
        for side in self.answers.sides.iter().filter(|s| s.pressing == k) {
            u += self.answers.twist(side, &islands[side.island]);
            for other in self.answers.sides.iter().filter(|o| o.island == side.island) {
                u += self.answers.mobility(side, other) * self.pile.value(other.number);
            }
        }
        u
    }

    /// Forces at the solved motion; true if some contact turned out otherwise than assumed.
    fn review(&mut self, site: &Site, islands: &Toolbox, (attempt, h): (usize, f64)) -> bool {
        let (mut changed, mut credit) = (false, self.means.credit);
        for k in 0..self.pressings.len() {
            let u = self.twist(islands, k);
            let pressing = &mut self.pressings[k];
            pressing.split(h, &u);
            if pressing.springs.off || attempt == AGAIN + BOUNDED {
                continue;
            }
            let spots = &self.spots[pressing.region.spots.0..pressing.region.spots.1];
            let mut again = pressing.stop_pulling();
            if !again {
                let estimates = attempt < AGAIN && !self.means.cautious;
                again = estimates && pressing.stay_within_store(site, h, &u);
                let short = if again { 0.0 } else { pressing.shortage(site, h, &u) };
                if short <= credit {
                    credit -= short;
                } else {
                    again = pressing.begin_from_store(spots, h, &u);
                }
                again |= pressing.review_rubbing(spots, h, &u);
            }
            if again {
                pressing.split(h, &u);
                changed = true;
            }
        }
        if changed && attempt + 1 == AGAIN + BOUNDED {
            self.bound_all(islands, h);
        }
        changed
    }

    /// Springs of all contacts begin with what their stores have, friction brakes whatever the
    /// motion: no solve after this can leave a store short.
    fn bound_all(&mut self, islands: &Toolbox, h: f64) {
        for k in 0..self.pressings.len() {
            let u = self.twist(islands, k);
            let pressing = &mut self.pressings[k];
            let spots = &self.spots[pressing.region.spots.0..pressing.region.spots.1];
            pressing.begin_from_store(spots, h, &u);
        }
    }

    /// Lets the forces act.
    fn act(&mut self, site: &mut Site, islands: &mut Toolbox, wrenches: &mut [Vec6]) {
        for pressing in &self.pressings {
            let lambda = pressing.parts.sum();
            for (node, j) in pressing.pair.nodes.iter().zip(&pressing.rows) {
                let Some(node) = *node else { continue };
                let push = j.back(&lambda);
                self.wrenches[node] += push;
                if self.seats[node].number.is_some() {
                    wrenches[node] += push;
                }
            }
        }
        for side in &self.answers.sides {
            let lambda = self.pressings[side.pressing].parts.sum();
            self.answers.push(site, &mut islands[side.island], side, &lambda, wrenches);
        }
        for (i, tools) in islands.entries_mut() {
            if self.answers.sides.iter().any(|s| s.island == i) {
                let Tools { problem, solution, solver } = tools;
                solver.solve_factored(problem, solution);
            }
        }
    }

    /// Twists of all contacts at the midpoint velocities of a step.
    pub(super) fn rate_of(&self, k: usize, mid: &[Vec6]) -> Vec6 {
        rate(&self.pressings[k], mid)
    }
}

impl Pressing {
    /// A contact that would pull lets go.
    fn stop_pulling(&mut self) -> bool {
        self.springs.off = !(self.pressure() >= 0.0);
        self.springs.off
    }
}

/// Rows of a contact towards the twist of a body: along `axes`, at `arm` from its centre [m].
fn rows(axes: &[Vec3; 3], arm: &Vec3, frame: &Frame) -> Rows {
    let across = |v: [Vec3; 3]| Mat3::from_columns(&v).transpose();
    Rows {
        axes: across(*axes),
        lever: across(axes.map(|axis| frame.lever * arm.cross(&axis))),
        turn: across(axes.map(|axis| frame.lever * axis)),
    }
}

/// Rate of a free body at the middle of the step, without contact.
fn turning_alone(site: &Site, node: usize, wrenches: &[Vec6], rule: &Rule) -> Vec3 {
    let (p, s) = (&site.params.bodies[node], &site.state.bodies[node]);
    free_rotation(&p.inertia, p.angular_damping, &s.omega, &angular(&wrenches[node]), rule.h)
}

/// `2M/h + C + B` of a free body about the rate `w_star`.
fn free_block(p: &BodyParams, w_star: &Vec3, rule: &Rule) -> Mat6 {
    let diagonal = stamp::mass_vector(p) * rule.inertia + stamp::damping_vector(p);
    let mut block = Mat6::from_diagonal(&diagonal);
    let mut view = block.fixed_view_mut::<3, 3>(3, 3);
    view -= so3::skew(&p.inertia.component_mul(w_star));
    block
}
