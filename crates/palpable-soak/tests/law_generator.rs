//! A seed names a world for ever, and every kind of world can be built.

mod common;

use palpable_soak::build::build;
use palpable_soak::generate::{generate, profile_of};
use palpable_soak::scene::{Form, JointKind, Profile, Scene};
use std::collections::BTreeSet;

#[test]
fn a_seed_leads_to_the_same_scene_each_time() {
    for seed in 0..200 {
        let scene = generate(seed);
        assert_eq!(scene, generate(seed));
        assert_eq!(scene.profile, profile_of(seed));
    }
}

/// Counts come from the bits of draws alone: they are the same on every machine.
#[test]
fn the_mapping_from_seeds_to_scenes_does_not_change() {
    let counts = |scene: &Scene| {
        let parts = [scene.bodies.len(), scene.joints.len(), scene.chains.len()];
        let rest = [scene.ports.len(), scene.events.len(), scene.steps];
        (scene.profile.name(), parts, rest)
    };
    let found: Vec<_> = (0..8).map(|seed| counts(&generate(seed))).collect();
    let known = [
        ("iso", [4, 3, 0], [0, 1, 250]),
        ("moderate", [10, 1, 0], [2, 1, 900]),
        ("articulated", [2, 0, 1], [2, 0, 250]),
        ("moderate", [3, 1, 0], [2, 0, 900]),
        ("moderate", [7, 0, 0], [0, 1, 500]),
        ("moderate-pile", [8, 0, 0], [2, 1, 500]),
        ("moderate", [2, 0, 0], [2, 1, 500]),
        ("press", [4, 0, 0], [2, 7, 250]),
    ];
    assert_eq!(found, known);
}

#[test]
fn every_profile_is_drawn_and_builds() {
    for profile in Profile::ALL {
        let seeds = (profile.first_seed()..).filter(|seed| profile_of(*seed) == profile).take(25);
        let built = seeds.filter(|seed| build(&generate(*seed)).is_ok()).count();
        assert_eq!(built, 25, "{}", profile.name());
        assert_eq!(Profile::named(profile.name()), Some(profile));
    }
}

#[test]
fn every_part_is_drawn() {
    let scenes: Vec<_> = (0..1000).map(generate).collect();
    let forms = scenes.iter().flat_map(|scene| &scene.bodies).map(|body| &body.form);
    let forms: BTreeSet<_> = forms.map(name).collect();
    assert_eq!(forms.len(), 11, "{forms:?}");
    let drawn = |kind| scenes.iter().any(|scene| scene.joints.iter().any(|j| j.kind == kind));
    assert!(JointKind::ALL.into_iter().all(drawn));
    assert!(scenes.iter().any(|scene| !scene.beams.is_empty()));
    assert!(scenes.iter().any(|scene| !scene.gears.is_empty()));
    let changes = scenes.iter().flat_map(|scene| &scene.events);
    let changes: BTreeSet<_> =
        changes.map(|event| first_word(&format!("{:?}", event.change))).collect();
    assert_eq!(changes.len(), 16, "{changes:?}");
}

fn name(form: &Form) -> String {
    first_word(&format!("{form:?}"))
}

fn first_word(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric()).collect()
}

#[test]
fn the_scene_with_one_of_everything_builds() {
    assert_eq!(build(&common::zoo()).err(), None);
}
