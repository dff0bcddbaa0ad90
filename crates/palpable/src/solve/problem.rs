//! The linear system of one island, block by block.

use super::Solution;
use crate::math::{Mat6, Rows, Vec3, Vec6, add_scaled, angular, cross, dot6, join, so3, sum6};

/// One velocity unknown of six numbers: `A û = rhs + Σ Jᵀ λ`, `A = diag(diagonal) − [0, 0; 0,
/// S(spin)]`.
#[derive(Debug, Clone)]
pub struct VelocityBlock {
    /// `2M/h + B`, positive.
    pub diagonal: Vec6,
    /// `I ω*`, the angular momentum that makes the gyroscopic term; the last three rows feel it.
    pub spin: Vec3,
    /// `(2/h) M u + F`.
    pub rhs: Vec6,
}

impl VelocityBlock {
    /// `A` as a matrix.
    pub fn matrix(&self) -> Mat6 {
        let mut out = Mat6::from_diagonal(&self.diagonal);
        let mut turn = out.fixed_view_mut::<3, 3>(3, 3);
        turn -= so3::skew(&self.spin);
        out
    }

    /// Makes `A` a diagonal matrix.
    pub fn set_diagonal(&mut self, diagonal: Vec6) {
        (self.diagonal, self.spin) = (diagonal, Vec3::zeros());
    }

    /// `A u`.
    #[inline(always)]
    pub fn apply(&self, u: &Vec6) -> Vec6 {
        let turned = cross(self.spin, angular(u));
        self.diagonal.component_mul(u) - join(&Vec3::zeros(), &turned)
    }
}

/// The same for an unknown of any size.
#[derive(Debug, Clone)]
pub struct WideBlock {
    /// `n × n` numbers, row by row.
    pub matrix: Vec<f64>,
    /// `n` numbers.
    pub rhs: Vec<f64>,
}

impl WideBlock {
    /// The identity with a right-hand side of zeros.
    pub fn blank(n: usize) -> Self {
        let matrix = (0..n * n).map(|i| if i % (n + 1) == 0 { 1.0 } else { 0.0 }).collect();
        Self { matrix, rhs: vec![0.0; n] }
    }
}

/// What a force does to one velocity unknown.
#[derive(Debug, Clone)]
pub struct Side {
    /// Index of the velocity block; wide blocks are counted after those of six.
    pub block: usize,
    /// Jacobian towards a block of six, row by row; rows beyond those in use are not read.
    pub jacobian: Rows,
    /// Jacobian towards a wide block, rows × n, row by row; empty for a block of six.
    pub wide: Vec<f64>,
}

impl Side {
    /// The Jacobian towards a block of six as a matrix.
    pub fn matrix(&self) -> Mat6 {
        Mat6::from_row_slice(self.jacobian.as_flattened())
    }
}

/// One force unknown with up to six rows: `J û + compliance · λ = bias`.
#[derive(Debug, Clone)]
pub struct ForceBlock {
    /// Rows in use, 1 to 6.
    pub rows: usize,
    /// The velocity blocks it acts on; what cannot move has no side.
    pub sides: Vec<Side>,
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
    /// Velocity unknowns of six numbers.
    pub velocities: Vec<VelocityBlock>,
    /// Velocity unknowns of other sizes.
    pub wide: Vec<WideBlock>,
    /// Force unknowns.
    pub forces: Vec<ForceBlock>,
}

/// How fast the rows of a force move.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Rate {
    /// `J û`.
    pub value: Vec6,
    /// Sum of the magnitudes of its terms.
    pub size: Vec6,
}

impl ForceBlock {
    /// `Jᵀ λ` on a side whose block has six numbers.
    #[inline]
    pub fn push(&self, side: &Side, lambda: &Vec6) -> Vec6 {
        let mut out = [0.0; 6];
        for (row, &l) in side.jacobian[..self.rows].iter().zip(lambda) {
            add_scaled(&mut out, row, l);
        }
        out.into()
    }

    /// `J û`.
    #[inline]
    pub fn rate(&self, at: &Solution) -> Vec6 {
        let mut rate = Vec6::zeros();
        for side in &self.sides {
            match at.velocities.get(side.block) {
                Some(u) => {
                    let rows = side.jacobian[..self.rows].iter().zip(rate.iter_mut());
                    rows.for_each(|(row, rate)| *rate += dot6(row, &u.data.0[0]));
                }
                None => {
                    let u = &at.wide[side.block - at.velocities.len()];
                    for (row, rate) in side.wide.chunks_exact(u.len()).zip(rate.iter_mut()) {
                        *rate += row.iter().zip(u).map(|(j, u)| j * u).sum::<f64>();
                    }
                }
            }
        }
        rate
    }

    /// Adds `scale · Jᵀ λ` on a side whose block is wide.
    pub fn push_wide(&self, side: &Side, lambda: &Vec6, scale: f64, out: &mut [f64]) {
        for (r, row) in side.wide.chunks_exact(out.len()).enumerate() {
            out.iter_mut().zip(row).for_each(|(o, j)| *o += scale * lambda[r] * j);
        }
    }
}

impl Problem {
    /// `J û` of force block `f`.
    #[inline]
    pub fn rate(&self, f: usize, at: &Solution) -> Vec6 {
        self.forces[f].rate(at)
    }

    /// `J û` of force block `f`, and the sum of the magnitudes of its terms.
    pub fn rate_and_size(&self, f: usize, at: &Solution) -> Rate {
        let (block, mut rate) = (&self.forces[f], Rate::default());
        for side in &block.sides {
            let Some(u) = at.velocities.get(side.block) else {
                let u = &at.wide[side.block - at.velocities.len()];
                for (r, row) in side.wide.chunks_exact(u.len()).enumerate() {
                    for (j, u) in row.iter().zip(u) {
                        rate.value[r] += j * u;
                        rate.size[r] += (j * u).abs();
                    }
                }
                continue;
            };
            for (r, row) in side.jacobian[..block.rows].iter().enumerate() {
                let terms: [f64; 6] = std::array::from_fn(|k| row[k] * u[k]);
                rate.value[r] += sum6(&terms);
                rate.size[r] += sum6(&terms.map(f64::abs));
            }
        }
        rate
    }
}
