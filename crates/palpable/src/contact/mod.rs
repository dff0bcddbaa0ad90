//! Workshop: pairs that touch → forces. Two phases, both passive `[Kim2017 sec. 3.3]`.
//!
//! Phase I ([`impulse`]) stops what closes, in no time; phase II ([`hold`]) keeps it from closing
//! during the step, at the midpoint velocity; [`push_out`] takes away what is left of an overlap.
//! Joints whose vibration the step cannot resolve hold rigidly in phase I and in the push.
//!
//! | question | answer |
//! |---|---|
//! | who moves | units, `model/unit.rs`; a force moves spans of their velocities |
//! | who touches | [`Touch`], found by [`Stage::collide`]; [`stops`] of joints beside them |
//! | who hangs together | piles of a phase, [`graph`] |
//! | which rows act | those of chosen touches and stops, [`gather`]; of free bodies, [`points`] |
//! | which law | [`law`] |
//! | what lasts | [`Carry`] |
//!
//! # Differs from the source
//! `[Kim2017]` after (34) demands `u⁺_n ≥ 0` in one phase: that creates energy; a world may choose
//! it all the same ([`crate::model::ContactLaw`]). Position drift is projected and paid for, not
//! fed back as a velocity.

mod carry;
mod chatter;
mod claim;
mod collide;
mod dry;
mod frame;
mod gather;
mod graph;
mod hold;
mod impulse;
mod law;
mod meet;
mod points;
mod printed;
mod push_out;
mod push_turn;
mod rigid;
mod sleep;
mod stage;
mod stops;
mod touch;
mod turn;
mod volume;
mod workspace;

pub use carry::{Carry, Stay};
pub use chatter::calm;
pub use hold::{Drive, hold};
pub use impulse::impulse;
pub use meet::{Coherence, ContactState, ImpulseLimit};
pub use push_out::{Books, push_out};
pub use sleep::Sleeping;
use sleep::{Tie, TieKind};
pub use stage::{ContactReport, Moment, Stage};
pub use touch::{Touch, TouchEvent};
pub use volume::{Patch, VolumeStage};
pub use workspace::Ask;

pub use crate::model::Site;

/// The linear system of each island, and what solves it.
pub type Toolbox = crate::model::PerIsland<crate::solve::Tools>;
