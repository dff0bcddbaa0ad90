//! Laws of contact: nothing gains energy, nothing sinks in, friction holds as far as its cone.

mod common;

use common::Random;
use palpable::*;

const G: f64 = 9.81;

fn floor(material: Material) -> Body {
    Body::half_space("floor").material(material)
}

/// A world with a floor, gravity and the given bodies.
fn on_floor(material: Material, bodies: &[Body]) -> World {
    let mut model = Model::builder();
    model.gravity([0.0, 0.0, -G]).contacts(0);
    model.body(floor(material));
    bodies.iter().for_each(|b| {
        model.body(b.clone().material(material));
    });
    World::new(model.build().expect("a valid world"))
}

fn run(world: &mut World, seconds: f64, h: f64, mut each: impl FnMut(&World, &StepReport)) {
    for _ in 0..(seconds / h).round() as usize {
        let report = world.step(h, &Inputs::none());
        assert!(report.status.is_taken(), "{:?}", report.status);
        each(world, &report);
    }
}

#[test]
fn a_box_comes_to_full_rest() {
    let cube = Body::cuboid("cube", [0.1, 0.1, 0.1]).mass(1.0).position([0.0, 0.0, 0.3]);
    let mut world = on_floor(Material::new(0.5, 0.0), &[cube]);
    let id = world.body_named("cube").expect("named");
    let (start, mut deepest) = (world.energy().total(), 0.0f64);
    run(&mut world, 2.0, 1e-3, |w, r| {
        deepest = deepest.max(0.1 - w.pose(id).position.z);
        assert!(r.entry.closure().abs() < 1e-12 * start, "{:e}", r.entry.closure());
    });
    println!(
        "v {:e} z {:e} deepest {deepest:e}",
        world.velocity(id).norm(),
        world.pose(id).position.z - 0.1
    );
    println!("{:?} {:?}", world.energy(), world.ledger().totals());
    // warm starts with a residual below 1e-9 m/s are taken as they are
    assert!(world.velocity(id).norm() < 1e-8);
    assert!(deepest < 1e-6);
    assert!((world.contact_force(id).z - G).abs() < 1e-6);
}

#[test]
fn an_elastic_box_keeps_its_energy() {
    for h in [1e-3, 1e-2] {
        let tilt = Rotation::from_scaled_axis(Vec3::new(0.4, 0.3, 0.2));
        let cube =
            Body::cuboid("cube", [0.05; 3]).mass(1.0).position([0.0, 0.0, 0.5]).rotation(tilt);
        let mut world = on_floor(Material::new(0.0, 1.0), &[cube]);
        let start = world.energy().total();
        let (mut worst, mut hits) = (0.0f64, 0);
        run(&mut world, 5.0, h, |w, _| {
            worst = worst.max((w.energy().total() - start).abs() / start);
            hits += w.contacts().iter().filter(|t| t.impulse.norm() > 0.0).count();
        });
        println!("h {h}: {worst:e}, {hits} hits, {:?}", world.energy());
        assert!(hits > 10 && worst < 1e-12, "h {h}: {worst:e}");
    }
}

#[test]
fn an_incline_holds_up_to_the_angle_of_friction() {
    let mu: f64 = 0.5;
    for (offset, slides) in [(-0.1f64, false), (0.1, true)] {
        for direction in 0..16 {
            let angle = mu.atan() + offset.to_radians();
            let turn = direction as f64 * std::f64::consts::TAU / 16.0;
            let down = Vec3::new(turn.cos(), turn.sin(), 0.0);
            let mut model = Model::builder();
            let g = (down * angle.sin() - Vec3::z() * angle.cos()) * G;
            model.gravity(g).contacts(0);
            model.body(floor(Material::new(mu, 0.0)));
            let body = Body::cuboid("block", [0.1, 0.1, 0.05]).mass(2.0).position([0.0, 0.0, 0.05]);
            let id = model.body(body.material(Material::new(mu, 0.0)));
            let mut world = World::new(model.build().expect("a block"));
            run(&mut world, 1.0, 1e-3, |_, _| {});
            let speed = world.velocity(id).dot(&down);
            let expected = if slides { G * (angle.sin() - mu * angle.cos()) } else { 0.0 };
            let bound = if slides { 1e-3 * expected } else { 1e-9 };
            assert!((speed - expected).abs() < bound, "{offset} {direction}: {speed} {expected}");
        }
    }
}

#[test]
fn a_pyramid_of_thirteen_blocks_stands_still() {
    let mut bodies = Vec::new();
    for (row, count) in [5, 4, 3, 1].into_iter().enumerate() {
        for i in 0..count {
            let x = 2.05 * (i as f64 - 0.5 * (count as f64 - 1.0));
            let body = Body::cuboid(format!("b{row}{i}"), [1.0, 0.5, 0.5]).mass(1.0);
            bodies.push(body.position([x, 0.0, 0.5 + row as f64]));
        }
    }
    let mut world = on_floor(Material::new(0.5, 0.0), &bodies);
    let ids: Vec<BodyId> = bodies
        .iter()
        .enumerate()
        .map(|(i, _)| {
            world
                .body_named(&format!(
                    "b{}",
                    ["00", "01", "02", "03", "04", "10", "11", "12", "13", "20", "21", "22", "30"]
                        [i]
                ))
                .expect("named")
        })
        .collect();
    let start: Vec<Vec3> = ids.iter().map(|&id| world.pose(id).position).collect();
    let mut iterations = Vec::new();
    let mut speed = 0.0f64;
    run(&mut world, 10.0, 5e-3, |w, r| {
        iterations.push(r.contact.iterations);
        if w.time() > 2.0 {
            speed = ids.iter().map(|&id| w.velocity(id).norm()).fold(speed, f64::max);
        }
    });
    let drift = ids.iter().zip(&start).map(|(&id, s)| (world.pose(id).position - s).norm());
    let drift = drift.fold(0.0, f64::max);
    // what rests is left alone: without the hold of a loaded contact it is stirred in every step
    let idle = iterations[1500..].iter().filter(|&&n| n == 0).count();
    println!(
        "drift {drift:e}, speed {speed:e}, idle {idle} of 500, iterations {:?} last {:?}",
        &iterations[..10],
        &iterations[1990..]
    );
    assert!(drift < 1e-3 && speed < 1e-6, "drift {drift:e}, speed {speed:e}");
    assert!(idle > 300, "idle in {idle} of 500 steps");
}

#[test]
fn a_pinned_chain_falls_on_the_floor_and_rests() {
    for h in [1e-3, 5e-3] {
        let mut model = Model::builder();
        model.gravity([0.0, 0.0, -G]).contacts(0);
        let rough = Material::new(0.5, 0.0);
        model.body(floor(rough));
        let mut last = Anchor::world([0.0, 0.0, 0.02]);
        let mut ids = Vec::new();
        for i in 0..3 {
            let tilt = Rotation::from_scaled_axis(Vec3::new(0.1, -0.6 - 0.2 * i as f64, 0.2));
            let start = match last.body {
                None => last.point,
                Some(_) => ends(&ids, i),
            };
            let rod = Body::capsule(format!("rod{i}"), 0.05, 1e-3).mass(1e-3);
            // the capsule lies along its z axis
            let turn = tilt * Rotation::from_scaled_axis(Vec3::y() * std::f64::consts::FRAC_PI_2);
            let center = start + turn * Vec3::new(0.0, 0.0, 0.05);
            let id = model.body(rod.position(center).rotation(turn).material(rough));
            ids.push((id, center + turn * Vec3::new(0.0, 0.0, 0.05)));
            model.joint(Joint::ball(id.at([0.0, 0.0, -0.05]), last).stiffness(1e7));
            last = id.at([0.0, 0.0, 0.05]);
        }
        let mut world = World::new(model.build().expect("a chain"));
        let (scale, mut worst, mut depth, mut gap) = (3e-3 * G * 0.1, 0.0f64, 0.0f64, 0.0f64);
        let mut before = world.energy().total();
        run(&mut world, 2.0, h, |w, r| {
            let now = w.energy().total();
            worst = worst.max((now - before) / scale);
            before = now;
            depth = depth.max(r.contact.depth);
            gap = gap.max(r.gap);
        });
        let speed = ids.iter().map(|(id, _)| world.velocity(*id).norm()).fold(0.0, f64::max);
        println!("h {h}: rise {worst:e}, speed {speed:e}, depth {depth:e}, gap {gap:e}");
        println!("{:?} {:?}", world.energy(), world.ledger().totals());
        assert!(worst < 1e-13 && speed < 1e-6 && depth < 1e-8 && gap < 1e-5);
    }
}

fn ends(ids: &[(BodyId, Vec3)], i: usize) -> Vec3 {
    ids[i - 1].1
}

#[test]
fn random_heaps_never_gain_energy() {
    let mut random = Random(91);
    for case in 0..20 {
        let mut model = Model::builder();
        model.gravity([0.0, 0.0, -G]).contacts(0);
        let material = Material::new(random.between(0.0, 1.2), random.between(0.0, 1.0));
        model.body(floor(material));
        for i in 0..(2 + case % 6) {
            let size = random.decades(0.01, 0.3);
            let shape = match random.below(4) {
                0 => Body::sphere(format!("s{i}"), size),
                1 => Body::cuboid(format!("c{i}"), [size, 0.7 * size, 1.4 * size]),
                2 => Body::capsule(format!("p{i}"), size, 0.4 * size),
                _ => Body::cylinder(format!("z{i}"), size, 0.6 * size),
            };
            let at = Vec3::new(
                random.between(-0.2, 0.2),
                random.between(-0.2, 0.2),
                0.3 + 0.4 * i as f64,
            );
            let body =
                shape.mass(random.decades(1e-3, 1e2)).position(at).rotation(random.rotation());
            model.body(
                body.velocity(random.vector(2.0))
                    .angular_velocity(random.vector(20.0))
                    .material(material),
            );
        }
        let mut world = World::new(model.build().expect("a heap"));
        if let Some(settings) = world.contact_settings() {
            settings.sweeps = random.below(30);
            settings.newton_steps = random.below(10);
        }
        let h = random.decades(2e-4, 2e-2);
        let mut worst: f64 = 0.0;
        for _ in 0..400 {
            let before = world.energy().total();
            let report = world.step(h, &Inputs::none());
            assert!(report.status.is_taken());
            let rise = world.energy().total() - before;
            worst = worst.max(rise / report.entry.in_play);
            assert!(
                report.entry.closure().abs() < 1e-11 * report.entry.in_play,
                "{:e}",
                report.entry.closure()
            );
        }
        println!("case {case}: rise {worst:e} h {h:e}");
        assert!(worst < 1e-13, "case {case}: {worst:e}");
    }
}

#[test]
fn a_copy_and_a_snapshot_of_a_world_go_on_as_the_world_does() {
    let cube = Body::cuboid("cube", [0.1, 0.08, 0.05]).mass(1.0).position([0.0, 0.0, 0.4]);
    let cube = cube.angular_velocity([3.0, 1.0, 0.5]);
    let ball = Body::sphere("ball", 0.1).mass(0.5).position([0.05, 0.0, 0.7]);
    let mut world = on_floor(Material::new(0.5, 0.3), &[cube, ball]);
    // taken before anything touches: room for contacts must come along
    let (mut copy, start) = (world.clone(), world.snapshot());
    run(&mut world, 0.7, 1e-3, |_, _| {});
    run(&mut copy, 0.7, 1e-3, |_, _| {});
    assert_eq!(world.state_hash(), copy.state_hash());
    assert!(world.contacts().iter().any(|t| t.force.norm() > 0.0));
    let middle = world.snapshot();
    run(&mut world, 0.3, 1e-3, |_, _| {});
    let end = world.state_hash();
    for (from, seconds) in [(&start, 1.0), (&middle, 0.3)] {
        assert!(world.restore(from));
        run(&mut world, seconds, 1e-3, |_, r| assert_eq!(r.contact.dropped, 0));
        assert_eq!(world.state_hash(), end);
    }
}

#[test]
fn what_falls_from_just_beyond_a_step_lands_on_the_thinnest_plate() {
    // from slightly more than g h²/2 a body arrives with the speed that gravity explains
    for h in [1e-3, 5e-3, 1e-2, 2e-2, 3e-2] {
        for radius in [1e-3, 1e-2, 0.1] {
            for gap in [1.0, 1.001, 1.1, 1.9, 2.1] {
                let mut model = Model::builder();
                model.gravity([0.0, 0.0, -G]).contacts(0);
                let plate = Body::cuboid("plate", [1.0, 1.0, 0.5 * radius]).fixed();
                model.body(plate.position([0.0, 0.0, -0.5 * radius]));
                let at = radius + gap * 0.5 * G * h * h;
                let ball = Body::sphere("ball", radius).mass(1.0).position([0.0, 0.0, at]);
                let ball = model.body(ball);
                let mut world = World::new(model.build().expect("a ball over a plate"));
                let mut deepest = 0.0f64;
                run(&mut world, 40.0 * h, h, |w, _| {
                    deepest = deepest.max(radius - w.pose(ball).position.z);
                });
                // what phase II may let sink: a thousandth of the reach
                assert!(deepest <= 1.01e-3 * radius, "h {h} r {radius} gap {gap}: {deepest:e}");
            }
        }
    }
}
