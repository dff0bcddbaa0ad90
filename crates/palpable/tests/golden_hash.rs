//! The same bits on every run, in debug and in release, on every machine: a world that needs only
//! `+ − × ÷ √`, which IEEE 754 rounds in one way, has a known hash.

use palpable::{Anchor, Body, Inputs, Joint, Material, Model, Spring, World};

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

/// A chain of three hinged bars falls onto a table among boxes.
fn joints_and_contact() -> World {
    let mut model = Model::builder();
    model.gravity([0.0, 0.0, -9.81]);
    let rough = Material::new(0.5, 0.2);
    model.body(Body::half_space("table").material(rough));
    for i in 0..6 {
        let at = [0.05 * f64::from(i % 3), 0.02 * f64::from(i), 0.06 + 0.09 * f64::from(i)];
        let next = Body::cuboid(format!("box {i}"), [0.04, 0.05, 0.03]).mass(0.1 + f64::from(i));
        model.body(next.position(at).material(rough));
    }
    let mut last = Anchor::world([-0.3, 0.0, 0.3]);
    for i in 0..3 {
        let at = [-0.2 + 0.2 * f64::from(i), 0.0, 0.3];
        let bar = Body::cuboid(format!("bar {i}"), [0.09, 0.01, 0.01]).mass(0.05);
        let bar = model.body(bar.position(at).material(rough));
        model.joint(Joint::hinge(bar.at([-0.1, 0.0, 0.0]), last));
        last = bar.at([0.1, 0.0, 0.0]);
    }
    World::new(model.build().expect("a valid model"))
}

/// The hash is printed, and `scripts/check` compares what the two profiles print. It is no
/// constant, because sines and cosines are those of the machine.
#[test]
fn joints_and_contact_end_in_the_same_bits_in_every_run() {
    let run = || {
        let mut world = joints_and_contact();
        for step in 0..1500 {
            let report = world.step(if step % 3 == 0 { 1e-3 } else { 2e-3 }, &Inputs::none());
            assert!(report.status.is_taken());
        }
        assert!(!world.contacts().is_empty(), "something touches");
        world.state_hash()
    };
    let hash = run();
    assert_eq!(hash, run());
    println!("hash {hash:016x}");
}
