//! Contact over a volume `[Hasegawa2004]`: what two solids share pushes them apart, over an area.
//!
//! # Equation
//! ```text
//! p = κ δ,   f = κ V n at the centroid of the volume,   κ = κ₁ κ₂/(κ₁ + κ₂)
//! [Â + (h/2) H + D] û = b + f* + (h/2) H u*,   H = κ ∫ a aᵀ dS,   D = d ∫ a aᵀ dS
//! store ← store − h f·û
//! ```
//! `δ` is the length of the overlap along its normal, the direction in which the volume grows
//! fastest. Against a half-space the force has a potential, `κ ∫ depth dV`.
//!
//! # Guarantee
//! What springs give back comes from the store of their contact, filled by what they took and by
//! what its dampers and friction lose; where that does not reach, the tank pays; then springs begin
//! with what their store has (`bounded.rs`), and can give no more. So motion and stores together
//! never gain. Cone contacts of the same bodies come after and may move them otherwise: what is
//! short then is covered by what they took, or by the last gate.
//!
//! # Differs from the source
//! The overlap is measured at the predicted middle of the step and forces are linear about it, in
//! one solve for all bodies that press on each other; contacts that would pull, give back more
//! than they have, or begin to slide are changed and solved again, until none is short of energy.

mod bounded;
mod find;
mod island_side;
mod pile;
mod plan;
mod press;
mod pressing;
mod rest;
mod rub;
mod slope;
mod stage;
mod store;

pub use stage::{Patch, VolumeStage};
