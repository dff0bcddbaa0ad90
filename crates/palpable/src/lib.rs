//! **palpable**: a physics engine you can feel.
//!
//! It simulates rigid bodies, springs and dampers for haptic devices and interactive programs, and
//! it never creates energy: every step closes an energy account to round-off, for any mass,
//! stiffness, step length and input.
//!
//! ```text
//! Σ f · v̂ · h  ≥  E_N − E_0        port work in ≥ energy stored, always
//! ```
//!
//! Start with [`Model::builder`], make a [`World`], call [`World::step`]. Rooms that are open to
//! users: [`math`], [`geometry`], [`model`], [`coupling`] (between a hand and a port) and [`solve`]
//! (contact problems without a world). How a step is made inside is told in ARCHITECTURE.md.

mod contact;
pub mod coupling;
pub mod geometry;
mod ledger;
pub mod math;
pub mod model;
mod port;
mod predict;
mod settle;
pub mod solve;
mod stamp;
mod world;

pub use contact::{Coherence, ContactState, ImpulseLimit};
pub use contact::{ContactReport, Patch, Sleeping, Touch, TouchEvent};
pub use coupling::{CouplingSettings, Felt, Handle, VirtualCoupling};
pub use geometry::{CollisionShape, MassProperties, Shape};
pub use ledger::{
    Audit, Dissipation, Entry, Finding, Flows, GateTotals, Ledger, Stored, Surplus, Tank,
    TankPolicy,
};
pub use math::{Mat3, Rotation, Vec3, Vec6};
pub use model::{
    Anchor, Beam, Body, BodyId, BuildError, BuildErrors, Chain, ContactLaw, Element, ElementId,
    Joint, Lagrangian, LawError, Link, Material, Model, ModelBuilder, Mount, Overlap, Port, Pose,
    Spring, SystemId, Terms, VolumeKind, VolumeLaw,
};
pub use port::{Inputs, PortId, PortInput, PortOutput};
pub use solve::Counts;
pub use solve::cone::Resolution;
pub use world::{
    ChangeError, GateReport, Options, OptionsError, Payment, Penalty, Receipt, Scheme, Snapshot,
    Status, StepReport, Violation, World,
};

/// The code of the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
