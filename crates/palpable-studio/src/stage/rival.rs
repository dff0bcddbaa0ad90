//! Which schemes can run a scene, and why the others cannot.

use palpable::model::{ElementInfo, ElementParams, Kind};
use palpable::{Model, Scheme};

/// What a scheme is, for people who compare it with ours.
pub fn words(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::PassiveMidpoint => "passive midpoint (ours)",
        Scheme::PublishedMidpoint => "midpoint as published [Kim2017]",
        Scheme::ExplicitEuler => "explicit Euler",
        Scheme::SymplecticEuler => "symplectic Euler",
        Scheme::ImplicitEuler => "linearised implicit Euler, one solve a step",
    }
}

/// Why a scheme cannot run a model, if it cannot.
pub fn obstacle(model: &Model, scheme: Scheme) -> Option<&'static str> {
    if scheme == Scheme::PassiveMidpoint {
        return None;
    }
    let gear = |e: &ElementInfo| matches!(e.kind, Kind::Gear(_));
    let hard = |p: &ElementParams| (0..6).any(|row| p.is_hard(row));
    let explicit = matches!(scheme, Scheme::ExplicitEuler | Scheme::SymplecticEuler);
    if model.contact().is_some() {
        Some("contact is not supported by this scheme here")
    } else if !model.systems().is_empty() {
        Some("links and beams in joint coordinates are not supported by this scheme here")
    } else if model.ports().iter().any(|p| p.motor) || model.elements().iter().any(gear) {
        Some("motors and gears are not supported by this scheme here")
    } else if explicit && model.params().elements.iter().any(hard) {
        Some("an explicit scheme cannot hold hard joints")
    } else {
        None
    }
}
