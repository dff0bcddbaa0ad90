//! The contact laws of `[Kim2017, (34)]` as printed, inside a world.
//!
//! ```text
//! elastic: conditions on û          plastic: conditions on u⁺ = 2û − u⁻
//! ```
//! One phase over the touches whose gap has closed, a pyramid for a cone, Lemke's method; stops of
//! joints are contacts without friction. A pile that Lemke's method cannot solve is held by the
//! exact cone on `û` and reported.
//!
//! # Differs from the source
//! Rows are secants over the predicted step, as everywhere in this engine; that changes the gap,
//! not the energy. Gaps up to 1e-9 m count as closed.

use super::Site;
use super::gather::Terms;
use super::hold::{act, bias_of, free_motion, link_twist};
use super::stage::{Stage, TOUCHING};
use super::touch::SideRows;
use crate::math::{Vec6, dot6};
use crate::solve::Tools;
use crate::solve::cone::Law;
use crate::solve::cone::pyramid::Printed;
use crate::stamp::Rule;

/// Rows of a touch: normal and two tangents.
const ROWS: usize = 3;

/// Finds the forces of the step and adds them to the islands' systems and to `wrenches`.
pub(super) fn hold(
    site: &mut Site,
    islands: &mut [Tools],
    stage: &mut Stage,
    (twists, wrenches): (&[Vec6], &mut [Vec6]),
    rule: &Rule,
    (sides, plastic): (u32, bool),
) {
    if stage.touches.is_empty() && stage.stop_blocks.is_empty() {
        return;
    }
    stage.restart();
    free_motion(site, islands, stage, (twists, wrenches), rule);
    // velocities of all rows before the step
    let mut before = Vec::new();
    add_touches(site, islands, stage, &mut before);
    add_stops(site, islands, stage, twists, rule, &mut before);
    let law = if plastic { Printed::Plastic(&before) } else { Printed::Elastic };
    // whatever it could refuse was refused when the law was chosen
    let report = stage.cone.solve_piles(sides as usize, law, &stage.settings).unwrap_or_default();
    stage.report.unsolved += report.unsolved;
    stage.created = report.created;
    act(site, islands, stage, wrenches, rule);
}

fn add_touches(site: &mut Site, islands: &mut [Tools], stage: &mut Stage, before: &mut Vec<f64>) {
    let mut sides = [[[0.0; 6]; 6]; 2];
    for t in 0..stage.touches.len() {
        if stage.touches[t].gap > TOUCHING {
            continue;
        }
        stage.sides(t, ROWS, &mut sides);
        let bias = bias_of(stage, (t, ROWS), &sides);
        let rates = rates_of(site, stage, t, &sides);
        let mu = stage.touches[t].material.friction;
        let terms = terms(Law::Frictional { mu, capacity: 0.0 }, &bias[..ROWS]);
        let number = stage.add_touch(site, islands, (t, ROWS), &sides, terms);
        stage.touches[t].number = number;
        if number.is_some() {
            before.extend(rates);
        }
    }
}

fn add_stops(
    site: &mut Site,
    islands: &mut [Tools],
    stage: &mut Stage,
    twists: &[Vec6],
    rule: &Rule,
    before: &mut Vec<f64>,
) {
    for k in 0..stage.stop_blocks.len() {
        let (i, local) = stage.stop_at[k];
        let e = site.model.islands[i].elements[local];
        stage.stop_numbers[k] = [None; 3];
        stage.measure_stop(site, k, Some(twists), rule);
        let (place, start) = stage.stop_motion(site, k, e);
        let rate = stage.stop_rate(k, &islands[i].solution);
        let Some(stops) = site.model.elements[e].stops else { continue };
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            stage.stops[3 * e + side] = 0.0;
            if sign * (place - stops[side]) <= TOUCHING {
                let (at, bias) = ((i, k, sign, 1.0 / rule.inertia), [sign * rate]);
                let terms = terms(Law::Unilateral, &bias);
                let number = stage.add_stop(site, &mut islands[i], at, terms);
                stage.stop_numbers[k][side] = number;
                before.extend(number.map(|_| sign * start));
            }
        }
    }
}

fn terms(law: Law, bias: &[f64]) -> Terms<'_> {
    Terms { law, target: 0.0, hold: 0.0, restitution: 0.0, bias, carry: &[], start: &[] }
}

/// Velocities of the rows of a touch at the start of the step.
fn rates_of(site: &mut Site, stage: &Stage, t: usize, sides: &[SideRows; 2]) -> [f64; ROWS] {
    let mut out = [0.0; ROWS];
    for (node, rows) in stage.touches[t].nodes.iter().zip(sides) {
        let Some(node) = *node else { continue };
        let u = match site.model.owners[node] {
            None => site.state.bodies[node].twist(),
            Some((s, link)) => link_twist(&mut site.systems[s], link, &site.state.systems[s].xi),
        };
        for (out, row) in out.iter_mut().zip(rows) {
            *out += dot6(row, &u.data.0[0]);
        }
    }
    out
}
