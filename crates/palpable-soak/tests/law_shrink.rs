//! A shrunk scene is as small as its violation allows.

mod common;

use palpable::Vec3;
use palpable_soak::generate::generate;
use palpable_soak::scene::{Form, Scene};
use palpable_soak::shrink::shrink;

/// Breaks in step 9 as long as body 3 is there.
fn needs_body_three(scene: &Scene) -> Option<usize> {
    scene.body(3).map(|_| 9)
}

#[test]
fn only_what_a_violation_needs_is_left() {
    let small = shrink(&common::zoo(), usize::MAX, needs_body_three);
    assert_eq!(small.bodies.len(), 1);
    let body = &small.bodies[0];
    assert_eq!((body.id, body.mass, body.velocity), (3, 1.0, Vec3::zeros()));
    assert!(matches!(body.form, Form::Ball(_)), "{:?}", body.form);
    assert!(small.joints.is_empty() && small.chains.is_empty() && small.beams.is_empty());
    assert!(small.gears.is_empty() && small.ports.is_empty() && small.events.is_empty());
    assert_eq!((small.gravity, small.effort, small.capacity), (Vec3::zeros(), None, 0));
    assert!(small.steps <= 10, "{} steps", small.steps);
}

#[test]
fn every_scene_that_is_tried_is_smaller_and_keeps_its_seed() {
    for seed in 0..20 {
        let scene = generate(seed);
        let bodies = scene.bodies.len();
        let small = shrink(&scene, 100 * scene.steps, |candidate| {
            assert!(candidate.bodies.len() <= bodies && candidate.steps <= scene.steps);
            let fastened = |id: usize| candidate.body(id).is_some();
            assert!(candidate.joints.iter().all(|j| fastened(j.a) && j.b.is_none_or(fastened)));
            None
        });
        assert_eq!(small, scene, "nothing is taken unless it still breaks");
    }
}

#[test]
fn a_budget_of_steps_is_kept() {
    let scene = common::zoo();
    let mut spent = 0;
    shrink(&scene, 500, |candidate| {
        spent += candidate.steps;
        needs_body_three(candidate)
    });
    assert!(spent <= 500, "{spent} steps");
}
