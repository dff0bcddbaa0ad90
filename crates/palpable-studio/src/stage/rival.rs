//! Which schemes can run a scene, and why the others cannot.

use palpable::model::{ElementInfo, ElementParams, Kind};
use palpable::{Model, Options, Penalty, Scheme};

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

/// Why a scheme cannot run a model, if it cannot. Contact and hard joints become springs and
/// dampers where a scheme does not know them.
pub fn obstacle(model: &Model, scheme: Scheme) -> Option<&'static str> {
    let options = Options { scheme, penalty: Some(Penalty::default()), ..Options::default() };
    if options.check(model).is_ok() {
        return None;
    }
    let gear = |e: &ElementInfo| matches!(e.kind, Kind::Gear(_));
    Some(if !model.systems().is_empty() {
        "links and beams in joint coordinates have no such scheme here"
    } else if model.ports().iter().any(|p| p.motor) || model.elements().iter().any(gear) {
        "motors and gears have no such scheme here"
    } else if model.elements().iter().any(|e| e.stops.is_some() || e.rubs) {
        "stops and dry friction of joints have no such scheme here"
    } else {
        "surfaces that yield have no such scheme here"
    })
}

/// What a scheme does about contact and hard joints that it does not know, in words; empty if there
/// are none.
pub fn stand_in(model: &Model, scheme: Scheme) -> &'static str {
    let explicit = matches!(scheme, Scheme::ExplicitEuler | Scheme::SymplecticEuler);
    let hard = |p: &ElementParams| (0..6).any(|row| p.is_hard(row));
    let joints = explicit && model.params().elements.iter().any(hard);
    match (model.contact().is_some(), joints) {
        _ if scheme == Scheme::PassiveMidpoint => "",
        (true, true) => ", penalty contact and soft joints",
        (true, false) => ", penalty contact",
        (false, true) => ", soft joints",
        (false, false) => "",
    }
}
