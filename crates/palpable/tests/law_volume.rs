//! Laws of contact over a volume: the numbers of `[Hasegawa2004]`'s corrected equations, energy
//! that never rises, closed forms of stiffness and friction.

mod common;

use palpable::*;

const G: f64 = 9.8;

/// A world with a hard floor, gravity and the given bodies.
fn on_floor(friction: f64, bodies: &[Body]) -> World {
    let mut model = Model::builder();
    model.gravity([0.0, 0.0, -G]).contacts(0);
    model.body(Body::half_space("floor").material(Material::new(friction, 0.0)));
    bodies.iter().for_each(|b| {
        model.body(b.clone());
    });
    World::new(model.build().expect("a valid world"))
}

/// The cube of experiment 2: 2 m, 1 kg, stiffness `k` and damping `b` of its whole face.
fn cube(k: f64, b: f64, z: f64, tilt: f64) -> Body {
    let law = VolumeLaw::new(k / 4.0, b / 4.0);
    let turn = Rotation::from_scaled_axis(Vec3::new(tilt, 0.0, 0.0));
    let material = Material::new(0.5, 0.0).soft(law);
    Body::cuboid("cube", [1.0; 3])
        .mass(1.0)
        .position([0.0, 0.0, z])
        .rotation(turn)
        .material(material)
}

/// Energy that may come back: motion, gravity, stores and the tank never gain together.
fn run(world: &mut World, seconds: f64, h: f64, mut each: impl FnMut(&World, &StepReport)) {
    let mut last = world.energy().total();
    for _ in 0..(seconds / h).round() as usize {
        let report = world.step(h, &Inputs::none());
        assert!(report.status.is_taken(), "{:?}", report.status);
        let now = world.energy().total();
        let rise = now - last;
        // the accounts themselves are rounded, gravity most of all
        let size = now.abs() + world.energy().gravity.abs();
        let allowed = 1e-13 * report.entry.in_play + 4e-15 * size;
        assert!(rise <= allowed, "rise {rise:e} in {:?}", report.entry);
        last = now;
        each(world, &report);
    }
}

#[test]
fn a_cube_of_two_metres_rests_where_its_spring_bears_it() {
    for h in [1e-3, 1e-2] {
        let mut world = on_floor(0.5, &[cube(1500.0, 60.0, 1.0, 0.0)]);
        let id = world.body_named("cube").expect("named");
        run(&mut world, 5.0, h, |_, _| {});
        let z = world.pose(id).position.z;
        println!("h {h}: z {z} gate {:?}", world.ledger().gate());
        // 1 − m g/k, up to what is left of the motion
        assert!((z - (1.0 - G / 1500.0)).abs() < 1e-9, "{z}");
    }
}

#[test]
fn a_falling_cube_comes_to_rest_and_gains_nothing() {
    for h in [1e-3, 3e-3, 1e-2, 3e-2] {
        for b in [0.0, 1.5, 15.0, 60.0] {
            let mut world = on_floor(0.0, &[cube(1500.0, b, 1.0, 0.1)]);
            let id = world.body_named("cube").expect("named");
            let mut calm = [f64::NAN; 2];
            let start = world.energy();
            run(&mut world, 20.0, h, |w, _| {
                let l = w.angular_velocity(id).norm() * (4.0 / 6.0);
                for (bound, since) in [1e-2, 1e-3].into_iter().zip(&mut calm) {
                    if l >= bound {
                        *since = f64::NAN;
                    } else if since.is_nan() {
                        *since = w.time();
                    }
                }
            });
            let l = world.angular_velocity(id).norm() * (4.0 / 6.0);
            println!(
                "h {h} b {b}: calm {calm:?} L {l:e} gate {:?} {:?} from {:.4}",
                world.ledger().gate(),
                world.energy(),
                start.total()
            );
        }
    }
}

/// A block on a hard floor, pulled by a spring whose end moves at a steady speed.
#[test]
fn a_pulled_block_sticks_and_slips_as_coulomb_says() {
    let (mass, pull, speed, h) = (1.0, 50.0, 0.05, 2e-3);
    let (mu0, mu, shear, brake) = (0.5, 0.3, 1500.0, 15.0);
    let area = 0.2 * 0.2;
    let law = VolumeLaw::new(1e6, 3e3).shear(shear / area, brake / area);
    let material = Material::new(mu, 0.0).sticky(mu0);
    let mut model = Model::builder();
    model.gravity([0.0, 0.0, -G]).contacts(0);
    model.body(Body::half_space("floor").material(material));
    let sink = mass * G / (1e6 * area);
    let block = Body::cuboid("block", [0.1, 0.1, 0.02]).mass(mass);
    let block = model.body(block.position([0.0, 0.0, 0.02 - sink]).material(material.soft(law)));
    let stiffness = Vec6::new(pull, pull, pull, 0.0, 0.0, 0.0);
    let hand = model.port(Port::reference("hand", block.origin(), stiffness, Vec6::zeros()));
    let mut world = World::new(model.build().expect("a valid world"));
    let mut inputs = world.inputs();
    let (mut slips, mut sticks, mut was, mut peak) = (Vec::new(), Vec::new(), false, 0.0);
    for k in 0..4000 {
        let end = Vec3::new(speed * h * f64::from(k + 1), 0.0, world.pose(block).position.z);
        let reference = PortInput::Reference { position: end, rotation: Rotation::identity() };
        inputs.set(hand, reference);
        let report = world.step(h, &inputs);
        assert!(report.status.is_taken());
        let tension = pull * (end.x - world.pose(block).position.x);
        peak = f64::max(peak, -world.contact_force(block).x);
        let slides = world.patches().first().is_some_and(|p| p.slips);
        if slides && !was {
            slips.push((world.time(), tension));
        }
        if !slides && was {
            sticks.push((world.time(), tension));
        }
        was = slides;
    }
    println!("slips {slips:?} sticks {sticks:?} peak {peak}");
    let weight = mass * G;
    // the spring of friction stretches before it lets go
    let first = (mu0 * weight / pull + mu0 * weight / shear) / speed;
    assert!((slips[0].0 - first).abs() < 0.01, "{} {first}", slips[0].0);
    assert!((slips[0].1 / (mu0 * weight) - 1.0).abs() < 0.01);
    assert!(peak < 1.01 * mu0 * weight, "{peak}");
    let again = (2.0 * mu - mu0) * weight;
    assert!((sticks[0].1 - again).abs() < 0.05 * weight * mu0, "{} {again}", sticks[0].1);
    // half a swing of the block on its spring, and back to the speed of the hand
    let omega = (pull / mass).sqrt();
    let drop = (mu0 - mu) * weight / pull;
    let swing = 2.0 * (std::f64::consts::PI - (drop * omega / speed).atan()) / omega;
    assert!((sticks[0].0 - slips[0].0 - swing).abs() < 0.03 * swing, "{swing}");
    let period = slips[2].0 - slips[1].0;
    let held = 2.0 * drop / speed;
    assert!((period - swing - held).abs() < 0.05 * period, "{period} {swing} {held}");
}

/// A disc that spins on a plane without sliding: `2/3 μ N R` stops it.
#[test]
fn a_spinning_disc_stops_when_its_friction_torque_says() {
    let (radius, mass, mu, rate) = (0.05, 0.5, 0.3, 30.0);
    let area = std::f64::consts::PI * radius * radius;
    let law = VolumeLaw::new(1e7, 1e4);
    let sink = mass * G / (1e7 * area);
    let disc = |law| {
        let material = Material::new(mu, 0.0);
        let material = if let Some(law) = law { material.soft(law) } else { material };
        Body::cylinder("disc", 0.01, radius)
            .mass(mass)
            .position([0.0, 0.0, 0.01 - sink])
            .angular_velocity([0.0, 0.0, rate])
            .material(material)
    };
    let stop = |law| {
        let mut world = on_floor(mu, &[disc(law)]);
        let id = world.body_named("disc").expect("named");
        for _ in 0..3000 {
            let _ = world.step(1e-3, &Inputs::none());
            if world.angular_velocity(id).norm() < 1e-3 * rate {
                break;
            }
        }
        (world.time(), world.angular_velocity(id).z)
    };
    let inertia = 0.5 * mass * radius * radius;
    let exact = rate * inertia / (2.0 / 3.0 * mu * mass * G * radius);
    let (time, left) = stop(Some(law));
    println!("volume {time} exact {exact} left {left}; points {:?}", stop(None));
    assert!((time / exact - 1.0).abs() < 0.03, "{time} {exact}");
}

/// Two blocks pressed together by a force: depths add up, pressures are the same.
#[test]
fn unequal_layers_are_in_series_head_on_and_oblique() {
    for ratio in [1.0, 10.0, 1000.0] {
        for tilt in [0.0, 0.7] {
            let (soft, force, side) = (1e6, 40.0, 0.05);
            let laws = [soft, soft * ratio].map(|k| VolumeLaw::new(k, 0.02 * k));
            let turn = Rotation::from_scaled_axis(Vec3::new(tilt, 0.3 * tilt, 0.0));
            let up = turn * Vec3::z();
            let mut model = Model::builder();
            model.contacts(0);
            let low = Body::cuboid("low", [side * 2.0, side * 2.0, 0.02]).fixed().rotation(turn);
            model.body(low.material(Material::new(0.5, 0.0).soft(laws[0])));
            let high = Body::cuboid("high", [side; 3]).mass(1.0).rotation(turn);
            let high =
                high.position(up * (0.02 + side)).material(Material::new(0.5, 0.0).soft(laws[1]));
            let high = model.body(high);
            let hand = model.port(Port::force("hand", high.origin()));
            let mut world = World::new(model.build().expect("a valid world"));
            let mut inputs = world.inputs();
            let push = PortInput::Wrench { force: -up * force, torque: Vec3::zeros() };
            inputs.set(hand, push);
            for _ in 0..3000 {
                let _ = world.step(1e-3, &inputs);
            }
            let depth = 0.02 + side - world.pose(high).position.dot(&up);
            let area = 4.0 * side * side;
            let series = soft * ratio / (1.0 + ratio);
            let exact = force / (area * series);
            println!("1:{ratio} tilt {tilt}: depth {depth:e} exact {exact:e}");
            assert!(
                (depth / exact - 1.0).abs() < 0.01,
                "1:{ratio} tilt {tilt}: {depth:e} {exact:e}"
            );
            let felt = world.contact_force(high).dot(&up);
            assert!((felt / force - 1.0).abs() < 1e-3, "{felt}");
        }
    }
}

/// A plate of 1 mm on a table keeps its area, also where it is softer than thick.
#[test]
fn a_thin_plate_keeps_its_area() {
    for h in [1e-3, 5e-3] {
        let law = VolumeLaw::new(2e6, 2e4);
        let material = Material::new(0.5, 0.0).soft(law);
        let table = Body::cuboid("table", [0.5, 0.5, 0.02]).fixed().position([0.0, 0.0, -0.02]);
        let plate = Body::cuboid("plate", [0.1, 0.08, 5e-4]).mass(0.1).position([0.02, 0.0, 0.01]);
        let mut model = Model::builder();
        model.gravity([0.0, 0.0, -G]).contacts(0);
        model.body(table.material(material));
        model.body(plate.material(material));
        let mut world = World::new(model.build().expect("a valid world"));
        run(&mut world, 2.0, h, |_, _| {});
        let patch = world.patches().first().copied().expect("it lies on the table");
        println!("h {h}: {patch:?}");
        assert!((patch.center.x - 0.02).abs() < 1e-6, "pushed aside: {}", patch.center);
        assert!((patch.area / (0.2 * 0.16) - 1.0).abs() < 1e-9, "{}", patch.area);
        assert!((patch.pressure * patch.area / (0.1 * G) - 1.0).abs() < 1e-6);
    }
}

/// Towers stand, sink by what their springs say, and gain nothing.
#[test]
fn a_tower_sinks_by_the_sum_of_its_springs() {
    for blocks in [3, 6] {
        // stiffness of a whole contact over 1 m²; two equal layers in series
        // a tower of six this soft buckles: 353 N·m/rad of its weight against 125 of a contact
        let k = if blocks == 3 { 1500.0 } else { 60e3 };
        let law = VolumeLaw::new(2.0 * k, 0.08 * k);
        let bodies: Vec<Body> = (0..blocks)
            .map(|i| {
                let material = Material::new(0.5, 0.0).soft(law);
                let z = 1.0 + 2.0 * f64::from(i);
                let name = format!("block{i}");
                Body::cuboid(name, [0.5, 0.5, 1.0])
                    .mass(1.0)
                    .position([0.0, 0.0, z])
                    .material(material)
            })
            .collect();
        let mut model = Model::builder();
        model.gravity([0.0, 0.0, -G]).contacts(0);
        model.body(Body::half_space("floor").material(Material::new(0.5, 0.0).soft(law)));
        bodies.iter().for_each(|b| {
            model.body(b.clone());
        });
        let mut world = World::new(model.build().expect("a valid world"));
        run(&mut world, 20.0, 5e-3, |_, _| {});
        let top = world.body_named(&format!("block{}", blocks - 1)).expect("named");
        let sunk = 2.0 * f64::from(blocks) - 1.0 - world.pose(top).position.z;
        let exact: f64 = (1..=blocks).map(|n| f64::from(n) * G / k).sum();
        println!("{blocks}: sunk {sunk} exact {exact} gate {:?}", world.ledger().gate());
        assert!((sunk / exact - 1.0).abs() < 1e-3, "{sunk} {exact}");
    }
}

/// A body that is near a layer and presses on nothing turns as it does alone. It once kept the rate
/// at which it had turned when it last pressed, and a clone of its world went another way.
#[test]
fn a_body_beside_a_layer_turns_as_it_does_alone() {
    let spun = |beside: bool| {
        let layer = Material::new(0.4, 0.0).soft(VolumeLaw::new(1e6, 1e3));
        let mut model = Model::builder();
        model.contacts(0);
        let plate = Body::cuboid("plate", [0.05, 0.05, 0.005]).mass(0.3).material(layer);
        let plate = model.body(plate.angular_velocity([3.0, 1.0, 20.0]));
        // an edge that no corner of the plate reaches, but the box around the plate when it turns
        let wall = Body::cuboid("wall", [0.01, 0.01, 0.1]).fixed().material(layer);
        let far = if beside { 0.07 } else { 9.0 };
        model.body(wall.position([far, far, 0.0]));
        let mut world = World::new(model.build().expect("a valid world"));
        let mut all = Vec::new();
        run(&mut world, 0.5, 1e-3, |w, _| {
            assert!(w.patches().is_empty());
            all.push(w.angular_velocity(plate));
        });
        all
    };
    for (near, alone) in spun(true).iter().zip(spun(false)) {
        assert!((near - alone).norm() < 1e-9 * alone.norm(), "{near} {alone}");
    }
}

/// A hull of a dozen points.
fn rock(random: &mut common::Random, name: &str, modulus: f64) -> Body {
    let points: Vec<Vec3> = (0..12).map(|_| random.vector(0.05)).collect();
    let law = VolumeLaw::new(modulus, 0.002 * modulus);
    let turn = Rotation::from_scaled_axis(random.vector(2.0));
    Body::convex_hull(name, &points)
        .density(1000.0)
        .rotation(turn)
        .angular_velocity(random.vector(20.0))
        .material(Material::new(0.4, 0.0).sticky(0.6).soft(law))
}

/// Two hulls of unequal modulus meet at any angle, with and without friction and spin.
#[test]
fn thrown_hulls_never_gain_energy() {
    let throws = if common::long() { 5000 } else { 60 };
    let mut random = common::Random(5);
    let (mut touched, mut fired) = (0, 0);
    for throw in 0..throws {
        for h in [5e-4, 1e-3] {
            let mut model = Model::builder();
            model.contacts(0);
            let stiff = 10f64.powf(6.0 + 3.0 * random.unit());
            let a = rock(&mut random, "a", 1e7).position([-0.08, 0.0, 0.0]);
            let b = rock(&mut random, "b", stiff);
            let b = b.position(Vec3::new(0.08, 0.0, 0.0) + random.vector(0.03));
            model.body(a.velocity(Vec3::new(2.0, 0.0, 0.0) + random.vector(0.5)));
            model.body(b.velocity(Vec3::new(-2.0, 0.0, 0.0) + random.vector(0.5)));
            let Ok(model) = model.build() else { continue };
            let mut world = World::new(model);
            let before = (world.momentum(), world.angular_momentum());
            let mut met = false;
            run(&mut world, 0.08, h, |w, _| met |= !w.patches().is_empty());
            touched += u32::from(met);
            fired += u32::from(world.ledger().gate().paid + world.ledger().gate().held > 0);
            assert!(
                world.audit().is_clean() || world.ledger().gate().paid > 0,
                "{}",
                world.audit()
            );
            let moved = (world.momentum() - before.0).norm();
            assert!(moved < 1e-12 * (1.0 + before.0.norm()), "throw {throw}: momentum {moved:e}");
        }
    }
    println!("{touched} met, the gate acted in {fired}");
    assert!(touched > throws);
    // stores and solves keep the promise by themselves
    assert_eq!(fired, 0);
}

/// A top of 24 sides on a layer that no step resolves: it falls and rolls to rest under any
/// gravity, whatever its spin and size, at 1 and 5 ms. At 5 ms, 9.87 m/s² and 90 rad/s it once
/// hopped from step to step for ever, on a layer whose store was empty.
#[test]
fn tops_come_to_rest_under_any_gravity() {
    let cases = [
        (5e-3, 9.8, 100.0, 1.0),
        (5e-3, 9.85, 100.0, 1.0),
        (5e-3, 9.85, 80.0, 1.0),
        (5e-3, 9.87, 90.0, 1.0),
        (5e-3, 9.78, 90.0, 1.0),
        (5e-3, 7.0, 80.0, 1.0),
        (5e-3, 24.0, 120.0, 0.7),
        (5e-3, 9.81, 90.0, 1.2),
        (1e-3, 9.85, 90.0, 1.0),
        (1e-3, 3.7, 60.0, 0.7),
    ];
    for (h, gravity, spin, scale) in cases {
        let ring = |radius: f64, z: f64| {
            (0..24).map(move |k| {
                let (s, c) = (std::f64::consts::PI * f64::from(k) / 12.0).sin_cos();
                Vec3::new(radius * c, radius * s, z) * scale
            })
        };
        let points: Vec<_> =
            ring(0.001, -0.025).chain(ring(0.03, 0.01)).chain(ring(0.025, 0.02)).collect();
        let mut model = Model::builder();
        model.gravity([0.0, 0.0, -gravity]).contacts(0);
        model.body(Body::half_space("floor").material(Material::new(0.3, 0.0)));
        let tilt = Rotation::from_scaled_axis(Vec3::new(0.15, 0.0, 0.0));
        let top = Body::convex_hull("top", &points).mass(0.1).position([0.0, 0.0, 0.0255 * scale]);
        let layer = Material::new(0.3, 0.0).soft(VolumeLaw::new(2e9, 2e6));
        let top = top.rotation(tilt).angular_velocity([0.0, 0.0, spin]).material(layer);
        model.body(top);
        let mut world = World::new(model.build().expect("a top"));
        let start = world.energy().kinetic;
        run(&mut world, 30.0, h, |_, _| {});
        let left = world.energy().kinetic / start;
        assert!(left < 1e-5, "{h} s, {gravity} m/s², {spin} rad/s, {scale}: {left:e}");
    }
}
