//! Which law gives a pair of surfaces its contact forces.

use super::Model;
use std::ops::RangeInclusive;
use thiserror::Error;

/// How two bodies that touch act on each other. The later of two counts where surfaces differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
pub enum ContactLaw {
    /// Ours: exact friction cones in two phases, passive for any budget of the solver.
    #[default]
    Cone,
    /// `[Kim2017, (34)]` as printed, on the midpoint velocity: a friction pyramid of `sides`, by
    /// Lemke's method. Bounces without loss, passive; restitution and friction at rest are not
    /// part of it. Allocates.
    PrintedElastic {
        /// Sides of the pyramid, 4 to 64.
        sides: u32,
    },
    /// The same on the velocity at the end of the step. Creates energy, which the ledger shows
    /// as `created`.
    PrintedPlastic {
        /// Sides of the pyramid, 4 to 64.
        sides: u32,
    },
}

/// Why a law does not suit a world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum LawError {
    /// A pyramid of too few or too many sides.
    #[error("sides is {sides}; a pyramid needs 4 to 64")]
    Sides {
        /// The number given.
        sides: u32,
    },
    /// Friction against spinning or rolling.
    #[error("the printed laws know no spin_radius or roll_radius; remove them or choose `cone`")]
    Rolling,
    /// Dry friction of joints.
    #[error("the printed laws know no dry friction of joints; remove it or choose `cone`")]
    DryFriction,
}

impl ContactLaw {
    /// Names in scene files.
    pub const NAMES: [&str; 3] = ["cone", "printed-elastic", "printed-plastic"];
    /// Sides of a pyramid unless given.
    pub const SIDES: u32 = 8;
    /// Sides that a pyramid may have.
    pub const SIDES_ALLOWED: RangeInclusive<u32> = 4..=64;

    /// The law of this name; `None` if there is none.
    pub fn named(name: &str, sides: u32) -> Option<Self> {
        match name {
            "cone" => Some(Self::Cone),
            "printed-elastic" => Some(Self::PrintedElastic { sides }),
            "printed-plastic" => Some(Self::PrintedPlastic { sides }),
            _ => None,
        }
    }

    /// Name in scene files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cone => "cone",
            Self::PrintedElastic { .. } => "printed-elastic",
            Self::PrintedPlastic { .. } => "printed-plastic",
        }
    }

    /// Sides of its pyramid, if it has one.
    pub fn sides(self) -> Option<u32> {
        match self {
            Self::Cone => None,
            Self::PrintedElastic { sides } | Self::PrintedPlastic { sides } => Some(sides),
        }
    }

    /// One of the laws that are as printed.
    pub fn is_printed(self) -> bool {
        self.sides().is_some()
    }

    /// The number of sides, if it is not allowed.
    pub(super) fn fault(self) -> Option<u32> {
        self.sides().filter(|sides| !Self::SIDES_ALLOWED.contains(sides))
    }

    /// Whether a world of this model can use it for all pairs whose surfaces name no law, and for
    /// the stops of joints.
    ///
    /// # Errors
    /// What in the model, or in the law, does not suit.
    pub fn check(self, model: &Model) -> Result<(), LawError> {
        if let Some(sides) = self.fault() {
            return Err(LawError::Sides { sides });
        }
        if !self.is_printed() {
            return Ok(());
        }
        if model.contact.as_ref().is_some_and(|c| c.rows > 3) {
            return Err(LawError::Rolling);
        }
        if model.elements.iter().any(|e| e.rubs) {
            return Err(LawError::DryFriction);
        }
        Ok(())
    }
}
