//! Workshop: `Problem` → `Solution`. Knows blocks, never bodies.

mod condensed;
pub mod cone;
mod mixed;
pub mod point;
mod power;
mod problem;
mod purse;
mod solver;

pub use power::Power;
pub use problem::{ForceBlock, Problem, Rate, Side, VelocityBlock, WideBlock};
pub use purse::{Counts, PER_VISIT, Purse};
pub use solver::Solver;

use crate::math::Vec6;

/// What [`Solver::solve`] found.
#[derive(Debug, Clone, Default)]
pub struct Solution {
    /// `û` per velocity block of six.
    pub velocities: Vec<Vec6>,
    /// `û` per wide velocity block.
    pub wide: Vec<Vec<f64>>,
    /// `λ` per force block.
    pub forces: Vec<Vec6>,
    /// Largest residual of a row, relative to the sizes of its terms, before refinement.
    pub residual: f64,
    /// The same after refinement.
    pub left: f64,
}

/// A problem with its solution and its solver: the linear system of one island.
#[derive(Debug, Clone)]
pub struct Tools {
    /// Blocks.
    pub problem: Problem,
    /// What was found.
    pub solution: Solution,
    /// Pattern and factors.
    pub solver: Solver,
}

impl Solution {
    /// Zeros in the shape of `problem`.
    pub fn blank(problem: &Problem) -> Self {
        Self {
            velocities: vec![Vec6::zeros(); problem.velocities.len()],
            wide: problem.wide.iter().map(|w| vec![0.0; w.rhs.len()]).collect(),
            forces: vec![Vec6::zeros(); problem.forces.len()],
            residual: 0.0,
            left: 0.0,
        }
    }
}
