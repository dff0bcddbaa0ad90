//! Joint limits: what falls on a stop rests there, never passes it, and gains nothing.

mod common;

use common::Random;
use palpable::*;

const G: f64 = 9.81;

fn quarter() -> Rotation {
    // z of the joint along world y
    Rotation::from_scaled_axis(Vec3::x() * -std::f64::consts::FRAC_PI_2)
}

/// A rod of 0.2 m hinged at the origin, level along x; `angle` grows as it falls.
fn maximal(stops: [f64; 2]) -> (World, Measure) {
    let mut model = Model::builder();
    model.gravity([0.0, 0.0, -G]);
    let rod =
        model.body(Body::cuboid("rod", [0.1, 0.01, 0.01]).mass(0.5).position([0.1, 0.0, 0.0]));
    let (a, b) = (rod.at([-0.1, 0.0, 0.0]).turned(quarter()), Anchor::world([0.0; 3]));
    let b = b.turned(quarter());
    model.joint(Joint::hinge(a, b));
    let angle = model.spring(Spring::angle(a, b).stops(stops[0], stops[1]));
    let world = World::new(model.build().expect("a pendulum"));
    (world, Box::new(move |w: &World| w.strain(angle)[0]))
}

/// The same in a coordinate of its own.
fn generalized(stops: [f64; 2]) -> (World, Measure) {
    let mut model = Model::ghosts();
    model.gravity([0.0, 0.0, -G]);
    let mut chain = Chain::new("arm");
    let shape = Shape::cuboid(Vec3::new(0.1, 0.01, 0.01)).expect("a rod");
    let density = 0.5 / shape.volume();
    let link = Link::revolute("rod").at([0.0; 3], quarter()).held_at([-0.1, 0.0, 0.0], quarter());
    chain.link(link.shape(shape, density));
    let id = model.chain(chain);
    model.spring(Spring::coordinate(id, 0).stops(stops[0], stops[1]));
    let world = World::new(model.build().expect("a pendulum"));
    (world, Box::new(move |w: &World| w.coordinates(id)[0]))
}

/// A block on a slider that points down.
fn slider(stops: [f64; 2]) -> (World, Measure) {
    let mut model = Model::builder();
    model.gravity([0.0, 0.0, -G]);
    let block = model.body(Body::cuboid("block", [0.05; 3]).mass(2.0));
    let turn = Rotation::from_scaled_axis(Vec3::x() * std::f64::consts::PI);
    let (a, b) = (block.origin().turned(turn), Anchor::world([0.0; 3]).turned(turn));
    model.joint(Joint::prismatic(a, b));
    let slide = model.spring(Spring::slide(a, b).stops(stops[0], stops[1]));
    let world = World::new(model.build().expect("a slider"));
    (world, Box::new(move |w: &World| w.strain(slide)[0]))
}

type Measure = Box<dyn Fn(&World) -> f64>;
type Make = fn([f64; 2]) -> (World, Measure);

#[test]
fn what_falls_on_a_stop_rests_there_and_never_passes() {
    let makes: [(&str, Make); 3] =
        [("maximal", maximal), ("generalized", generalized), ("slider", slider)];
    for (name, make) in makes {
        for h in [1e-3, 5e-3] {
            let (lower, upper) = (-0.4, 0.7);
            let (mut world, place) = make([lower, upper]);
            let scale = world.energy().total().abs() + 2.0 * G * 0.2;
            let (mut before, mut rise, mut past) = (world.energy().total(), 0.0f64, 0.0f64);
            for _ in 0..(1.5 / h) as usize {
                let report = world.step(h, &Inputs::none());
                assert!(report.status.is_taken());
                rise = rise.max(world.energy().total() - before);
                before = world.energy().total();
                past = past.max(place(&world) - upper).max(lower - place(&world));
            }
            let (end, kinetic) = (place(&world), world.energy().kinetic);
            println!("{name} h {h}: past {past:e} rise {rise:e} at {end} kinetic {kinetic:e}");
            assert!(past < 1e-6, "{name} h {h}: {past:e}");
            assert!((end - upper).abs() < 1e-6, "{name} h {h}: {end}");
            assert!(kinetic < 1e-12, "{name} h {h}: {kinetic:e}");
            assert!(rise < 1e-13 * scale, "{name} h {h}: {rise:e}");
        }
    }
}

#[test]
fn a_stop_does_nothing_before_it_is_reached() {
    for make in [maximal as Make, generalized] {
        let ((mut held, at), (mut free, free_at)) =
            (make([-1.0, 1.2]), make([-f64::INFINITY, f64::INFINITY]));
        for _ in 0..100 {
            let _ = held.step(1e-3, &Inputs::none());
            let _ = free.step(1e-3, &Inputs::none());
        }
        assert!((at(&held) - free_at(&free)).abs() < 1e-9, "{} {}", at(&held), free_at(&free));
        assert!(at(&held) > 0.01);
    }
}

#[test]
fn random_arms_with_stops_never_gain_and_never_pass() {
    let mut r = Random(5);
    for case in 0..30 {
        let mut model = Model::ghosts();
        model.gravity(r.vector(G));
        let (mut chain, n) = (Chain::new("arm"), 1 + r.below(4));
        let mut stops = Vec::new();
        for i in 0..n {
            let shape = Shape::cuboid(Vec3::new(0.1, 0.02, 0.03)).expect("a link");
            let link = Link::revolute(format!("l{i}")).at([0.1, 0.0, 0.0], r.rotation());
            let link = link.held_at([-0.1, 0.0, 0.0], r.rotation());
            let link = link.shape(shape, r.decades(100.0, 1e4)).start(0.0, r.between(-8.0, 8.0));
            chain.link(if i > 0 { link.on(i - 1) } else { link });
            stops.push([r.between(-1.5, -0.05), r.between(0.05, 1.5)]);
        }
        let id = model.chain(chain);
        for (i, [lower, upper]) in stops.iter().enumerate() {
            let k = if r.below(2) == 0 { 0.0 } else { r.decades(0.01, 100.0) };
            model.spring(Spring::coordinate(id, i).stiffness(k).stops(*lower, *upper));
        }
        let mut world = World::new(model.build().expect("an arm"));
        let h = r.decades(5e-4, 5e-3);
        let (mut worst, mut past) = (0.0f64, 0.0f64);
        for _ in 0..600 {
            let before = world.energy().total();
            let report = world.step(h, &Inputs::none());
            assert!(report.status.is_taken());
            // an arm near rest has little in play; the sum of the accounts is rounded all the same
            let now = world.energy();
            let rounded = 4.0 * f64::EPSILON * (now.kinetic + now.gravity.abs() + now.tank);
            let rise = (now.total() - before - rounded) / report.entry.in_play;
            worst = worst.max(rise);
            for (q, [lower, upper]) in world.coordinates(id).iter().zip(&stops) {
                past = past.max(q - upper).max(lower - q);
            }
        }
        println!("case {case}: rise {worst:e}, past {past:e}");
        assert!(worst < 1e-13, "case {case}: {worst:e}");
        assert!(past < 1e-6, "case {case}: {past:e}");
    }
}

#[test]
fn a_motor_that_presses_a_link_on_its_stop_creates_nothing() {
    // light links and strong motors: all of the motor's power comes back from the stop
    let mut r = Random(1016);
    for seed in 0..50 {
        let (size, mass) = (r.decades(5e-3, 0.2), r.decades(1e-3, 1.0));
        let (damping, rate) = (r.decades(0.01, 10.0), r.decades(1.0, 200.0));
        let mut model = Model::ghosts();
        model.gravity([0.0, 0.0, -G]);
        let mut chain = Chain::new("arm");
        let shape = Shape::cuboid(Vec3::new(size, 0.3 * size, 0.3 * size)).expect("a rod");
        let density = mass / shape.volume();
        chain.link(
            Link::revolute("rod").held_at([-size, 0.0, 0.0], quarter()).shape(shape, density),
        );
        let id = model.chain(chain);
        model.spring(Spring::coordinate(id, 0).stops(-1.0, 1.0));
        let port = model.port(Port::motor("motor", Spring::coordinate(id, 0).damping(damping)));
        let mut world = World::new(model.build().expect("an arm"));
        let mut inputs = Inputs::none();
        inputs.set(port, PortInput::Rate(rate));
        for step in 0..200 {
            let h = [2e-3, 3e-4, 1e-3][step % 3];
            let report = world.step(h, &inputs);
            assert!(report.gate.is_idle(), "world {seed} step {step}: {:?}", report.gate);
            assert_eq!(world.verify(), Ok(()));
        }
    }
}
