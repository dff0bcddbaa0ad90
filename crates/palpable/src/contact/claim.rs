//! What contact did, against what its solvers say that it did.
//!
//! A solver of contact knows the power of its forces, `λ·û` row by row, at the velocities that it
//! predicts. The step is made with the sum of the forces, by other code. Both powers agree but for
//! rounding if the forces that act are those that were found: a force that is a hundredth too large
//! moves the bodies as well, and the powers part by a hundredth of `λ·Wλ`.

use super::stage::Stage;
use crate::model::{IslandAt, Unit};

/// Part of the terms of a power, row by row, by which the two may differ. Honest steps are below
/// 1e-7 (60 000 random steps); where stiff joints take nearly all of a force, the answer of an
/// island is a difference of large numbers: four of 8005 random worlds had a step at up to 1e-4.
/// Forces that are a hundredth too large are at 5e-3, less where contacts press on each other.
const AGREE: f64 = 1e-3;

impl Stage {
    /// Tells for each problem that was solved how much more contact did than its solver says in a
    /// step of `h` [s], and what rounding explains of that [J]. `body` and `island` are the work
    /// done on them. Piles that turn by their own equation are left out: they moved by another one
    /// than their solver's, and were weighed with it.
    pub fn compare(
        &self,
        h: f64,
        body: impl Fn(usize) -> f64,
        island: impl Fn(IslandAt) -> f64,
        mut tell: impl FnMut(f64, f64),
    ) {
        let units = &self.graph.units;
        let of = |unit: Unit| match units.island(unit) {
            Some(i) => island(i),
            None => units.spans(unit).iter().filter_map(|span| span.body()).map(&body).sum(),
        };
        let did: f64 = self.rows.numbers.all().iter().copied().map(of).sum();
        let said = self.cone.power();
        tell(did - h * said.sum, AGREE * h * said.size);
        let piles = self.points.piles.iter().zip(&self.points.said);
        for (pile, said) in piles.filter(|(pile, _)| !self.floats(pile)) {
            let bodies = pile.movers.clone().map(|m| self.points.body(m));
            let did: f64 = bodies.map(|b| of(units.of(b))).sum();
            tell(did - h * said.sum, AGREE * h * said.size);
        }
    }
}
