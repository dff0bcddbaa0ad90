//! Normal pushes alone: overlapping bodies move apart by the least mass-weighted way.

use super::sweep::push_normal;
use super::{Pile, PointProblem};
use crate::solve::Purse;

/// Sweeps over the overlaps of a pile at most.
const SWEEPS: usize = 16;
/// Gaps wider than so many times the deepest overlap are not closed by a push.
const REACH: f64 = 4.0;
/// Part of the deepest overlap to which a push is found.
const ENOUGH: f64 = 0.02;

impl PointProblem {
    /// Finds displacements of a pile's movers, which begin at rest, so that gaps open to zero:
    /// `0 ≤ gap + J δ ⟂ p ≥ 0`. `gaps` are those of the pile's points; a point without one is left
    /// out. Returns the sweeps taken. Reuses the axes and turns of the last solve.
    pub fn part(&mut self, pile: &Pile, gaps: &[Option<f64>], purse: &mut Purse) -> usize {
        let Self { points, velocities, answers, .. } = self;
        let deepest = gaps.iter().flatten().fold(0.0, |d: f64, g| d.max(-g));
        let points = &mut points[pile.points.clone()];
        for p in points.iter_mut() {
            p.d[0] = p.mobility(answers);
            p.lambda = [0.0; 3];
        }
        let reach = REACH * deepest;
        for done in 1..=SWEEPS {
            if !purse.take(pile.points.len() as u64) {
                return done - 1;
            }
            let mut moved = 0.0f64;
            for (p, gap) in points.iter_mut().zip(gaps) {
                let Some(gap) = gap.filter(|g| *g < reach && !p.dead && p.d[0] > 0.0) else {
                    continue;
                };
                let [a, b] = p.movers.map(|m| &velocities[m as usize]);
                let step = (-(gap + p.normal_rate(a, b)) / p.d[0]).max(-p.lambda[0]);
                if step != 0.0 {
                    p.lambda[0] += step;
                    moved = moved.max(p.d[0] * step.abs());
                    push_normal(p, step, velocities, answers);
                }
            }
            if moved <= ENOUGH * deepest {
                return done;
            }
        }
        SWEEPS
    }
}
