//! Pulls the configuration onto the carried strain. This stores nothing but work against gravity.

use super::slate::Slate;
use crate::math::dense;
use crate::math::{Vec3, Vec6, angular, linear, so3};
use crate::model::lagrangian::{BaseSizes, base_pose, retract, set_base};
use crate::model::{
    BodyState, Island, Pose, Site, SystemAt, SystemState, SystemWork, element_strain,
};
use crate::solve::{ForceBlock, Problem, Solution, Tools};
use crate::stamp::{self, At, Rule};

/// Newton passes at most; one or two are the rule.
const PASSES: usize = 5;
/// Largest turn of one pass [rad]; beyond it the linearisation means nothing.
const LARGEST_TURN: f64 = 0.5;
/// Weight of a row's own compliance where strains are not independent.
const SOFT: f64 = 1e-4;
/// Keeps the system regular where rows happen to align.
const REGULAR: f64 = 1e-13;

/// Part of its largest value so far below which a potential's gradient counts as flat.
const FLAT: f64 = 1e-6;

/// The true strain `G(q)` of each element of the island; returns the largest gap `|g − G|`
/// [m or rad] over rows with stiffness.
pub fn strains(site: &Site, island: &Island, out: &mut [Vec6]) -> f64 {
    Misfit::of(site, island, out).gap
}

/// Gaps of hard rows below this [m or rad] count as closed.
const CLOSED: f64 = 1e-12;

/// What separates an island's configuration from its carried strain.
#[derive(Debug, Clone, Copy, Default)]
struct Misfit {
    /// Energy that setting `g := G` would cost, row by row in magnitude [J].
    energy: f64,
    /// Largest gap of a hard row [m or rad].
    hard: f64,
    /// Largest gap of a row with stiffness [m or rad].
    gap: f64,
}

/// NaN raises nothing.
#[inline]
fn raise(most: &mut f64, value: f64) {
    if value > *most {
        *most = value;
    }
}

impl Misfit {
    /// Of the island's elements; their true strains go to `out`.
    fn of(site: &Site, island: &Island, out: &mut [Vec6]) -> Self {
        let (mut misfit, state) = (Self::default(), &*site.state);
        let (infos, params) = (&site.model.elements[..], &site.params.elements[..]);
        let carried = &state.strain[..];
        for &e in &island.elements {
            let (info, p, g) = (&infos[e], &params[e], &carried[e]);
            out[e] = element_strain(info, p, state, g);
            for row in 0..info.kind.rows() {
                let (k, gap) = (p.stiffness[row], out[e][row] - g[row]);
                if k == f64::INFINITY {
                    raise(&mut misfit.hard, gap.abs());
                } else if k > 0.0 {
                    raise(&mut misfit.gap, gap.abs());
                    misfit.energy += k * (g[row] * gap + 0.5 * gap * gap).abs();
                }
            }
        }
        misfit.gap = misfit.gap.max(misfit.hard);
        misfit
    }

    /// And what the potentials of its subsystems lack, which are evaluated where they are.
    fn and_sag(mut self, site: &Site, island: &Island) -> Self {
        for &s in &island.systems {
            let carried = site.state.systems[s].potential;
            self.energy += (site.systems[s].terms.potential - carried).abs();
        }
        self
    }

    /// Hard rows first; NaN is never better.
    fn is_better_than(&self, other: &Self) -> bool {
        if self.hard.max(other.hard) > CLOSED {
            self.hard < other.hard
        } else {
            self.energy < other.energy
        }
    }
}

/// Moves the island by the least mass-weighted change that makes `G(q) = g`.
///
/// # Equation
/// ```text
/// [J M⁻¹ Jᵀ + ε diag(4/(h² k)) + 1e-13 W_jj] μ = g − G(q),   δq = M⁻¹ Jᵀ μ
/// ```
/// `ε = 1e-4` where the strains of the island are not independent, so that hard rows are not bent
/// to please soft ones, else 0. A pass that would turn a body too far is solved again with more
/// inertia; after one that did much, the next uses its factors again. Passes are kept only if they
/// help; enough when what is left to book is below `enough` [J]. The slate holds `G` at the end.
/// Returns the gap before.
pub fn project_island(
    site: &mut Site,
    island: &Island,
    tools: &mut Tools,
    slate: &mut Slate,
    rule: &Rule,
    enough: f64,
) -> f64 {
    let Tools { problem, solution, solver } = tools;
    let (saved, out) = (&mut slate.saved[..], &mut slate.strains[..]);
    for &s in &island.systems {
        site.systems[s].begun.q.copy_from_slice(&site.state.systems[s].q);
    }
    show_systems(site, island);
    for &s in &island.systems {
        site.systems[s].begun.potential = site.systems[s].terms.potential;
    }
    let mut left = Misfit::of(site, island, out).and_sag(site, island);
    let first = left.gap;
    // coordinates cannot say more than this
    let size = island.bodies.iter().map(|&b| site.state.bodies[b].x.amax()).fold(1.0, f64::max);
    let floor = 4.0 * f64::EPSILON * size;
    let mut fresh = true;
    for _ in 0..PASSES {
        let still = left.gap <= floor && island.systems.is_empty();
        if still || (left.energy <= enough && left.hard <= CLOSED) {
            break;
        }
        if fresh {
            stamp_projection(site, island, rule, out, problem);
            solver.solve_roughly(problem, solution);
        } else {
            update_gaps(site, island, out, problem);
            solver.solve_unrefined(problem, solution);
        }
        let turn =
            |s: &Solution| s.velocities.iter().map(|d| angular(d).amax()).fold(0.0, f64::max);
        let far = turn(solution) / LARGEST_TURN;
        if far > 1.0 {
            for block in &mut problem.velocities {
                (3..6).for_each(|i| block.diagonal[i] *= far * far);
            }
            solver.solve_roughly(problem, solution);
        }
        let bodies = &mut site.state.bodies[..];
        for (&body, delta) in island.bodies.iter().zip(&solution.velocities) {
            saved[body] = bodies[body];
            displace(&mut bodies[body], delta);
        }
        for (local, &s) in island.systems.iter().enumerate() {
            let (work, q) = (&mut site.systems[s], &mut site.state.systems[s].q);
            work.begun.pass.copy_from_slice(q);
            work.take_rates(&solution.wide[local]);
            retract(site.model.systems[s].law.as_ref(), q, &work.row, 1.0);
        }
        show_systems(site, island);
        let now = Misfit::of(site, island, out).and_sag(site, island);
        if !now.is_better_than(&left) {
            island.bodies.iter().for_each(|&b| site.state.bodies[b] = saved[b]);
            for &s in &island.systems {
                site.state.systems[s].q.copy_from_slice(&site.systems[s].begun.pass);
            }
            show_systems(site, island);
            strains(site, island, out);
            break;
        }
        // what redundant strains disagree about, no configuration can mend
        if now.hard <= CLOSED && now.energy > 0.5 * left.energy {
            break;
        }
        // a pass that did much may be repeated with its factors: nothing has turned far
        let much = now.hard <= (0.1 * left.hard).max(CLOSED) && now.energy <= 0.1 * left.energy;
        fresh = !much || far > 0.1 || !island.systems.is_empty();
        left = now;
    }
    first
}

/// New gaps on old rows.
fn update_gaps(site: &Site, island: &Island, strains: &[Vec6], problem: &mut Problem) {
    for (&e, block) in island.elements.iter().zip(&mut problem.forces) {
        let gap = site.state.strain[e] - strains[e];
        for row in 0..block.rows {
            if site.params.elements[e].stiffness[row] > 0.0 {
                block.bias[row] = gap[row];
            }
        }
    }
}

fn displace(s: &mut BodyState, delta: &Vec6) {
    s.x += linear(delta);
    s.q = so3::compose(&s.q, &so3::exp(&angular(delta)));
}

/// Evaluates the subsystems of an island at their coordinates and shows their links.
fn show_systems(site: &mut Site, island: &Island) {
    island.systems.iter().for_each(|&s| show_system(site, s));
}

/// The same for one.
fn show_system(site: &mut Site, s: SystemAt) {
    let work = &mut site.systems[s];
    work.configure(&site.state.systems[s].q, &site.params.gravity);
    work.show_frames(&site.model.systems[s], &mut site.state.bodies);
}

fn stamp_projection(
    site: &mut Site,
    island: &Island,
    rule: &Rule,
    strains: &[Vec6],
    problem: &mut Problem,
) {
    let params = site.params;
    for (&body, block) in island.bodies.iter().zip(&mut problem.velocities) {
        block.set_diagonal(stamp::mass_vector(&params.bodies[body]));
        block.rhs.fill(0.0);
    }
    for block in &mut problem.wide {
        let n = block.rhs.len();
        for (i, v) in block.matrix.iter_mut().enumerate() {
            *v = if i % (n + 1) == 0 { 1.0 } else { 0.0 };
        }
        block.rhs.fill(0.0);
    }
    let soft = if island.redundant { SOFT * 4.0 / (rule.h * rule.h) } else { 0.0 };
    for (&e, block) in island.elements.iter().zip(&mut problem.forces) {
        let p = &params.elements[e];
        stamp::jacobians(site, e, At::Strain(&strains[e]), block);
        let gap = site.state.strain[e] - strains[e];
        let mobility = stamp::mobility(block, params, island);
        for row in 0..block.rows {
            let own = mobility[row];
            let stuck = own <= stamp::STUCK * mobility.max();
            let stuck = island.redundant && p.is_hard(row) && stuck;
            if p.stiffness[row] > 0.0 && !stuck {
                block.bias[row] = gap[row];
                block.compliance[row] = soft / p.stiffness[row] + REGULAR * own;
            } else {
                stamp::slacken(block, row);
            }
        }
    }
    let potentials = &mut problem.forces[island.elements.len()..];
    for (&s, block) in island.systems.iter().zip(potentials) {
        stamp_potential(&mut site.systems[s], &mut site.state.systems[s], block);
    }
}

/// One row that moves a subsystem along the gradient of its potential until that is what it
/// carries: `r = L⁻¹ ∇U`, `δζ = r (U_c − U) / |r|²`. At an equilibrium the row fades.
fn stamp_potential(work: &mut SystemWork, state: &mut SystemState, block: &mut ForceBlock) {
    let side = &mut block.sides[0];
    side.wide.copy_from_slice(&work.terms.gradient);
    dense::solve_lower(&work.l, &mut side.wide);
    let own: f64 = side.wide.iter().map(|v| v * v).sum();
    state.steepest = state.steepest.max(own);
    if own > FLAT * state.steepest {
        block.bias[0] = state.potential - work.terms.potential;
        block.compliance[0] = FLAT * state.steepest;
    } else {
        stamp::slacken(block, 0);
    }
}

/// Takes back part of a displacement: `fraction` 0 is none of it left, 1 all of it.
pub(super) fn scale_back(from: &BodyState, to: &mut BodyState, fraction: f64) {
    let turn: Vec3 = so3::log(&(from.q.inverse() * to.q));
    to.x = from.x + (to.x - from.x) * fraction;
    to.q = so3::compose(&from.q, &so3::exp(&(turn * fraction)));
}

/// The same for the coordinates of subsystem `s`, which is evaluated where that leaves it.
pub(super) fn scale_back_system(site: &mut Site, s: SystemAt, fraction: f64) {
    let (begun, q) = (&site.systems[s].begun.q, &mut site.state.systems[s].q);
    let nq = BaseSizes::of(site.model.systems[s].law.as_ref()).q;
    if nq > 0 {
        let [from, to] = [base_pose(begun), base_pose(q)];
        let turn: Vec3 = so3::log(&(from.rotation.inverse() * to.rotation));
        let position = from.position + (to.position - from.position) * fraction;
        let rotation = so3::compose(&from.rotation, &so3::exp(&(turn * fraction)));
        set_base(q, &Pose { position, rotation });
    }
    for (q, from) in q[nq..].iter_mut().zip(&begun[nq..]) {
        *q = from + (*q - from) * fraction;
    }
    show_system(site, s);
}
