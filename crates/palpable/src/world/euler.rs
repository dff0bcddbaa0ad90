//! The schemes that the papers compare with: as published, implicit, explicit, symplectic.
//!
//! None of them is passive; their defect is what they create or lose, and the ledger shows it.

use super::World;
use super::midpoint::{clear_ports, collect_ports, push, solve};
use super::penalty::{self, Penalty};
use super::scratch::{Progress, Scratch};
use crate::math::{Mat6, Vec3, Vec6, angular, join, linear, so3, solve_gyroscopic};
use crate::model::{BodyParams, Model, Params};
use crate::port::Inputs;
use crate::settle::strains;
use crate::stamp::{self, Rule};

impl World {
    /// `[Kim2017, (8)-(26)]`: coefficients at the start of the step, strain measured each step.
    pub(super) fn published_midpoint(&mut self, h: f64, inputs: &Inputs) -> Progress {
        let Self { model, trial: params, scratch, options, .. } = self;
        let rule = Rule::midpoint(h, false);
        let soft = options.penalty.as_ref().map(|soft| (soft, 0.5 * h));
        solve_all(model, params, scratch, inputs, (&rule, soft));
        move_bodies(model, params, scratch, inputs, &rule, |_, u, mid| mid * 2.0 - u)
    }

    /// Implicit Euler, linearised at the start of the step.
    pub(super) fn implicit_euler(&mut self, h: f64, inputs: &Inputs) -> Progress {
        let Self { model, trial: params, scratch, options, .. } = self;
        let rule = Rule::implicit_euler(h);
        let soft = options.penalty.as_ref().map(|soft| (soft, h));
        solve_all(model, params, scratch, inputs, (&rule, soft));
        move_bodies(model, params, scratch, inputs, &rule, |_, _, mid| mid)
    }

    /// Explicit Euler, or symplectic Euler: positions move with the new velocity.
    pub(super) fn explicit_euler(&mut self, h: f64, inputs: &Inputs, symplectic: bool) -> Progress {
        let Self { model, trial: params, scratch, options, .. } = self;
        let (rule, soft) = (&Rule::midpoint(h, false), options.penalty.as_ref());
        prepare(model, params, scratch, inputs, (rule, soft.map(|soft| (soft, 0.0))));
        elastic_forces(model, params, scratch, (rule, soft));
        for (b, p) in params.bodies.iter().enumerate() {
            let u = scratch.work.bodies[b].twist();
            let omega = angular(&u);
            let gyroscopic = p.inertia.component_mul(&omega).cross(&omega);
            let force = scratch.wrenches[b] + scratch.forces[b]
                - stamp::damping_vector(p).component_mul(&u)
                + join(&Vec3::zeros(), &gyroscopic);
            let next = u + force.component_div(&stamp::mass_vector(p)) * h;
            scratch.twists[b] = next;
            scratch.mid[b] = if symplectic { next } else { u };
        }
        let next = std::mem::take(&mut scratch.twists);
        let progress = move_bodies(model, params, scratch, inputs, rule, |b, _, _| next[b]);
        scratch.twists = next;
        progress
    }
}

/// Measures strains, gathers forces and solves islands and free bodies; `mid` holds the result.
fn solve_all(
    model: &Model,
    params: &Params,
    scratch: &mut Scratch,
    inputs: &Inputs,
    (rule, soft): (&Rule, Option<(&Penalty, f64)>),
) {
    prepare(model, params, scratch, inputs, (rule, soft));
    for (i, island) in model.islands.iter().enumerate() {
        solve(model, params, scratch, rule, i);
        for (local, &b) in island.bodies.iter().enumerate() {
            scratch.mid[b] = scratch.tools[i].solution.velocities[local];
        }
    }
    for &b in &model.free {
        let (u, force) = (scratch.work.bodies[b].twist(), &scratch.wrenches[b]);
        scratch.mid[b] = solve_alone(&params.bodies[b], &u, force, rule.inertia);
    }
}

/// `(c M + C + B) û = c M u + F` of one body `[Kim2017, (21)]`, `c = 2/h` or `1/h`.
fn solve_alone(p: &BodyParams, u: &Vec6, force: &Vec6, c: f64) -> Vec6 {
    let inertia = stamp::mass_vector(p) * c;
    let (rhs, full) = (inertia.component_mul(u) + force, inertia + stamp::damping_vector(p));
    let momentum = p.inertia.component_mul(&angular(u));
    let omega = solve_gyroscopic(&angular(&full), &momentum, &angular(&rhs));
    join(&linear(&rhs).component_div(&linear(&full)), &omega)
}

fn prepare(
    model: &Model,
    params: &Params,
    scratch: &mut Scratch,
    inputs: &Inputs,
    (rule, soft): (&Rule, Option<(&Penalty, f64)>),
) {
    clear_ports(scratch);
    measure(model, params, scratch);
    for (b, s) in scratch.work.bodies.iter().enumerate() {
        scratch.twists[b] = s.twist();
    }
    scratch.wrenches.iter_mut().for_each(|w| w.fill(0.0));
    push(model, params, scratch, inputs, rule);
    for &b in &model.free {
        let weight = params.gravity * params.bodies[b].mass;
        scratch.wrenches[b] += join(&weight, &Vec3::zeros());
    }
    // the passive scheme leaves none
    scratch.springs.rows.fill([Vec6::zeros(); 2]);
    if let Some((soft, ahead)) = soft {
        penalty::push_contacts(params, scratch, soft, (rule.h, ahead));
    }
}

/// `g := G(q)`.
fn measure(model: &Model, params: &Params, scratch: &mut Scratch) {
    for island in &model.islands {
        strains(model, params, &scratch.work, island, &mut scratch.strains);
        for &e in &island.elements {
            scratch.work.strain[e] = scratch.strains[e];
        }
    }
}

/// `Jᵀ λ` with `λ = −(k G + b J u)` at the start of the step, into `forces` per body.
fn elastic_forces(
    model: &Model,
    params: &Params,
    scratch: &mut Scratch,
    (rule, soft): (&Rule, Option<&Penalty>),
) {
    scratch.forces.iter_mut().for_each(|p| p.fill(0.0));
    for (i, island) in model.islands.iter().enumerate() {
        let Scratch { work, twists, tools, forces, systems, springs, .. } = &mut *scratch;
        let problem = &mut tools[i].problem;
        for (local, &e) in island.elements.iter().enumerate() {
            let block = &mut problem.forces[local];
            let (g, now) = (&work.strain[e], (params, &*work));
            stamp::jacobians(model, now, systems, Some(twists), g, rule, e, block);
            let (ends, at) = (model.elements[e].ends, model.elements[e].side);
            let jacobian =
                |side: usize| at[side].map_or(Mat6::zeros(), |k| block.sides[k].matrix());
            let mut rate = Vec6::zeros();
            for (side, body) in ends.iter().enumerate() {
                body.iter().for_each(|&b| rate += jacobian(side) * twists[b]);
            }
            let p = &params.elements[e];
            if let Some(soft) = soft {
                let hard = |row| p.is_hard(row);
                let sides = (ends, [jacobian(0), jacobian(1)]);
                springs.rows[e] = penalty::soften(params, sides, hard, (soft, rule.h));
            }
            let [stiff, damp] = springs.rows[e];
            let yielding = |k: f64| if k.is_finite() { k } else { 0.0 };
            let stiffness = p.stiffness.map(yielding) + stiff;
            let damping = p.damping + damp;
            let lambda = -(stiffness.component_mul(&work.strain[e]) + damping.component_mul(&rate));
            for (side, body) in ends.iter().enumerate() {
                body.iter().for_each(|&b| forces[b] += jacobian(side).tr_mul(&lambda));
            }
        }
    }
}

/// `q⁺ = q ⊕ h û` by the exponential map `[Kim2017, (16)]`, `u⁺` as given, and the account.
fn move_bodies(
    model: &Model,
    params: &Params,
    scratch: &mut Scratch,
    inputs: &Inputs,
    rule: &Rule,
    next: impl Fn(usize, Vec6, Vec6) -> Vec6,
) -> Progress {
    let mut progress = Progress::default();
    let lost = penalty::losses(scratch, rule.h);
    let (h, tally) = (rule.h, &mut progress.tally);
    for (b, p) in params.bodies.iter().enumerate() {
        let (s, mid) = (&mut scratch.work.bodies[b], scratch.mid[b]);
        let u_next = next(b, s.twist(), mid);
        s.x += linear(&mid) * h;
        s.q = so3::compose(&s.q, &so3::exp(&(angular(&mid) * h)));
        (s.v, s.omega) = (linear(&u_next), angular(&u_next));
        let fall = h * p.mass * params.gravity.dot(&linear(&mid));
        let supplied = h * scratch.wrenches[b].dot(&mid) - fall;
        let damped = h * stamp::damping_vector(p).dot(&mid.component_mul(&mid));
        (tally.fall, tally.supplied) = (tally.fall + fall, tally.supplied + supplied);
        tally.damped += damped;
        tally.work += fall.abs() + supplied.abs() + damped;
    }
    for (i, island) in model.islands.iter().enumerate() {
        for (local, &e) in island.elements.iter().enumerate() {
            let block = &scratch.tools[i].problem.forces[local];
            let mut rate = Vec6::zeros();
            let at = model.elements[e].side;
            for (side, body) in model.elements[e].ends.iter().enumerate() {
                let jacobian = at[side].map_or(Mat6::zeros(), |k| block.sides[k].matrix());
                body.iter().for_each(|&b| rate += jacobian * scratch.mid[b]);
            }
            let damping = params.elements[e].damping + scratch.springs.rows[e][1];
            let loss = h * damping.dot(&rate.component_mul(&rate));
            (tally.damped, tally.work) = (tally.damped + loss, tally.work + loss);
        }
    }
    collect_ports(model, params, scratch, rule, inputs, 1.0);
    // the passive scheme does not look at bodies that nothing pushes: their weight must not stay
    scratch.wrenches.fill(Vec6::zeros());
    measure(model, params, scratch);
    penalty::settle(scratch, lost, &mut progress);
    scratch.remember(&model.islands, h);
    progress
}
