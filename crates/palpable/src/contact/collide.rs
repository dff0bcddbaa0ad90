//! Impulses of phase I by the resolution that the world chose.

use super::Site;
use super::stage::Stage;
use crate::math::dot6;
use crate::solve::cone::{Collision, Resolution};

/// The part of a step's budget that phase I may take.
const SHARE: [usize; 2] = [1, 4];

impl Stage {
    /// Finds the impulses of the problem at hand.
    pub(super) fn collide_all(&mut self, site: &Site, rest_speed: f64) {
        let (settings, resolution) = (self.settings, self.resolution);
        let mut side_rates = std::mem::take(&mut self.side_rates);
        side_rates.clear();
        if resolution == Resolution::PerBody {
            for contact in 0..self.cone.len() {
                self.add_side_rates(site, contact, &mut side_rates);
            }
        }
        self.solve_cone(&settings, SHARE, |cone, afforded| {
            let less = afforded.sweeps < settings.sweeps;
            let shocks = if less { afforded.sweeps } else { usize::MAX };
            let how = Collision { resolution, rest_speed, side_rates: &side_rates, shocks };
            cone.collide(afforded, &how)
        });
        self.side_rates = side_rates;
        self.report.pulls += self.cone.pulls();
    }

    /// The velocity that each side alone gives to the first row of a contact.
    fn add_side_rates(&self, site: &Site, contact: usize, out: &mut Vec<f64>) {
        let rows = self.cone.lambda(contact).len();
        for side in self.cone.sides(contact) {
            let row = &side.jacobian[..side.jacobian.len() / rows];
            let is = |group: &Option<u32>| *group == Some(side.group as u32);
            let rate = if let Some(b) = self.groups.bodies.iter().position(is) {
                let twist = site.state.bodies[b].twist();
                row.first_chunk::<6>().map_or(0.0, |row| dot6(row, &twist.data.0[0]))
            } else if let Some(i) = self.groups.islands.iter().position(is) {
                island_rate(site, i, (side.column, row))
            } else {
                0.0
            };
            out.push(rate);
        }
    }
}

/// `J u` of a row that begins at `column` of an island's velocities.
fn island_rate(site: &Site, i: usize, (column, row): (usize, &[f64])) -> f64 {
    let island = &site.model.islands[i];
    let bodies = island.bodies.iter().flat_map(|&b| site.state.bodies[b].twist().data.0[0]);
    let systems = island.systems.iter().flat_map(|&s| site.state.systems[s].xi.iter().copied());
    bodies.chain(systems).skip(column).zip(row).map(|(u, j)| u * j).sum()
}
