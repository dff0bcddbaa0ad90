//! The next state of a subsystem in generalized coordinates.

use super::advance::{Deed, Solved};
use crate::math::dense;
use crate::model::Site;
use crate::model::lagrangian::retract;

impl Solved<'_> {
    /// Advances subsystem `local` of the island.
    ///
    /// # Equation
    /// ```text
    /// ξ⁺ = ξ + h (F_ξ + Σ Jᵀλ − (Q + B_ξ) ξ̂),    q⁺ = q ⊕ h L*⁻ᵀ ξ̂,    U_c⁺ = U_c − h F_g·ξ̂
    /// ```
    /// with the same `L*` as in the stamp. The solution holds the solved `ξ̂` and receives the one
    /// used.
    pub(super) fn advance_system(&mut self, site: &mut Site, local: usize) -> Deed {
        let s = self.island.systems[local];
        let (work, state) = (&mut site.systems[s], &mut site.state.systems[s]);
        let (rule, block) = (self.rule, &self.tools.problem.wide[local]);
        let found = &mut self.tools.solution.wide[local];
        let (n, h) = (found.len(), rule.h);
        let (before, mut scale) = (state.kinetic(), 0.0);
        work.row.copy_from_slice(found);
        for (i, row) in block.matrix.chunks_exact(n).enumerate() {
            let (mut turned, mut size) = (0.0, 0.0);
            for (j, (a, x)) in row.iter().zip(&work.row).enumerate() {
                let a = if i == j { a - rule.inertia } else { *a };
                turned += a * x;
                size += (a * x).abs();
            }
            let dx = h * (work.force[i] + work.push[i] - turned);
            let terms = h * (work.push_size[i] + work.force[i].abs() + size);
            let (x, mid) = (state.xi[i], state.xi[i] + 0.5 * dx);
            // where the increment cancels, the solved value stands
            (found[i], state.xi[i]) = if mid.abs() < (0.5 * x.abs()).max(0.125 * terms) {
                (work.row[i], 2.0 * work.row[i] - x)
            } else {
                (mid, x + dx)
            };
            scale += terms * (found[i].abs() + terms);
        }
        work.mid.copy_from_slice(found);
        dense::solve_upper(&work.l, &mut work.mid);
        retract(site.model.systems[s].law.as_ref(), &mut state.q, &work.mid, h);
        let dot = |a: &[f64]| -> f64 { a.iter().zip(&*found).map(|(a, b)| a * b).sum() };
        let fall = h * dot(&work.fall);
        let supplied = h * dot(&work.force) - fall;
        let dampers = site.params.systems[s].damping.iter().zip(&work.mid);
        let damped = h * dampers.map(|(b, w)| b * w * w).sum::<f64>();
        state.potential -= fall;
        Deed { before, after: state.kinetic(), fall, supplied, damped, scale }
    }
}
