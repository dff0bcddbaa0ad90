//! Taking hold of a body and letting go: nothing jumps, nothing is created, everything is booked.

use palpable::model::Port;
use palpable::{
    Anchor, Body, BodyId, Inputs, Model, Payment, PortInput, Rotation, Spring, Vec6, World,
};

/// A ball on a spring beside a free box under gravity.
fn scene() -> (World, BodyId, BodyId) {
    let mut model = Model::ghosts();
    model.gravity([0.0, 0.0, -9.81]);
    let ball = model.body(Body::sphere("ball", 0.02).mass(0.05).position([0.1, 0.0, 0.0]));
    let cube = model
        .body(Body::cuboid("cube", [0.02, 0.03, 0.04]).mass(0.1).angular_velocity([3.0, 1.0, 2.0]));
    model.spring(Spring::point(ball.origin(), Anchor::world([0.0; 3])).stiffness(50.0));
    (World::new(model.build().expect("a model")), ball, cube)
}

fn hand(body: BodyId, k: f64) -> Port {
    let rows = |x: f64| Vec6::new(x, x, x, 0.0, 0.0, 0.0);
    Port::reference("hand", body.at([0.01, 0.0, 0.0]), rows(k), rows(0.1))
}

#[test]
fn taking_hold_stores_nothing_and_letting_go_gives_nothing_to_the_motion() {
    let (mut world, ball, cube) = scene();
    for (turn, body) in [ball, cube, ball, cube].into_iter().enumerate() {
        let before = world.energy();
        let port = world.attach(hand(body, 300.0)).expect("attached");
        assert_eq!(world.energy(), before, "a relaxed coupling stores nothing");
        let mut inputs = world.inputs();
        for k in 0..200 {
            let swing = 0.1 * (f64::from(k) * 0.02 + turn as f64).sin();
            let position = [swing, 0.05, 0.02].into();
            let rotation = Rotation::identity();
            inputs.set(port, PortInput::Reference { position, rotation });
            assert!(world.step(1e-3, &inputs).status.is_taken());
        }
        assert!(world.port(port).force.norm() > 0.1, "a held body pulls back");
        let held = world.energy();
        let receipt = world.detach(port).expect("detached");
        let free = world.energy();
        assert!(receipt.jump < 0.0, "a stretched coupling stores energy");
        assert_eq!(free.kinetic, held.kinetic);
        assert_eq!(free.gravity, held.gravity);
        // what left the springs is in the tank or discarded, to the last digit of their sum
        let lost = world.ledger().totals().discarded;
        assert!(free.tank + lost - held.tank >= -receipt.jump * (1.0 - 1e-12));
    }
    let scale = world.ledger().totals().supplied.abs() + world.energy().total().abs();
    assert!(world.ledger().closure().abs() < 1e-12 * scale.max(1.0), "the books close");
}

#[test]
fn a_world_that_was_held_and_left_runs_on_as_one_that_never_was() {
    // a coupling that never pulls must leave no trace: same island order, same history
    let (mut held, ball, cube) = scene();
    let (mut left, ..) = scene();
    for k in 0..400 {
        if k % 100 == 50 {
            let body = if k % 200 == 50 { ball } else { cube };
            let port = held.attach(Port::force("hand", body.origin())).expect("attached");
            held.detach(port).expect("detached");
        }
        let _ = held.step(1e-3, &Inputs::none());
        let _ = left.step(1e-3, &Inputs::none());
    }
    for body in [ball, cube] {
        let gap = (held.pose(body).position - left.pose(body).position).norm();
        assert!(gap < 1e-12, "{gap} m apart"); // rounding of 400 steps
    }
    assert_eq!(held.energy().total().to_bits(), left.energy().total().to_bits());
}

#[test]
fn snapshots_fit_again_after_the_same_grip() {
    let (mut world, ball, _) = scene();
    let port = world.attach(hand(ball, 100.0)).expect("attached");
    let early = world.snapshot();
    world.detach(port).expect("detached");
    assert!(!world.restore(&early), "a world without the hand refuses");
    world.attach(hand(ball, 5.0)).expect("attached");
    let mut same = world.snapshot();
    assert!(world.restore(&early));
    world.snapshot_into(&mut same);
    assert_eq!(same, early);
    let element = world.model().ports()[port.index()].element.expect("a reference port");
    assert_eq!(world.params().elements[element].stiffness[0], 100.0);
}

#[test]
fn what_cannot_be_held_is_refused_and_changes_nothing() {
    let mut model = Model::ghosts();
    let wall = model.body(Body::sphere("wall", 0.1).fixed());
    let ball = model.body(Body::sphere("ball", 0.1));
    let port = model.port(Port::force("handle", ball.origin()));
    let mut world = World::new(model.build().expect("a model"));
    let before = world.snapshot();
    let (other, _, stranger) = scene();
    drop(other);
    assert!(world.attach(hand(wall, 1.0)).is_err());
    assert!(world.attach(hand(ball, f64::NAN)).is_err());
    assert!(world.attach(hand(ball, -1.0)).is_err());
    assert!(world.attach(Port::force("hand", Anchor::world([0.0; 3]))).is_err());
    assert!(world.attach(Port::force("handle", ball.origin())).is_err(), "the name is taken");
    let _ = stranger;
    assert_eq!(world.snapshot(), before);
    let hand = world.attach(hand(ball, 1.0)).expect("attached");
    assert!(world.detach(port).is_ok(), "any port may leave");
    assert!(world.detach(port).is_err(), "but once");
    assert!(world.detach(hand).is_ok());
    assert!(world.set_mass(ball, 1.0, Payment::Supply).is_ok());
}
