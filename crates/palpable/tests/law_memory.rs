//! All that the next step depends on is state: a world goes on with the same bits when its work
//! space is thrown away, when it is copied or restored, and after steps that were refused.

mod common;

use common::{Random, worlds};
use palpable::*;

const H: f64 = 1e-3;

/// A world of everything that remembers: a heap, joints, a chain with stops and dry friction, a
/// motor, a hand on a force port and one on a reference port.
fn everything(r: &mut Random) -> (World, [PortId; 3]) {
    let mut model = Model::builder();
    let material = Material::new(r.between(0.2, 0.8), if r.below(3) == 0 { 0.4 } else { 0.0 });
    let room = if r.below(4) == 0 { 24 } else { 0 };
    model.gravity([0.0, 0.0, -9.81]).contacts(room);
    model.body(Body::half_space("floor").material(material));
    let mut ids = Vec::new();
    for i in 0..4 + r.below(6) {
        let name = format!("b{i}");
        let body = match r.below(4) {
            0 => Body::sphere(name, 0.05),
            1 => Body::capsule(name, 0.05, 0.03),
            2 => Body::cylinder(name, 0.05, 0.03),
            _ => Body::cuboid(name, [0.05, 0.04, 0.03]),
        };
        let at = [0.04 * r.unit(), 0.04 * r.unit(), 0.05 + 0.09 * i as f64];
        let body = if r.below(3) == 0 { body.rotation(r.rotation()) } else { body };
        ids.push(model.body(body.mass(r.decades(0.05, 1.0)).position(at).material(material)));
    }
    let k = if r.below(2) == 0 { f64::INFINITY } else { 1e4 };
    model
        .joint(Joint::ball(ids[0].at([0.0, 0.0, 0.06]), ids[1].at([0.0, 0.0, -0.06])).stiffness(k));
    let mut chain = Chain::new("arm");
    let rod = Shape::cuboid(Vec3::new(0.1, 0.02, 0.02)).expect("a link");
    for i in 0..2usize {
        let at = if i == 0 { [0.3, 0.0, 0.25] } else { [0.1, 0.0, 0.0] };
        let link = Link::revolute(format!("l{i}")).at(at, r.rotation());
        let link = link.held_at([-0.1, 0.0, 0.0], r.rotation()).shape(rod.clone(), 1e3);
        chain.link(if i > 0 { link.on(i - 1) } else { link });
    }
    let arm = model.chain(chain);
    model.spring(Spring::coordinate(arm, 0).stops(-0.3, 0.3));
    model.spring(Spring::coordinate(arm, 1).friction(0.05));
    let push = model.port(Port::force("push", ids[2].at([0.01, 0.0, 0.0])));
    let rows = |x: f64| Vec6::new(x, x, x, 0.0, 0.0, 0.0);
    let hand = Port::reference("hand", ids[3].at([0.0, 0.01, 0.0]), rows(200.0), rows(0.5));
    let hand = model.port(hand);
    let motor = model.port(Port::motor("motor", Spring::coordinate(arm, 0).damping(0.01)));
    (World::new(model.build().expect("a world")), [push, hand, motor])
}

/// What the ports are told in step `k`.
fn say(r: &mut Random, [push, hand, motor]: [PortId; 3], inputs: &mut Inputs) {
    inputs.force(push, r.vector(1.0));
    let position = Vec3::new(0.1 * r.unit(), 0.1 * r.unit(), 0.3);
    inputs.set(hand, PortInput::Reference { position, rotation: Rotation::identity() });
    inputs.set(motor, PortInput::Effort(r.between(-0.1, 0.1)));
}

/// Steps of several lengths, some of them long enough to be divided.
fn length(r: &mut Random) -> f64 {
    [H, H, H, H, 2.0 * H, 8.0 * H][r.below(6)]
}

fn assert_same(a: &World, b: &World, what: &str) {
    assert_eq!(a.state_hash(), b.state_hash(), "{what}: hashes");
    assert_eq!(a.snapshot(), b.snapshot(), "{what}: snapshots");
    let energy = |w: &World| w.energy().total().to_bits();
    assert_eq!(energy(a), energy(b), "{what}: ledgers");
}

#[test]
fn a_world_whose_work_space_is_thrown_away_after_every_step_goes_on_with_the_same_bits() {
    let (mut touched, mut divided) = (0, 0);
    for seed in 0..worlds(12, 200) {
        let mut r = Random(seed);
        let (mut kept, ports) = everything(&mut r);
        let mut bare = kept.clone();
        let mut inputs = kept.inputs();
        for step in 0..400 {
            let (h, quiet) = (length(&mut r), step > 250);
            say(&mut r, ports, &mut inputs);
            let (h, inputs) = if quiet { (H, &Inputs::none()) } else { (h, &inputs) };
            let report = kept.step(h, inputs);
            bare.forget_scratch();
            assert_eq!(bare.step(h, inputs), report, "seed {seed}, step {step}");
            assert_same(&kept, &bare, &format!("seed {seed}, step {step}"));
            touched += report.contact.points;
            divided += usize::from(report.substeps > 1);
        }
    }
    assert!(touched > 10_000 && divided > 10, "{touched} contacts, {divided} divided steps");
}

/// Boxes that come to rest, where forces are kept.
fn pyramid() -> (World, Vec<BodyId>) {
    let mut model = Model::builder();
    model.gravity([0.0, 0.0, -9.81]).contacts(0);
    model.body(Body::half_space("floor"));
    let mut ids = Vec::new();
    for level in 0..4 {
        for k in 0..4 - level {
            let x = 0.21 * (f64::from(k) - 0.5 * f64::from(4 - level));
            let body = Body::cuboid(format!("b{level}-{k}"), [0.1, 0.05, 0.05]).mass(0.1);
            ids.push(model.body(body.position([x, 0.0, 0.05 + 0.1 * f64::from(level)])));
        }
    }
    (World::new(model.build().expect("a pyramid")), ids)
}

#[test]
fn a_pile_at_rest_needs_no_work_space_of_the_past_either() {
    let (mut kept, _) = pyramid();
    let mut bare = kept.clone();
    for step in 0..600 {
        let _ = kept.step(H, &Inputs::none());
        bare.forget_scratch();
        let _ = bare.step(H, &Inputs::none());
        assert_same(&kept, &bare, &format!("step {step}"));
    }
    let speed = kept.momentum().norm();
    assert!(speed < 1e-6, "the pile rests: {speed} kg·m/s");
}

#[test]
fn copies_and_snapshots_go_on_as_the_world_does() {
    for seed in 0..worlds(8, 100) {
        let mut r = Random(seed);
        let (mut world, ports) = everything(&mut r);
        let (mut other, _) = everything(&mut Random(seed));
        let mut inputs = world.inputs();
        let mut snapshot = world.snapshot();
        for step in 0..200 {
            say(&mut r, ports, &mut inputs);
            let h = length(&mut r);
            world.snapshot_into(&mut snapshot);
            assert_eq!(snapshot, world.snapshot());
            let mut copy = world.clone();
            let report = world.step(h, &inputs);
            let what = format!("seed {seed}, step {step}");
            assert_eq!(copy.step(h, &inputs), report, "{what}");
            assert_same(&world, &copy, &what);
            // a world that has another past, told this one
            assert!(other.restore(&snapshot));
            assert_eq!(other.snapshot(), snapshot, "{what}");
            assert_eq!(other.step(h, &inputs), report, "{what}");
            assert_same(&world, &other, &what);
            let _ = other.step(3.0 * h, &Inputs::none());
        }
    }
}

#[test]
fn refused_steps_and_ports_that_come_and_go_leave_no_trace() {
    for seed in 0..worlds(8, 100) {
        let mut r = Random(seed);
        let (mut world, ports) = everything(&mut r);
        let mut other = world.clone();
        let mut inputs = world.inputs();
        for step in 0..200 {
            say(&mut r, ports, &mut inputs);
            let h = length(&mut r);
            let report = world.step(h, &inputs);
            let what = format!("seed {seed}, step {step}");
            for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
                assert!(!other.step(bad, &inputs).status.is_taken());
            }
            if step % 7 == 0 {
                let body = other.body_named("b1").expect("a body");
                let port = if step % 2 == 0 {
                    Port::force("late", body.origin())
                } else {
                    Port::reference("late", body.origin(), Vec6::repeat(30.0), Vec6::repeat(0.1))
                };
                let port = other.attach(port).expect("attached");
                other.detach(port).expect("detached");
            }
            assert_eq!(other.step(h, &inputs), report, "{what}");
            assert_eq!(other.state_hash(), world.state_hash(), "{what}");
        }
    }
}

#[test]
fn worlds_that_differ_in_what_they_remember_are_not_equal() {
    let (mut world, _) = pyramid();
    for _ in 0..300 {
        let _ = world.step(H, &Inputs::none());
    }
    let before = world.snapshot();
    let mut other = world.clone();
    if let Some(settings) = other.contact_settings() {
        settings.sweeps = 7;
    }
    assert_ne!(other.snapshot(), before, "settings");
    assert!(other.restore(&before));
    assert_eq!(other.options().solver, world.options().solver);
    assert_eq!(other.snapshot(), before);
    // the same poses and velocities, with no forces remembered
    let (mut fresh, ids) = pyramid();
    let (hash, at) = (world.state_hash(), world.pose(ids[9]));
    assert!(fresh.restore(&before));
    assert_eq!((fresh.state_hash(), fresh.pose(ids[9])), (hash, at));
    let forces = |w: &World| w.contacts().iter().map(|c| c.force.norm()).sum::<f64>();
    assert!(forces(&fresh) > 9.81, "forces come back with a snapshot: {} N", forces(&fresh));
}

#[test]
fn a_divided_step_spends_its_friction_once() {
    // a push of one step on a block at rest, while a top far away makes the step a divided one
    let (mu, g) = (0.5, 9.81);
    let rubbed = |jerk: f64, push: f64| {
        let mut model = Model::builder();
        model.gravity([0.0, 0.0, -g]).contacts(0);
        model.body(Body::half_space("floor").material(Material::new(mu, 0.0)));
        let block = Body::cuboid("block", [0.1, 0.1, 0.05]).mass(1.0).position([0.0, 0.0, 0.05]);
        let block = model.body(block.material(Material::new(mu, 0.0)));
        let top = Body::new("top").principal_inertia(1.0, [1e-3, 2e-3, 2.5e-3]);
        let top = model.body(top.position([5.0, 0.0, 5.0]));
        model.joint(Joint::ball(top.origin(), Anchor::world([5.0, 0.0, 5.0])));
        let spring = Spring::rotation(top.origin(), Anchor::world([5.0, 0.0, 5.0]));
        model.spring(spring.damping(1e-6));
        let hand = model.port(Port::force("push", block.at([0.0, 0.0, -0.049])));
        let turn = model.port(Port::force("jerk", top.origin()));
        let mut world = World::new(model.build().expect("a block and a top"));
        for _ in 0..300 {
            let _ = world.step(H, &Inputs::none());
        }
        let mut inputs = world.inputs();
        inputs.force(hand, [push * mu * g, 0.0, 0.0]);
        let torque = Vec3::new(3e3, 5e3, 4e3) * jerk;
        inputs.set(turn, PortInput::Wrench { force: Vec3::zeros(), torque });
        let parts = world.step(H, &inputs).substeps;
        (parts, push - world.velocity(block).x / (mu * g * H))
    };
    for push in [0.5, 1.0, 2.0, 4.0, 6.0, 9.0, 20.0] {
        let ((one, whole), (eight, parts)) = (rubbed(0.0, push), rubbed(1.0, push));
        assert_eq!((one, eight), (1, 8));
        // in units of μ N h; eight parts round, and rock the block, a little differently
        // most at the bound itself, where a part slides and the whole does not
        assert!((parts - whole).abs() < 3e-3, "push {push}: {whole} whole, {parts} in parts");
    }
}

/// Balls and capsules between four walls, where they come to rest on each other.
fn pit(r: &mut Random) -> World {
    let mut model = Model::builder();
    let material = Material::new(0.6, 0.0);
    model.gravity([0.0, 0.0, -9.81]);
    model.body(Body::half_space("floor").material(material));
    for (i, [x, y]) in [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]].into_iter().enumerate() {
        let half = [0.1 + 0.1 * f64::abs(y), 0.1 + 0.1 * f64::abs(x), 0.5];
        let wall = Body::cuboid(format!("wall {i}"), half);
        model.body(wall.position([0.22 * x, 0.22 * y, 0.5]).material(material).fixed());
    }
    for i in 0..7 {
        let size = r.between(0.03, 0.06);
        let name = format!("b{i}");
        let body =
            if i % 3 == 2 { Body::capsule(name, size, size) } else { Body::sphere(name, size) };
        let at = [0.04 * r.unit(), 0.04 * r.unit(), 0.07 + 0.16 * f64::from(i)];
        model.body(body.mass(size).position(at).damping(0.1, 1e-3).material(material));
    }
    World::new(model.build().expect("a pit"))
}

#[test]
fn what_sleeps_leaves_nothing_in_the_work_space() {
    let mut slept = 0;
    for seed in 0..worlds(4, 40) {
        let mut kept = pit(&mut Random(seed));
        let mut bare = kept.clone();
        for step in 0..900 {
            bare.forget_scratch();
            let reports = [kept.step(5e-3, &Inputs::none()), bare.step(5e-3, &Inputs::none())];
            assert!(reports.iter().all(|r| r.status.is_taken()), "seed {seed}, step {step}");
            assert_same(&kept, &bare, &format!("seed {seed}, step {step}"));
            slept += usize::from(kept.body_named("b0").is_some_and(|b| kept.is_asleep(b)));
        }
    }
    assert!(slept > 300, "somebody slept in {slept} steps only");
}
