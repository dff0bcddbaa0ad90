//! The velocity block of a subsystem in generalized coordinates.

use super::Rule;
use crate::math::dense;
use crate::model::{SystemParams, SystemWork};
use crate::solve::WideBlock;

/// Stamps a subsystem at its predicted midpoint `[Kim2017, (48)]`.
///
/// # Equation
/// ```text
/// (c I + Q + L⁻¹ B L⁻ᵀ) ξ̂ = c ξ + F_ξ,      X = L⁻¹ C L⁻ᵀ,   Q = tril(X, −1) − tril(X, −1)ᵀ
/// ```
/// `Q` is skew by construction for any `C` with `Ṁ = C + Cᵀ`: no matrix root, no Sylvester
/// equation. `c` is `2/h`.
pub fn stamp_system(
    params: &SystemParams,
    xi: &[f64],
    work: &mut SystemWork,
    rule: &Rule,
    block: &mut WideBlock,
) {
    let n = xi.len();
    let SystemWork { terms, l, row, force, .. } = work;
    dense::congruence(l, &mut terms.coriolis);
    let x = &terms.coriolis;
    for i in 0..n {
        block.matrix[i * n + i] = rule.inertia;
        for j in 0..i {
            (block.matrix[i * n + j], block.matrix[j * n + i]) = (x[(i, j)], -x[(i, j)]);
        }
        block.rhs[i] = rule.inertia * xi[i] + force[i];
    }
    for (k, &b) in params.damping.iter().enumerate() {
        if b > 0.0 {
            // L⁻¹ e_k: the rank-one share of one damper
            row.fill(0.0);
            row[k] = 1.0;
            dense::solve_lower(l, row);
            for i in 0..n {
                (0..n).for_each(|j| block.matrix[i * n + j] += b * row[i] * row[j]);
            }
        }
    }
}
