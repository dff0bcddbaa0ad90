//! Which law gives contact its forces: the seam where another one stands in.
//!
//! A law is three stages, each of which sees the touches of the step and writes its own buffers:
//! `strike` (in no time, before the prediction), `hold` (at the midpoint velocity, after the linear
//! solve) and `push_out` (places only). An enum, because laws work on the private memory of the
//! stage, options and snapshots stay plain data, and the default costs no indirect call.

use super::printed;
use super::push_out::{Books, Pushed, push_out};
use super::stage::Stage;
use super::{Site, hold, impulse};
use crate::math::Vec6;
use crate::model::Model;
use crate::solve::Tools;
use crate::stamp::Rule;
use std::ops::RangeInclusive;
use thiserror::Error;

/// How touching bodies act on each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
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

    /// Whether a world of this model can use it.
    ///
    /// # Errors
    /// What in the model, or in the law, does not suit.
    pub fn check(self, model: &Model) -> Result<(), LawError> {
        let Some(sides) = self.sides() else { return Ok(()) };
        if !Self::SIDES_ALLOWED.contains(&sides) {
            return Err(LawError::Sides { sides });
        }
        if model.contact.as_ref().is_some_and(|c| c.rows > 3) {
            return Err(LawError::Rolling);
        }
        if model.elements.iter().any(|e| e.rubs) {
            return Err(LawError::DryFriction);
        }
        Ok(())
    }

    /// Before the prediction: what closes stops. Returns the energy taken [J].
    pub(crate) fn strike(
        self,
        site: &mut Site,
        islands: &mut [Tools],
        stage: &mut Stage,
        rule: &Rule,
    ) -> f64 {
        match self {
            Self::Cone => impulse(site, islands, stage, rule),
            Self::PrintedElastic { .. } | Self::PrintedPlastic { .. } => {
                stage.cleaned.fill(false);
                0.0
            }
        }
    }

    /// After the linear solve: forces at the midpoint velocity, into systems and `wrenches`.
    pub(crate) fn hold(
        self,
        site: &mut Site,
        islands: &mut [Tools],
        stage: &mut Stage,
        motion: (&[Vec6], &mut [Vec6]),
        rule: &Rule,
    ) {
        match self {
            Self::Cone => hold(site, islands, stage, motion, rule),
            Self::PrintedElastic { sides } => {
                printed::hold(site, islands, stage, motion, rule, (sides, false));
            }
            Self::PrintedPlastic { sides } => {
                printed::hold(site, islands, stage, motion, rule, (sides, true));
            }
        }
    }

    /// At the end: overlaps go as far as somebody pays. The printed laws keep theirs.
    pub(crate) fn push_out(
        self,
        site: &mut Site,
        islands: &mut [Tools],
        stage: &mut Stage,
        books: Books,
        rule: &Rule,
    ) -> Pushed {
        match self {
            Self::Cone => push_out(site, islands, stage, books, rule),
            Self::PrintedElastic { .. } | Self::PrintedPlastic { .. } => {
                let depths = stage.touches.iter().map(|t| -t.gap_at(site.state));
                stage.report.depth = depths.fold(stage.report.depth, f64::max);
                Pushed::default()
            }
        }
    }
}
