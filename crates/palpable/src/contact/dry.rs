//! Dry friction of joints: a bounded force against the motion of one coordinate.
//!
//! ```text
//! |λ| ≤ τ,   û ≠ 0  ⇒  λ = −τ sign(û)
//! ```
//! Below the bound the midpoint phase holds `û = 0`, so the coordinate does not creep. A velocity
//! that is left then only turns around; the impulse phase takes it away with what the last step
//! left of the bound, as a contact that sticks does.

use super::Site;
use super::gather::Terms;
use super::stage::{STILL, Stage};
use crate::solve::Tools;
use crate::solve::cone::Law;

/// A bounded row at `rate` without it.
fn terms<'a>(limit: f64, rate: &'a [f64], start: &'a [f64]) -> Terms<'a> {
    let (law, bias) = (Law::Bounded { limit }, rate);
    Terms { law, target: 0.0, hold: 0.0, restitution: 0.0, bias, start }
}

impl Stage {
    /// Phase I: what is left of the bound of element `e`, whose row is that of stop `k`.
    pub(super) fn strike_dry(
        &mut self,
        site: &mut Site,
        tools: &mut Tools,
        (k, e): (usize, usize),
        rate: f64,
    ) {
        let limit = self.spare[e];
        if limit > 0.0 {
            self.add_stop(
                site,
                tools,
                (self.stop_at[k].0, k, 1.0, 1.0),
                terms(limit, &[rate], &[]),
            );
        }
    }

    /// Phase II: the bound of the step.
    pub(super) fn hold_dry(
        &mut self,
        site: &mut Site,
        tools: &mut Tools,
        (k, e): (usize, usize),
        (rate, scale): (f64, f64),
    ) {
        let limit = site.params.elements[e].friction;
        if limit > 0.0 {
            let start = [self.stops[3 * e + 2]];
            let at = (self.stop_at[k].0, k, 1.0, scale);
            self.stop_numbers[k][2] = self.add_stop(site, tools, at, terms(limit, &[rate], &start));
        }
    }

    /// Keeps what the forces of phase II left of their bounds, where nothing slid.
    pub(super) fn spare_dry(&mut self, site: &Site, h: f64) {
        for (&(i, local), numbers) in self.stop_at.iter().zip(&self.stop_numbers) {
            let e = site.model.islands[i].elements[local];
            self.spare[e] = numbers[2].map_or(0.0, |number| {
                let (force, rate) = (self.cone.lambda(number)[0], self.cone.velocity(number)[0]);
                let left = h * (site.params.elements[e].friction - force.abs());
                if rate.abs() * h < STILL { left.max(0.0) } else { 0.0 }
            });
        }
    }

    /// Energy lost by dry friction in the midpoint phase [J].
    pub(super) fn rubbed_dry(&self, h: f64) -> f64 {
        let of = |n: usize| -h * self.cone.lambda(n)[0] * self.cone.velocity(n)[0];
        self.stop_numbers.iter().filter_map(|n| n[2]).map(of).sum()
    }
}
