//! The contact laws of `[Kim2017, (34)]` as printed, inside a world.
//!
//! ```text
//! elastic: conditions on û          plastic: conditions on u⁺ = 2û − u⁻
//! ```
//! One phase over the touches whose gap has closed, a pyramid for a cone, Lemke's method; stops of
//! joints are contacts without friction. A pile that Lemke's method cannot solve, or in which
//! touches of other laws take part, is held by the exact cone on `û` and reported.
//!
//! # Differs from the source
//! Rows are secants over the predicted step, as everywhere in this engine; that changes the gap,
//! not the energy. Gaps up to 1e-9 m count as closed.

use super::gather::plain;
use super::hold::{link_twist, rates_at};
use super::stage::{Stage, TOUCHING};
use super::stops::WAYS;
use super::{Site, Toolbox};
use crate::math::Vec6;
use crate::model::ContactLaw;
use crate::solve::cone::pyramid::{PilesReport, Pyramid};
use crate::solve::cone::{ConeSettings, Law, Rule as ConeRule};
use crate::stamp::Rule;

/// Rows of a touch: normal and two tangents.
const ROWS: usize = 3;

/// Adds the touches of the printed laws, and the stops if the world's law is one of them; returns
/// what the problem has to know of them. Allocates if there are any.
pub(super) fn gather(
    site: &mut Site,
    islands: &mut Toolbox,
    stage: &mut Stage,
    twists: &[Vec6],
    rule: &Rule,
) -> Vec<Pyramid> {
    let mut found = Vec::new();
    add_touches(site, islands, stage, &mut found);
    if stage.ask.law.is_printed() {
        add_stops(site, islands, stage, twists, rule, &mut found);
    }
    found
}

/// Solves what was gathered: by the exact cone alone where no printed law takes part.
pub(super) fn solve(stage: &mut Stage, pyramids: &[Pyramid], settings: &ConeSettings) {
    let mut piles = PilesReport::default();
    stage.solve_cone(settings, [3, 4], |cone, settings| {
        if pyramids.is_empty() {
            return cone.solve(settings, ConeRule::Midpoint);
        }
        piles = cone.solve_piles(pyramids, settings);
        piles.cone
    });
    stage.report.unsolved += piles.unsolved;
    stage.effect.created = piles.created;
}

/// A contact of a printed law, with the velocities of its rows before the step.
fn pyramid(law: ContactLaw, contact: usize, before: [f64; ROWS]) -> Pyramid {
    let plastic = matches!(law, ContactLaw::PrintedPlastic { .. });
    let sides = law.sides().unwrap_or(ContactLaw::SIDES) as usize;
    Pyramid { contact, sides, before: plastic.then_some(before) }
}

fn add_touches(
    site: &mut Site,
    islands: &mut Toolbox,
    stage: &mut Stage,
    found: &mut Vec<Pyramid>,
) {
    let mut sides = [[[0.0; 6]; 6]; 2];
    for k in 0..stage.graph.chosen.len() {
        let t = stage.graph.chosen[k];
        let law = stage.touches[t].law;
        if !law.is_printed() {
            continue;
        }
        stage.sides(t, ROWS, &mut sides);
        let touch = &stage.touches[t];
        let bias = rates_at(touch, &sides, ROWS, |b| stage.bodies.mid[b]);
        let [n, a, b, ..] = rates_at(touch, &sides, ROWS, |b| match site.model.owners[b] {
            None => site.state.bodies[b].twist(),
            Some((s, link)) => link_twist(&mut site.systems[s], link, &site.state.systems[s].xi),
        });
        let mu = touch.material.friction;
        let contact = plain(Law::Frictional { mu }, &bias[..ROWS]);
        let number = stage.add_touch(site, islands, t, &sides, contact);
        stage.touches[t].seat.number = number;
        found.extend(number.map(|number| pyramid(law, number, [n, a, b])));
    }
}

fn add_stops(
    site: &mut Site,
    islands: &mut Toolbox,
    stage: &mut Stage,
    twists: &[Vec6],
    rule: &Rule,
    found: &mut Vec<Pyramid>,
) {
    for k in 0..stage.stops.blocks.len() {
        let e = stage.stops.at[k].element;
        let (gaps, rate) = stage.stops.foresee(site, islands, k, twists, rule);
        let start = stage.stops.rate_now(site, k);
        for (side, (gap, way)) in gaps.into_iter().zip(WAYS).enumerate() {
            stage.stops.forces[e][side] = 0.0;
            if gap <= TOUCHING {
                let bias = [way * rate];
                let contact = plain(Law::Unilateral, &bias);
                let number = stage.add_stop(site, islands, (k, way), contact);
                stage.stops.numbers[k][side] = number;
                found.extend(number.map(|n| pyramid(stage.ask.law, n, [way * start, 0.0, 0.0])));
            }
        }
    }
}
