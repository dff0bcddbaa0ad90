//! From touches and stops to a cone problem: groups, rows, responses.

use super::Site;
use super::frame::Frame;
use super::stage::Stage;
use super::touch::SideRows;
use crate::math::{Vec6, angular, linear};
use crate::model::{Block, Island, Model};
use crate::solve::Tools;
use crate::solve::cone::{Contact, Law, PointSide, Side};
use crate::stamp::{self, Rule};

/// Part of its mobility without joints below which a stop moves nothing.
const IMMOBILE: f64 = 1e-12;
/// The same for a touch: where joints hold both bodies, its mobility is the rounding of a refined
/// answer. Not more than that, because a stiff spring may leave less than a stop's part, and a body
/// on it must not be passed.
const HELD: f64 = 64.0 * f64::EPSILON;

/// Which matrix answers to forces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Metric {
    /// `M`: impulses and displacements.
    Mass,
    /// `2M/h + C + B`: midpoint forces.
    Step,
}

/// Numbers of a contact besides its sides.
#[derive(Debug, Clone, Copy)]
pub(super) struct Terms<'a> {
    pub law: Law,
    pub target: f64,
    pub restitution: f64,
    pub bias: &'a [f64],
    pub carry: &'a [f64],
    pub start: &'a [f64],
    /// how much smaller responses are than by masses alone [s or 1]
    pub scale: f64,
}

/// A side being built; its rows lie in the buffers of the stage.
#[derive(Debug, Clone, Copy, Default)]
struct Built {
    group: usize,
    /// velocity block in its island's system
    place: usize,
    column: usize,
    jacobian: (usize, usize),
    response: (usize, usize),
}

impl Built {
    fn end(&self) -> At {
        At { rows: self.jacobian.1, answers: self.response.1 }
    }
}

/// Where the next rows and answers go in the buffers of the stage.
#[derive(Debug, Clone, Copy, Default)]
struct At {
    rows: usize,
    answers: usize,
}

/// First coordinate of a velocity block inside its island's group.
fn column(model: &Model, island: &Island, place: usize) -> usize {
    let bodies = island.bodies.len();
    if place < bodies {
        return 6 * place;
    }
    let before = &island.systems[..place - bodies];
    6 * bodies + before.iter().map(|&s| model.systems[s].law.freedoms()).sum::<usize>()
}

/// Mobility of the first row of a touch without any joints.
fn bare_mobility(site: &Site, nodes: [Option<usize>; 2], sides: &[SideRows; 2]) -> f64 {
    let of = |(node, rows): (Option<usize>, &SideRows)| {
        let mass = stamp::mass_vector(&site.params.bodies[node?]);
        Some(rows[0].iter().zip(mass.iter()).map(|(j, m)| j * j / m).sum::<f64>())
    };
    nodes.into_iter().zip(sides).filter_map(of).sum()
}

/// Sum of the velocities of an island.
pub(super) fn dimension(model: &Model, island: &Island) -> usize {
    column(model, island, island.bodies.len() + island.systems.len())
}

impl Stage {
    /// Empties the problem and the groups.
    pub(super) fn restart(&mut self) {
        self.cone.clear();
        self.rows.groups.clear();
        self.points.clear();
        self.touches.iter_mut().for_each(|t| (t.seat.number, t.seat.spot) = (None, None));
    }

    fn free_group(&mut self, body: usize) -> Option<usize> {
        if let Some(group) = self.rows.groups.bodies[body] {
            return Some(group as usize);
        }
        let group = self.cone.group(6)?;
        self.rows.groups.bodies[body] = Some(group as u32);
        Some(group)
    }

    fn island_group(&mut self, model: &Model, i: usize) -> Option<usize> {
        if let Some(group) = self.rows.groups.islands[i] {
            return Some(group as usize);
        }
        let group = self.cone.group(dimension(model, &model.islands[i]))?;
        self.rows.groups.islands[i] = Some(group as u32);
        Some(group)
    }

    /// Finds the frames of the bodies that touch: as they are, or over a step at their rates.
    pub(super) fn frame_bodies(
        &mut self,
        site: &Site,
        metric: Metric,
        rule: &Rule,
        twists: &[Vec6],
    ) {
        for (b, s) in site.state.bodies.iter().enumerate() {
            if !self.bodies.touching[b] {
                continue;
            }
            let free = self.islands.of[b].is_none();
            let lone = self.islands.of[b].is_some_and(|i| self.graph.lone[i]);
            let frame = match metric {
                Metric::Mass => Frame::still(s),
                Metric::Step if free => Frame::turning(s, &self.bodies.w_star[b], rule.h),
                Metric::Step => Frame::turning(s, &angular(&twists[b]), rule.h),
            };
            self.bodies.frames[b] = if free || (lone && metric == Metric::Mass) {
                frame.alone(&site.params.bodies[b], metric, &self.bodies.w_star[b], rule.h)
            } else {
                frame
            };
        }
    }

    /// Tells the problem what force would stop each group alone: `M |u|`, turns counted by the
    /// radius of gyration, divided by the time it may take.
    pub(super) fn weigh_groups(&mut self, site: &Site, islands: &[Tools], rate: Option<f64>) {
        let size = |b: usize, u: &Vec6| {
            let p = &site.params.bodies[b];
            let turn = angular(u).component_mul(&p.inertia.map(f64::sqrt)).norm();
            p.mass * linear(u).norm() + p.mass.sqrt() * turn
        };
        let factor = rate.unwrap_or(1.0);
        for (b, group) in self.rows.groups.bodies.iter().enumerate() {
            let Some(group) = group else { continue };
            let u = if rate.is_some() { self.bodies.mid[b] } else { site.state.bodies[b].twist() };
            self.cone.weigh(*group as usize, factor * size(b, &u));
        }
        for (i, island) in site.model.islands.iter().enumerate() {
            let Some(group) = self.rows.groups.islands[i] else { continue };
            let found = &islands[i].solution.velocities;
            let body = |(k, &b): (usize, &usize)| match rate {
                Some(_) => size(b, &found[k]),
                None => size(b, &site.state.bodies[b].twist()),
            };
            let mut sum: f64 = island.bodies.iter().enumerate().map(body).sum();
            for n in island.systems.iter().flat_map(|&s| site.model.systems[s].nodes.clone()) {
                sum += size(n, &site.state.bodies[n].twist());
                sum += site.params.bodies[n].mass * site.params.gravity.norm() / factor;
            }
            self.cone.weigh(group as usize, factor * sum);
        }
    }

    /// The first `count` rows of contact `t`, per side; those of a fixed side are not written.
    #[inline]
    pub(super) fn sides(&self, t: usize, count: usize, out: &mut [SideRows; 2]) {
        let touch = &self.touches[t];
        let frames = touch.nodes().map(|node| node.map(|n| &self.bodies.frames[n]));
        let arms = touch.levers(frames);
        for (side, out) in out.iter_mut().enumerate() {
            if let Some(frame) = frames[side] {
                touch.rows(side, frame, &arms[side], &mut out[..count]);
            }
        }
    }

    /// Adds contact `t` with as many rows per side as it has terms; returns its number.
    pub(super) fn add_touch(
        &mut self,
        site: &mut Site,
        islands: &mut [Tools],
        t: usize,
        sides: &[SideRows; 2],
        terms: Terms,
    ) -> Option<usize> {
        let (nodes, count) = (self.touches[t].nodes(), terms.bias.len());
        if count == 3 && nodes.iter().flatten().all(|&b| self.islands.of[b].is_none()) {
            return self.add_point(nodes, sides, terms);
        }
        let (mut built, mut n, mut at) = ([Built::default(); 2], 0, At::default());
        for (node, rows) in nodes.iter().zip(sides) {
            let Some(node) = *node else { continue };
            let rows = &rows[..count];
            built[n] = match self.islands.of[node] {
                None => self.free_side(node, rows, at)?,
                Some(i) => self.link_side(site, i, (node, rows), at)?,
            };
            at = built[n].end();
            n += 1;
        }
        match nodes.map(|node| node.and_then(|b| self.islands.of[b])) {
            [Some(a), Some(b)] if a == b => self.answer(&mut islands[a], count, &built),
            each => {
                let mine = nodes.iter().zip(each).filter(|(node, _)| node.is_some());
                for (k, i) in mine.enumerate().filter_map(|(k, (_, i))| Some((k, i?))) {
                    self.answer(&mut islands[i], count, &built[k..k + 1]);
                }
            }
        }
        let bare = terms.scale * bare_mobility(site, nodes, sides);
        if !(self.mobility(count, &built[..n]) > HELD * bare) {
            return None;
        }
        self.push(&built[..n], terms)
    }

    /// A point with friction between free bodies: fixed sizes all the way.
    fn add_point(
        &mut self,
        nodes: [Option<usize>; 2],
        sides: &[SideRows; 2],
        terms: Terms,
    ) -> Option<usize> {
        let rows = sides.each_ref().map(|s| s.first_chunk::<3>());
        let [Some(first), Some(second)] = rows else { return None };
        let none = PointSide { group: 0, jacobian: first, response: [[0.0; 6]; 3] };
        let (mut points, mut n) = ([none; 2], 0);
        for (node, jacobian) in nodes.into_iter().zip([first, second]) {
            let Some(body) = node else { continue };
            let group = self.free_group(body)?;
            let response = jacobian.each_ref().map(|row| self.bodies.frames[body].respond_row(row));
            points[n] = PointSide { group, jacobian, response };
            n += 1;
        }
        let Terms { law, target, restitution, bias, carry, start, .. } = terms;
        let contact = Contact { law, target, restitution, bias, carry, start, sides: &[] };
        self.cone.push_point(&contact, &points[..n]).ok()
    }

    fn push(&mut self, built: &[Built], terms: Terms) -> Option<usize> {
        let none = Side { group: 0, column: 0, jacobian: &[], response: &[] };
        let mut sides = [none; 4];
        for (out, b) in sides.iter_mut().zip(built) {
            *out = Side {
                group: b.group,
                column: b.column,
                jacobian: &self.rows.jacobian[b.jacobian.0..b.jacobian.1],
                response: &self.rows.response[b.response.0..b.response.1],
            };
        }
        let Terms { law, target, restitution, bias, carry, start, .. } = terms;
        let sides = &sides[..built.len()];
        let contact = Contact { law, target, restitution, bias, carry, start, sides };
        self.cone.push(&contact).ok()
    }

    fn free_side(&mut self, body: usize, rows: &[[f64; 6]], at: At) -> Option<Built> {
        let (group, n) = (self.free_group(body)?, 6 * rows.len());
        let (j, y) = ((at.rows, at.rows + n), (at.answers, at.answers + n));
        self.rows.jacobian[j.0..j.1].copy_from_slice(rows.as_flattened());
        let out = self.rows.response[y.0..y.1].as_chunks_mut::<6>().0;
        for (row, out) in rows.iter().zip(out) {
            *out = self.bodies.frames[body].respond_row(row);
        }
        Some(Built { group, place: 0, column: 0, jacobian: j, response: y })
    }

    /// A side on a body or link of island `i`, whose answer is still to be found.
    fn link_side(
        &mut self,
        site: &mut Site,
        i: usize,
        (node, rows): (usize, &[[f64; 6]]),
        at: At,
    ) -> Option<Built> {
        let (island, count) = (&site.model.islands[i], rows.len());
        let block = match site.model.owners[node] {
            Some((s, link)) => {
                let width = site.systems[s].row.len();
                let out = &mut self.rows.jacobian[at.rows..at.rows + count * width];
                out.fill(0.0);
                site.systems[s].add_rows(link, rows, out);
                Block::System(s)
            }
            None => {
                self.rows.jacobian[at.rows..at.rows + 6 * count]
                    .copy_from_slice(rows.as_flattened());
                Block::Body(node)
            }
        };
        let place = island.place(block)?;
        self.unanswered(site.model, (i, place), count, at)
    }

    /// A side of island `i` whose rows lie in the buffer at `at`.
    fn unanswered(
        &mut self,
        model: &Model,
        (i, place): (usize, usize),
        count: usize,
        at: At,
    ) -> Option<Built> {
        let island = &model.islands[i];
        let system = place.checked_sub(island.bodies.len()).map(|w| island.systems[w]);
        let width = system.map_or(6, |s| model.systems[s].law.freedoms());
        let group = self.island_group(model, i)?;
        let (j, y) = (at.rows + count * width, at.answers + count * dimension(model, island));
        self.rows.response[at.answers..y].fill(0.0);
        let column = column(model, island, place);
        Some(Built { group, place, column, jacobian: (at.rows, j), response: (at.answers, y) })
    }

    /// Finds how an island answers to the rows of a contact on all its `sides` at once, and gives
    /// it to the first: what sides do to each other cancels before it is rounded.
    fn answer(&mut self, tools: &mut Tools, count: usize, sides: &[Built]) {
        let Some(first) = sides.first() else { return };
        let dim = (first.response.1 - first.response.0) / count;
        let out = &mut self.rows.response[first.response.0..first.response.1];
        let rows = |r: usize| {
            let mut forces = [(0, &[][..]); 4];
            for (force, side) in forces.iter_mut().zip(sides) {
                let width = (side.jacobian.1 - side.jacobian.0) / count;
                let start = side.jacobian.0 + r * width;
                *force = (side.place, &self.rows.jacobian[start..start + width]);
            }
            forces
        };
        let Tools { solver, problem, .. } = tools;
        // three at once pay where blocks are small
        if count == 3 && problem.wide.is_empty() {
            let forces = [rows(0), rows(1), rows(2)];
            return solver.respond_three(
                problem,
                forces.each_ref().map(|f| &f[..sides.len()]),
                out,
            );
        }
        for (r, out) in out.chunks_exact_mut(dim).enumerate() {
            solver.respond(problem, &rows(r)[..sides.len()], out);
        }
    }

    /// Adds one side of a stop: `sign` times the measure whose rows are in block `block` of the
    /// stops. Leaves it out if it moves nothing.
    pub(super) fn add_stop(
        &mut self,
        site: &mut Site,
        tools: &mut Tools,
        (block, sign): (usize, f64),
        terms: Terms,
    ) -> Option<usize> {
        let i = self.stops.at[block].island;
        let (mut built, mut n, mut at) = ([Built::default(); 4], 0, At::default());
        for side in 0..self.stops.blocks[block].sides.len() {
            let rows = self.stops.blocks[block].rows;
            let from = &self.stops.blocks[block].sides[side];
            let (place, width) =
                (from.block, if from.wide.is_empty() { 6 } else { from.wide.len() / rows });
            for k in 0..width {
                let value = if from.wide.is_empty() { from.jacobian[0][k] } else { from.wide[k] };
                self.rows.jacobian[at.rows + k] = sign * value;
            }
            built[n] = self.unanswered(site.model, (i, place), 1, at)?;
            at = built[n].end();
            n += 1;
        }
        self.answer(tools, 1, &built[..n]);
        // what other joints hold has no mobility but rounding
        let bare =
            stamp::mobility(&self.stops.blocks[block], site.params, &site.model.islands[i])[0];
        if !(self.mobility(1, &built[..n]) > IMMOBILE * terms.scale * bare) {
            return None;
        }
        self.push(&built[..n], terms)
    }

    /// `J A⁻¹ Jᵀ` of the first of `count` rows of a contact being built.
    fn mobility(&self, count: usize, built: &[Built]) -> f64 {
        let row = |a: &Built, b: &Built| {
            if a.group != b.group {
                return 0.0;
            }
            let width = (a.jacobian.1 - a.jacobian.0) / count;
            let j = &self.rows.jacobian[a.jacobian.0..a.jacobian.0 + width];
            let y = &self.rows.response[b.response.0 + a.column..b.response.1];
            j.iter().zip(y).map(|(j, y)| j * y).sum::<f64>()
        };
        built.iter().flat_map(|a| built.iter().map(move |b| row(a, b))).sum()
    }
}
