//! Momentum, determinism, live changes, ports and bad input.

mod common;

use common::{Random, random_inputs, random_world};
use palpable::{
    Anchor, Body, BuildError, ChangeError, Dissipation, Inputs, Joint, Model, Options, Payment,
    Port, PortInput, Pose, Rotation, Scheme, Spring, Status, Surplus, TankPolicy, Vec3, Vec6,
    World,
};

fn pair(tank: TankPolicy) -> (World, palpable::ElementId, palpable::BodyId) {
    let mut model = Model::ghosts();
    let a = model.body(Body::cuboid("a", [0.1, 0.05, 0.02]).mass(0.2).velocity([0.3, 0.1, 0.0]));
    let b = model.body(
        Body::cuboid("b", [0.02, 0.05, 0.1])
            .mass(0.05)
            .position([0.13, 0.047, -0.095])
            .angular_velocity([3.0, -2.0, 5.0]),
    );
    let spring = Spring::point(a.at([0.1, 0.05, 0.0]), b.at([-0.02, 0.0, 0.1])).stiffness(200.0);
    let spring = model.spring(spring);
    let options = Options { tank, ..Default::default() };
    (
        World::with_options(model.build().expect("a valid model"), options)
            .expect("options that fit"),
        spring,
        b,
    )
}

#[test]
fn internal_springs_keep_linear_momentum_exactly_and_angular_momentum_to_second_order() {
    let drift = |h: f64| {
        // two solves in every step: one changes the constant, so the two must not mix
        let twice = Options { resolve_tolerance: 0.0, ..Default::default() };
        let (world, _, _) = pair(TankPolicy::default());
        let mut world =
            World::with_options(world.model().clone(), twice).expect("options that fit");
        let (p, l) = (world.momentum(), world.angular_momentum());
        let mut linear: f64 = 0.0;
        for _ in 0..(1.0 / h).round() as u32 {
            let _ = world.step(h, &Inputs::none());
            linear = linear.max((world.momentum() - p).norm() / p.norm());
        }
        (linear, (world.angular_momentum() - l).norm() / l.norm())
    };
    let results: Vec<_> = [2e-3, 1e-3, 5e-4].map(drift).to_vec();
    println!("{results:?}");
    for (linear, _) in &results {
        // forces come in equal and opposite pairs: only rounding of 1000 steps shows
        assert!(*linear < 1e-13, "{linear:.1e}");
    }
    let order = (results[0].1 / results[2].1).log2() / 2.0;
    assert!(order > 1.8, "angular momentum converges with order {order:.2}");
    assert!(results[2].1 < 1e-3, "{results:?}");
}

#[test]
fn the_same_inputs_give_the_same_bits_and_a_snapshot_replays() {
    for seed in 0..10 {
        let run = |from: Option<(&palpable::Snapshot, u64)>| {
            let mut r = Random(seed);
            let (mut world, hands) = random_world(&mut r, 0.1, Options::default());
            let (mut inputs, mut snapshot) = (world.inputs(), None);
            let mut hands_random = Random(seed + 1000);
            for step in 0..60 {
                if step == 30 {
                    snapshot = Some(world.snapshot());
                    if let Some((other, hash)) = from {
                        assert!(world.restore(other));
                        assert_eq!(world.state_hash(), hash);
                    }
                }
                random_inputs(&mut hands_random, &hands, &mut inputs);
                let _ = world.step(1e-3, &inputs);
            }
            (snapshot.expect("taken at step 30"), world.state_hash(), world)
        };
        let (snapshot, hash, mut world) = run(None);
        assert_eq!(run(None).1, hash);
        assert!(world.restore(&snapshot));
        let middle = world.state_hash();
        assert_eq!(run(Some((&snapshot, middle))).1, hash);
    }
}

#[test]
fn raising_stiffness_is_paid_by_the_tank_and_then_by_the_strain() {
    for (grant, payment) in [(0.0, Payment::Tank), (10.0, Payment::Tank), (0.0, Payment::Supply)] {
        let (mut world, spring, _) = pair(TankPolicy { cap: 10.0, grant, ..Default::default() });
        for _ in 0..50 {
            let _ = world.step(1e-3, &Inputs::none());
        }
        let before = world.energy();
        let receipt =
            world.set_stiffness(spring, Vec6::repeat(2000.0), payment).expect("a valid stiffness");
        let after = world.energy();
        match payment {
            Payment::Supply => assert!(receipt.supplied > 0.0 && after.elastic > before.elastic),
            Payment::Tank => assert!(after.total() <= before.total() * (1.0 + 1e-15)),
        }
        for _ in 0..50 {
            let _ = world.step(1e-3, &Inputs::none());
        }
        assert!(world.audit().is_clean(), "{}", world.audit());
        assert!(world.ledger().closure().abs() < 1e-12 * before.total());
    }
}

#[test]
fn random_live_changes_never_create_energy() {
    for seed in 0..40 {
        let mut r = Random(seed);
        let (mut world, spring, body) = pair(TankPolicy { cap: 1e-3, ..Default::default() });
        let mut bound = world.energy().total() + 1e-12;
        for _ in 0..200 {
            match r.below(4) {
                0 => drop(world.set_stiffness(
                    spring,
                    Vec6::repeat(r.decades(1e-3, 1e8)),
                    Payment::Tank,
                )),
                1 => drop(world.set_mass(body, r.decades(1e-6, 1e3), Payment::Tank)),
                2 => drop(world.set_gravity(r.vector(20.0), Payment::Tank)),
                _ => drop(world.set_damping(spring, Vec6::repeat(r.decades(1e-6, 10.0)))),
            }
            let _ = world.step(r.decades(1e-5, 1e-2), &Inputs::none());
            let e = world.energy();
            // without ports the total never rises; the scale of its rounding is the energy in play
            let scale = e.kinetic + e.elastic + e.gravity.abs() + e.tank;
            assert!(e.total() <= bound + 1e-12 * scale, "seed {seed}: {e:?} {bound}");
            bound = e.total();
            assert!(world.audit().is_clean(), "seed {seed}: {}", world.audit());
        }
    }
}

#[test]
fn dissipation_fills_the_tank_only_if_kept_and_is_never_returned() {
    for dissipation in [Dissipation::Keep, Dissipation::Drop] {
        let mut model = Model::ghosts();
        let ball = Body::sphere("ball", 0.1).mass(1.0).velocity([1.0, 0.0, 0.0]);
        let ball = model.body(ball.damping(5.0, 0.0));
        // an island, so that surplus could be returned to it
        model.spring(Spring::point(ball.origin(), Anchor::world([0.0; 3])).stiffness(1e-6));
        let tank =
            TankPolicy { cap: 0.2, dissipation, surplus: Surplus::Return, ..Default::default() };
        let options = Options { tank, ..Default::default() };
        let mut world =
            World::with_options(model.build().expect("valid"), options).expect("options that fit");
        for _ in 0..2000 {
            let _ = world.step(1e-3, &Inputs::none());
        }
        let kept = if dissipation == Dissipation::Keep { 0.2 } else { 0.0 };
        let (energy, flows) = (world.energy(), world.ledger().totals());
        assert!((energy.tank - kept).abs() < 1e-15);
        // 2 s at b/m = 5/s leave e⁻²⁰ of the energy: the ball stops, nothing is handed back
        assert!(energy.kinetic < 1e-8);
        assert!((flows.damped - (0.5 - kept - energy.kinetic - energy.elastic)).abs() < 1e-12);
    }
}

#[test]
fn port_work_is_force_times_representative_velocity() {
    let mut model = Model::ghosts();
    let bar = model.body(Body::cuboid("bar", [0.2, 0.02, 0.03]).mass(0.3));
    let hand = model.port(Port::force("hand", bar.at([0.2, 0.0, 0.0])));
    model.spring(Spring::point(bar.origin(), Anchor::world([0.0; 3])).stiffness(50.0));
    let mut world = World::new(model.build().expect("a valid model"));
    let mut inputs = world.inputs();
    let mut work = 0.0;
    for step in 0..2000 {
        let t = f64::from(step) * 1e-2;
        let (force, torque) = (Vec3::new(t.sin(), 0.4, 1.0), Vec3::new(0.1, 0.0, t.cos() * 0.05));
        inputs.set(hand, PortInput::Wrench { force, torque });
        let report = world.step(5e-3, &inputs);
        let out = world.port(hand);
        let own = 5e-3 * (force.dot(&out.velocity) + torque.dot(&out.angular_velocity));
        // a step divided into parts supplies with the mean velocity: the same sum, rounded
        assert!((own - report.entry.flows.supplied).abs() < 1e-14 * report.entry.in_play);
        assert!((out.work - own).abs() < 1e-14 * report.entry.in_play);
        work += own;
    }
    let energy = world.energy();
    assert!((energy.total() - work).abs() < 1e-11 * energy.total(), "{energy:?} {work}");
}

#[test]
fn a_reference_port_is_supplied_exactly_what_it_stores() {
    let mut model = Model::ghosts();
    let tool = model.body(Body::sphere("tool", 0.02).mass(0.05));
    let stiffness = Vec6::new(800.0, 800.0, 800.0, 0.5, 0.5, 0.5);
    let port = model.port(Port::reference("hand", tool.origin(), stiffness, stiffness * 1e-3));
    let mut world = World::new(model.build().expect("a valid model"));
    let mut inputs = world.inputs();
    let mut work = 0.0;
    for step in 0..3000 {
        let t = f64::from(step) * 1e-3;
        let position = Vec3::new((3.0 * t).sin(), (2.0 * t).cos() - 1.0, 0.0) * 0.05;
        let rotation = Rotation::from_scaled_axis(Vec3::new(0.0, 0.5 * (t * 4.0).sin(), 0.1 * t));
        inputs.set(port, PortInput::Reference { position, rotation });
        let report = world.step(1e-3, &inputs);
        assert_eq!(report.status, Status::Taken);
        work += world.port(port).work;
        let lag = (world.port(port).position - position).norm();
        assert!(lag < 0.02, "the tool follows: {lag}");
    }
    let (energy, flows) = (world.energy(), world.ledger().totals());
    assert!((flows.supplied - work).abs() < 1e-12);
    assert!((energy.total() + flows.lost() - work).abs() < 1e-12, "{energy:?} {flows:?}");
    assert!(world.audit().is_clean(), "{}", world.audit());
}

#[test]
fn senseless_steps_and_inputs_are_refused_or_ignored_and_change_nothing() {
    let (mut world, _, _) = pair(TankPolicy::default());
    let hash = world.state_hash();
    for h in [0.0, -1e-3, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(world.step(h, &Inputs::none()).status, Status::BadStep);
        assert_eq!(world.state_hash(), hash);
    }
    let mut model = Model::ghosts();
    let ball = model.body(Body::sphere("ball", 0.1));
    let hand = model.port(Port::force("hand", ball.origin()));
    let grip =
        model.port(Port::reference("grip", ball.origin(), Vec6::repeat(10.0), Vec6::zeros()));
    let mut world = World::new(model.build().expect("a valid model"));
    let mut inputs = world.inputs();
    inputs.force(hand, [f64::NAN, 0.0, 0.0]);
    let (position, rotation) = (Vec3::repeat(f64::INFINITY), Rotation::identity());
    inputs.set(grip, PortInput::Reference { position, rotation });
    assert_eq!(world.step(1e-3, &inputs).status, Status::InputIgnored);
    assert_eq!(world.energy().total(), 0.0);
    // finite but absurd: the result overflows, so the body stays where it is, at rest
    inputs.force(hand, [1e300, 0.0, 0.0]);
    inputs.set(grip, PortInput::Idle);
    let report = world.step(1e-3, &inputs);
    assert_eq!((report.status, report.gate.held, report.gate.body), (Status::Taken, 1, Some(ball)));
    assert_eq!((world.pose(ball).position, world.velocity(ball)), (Vec3::zeros(), Vec3::zeros()));
    assert_eq!(world.port(hand).work, 0.0);
    let position = Vec3::repeat(1e200);
    inputs.force(hand, [0.0; 3]);
    inputs.set(grip, PortInput::Reference { position, rotation });
    assert_eq!(world.step(1e-3, &inputs).status, Status::InputIgnored);
    assert_eq!(world.state_hash(), {
        let mut same = world.clone();
        same.restore(&world.snapshot());
        same.state_hash()
    });
}

#[test]
fn every_mistake_of_a_model_is_reported_at_once_with_its_cure() {
    let mut model = Model::ghosts();
    model.gravity([0.0, f64::NAN, 0.0]);
    let a = model.body(Body::sphere("a", -1.0));
    let b = model.body(Body::new("b"));
    let c = model.body(Body::sphere("a", 1.0).mass(-2.0));
    let wall = model.body(Body::cuboid("wall", [1.0; 3]).fixed());
    let odd = palpable::Mat3::from_diagonal(&Vec3::new(1.0, 1.0, 5.0));
    model.body(Body::new("plate").inertia(1.0, [0.0; 3], odd).velocity([f64::INFINITY, 0.0, 0.0]));
    model.spring(Spring::point(a.origin(), a.at([0.1; 3])).stiffness(-5.0));
    model.spring(Spring::point(wall.origin(), Anchor::world([0.0; 3])));
    model.spring(Spring::pose(b.origin(), c.origin()).damping(f64::NAN).named("s"));
    model.port(Port::force("p", wall.origin()));
    let errors = model.build().expect_err("full of mistakes").0;
    let text = palpable::BuildErrors(errors.clone()).to_string();
    println!("{text}");
    let has = |f: fn(&BuildError) -> bool| errors.iter().any(f);
    assert!(has(|e| matches!(e, BuildError::Shape { .. })));
    assert!(has(|e| matches!(e, BuildError::Mass { .. })));
    assert!(has(|e| matches!(e, BuildError::NoInertia { .. })));
    assert!(has(|e| matches!(e, BuildError::NotFinite { field: "gravity", .. })));
    assert!(has(|e| matches!(e, BuildError::NotFinite { field: "velocity", .. })));
    assert!(has(|e| matches!(e, BuildError::NotFinite { field: "damping", .. })));
    assert!(has(|e| matches!(e, BuildError::Negative { field: "stiffness", .. })));
    assert!(has(|e| matches!(e, BuildError::SameBody { .. })));
    assert!(has(|e| matches!(e, BuildError::NothingMoves { .. })));
    assert!(has(|e| matches!(e, BuildError::DuplicateName { .. })));
    assert!(errors.len() >= 11, "{}", errors.len());
}

#[test]
fn the_audit_names_the_account_that_moved() {
    let mut model = Model::ghosts();
    let ball = model.body(Body::sphere("ball", 0.01).mass(0.01).position([0.1, 0.0, 0.0]));
    model.spring(Spring::point(ball.origin(), Anchor::world([0.0; 3])).stiffness(100.0));
    let options = Options { scheme: Scheme::ExplicitEuler, ..Default::default() };
    let mut world = World::with_options(model.build().expect("a valid model"), options)
        .expect("options that fit");
    for _ in 0..10 {
        let _ = world.step(1e-3, &Inputs::none());
    }
    let audit = world.audit();
    let text = audit.to_string();
    assert!(!audit.is_clean());
    assert!(text.contains("created") && text.contains("kinetic rose"), "{text}");
}

#[test]
fn a_moved_anchor_is_paid_by_whoever_moves_it() {
    let (mut world, _, _) = pair(TankPolicy::default());
    let mut model = Model::ghosts();
    let ball = model.body(Body::sphere("ball", 0.1).mass(1.0));
    let spring =
        model.spring(Spring::point(ball.origin(), Anchor::world([0.0; 3])).stiffness(100.0));
    world = World::with_options(model.build().expect("a valid model"), *world.options())
        .expect("options that fit");
    let pose = Pose { position: Vec3::new(0.2, 0.0, 0.0), rotation: Rotation::identity() };
    let work = world.set_anchor(spring, pose).expect("a valid anchor");
    assert!((work - 2.0).abs() < 1e-14);
    assert!((world.energy().elastic - 2.0).abs() < 1e-14);
    for _ in 0..1000 {
        let _ = world.step(1e-3, &Inputs::none());
    }
    assert!((world.energy().total() - 2.0).abs() < 1e-13);
    assert!(world.audit().is_clean());
}

#[test]
fn ten_thousand_milliseconds_make_ten_seconds() {
    let mut model = Model::ghosts();
    model.body(Body::sphere("ball", 0.1));
    let mut world = World::new(model.build().expect("a valid model"));
    for _ in 0..10_000 {
        let _ = world.step(1e-3, &Inputs::none());
    }
    // 1e-3 is not a binary number: its own rounding, 2e-20, ten thousand times
    assert!((world.time() - 10.0).abs() < 2e-15, "{:e}", world.time() - 10.0);
}

#[test]
fn free_fall_is_the_same_under_every_scheme_and_nobody_supplies_it() {
    for scheme in Scheme::ALL {
        let mut model = Model::ghosts();
        model.gravity([0.0, 0.0, -9.81]);
        let ball = model.body(Body::sphere("ball", 0.1).mass(1.0));
        let options = Options { scheme, ..Default::default() };
        let mut world = World::with_options(model.build().expect("a valid model"), options)
            .expect("options that fit");
        for _ in 0..100 {
            let _ = world.step(0.01, &Inputs::none());
        }
        let fallen = -world.pose(ball).position.z;
        // the Euler rules are off by half a step: ½ g h t = 0.05 m
        assert!((fallen - 4.905).abs() < 0.0491, "{scheme:?}: {fallen}");
        assert!((world.velocity(ball).z + 9.81).abs() < 1e-12, "{scheme:?}");
        assert_eq!(world.ledger().totals().supplied, 0.0, "{scheme:?}");
    }
}

#[test]
fn port_work_counts_a_divided_step_once() {
    let mut model = Model::ghosts();
    let bar = Body::cuboid("bar", [0.2, 0.02, 0.03]).mass(0.3).angular_velocity([1.0, 30.0, 20.0]);
    let bar = model.body(bar);
    let hand = model.port(Port::force("hand", bar.at([0.2, 0.0, 0.0])));
    model.spring(Spring::point(bar.at([-0.2, 0.0, 0.0]), Anchor::world([0.0; 3])).stiffness(1e4));
    let mut world = World::new(model.build().expect("a valid model"));
    let mut inputs = world.inputs();
    inputs.force(hand, [1.0, 0.5, -2.0]);
    let (mut work, mut divided) = (0.0, 0);
    for _ in 0..100 {
        let report = world.step(0.01, &inputs);
        work += world.port(hand).work;
        divided += u32::from(report.substeps > 1);
    }
    let supplied = world.ledger().totals().supplied;
    assert!(divided > 10, "{divided} steps were divided");
    assert!((work - supplied).abs() < 1e-13 * world.energy().total(), "{work} {supplied}");
}

#[test]
fn an_absurd_force_holds_its_body_while_references_and_books_go_on() {
    let mut model = Model::ghosts();
    let ball = model.body(Body::sphere("ball", 0.1).mass(1.0));
    let hand = model.port(Port::force("hand", ball.origin()));
    let grip =
        model.port(Port::reference("grip", ball.origin(), Vec6::repeat(10.0), Vec6::zeros()));
    let mut world = World::new(model.build().expect("a valid model"));
    let mut inputs = world.inputs();
    let mut rotation = Rotation::identity();
    inputs.set(grip, PortInput::Reference { position: Vec3::x() * 0.1, rotation });
    let _ = world.step(1e-3, &inputs);
    let other = world.pose(ball);
    rotation = Rotation::from_scaled_axis(Vec3::z());
    inputs.set(grip, PortInput::Reference { position: Vec3::x() * 0.2, rotation });
    inputs.force(hand, [1e300, 0.0, 0.0]);
    let before = world.energy();
    let report = world.step(1e-3, &inputs);
    assert_eq!((report.status, report.gate.held), (Status::Taken, 1));
    assert_eq!(world.pose(ball), other);
    // the hand that moved the reference paid for it; the motion that was taken is a loss
    let stored = world.energy().total() - before.total() + report.entry.flows.lost();
    assert!((stored - report.entry.flows.supplied).abs() < 1e-14, "{report:?}");
    assert!(world.verify().is_ok());
    // and goes on as if nothing had been
    inputs.force(hand, [0.0; 3]);
    let _ = world.step(1e-3, &inputs);
    assert!(world.audit().is_clean(), "{}", world.audit());
}

#[test]
fn a_snapshot_of_another_model_is_refused() {
    let build = |ends: [(usize, usize); 2]| {
        let mut model = Model::ghosts();
        let ids: Vec<_> = (0..4)
            .map(|i| {
                model.body(Body::sphere(format!("b{i}"), 0.1).position([f64::from(i), 0.0, 0.0]))
            })
            .collect();
        for (a, b) in ends {
            model.spring(Spring::point(ids[a].origin(), ids[b].origin()).stiffness(1.0));
        }
        World::new(model.build().expect("a valid model"))
    };
    let (mut one, other) = (build([(0, 1), (2, 3)]), build([(0, 1), (1, 2)]));
    assert!(!one.restore(&other.snapshot()));
    assert!(one.step(1e-3, &Inputs::none()).status.is_taken());
}

#[test]
fn hard_joints_and_tiny_masses_are_changed_safely_or_not_at_all() {
    let mut model = Model::ghosts();
    let ball = model.body(Body::sphere("ball", 0.1).mass(1.0).velocity([1.0, 0.0, 0.0]));
    let joint = model.joint(Joint::ball(ball.at([0.2, 0.0, 0.0]), Anchor::world([0.2, 0.0, 0.0])));
    let mut world = World::new(model.build().expect("a valid model"));
    let pose = Pose { position: Vec3::repeat(0.3), rotation: Rotation::identity() };
    assert_eq!(world.set_anchor(joint, pose), Err(ChangeError::Hard));
    let soft = world.set_stiffness(joint, Vec6::repeat(5.0), Payment::Tank);
    assert_eq!(soft, Err(ChangeError::Hard));
    for mass in [1e-17, 1e3, 1e-6] {
        world.set_mass(ball, mass, Payment::Tank).expect("a valid mass");
        assert_eq!(world.params().bodies[0].mass, mass);
        assert!(world.step(1e-3, &Inputs::none()).status.is_taken());
    }
    assert!(world.audit().is_clean(), "{}", world.audit());
}

#[test]
fn a_pendulum_let_go_at_the_height_of_the_origin_passes_its_audit() {
    let mut model = Model::ghosts();
    model.gravity([0.0, 0.0, -9.81]);
    let bob = model.body(Body::sphere("bob", 0.01).mass(0.1).position([1.0, 0.0, 0.0]));
    model.joint(Joint::distance(bob.origin(), Anchor::world([0.0; 3]), 1.0));
    let mut world = World::new(model.build().expect("a valid model"));
    for _ in 0..3000 {
        let _ = world.step(1e-3, &Inputs::none());
    }
    // the total is zero all along: kinetic energy and gravity cancel
    assert!(world.energy().total().abs() < 1e-12);
    assert!(world.audit().is_clean(), "{}", world.audit());
}
