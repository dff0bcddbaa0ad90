//! Jacobians of elements towards the velocity unknowns they touch.

use super::{Rule, mass_vector};
use crate::math::{Mat6, Vec6, angular, dot6, rows_of};
use crate::model::{Block, End, Island, Kind, Params, Site, element, element_ends, point_rows};
use crate::solve::{ForceBlock, Side};

/// Where Jacobians are taken.
#[derive(Debug, Clone, Copy)]
pub enum At<'a> {
    /// At the state as it is.
    Now,
    /// The same, with rotations measured at another strain than the carried one.
    Strain(&'a Vec6),
    /// As secants over the step of a rule that the twists of moving bodies predict.
    Step(&'a [Vec6], &'a Rule),
}

/// Jacobians of element `e`.
///
/// A link of a subsystem moves like a body with the twist `J_link w`: the rows of the element
/// towards that twist, times `J_link L⁻ᵀ` where the subsystem was configured, are its rows in `ξ`.
pub fn jacobians(site: &mut Site, e: usize, at: At, block: &mut ForceBlock) {
    let (info, p) = (&site.model.elements[e], &site.params.elements[e]);
    for side in block.sides.iter_mut().filter(|s| !s.wide.is_empty()) {
        side.wide.fill(0.0);
    }
    if let Kind::Coordinates(c) = &info.kind {
        let (side, work) = (&mut block.sides[0], &site.systems[c.system]);
        let n = side.wide.len() / block.rows;
        for (row, out) in c.rows.iter().zip(side.wide.chunks_exact_mut(n)) {
            work.row_of(row, c.skip.w, out);
        }
        return;
    }
    let (twists, h, published) = match at {
        At::Step(twists, rule) if rule.secant => (Some(twists), rule.h, false),
        At::Step(twists, _) => (Some(twists), 0.0, true),
        At::Now | At::Strain(_) => (None, 0.0, false),
    };
    let state = &*site.state;
    if matches!(info.kind, Kind::Point) && info.blocks.iter().all(|b| matches!(b, Block::Body(_))) {
        for (i, body) in info.ends.iter().enumerate() {
            let (&Some(body), Some(k)) = (body, info.side[i]) else { continue };
            let turn = twists.map(|t| angular(&t[body]) * h);
            let q = &state.bodies[body].q;
            let (sign, rows) = ([1.0, -1.0][i], &mut block.sides[k].jacobian[..3]);
            point_rows(q, turn.as_ref(), &p.points[i], sign, rows);
        }
        return;
    }
    let ends = element_ends(info, p, state, twists);
    let measured = if let At::Strain(g) = at { g } else { &state.strain[e] } + p.rest;
    let jacobians = match info.kind {
        // [Kim2017, (20)] takes the identity for the rate of the logarithm
        Kind::Rotation | Kind::Pose if published => {
            let mut flat = measured;
            let first = if matches!(info.kind, Kind::Pose) { 3 } else { 0 };
            (first..first + 3).for_each(|i| flat[i] = 0.0);
            let j = element::jacobian(&info.kind, &ends[0], &ends[1], &flat, h);
            published_rotation(j, &ends, first)
        }
        _ => element::jacobian(&info.kind, &ends[0], &ends[1], &measured, h),
    };
    let mut seen = [false; 4];
    Pair { ends: info.ends, sides: &info.side[..2], jacobians }.put(site, &mut seen, block);
    if let Kind::Gear(gear) = &info.kind {
        let second = gear.second(site.state, twists);
        let jacobians = gear.jacobian([&second[0], &second[1]], h, 1);
        Pair { ends: gear.ends, sides: &info.side[2..], jacobians }.put(site, &mut seen, block);
    }
}

/// Two nodes that an element ties, the sides of its block, and its Jacobians towards them.
struct Pair<'a> {
    ends: [Option<usize>; 2],
    sides: &'a [Option<usize>],
    jacobians: [Mat6; 2],
}

impl Pair<'_> {
    /// Writes the Jacobians to their sides; ends that share a side add up.
    #[inline]
    fn put(&self, site: &mut Site, seen: &mut [bool; 4], block: &mut ForceBlock) {
        for (i, j) in self.jacobians.iter().enumerate() {
            let (Some(node), Some(k)) = (self.ends[i], self.sides[i]) else { continue };
            let (side, rows) = (&mut block.sides[k], block.rows);
            match site.model.owners[node] {
                Some((system, link)) => {
                    site.systems[system].add_rows(link, &rows_of(j)[..rows], &mut side.wide);
                }
                None if seen[k] => side.jacobian = rows_of(&(side.matrix() + j)),
                None => side.jacobian = rows_of(j),
            }
            seen[k] = true;
        }
    }
}

/// Replaces the rotation rows by `F_aᵀ [I, −R_aᵀ R_b]`, the rate without `A(g)`.
fn published_rotation(mut j: [Mat6; 2], ends: &[End; 2], first: usize) -> [Mat6; 2] {
    let to_a = ends[0].frame.to_rotation_matrix().into_inner().transpose();
    let to_b = -to_a * ends[0].r.transpose() * ends[1].r;
    j[0].fixed_view_mut::<3, 3>(first, 3).copy_from(&to_a);
    j[1].fixed_view_mut::<3, 3>(first, 3).copy_from(&to_b);
    j
}

/// `(J M⁻¹ Jᵀ)_jj` of each row in use.
pub fn mobility(block: &ForceBlock, params: &Params, island: &Island) -> Vec6 {
    let mut sum = Vec6::zeros();
    block.sides.iter().for_each(|s| sum += side_mobility(s, block.rows, params, island));
    sum
}

/// Part of the largest mobility of an element below which a row moves nothing at all: a planar arm
/// cannot leave its plane, and no force is needed to keep it there.
pub const STUCK: f64 = 1e-14;

fn side_mobility(side: &Side, rows: usize, params: &Params, island: &Island) -> Vec6 {
    let mut out = Vec6::zeros();
    if let Some(&body) = island.bodies.get(side.block) {
        let inverse = mass_vector(&params.bodies[body]).map(|m| 1.0 / m).into();
        for (row, out) in side.jacobian[..rows].iter().zip(out.iter_mut()) {
            *out = dot6(&row.map(|j| j * j), &inverse);
        }
    } else {
        // subsystems have the identity for a mass matrix
        let n = side.wide.len() / rows;
        for (row, out) in side.wide.chunks_exact(n).zip(out.iter_mut()) {
            *out = row.iter().map(|v| v * v).sum();
        }
    }
    out
}

/// How easily each force of an island moves the unknown on each of its sides: the largest
/// `(J M⁻¹ Jᵀ)_jj` of its rows, at the given state.
pub fn mobilities(site: &mut Site, island: &Island, blank: &[ForceBlock]) -> Vec<Vec<f64>> {
    let (model, params) = (site.model, site.params);
    for &s in &island.systems {
        site.systems[s].configure(&site.state.systems[s].q, &params.gravity);
    }
    let mut blocks = blank.to_vec();
    for (&e, block) in island.elements.iter().zip(&mut blocks) {
        jacobians(site, e, At::Now, block);
    }
    let of = |block: &ForceBlock| {
        block.sides.iter().map(|s| side_mobility(s, block.rows, params, island).max()).collect()
    };
    debug_assert!(model.elements.iter().all(|e| e.blocks.len() <= 4), "{:?}", Block::Body(0));
    blocks.iter().map(of).collect()
}
