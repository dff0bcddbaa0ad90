//! Large systems of bodies by conjugate gradients, from the motion that is predicted.
//!
//! Elimination of a plane of contacts takes the power 1.5 of their number. At rest the prediction
//! is nearly the solution, and elsewhere a few dozen steps are enough where layers are soft for the
//! step that is taken; where they are not, or bodies spin so fast that the system is not nearly
//! symmetric, the system is eliminated after all. What comes out depends on the system alone.

use super::pile::{Coupling, invert, subtract_vector};
use crate::math::vector_unit::Kernel;
use crate::math::{Mat6, Room, Vec6};

/// Steps after which elimination is cheaper: each takes two products of blocks and vectors a
/// contact, elimination of a hundred bodies some twenty products of blocks a contact.
const STEPS: usize = 60;
/// A residual of this part of the forces at work, in the norm of the bodies' answers, is that of
/// an elimination.
const ENOUGH: f64 = 1e-14;

/// Buffers; they keep their room.
#[derive(Debug, Clone, Default)]
pub(super) struct Relaxation {
    /// predicted motion, then the solution
    pub value: Room<Vec6>,
    /// sizes of all that was added to the right-hand side
    pub size: Room<Vec6>,
    inverse: Room<Mat6>,
    residual: Room<Vec6>,
    along: Room<Vec6>,
    change: Room<Vec6>,
}

impl Relaxation {
    pub fn clear(&mut self) {
        self.value.clear();
        self.size.clear();
    }
}

/// A system, and where its solution goes.
pub(super) struct Descent<'a> {
    pub diagonal: &'a [Mat6],
    pub rhs: &'a mut [Vec6],
    pub blocks: &'a [Coupling],
    pub ends: &'a [(u32, u32)],
    pub buffers: &'a mut Relaxation,
    pub done: &'a mut bool,
}

impl Kernel for Descent<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { diagonal, rhs, blocks, ends, buffers, done } = self;
        let Relaxation { value, size, inverse, residual, along, change } = buffers;
        inverse.clear();
        for block in diagonal {
            let Some(answer) = invert(block) else { return };
            inverse.push(answer);
        }
        let enough = ENOUGH * ENOUGH * product(inverse, size, along);
        change.clear();
        change.resize(rhs.len(), Vec6::zeros());
        multiply((diagonal, blocks, ends), value, change);
        residual.clear();
        residual.extend(rhs.iter().zip(change.iter()).map(|(b, a)| b - a));
        let mut error = product(inverse, residual, along);
        for _ in 0..STEPS {
            if error.abs() <= enough {
                *done = true;
                rhs.copy_from_slice(value);
                return;
            }
            multiply((diagonal, blocks, ends), along, change);
            let power: f64 = along.iter().zip(change.iter()).map(|(p, q)| p.dot(q)).sum();
            let step = error / power;
            if !(step.is_finite() && power > 0.0) {
                return;
            }
            let last = error;
            error = 0.0;
            for k in 0..rhs.len() {
                value[k] += along[k] * step;
                residual[k] -= change[k] * step;
                let mut answer = Vec6::zeros();
                subtract_vector(&mut answer, &inverse[k], &-residual[k]);
                error += answer.dot(&residual[k]);
                change[k] = answer;
            }
            for (p, z) in along.iter_mut().zip(change.iter()) {
                *p = z + *p * (error / last);
            }
        }
    }
}

/// `out = D⁻¹ x`; returns `x·out`.
#[inline(always)]
fn product(inverse: &[Mat6], x: &[Vec6], out: &mut Vec<Vec6>) -> f64 {
    out.clear();
    let mut sum = 0.0;
    for (m, x) in inverse.iter().zip(x) {
        let mut y = Vec6::zeros();
        subtract_vector(&mut y, m, &-x);
        sum += x.dot(&y);
        out.push(y);
    }
    sum
}

/// `y = A x`.
#[inline(always)]
fn multiply(
    (diagonal, blocks, ends): (&[Mat6], &[Coupling], &[(u32, u32)]),
    x: &[Vec6],
    y: &mut [Vec6],
) {
    for (k, block) in diagonal.iter().enumerate() {
        let mut sum = Vec6::zeros();
        subtract_vector(&mut sum, block, &-x[k]);
        y[k] = sum;
    }
    for (block, &(a, b)) in blocks.iter().zip(ends) {
        subtract_vector(&mut y[a as usize], &block.first, &-x[b as usize]);
        subtract_vector(&mut y[b as usize], &block.second, &-x[a as usize]);
    }
}
