//! From the solution of the linear step to the next velocity, configuration and strain.

use super::slate::{Push, Slate};
use crate::math::{Vec3, Vec6, angular, join, linear, so3};
use crate::model::{ElementParams, Island, Params, PerSystem, Site, State, SystemWork};
use crate::solve::{Rate, Tools};
use crate::stamp::{self, Acting, Drive, Rule};

/// Motion larger than this many strains makes `J û` cancel too many digits.
const CANCELLING: f64 = 16.0;

/// Defects below this part of the energy in play need no second opinion.
const WELL_CLOSED: f64 = 1e-15;

/// Running account of one step, summed over bodies and elements [J].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Tally {
    /// Kinetic energy after.
    pub kinetic: f64,
    /// Work of gravity on the motion.
    pub fall: f64,
    /// Work of the ports.
    pub supplied: f64,
    /// Loss in dampers, and by `η` and yielding in joints.
    pub damped: f64,
    /// Energy created by the arithmetic.
    pub defect: f64,
    /// Sum of the magnitudes of all work terms.
    pub work: f64,
    /// Sum of the magnitudes of the terms that cancel in the defect, which is rounded to a part of
    /// it.
    pub scale: f64,
}

impl Tally {
    /// Adds what another part of the world did.
    pub fn merge(&mut self, other: &Tally) {
        self.kinetic += other.kinetic;
        self.fall += other.fall;
        self.supplied += other.supplied;
        self.damped += other.damped;
        self.defect += other.defect;
        self.work += other.work;
        self.scale += other.scale;
    }

    #[inline]
    pub(super) fn add_body(&mut self, kinetic: f64, fall: f64, work: f64, damped: f64) {
        self.kinetic += kinetic;
        self.fall += fall;
        self.supplied += work;
        self.damped += damped;
        self.work += fall.abs() + work.abs() + damped.abs();
    }
}

/// An island whose linear step is solved, on its way to the next state.
#[derive(Debug)]
pub struct Solved<'a> {
    /// Its bodies, subsystems and elements.
    pub island: &'a Island,
    /// Its system and the solution; receives the midpoint velocities that were used.
    pub tools: &'a mut Tools,
    /// What acted in the step.
    pub acting: &'a Acting,
    /// How the system was filled.
    pub rule: &'a Rule,
}

impl Solved<'_> {
    /// Settles the island: `u⁺`, `q⁺`, `g⁺` and what the step cost.
    ///
    /// # Equation
    /// ```text
    /// u⁺ = u + h M⁻¹ (F + Jᵀλ − (C + B) û),    q⁺ = q ⊕ h û,    g⁺ = g − h (λ + k g) / d
    /// E⁺ − E = h F·û − h û·Bû − Σ (h b (J û)² + η k |g⁺ − g|²)
    /// ```
    /// The velocity is computed as an increment and the strain from the force: round-off then
    /// drifts a hundred times less, and stiff rows do not cancel. `mid` of the slate receives `û`,
    /// `defect` of the tally what the identity leaves.
    pub fn advance(&mut self, site: &mut Site, slate: &mut Slate) -> Tally {
        let (twists, wrenches) = (&self.acting.twists[..], &self.acting.wrenches[..]);
        let (params, h) = (site.params, self.rule.h);
        let (mut sum, mut tally) = (Balance::default(), Tally::default());
        self.gather_pushes(&mut slate.pushes, site.systems);
        let (mid, pushes, next) = (&mut slate.mid[..], &slate.pushes[..], &mut slate.strains[..]);
        let (island, bodies) = (self.island, &mut site.state.bodies[..]);
        let found = &mut self.tools.solution.velocities;
        for ((&body, found), push) in island.bodies.iter().zip(found).zip(pushes) {
            let (p, s, u) = (&params.bodies[body], &mut bodies[body], *found);
            let damping = stamp::damping_vector(p);
            let force = wrenches[body] + push.sum - damping.component_mul(&u);
            let momentum = p.inertia.component_mul(&angular(&twists[body]));
            let gyroscopic = momentum.cross(&angular(&u));
            let total = force + join(&Vec3::zeros(), &gyroscopic);
            let du = total.component_div(&stamp::mass_vector(p)) * h;
            let spin = Vec3::repeat(momentum.amax() * angular(&u).amax());
            let size = push.size + wrenches[body].abs() + join(&Vec3::zeros(), &spin);
            let terms = (size * h).component_div(&stamp::mass_vector(p));
            let (u_mid, u_next) = midpoint_and_end(&s.twist(), &u, &du, &terms);
            let before = p.kinetic(&s.v, &s.omega);
            (s.v, s.omega) = (linear(&u_next), angular(&u_next));
            s.x += linear(&u_mid) * h;
            s.q = so3::compose(&s.q, &so3::cayley(&(angular(&u_mid) * h)));
            (mid[body], *found) = (u_mid, u_mid);
            let after = p.kinetic(&s.v, &s.omega);
            let fall = h * p.mass * params.gravity.dot(&linear(&u_mid));
            let supplied = h * wrenches[body].dot(&u_mid) - fall;
            let damped = h * damping.dot(&u_mid.component_mul(&u_mid));
            // velocities are rounded to a part of the terms that they are sums of
            let scale = h * size.dot(&(u_mid.abs() + terms));
            sum.add(&Deed { before, after, fall, supplied, damped, scale }, &mut tally);
        }
        for (local, &s) in island.systems.iter().enumerate() {
            sum.add(&self.advance_system(site, local), &mut tally);
            let (work, first) = (&mut site.systems[s], site.model.systems[s].nodes.start);
            let w = std::mem::take(&mut work.mid);
            work.twists(&w, &mut |link, twist| mid[first + link] = twist.value);
            work.mid = w;
        }
        let motors = self.motor_work(params);
        tally.supplied += motors;
        tally.work += motors.abs();
        let bodies = sum.change - sum.outside - motors + sum.damped;
        let mut change = |form| self.strain_change(params, site.state, form, next);
        let mut strains = change(Form::Force);
        // rarely the force is the worse witness: then the motion is heard as well
        if (bodies + strains.total()).abs() > WELL_CLOSED * (sum.kinetic + strains.size) {
            let other = change(Form::Motion);
            let better = (bodies + other.total()).abs() < (bodies + strains.total()).abs();
            strains = if better { other } else { change(Form::Force) };
        }
        let carried = &mut site.state.strain[..];
        island.elements.iter().for_each(|&e| carried[e] = next[e]);
        tally.damped += strains.loss;
        // rows that yield may say that they gained
        tally.work += strains.loss.abs();
        tally.defect = bodies + strains.total();
        tally.scale += sum.size + strains.scale;
        tally
    }

    /// Work of the motors: `h (f · J û + λ_b r)`, where `λ_b = −b (J û − r)` is the force of the
    /// damper that enforces a rate [J].
    fn motor_work(&self, params: &Params) -> f64 {
        let Tools { problem, solution, .. } = &*self.tools;
        let (drives, mut work) = (&self.acting.drives[..], 0.0);
        for (local, &e) in self.island.elements.iter().enumerate() {
            let Drive { effort, rate } = drives[e];
            if effort != 0.0 || rate != 0.0 {
                let actual = problem.rate(local, solution)[0];
                let pulled = -params.elements[e].damping[0] * (actual - rate);
                work += self.rule.h * (effort * actual + pulled * rate);
            }
        }
        work
    }

    /// `Jᵀ λ` per body and subsystem, the efforts of motors included.
    fn gather_pushes(&self, pushes: &mut [Push], systems: &mut PerSystem<SystemWork>) {
        let (island, bodies) = (self.island, self.island.bodies.len());
        pushes[..bodies].fill(Push::default());
        for &s in &island.systems {
            systems[s].push.fill(0.0);
            systems[s].push_size.fill(0.0);
        }
        let (Tools { problem, solution, .. }, drives) = (&*self.tools, &self.acting.drives[..]);
        let mut elements = island.elements.iter();
        for (block, lambda) in problem.forces.iter().zip(&solution.forces) {
            let mut lambda = *lambda;
            if let Some(&e) = elements.next() {
                lambda[0] += drives[e].effort;
            }
            for side in &block.sides {
                match side.block.checked_sub(bodies) {
                    None => {
                        let push = block.push(side, &lambda);
                        pushes[side.block].sum += push;
                        pushes[side.block].size += push.abs();
                    }
                    Some(wide) => {
                        let SystemWork { push, push_size, row, .. } =
                            &mut systems[island.systems[wide]];
                        row.fill(0.0);
                        block.push_wide(side, &lambda, 1.0, row);
                        for k in 0..row.len() {
                            push[k] += row[k];
                            push_size[k] += row[k].abs();
                        }
                    }
                }
            }
        }
    }

    /// `g⁺` of the elements, into `out`, by one form.
    fn strain_change(
        &self,
        params: &Params,
        state: &State,
        form: Form,
        out: &mut [Vec6],
    ) -> StrainChange {
        let (drives, mut sum) = (&self.acting.drives[..], StrainChange::default());
        let (params, carried) = (&params.elements[..], &state.strain[..]);
        for (local, &e) in self.island.elements.iter().enumerate() {
            let (p, g) = (&params[e], &carried[e]);
            let Stretched { next, loss, scale } = self.stretch(local, p, g, drives[e].rate, form);
            let (before, after) = (p.elastic(g), p.elastic(&next));
            out[e] = next;
            sum.elastic += after - before;
            sum.size += after.max(before) + loss;
            sum.loss += loss;
            sum.scale += before + after + loss.abs() + scale;
        }
        sum
    }

    /// Element `local` of the island after the step, by one form; its motor asks for a rate.
    fn stretch(
        &self,
        local: usize,
        p: &ElementParams,
        g: &Vec6,
        asked: f64,
        form: Form,
    ) -> Stretched {
        let (rule, Tools { problem, solution, .. }) = (self.rule, &*self.tools);
        let block = &problem.forces[local];
        let mut out = Stretched { next: *g, loss: 0.0, scale: 0.0 };
        let yields = |row: usize| p.is_hard(row) && block.compliance[row] > 0.0;
        let wanted = form == Form::Motion || (0..block.rows).any(yields);
        let motion = if wanted { problem.rate_and_size(local, solution) } else { Rate::default() };
        for row in 0..block.rows {
            let eta = block.loss[row];
            // a motor's damper pulls towards the rate asked for
            let pull = if row == 0 { asked } else { 0.0 };
            let lambda = solution.forces[local][row] - p.damping[row] * pull;
            let d = stamp::slope(p, row, rule, eta);
            let Some(rate) = stamp::rate(p, row, d, lambda, g[row]) else {
                // a hard row stores nothing; what a redundant one yields is lost
                let lambda = solution.forces[local][row];
                out.loss += if yields(row) { -rule.h * lambda * motion.value[row] } else { 0.0 };
                continue;
            };
            let terms = lambda.abs() + p.stiffness[row] * g[row].abs();
            out.scale += rule.h * terms * (terms / d);
            let moved = g[row] + rule.h * motion.value[row];
            let most = || CANCELLING * g[row].abs().max(moved.abs());
            let cancels = || rule.h * motion.size[row] > most();
            let by_force = form == Form::Force || cancels();
            let change = rule.h * if by_force { rate } else { motion.value[row] };
            out.next[row] += change;
            let slip = change - rule.h * pull;
            out.loss +=
                slip * slip * p.damping[row] / rule.h + change * change * eta * p.stiffness[row];
        }
        out
    }
}

/// What one body or subsystem did in a step [J].
#[derive(Debug, Clone, Copy)]
pub(super) struct Deed {
    /// Kinetic energy before and after.
    pub before: f64,
    pub after: f64,
    /// Work of its weight, of ports and of its dampers.
    pub fall: f64,
    pub supplied: f64,
    pub damped: f64,
    /// Sum of the magnitudes of all work.
    pub scale: f64,
}

/// Sums over the bodies and subsystems of an island [J].
#[derive(Debug, Clone, Copy, Default)]
struct Balance {
    change: f64,
    outside: f64,
    damped: f64,
    kinetic: f64,
    size: f64,
}

impl Balance {
    fn add(&mut self, deed: &Deed, tally: &mut Tally) {
        let Deed { before, after, fall, supplied, damped, scale } = *deed;
        tally.add_body(after, fall, supplied, damped);
        tally.scale += scale + damped;
        self.change += after - before;
        self.kinetic += after.max(before);
        self.size += after + before;
        self.outside += fall + supplied;
        self.damped += damped;
    }
}

/// `û` and `u⁺`, each component in the form that loses no digits.
///
/// As an increment, `u⁺ = u + du`, round-off drifts least. Where `û = u + du/2` would cancel,
/// because a stiff element turns the velocity around or large forces (`terms`, as velocities)
/// balance, the solved `û` stands and `u⁺ = 2û − u`.
fn midpoint_and_end(u: &Vec6, solved: &Vec6, du: &Vec6, terms: &Vec6) -> (Vec6, Vec6) {
    let (mut mid, mut next) = (u + du * 0.5, u + du);
    for i in 0..6 {
        if mid[i].abs() < (0.5 * u[i].abs()).max(0.125 * terms[i]) {
            (mid[i], next[i]) = (solved[i], 2.0 * solved[i] - u[i]);
        }
    }
    (mid, next)
}

/// Two ways to know how far a strain went: from the force, `−(λ + k g)/d`, or from the motion,
/// `J û` (unless that cancels). They agree but for rounding, which stiffness magnifies.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Form {
    Force,
    Motion,
}

/// An element after a step, by one form.
struct Stretched {
    /// `g⁺`.
    next: Vec6,
    /// What its dampers took [J].
    loss: f64,
    /// How large the terms are that its energy is a difference of: `h (|λ| + k |g|)² / d` [J].
    scale: f64,
}

/// What one form makes of an island's elements [J].
#[derive(Debug, Clone, Copy, Default)]
struct StrainChange {
    elastic: f64,
    loss: f64,
    /// elastic energy in play
    size: f64,
    /// sum of the magnitudes of what cancels in it
    scale: f64,
}

impl StrainChange {
    fn total(&self) -> f64 {
        self.elastic + self.loss
    }
}
