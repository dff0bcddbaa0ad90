//! Dry friction of joints: a bounded force against the motion of one coordinate.
//!
//! ```text
//! |λ| ≤ τ,   û ≠ 0  ⇒  λ = −τ sign(û)
//! ```
//! where `û` is the velocity at the end of the step: below the bound the coordinate stops and
//! stays, as a contact that sticks does.

use super::Site;
use super::gather::Terms;
use super::stage::Stage;
use crate::solve::Tools;
use crate::solve::cone::Law;

impl Stage {
    /// The bound of the element whose row is that of stop `k`; `rates` are those without it, and at
    /// the start of the step.
    pub(super) fn hold_dry(
        &mut self,
        site: &mut Site,
        tools: &mut Tools,
        k: usize,
        rates: [f64; 2],
        scale: f64,
    ) {
        let e = self.stops.at[k].element;
        let limit = site.params.elements[e].friction;
        if limit > 0.0 {
            let terms = Terms {
                law: Law::Bounded { limit },
                target: 0.0,
                restitution: 0.0,
                bias: &[rates[0]],
                carry: &[0.5 * rates[1]],
                start: &[self.stops.forces[3 * e + 2]],
                scale,
            };
            self.stops.numbers[k][2] = self.add_stop(site, tools, (k, 1.0), terms);
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
