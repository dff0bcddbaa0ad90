//! The same bits on every run, in debug and in release, on every machine: a world that needs only
//! `+ − × ÷ √`, which IEEE 754 rounds in one way, has a known hash.

use palpable::{Anchor, Body, Inputs, Model, Spring, World};

#[test]
fn a_tumbling_body_and_an_oscillator_end_in_known_bits() {
    let mut model = Model::ghosts();
    model.gravity([0.0, 0.0, -9.81]);
    let body = Body::new("body").principal_inertia(1.0, [1e-3, 2e-3, 3e-3]);
    model.body(body.angular_velocity([0.1, 10.0, 0.1]));
    let ball = Body::new("ball").principal_inertia(1e-5, [1e-9; 3]).position([0.1, 0.0, 0.0]);
    let ball = model.body(ball);
    model.spring(Spring::point(ball.origin(), Anchor::world([0.0; 3])).stiffness(100.0));
    let mut world = World::new(model.build().expect("a valid model"));
    for step in 0..5000 {
        let _ = world.step(if step % 3 == 0 { 1e-3 } else { 2.5e-3 }, &Inputs::none());
    }
    assert_eq!(format!("{:016x}", world.state_hash()), GOLDEN);
}

/// Changes only with a change of the scheme's arithmetic; say so in the change log.
const GOLDEN: &str = "9e7cdcd8995c9f1b";
