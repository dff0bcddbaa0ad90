//! One step by each of them.

use super::penalty::{self, Penalty};
use crate::math::{Mat6, Vec3, Vec6, angular, join, linear, so3, solve_gyroscopic};
use crate::model::{BodyParams, ElementInfo, Site};
use crate::port::Inputs;
use crate::settle::{Slate, strains};
use crate::solve::ForceBlock;
use crate::stamp::{self, At, Rule};
use crate::world::midpoint::Part;
use crate::world::scratch::{Progress, Scratch};
use crate::world::{Scheme, World};

impl World {
    /// A step by a scheme that is not ours.
    pub(in crate::world) fn rival_step(&mut self, h: f64, inputs: &Inputs) -> Progress {
        let springs = self.options.penalty;
        let soft = |ahead: f64| springs.map(|springs| Soft { springs, ahead });
        match self.options.scheme {
            Scheme::ImplicitEuler => {
                let mut part = self.part(inputs, Rule::implicit_euler(h));
                part.solve_all(soft(h));
                part.move_bodies(|_, _, mid| mid)
            }
            Scheme::ExplicitEuler => self.explicit_euler(h, inputs, soft(0.0), false),
            Scheme::SymplecticEuler => self.explicit_euler(h, inputs, soft(0.0), true),
            // `[Kim2017, (8)-(26)]`: coefficients at the start of the step, strain measured in each
            Scheme::PublishedMidpoint | Scheme::PassiveMidpoint => {
                let mut part = self.part(inputs, Rule::midpoint(h, false));
                part.solve_all(soft(0.5 * h));
                part.move_bodies(|_, u, mid| mid * 2.0 - u)
            }
        }
    }

    /// Explicit Euler, or symplectic Euler: positions move with the new velocity.
    fn explicit_euler(
        &mut self,
        h: f64,
        inputs: &Inputs,
        soft: Option<Soft>,
        symplectic: bool,
    ) -> Progress {
        let mut part = self.part(inputs, Rule::midpoint(h, false));
        part.prepare(soft);
        part.elastic_forces(soft);
        let Scratch { work, acting, slate, .. } = &mut *part.scratch;
        for (b, p) in part.params.bodies.iter().enumerate() {
            let u = work.bodies[b].twist();
            let omega = angular(&u);
            let gyroscopic = p.inertia.component_mul(&omega).cross(&omega);
            let force = acting.wrenches[b] + slate.forces[b]
                - stamp::damping_vector(p).component_mul(&u)
                + join(&Vec3::zeros(), &gyroscopic);
            let next = u + force.component_div(&stamp::mass_vector(p)) * h;
            acting.twists[b] = next;
            slate.mid[b] = if symplectic { next } else { u };
        }
        let next = std::mem::take(&mut acting.twists);
        let progress = part.move_bodies(|b, _, _| next[b]);
        self.scratch.acting.twists = next;
        progress
    }
}

/// Springs in place of contact and hard joints, and how far ahead of the step's beginning the
/// scheme takes their forces [s].
#[derive(Debug, Clone, Copy)]
struct Soft {
    springs: Penalty,
    ahead: f64,
}

impl Part<'_> {
    /// Measures strains, gathers forces and solves islands and free bodies; `mid` holds the result.
    fn solve_all(&mut self, soft: Option<Soft>) {
        self.prepare(soft);
        for (i, island) in self.model.islands.entries() {
            self.solve(i);
            let Scratch { slate, tools, .. } = &mut *self.scratch;
            for (local, &b) in island.bodies.iter().enumerate() {
                slate.mid[b] = tools[i].solution.velocities[local];
            }
        }
        let Scratch { work, slate, acting, .. } = &mut *self.scratch;
        for &b in &self.model.free {
            let (u, force) = (work.bodies[b].twist(), &acting.wrenches[b]);
            slate.mid[b] = solve_alone(&self.params.bodies[b], &u, force, self.rule.inertia);
        }
    }

    fn prepare(&mut self, soft: Option<Soft>) {
        self.clear_ports();
        self.measure();
        let Scratch { work, acting, .. } = &mut *self.scratch;
        for (b, s) in work.bodies.iter().enumerate() {
            acting.twists[b] = s.twist();
        }
        acting.wrenches.iter_mut().for_each(|w| w.fill(0.0));
        self.push();
        for &b in &self.model.free {
            let weight = self.params.gravity * self.params.bodies[b].mass;
            self.scratch.acting.wrenches[b] += join(&weight, &Vec3::zeros());
        }
        // the passive scheme leaves none
        self.scratch.slate.springs.rows.fill([Vec6::zeros(); 2]);
        if let Some(Soft { springs, ahead }) = soft {
            penalty::push_contacts(self.params, self.scratch, &springs, (self.rule.h, ahead));
        }
    }

    /// `g := G(q)`.
    fn measure(&mut self) {
        let Self { model, params, scratch, .. } = self;
        let Scratch { work: state, systems, slate, .. } = &mut **scratch;
        let site = Site { model, params, state, systems };
        for island in &model.islands {
            strains(&site, island, &mut slate.strains);
            for &e in &island.elements {
                site.state.strain[e] = slate.strains[e];
            }
        }
    }

    /// `Jᵀ λ` with `λ = −(k G + b J u)` at the start of the step, into `forces` per body.
    fn elastic_forces(&mut self, soft: Option<Soft>) {
        let Self { model, params, scratch, rule, .. } = self;
        let Scratch { work: state, systems, acting, slate, tools, .. } = &mut **scratch;
        let Slate { forces, springs, .. } = slate;
        let twists = &acting.twists;
        let mut site = Site { model, params, state, systems };
        forces.iter_mut().for_each(|p| p.fill(0.0));
        for (island, tools) in model.islands.iter().zip(tools.iter_mut()) {
            for (&e, block) in island.elements.iter().zip(&mut tools.problem.forces) {
                stamp::jacobians(&mut site, e, At::Step(twists, rule), block);
                let sides = || sides(&model.elements[e], block);
                let (rate, p) = (rate(sides(), twists), &params.elements[e]);
                if let Some(soft) = soft {
                    let by = (&soft.springs, rule.h);
                    springs.rows[e] = penalty::soften(params, sides, |row| p.is_hard(row), by);
                }
                let [stiff, damp] = springs.rows[e];
                let yielding = |k: f64| if k.is_finite() { k } else { 0.0 };
                let stiffness = p.stiffness.map(yielding) + stiff;
                let pulled = stiffness.component_mul(&site.state.strain[e]);
                let lambda = -(pulled + (p.damping + damp).component_mul(&rate));
                sides().for_each(|(b, jacobian)| forces[b] += jacobian.tr_mul(&lambda));
            }
        }
    }

    /// `q⁺ = q ⊕ h û` by the exponential map `[Kim2017, (16)]`, `u⁺` as given, and the account.
    fn move_bodies(mut self, next: impl Fn(usize, Vec6, Vec6) -> Vec6) -> Progress {
        let Self { model, params, .. } = self;
        let lost = penalty::losses(self.scratch, self.rule.h);
        let Scratch { work, acting, slate, tools, .. } = &mut *self.scratch;
        let (h, tally) = (self.rule.h, &mut self.progress.tally);
        for (b, p) in params.bodies.iter().enumerate() {
            let (s, mid) = (&mut work.bodies[b], slate.mid[b]);
            let u_next = next(b, s.twist(), mid);
            s.x += linear(&mid) * h;
            s.q = so3::compose(&s.q, &so3::exp(&(angular(&mid) * h)));
            (s.v, s.omega) = (linear(&u_next), angular(&u_next));
            let fall = h * p.mass * params.gravity.dot(&linear(&mid));
            let supplied = h * acting.wrenches[b].dot(&mid) - fall;
            let damped = h * stamp::damping_vector(p).dot(&mid.component_mul(&mid));
            (tally.fall, tally.supplied) = (tally.fall + fall, tally.supplied + supplied);
            tally.damped += damped;
            tally.work += fall.abs() + supplied.abs() + damped;
        }
        for (i, island) in model.islands.entries() {
            for (local, &e) in island.elements.iter().enumerate() {
                let block = &tools[i].problem.forces[local];
                let rate = rate(sides(&model.elements[e], block), &slate.mid);
                let damping = params.elements[e].damping + slate.springs.rows[e][1];
                let loss = h * damping.dot(&rate.component_mul(&rate));
                (tally.damped, tally.work) = (tally.damped + loss, tally.work + loss);
            }
        }
        self.collect_ports(1.0);
        // the passive scheme does not look at bodies that nothing pushes: no weight must stay
        self.scratch.acting.wrenches.fill(Vec6::zeros());
        self.measure();
        penalty::settle(self.scratch, lost, &mut self.progress);
        self.progress.measured = true;
        self.scratch.remember(&model.islands, h);
        self.progress
    }
}

/// Bodies that an element ties, and its Jacobians towards them.
fn sides(info: &ElementInfo, block: &ForceBlock) -> impl Iterator<Item = (usize, Mat6)> {
    let ends = info.ends.iter().zip(&info.side);
    ends.filter_map(|(body, side)| Some(((*body)?, block.sides[(*side)?].matrix())))
}

/// How fast its rows move where bodies have some twists.
fn rate(sides: impl Iterator<Item = (usize, Mat6)>, twists: &[Vec6]) -> Vec6 {
    sides.fold(Vec6::zeros(), |sum, (b, jacobian)| sum + jacobian * twists[b])
}

/// `(c M + C + B) û = c M u + F` of one body `[Kim2017, (21)]`, `c = 2/h` or `1/h`.
fn solve_alone(p: &BodyParams, u: &Vec6, force: &Vec6, c: f64) -> Vec6 {
    let inertia = stamp::mass_vector(p) * c;
    let (rhs, full) = (inertia.component_mul(u) + force, inertia + stamp::damping_vector(p));
    let momentum = p.inertia.component_mul(&angular(u));
    let omega = solve_gyroscopic(&angular(&full), &momentum, &angular(&rhs));
    join(&linear(&rhs).component_div(&linear(&full)), &omega)
}
