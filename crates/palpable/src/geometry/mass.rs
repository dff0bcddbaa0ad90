//! Mass, centre of mass and inertia, and whether a solid can have them.

use nalgebra::{Matrix3, Vector3};

use super::principal::{Principal, diagonalise};

/// What the equations of motion know of a body's matter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MassProperties {
    /// Mass [kg].
    pub mass: f64,
    /// Centre of mass in the shape frame [m].
    pub center_of_mass: Vector3<f64>,
    /// Inertia about the centre of mass, in shape axes, products with their signs as in
    /// `I = ∫ (|r|² 1 − r rᵀ) dm` [kg·m²].
    pub inertia: Matrix3<f64>,
}

/// Why mass properties were refused. Every message names the field at fault and the cure.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum MassError {
    /// The mass is not a positive finite number.
    #[error("mass is {0} kg; give a finite mass greater than zero, or make the body fixed")]
    Mass(f64),
    /// The centre of mass has a coordinate that is not finite.
    #[error("center_of_mass has the coordinate {0}; give finite metres")]
    CenterOfMass(f64),
    /// The inertia has an entry that is not finite.
    #[error("inertia has the entry {0}; give finite kg·m²")]
    NotFinite(f64),
    /// The inertia is not symmetric.
    #[error(
        "inertia[{row}][{column}] and its mirror entry differ by {difference} kg·m²; \
             make them equal"
    )]
    NotSymmetric {
        /// Row of the entry.
        row: usize,
        /// Column of the entry.
        column: usize,
        /// Entry minus mirror entry [kg·m²].
        difference: f64,
    },
    /// A principal moment is zero or negative.
    #[error(
        "inertia has the principal moment {0} kg·m²; all three must be greater than zero: \
             check the signs of the products of inertia, give a point or rod a small radius"
    )]
    NotPositive(f64),
    /// One principal moment exceeds the sum of the others, which no matter can do.
    #[error(
        "inertia has principal moments {smaller} + {middle} < {largest} kg·m², impossible \
             for matter; check units, and that the inertia is about the centre of mass"
    )]
    Triangle {
        /// Smallest principal moment [kg·m²].
        smaller: f64,
        /// Middle principal moment [kg·m²].
        middle: f64,
        /// Largest principal moment [kg·m²].
        largest: f64,
    },
}

/// Slack of symmetry and of the triangle inequality, relative to the largest moment.
///
/// A thin plate meets the inequality with equality, and people type moments with six digits.
const DIGITS: f64 = 1e-5;

impl MassProperties {
    /// Checks that matter can have these properties.
    ///
    /// The triangle inequality and symmetry may be missed by 1e-5 of the largest moment, the
    /// rounding of numbers typed with six digits.
    pub fn validate(&self) -> Result<(), MassError> {
        if !(self.mass.is_finite() && self.mass > 0.0) {
            return Err(MassError::Mass(self.mass));
        }
        if let Some(&bad) = self.center_of_mass.iter().find(|c| !c.is_finite()) {
            return Err(MassError::CenterOfMass(bad));
        }
        if let Some(&bad) = self.inertia.iter().find(|c| !c.is_finite()) {
            return Err(MassError::NotFinite(bad));
        }
        self.check_symmetry()?;
        self.check_moments()
    }

    /// Axes in which the inertia is diagonal: `inertia = R diag(moments) Rᵀ`.
    ///
    /// Deterministic and the least turn that a cyclic Jacobi method finds: a diagonal inertia
    /// keeps its axes, moments are not sorted, repeated moments pick no axis of their own. The
    /// symmetric part is used; what is not finite comes back unrotated.
    pub fn principal(&self) -> Principal {
        diagonalise(&self.inertia)
    }

    fn check_symmetry(&self) -> Result<(), MassError> {
        for (row, column) in [(0, 1), (0, 2), (1, 2)] {
            let difference = self.inertia[(row, column)] - self.inertia[(column, row)];
            if difference.abs() > DIGITS * self.inertia.amax() {
                return Err(MassError::NotSymmetric { row, column, difference });
            }
        }
        Ok(())
    }

    fn check_moments(&self) -> Result<(), MassError> {
        let mut sorted: [f64; 3] = self.principal().moments.into();
        sorted.sort_by(f64::total_cmp);
        let [smaller, middle, largest] = sorted;
        // negated so that an overflow to NaN is refused too
        if !(smaller > 0.0 && largest.is_finite()) {
            return Err(MassError::NotPositive(smaller));
        }
        if smaller + middle < largest * (1.0 - DIGITS) {
            return Err(MassError::Triangle { smaller, middle, largest });
        }
        Ok(())
    }
}
