//! An island whose stiff joints hold rigidly, moved by its masses alone.

use super::Site;
use crate::math::{angular, linear};
use crate::model::{Island, SystemWork};
use crate::solve::{Solution, Tools};
use crate::stamp::{self, At, Rule};

/// Keeps the rows regular where they say the same thing twice.
const REGULAR: f64 = 1e-12;

/// Fills the system `[M, −Jᵀ; J, ~0]` of an island at its present configuration: every row that is
/// hard, or whose vibration a step of `h` cannot resolve (`k h² W_jj > 4`), holds; the rest
/// is slack.
/// With `moving` the right-hand side is `M u`, so that its solution is the velocity closest to `u`
/// that no stiff joint resists; else it is 0.
pub(super) fn stamp_rigid(
    site: &mut Site,
    island: &Island,
    tools: &mut Tools,
    rule: &Rule,
    moving: bool,
) {
    let (params, problem) = (site.params, &mut tools.problem);
    for (&body, block) in island.bodies.iter().zip(&mut problem.velocities) {
        let mass = stamp::mass_vector(&params.bodies[body]);
        block.set_diagonal(mass);
        let u = site.state.bodies[body].twist();
        block.rhs = if moving { mass.component_mul(&u) } else { mass * 0.0 };
    }
    for (&s, block) in island.systems.iter().zip(&mut problem.wide) {
        let n = block.rhs.len();
        for (i, v) in block.matrix.iter_mut().enumerate() {
            *v = if i % (n + 1) == 0 { 1.0 } else { 0.0 };
        }
        block.rhs.copy_from_slice(&site.state.systems[s].xi);
        if !moving {
            block.rhs.fill(0.0);
        }
    }
    for (&e, block) in island.elements.iter().zip(&mut problem.forces) {
        let p = &params.elements[e];
        stamp::jacobians(site, e, At::Now, block);
        let mobility = stamp::mobility(block, params, island);
        for row in 0..block.rows {
            let own = mobility[row];
            let stiff = p.is_hard(row) || p.stiffness[row] * rule.h * rule.h * own > 4.0;
            // a row that moves nothing would leave the system singular
            let stuck = island.redundant && own <= stamp::STUCK * mobility.max();
            if stiff && !stuck && site.model.elements[e].joint {
                (block.compliance[row], block.bias[row]) = (REGULAR * own, 0.0);
            } else {
                stamp::slacken(block, row);
            }
        }
    }
    for block in &mut problem.forces[island.elements.len()..] {
        stamp::slacken(block, 0);
    }
}

/// Evaluates the subsystems of an island where they are.
pub(super) fn configure(site: &mut Site, island: &Island) {
    for &s in &island.systems {
        let work: &mut SystemWork = &mut site.systems[s];
        work.configure(&site.state.systems[s].q, &site.params.gravity);
    }
}

/// Makes the velocities of a solution those of the island.
pub(super) fn take_over(site: &mut Site, island: &Island, solution: &Solution) {
    for (&b, u) in island.bodies.iter().zip(&solution.velocities) {
        let s = &mut site.state.bodies[b];
        (s.v, s.omega) = (linear(u), angular(u));
    }
    for (&s, u) in island.systems.iter().zip(&solution.wide) {
        site.state.systems[s].xi.copy_from_slice(u);
        site.systems[s].show(&site.model.systems[s], site.state, s);
    }
}
