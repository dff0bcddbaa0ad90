//! Laws of contacts that begin with impulses and rest on a layer that yields: three states, no
//! collision where a body only rolls on, groups that collide together, limits of a device that are
//! never exceeded, and an energy that never rises.

mod common;

use common::{Random, long, worlds};
use palpable::{
    Body, Coherence, ContactState, ImpulseLimit, Inputs, Joint, Material, Model, Options, Port,
    PortInput, Resolution, Rotation, Vec3, VolumeLaw, World,
};

/// A layer of 1e7 Pa/m whose contacts begin with impulses.
fn crisp(friction: f64, e: f64) -> Material {
    Material::new(friction, e).soft(VolumeLaw::new(1e7, 2e4).with_impulses())
}

fn plain(friction: f64) -> Material {
    Material::new(friction, 0.0).soft(VolumeLaw::new(1e7, 2e4))
}

fn floor_and(bodies: Vec<Body>, options: Options) -> World {
    let mut model = Model::builder();
    model.gravity([0.0, 0.0, -9.81]).contacts(0);
    model.body(Body::half_space("floor"));
    bodies.into_iter().for_each(|b| {
        model.body(b);
    });
    World::with_options(model.build().expect("a floor and bodies"), options)
        .expect("options that fit")
}

/// Steps and checks that motion, stores and tank never gain; returns the deepest overlap [m].
fn step_passively(world: &mut World, h: f64, inputs: &Inputs) -> f64 {
    let before = world.energy().total();
    let report = world.step(h, inputs);
    let entry = report.entry;
    let gain = world.energy().total() - before - entry.flows.supplied;
    // heights count from the origin: a rounding of the sum
    let rounding = 1e-12 * entry.in_play + 4.0 * f64::EPSILON * before.abs();
    assert!(gain <= rounding.max(1e-21), "step {}: gained {gain:e}", report.tick);
    world.patches().iter().fold(0.0, |d: f64, p| d.max(p.depth))
}

#[test]
fn a_falling_box_is_free_then_collides_then_rests() {
    let mut world = floor_and(
        vec![
            Body::cuboid("box", [0.05, 0.05, 0.05])
                .mass(1.0)
                .position([0.0, 0.0, 0.15])
                .material(crisp(0.5, 0.0)),
        ],
        Options::default(),
    );
    let id = world.body_named("box").expect("a box");
    let (mut states, mut stopped) = (Vec::new(), f64::NAN);
    for _ in 0..500 {
        step_passively(&mut world, 1e-3, &Inputs::none());
        let state = world.contact_state(id);
        if states.last() != Some(&state) {
            states.push(state);
        }
        if state == ContactState::Colliding {
            stopped = world.contact_impulse(id)[0].z;
        }
    }
    assert_eq!(states, [ContactState::Free, ContactState::Colliding, ContactState::Resting]);
    // plastic: the impulse is the momentum, m √(2 g 0.1 m) up to the gravity of a step
    let momentum = (2.0f64 * 9.81 * 0.1).sqrt();
    assert!((stopped - momentum).abs() < 2e-2, "{stopped} {momentum}");
    assert!(world.audit().is_clean());
}

#[test]
fn impulses_keep_what_falls_out_of_a_layer() {
    let depth = |material: Material| {
        let body = Body::cuboid("box", [0.05; 3]).mass(1.0).position([0.0, 0.0, 0.15]);
        let mut world = floor_and(vec![body.material(material)], Options::default());
        let steps = 0..600;
        steps.fold(0.0, |d: f64, _| d.max(step_passively(&mut world, 1e-3, &Inputs::none())))
    };
    let (with, without) = (depth(crisp(0.5, 0.0)), depth(plain(0.5)));
    println!("deepest with impulses {with:e}, without {without:e}");
    assert!(with < 0.5 * without);
}

#[test]
fn bounces_follow_the_restitution() {
    for e in [0.0f64, 0.4, 0.9] {
        let body = Body::sphere("ball", 0.05).mass(0.3).position([0.0, 0.0, 0.55]);
        let mut world = floor_and(vec![body.material(crisp(0.0, e))], Options::default());
        world
            .set_material(world.body_named("floor").expect("floor"), Material::new(0.0, 1.0))
            .expect("a floor that bounces");
        let id = world.body_named("ball").expect("ball");
        let (mut hit, mut top) = (false, 0.0f64);
        for _ in 0..1200 {
            step_passively(&mut world, 5e-4, &Inputs::none());
            hit |= world.contact_state(id) == ContactState::Colliding;
            if hit && world.velocity(id).z < 0.0 {
                break;
            }
            if hit {
                top = top.max(world.pose(id).position.z - 0.05);
            }
        }
        // e² of the height; the layer and the step add to it by a few millimetres
        assert!((top - e * e * 0.5).abs() < 6e-3, "e = {e}: {top}");
    }
}

/// A bowl of 200 convex pieces about the origin, inner radius 0.1 m, and a ball of 40 mm in it.
fn socket(coherence: Coherence, speed: f64) -> World {
    socket_of(coherence, speed, 0.1, (0.04, 0.2))
}

/// The same of another inner radius [m], a ball of another radius [m] and mass [kg].
fn socket_of(coherence: Coherence, speed: f64, inner: f64, (ball, mass): (f64, f64)) -> World {
    let mut model = Model::builder();
    model.gravity([0.0, 0.0, -9.81]).contacts(400);
    let at = |radius: f64, ring: f64, sector: f64| {
        let (polar, turn) =
            (ring * 0.5 * std::f64::consts::PI / 10.0, sector * 0.1 * std::f64::consts::PI);
        Vec3::new(polar.sin() * turn.cos(), polar.sin() * turn.sin(), -polar.cos()) * radius
    };
    for ring in 0..10 {
        for sector in 0..20 {
            let (r, s) = (f64::from(ring), f64::from(sector));
            let mut points = Vec::new();
            for radius in [inner, 1.2 * inner] {
                // the innermost ring closes at the pole
                let low = if ring == 0 { 0.02 } else { r };
                for (r, s) in [(low, s), (low, s + 1.0), (r + 1.0, s), (r + 1.0, s + 1.0)] {
                    points.push(at(radius, r, s));
                }
            }
            model.body(
                Body::convex_hull(format!("p{ring}-{sector}"), &points)
                    .fixed()
                    .material(Material::new(0.5, 0.0)),
            );
        }
    }
    model.body(
        Body::sphere("ball", ball)
            .mass(mass)
            .position([0.0, 0.0, ball - inner + 0.005 * inner])
            .velocity([speed, 0.5 * speed, 0.0])
            .angular_velocity([-0.5 * speed / ball, speed / ball, 0.0])
            .material(Material::new(0.5, 0.0).soft(VolumeLaw::new(2e8, 2e5).with_impulses())),
    );
    let options = Options { coherence, ..Options::default() };
    World::with_options(model.build().expect("a socket"), options).expect("options that fit")
}

#[test]
fn a_ball_that_rolls_in_a_socket_of_pieces_does_not_collide() {
    let count = |coherence: Coherence, seconds: f64| {
        let mut world = socket(coherence, 0.4);
        let id = world.body_named("ball").expect("ball");
        let (mut collisions, mut rolled) = (0, 0.0);
        for step in 0..(seconds / 1e-3) as usize {
            step_passively(&mut world, 1e-3, &Inputs::none());
            // it is put down in the first steps
            if step > 20 && world.contact_state(id) == ContactState::Colliding {
                collisions += 1;
            }
            rolled += 1e-3 * world.velocity(id).norm();
        }
        println!("{coherence:?}: {collisions} collisions on a way of {rolled:.2} m");
        (collisions, rolled)
    };
    let (kept, rolled) = count(Coherence::Place, 10.0);
    let (lost, _) = count(Coherence::Name, 2.0);
    assert_eq!(kept, 0);
    assert!(rolled > 0.3, "it rolled {rolled} m");
    assert!(lost >= 10, "without coherence {lost}");
}

#[test]
fn balls_of_other_sizes_in_other_sockets_do_not_collide_either() {
    let seconds = if long() { 10.0 } else { 2.0 };
    for (inner, ball, mass, h) in [
        (0.1, 0.02, 0.05, 1e-3),
        (0.1, 0.07, 1.0, 1e-3),
        (0.5, 0.15, 5.0, 2e-3),
        (0.03, 0.012, 0.01, 5e-4),
    ] {
        let count = |coherence: Coherence| {
            // a swing of the same height in radii
            let mut world =
                socket_of(coherence, 0.4 * (inner / 0.1f64).sqrt(), inner, (ball, mass));
            let id = world.body_named("ball").expect("ball");
            let (mut collisions, mut landings, mut rolled) = (0, 0, 0.0);
            let mut apart = true;
            for step in 0..(seconds / h) as usize {
                step_passively(&mut world, h, &Inputs::none());
                let state = world.contact_state(id);
                // what hopped over an edge, and was apart from all, lands
                let collides = step > 40 && state == ContactState::Colliding;
                collisions += usize::from(collides && !apart);
                landings += usize::from(collides && apart);
                apart = world.contacts().iter().all(|t| t.gap >= 0.0);
                rolled += h * world.velocity(id).norm();
            }
            println!("{ball} m in {inner} m, {coherence:?}: {collisions}, {landings} landings");
            (collisions, rolled)
        };
        let (kept, rolled) = count(Coherence::Place);
        let (lost, _) = count(Coherence::Name);
        println!(
            "{ball} m in {inner} m: {kept} collisions in {seconds} s, {rolled:.2} m; by name {lost}"
        );
        assert_eq!(kept, 0, "{ball} m in {inner} m");
        assert!(lost > 10, "{ball} m in {inner} m, by name: {lost}");
    }
}

#[test]
fn resting_friction_sticks_on_a_slope_and_slides_by_coulomb() {
    // [Constantinescu2005, (6)], with its sign, is μN v/v_thr below a threshold of speed: a body
    // on a slope creeps for ever at v_thr tan θ/μ. The springs of the layer stick.
    let (mu, lean) = (0.5f64, 0.25f64);
    let on = |lean: f64, speed: f64| {
        let mut model = Model::builder();
        let g = 9.81 / (1.0 + lean * lean).sqrt();
        model.gravity([g * lean, 0.0, -g]).contacts(0);
        model.body(Body::half_space("floor"));
        let body = Body::cuboid("box", [0.1, 0.1, 0.05]).mass(1.0).position([0.0, 0.0, 0.0505]);
        model.body(body.velocity([speed, 0.0, 0.0]).material(crisp(mu, 0.0)));
        World::new(model.build().expect("a box on a slope"))
    };
    let mut world = on(lean, 0.0);
    let id = world.body_named("box").expect("a box");
    (0..3000).for_each(|_| {
        step_passively(&mut world, 1e-3, &Inputs::none());
    });
    let at = world.pose(id).position.x;
    (0..2000).for_each(|_| {
        step_passively(&mut world, 1e-3, &Inputs::none());
    });
    let creep = (world.pose(id).position.x - at) / 2.0;
    println!("creeps at {creep:e} m/s; by (6) with 1 mm/s it would at {:e}", 1e-3 * lean / mu);
    assert!(creep.abs() < 1e-15, "{creep}");
    // and in motion it is Coulomb's: it stops after v²/2μg, but for the way of the first steps
    let mut world = on(0.0, 1.0);
    let id = world.body_named("box").expect("a box");
    (0..1000).for_each(|_| {
        step_passively(&mut world, 1e-3, &Inputs::none());
    });
    let (way, expected) = (world.pose(id).position.x, 1.0 / (2.0 * mu * 9.81));
    println!("stops after {way} m, by Coulomb after {expected} m");
    assert!((way - expected).abs() < 0.02 * expected + 0.015, "{way} {expected}");
    assert!(world.velocity(id).norm() < 1e-6);
}

/// Bodies of any shape, mass and surface, some of them jointed, one in a hand with limits.
fn random_scene(r: &mut Random) -> World {
    let mut model = Model::builder();
    model.gravity([0.0, 0.0, if r.below(4) == 0 { 0.0 } else { -9.81 }]).contacts(0);
    let surface = |r: &mut Random| {
        let material = Material::new(1.5 * r.unit(), r.unit());
        let modulus = r.decades(1e4, 1e9);
        let layer = VolumeLaw::new(modulus, modulus * r.decades(1e-5, 1e-1));
        match r.below(4) {
            0 => material,
            1 => material.soft(layer),
            _ => material.soft(layer.with_impulses()),
        }
    };
    let floor = surface(r);
    model.body(Body::half_space("floor").material(floor));
    let size = r.decades(5e-3, 1.0);
    let mut ids = Vec::new();
    for k in 0..2 + r.below(6) {
        let (name, s) = (format!("b{k}"), size * r.between(0.5, 1.5));
        let body = match r.below(5) {
            0 => Body::sphere(name, s),
            1 => Body::capsule(name, s, 0.5 * s),
            2 => Body::cylinder(name, s, 0.6 * s),
            3 => {
                let points: Vec<Vec3> = (0..12).map(|_| r.vector(s)).collect();
                Body::convex_hull(name, &points)
            }
            _ => Body::cuboid(name, [s, s * r.between(0.3, 1.0), s * r.between(0.3, 1.0)]),
        };
        let at = Vec3::new(0.0, 0.0, size * (2.0 + 3.5 * k as f64)) + r.vector(0.5 * size);
        let body = body.mass(r.decades(1e-4, 1e2)).position(at).rotation(r.rotation());
        let (v, w) = (r.decades(1e-2, 10.0), r.decades(1e-2, 20.0));
        let material = surface(r);
        let (v, w) = (r.vector(v), r.vector(w));
        ids.push(model.body(body.velocity(v).angular_velocity(w).material(material)));
    }
    if r.below(3) == 0 {
        let half = Vec3::new(0.0, 0.0, 1.75 * size);
        model.joint(Joint::ball(ids[0].at(half), ids[1].at(-half)));
    }
    if r.below(2) == 0 {
        model.port(Port::force("hand", ids[0].origin()));
    }
    let limit = match r.below(3) {
        0 => ImpulseLimit::default(),
        n => ImpulseLimit {
            force: r.decades(0.1, 100.0),
            torque: r.decades(1e-3, 1.0),
            spread: n == 1,
        },
    };
    let collision = Resolution::ALL[r.below(4)];
    let options = Options { impulse_limit: limit, collision, ..Options::default() };
    World::with_options(model.build().expect("a random scene"), options).expect("options that fit")
}

#[test]
fn random_scenes_of_the_law_never_gain() {
    let (mut worst, mut collisions) = (f64::NEG_INFINITY, 0);
    for seed in 0..worlds(40, 1000) {
        let r = &mut Random(seed);
        let mut world = random_scene(r);
        let h = r.decades(1e-4, 2e-2);
        let inputs = world.inputs();
        for step in 0..300 {
            let before = world.energy().total();
            let report = world.step(h, &inputs);
            let entry = report.entry;
            let gain = world.energy().total() - before - entry.flows.supplied;
            // accounts are rounded to a part of the numbers that stand in them
            let e = world.energy();
            let size = e.kinetic + e.elastic + e.gravity.abs() + e.tank + e.contact;
            let gain = (gain - 4e-15 * size) / entry.in_play.max(1e-9);
            worst = worst.max(gain);
            collisions += report.contact.colliding;
            assert!(gain <= 1e-12, "seed {seed}, step {step}, {h} s: gained {gain:e}");
            assert!(report.status.is_taken(), "seed {seed}, step {step}: {:?}", report.status);
            assert_eq!(world.verify(), Ok(()), "seed {seed}, step {step}");
        }
        let audit = world.audit();
        assert!(audit.is_clean(), "seed {seed}: {audit}");
    }
    println!("largest gain {worst:e} of the energy in play, {collisions} contacts collided");
    assert!(collisions > 100);
}

#[test]
fn a_chain_of_bodies_that_touch_collides_as_one_group() {
    // a box falls on the upper of two that rest on each other
    let cube = |name: &str, z: f64| {
        Body::cuboid(name, [0.05; 3]).mass(1.0).position([0.0, 0.0, z]).material(crisp(0.5, 0.0))
    };
    let mut world = floor_and(
        vec![cube("low", 0.05), cube("mid", 0.15), cube("top", 0.35)],
        Options::default(),
    );
    let ids = ["low", "mid", "top"].map(|n| world.body_named(n).expect("a box"));
    let mut together = false;
    for _ in 0..400 {
        step_passively(&mut world, 1e-3, &Inputs::none());
        let states = ids.map(|id| world.contact_state(id));
        if world.time() > 0.1 && states.contains(&ContactState::Colliding) {
            together = states == [ContactState::Colliding; 3];
            break;
        }
    }
    assert!(together);
}

/// A peg that a constant force drives onto the floor, limited in what its impulses may be.
fn driven(limit: ImpulseLimit) -> World {
    let mut model = Model::builder();
    model.gravity([0.0; 3]).contacts(0);
    model.body(Body::half_space("floor"));
    let peg = model.body(
        Body::cuboid("peg", [0.03, 0.02, 0.02])
            .mass(0.5)
            .position([0.0, 0.0, 0.05])
            .rotation(Rotation::from_scaled_axis(Vec3::new(0.0, 0.2, 0.0)))
            .velocity([0.0, 0.0, -0.5])
            .material(crisp(0.2, 0.0)),
    );
    model.port(Port::force("hand", peg.origin()));
    let options = Options { impulse_limit: limit, ..Options::default() };
    World::with_options(model.build().expect("a peg"), options).expect("options that fit")
}

#[test]
fn lessened_impulses_stay_within_the_limit_and_spread_takes_the_same_in_the_end() {
    let h = 1e-3;
    let run = |limit: ImpulseLimit| {
        let mut world = driven(limit);
        let (id, port) = (world.body_named("peg").unwrap(), world.port_named("hand").unwrap());
        let mut inputs = world.inputs();
        let force = Vec3::new(0.0, 0.0, -1.0);
        inputs.set(port, PortInput::Wrench { force, torque: Vec3::zeros() });
        let (mut sum, mut peak, mut turn, mut steps) = (0.0, 0.0f64, 0.0f64, 0);
        let mut least = f64::INFINITY;
        for _ in 0..2000 {
            let report_before = world.tick();
            step_passively(&mut world, h, &inputs);
            assert_eq!(world.tick(), report_before + 1);
            let [p, l] = world.contact_impulse(id);
            sum += p.norm();
            peak = peak.max(p.norm() / h);
            turn = turn.max(l.norm() / h);
            steps += usize::from(p.norm() > 0.0);
            least = least.min(world.pose(id).position.z);
        }
        assert!(world.audit().is_clean());
        (sum, peak, turn, steps, least)
    };
    let full = run(ImpulseLimit::default());
    let limit = ImpulseLimit { force: 15.0, torque: 0.1, spread: true };
    let spread = run(limit);
    let scaled = run(ImpulseLimit { spread: false, ..limit });
    println!("full {full:?}\nspread {spread:?}\nscaled {scaled:?}");
    assert!(full.1 > 30.0, "the impulse needs more than the limit: {}", full.1);
    for run in [spread, scaled] {
        // one part in 1e12 is rounding
        assert!(run.1 <= 15.0 * (1.0 + 1e-12) && run.2 <= 0.1 * (1.0 + 1e-12), "{run:?}");
    }
    assert!(spread.3 > full.3 && spread.0 > scaled.0);
}

#[test]
fn random_boxes_that_fall_on_each_other_never_gain() {
    for seed in 0..6 {
        let r = &mut Random(seed);
        let bodies = (0..6)
            .map(|k| {
                let size = [r.between(0.02, 0.08), r.between(0.02, 0.08), r.between(0.02, 0.08)];
                Body::cuboid(format!("b{k}"), size)
                    .mass(r.decades(0.05, 2.0))
                    .position([
                        r.between(-0.05, 0.05),
                        r.between(-0.05, 0.05),
                        0.1 + 0.15 * k as f64,
                    ])
                    .rotation(r.rotation())
                    .velocity(r.vector(1.0))
                    .angular_velocity(r.vector(5.0))
                    .material(crisp(r.unit(), r.unit()))
            })
            .collect();
        let mut world = floor_and(bodies, Options::default());
        let h = [5e-4, 1e-3, 4e-3][r.below(3)];
        for _ in 0..400 {
            step_passively(&mut world, h, &Inputs::none());
        }
        assert!(world.audit().is_clean(), "seed {seed}: {}", world.audit());
    }
}

/// Part of the impulse that stops an approach: the rest is left to the layer.
#[test]
fn a_negative_restitution_takes_a_part_of_the_plastic_impulse() {
    for e in [-1.0f64, -0.6, -0.1, 0.0] {
        for collision in [Resolution::Simultaneous, Resolution::PseudoInverse] {
            let body = Body::sphere("ball", 0.05).mass(0.3).position([0.0, 0.0, 0.05]);
            let body = body.velocity([0.0, 0.0, -1.0]).material(crisp(0.0, e));
            let options = Options { collision, ..Options::default() };
            let mut world = floor_and(vec![body], options);
            let id = world.body_named("ball").expect("ball");
            let mut given = 0.0;
            for _ in 0..400 {
                step_passively(&mut world, 5e-4, &Inputs::none());
                given += world.contact_impulse(id)[0].z;
                if world.velocity(id).z > 0.0 {
                    break;
                }
            }
            // the speed of the approach is 1 m/s and what gravity adds in a step
            let plastic = 0.3 * (1.0 + e);
            assert!((given - plastic).abs() <= 3e-3, "e = {e}, {collision:?}: {given} {plastic}");
            assert!(world.velocity(id).z > 0.0, "e = {e}: the layer sends it back");
        }
    }
    // a hard contact has no layer that would do the rest
    let mut model = Model::builder();
    model.body(Body::sphere("ball", 0.05).mass(0.3).material(Material::new(0.0, -0.1)));
    let error = model.build().expect_err("a hard ball").to_string();
    assert!(error.contains("restitution is -0.1") && error.contains("impulses"), "{error}");
}

/// Springs that start compressed without energy, or lose contacts for want of room, push out with
/// what their stores have; no step is left to the last gate.
#[test]
fn layers_without_energy_need_no_last_gate() {
    for (k, h) in [(4e4, 6e-3), (2e7, 3e-2), (4e8, 1e-3), (3e9, 1e-3), (3e9, 1e-2)] {
        for (overlap, capacity) in [(-1e-3, 0), (2e-3, 0), (4e-3, 0), (-1e-3, 2), (3e-3, 2)] {
            let surface =
                |e: f64| Material::new(0.5, e).soft(VolumeLaw::new(k, 1e-4 * k).with_impulses());
            let mut model = Model::builder();
            model.gravity([0.0, 0.0, -9.81]).contacts(capacity);
            model.body(Body::half_space("floor"));
            let wall = Body::cuboid("wall", [0.05, 0.2, 0.2]).fixed();
            model.body(wall.position([0.1 + 0.05 - overlap, 0.0, 0.1]));
            for (i, mass) in [1e-4, 0.3].into_iter().enumerate() {
                let z = 0.05 - overlap + (0.1 - overlap) * i as f64;
                let body = Body::cuboid(format!("b{i}"), [0.1, 0.05, 0.05]).mass(mass);
                let body = body.position([0.0, 0.002, z]).angular_velocity([0.2, 0.4, 0.1]);
                model.body(body.velocity([0.3, 0.1, -0.2]).material(surface(0.3)));
            }
            let mut world = World::new(model.build().expect("two boxes in a corner"));
            for _ in 0..200 {
                step_passively(&mut world, h, &Inputs::none());
            }
            let gate = world.ledger().gate();
            assert_eq!(
                (gate.paid, gate.retries, gate.held),
                (0, 0, 0),
                "modulus {k}, {h} s, {overlap} m, room {capacity}: {gate:?}"
            );
        }
    }
}
