//! From the solution of the linear step to the next velocity, configuration and strain.

use crate::math::{Vec3, Vec6, angular, join, linear, so3};
use crate::model::{ElementParams, Island, Params, State};
use crate::solve::{Problem, Solution};
use crate::stamp::{self, Rule};

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
}

impl Tally {
    #[inline]
    pub(super) fn add_body(&mut self, kinetic: f64, fall: f64, work: f64, damped: f64) {
        self.kinetic += kinetic;
        self.fall += fall;
        self.supplied += work;
        self.damped += damped;
        self.work += fall.abs() + work.abs() + damped;
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
    params: &Params,
    state: &mut State,
    mid: &mut [Vec6],
    (twists, wrenches, pushes): (&[Vec6], &[Vec6], &mut [Push]),
    rule: &Rule,
    island: &Island,
    (problem, solution): (&Problem, &mut Solution),
    tally: &mut Tally,
) -> f64 {
    let h = rule.h;
    let (mut change, mut outside, mut damped, mut kinetic) = (0.0, 0.0, 0.0, 0.0);
    gather_pushes(island, problem, solution, pushes);
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
        tally.add_body(after, fall, supplied, loss);
        change += after - before;
        kinetic += after.max(before);
        outside += fall + supplied;
        damped += loss;
    }
    let bodies = change - outside + damped;
    let mut strains = strain_change(params, state, rule, island, (problem, solution), Form::Force);
    // rarely the force is the worse witness: then the motion is heard as well
    if (bodies + strains.total()).abs() > WELL_CLOSED * (kinetic + strains.size) {
        let other = strain_change(params, state, rule, island, (problem, solution), Form::Motion);
        if (bodies + other.total()).abs() < (bodies + strains.total()).abs() {
            strains = other;
        }
    }
    for (local, &e) in island.elements.iter().enumerate() {
        let (p, g) = (&params.elements[e], &mut state.strain[e]);
        *g = next_strain(p, g, rule, local, (problem, solution), strains.form).0;
    }
    tally.damped += strains.loss;
    tally.work += strains.loss;
    let defect = bodies + strains.total();
    tally.defect += defect;
    defect
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

/// `Jᵀ λ` per body of the island.
fn gather_pushes(island: &Island, problem: &Problem, solution: &Solution, pushes: &mut [Push]) {
    pushes[..island.bodies.len()].fill(Push::default());
    for (f, block) in problem.forces.iter().enumerate() {
        for (side, body) in block.touches.iter().enumerate() {
            if let Some(b) = body {
                let push = problem.push(f, side, &solution.forces[f]);
                pushes[*b].sum += push;
                pushes[*b].size += push.abs();
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
    form: Form,
    elastic: f64,
    loss: f64,
    /// elastic energy in play
    size: f64,
}

impl StrainChange {
    fn total(&self) -> f64 {
        self.elastic + self.loss
    }
}

fn strain_change(
    params: &Params,
    state: &State,
    rule: &Rule,
    island: &Island,
    system: (&Problem, &Solution),
    form: Form,
) -> StrainChange {
    let mut sum = StrainChange { form, elastic: 0.0, loss: 0.0, size: 0.0 };
    for (local, &e) in island.elements.iter().enumerate() {
        let (p, g) = (&params.elements[e], &state.strain[e]);
        let (next, loss) = next_strain(p, g, rule, local, system, form);
        let (before, after) = (p.elastic(g), p.elastic(&next));
        sum.elastic += after - before;
        sum.size += after.max(before) + loss;
        sum.loss += loss;
    }
    sum
}

/// `g⁺` of one element, and what its dampers took [J].
fn next_strain(
    p: &ElementParams,
    g: &Vec6,
    rule: &Rule,
    local: usize,
    (problem, solution): (&Problem, &Solution),
    form: Form,
) -> (Vec6, f64) {
    let (rates, sizes) = problem.rate_and_size(local, &solution.velocities);
    let block = &problem.forces[local];
    let (mut next, mut loss) = (*g, 0.0);
    for row in 0..block.rows {
        let (eta, lambda) = (block.loss[row], solution.forces[local][row]);
        let d = stamp::slope(p, row, rule, eta);
        let Some(rate) = stamp::rate(p, row, d, lambda, g[row]) else {
            // a hard row stores nothing; what a redundant one yields is lost
            let yields = p.is_hard(row) && block.compliance[row] > 0.0;
            loss += if yields { -rule.h * lambda * rates[row] } else { 0.0 };
            continue;
        };
        let moved = g[row] + rule.h * rates[row];
        let cancels = rule.h * sizes[row] > CANCELLING * g[row].abs().max(moved.abs());
        let by_force = form == Form::Force || cancels;
        let change = rule.h * if by_force { rate } else { rates[row] };
        next[row] += change;
        loss += change * change * (p.damping[row] / rule.h + eta * p.stiffness[row]);
    }
    (next, loss)
}
