//! Dry friction of joints: a bounded force against the motion of one coordinate.
//!
//! ```text
//! |λ| ≤ τ,   û ≠ 0  ⇒  λ = −τ sign(û)
//! ```
//! where `û` is the velocity at the end of the step: below the bound the coordinate stops and
//! stays, as a contact that sticks does.

use super::gather::plain;
use super::stage::Stage;
use super::{Site, Toolbox};
use crate::solve::cone::{Contact, Law};

impl Stage {
    /// The bound of the element whose row is that of stop `k`, which moves at `rate` without it.
    pub(super) fn hold_dry(&mut self, site: &Site, islands: &mut Toolbox, k: usize, rate: f64) {
        let e = self.stops.at[k].element;
        let limit = site.params.elements[e].friction;
        if limit > 0.0 {
            let (carry, start) = ([0.5 * self.stops.rates[k]], [self.stops.forces[e][2]]);
            let row = plain(Law::Bounded { limit }, std::slice::from_ref(&rate));
            let contact = Contact { carry: &carry, start: &start, ..row };
            self.stops.numbers[k][2] = self.add_stop(site, islands, (k, 1.0), contact);
        }
    }

    /// Energy lost by dry friction in the midpoint phase [J].
    pub(super) fn rubbed_dry(&self, h: f64) -> f64 {
        let of = |n: usize| {
            let rate = self.cone.velocity(n)[0] + self.cone.carry(n)[0];
            -h * self.cone.lambda(n)[0] * rate
        };
        self.stops.numbers.iter().filter_map(|n| n[2]).map(of).sum()
    }
}
