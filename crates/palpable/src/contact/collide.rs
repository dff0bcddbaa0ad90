//! Impulses of phase I by the resolution that the world chose.

use super::Site;
use super::stage::Stage;
use crate::math::{Room, dot6};
use crate::solve::cone::{Collision, Resolution};

/// Whose velocity a group of the problem is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Mover {
    /// A free body.
    Body(usize),
    /// An island.
    Island(usize),
}

/// The part of a step's budget that phase I may take.
const SHARE: [usize; 2] = [1, 4];

impl Stage {
    /// Makes room for collisions by a resolution, so that no step has to. Allocates.
    pub fn prepare(&mut self, resolution: Resolution) {
        self.cone.prepare(resolution);
        if resolution == Resolution::PerBody {
            let sides = 2 * self.touches.capacity() + 2 * self.stops.at.len();
            self.rows.side_rates = Room::with_capacity(sides);
            self.rows.movers =
                Room::with_capacity(self.rows.groups.bodies.len() + self.rows.groups.islands.len());
        }
    }

    /// Finds the impulses of the problem at hand.
    pub(super) fn collide_all(&mut self, site: &Site, rest_speed: f64) {
        let (settings, resolution) = (self.ask.settings, self.ask.resolution);
        let mut side_rates = std::mem::take(&mut self.rows.side_rates);
        side_rates.clear();
        if resolution == Resolution::PerBody {
            self.list_movers();
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
        self.rows.side_rates = side_rates;
        self.report.pulls += self.cone.pulls();
    }

    /// Whose velocities the groups of the problem are.
    fn list_movers(&mut self) {
        self.rows.movers.clear();
        let bodies =
            self.rows.groups.bodies.iter().map(|g| (*g, Mover::Body as fn(usize) -> Mover));
        let islands =
            self.rows.groups.islands.iter().map(|g| (*g, Mover::Island as fn(usize) -> Mover));
        let none = (u32::MAX, Mover::Body(0));
        for (i, (group, kind)) in bodies.enumerate().chain(islands.enumerate()) {
            let Some(group) = group else { continue };
            let place = group as usize;
            if self.rows.movers.len() <= place {
                self.rows.movers.resize(place + 1, none);
            }
            self.rows.movers[place] = (group, kind(i));
        }
    }

    /// The velocity that each side alone gives to the first row of a contact.
    fn add_side_rates(&self, site: &Site, contact: usize, out: &mut Vec<f64>) {
        let rows = self.cone.lambda(contact).len();
        for side in self.cone.sides(contact) {
            let row = &side.jacobian[..side.jacobian.len() / rows];
            let known =
                self.rows.movers.get(side.group).filter(|(group, _)| *group == side.group as u32);
            let rate = match known {
                Some((_, Mover::Body(b))) => {
                    let twist = site.state.bodies[*b].twist();
                    row.first_chunk::<6>().map_or(0.0, |row| dot6(row, &twist.data.0[0]))
                }
                Some((_, Mover::Island(i))) => island_rate(site, *i, (side.column, row)),
                None => 0.0,
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
