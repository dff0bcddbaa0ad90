//! Forces for one step, bodies put elsewhere, and what joints show: closed forms, and every joule
//! booked.

use palpable::*;

const H: f64 = 1e-3;

fn ball(model: &mut ModelBuilder, z: f64) -> BodyId {
    model.body(Body::sphere("ball", 0.1).mass(2.0).position([0.0, 0.0, z]))
}

/// The books close, and nothing was created.
fn assert_closed(world: &World) {
    let scale = world.energy().total().abs() + world.ledger().totals().supplied.abs() + 1.0;
    assert!(world.ledger().closure().abs() <= 1e-12 * scale, "{}", world.ledger().closure());
    world.verify().expect("the promise");
}

#[test]
fn a_force_acts_for_one_step_and_its_work_is_supplied() {
    let mut model = Model::ghosts();
    let id = ball(&mut model, 1.0);
    let mut world = World::new(model.build().expect("a ball"));
    world.apply_force(id, [3.0, 0.0, 0.0], [0.0, 0.0, 0.004]).expect("a force");
    world.apply_force(id, [1.0, 0.0, 0.0], [0.0; 3]).expect("more of it");
    let before = world.snapshot();
    assert!(!world.step(-1.0, &Inputs::none()).status.is_taken());
    assert_eq!(world.snapshot(), before, "a refused step does not use it up");
    for _ in 0..5 {
        let _ = world.step(H, &Inputs::none());
    }
    // F h / m, and τ h / I with I = 2/5 m r²
    let (v, w) = (4.0 * H / 2.0, 0.004 * H / (0.4 * 2.0 * 0.01));
    assert!((world.velocity(id).x / v - 1.0).abs() < 1e-14);
    assert!((world.angular_velocity(id).z / w - 1.0).abs() < 1e-12);
    let energy = 0.5 * 2.0 * v * v + 0.5 * 0.008 * w * w;
    assert!((world.ledger().totals().supplied / energy - 1.0).abs() < 1e-12);
    assert_closed(&world);
    // an arm makes a torque
    world
        .apply_force_at(id, [0.0, 1.0, 0.0], world.pose(id).position + Vec3::x() * 0.05)
        .expect("ok");
    let _ = world.step(H, &Inputs::none());
    let more = 0.05 * H / 0.008;
    assert!((world.angular_velocity(id).z - w - more).abs() < 1e-9 * more);
    assert_closed(&world);
}

#[test]
fn forces_reach_joints_chains_and_piles_and_a_copy_takes_them_along() {
    let mut model = Model::builder();
    model.gravity([0.0, 0.0, -9.81]).contacts(0);
    model.body(Body::half_space("floor"));
    let block = Body::cuboid("block", [0.1, 0.1, 0.05]).mass(1.0).position([0.0, 0.0, 0.05]);
    let block = model.body(block);
    let bob = model.body(Body::sphere("bob", 0.05).mass(0.3).position([2.0, 0.0, 1.0]));
    model.joint(Joint::ball(bob.at([0.0, 0.0, 0.3]), Anchor::world([2.0, 0.0, 1.3])));
    let mut chain = Chain::new("arm");
    let rod = Shape::cuboid(Vec3::new(0.1, 0.02, 0.02)).expect("a link");
    let link = Link::revolute("rod").at([0.0, 3.0, 1.0], Rotation::identity());
    chain.link(link.held_at([-0.1, 0.0, 0.0], Rotation::identity()).shape(rod, 1e3));
    let arm = model.chain(chain);
    let mut world = World::new(model.build().expect("a scene"));
    let mut bare = world.clone();
    for step in 0..400 {
        for world in [&mut world, &mut bare] {
            world.apply_force(block, [0.4 * 9.81, 0.0, 0.0], [0.0; 3]).expect("a push");
            world.apply_force(bob, [1.0, 0.5, 0.0], [0.0, 0.01, 0.0]).expect("a push");
            world.apply_force(arm.link(0), [0.0, 0.3, 0.0], [0.0; 3]).expect("a push");
        }
        bare.forget_scratch();
        let mut copy = bare.clone();
        let report = world.step(H, &Inputs::none());
        assert!(report.gate.is_idle(), "step {step}");
        assert_eq!(bare.step(H, &Inputs::none()), report);
        assert_eq!(copy.step(H, &Inputs::none()), report);
        assert_eq!(bare.snapshot(), world.snapshot());
        assert_closed(&world);
    }
    assert!(world.velocity(block).norm() < 1e-6, "less than friction moves nothing");
    assert!(world.pose(bob).position.x > 2.01, "a pendulum gives way");
    assert!(world.coordinates(arm)[0].abs() > 0.05, "so does a link");
    let mut rates = [0.0];
    world.coordinate_rates(arm, &mut rates);
    let floor = world.body_named("floor").expect("a floor");
    assert!(world.apply_force(floor, [1.0, 0.0, 0.0], [0.0; 3]).is_err());
    assert!(world.apply_force(block, [f64::NAN, 0.0, 0.0], [0.0; 3]).is_err());
}

#[test]
fn a_body_put_elsewhere_or_made_faster_is_paid_for() {
    let mut model = Model::ghosts();
    model.gravity([0.0, 0.0, -10.0]);
    let id = ball(&mut model, 1.0);
    model.spring(Spring::point(id.origin(), Anchor::world([0.0, 0.0, 1.0])).stiffness(100.0));
    let mut world = World::new(model.build().expect("a ball on a spring"));
    let pose = Pose { position: Vec3::new(0.2, 0.0, 3.0), rotation: Rotation::identity() };
    let receipt = world.set_pose(id, pose).expect("moved");
    // 2·10·2 of height and ½·100·(0.2² + 2²) of stretch
    assert!((receipt.supplied - 40.0 - 50.0 * 4.04).abs() < 1e-10, "{receipt:?}");
    assert!((world.pose(id).position - pose.position).norm() < 1e-15);
    assert_closed(&world);
    let receipt = world.set_velocity(id, [3.0, 0.0, 0.0], [0.0, 0.0, 5.0]).expect("faster");
    assert!((receipt.supplied - 9.0 - 0.1).abs() < 1e-12);
    let _ = world.step(H, &Inputs::none());
    assert_closed(&world);
    let kinetic = world.energy().kinetic;
    let receipt = world.set_velocity(id, [0.0; 3], [0.0; 3]).expect("stopped");
    assert!((receipt.jump + kinetic).abs() < 1e-12 * kinetic && receipt.supplied == 0.0);
    assert!((world.ledger().totals().discarded - kinetic).abs() < 1e-9);
    for _ in 0..200 {
        assert!(world.step(H, &Inputs::none()).gate.is_idle());
    }
    assert_closed(&world);
    assert!(world.set_velocity(id, [f64::NAN, 0.0, 0.0], [0.0; 3]).is_err());
    assert!(world.set_velocity(id, [1e200, 0.0, 0.0], [0.0; 3]).is_err(), "1e400 J are no number");
}

#[test]
fn a_hinge_about_an_axis_shows_its_angle_and_rate() {
    let (rate, axis) = (0.7, Vec3::new(1.0, 2.0, -0.5).normalize());
    let mut model = Model::ghosts();
    let wheel = Body::new("wheel").principal_inertia(1.0, [2e-3; 3]).angular_velocity(axis * rate);
    let wheel = model.body(wheel);
    let hinge = Joint::hinge(wheel.origin(), Anchor::world([0.0; 3])).about(axis);
    let hinge = model.joint(hinge);
    let mut chain = Chain::new("arm");
    let rod = Shape::cuboid(Vec3::new(0.1, 0.02, 0.02)).expect("a link");
    let link = Link::revolute("rod").at([5.0, 0.0, 0.0], Rotation::identity());
    let link = link.held_at([0.0; 3], Rotation::identity()).shape(rod, 1e3);
    chain.link(link.start(0.3, -0.2));
    let arm = model.chain(chain);
    let arm = model.spring(Spring::coordinate(arm, 0));
    let down = Body::new("down").principal_inertia(1.0, [2e-3; 3]).position([9.0, 0.0, 0.0]);
    let down = model.body(down.angular_velocity([0.0, 0.0, 0.5]));
    let down = model
        .joint(Joint::hinge(down.origin(), Anchor::world([9.0, 0.0, 0.0])).about([0.0, 0.0, -1.0]));
    let mut world = World::new(model.build().expect("three hinges"));
    for k in 1..=2000 {
        let _ = world.step(H, &Inputs::none());
        // the midpoint rule turns by the Cayley map: 2 atan(ω h/2) a step
        let turned = f64::from(k) * 2.0 * (0.5 * rate * H).atan();
        assert!((world.angle(hinge).expect("an angle") - turned).abs() < 1e-9, "step {k}");
    }
    assert!((world.rate(hinge).expect("a rate") - rate).abs() < 1e-9);
    assert!((world.angle(arm).expect("an angle") - (0.3 - 0.2 * 2.0)).abs() < 1e-6);
    assert!((world.rate(arm).expect("a rate") + 0.2).abs() < 1e-9);
    assert!((world.rate(down).expect("a rate") + 0.5).abs() < 1e-9, "about −z");
    world.edit(|m| m.remove_element(hinge)).expect("taken off");
    assert!(world.angle(hinge).is_err() && world.rate(hinge).is_err());
}
