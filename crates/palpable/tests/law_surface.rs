//! Friction and restitution may change while bodies touch: nothing gains energy by it.

mod common;

use common::Random;
use palpable::*;

const G: f64 = 9.81;

fn on_floor(material: Material, bodies: &[Body]) -> World {
    let mut model = Model::builder();
    model.gravity([0.0, 0.0, -G]).contacts(0);
    model.body(Body::half_space("floor").material(material));
    bodies.iter().for_each(|b| {
        model.body(b.clone().material(material));
    });
    World::new(model.build().expect("a valid world"))
}

fn ids(world: &World) -> Vec<BodyId> {
    world.model().bodies().iter().filter_map(|b| world.body_named(&b.name)).collect()
}

fn set_all(world: &mut World, material: Material) {
    for id in ids(world) {
        world.set_material(id, material).expect("a good material");
    }
}

#[test]
fn changing_surfaces_at_every_step_creates_no_energy() {
    let mut random = Random(7);
    for round in 0..6 {
        let mut place = |k: usize| {
            let at =
                [random.between(-0.05, 0.05), random.between(-0.05, 0.05), 0.15 + 0.22 * k as f64];
            let turn = Vec3::from_fn(|_, _| random.between(-1.0, 1.0));
            let cube = Body::cuboid(format!("b{k}"), [0.05, 0.04, 0.06]).mass(0.5);
            cube.position(at).rotation(Rotation::from_scaled_axis(turn))
        };
        let bodies: Vec<Body> = (0..4).map(&mut place).collect();
        let mut world = on_floor(Material::new(0.5, 0.0), &bodies);
        let (h, mut most) = (if round % 2 == 0 { 1e-3 } else { 8e-3 }, world.energy().total());
        let start = most;
        for _ in 0..400 {
            for id in ids(&world) {
                let mu = random.decades(1e-2, 10.0);
                let material = Material::new(mu, random.between(0.0, 1.0)).sticky(1.5 * mu);
                world.set_material(id, material).expect("a good material");
            }
            let report = world.step(h, &Inputs::none());
            assert!(report.status.is_taken(), "{:?}", report.status);
            let total = world.energy().total();
            // rounding of a step
            assert!(total <= most + 1e-13 * start, "{total} after {most} J");
            assert!(report.entry.closure().abs() <= 1e-12 * start);
            most = total;
        }
        // the work of contact is moved from one account to another: rounding of 400 sums
        assert!(world.ledger().totals().supplied.abs() <= 1e-13 * start);
    }
}

#[test]
fn a_block_stops_by_the_friction_that_holds_now() {
    let cube = Body::cuboid("cube", [0.1; 3]).mass(2.0).position([0.0, 0.0, 0.1]);
    let mut world = on_floor(Material::new(0.0, 0.0), &[cube.velocity([1.0, 0.0, 0.0])]);
    let cube = world.body_named("cube").expect("named");
    let h = 1e-3;
    (0..200).for_each(|_| {
        let _ = world.step(h, &Inputs::none());
    });
    assert!((world.velocity(cube).x - 1.0).abs() < 1e-9, "ice");
    let (x, mu) = (world.pose(cube).position.x, 0.4);
    set_all(&mut world, Material::new(mu, 0.0));
    (0..600).for_each(|_| {
        let _ = world.step(h, &Inputs::none());
    });
    let way = world.pose(cube).position.x - x;
    // v²/2μg, to the way of a step
    assert!((way - 0.5 / (mu * G)).abs() < 1.0 * h, "{way} m");
    assert!(world.velocity(cube).norm() < 1e-6);
}

#[test]
fn a_ball_bounces_by_the_restitution_that_holds_now() {
    let ball = || Body::sphere("ball", 0.05).mass(0.3).position([0.0, 0.0, 1.05]);
    for e in [0.0, 0.5, 1.0] {
        let mut world = on_floor(Material::new(0.3, 0.0), &[ball()]);
        let id = world.body_named("ball").expect("named");
        let before = world.snapshot();
        set_all(&mut world, Material::new(0.3, e));
        let mut fastest = (0.0f64, 0.0f64);
        (0..700).for_each(|_| {
            let _ = world.step(1e-3, &Inputs::none());
            let v = world.velocity(id).z;
            fastest = (fastest.0.min(v), fastest.1.max(v));
        });
        // a step of falling before and after
        let error = fastest.1 + e * fastest.0;
        assert!(error.abs() < 3.0 * G * 1e-3, "e {e}: {fastest:?}");
        assert!(world.restore(&before));
        assert_eq!(world.material(id), Some(Material::new(0.3, 0.0)), "snapshots hold surfaces");
    }
}

#[test]
fn senseless_surfaces_are_refused_and_change_nothing() {
    let mut world = on_floor(Material::new(0.5, 0.1), &[Body::sphere("ball", 0.05).mass(0.3)]);
    let id = world.body_named("ball").expect("named");
    let before = world.snapshot();
    for bad in [
        Material::new(-1.0, 0.0),
        Material::new(f64::NAN, 0.0),
        Material::new(f64::INFINITY, 0.0),
        Material::new(0.5, 1.01),
        Material::new(0.5, 0.0).rolling(0.0, 0.01),
    ] {
        assert!(world.set_material(id, bad).is_err(), "{bad:?}");
    }
    let floor = world.body_named("floor").expect("named");
    assert!(world.set_pair_material(id, floor, Material::default()).is_err(), "no such pair");
    assert_eq!(world.snapshot(), before);
    let mut model = Model::ghosts();
    let free = model.body(Body::sphere("free", 0.05).mass(1.0));
    let mut free_world = World::new(model.build().expect("valid"));
    assert!(free_world.set_material(free, Material::default()).is_err(), "nothing can touch");
}
