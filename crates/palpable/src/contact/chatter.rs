//! Joint velocities that flip from step to step, because no step resolves the joint.

use super::rigid::{configure, stamp_rigid, take_over};
use super::stage::Stage;
use super::{Site, Toolbox};
use crate::math::{Vec6, angular, linear};
use crate::model::{ElementParams, Island, IslandAt};
use crate::solve::Tools;
use crate::stamp::{self, At, Rule};

/// `(ωh)²` of a row, above which it is stiff: `ωh > 10`.
const STIFF: f64 = 100.0;
/// What flips must be so many times what does not,
const CLEARLY: f64 = 3.0;
/// more than this part of the turn of a step, squared, which even a smooth motion shows,
const CURVED: f64 = 1.0 / 12.0;
/// and more than this part of the motion.
const FAINT: f64 = 1e-7;

/// Takes chatter out of stiff joints that no contact has cleaned; returns its energy [J].
///
/// A force that acts at once leaves a stiff joint with a velocity `e = J u` that the midpoint rule
/// turns around in every step, for ever: `e⁺ = −e + c`, where `c` is of second order and smooth.
/// Half the sum of two successive values is then the smooth part, half their difference
/// the chatter `a`.
///
/// # Equation
/// ```text
/// e = J u,   s = (e + e⁻)/2,   a = (e − e⁻)/2:    where |a| ≫ |s|, an impulse makes J u = s
/// ```
/// in the norm `Σ a²/W_jj` over the rows of joints that are hard or have `k h² W_jj > 100`;
/// softer rows and springs are left alone, and all of them if joints are to lose nothing.
/// # Guarantee
/// Never adds energy: the impulse is left out where it would.
pub fn calm(site: &mut Site, islands: &mut Toolbox, stage: Option<&Stage>, rule: &Rule) -> f64 {
    let (model, mut lost) = (site.model, 0.0);
    if !(rule.joint_loss > 0.0) {
        return 0.0;
    }
    for (i, island) in model.islands.entries() {
        if !island.elements.iter().any(|&e| model.elements[e].joint) {
            continue;
        }
        if stage.is_some_and(|s| s.islands.cleaned[i]) {
            island.elements.iter().for_each(|&e| site.state.parting[e].fill(0.0));
            continue;
        }
        configure(site, island);
        let [flips, stays] = measure(site, island, &mut islands[i], rule);
        let unit = model.units.of_island(i);
        let least = FAINT.max(CURVED * turn(site, island, rule.h)).powi(2) * site.kinetic(unit);
        if flips > CLEARLY * CLEARLY * stays && flips > least {
            lost += clean(site, i, &mut islands[i], rule);
        }
    }
    lost
}

/// The vibration of a joint's row is far beyond what a step resolves.
fn is_stiff(p: &ElementParams, row: usize, own: f64, rule: &Rule) -> bool {
    p.is_hard(row) || p.stiffness[row] * rule.h * rule.h * own > STIFF
}

/// The largest turn of a body of the island in a step, squared [rad²].
fn turn(site: &Site, island: &Island, h: f64) -> f64 {
    let links = island.systems.iter().flat_map(|&s| site.model.systems[s].nodes.clone());
    let nodes = island.bodies.iter().copied().chain(links);
    let fastest = nodes.map(|b| site.state.bodies[b].omega.norm_squared()).fold(0.0, f64::max);
    h * h * fastest
}

/// `Σ a²/W_jj` and `Σ s²/W_jj` of the stiff rows [J]; leaves `e` in the state and the target `s` in
/// the solution's forces.
fn measure(site: &mut Site, island: &Island, tools: &mut Tools, rule: &Rule) -> [f64; 2] {
    let Tools { problem, solution, .. } = tools;
    for (&b, u) in island.bodies.iter().zip(&mut solution.velocities) {
        *u = site.state.bodies[b].twist();
    }
    for (&s, u) in island.systems.iter().zip(&mut solution.wide) {
        u.copy_from_slice(&site.state.systems[s].xi);
    }
    let mut sums = [0.0; 2];
    for (f, &e) in island.elements.iter().enumerate() {
        let p = &site.params.elements[e];
        solution.forces[f] = Vec6::zeros();
        if !site.model.elements[e].joint {
            continue;
        }
        stamp::jacobians(site, e, At::Now, &mut problem.forces[f]);
        let rate = problem.rate(f, solution);
        let before = std::mem::replace(&mut site.state.parting[e], rate);
        let block = &problem.forces[f];
        let mobility = stamp::mobility(block, site.params, island);
        for row in 0..block.rows {
            let own = mobility[row];
            if own > 0.0 && is_stiff(p, row, own, rule) {
                let (s, a) = (0.5 * (rate[row] + before[row]), 0.5 * (rate[row] - before[row]));
                solution.forces[f][row] = s;
                sums[0] += a * a / own;
                sums[1] += s * s / own;
            }
        }
    }
    sums
}

/// Makes `J u = s` in island `i`; returns the energy that took [J].
fn clean(site: &mut Site, i: IslandAt, tools: &mut Tools, rule: &Rule) -> f64 {
    let (unit, island) = (site.model.units.of_island(i), &site.model.islands[i]);
    let before = site.kinetic(unit);
    stamp_rigid(site, island, tools, rule, true);
    let Tools { problem, solution, solver } = tools;
    for ((&e, block), s) in island.elements.iter().zip(&mut problem.forces).zip(&solution.forces) {
        let mobility = stamp::mobility(block, site.params, island);
        for row in 0..block.rows {
            let own = mobility[row];
            if is_stiff(&site.params.elements[e], row, own, rule) {
                block.bias[row] = s[row];
            } else {
                stamp::slacken(block, row);
            }
        }
    }
    solver.solve(problem, solution);
    let of = |(&b, u): (&usize, &Vec6)| site.params.bodies[b].kinetic(&linear(u), &angular(u));
    let bodies: f64 = island.bodies.iter().zip(&solution.velocities).map(of).sum();
    let after = bodies + solution.wide.iter().flatten().map(|x| 0.5 * x * x).sum::<f64>();
    if !(after < before) {
        return 0.0;
    }
    take_over(site, island, solution);
    for (f, &e) in island.elements.iter().enumerate() {
        site.state.parting[e] = problem.rate(f, solution);
    }
    before - site.kinetic(unit)
}
