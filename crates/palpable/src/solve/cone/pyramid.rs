//! The contact law of `[Kim2017, (34)]` as printed: friction pyramid, Lemke, elastic or plastic.
//!
//! For the papers' figures and as a warning; allocates. A world may choose it
//! ([`ConeProblem::solve_piles`]).
//!
//! ```text
//! σ_n = N'V + γ_n ⟂ λ_n,   σ_t = D'V + U λ_f ⟂ λ_t,   σ_f = μ λ_n − U' λ_t ⟂ λ_f
//! ```
//! # Differs from the source
//! The pyramid's directions are made from the two tangents of a contact, the first along `t1`.
//! Nothing else: the plastic variant is not passive, with `u⁺_n = 0` after an upward `u⁻_n` it
//! adds up to `(F h)²/(8 m)`.

use super::contact::{ConeReport, ConeSettings, Rule};
use super::law::{Block, Kind};
use super::lemke::{LemkeError, lemke_within};
use super::problem::ConeProblem;

/// Most unknowns of a pile that Lemke's method is tried on, 32 contacts of 8 sides: its cost grows
/// with their cube, and it fails the more often the more there are.
const MOST: usize = 320;
/// Pivots per unknown; where it ends it takes one or two.
const PIVOTS: usize = 5;
/// Error of a solution, relative to the largest velocity and force in it, that is still one.
const WRONG: f64 = 1e-6;
/// Power below this part of what the forces meet is rounding.
const ROUNDING: f64 = 1e-12;

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
    /// Lemke's method ended, but rounding had spoilt its tableau.
    #[error("Lemke's method ended far from a solution: try the cone solver")]
    Wrong,
    /// Lemke failed.
    #[error("Lemke's method: {0}")]
    Lemke(#[from] LemkeError),
}

/// A contact of a problem that the printed law is for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pyramid {
    /// Number of the contact.
    pub contact: usize,
    /// Sides of its pyramid, 3 or more.
    pub sides: usize,
    /// Velocities of its rows before the step, if the plastic conditions are meant.
    pub before: Option<[f64; 3]>,
}

/// How the printed law went, pile by pile.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PilesReport {
    /// What the exact cone did.
    pub cone: ConeReport,
    /// Piles with printed contacts that Lemke's method did not solve, or in which contacts of
    /// another kind take part: the exact cone on `V̂` holds there, passively.
    pub unsolved: usize,
    /// Power that contacts created: the sum over piles in which it is positive \[W\].
    pub created: f64,
}

/// One unknown of the LCP as a combination of a contact's rows.
struct Direction {
    contact: usize,
    /// place of the contact's normal among the unknowns
    normal: usize,
    rows: [f64; 3],
}

impl ConeProblem {
    /// Solves `[Kim2017, (34)]` with a pyramid of `sides` and stores forces and velocities.
    /// Targets and the passive rule are not part of it.
    pub fn solve_printed(&mut self, sides: usize, law: Printed) -> Result<(), PyramidError> {
        self.check_printed(sides, law)?;
        let all: Vec<u32> = (0..self.blocks.contacts.len() as u32).collect();
        let forces = self.printed_forces(&all, sides, law, 10 * PIVOTS)?;
        self.unknowns.lambda.copy_from_slice(&forces);
        self.apply_forces();
        Ok(())
    }

    /// Solves piles of `pyramids` alone, in ascending order and equal but for what was before, by
    /// the printed law, and all others by the exact cone on `V̂`, with a budget of `settings`.
    /// The cone stands in where Lemke's method fails, or a pile has more than 320 unknowns (32
    /// contacts of 8 sides). Allocates.
    pub fn solve_piles(&mut self, pyramids: &[Pyramid], settings: &ConeSettings) -> PilesReport {
        self.islands.find(&self.blocks);
        let mut before = vec![0.0; self.blocks.bias.len()];
        for pyramid in pyramids {
            let Block { row, rows, .. } = self.blocks.contacts[pyramid.contact];
            let given = pyramid.before.unwrap_or_default();
            before[row..row + rows].copy_from_slice(&given[..rows]);
        }
        let piles: Vec<_> =
            (0..self.islands.len()).map(|i| self.solve_pile(i, pyramids, &before)).collect();
        let rule = Rule::Midpoint;
        let found = self.solve_some(settings, rule, |i| !matches!(piles[i], Some(Some(_))));
        for (i, forces) in piles.iter().enumerate() {
            let Some(Some(forces)) = forces else { continue };
            for &c in self.islands.contacts(i) {
                let Block { row, rows, .. } = self.blocks.contacts[c as usize];
                self.unknowns.lambda[row..row + rows].copy_from_slice(&forces[row..row + rows]);
            }
        }
        self.apply_forces();
        let mut report = PilesReport { cone: found, ..Default::default() };
        for (i, pile) in piles.iter().enumerate() {
            match pile {
                Some(Some(_)) => report.created += self.created(i),
                Some(None) => report.unsolved += 1,
                None => {}
            }
        }
        report
    }

    /// Forces of a pile by the printed law; `Some(None)` if it has no solution for it, `None` if
    /// none of its contacts is a pyramid.
    fn solve_pile(
        &self,
        pile: usize,
        pyramids: &[Pyramid],
        before: &[f64],
    ) -> Option<Option<Vec<f64>>> {
        let contacts = self.islands.contacts(pile);
        let of = |c: &u32| {
            let found = pyramids.binary_search_by_key(&(*c as usize), |p| p.contact);
            found.ok().map(|i| (pyramids[i].sides, pyramids[i].before.is_some()))
        };
        let mut laws = contacts.iter().map(of);
        let first = laws.next()?;
        let alike = laws.clone().all(|law| law == first);
        let Some((sides, plastic)) = first.filter(|_| alike) else {
            return (first.is_some() || laws.any(|law| law.is_some())).then_some(None);
        };
        if contacts.len() * (sides + 2) > MOST {
            return Some(None);
        }
        let law = if plastic { Printed::Plastic(before) } else { Printed::Elastic };
        Some(self.printed_forces(contacts, sides, law, PIVOTS).ok())
    }

    /// Power that the contacts of a pile add to it, 0 if they take \[W\].
    fn created(&self, pile: usize) -> f64 {
        let (mut power, mut size) = (0.0, 0.0);
        for &c in self.islands.contacts(pile) {
            let Block { row, rows, .. } = self.blocks.contacts[c as usize];
            for r in row..row + rows {
                let force = self.unknowns.lambda[r];
                power += force * self.unknowns.velocity[r];
                size += (force * self.blocks.bias[r]).abs();
            }
        }
        if power > ROUNDING * size { power } else { 0.0 }
    }

    fn check_printed(&self, sides: usize, law: Printed) -> Result<(), PyramidError> {
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
        Ok(())
    }

    /// Forces of some contacts by Lemke's method, in the rows of the whole problem.
    fn printed_forces(
        &self,
        contacts: &[u32],
        sides: usize,
        law: Printed,
        pivots: usize,
    ) -> Result<Vec<f64>, PyramidError> {
        let directions = self.directions(contacts, sides);
        let (matrix, q) = self.printed_system(&directions, (contacts.len(), sides), law);
        let z = lemke_within(&matrix, &q, pivots * q.len() + 100)?;
        if !solves(&matrix, &q, &z, directions.len()) {
            return Err(PyramidError::Wrong);
        }
        let mut forces = vec![0.0; self.blocks.bias.len()];
        for (direction, z) in directions.iter().zip(&z) {
            let block = &self.blocks.contacts[direction.contact];
            for r in 0..block.rows {
                forces[block.row + r] += direction.rows[r] * z;
            }
        }
        Ok(forces)
    }

    /// All normals, then the sides of the pyramids contact by contact.
    fn directions(&self, contacts: &[u32], sides: usize) -> Vec<Direction> {
        let numbered = || contacts.iter().enumerate().map(|(n, &c)| (n, c as usize));
        let mut all: Vec<Direction> = numbered()
            .map(|(normal, contact)| Direction { contact, normal, rows: [1.0, 0.0, 0.0] })
            .collect();
        for (normal, contact) in numbered() {
            if self.blocks.contacts[contact].kind == Kind::Frictional {
                all.extend((0..sides).map(|k| {
                    let (y, x) = (std::f64::consts::TAU * k as f64 / sides as f64).sin_cos();
                    Direction { contact, normal, rows: [0.0, x, y] }
                }));
            }
        }
        all
    }

    fn printed_system(
        &self,
        directions: &[Direction],
        (count, sides): (usize, usize),
        law: Printed,
    ) -> (Vec<f64>, Vec<f64>) {
        let d = directions.len();
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
            let Direction { contact, normal, .. } = directions[first];
            m[row * n + normal] = self.blocks.contacts[contact].mu;
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
                let w = self.blocks.delassus(left, r, right, s);
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

/// True if `0 ≤ M z + q ⟂ z ≥ 0` holds; the first `d` rows are velocities, the others forces.
fn solves(matrix: &[f64], q: &[f64], z: &[f64], d: usize) -> bool {
    let largest = |values: &[f64]| values.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
    // rows and columns of the directions: the force that would stop the largest velocity
    let mobile = (0..d).fold(0.0, |m: f64, i| m.max(matrix[i * q.len() + i]));
    let speed = largest(&q[..d]);
    let force = largest(&z[..d]).max(speed / mobile);
    matrix.chunks_exact(q.len()).enumerate().all(|(i, row)| {
        let w = q[i] + row.iter().zip(z).map(|(m, z)| m * z).sum::<f64>();
        let most = WRONG * if i < d { speed } else { force };
        // written so that NaN is no solution
        w >= -most && (z[i] == 0.0 || w <= most)
    })
}
