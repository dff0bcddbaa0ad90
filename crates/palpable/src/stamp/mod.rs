//! Workshop: elements → one linear system per island, as a circuit simulator stamps components.

mod wrench;

pub use wrench::{PortMap, port_wrench};

use crate::math::{Mat3, Mat6, Vec6, angular, so3};
use crate::model::{
    BodyParams, ElementParams, Island, Kind, Model, Params, State, element, element_ends,
};
use crate::solve::{ForceBlock, Problem, VelocityBlock};

/// Below this `d` [N·s/m] a row is no force at all.
const SLACK: f64 = 1e-200;

/// Part of its own mobility by which a possibly redundant hard row yields.
const YIELD: f64 = 1e-9;

/// How a scheme fills the system; `h` is the step [s].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rule {
    /// Step [s].
    pub h: f64,
    /// Factor of the mass matrix: `2/h` for midpoint rules, `1/h` for implicit Euler.
    pub inertia: f64,
    /// Weight of the strain at the end of the step in the force: ½ midpoint, 1 implicit Euler.
    pub weight: f64,
    /// Jacobians as secants over the predicted step (true) or at its start (false).
    pub secant: bool,
    /// `η` of joints whose vibration the step cannot resolve: a small, accounted loss.
    pub joint_loss: f64,
}

impl Rule {
    /// The midpoint rule, with secants or as published.
    pub fn midpoint(h: f64, secant: bool) -> Self {
        Self { h, inertia: 2.0 / h, weight: 0.5, secant, joint_loss: 0.0 }
    }

    /// Implicit Euler, linearised at the start of the step.
    pub fn implicit_euler(h: f64) -> Self {
        Self { h, inertia: 1.0 / h, weight: 1.0, secant: false, joint_loss: 0.0 }
    }
}

/// `d = b + k h (c + η)` of row `row` [N·s/m]: the slope of the row's force against its rate.
#[inline]
pub fn slope(params: &ElementParams, row: usize, rule: &Rule, loss: f64) -> f64 {
    params.damping[row] + params.stiffness[row] * rule.h * (rule.weight + loss)
}

/// Rate of row `row` from its force: `J û = −(λ + k g) / d`; `None` for a slack or hard row.
#[inline]
pub fn rate(p: &ElementParams, row: usize, d: f64, lambda: f64, g: f64) -> Option<f64> {
    (d > SLACK && !p.is_hard(row)).then(|| -(lambda + p.stiffness[row] * g) / d)
}

/// The loss `η` of a joint's row: 0 where the step resolves its vibration, `k h² W_jj <= 4`.
#[inline]
fn row_loss(rule: &Rule, k: f64, mobility: f64) -> f64 {
    if k * rule.h * rule.h * mobility > 4.0 { rule.joint_loss } else { 0.0 }
}

/// Fills the system of one island.
///
/// # Equation
/// ```text
/// [ 2M/h + C + B   −Jᵀ  ] [ û ]   [ (2/h) M u + F ]
/// [      J         1/d  ] [ λ ] = [    −k g / d   ]        d = b + k h (½ + η)
/// ```
/// in compliance form, so that conditioning does not degrade with stiffness. `twists` are the
/// predicted midpoint velocities, `wrenches` the forces `F`, both per moving body.
pub fn island(
    model: &Model,
    params: &Params,
    state: &State,
    (twists, wrenches): (&[Vec6], &[Vec6]),
    rule: &Rule,
    island: &Island,
    problem: &mut Problem,
) {
    for (&body, block) in island.bodies.iter().zip(&mut problem.velocities) {
        velocity(&params.bodies[body], &twists[body], rule, block);
        let inertia = mass_vector(&params.bodies[body]) * rule.inertia;
        block.rhs = inertia.component_mul(&state.bodies[body].twist()) + wrenches[body];
    }
    for (&e, block) in island.elements.iter().zip(&mut problem.forces) {
        jacobians(model, params, state, twists, rule, e, block);
        let (info, p) = (&model.elements[e], &params.elements[e]);
        for row in 0..block.rows {
            let own = |s: usize| mobility(info.ends[s], &block.jacobian[s], params, row);
            let lossy = info.joint && rule.joint_loss > 0.0 && !p.is_hard(row);
            let loss = if lossy { row_loss(rule, p.stiffness[row], own(0) + own(1)) } else { 0.0 };
            block.loss[row] = loss;
            let yielding = if island.redundant { own(0) + own(1) } else { 0.0 };
            compliance(p, state.strain[e][row], rule, row, yielding, block);
        }
    }
}

/// `1/d` and `−k g/d` of one row; hard and slack rows are their limits.
///
/// Hard rows that say the same thing twice would make the system singular: where that may be, they
/// yield by a billionth of their own mobility.
fn compliance(
    p: &ElementParams,
    g: f64,
    rule: &Rule,
    row: usize,
    mobility: f64,
    block: &mut ForceBlock,
) {
    let d = slope(p, row, rule, block.loss[row]);
    if p.is_hard(row) {
        block.compliance[row] = YIELD * mobility / rule.inertia;
        block.bias[row] = -g / (rule.h * rule.weight);
    } else if d > SLACK {
        (block.compliance[row], block.bias[row]) = (1.0 / d, -p.stiffness[row] * g / d);
    } else {
        slacken(block, row);
    }
}

/// Secant (or initial) Jacobians of element `e`.
pub fn jacobians(
    model: &Model,
    params: &Params,
    state: &State,
    twists: &[Vec6],
    rule: &Rule,
    e: usize,
    block: &mut ForceBlock,
) {
    let (info, g) = (&model.elements[e], &state.strain[e]);
    let ends = element_ends(info, &params.elements[e], state, Some(twists));
    let h = if rule.secant { rule.h } else { 0.0 };
    block.jacobian = match info.kind {
        // [Kim2017, (20)] takes the identity for the rate of the logarithm
        Kind::Rotation | Kind::Pose if !rule.secant => {
            let mut flat = *g;
            let first = if matches!(info.kind, Kind::Pose) { 3 } else { 0 };
            (first..first + 3).for_each(|i| flat[i] = 0.0);
            published_rotation(
                element::jacobian(&info.kind, &ends[0], &ends[1], &flat, h),
                &ends,
                first,
            )
        }
        _ => element::jacobian(&info.kind, &ends[0], &ends[1], g, h),
    };
}

/// Replaces the rotation rows by `F_aᵀ [I, −R_aᵀ R_b]`, the rate without `A(g)`.
fn published_rotation(mut j: [Mat6; 2], ends: &[crate::model::End; 2], first: usize) -> [Mat6; 2] {
    let to_a = ends[0].frame.to_rotation_matrix().into_inner().transpose();
    let to_b = -to_a * ends[0].r.transpose() * ends[1].r;
    j[0].fixed_view_mut::<3, 3>(first, 3).copy_from(&to_a);
    j[1].fixed_view_mut::<3, 3>(first, 3).copy_from(&to_b);
    j
}

/// `c M + C + B` of one body, with `C = −S(I ω*)` `[Kim2017, (13)]` at the predicted midpoint.
fn velocity(p: &BodyParams, twist: &Vec6, rule: &Rule, block: &mut VelocityBlock) {
    let momentum = p.inertia.component_mul(&angular(twist));
    block.matrix = Mat6::from_diagonal(&(mass_vector(p) * rule.inertia + damping_vector(p)));
    let gyroscopic: Mat3 = so3::skew(&momentum);
    let mut view = block.matrix.fixed_view_mut::<3, 3>(3, 3);
    view -= gyroscopic;
}

/// Takes row `row` out of the system: no force, whatever the motion.
pub fn slacken(block: &mut ForceBlock, row: usize) {
    block.jacobian.iter_mut().for_each(|j| j.row_mut(row).fill(0.0));
    (block.compliance[row], block.bias[row]) = (1.0, 0.0);
}

/// Diagonal of the mass matrix of a body.
#[inline]
pub fn mass_vector(p: &BodyParams) -> Vec6 {
    Vec6::new(p.mass, p.mass, p.mass, p.inertia.x, p.inertia.y, p.inertia.z)
}

/// Diagonal of the damping of a body against the world.
#[inline]
pub fn damping_vector(p: &BodyParams) -> Vec6 {
    let (b, c) = (p.linear_damping, p.angular_damping);
    Vec6::new(b, b, b, c, c, c)
}

/// An empty system with the blocks of an island.
pub fn blank(model: &Model, island: &Island) -> Problem {
    let local = |body: usize| island.bodies.binary_search(&body).ok();
    let velocity = VelocityBlock { matrix: Mat6::identity(), rhs: Vec6::zeros() };
    let forces = island.elements.iter().map(|&e| ForceBlock {
        rows: model.elements[e].kind.rows(),
        touches: model.elements[e].ends.map(|end| end.and_then(local)),
        jacobian: [Mat6::zeros(); 2],
        compliance: Vec6::repeat(1.0),
        bias: Vec6::zeros(),
        loss: Vec6::zeros(),
    });
    Problem { velocities: vec![velocity; island.bodies.len()], forces: forces.collect() }
}

/// How easily each element of an island moves the body at each of its ends: the largest
/// `(J M⁻¹ Jᵀ)_jj` of its rows, at the given state.
pub fn mobilities(model: &Model, params: &Params, state: &State, island: &Island) -> Vec<[f64; 2]> {
    let of = |&e: &usize| {
        let info = &model.elements[e];
        let ends = element_ends(info, &params.elements[e], state, None);
        let j = element::jacobian(&info.kind, &ends[0], &ends[1], &state.strain[e], 0.0);
        [0, 1].map(|side| {
            let rows = 0..info.kind.rows();
            let row = |row| mobility(info.ends[side], &j[side], params, row);
            rows.map(row).fold(0.0, f64::max)
        })
    };
    island.elements.iter().map(of).collect()
}

/// `(J M⁻¹ Jᵀ)_jj` of one row on one side; 0 for the world.
pub fn mobility(body: Option<usize>, j: &Mat6, params: &Params, row: usize) -> f64 {
    body.map_or(0.0, |body| {
        let m = mass_vector(&params.bodies[body]);
        (0..6).map(|c| j[(row, c)] * j[(row, c)] / m[c]).sum()
    })
}
