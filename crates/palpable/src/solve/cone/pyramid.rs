//! The contact law of `[Kim2017, (34)]` as printed: friction pyramid, Lemke, elastic or plastic.
//!
//! For the papers' figures and as a warning; offline, allocates.
//!
//! ```text
//! σ_n = N'V + γ_n ⟂ λ_n,   σ_t = D'V + U λ_f ⟂ λ_t,   σ_f = μ λ_n − U' λ_t ⟂ λ_f
//! ```
//! # Differs from the source
//! The pyramid's directions are made from the two tangents of a contact, the first along `t1`.
//! Nothing else: the plastic variant is not passive, with `u⁺_n = 0` after an upward `u⁻_n` it
//! adds up to `(F h)²/(8 m)`.

use super::law::{Block, Kind};
use super::lemke::{LemkeError, lemke};
use super::problem::ConeProblem;

/// Which velocity the printed conditions hold for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Printed<'a> {
    /// `V̂`: bounces without loss.
    Elastic,
    /// `V_{k+1} = 2V̂ − V_k`, for all contacts' rows in order: `u⁻`. Not passive.
    Plastic(&'a [f64]),
}

/// A problem that the printed law cannot state or Lemke cannot solve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PyramidError {
    /// Laws other than [`super::Law::Unilateral`] and [`super::Law::Frictional`].
    #[error("the printed law knows only unilateral and frictional contacts")]
    Law,
    /// The pyramid needs at least three sides.
    #[error("`sides` must be 3 or more")]
    Sides,
    /// The velocities before the step do not match the rows.
    #[error("Plastic needs one velocity per row of the problem")]
    Rows,
    /// Lemke failed.
    #[error("Lemke's method: {0}")]
    Lemke(#[from] LemkeError),
}

/// One unknown of the LCP as a combination of a contact's rows.
struct Direction {
    contact: usize,
    rows: [f64; 3],
}

impl ConeProblem {
    /// Solves `[Kim2017, (34)]` with a pyramid of `sides` and stores forces and velocities.
    /// Targets, capacities and the passive rule are not part of it.
    pub fn solve_printed(&mut self, sides: usize, law: Printed) -> Result<(), PyramidError> {
        let known = |b: &Block| matches!(b.kind, Kind::Unilateral | Kind::Frictional);
        if !self.blocks.contacts.iter().all(known) {
            return Err(PyramidError::Law);
        }
        if sides < 3 {
            return Err(PyramidError::Sides);
        }
        let rows = self.blocks.bias.len();
        if matches!(law, Printed::Plastic(before) if before.len() != rows) {
            return Err(PyramidError::Rows);
        }
        let directions = self.directions(sides);
        let (matrix, q) = self.printed_system(&directions, sides, law);
        let z = lemke(&matrix, &q)?;
        self.unknowns.lambda.fill(0.0);
        for (direction, z) in directions.iter().zip(&z) {
            let block = &self.blocks.contacts[direction.contact];
            for r in 0..block.rows {
                self.unknowns.lambda[block.row + r] += direction.rows[r] * z;
            }
        }
        self.apply_forces();
        Ok(())
    }

    /// All normals, then the sides of the pyramids contact by contact.
    fn directions(&self, sides: usize) -> Vec<Direction> {
        let count = self.blocks.contacts.len();
        let mut all: Vec<Direction> =
            (0..count).map(|contact| Direction { contact, rows: [1.0, 0.0, 0.0] }).collect();
        for contact in 0..count {
            if self.blocks.contacts[contact].kind == Kind::Frictional {
                all.extend((0..sides).map(|k| {
                    let (y, x) = (std::f64::consts::TAU * k as f64 / sides as f64).sin_cos();
                    Direction { contact, rows: [0.0, x, y] }
                }));
            }
        }
        all
    }

    fn printed_system(
        &self,
        directions: &[Direction],
        sides: usize,
        law: Printed,
    ) -> (Vec<f64>, Vec<f64>) {
        let (count, d) = (self.blocks.contacts.len(), directions.len());
        let cones = (d - count) / sides;
        let n = d + cones;
        let (mut m, mut q) = (vec![0.0; n * n], vec![0.0; n]);
        let factor = if law == Printed::Elastic { 1.0 } else { 2.0 };
        for (i, a) in directions.iter().enumerate() {
            for (j, b) in directions.iter().enumerate() {
                m[i * n + j] = factor * self.between(a, b);
            }
            let block = &self.blocks.contacts[a.contact];
            for r in 0..block.rows {
                let row = block.row + r;
                let before = if let Printed::Plastic(u) = law { u[row] } else { 0.0 };
                q[i] += a.rows[r] * (factor * self.blocks.bias[row] - before);
            }
        }
        for cone in 0..cones {
            let (row, first) = (d + cone, count + cone * sides);
            let contact = directions[first].contact;
            m[row * n + contact] = self.blocks.contacts[contact].mu;
            for side in first..first + sides {
                m[side * n + row] = 1.0;
                m[row * n + side] = -1.0;
            }
        }
        (m, q)
    }

    fn between(&self, a: &Direction, b: &Direction) -> f64 {
        let (left, right) = (&self.blocks.contacts[a.contact], &self.blocks.contacts[b.contact]);
        let mut sum = 0.0;
        for r in (0..left.rows).filter(|&r| a.rows[r] != 0.0) {
            for s in (0..right.rows).filter(|&s| b.rows[s] != 0.0) {
                let w = self.blocks.delassus((left, r), (right, s));
                sum += a.rows[r] * w * b.rows[s];
            }
        }
        sum
    }

    /// Velocities that follow from the forces at hand.
    fn apply_forces(&mut self) {
        let u = &mut self.unknowns;
        u.restart(&self.blocks.bias);
        u.change.fill(0.0);
        for block in &self.blocks.contacts {
            let lambda = &u.lambda[block.row..block.row + block.rows];
            self.blocks.respond(block, lambda, &mut u.change);
        }
        for block in &self.blocks.contacts {
            let rate = self.blocks.rate(block, &u.change);
            for (r, rate) in rate.iter().enumerate().take(block.rows) {
                u.velocity[block.row + r] = u.free[block.row + r] + rate;
            }
        }
    }
}
