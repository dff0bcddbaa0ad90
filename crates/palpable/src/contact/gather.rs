//! From touches and stops to a cone problem: groups, rows, responses.

use super::frame::Frame;
use super::stage::Stage;
use super::touch::{SideRows, TouchAt};
use super::{Site, Toolbox};
use crate::math::{Vec6, angular, linear};
use crate::model::{Block, IslandAt, Unit};
use crate::solve::cone::{Contact, Law, PointSide, Side};
use crate::solve::{ForceBlock, Tools};
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

/// A contact whose rows move at `bias` without it: plastic, cold, its sides still to come.
pub(super) fn plain(law: Law, bias: &[f64]) -> Contact<'_> {
    Contact { law, target: 0.0, restitution: 0.0, bias, carry: &[], start: &[], sides: &[] }
}

/// A side being built; its rows and answers lie in the buffers of the stage.
#[derive(Debug, Clone, Copy, Default)]
struct Built {
    /// number of its unit in the problem, and which island that is
    number: usize,
    island: Option<IslandAt>,
    /// which span of the unit it moves, and where that begins
    place: usize,
    column: usize,
    jacobian: [usize; 2],
    response: [usize; 2],
}

/// Mobility of the first row of a touch without any joints.
fn bare_mobility(site: &Site, nodes: [Option<usize>; 2], sides: &[SideRows; 2]) -> f64 {
    let of = |(node, rows): (Option<usize>, &SideRows)| {
        let mass = stamp::mass_vector(&site.params.bodies[node?]);
        Some(rows[0].iter().zip(mass.iter()).map(|(j, m)| j * j / m).sum::<f64>())
    };
    nodes.into_iter().zip(sides).filter_map(of).sum()
}

impl Stage {
    /// Begins a problem of touches and stops. Its responses are smaller by `scale` [s or 1] than by
    /// masses alone.
    pub(super) fn restart(&mut self, scale: f64) {
        self.begin_cone(scale);
        self.points.clear();
        self.touches.iter_mut().for_each(|t| (t.seat.number, t.seat.spot) = (None, None));
    }

    /// The same for joined bodies alone; touches keep their seats.
    pub(super) fn begin_cone(&mut self, scale: f64) {
        self.cone.clear();
        self.rows.numbers.clear();
        self.rows.scale = scale;
    }

    /// The number of a unit in the problem, given if it has none; `None` if there is no room.
    fn number(&mut self, unit: Unit) -> Option<usize> {
        let known = self.rows.numbers.of(unit);
        known.or_else(|| {
            let number = self.cone.group(self.graph.units.dimension(unit))?;
            self.rows.numbers.give(unit, number);
            Some(number)
        })
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
            let island = site.model.units.island_of(b);
            let (free, lone) = (island.is_none(), island.is_some_and(|i| self.graph.lone[i]));
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
    pub(super) fn weigh_groups(&mut self, site: &Site, islands: &Toolbox, rate: Option<f64>) {
        let size = |b: usize, u: &Vec6| {
            let p = &site.params.bodies[b];
            let turn = angular(u).component_mul(&p.inertia.map(f64::sqrt)).norm();
            p.mass * linear(u).norm() + p.mass.sqrt() * turn
        };
        let (factor, gravity) = (rate.unwrap_or(1.0), site.params.gravity.norm());
        for unit in site.model.units.all() {
            let Some(number) = self.rows.numbers.of(unit) else { continue };
            let found = site.model.units.island(unit).map(|i| &islands[i].solution.velocities);
            let mut sum = 0.0;
            for (place, span) in site.model.units.spans(unit).iter().enumerate() {
                match span.block {
                    Block::Body(b) if rate.is_none() => {
                        sum += size(b, &site.state.bodies[b].twist())
                    }
                    Block::Body(b) => {
                        sum += size(b, found.map_or(&self.bodies.mid[b], |u| &u[place]))
                    }
                    Block::System(s) => {
                        for n in site.model.systems[s].nodes.clone() {
                            sum += size(n, &site.state.bodies[n].twist());
                            sum += site.params.bodies[n].mass * gravity / factor;
                        }
                    }
                }
            }
            self.cone.weigh(number, factor * sum);
        }
    }

    /// The first `count` rows of contact `t`, per side; those of a fixed side are not written.
    #[inline]
    pub(super) fn sides(&self, t: TouchAt, count: usize, out: &mut [SideRows; 2]) {
        let touch = &self.touches[t];
        let frames = self.bodies.frames_of(touch);
        let arms = touch.levers(frames);
        for (side, out) in out.iter_mut().enumerate() {
            if let Some(frame) = frames[side] {
                touch.rows(side, frame, &arms[side], &mut out[..count]);
            }
        }
    }

    /// Adds contact `t` with as many rows per side as `contact` has; returns its number.
    pub(super) fn add_touch(
        &mut self,
        site: &mut Site,
        islands: &mut Toolbox,
        t: TouchAt,
        sides: &[SideRows; 2],
        contact: Contact,
    ) -> Option<usize> {
        let (nodes, count) = (self.touches[t].nodes(), contact.bias.len());
        let free = |&b: &usize| site.model.units.island_of(b).is_none();
        if count == 3 && nodes.iter().flatten().all(free) {
            return self.add_point(nodes, sides, contact);
        }
        self.rows.rewind();
        let (mut built, mut n) = ([Built::default(); 2], 0);
        for (node, rows) in nodes.iter().zip(sides) {
            let Some(node) = *node else { continue };
            built[n] = self.side(site, node, &rows[..count])?;
            n += 1;
        }
        let bare = self.rows.scale * bare_mobility(site, nodes, sides);
        self.push(islands, &built[..n], HELD * bare, contact)
    }

    /// A point with friction between free bodies: fixed sizes all the way.
    fn add_point(
        &mut self,
        nodes: [Option<usize>; 2],
        sides: &[SideRows; 2],
        contact: Contact,
    ) -> Option<usize> {
        let rows = sides.each_ref().map(|s| s.first_chunk::<3>());
        let [Some(first), Some(second)] = rows else { return None };
        let none = PointSide { group: 0, jacobian: first, response: [[0.0; 6]; 3] };
        let (mut points, mut n) = ([none; 2], 0);
        for (node, jacobian) in nodes.into_iter().zip([first, second]) {
            let Some(body) = node else { continue };
            let group = self.number(self.graph.units.of(body))?;
            let response = jacobian.each_ref().map(|row| self.bodies.frames[body].respond_row(row));
            points[n] = PointSide { group, jacobian, response };
            n += 1;
        }
        self.cone.push_point(&contact, &points[..n]).ok()
    }

    /// A side on a body or link. A free body answers here, an island with all sides at once.
    fn side(&mut self, site: &mut Site, node: usize, rows: &[[f64; 6]]) -> Option<Built> {
        let (model, at) = (site.model, self.rows.used[0]);
        let unit = model.units.of(node);
        match model.owners[node] {
            Some((s, link)) => {
                let width = site.systems[s].row.len();
                let out = &mut self.rows.jacobian[at..at + rows.len() * width];
                out.fill(0.0);
                site.systems[s].add_rows(link, rows, out);
            }
            None => {
                let out = &mut self.rows.jacobian[at..at + 6 * rows.len()];
                out.copy_from_slice(rows.as_flattened());
            }
        }
        let built = self.unanswered(unit, model.units.place(node), rows.len())?;
        if built.island.is_none() {
            let [from, to] = built.response;
            let out = self.rows.response[from..to].as_chunks_mut::<6>().0;
            for (row, out) in rows.iter().zip(out) {
                *out = self.bodies.frames[node].respond_row(row);
            }
        }
        Some(built)
    }

    /// A side on a span of a unit, whose rows come next in the buffer.
    fn unanswered(&mut self, unit: Unit, place: usize, count: usize) -> Option<Built> {
        let number = self.number(unit)?;
        let units = &self.graph.units;
        let (span, island) = (units.spans(unit)[place], units.island(unit));
        let [j, y] = self.rows.used;
        self.rows.used = [j + count * span.len, y + count * units.dimension(unit)];
        let [jacobian, response] = [[j, self.rows.used[0]], [y, self.rows.used[1]]];
        self.rows.response[y..response[1]].fill(0.0);
        Some(Built { number, island, place, column: span.start, jacobian, response })
    }

    /// Finds how islands answer, and adds the contact if it can move more than `least`.
    fn push(
        &mut self,
        islands: &mut Toolbox,
        built: &[Built],
        least: f64,
        contact: Contact,
    ) -> Option<usize> {
        let count = contact.bias.len();
        let together = built.iter().all(|side| side.number == built[0].number);
        for sides in built.chunks(if together { built.len().max(1) } else { 1 }) {
            self.answer(islands, count, sides);
        }
        // what joints hold has no mobility but rounding
        if !(self.mobility(count, built) > least) {
            return None;
        }
        let none = Side { group: 0, column: 0, jacobian: &[], response: &[] };
        let mut sides = [none; 4];
        for (out, b) in sides.iter_mut().zip(built) {
            *out = Side {
                group: b.number,
                column: b.column,
                jacobian: &self.rows.jacobian[b.jacobian[0]..b.jacobian[1]],
                response: &self.rows.response[b.response[0]..b.response[1]],
            };
        }
        self.cone.push(&Contact { sides: &sides[..built.len()], ..contact }).ok()
    }

    /// Finds how an island answers to the rows of a contact on all its `sides` at once, and gives
    /// it to the first: what sides do to each other cancels before it is rounded.
    fn answer(&mut self, islands: &mut Toolbox, count: usize, sides: &[Built]) {
        let Some(first) = sides.first() else { return };
        let Some(i) = first.island else { return };
        let dim = (first.response[1] - first.response[0]) / count;
        let out = &mut self.rows.response[first.response[0]..first.response[1]];
        let rows = |r: usize| {
            let mut forces = [(0, &[][..]); 4];
            for (force, side) in forces.iter_mut().zip(sides) {
                let width = (side.jacobian[1] - side.jacobian[0]) / count;
                let start = side.jacobian[0] + r * width;
                *force = (side.place, &self.rows.jacobian[start..start + width]);
            }
            forces
        };
        let Tools { solver, problem, .. } = &mut islands[i];
        // three at once pay where blocks are small
        if count == 3 && problem.wide.is_empty() {
            let forces = [rows(0), rows(1), rows(2)];
            let forces = forces.each_ref().map(|f| &f[..sides.len()]);
            return solver.respond_three(problem, forces, out);
        }
        for (r, out) in out.chunks_exact_mut(dim).enumerate() {
            solver.respond(problem, &rows(r)[..sides.len()], out);
        }
    }

    /// Adds one side of a stop: `sign` times the measure whose rows are in block `block` of the
    /// stops. Leaves it out if it moves nothing.
    pub(super) fn add_stop(
        &mut self,
        site: &Site,
        islands: &mut Toolbox,
        (block, sign): (usize, f64),
        contact: Contact,
    ) -> Option<usize> {
        let i = self.stops.at[block].island;
        let unit = site.model.units.of_island(i);
        self.rows.rewind();
        let (mut built, mut n) = ([Built::default(); 4], 0);
        for side in 0..self.stops.blocks[block].sides.len() {
            let ForceBlock { rows, sides, .. } = &self.stops.blocks[block];
            let from = &sides[side];
            let wide = &from.wide[..from.wide.len() / rows];
            let row = if wide.is_empty() { &from.jacobian[0][..] } else { wide };
            let out = &mut self.rows.jacobian[self.rows.used[0]..];
            out.iter_mut().zip(row).for_each(|(out, value)| *out = sign * value);
            built[n] = self.unanswered(unit, from.block, 1)?;
            n += 1;
        }
        let own = stamp::mobility(&self.stops.blocks[block], site.params, &site.model.islands[i]);
        self.push(islands, &built[..n], IMMOBILE * self.rows.scale * own[0], contact)
    }

    /// `J A⁻¹ Jᵀ` of the first of `count` rows of a contact being built.
    fn mobility(&self, count: usize, built: &[Built]) -> f64 {
        let row = |a: &Built, b: &Built| {
            if a.number != b.number {
                return 0.0;
            }
            let width = (a.jacobian[1] - a.jacobian[0]) / count;
            let j = &self.rows.jacobian[a.jacobian[0]..a.jacobian[0] + width];
            let y = &self.rows.response[b.response[0] + a.column..b.response[1]];
            j.iter().zip(y).map(|(j, y)| j * y).sum::<f64>()
        };
        built.iter().flat_map(|a| built.iter().map(move |b| row(a, b))).sum()
    }
}
