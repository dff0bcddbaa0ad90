//! Impulses of phase I by the resolution that the world chose.

use super::Site;
use super::stage::Stage;
use crate::math::Room;
use crate::solve::cone::{Collision, Resolution};

/// The part of a step's budget that phase I may take.
const SHARE: [usize; 2] = [1, 4];

impl Stage {
    /// Makes room for collisions by a resolution, so that no step has to. Allocates.
    pub fn prepare(&mut self, resolution: Resolution) {
        self.cone.prepare(resolution);
        if resolution == Resolution::PerBody {
            let sides = 2 * self.touches.capacity() + 2 * self.stops.at.len();
            self.rows.side_rates = Room::with_capacity(sides);
        }
    }

    /// Finds the impulses of the problem at hand.
    pub(super) fn collide_all(&mut self, site: &Site, rest_speed: f64) {
        let (settings, resolution) = (self.ask.settings, self.ask.resolution);
        let mut side_rates = std::mem::take(&mut self.rows.side_rates);
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
        self.rows.side_rates = side_rates;
        self.report.pulls += self.cone.pulls();
    }

    /// The velocity that each side alone gives to the first row of a contact.
    fn add_side_rates(&self, site: &Site, contact: usize, out: &mut Vec<f64>) {
        let rows = self.cone.lambda(contact).len();
        for side in self.cone.sides(contact) {
            let row = &side.jacobian[..side.jacobian.len() / rows];
            let spans = site.model.units.spans(self.rows.numbers.unit(side.group));
            let moved = spans.iter().find(|span| span.start == side.column);
            out.push(moved.map_or(0.0, |span| site.rate(span.block, row)));
        }
    }
}
