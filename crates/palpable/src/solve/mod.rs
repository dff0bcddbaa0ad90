//! Workshop: `Problem` → `Solution`. Knows blocks, never bodies.

pub mod cone;
mod solver;

pub use solver::Solver;

use crate::math::{Mat6, Vec6};

/// One velocity unknown: `matrix · û = rhs + Σ Jᵀ λ`.
#[derive(Debug, Clone)]
pub struct VelocityBlock {
    /// `2M/h + C + B`, with a positive-definite symmetric part.
    pub matrix: Mat6,
    /// `(2/h) M u + F`.
    pub rhs: Vec6,
}

/// One force unknown with up to six rows: `J û + compliance · λ = bias`.
#[derive(Debug, Clone)]
pub struct ForceBlock {
    /// Rows in use, 1 to 6.
    pub rows: usize,
    /// Velocity blocks the force acts on; `None` is the immovable world.
    pub touches: [Option<usize>; 2],
    /// Jacobians towards the two velocity blocks; rows beyond `rows` are not read.
    pub jacobian: [Mat6; 2],
    /// Diagonal `1/d`; 0 is a rigid row.
    pub compliance: Vec6,
    /// `−k g / d`.
    pub bias: Vec6,
    /// Numerical loss `η` that `d` contains; not read by the solver.
    pub loss: Vec6,
}

/// The linear system of one island in compliance form:
///
/// ```text
/// [ matrix   −Jᵀ        ] [ û ]   [ rhs  ]
/// [ J        compliance ] [ λ ] = [ bias ]
/// ```
#[derive(Debug, Clone, Default)]
pub struct Problem {
    /// Velocity unknowns.
    pub velocities: Vec<VelocityBlock>,
    /// Force unknowns.
    pub forces: Vec<ForceBlock>,
}

/// What [`Solver::solve`] found.
#[derive(Debug, Clone, Default)]
pub struct Solution {
    /// `û` per velocity block.
    pub velocities: Vec<Vec6>,
    /// `λ` per force block.
    pub forces: Vec<Vec6>,
    /// Largest residual of a row, relative to the sizes of its terms, before refinement.
    pub residual: f64,
}

impl Problem {
    /// `Jᵀ λ` of force block `f` on its side `side`.
    #[inline]
    pub fn push(&self, f: usize, side: usize, lambda: &Vec6) -> Vec6 {
        let block = &self.forces[f];
        let j = &block.jacobian[side];
        if block.rows == 6 {
            return j.tr_mul(lambda);
        }
        let mut out = Vec6::zeros();
        for r in 0..block.rows {
            out += j.row(r).transpose() * lambda[r];
        }
        out
    }

    /// `J û` of force block `f`, for velocities indexed as in the problem.
    #[inline]
    pub fn rate(&self, f: usize, velocities: &[Vec6]) -> Vec6 {
        self.rate_and_size(f, velocities).0
    }

    /// `J û` of force block `f`, and the sum of the magnitudes of its terms.
    #[inline]
    pub fn rate_and_size(&self, f: usize, velocities: &[Vec6]) -> (Vec6, Vec6) {
        let block = &self.forces[f];
        let (mut rate, mut size) = (Vec6::zeros(), Vec6::zeros());
        for (side, body) in block.touches.iter().enumerate() {
            if let Some(b) = body {
                let (j, u) = (&block.jacobian[side], &velocities[*b]);
                for (column, u) in j.column_iter().zip(u.iter()) {
                    for r in 0..block.rows {
                        let term = column[r] * u;
                        rate[r] += term;
                        size[r] += term.abs();
                    }
                }
            }
        }
        (rate, size)
    }
}
