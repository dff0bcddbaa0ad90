//! Dry friction of joints: a coordinate that needs less than the bound stays where it is, one that
//! slides is slowed by exactly the bound, and nothing is gained.

mod common;

use common::Random;
use palpable::*;

const G: f64 = 9.81;
/// half length [m] and mass [kg] of the rod
const HALF: f64 = 0.1;
const MASS: f64 = 0.5;

fn quarter() -> Rotation {
    // z of the joint along world y
    Rotation::from_scaled_axis(Vec3::x() * -std::f64::consts::FRAC_PI_2)
}

fn rod() -> Shape {
    Shape::cuboid(Vec3::new(HALF, 0.01, 0.01)).expect("a rod")
}

/// Moment of inertia about the hinge [kg·m²].
fn inertia() -> f64 {
    MASS * (HALF * HALF + 1e-4) / 3.0 + MASS * HALF * HALF
}

struct Rig {
    world: World,
    friction: ElementId,
    hand: PortId,
    place: Box<dyn Fn(&World) -> f64>,
    /// moment of inertia or mass of the coordinate
    inertia: f64,
}

/// A rod hinged at the origin, level along x, turning at `rate`; `angle` grows as it falls.
fn maximal(gravity: f64, rate: f64, bound: f64) -> Rig {
    let mut model = Model::builder();
    model.gravity([0.0, 0.0, -gravity]);
    let rod = model.body(
        Body::cuboid("rod", [HALF, 0.01, 0.01])
            .mass(MASS)
            .position([HALF, 0.0, 0.0])
            .velocity([0.0, 0.0, -HALF * rate])
            .angular_velocity([0.0, rate, 0.0]),
    );
    let (a, b) = (rod.at([-HALF, 0.0, 0.0]).turned(quarter()), Anchor::world([0.0; 3]));
    let b = b.turned(quarter());
    model.joint(Joint::hinge(a, b));
    let friction = model.spring(Spring::angle(a, b).friction(bound));
    let hand = model.port(Port::motor("hand", Spring::angle(a, b)));
    let world = World::new(model.build().expect("a pendulum"));
    let place = Box::new(move |w: &World| w.strain(friction)[0]);
    Rig { world, friction, hand, place, inertia: inertia() }
}

/// The same in a coordinate of its own.
fn generalized(gravity: f64, rate: f64, bound: f64) -> Rig {
    let mut model = Model::ghosts();
    model.gravity([0.0, 0.0, -gravity]);
    let mut chain = Chain::new("arm");
    let link = Link::revolute("rod").at([0.0; 3], quarter()).held_at([-HALF, 0.0, 0.0], quarter());
    chain.link(link.shape(rod(), MASS / rod().volume()).start(0.0, rate));
    let id = model.chain(chain);
    let friction = model.spring(Spring::coordinate(id, 0).friction(bound));
    let hand = model.port(Port::motor("hand", Spring::coordinate(id, 0)));
    let world = World::new(model.build().expect("a pendulum"));
    let place = Box::new(move |w: &World| w.coordinates(id)[0]);
    Rig { world, friction, hand, place, inertia: inertia() }
}

/// A block on a slider that points down.
fn slider(gravity: f64, rate: f64, bound: f64) -> Rig {
    let mut model = Model::builder();
    model.gravity([0.0, 0.0, -gravity]);
    let body = Body::cuboid("block", [0.05; 3]).mass(MASS).velocity([0.0, 0.0, -rate]);
    let block = model.body(body);
    let turn = Rotation::from_scaled_axis(Vec3::x() * std::f64::consts::PI);
    let (a, b) = (block.origin().turned(turn), Anchor::world([0.0; 3]).turned(turn));
    model.joint(Joint::prismatic(a, b));
    let friction = model.spring(Spring::slide(a, b).friction(bound));
    let hand = model.port(Port::motor("hand", Spring::slide(a, b)));
    let world = World::new(model.build().expect("a slider"));
    let place = Box::new(move |w: &World| w.strain(friction)[0]);
    Rig { world, friction, hand, place, inertia: MASS }
}

type Make = fn(f64, f64, f64) -> Rig;
const RIGS: [(&str, Make); 3] =
    [("maximal", maximal), ("generalized", generalized), ("slider", slider)];

/// What gravity asks of the joint at the start [N or N·m].
fn load(name: &str) -> f64 {
    if name == "slider" { MASS * G } else { MASS * G * HALF }
}

#[test]
fn a_joint_below_its_bound_does_not_creep() {
    for (name, make) in RIGS {
        for h in [1e-3, 5e-3] {
            let Rig { mut world, place, hand, .. } = make(G, 0.0, 1.2 * load(name));
            let (mut inputs, mut creep) = (world.inputs(), 0.0f64);
            for step in 0..(10.0 / h) as usize {
                // a hand that shakes with what is left of the bound, up and down
                let push = 0.15 * load(name) * (step as f64 * 0.3).sin();
                inputs.set(hand, PortInput::Effort(push));
                assert!(world.step(h, &inputs).status.is_taken());
                creep = creep.max(place(&world).abs());
            }
            let kinetic = world.energy().kinetic;
            println!("{name} h {h}: creep {creep:e} in 10 s, kinetic {kinetic:e}");
            // what a step leaves of a push is taken at its end, a little late
            assert!(creep < 3e-8, "{name} h {h}: {creep:e}");
            assert!(kinetic < 1e-15, "{name} h {h}: {kinetic:e}");
        }
    }
}

#[test]
fn a_joint_that_slides_is_slowed_by_its_bound_and_then_stays() {
    for (name, make) in RIGS {
        for h in [1e-3, 5e-3] {
            let (rate, bound) = (3.0, 0.05);
            let Rig { mut world, place, inertia, .. } = make(0.0, rate, bound);
            // ω = ω0 − τt/I,  stops after ω0²I/2τ
            let stop = rate * inertia / bound;
            let way = 0.5 * rate * rate * inertia / bound;
            let (mut before, mut rise) = (world.energy().total(), 0.0f64);
            let mut half = None;
            for _ in 0..(1.5 * stop / h) as usize {
                let _ = world.step(h, &Inputs::none());
                rise = rise.max(world.energy().total() - before);
                before = world.energy().total();
                if half.is_none() && world.time() >= 0.5 * stop {
                    let t = world.time();
                    half = Some((place(&world), rate * t - 0.5 * bound / inertia * t * t));
                }
            }
            let (at, expected) = half.expect("half way");
            let (end, energy) = (place(&world), world.energy());
            println!(
                "{name} h {h}: half {at} of {expected}, end {end} of {way}, rise {rise:e}, \
                 kinetic {:e}",
                energy.kinetic
            );
            // constant forces are exact in the midpoint rule, a turn by Cayley's map of order
            // (ωh)²/12
            let curve = (rate * h).powi(2) / 12.0;
            assert!((at / expected - 1.0).abs() < 1e-9 + curve, "{name} h {h}: {at} {expected}");
            // the last step is cut short: at most ½h of the last rate, h τ/I
            let last = h * h * bound / inertia;
            assert!((end - way).abs() < 1e-3 * way + last, "{name} h {h}: {end} {way}");
            assert!(energy.kinetic < 1e-18, "{name} h {h}: {:e}", energy.kinetic);
            assert!(rise < 1e-15 * inertia * rate * rate, "{name} h {h}: {rise:e}");
            // the tank keeps a part of what is lost
            let total = world.ledger().totals();
            let rubbed = total.friction + total.impact + energy.tank;
            let kinetic = 0.5 * inertia * rate * rate;
            assert!((rubbed / kinetic - 1.0).abs() < 1e-9, "{name} h {h}: {rubbed} {kinetic}");
        }
    }
}

#[test]
fn above_the_bound_the_rest_accelerates() {
    for (name, make) in RIGS {
        let bound = 0.4;
        let Rig { mut world, place, inertia, hand, friction } = make(0.0, 0.0, bound);
        let mut inputs = world.inputs();
        inputs.set(hand, PortInput::Effort(1.5 * bound));
        for _ in 0..100 {
            let _ = world.step(1e-3, &inputs);
        }
        let expected = 0.5 * 0.5 * bound / inertia * 0.01;
        let at = place(&world);
        println!("{name}: {at} of {expected}");
        assert!((at / expected - 1.0).abs() < 1e-3, "{name}: {at} {expected}");
        // let go and hold it by more: it stays
        world.set_dry_friction(friction, 100.0 * bound).expect("a bound");
        for _ in 0..50 {
            let _ = world.step(1e-3, &inputs);
        }
        let held = place(&world);
        for _ in 0..200 {
            let _ = world.step(1e-3, &inputs);
        }
        assert!((place(&world) - held).abs() < 1e-10, "{name}: {held} {}", place(&world));
        assert!(world.set_dry_friction(friction, -1.0).is_err());
    }
}

#[test]
fn random_arms_with_dry_friction_never_gain_and_come_to_rest() {
    let mut r = Random(11);
    for case in 0..30 {
        let mut model = Model::ghosts();
        model.gravity([0.0, 0.0, -G]);
        let (mut chain, n) = (Chain::new("arm"), 1 + r.below(5));
        for i in 0..n {
            let shape = Shape::cuboid(Vec3::new(0.1, 0.02, 0.03)).expect("a link");
            let link = Link::revolute(format!("l{i}")).at([0.1, 0.0, 0.0], r.rotation());
            let link = link.held_at([-0.1, 0.0, 0.0], r.rotation());
            let link = link.shape(shape, r.decades(100.0, 1e4)).start(0.0, r.between(-8.0, 8.0));
            chain.link(if i > 0 { link.on(i - 1) } else { link });
        }
        let id = model.chain(chain);
        for i in 0..n {
            let mut bounded = Spring::coordinate(id, i).friction(r.decades(1.0, 100.0));
            if r.below(2) == 0 {
                bounded = bounded.stops(-0.5, 0.5);
            }
            model.spring(bounded);
        }
        let mut world = World::new(model.build().expect("an arm"));
        let h = r.decades(5e-4, 5e-3);
        let mut worst = 0.0f64;
        for _ in 0..(3.0 / h) as usize {
            let before = world.energy().total();
            let report = world.step(h, &Inputs::none());
            assert!(report.status.is_taken());
            let now = world.energy();
            let rounded = 4.0 * f64::EPSILON * (now.kinetic + now.gravity.abs() + now.tank);
            worst = worst.max((now.total() - before - rounded) / report.entry.in_play);
        }
        let (kinetic, at) = (world.energy().kinetic, world.coordinates(id).to_vec());
        for _ in 0..500 {
            let _ = world.step(h, &Inputs::none());
        }
        let creep =
            at.iter().zip(world.coordinates(id)).fold(0.0f64, |m, (a, b)| m.max((a - b).abs()));
        println!("case {case}: rise {worst:e}, kinetic {kinetic:e}, creep {creep:e}");
        assert!(worst < 1e-13, "case {case}: {worst:e}");
        assert!(kinetic < 1e-15 && creep < 1e-9, "case {case}: {kinetic:e} {creep:e}");
    }
}
