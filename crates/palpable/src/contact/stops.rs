//! Stops and dry friction of joints: their rows, and where they are.

use super::Site;
use crate::math::{Vec6, dot6};
use crate::model::Model;
use crate::solve::{ForceBlock, Side, Solution};
use crate::stamp::{self, At, Rule};

/// A joint whose measure has ends, or that rubs.
#[derive(Debug, Clone, Copy)]
pub(super) struct StopAt {
    pub island: usize,
    /// its number in the model
    pub element: usize,
}

/// All of them.
#[derive(Debug, Clone)]
pub(super) struct Stops {
    /// forces of the lower stop, the upper stop and dry friction, three per element of the model
    pub forces: Vec<f64>,
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
        for (i, island) in model.islands.iter().enumerate() {
            let blank = stamp::blank(model, island);
            for (local, &element) in island.elements.iter().enumerate() {
                if model.elements[element].is_bounded() {
                    at.push(StopAt { island: i, element });
                    blocks.push(blank.forces[local].clone());
                }
            }
        }
        let forces = vec![0.0; 3 * model.elements.len()];
        Self { forces, numbers: vec![[None; 3]; at.len()], rates: vec![0.0; at.len()], at, blocks }
    }

    /// How far the measure of a stop is from its lower and its upper end [m or rad],
    /// at the true strains `G`.
    pub(super) fn gaps(&self, site: &Site, strains: &[Vec6], k: usize) -> [f64; 2] {
        let e = self.at[k].element;
        let place = strains[e][0] + site.params.elements[e].rest[0];
        let ends = site.model.elements[e].stops;
        ends.map_or([f64::INFINITY; 2], |[lower, upper]| [place - lower, upper - place])
    }

    /// Writes the row of stop `k`, over the predicted step or as it is.
    pub(super) fn measure(
        &mut self,
        site: &mut Site,
        k: usize,
        twists: Option<&[Vec6]>,
        rule: &Rule,
    ) {
        let e = self.at[k].element;
        let at = twists.map_or(At::Now, |twists| At::Step(twists, rule));
        stamp::jacobians(site, e, at, &mut self.blocks[k]);
    }

    /// Measure of a stop's element [m or rad], and its rate at the present velocity.
    pub(super) fn motion(&self, site: &Site, k: usize) -> (f64, f64) {
        let StopAt { island, element: e } = self.at[k];
        let island = &site.model.islands[island];
        let rate = self.blocks[k].sides.iter().map(|side| {
            match side.block.checked_sub(island.bodies.len()) {
                None => {
                    let u = site.state.bodies[island.bodies[side.block]].twist();
                    dot6(&side.jacobian[0], &u.into())
                }
                Some(w) => {
                    let xi = &site.state.systems[island.systems[w]].xi;
                    side.wide.iter().zip(xi).map(|(j, x)| j * x).sum::<f64>()
                }
            }
        });
        (site.state.strain[e][0] + site.params.elements[e].rest[0], rate.sum())
    }

    /// Rate of a stop's element at the midpoint velocity of its island.
    pub(super) fn rate(&self, k: usize, at: &Solution) -> f64 {
        let sides = self.blocks[k].sides.iter();
        let of = |side: &Side| match side.block.checked_sub(at.velocities.len()) {
            None => dot6(&side.jacobian[0], &at.velocities[side.block].into()),
            Some(w) => side.wide.iter().zip(&at.wide[w]).map(|(j, x)| j * x).sum::<f64>(),
        };
        sides.map(of).sum()
    }
}
