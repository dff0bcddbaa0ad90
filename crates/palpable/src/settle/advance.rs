//! From the solution of the linear step to the next velocity, configuration and strain.

use super::system::advance_system;
use crate::math::{Vec3, Vec6, angular, join, linear, so3};
use crate::model::{ElementParams, Island, Model, Params, State, SystemWork};
use crate::solve::{Problem, Solution};
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

/// Settles one island: `u⁺`, `q⁺`, `g⁺` and what the step cost.
///
/// # Equation
/// ```text
/// u⁺ = u + h M⁻¹ (F + Jᵀλ − (C + B) û),    q⁺ = q ⊕ h û,    g⁺ = g − h (λ + k g) / d
/// E⁺ − E = h F·û − h û·Bû − Σ (h b (J û)² + η k |g⁺ − g|²)
/// ```
/// The velocity is computed as an increment and the strain from the force: round-off then drifts
/// a hundred times less, and stiff rows do not cancel. `mid` receives `û`, `defect` of the tally
/// what the identity leaves.
#[expect(clippy::too_many_arguments, reason = "one argument per neighbouring room")]
pub fn advance_island(
    (model, params): (&Model, &Params),
    state: &mut State,
    mid: &mut [Vec6],
    acting: &Acting,
    (pushes, systems, next): (&mut [Push], &mut [SystemWork], &mut [Vec6]),
    rule: &Rule,
    island: &Island,
    (problem, solution): (&Problem, &mut Solution),
    tally: &mut Tally,
) -> f64 {
    let Acting { twists, wrenches, drives } = acting;
    let h = rule.h;
    let mut sum = Balance::default();
    gather_pushes(island, problem, solution, drives, pushes, systems);
    for (local, &body) in island.bodies.iter().enumerate() {
        let (p, s) = (&params.bodies[body], &mut state.bodies[body]);
        let u = solution.velocities[local];
        let force = wrenches[body] + pushes[local].sum - stamp::damping_vector(p).component_mul(&u);
        let momentum = p.inertia.component_mul(&angular(&twists[body]));
        let gyroscopic = momentum.cross(&angular(&u));
        let total = force + join(&Vec3::zeros(), &gyroscopic);
        let du = total.component_div(&stamp::mass_vector(p)) * h;
        let spin = Vec3::repeat(momentum.amax() * angular(&u).amax());
        let size = pushes[local].size + wrenches[body].abs() + join(&Vec3::zeros(), &spin);
        let terms = (size * h).component_div(&stamp::mass_vector(p));
        let (u_mid, u_next) = midpoint_and_end(&s.twist(), &u, &du, &terms);
        let before = p.kinetic(&s.v, &s.omega);
        (s.v, s.omega) = (linear(&u_next), angular(&u_next));
        s.x += linear(&u_mid) * h;
        s.q = so3::compose(&s.q, &so3::cayley(&(angular(&u_mid) * h)));
        mid[body] = u_mid;
        solution.velocities[local] = u_mid;
        let after = p.kinetic(&s.v, &s.omega);
        let fall = h * p.mass * params.gravity.dot(&linear(&u_mid));
        let supplied = h * wrenches[body].dot(&u_mid) - fall;
        let loss = h * stamp::damping_vector(p).dot(&u_mid.component_mul(&u_mid));
        sum.add(tally, before, after, fall, supplied, loss);
        // velocities are rounded to a part of the terms that they are sums of
        tally.scale += h * size.dot(&(u_mid.abs() + terms)) + loss;
    }
    for (local, &s) in island.systems.iter().enumerate() {
        let (work, block) = (&mut systems[s], &problem.wide[local]);
        let (info, p) = (&model.systems[s], &params.systems[s]);
        let found = &mut solution.wide[local];
        let moved = advance_system(info, p, &mut state.systems[s], work, (rule, block), found);
        let w = std::mem::take(&mut work.mid);
        work.twists(&w, &mut |link, twist| mid[info.nodes.start + link] = twist.value);
        work.mid = w;
        let [before, after, fall, supplied, loss, scale] = moved;
        sum.add(tally, before, after, fall, supplied, loss);
        tally.scale += scale + loss;
    }
    let motors = motor_work(params, island, (problem, solution), drives, h);
    tally.supplied += motors;
    tally.work += motors.abs();
    let bodies = sum.change - sum.outside - motors + sum.damped;
    let system = (problem, &*solution);
    let mut change = |form| strain_change(params, state, rule, island, system, drives, form, next);
    let mut strains = change(Form::Force);
    // rarely the force is the worse witness: then the motion is heard as well
    if (bodies + strains.total()).abs() > WELL_CLOSED * (sum.kinetic + strains.size) {
        let other = change(Form::Motion);
        let better = (bodies + other.total()).abs() < (bodies + strains.total()).abs();
        strains = if better { other } else { change(Form::Force) };
    }
    island.elements.iter().for_each(|&e| state.strain[e] = next[e]);
    tally.damped += strains.loss;
    // rows that yield may say that they gained
    tally.work += strains.loss.abs();
    let defect = bodies + strains.total();
    tally.defect += defect;
    tally.scale += sum.size + strains.scale;
    defect
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
    fn add(&mut self, tally: &mut Tally, before: f64, after: f64, fall: f64, work: f64, loss: f64) {
        tally.add_body(after, fall, work, loss);
        self.change += after - before;
        self.kinetic += after.max(before);
        self.size += after + before;
        self.outside += fall + work;
        self.damped += loss;
    }
}

/// Work of the motors of an island: `h (f · J û + λ_b r)`, where `λ_b = −b (J û − r)` is the force
/// of the damper that enforces a rate [J].
fn motor_work(
    params: &Params,
    island: &Island,
    (problem, solution): (&Problem, &Solution),
    drives: &[Drive],
    h: f64,
) -> f64 {
    let mut work = 0.0;
    for (local, &e) in island.elements.iter().enumerate() {
        let Drive { effort, rate } = drives[e];
        if effort != 0.0 || rate != 0.0 {
            let actual = problem.rate(local, solution)[0];
            let pulled = -params.elements[e].damping[0] * (actual - rate);
            work += h * (effort * actual + pulled * rate);
        }
    }
    work
}

/// Sum of the forces of elements on a body, and of their magnitudes.
#[derive(Debug, Clone, Copy, Default)]
pub struct Push {
    sum: Vec6,
    size: Vec6,
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

/// `Jᵀ λ` per body and subsystem of the island, the efforts of motors included.
fn gather_pushes(
    island: &Island,
    problem: &Problem,
    solution: &Solution,
    drives: &[Drive],
    pushes: &mut [Push],
    systems: &mut [SystemWork],
) {
    let bodies = island.bodies.len();
    pushes[..bodies].fill(Push::default());
    for &s in &island.systems {
        systems[s].push.fill(0.0);
        systems[s].push_size.fill(0.0);
    }
    for (f, block) in problem.forces.iter().enumerate() {
        let mut lambda = solution.forces[f];
        if let Some(&e) = island.elements.get(f) {
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

/// Two ways to know how far a strain went: from the force, `−(λ + k g)/d`, or from the motion,
/// `J û` (unless that cancels). They agree but for rounding, which stiffness magnifies.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Form {
    Force,
    Motion,
}

/// What one form makes of an island's elements [J].
#[derive(Debug, Clone, Copy)]
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

/// `g⁺` of the island's elements, into `out`, by one form.
#[expect(clippy::too_many_arguments, reason = "one argument per neighbouring room")]
fn strain_change(
    params: &Params,
    state: &State,
    rule: &Rule,
    island: &Island,
    system: (&Problem, &Solution),
    drives: &[Drive],
    form: Form,
    out: &mut [Vec6],
) -> StrainChange {
    let mut sum = StrainChange { elastic: 0.0, loss: 0.0, size: 0.0, scale: 0.0 };
    for (local, &e) in island.elements.iter().enumerate() {
        let (p, g) = (&params.elements[e], &state.strain[e]);
        let (next, loss, scale) = next_strain(p, g, rule, local, system, drives[e].rate, form);
        let (before, after) = (p.elastic(g), p.elastic(&next));
        out[e] = next;
        sum.elastic += after - before;
        sum.size += after.max(before) + loss;
        sum.loss += loss;
        sum.scale += before + after + loss.abs() + scale;
    }
    sum
}

/// `g⁺` of one element, what its dampers took, and how large the terms are that its energy is a
/// difference of: `h (|λ| + k |g|)² / d` [J].
fn next_strain(
    p: &ElementParams,
    g: &Vec6,
    rule: &Rule,
    local: usize,
    (problem, solution): (&Problem, &Solution),
    asked: f64,
    form: Form,
) -> (Vec6, f64, f64) {
    let block = &problem.forces[local];
    let (mut next, mut loss, mut scale) = (*g, 0.0, 0.0);
    let yields = |row: usize| p.is_hard(row) && block.compliance[row] > 0.0;
    let asked_for = form == Form::Motion || (0..block.rows).any(yields);
    let (rates, sizes) =
        if asked_for { problem.rate_and_size(local, solution) } else { Default::default() };
    for row in 0..block.rows {
        let eta = block.loss[row];
        // a motor's damper pulls towards the rate asked for
        let pull = if row == 0 { asked } else { 0.0 };
        let lambda = solution.forces[local][row] - p.damping[row] * pull;
        let d = stamp::slope(p, row, rule, eta);
        let Some(rate) = stamp::rate(p, row, d, lambda, g[row]) else {
            // a hard row stores nothing; what a redundant one yields is lost
            let lambda = solution.forces[local][row];
            loss += if yields(row) { -rule.h * lambda * rates[row] } else { 0.0 };
            continue;
        };
        let terms = lambda.abs() + p.stiffness[row] * g[row].abs();
        scale += rule.h * terms * (terms / d);
        let moved = g[row] + rule.h * rates[row];
        let cancels = || rule.h * sizes[row] > CANCELLING * g[row].abs().max(moved.abs());
        let by_force = form == Form::Force || cancels();
        let change = rule.h * if by_force { rate } else { rates[row] };
        next[row] += change;
        let slip = change - rule.h * pull;
        loss += slip * slip * p.damping[row] / rule.h + change * change * eta * p.stiffness[row];
    }
    (next, loss, scale)
}
