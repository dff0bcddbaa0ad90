//! Jacobians of elements towards the velocity unknowns they touch.

use super::{Rule, mass_vector};
use crate::math::{Mat6, Vec6};
use crate::model::{
    Block, End, Island, Kind, Model, Params, State, SystemWork, element, element_ends,
};
use crate::solve::ForceBlock;

/// Secant Jacobians of element `e` over the predicted step; with `twists` left out, those at the
/// state as it is. `g` is the strain at which rotations are measured.
///
/// A link of a subsystem moves like a body with the twist `J_link w`: the rows of the element
/// towards that twist, times `J_link L⁻ᵀ` where the subsystem was configured, are its rows in `ξ`.
#[expect(clippy::too_many_arguments, reason = "one argument per neighbouring room")]
pub fn jacobians(
    model: &Model,
    (params, state): (&Params, &State),
    systems: &mut [SystemWork],
    twists: Option<&[Vec6]>,
    g: &Vec6,
    rule: &Rule,
    e: usize,
    block: &mut ForceBlock,
) {
    let (info, p) = (&model.elements[e], &params.elements[e]);
    block.sides.iter_mut().for_each(|s| s.wide.fill(0.0));
    if let Kind::Coordinates(c) = &info.kind {
        let (side, work) = (&mut block.sides[0], &systems[c.system]);
        let n = side.wide.len() / block.rows;
        for (row, out) in c.rows.iter().zip(side.wide.chunks_exact_mut(n)) {
            work.row_of(row, c.skip.1, out);
        }
        return;
    }
    let ends = element_ends(info, p, state, twists);
    let h = if rule.secant && twists.is_some() { rule.h } else { 0.0 };
    let measured = g + p.rest;
    let pair = match info.kind {
        // [Kim2017, (20)] takes the identity for the rate of the logarithm
        Kind::Rotation | Kind::Pose if !rule.secant && twists.is_some() => {
            let mut flat = measured;
            let first = if matches!(info.kind, Kind::Pose) { 3 } else { 0 };
            (first..first + 3).for_each(|i| flat[i] = 0.0);
            let j = element::jacobian(&info.kind, &ends[0], &ends[1], &flat, h);
            published_rotation(j, &ends, first)
        }
        _ => element::jacobian(&info.kind, &ends[0], &ends[1], &measured, h),
    };
    let mut seen = [false; 4];
    put(model, systems, info.ends, &info.side[..2], &pair, &mut seen, block);
    if let Kind::Gear(gear) = &info.kind {
        let second = gear.second(state, twists);
        let pair = gear.jacobian([&second[0], &second[1]], h, 1);
        put(model, systems, gear.ends, &info.side[2..], &pair, &mut seen, block);
    }
}

/// Writes the Jacobians of two ends to their sides; ends that share a side add up.
fn put(
    model: &Model,
    systems: &mut [SystemWork],
    ends: [Option<usize>; 2],
    sides: &[Option<usize>],
    pair: &[Mat6; 2],
    seen: &mut [bool; 4],
    block: &mut ForceBlock,
) {
    for (i, j) in pair.iter().enumerate() {
        let (Some(node), Some(k)) = (ends[i], sides[i]) else { continue };
        let (side, rows) = (&mut block.sides[k], block.rows);
        match model.owners[node] {
            Some((system, link)) => systems[system].add_rows(link, j, rows, &mut side.wide),
            None if seen[k] => side.jacobian += j,
            None => side.jacobian = *j,
        }
        seen[k] = true;
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

/// `(J M⁻¹ Jᵀ)_jj` of one row.
pub fn mobility(block: &ForceBlock, params: &Params, island: &Island, row: usize) -> f64 {
    block.sides.iter().map(|s| side_mobility(s, block.rows, params, island, row)).sum()
}

/// Part of the largest mobility of an element below which a row moves nothing at all: a planar arm
/// cannot leave its plane, and no force is needed to keep it there.
pub const STUCK: f64 = 1e-14;

/// The largest mobility of an element's rows.
pub fn reach(block: &ForceBlock, params: &Params, island: &Island) -> f64 {
    (0..block.rows).map(|row| mobility(block, params, island, row)).fold(0.0, f64::max)
}

fn side_mobility(
    side: &crate::solve::Side,
    rows: usize,
    params: &Params,
    island: &Island,
    row: usize,
) -> f64 {
    let Some(&body) = island.bodies.get(side.block) else {
        // subsystems have the identity for a mass matrix
        let n = side.wide.len() / rows;
        return side.wide[row * n..(row + 1) * n].iter().map(|v| v * v).sum();
    };
    let (m, j) = (mass_vector(&params.bodies[body]), &side.jacobian);
    (0..6).map(|c| j[(row, c)] * j[(row, c)] / m[c]).sum()
}

/// How easily each force of an island moves the unknown on each of its sides: the largest
/// `(J M⁻¹ Jᵀ)_jj` of its rows, at the given state.
pub fn mobilities(
    model: &Model,
    (params, state): (&Params, &State),
    systems: &mut [SystemWork],
    island: &Island,
    blank: &[ForceBlock],
) -> Vec<Vec<f64>> {
    let rule = Rule::midpoint(1.0, true);
    for &s in &island.systems {
        systems[s].configure(model.systems[s].law.as_ref(), &state.systems[s].q, &params.gravity);
    }
    let mut blocks = blank.to_vec();
    for (&e, block) in island.elements.iter().zip(&mut blocks) {
        let g = &state.strain[e];
        jacobians(model, (params, state), systems, None, g, &rule, e, block);
    }
    let of = |block: &ForceBlock| {
        let side = |s| {
            let row = |row| side_mobility(s, block.rows, params, island, row);
            (0..block.rows).map(row).fold(0.0, f64::max)
        };
        block.sides.iter().map(side).collect()
    };
    debug_assert!(model.elements.iter().all(|e| e.blocks.len() <= 4), "{:?}", Block::Body(0));
    blocks.iter().map(of).collect()
}
