//! A mouse moves in steps, 125 to 1000 times a second; what holds a body must not feel them.

use palpable::{Rotation, Vec3};
use palpable_scene::Scene;
use palpable_studio::GALLERY;
use palpable_studio::stage::{Order, Show, Stage};

/// Largest change of the force on the hand from one step to the next [N], and the largest force,
/// while a body is led along a smooth path of 10 cm by a pointer that moves `rate` times a second.
fn led(id: &str, rate: f64) -> (f64, f64) {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/");
    let exhibit = GALLERY.iter().find(|e| e.id == id).expect("in the gallery");
    let built = Scene::parse(exhibit.text, format!("{root}{id}.toml")).expect("a scene");
    let mut stage = Stage::new(Box::new(Show::new(id, built.build().expect("built"))));
    (0..300).for_each(|_| {
        stage.tick();
    });
    let bodies = stage.show().model.bodies();
    let body = bodies.iter().position(|b| b.moving.is_some()).expect("something moves");
    stage.give(Order::Grab { body, point: Vec3::zeros() });
    let (from, begun) = (stage.hand().target, stage.world().time());
    let (mut jump, mut most, mut last) = (0.0f64, 0.0f64, Vec3::zeros());
    loop {
        let t = stage.world().time() - begun;
        if t > 1.0 {
            return (jump, most);
        }
        // a hand swings to and fro once a second; the pointer tells where it was last asked
        let held = (t * rate).floor() / rate;
        let x = 0.05 * (1.0 - (2.0 * std::f64::consts::PI * held).cos());
        let target = from + Vec3::new(0.0, 0.0, x);
        stage.give(Order::Move { target, turn: Rotation::identity() });
        stage.tick();
        let force = stage.lanes()[0].force();
        // the weight is taken up first
        if t > 0.1 {
            jump = jump.max((force - last).norm());
        }
        most = most.max(force.norm());
        last = force;
    }
}

/// The steps of a slow mouse must add little to how the force changes under a pointer that is asked
/// at every step.
#[test]
fn the_force_at_the_hand_has_no_spikes_from_pointer_steps() {
    for id in ["box-drop", "oscillator"] {
        let (smooth, most) = led(id, 1e4);
        for rate in [125.0, 250.0, 500.0, 1000.0] {
            let (jump, _) = led(id, rate);
            println!("{id}, {rate} Hz: {jump:.3} N a step, {smooth:.3} smooth, {most:.2} at most");
            // the reference taken from the pointer as it is would jump by 1.6 N in the first scene
            assert!(jump < 1.2 * smooth, "{id} {rate} Hz: {jump} N for {smooth} N");
        }
    }
}
