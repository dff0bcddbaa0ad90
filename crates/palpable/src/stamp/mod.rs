//! Workshop: elements → one linear system per island, as a circuit simulator stamps components.

mod jacobian;
mod system;
mod wrench;

pub use jacobian::{At, STUCK, jacobians, mobilities, mobility};
pub use system::stamp_system;
pub use wrench::{PortMap, port_wrench};

use crate::math::{Vec3, Vec6, angular};
use crate::model::{Block, BodyParams, ElementParams, Island, Model, Params, Site, SystemAt};
use crate::solve::{ForceBlock, Problem, Side, VelocityBlock, WideBlock};

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

/// What a motor asks of its element in a step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Drive {
    /// Force or torque added to the element's own [N or N·m].
    pub effort: f64,
    /// Rate at which the measure is to change [m/s or rad/s].
    pub rate: f64,
}

/// Everything that acts in a step besides the state: predicted motion, forces, motors.
#[derive(Debug, Clone)]
pub struct Acting {
    /// Predicted midpoint velocities `u*` per moving body.
    pub twists: Vec<Vec6>,
    /// Forces `F` per moving body: gravity and ports.
    pub wrenches: Vec<Vec6>,
    /// What motors ask for, per element.
    pub drives: Vec<Drive>,
}

impl Acting {
    /// Nothing moves and nothing acts.
    pub fn new(model: &Model) -> Self {
        let zeros = vec![Vec6::zeros(); model.moving.len()];
        let drives = vec![Drive::default(); model.elements.len()];
        Self { twists: zeros.clone(), wrenches: zeros, drives }
    }
}

/// Fills the system of one island.
///
/// # Equation
/// ```text
/// [ 2M/h + C + B   −Jᵀ  ] [ û ]   [ (2/h) M u + F ]
/// [      J         1/d  ] [ λ ] = [ (b r − k g)/d ]        d = b + k h (½ + η)
/// ```
/// in compliance form, so that conditioning does not degrade with stiffness; `r` is the rate of a
/// motor. Subsystems are stamped where [`crate::model::SystemWork::predict`] left them.
pub fn island(
    site: &mut Site,
    island: &Island,
    acting: &Acting,
    rule: &Rule,
    problem: &mut Problem,
) {
    let (twists, wrenches) = (&acting.twists[..], &acting.wrenches[..]);
    let (model, params, drives) = (site.model, site.params, &acting.drives[..]);
    let bodies = &site.state.bodies[..];
    for (&body, block) in island.bodies.iter().zip(&mut problem.velocities) {
        velocity(&params.bodies[body], &twists[body], rule, block);
        let inertia = mass_vector(&params.bodies[body]) * rule.inertia;
        block.rhs = inertia.component_mul(&bodies[body].twist()) + wrenches[body];
    }
    for (&s, block) in island.systems.iter().zip(&mut problem.wide) {
        let xi = &site.state.systems[s].xi;
        stamp_system(&params.systems[s], xi, &mut site.systems[s], rule, block);
    }
    for (f, &e) in island.elements.iter().enumerate() {
        let block = &mut problem.forces[f];
        jacobians(site, e, At::Step(twists, rule), block);
        let (p, g) = (&params.elements[e], &site.state.strain[e]);
        let lossy = model.elements[e].joint && rule.joint_loss > 0.0;
        let asked = lossy || (island.redundant && (0..block.rows).any(|row| p.is_hard(row)));
        let own = if asked { mobility(block, params, island) } else { Vec6::zeros() };
        for row in 0..block.rows {
            let soft = lossy && !p.is_hard(row);
            let loss = if soft { row_loss(rule, p.stiffness[row], own[row]) } else { 0.0 };
            block.loss[row] = loss;
            if island.redundant && p.is_hard(row) && own[row] <= STUCK * own.max() {
                slacken(block, row);
                continue;
            }
            let yielding = if island.redundant { own[row] } else { 0.0 };
            compliance(p, g[row], rule, row, yielding, block);
        }
        block.bias[0] += block.compliance[0] * p.damping[0] * drives[e].rate;
        if drives[e].effort != 0.0 {
            push_effort(drives[e].effort, f, island, problem);
        }
    }
    // rows of the potentials belong to the projection
    for block in &mut problem.forces[island.elements.len()..] {
        slacken(block, 0);
    }
}

/// Lets hard rows yield that did not: where they happen to say the same thing twice in this pose,
/// the system of [`island`] is singular. What they yield is lost, never gained.
/// False if there is no hard row.
pub fn soften(params: &Params, island: &Island, rule: &Rule, problem: &mut Problem) -> bool {
    let mut any = false;
    for (&e, block) in island.elements.iter().zip(&mut problem.forces) {
        let p = &params.elements[e];
        if !(0..block.rows).any(|row| p.is_hard(row)) {
            continue;
        }
        any = true;
        let own = mobility(block, params, island);
        for row in (0..block.rows).filter(|&row| p.is_hard(row)) {
            if own[row] <= STUCK * own.max() {
                slacken(block, row);
            } else {
                block.compliance[row] = YIELD * own[row] / rule.inertia;
            }
        }
    }
    any
}

/// Adds `Jᵀ f` of a motor's effort to the right-hand sides.
fn push_effort(effort: f64, f: usize, island: &Island, problem: &mut Problem) {
    let Problem { velocities, wide, forces } = problem;
    let lambda = Vec6::new(effort, 0.0, 0.0, 0.0, 0.0, 0.0);
    for side in &forces[f].sides {
        match side.block.checked_sub(island.bodies.len()) {
            None => velocities[side.block].rhs += forces[f].push(side, &lambda),
            Some(w) => forces[f].push_wide(side, &lambda, 1.0, &mut wide[w].rhs),
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

/// `c M + C + B` of one body, with `C = −S(I ω*)` `[Kim2017, (13)]` at the predicted midpoint.
fn velocity(p: &BodyParams, twist: &Vec6, rule: &Rule, block: &mut VelocityBlock) {
    block.diagonal = mass_vector(p) * rule.inertia + damping_vector(p);
    block.spin = p.inertia.component_mul(&angular(twist));
}

/// Takes row `row` out of the system: no force, whatever the motion.
pub fn slacken(block: &mut ForceBlock, row: usize) {
    (block.compliance[row], block.bias[row]) = (1.0, 0.0);
    for side in &mut block.sides {
        side.jacobian[row] = [0.0; 6];
        let n = side.wide.len() / block.rows;
        side.wide[row * n..(row + 1) * n].fill(0.0);
    }
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
    let velocity =
        VelocityBlock { diagonal: Vec6::repeat(1.0), spin: Vec3::zeros(), rhs: Vec6::zeros() };
    let size = |s: SystemAt| model.systems[s].law.freedoms();
    let side = |rows: usize, &block: &Block| {
        let wide = if let Block::System(s) = block { rows * size(s) } else { 0 };
        let place = island.place(block)?;
        Some(Side { block: place, jacobian: [[0.0; 6]; 6], wide: vec![0.0; wide] })
    };
    let forces = island.elements.iter().map(|&e| {
        let (info, rows) = (&model.elements[e], model.elements[e].kind.rows());
        ForceBlock {
            rows,
            sides: info.blocks.iter().filter_map(|b| side(rows, b)).collect(),
            compliance: Vec6::repeat(1.0),
            bias: Vec6::zeros(),
            loss: Vec6::zeros(),
        }
    });
    let mut forces: Vec<ForceBlock> = forces.collect();
    // one row per subsystem for its potential; only the projection uses it
    forces.extend(island.systems.iter().map(|&s| ForceBlock {
        rows: 1,
        sides: side(1, &Block::System(s)).into_iter().collect(),
        compliance: Vec6::repeat(1.0),
        bias: Vec6::zeros(),
        loss: Vec6::zeros(),
    }));
    Problem {
        velocities: vec![velocity; island.bodies.len()],
        wide: island.systems.iter().map(|&s| WideBlock::blank(size(s))).collect(),
        forces,
    }
}
