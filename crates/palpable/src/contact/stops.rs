//! Stops and dry friction of joints: their rows, and where they are.

use super::{Site, Toolbox};
use crate::math::Vec6;
use crate::model::{IslandAt, Model};
use crate::solve::{ForceBlock, Side};
use crate::stamp::{self, At, Rule};

/// Which way the lower and the upper stop push.
pub(super) const WAYS: [f64; 2] = [1.0, -1.0];

/// A joint whose measure has ends, or that rubs.
#[derive(Debug, Clone, Copy)]
pub(super) struct StopAt {
    pub island: IslandAt,
    /// its number in the model
    pub element: usize,
}

/// All of them.
#[derive(Debug, Clone)]
pub(super) struct Stops {
    /// forces of the lower stop, the upper stop and dry friction, per element of the model
    pub forces: Vec<[f64; 3]>,
    pub at: Vec<StopAt>,
    pub blocks: Vec<ForceBlock>,
    /// numbers in the problem, likewise three
    pub numbers: Vec<[Option<usize>; 3]>,
    /// rates at the start of the step
    pub rates: Vec<f64>,
}

impl Stops {
    pub fn new(model: &Model) -> Self {
        let (mut at, mut blocks) = (Vec::new(), Vec::new());
        for (i, island) in model.islands.entries() {
            let blank = stamp::blank(model, island);
            for (local, &element) in island.elements.iter().enumerate() {
                if model.elements[element].is_bounded() {
                    at.push(StopAt { island: i, element });
                    blocks.push(blank.forces[local].clone());
                }
            }
        }
        let forces = vec![[0.0; 3]; model.elements.len()];
        Self { forces, numbers: vec![[None; 3]; at.len()], rates: vec![0.0; at.len()], at, blocks }
    }

    /// How far the measure of a stop is from its lower and its upper end [m or rad], by strains;
    /// infinite where it has none.
    pub(super) fn gaps(&self, site: &Site, strains: &[Vec6], k: usize) -> [f64; 2] {
        let e = self.at[k].element;
        let place = strains[e][0] + site.params.elements[e].rest[0];
        let ends = site.model.elements[e].stops;
        ends.map_or([f64::INFINITY; 2], |[lower, upper]| [place - lower, upper - place])
    }

    /// Writes the row of stop `k` as it is.
    pub(super) fn measure(&mut self, site: &mut Site, k: usize) {
        stamp::jacobians(site, self.at[k].element, At::Now, &mut self.blocks[k]);
    }

    /// The same over the predicted step, in a problem that has no number for it yet; returns how
    /// far it is from its ends [m or rad], and its rate without contact.
    pub(super) fn foresee(
        &mut self,
        site: &mut Site,
        islands: &Toolbox,
        k: usize,
        twists: &[Vec6],
        rule: &Rule,
    ) -> ([f64; 2], f64) {
        let StopAt { island, element } = self.at[k];
        self.numbers[k] = [None; 3];
        stamp::jacobians(site, element, At::Step(twists, rule), &mut self.blocks[k]);
        let rate = self.blocks[k].rate(&islands[island].solution)[0];
        (self.gaps(site, &site.state.strain, k), rate)
    }

    /// Rate of a stop's element at the present velocity.
    pub(super) fn rate_now(&self, site: &Site, k: usize) -> f64 {
        let units = &site.model.units;
        let spans = units.spans(units.of_island(self.at[k].island));
        let ForceBlock { rows, sides, .. } = &self.blocks[k];
        let of = |side: &Side| {
            let wide = &side.wide[..side.wide.len() / rows];
            let row = if wide.is_empty() { &side.jacobian[0][..] } else { wide };
            site.rate(spans[side.block].block, row)
        };
        sides.iter().map(of).sum()
    }
}
