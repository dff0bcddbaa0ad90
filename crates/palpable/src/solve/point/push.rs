//! Normal pushes alone: overlapping bodies move apart by the least mass-weighted way.

use super::{Pile, PointProblem, Twist, gain, twist};
use crate::math::vector_unit::{Kernel, run_wide};
use crate::solve::Purse;

/// Sweeps over the overlaps of a pile at most; a small one may take more.
const SWEEPS: usize = 8;
/// Visits of its overlaps that a small pile may take.
const VISITS: usize = 256;
/// Gaps wider than so many times the deepest overlap are not closed by a push.
const REACH: f64 = 4.0;
/// Part of the deepest overlap to which a push is found.
const ENOUGH: f64 = 0.02;

/// One overlap, or gap that a push might close.
#[derive(Debug, Clone, Copy)]
pub(super) struct Push {
    /// how it opens with the displacements of its movers, and what it does to them
    rows: [Twist; 2],
    gains: [Twist; 2],
    /// one over its mobility
    inverse: f64,
    gap: f64,
    lambda: f64,
    movers: [u32; 2],
}

impl PointProblem {
    /// Finds displacements of a pile's movers, which begin at rest, so that gaps open to zero:
    /// `0 ≤ gap + J δ ⟂ p ≥ 0`. `gaps` are those of the pile's points; a point without one is left
    /// out. Returns the sweeps taken. Reuses the axes and turns of the last solve.
    pub fn part(&mut self, pile: &Pile, gaps: &[Option<f64>], purse: &mut Purse) -> usize {
        let deepest = gaps.iter().flatten().fold(0.0, |d: f64, g| d.max(-g));
        self.pushes.clear();
        for (point, gap) in pile.points.clone().zip(gaps) {
            if let Some(gap) = gap.filter(|g| *g < REACH * deepest) {
                self.add_push(point, gap);
            }
        }
        let Self { pushes, velocities, .. } = self;
        let most = SWEEPS.max(VISITS / pushes.len().max(1));
        for done in 1..=most {
            if !purse.take(pushes.len() as u64) {
                return done - 1;
            }
            let mut moved = 0.0;
            run_wide(Sweep { pushes, velocities, moved: &mut moved });
            if moved <= ENOUGH * deepest {
                return done;
            }
        }
        most
    }

    fn add_push(&mut self, point: usize, gap: f64) {
        let p = &self.points[point];
        let [a, b] = [0, 1].map(|side| p.rows(side)[0]);
        let of = |side: usize, [x, y, z, a, b, c]: [f64; 6]| {
            gain((&self.answers, &self.full), p.movers[side], &[x, y, z], &[a, b, c])
        };
        let (gains, rows) = ([of(0, a), of(1, b)], [twist(&a), twist(&b)]);
        let mobility = dot8(&rows, &gains[0], &gains[1]);
        if !p.dead && mobility > 0.0 {
            let (inverse, movers) = (mobility.recip(), p.movers);
            self.pushes.push(Push { rows, gains, inverse, gap, lambda: 0.0, movers });
        }
    }
}

/// How fast two velocities open a gap.
#[inline(always)]
fn dot8(rows: &[Twist; 2], a: &Twist, b: &Twist) -> f64 {
    let mut sum = [0.0; 4];
    for k in 0..4 {
        let (place, turn) = (rows[0][k] * a[k], rows[0][4 + k] * a[4 + k]);
        sum[k] = (place + turn) + (rows[1][k] * b[k] + rows[1][4 + k] * b[4 + k]);
    }
    (sum[0] + sum[2]) + (sum[1] + sum[3])
}

/// One sweep; `moved` becomes the largest displacement [m].
struct Sweep<'a> {
    pushes: &'a mut [Push],
    velocities: &'a mut [Twist],
    moved: &'a mut f64,
}

impl Kernel for Sweep<'_> {
    #[inline(always)]
    fn run(self) {
        let mut moved = 0.0f64;
        for p in self.pushes {
            let [a, b] = p.movers.map(|m| &self.velocities[m as usize]);
            let open = p.gap + dot8(&p.rows, a, b);
            let step = (-open * p.inverse).max(-p.lambda);
            if step == 0.0 {
                continue;
            }
            p.lambda += step;
            moved = moved.max(step.abs() / p.inverse);
            for (m, gain) in p.movers.iter().zip(&p.gains) {
                let u = &mut self.velocities[*m as usize];
                (0..8).for_each(|k| u[k] += gain[k] * step);
            }
        }
        *self.moved = moved;
    }
}
