//! Schemes that the papers compare with: as published, implicit, explicit, symplectic. None of them
//! is passive; their defect is what they create or lose, and the ledger shows it.
//!
//! This is the only door to them: a world asks whether its scheme [`Scheme::is_ours`], whether a
//! rival knows all parts of the model ([`unknown`]), and lets it step ([`World::rival_step`]).

mod euler;
mod penalty;

pub use penalty::Penalty;

use super::{Options, Scheme};
use crate::model::{ElementInfo, ElementParams, Kind, Model, Params};

/// A part of a model that the scheme chosen does not know, and what helps.
pub(super) fn unknown(
    options: &Options,
    model: &Model,
    params: &Params,
) -> Option<[&'static str; 2]> {
    if options.scheme.is_ours() {
        return None;
    }
    let explicit = matches!(options.scheme, Scheme::ExplicitEuler | Scheme::SymplecticEuler);
    let gear = |e: &ElementInfo| matches!(e.kind, Kind::Gear(_));
    let hard = |p: &ElementParams| (0..6).any(|row| p.is_hard(row));
    let ours = "use `passive-midpoint`";
    if !model.systems.is_empty() {
        Some(["chains and beams", ours])
    } else if model.ports.iter().any(|p| p.motor) {
        Some(["motors", ours])
    } else if model.elements.iter().any(gear) {
        Some(["gears", ours])
    } else if model.elements.iter().any(ElementInfo::is_bounded) {
        Some(["stops and dry friction", ours])
    } else if model.contact.is_some() && params.surfaces.any_soft() {
        Some(["layers that yield", ours])
    } else if model.contact.is_some() && options.penalty.is_none() {
        Some(["contact", "build a model of ghosts, or use `passive-midpoint`"])
    } else if explicit && options.penalty.is_none() && params.elements.iter().any(hard) {
        Some(["hard joints", "give joints a stiffness, or use `passive-midpoint`"])
    } else {
        None
    }
}
