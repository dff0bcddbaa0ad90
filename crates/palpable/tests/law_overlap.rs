//! Bodies that begin inside each other are named, and parted once if somebody asks and pays.

use palpable::*;

fn scene(depth: f64) -> Model {
    let mut model = Model::builder();
    model.gravity([0.0, 0.0, -10.0]).contacts(0);
    model.body(Body::half_space("floor"));
    let block = |name: &str, z: f64| {
        Body::cuboid(name, [0.1, 0.1, 0.05]).mass(2.0).position([0.0, 0.0, z - depth])
    };
    model.body(block("low", 0.05));
    model.body(block("high", 0.15 - depth));
    model.body(Body::sphere("alone", 0.1).position([3.0, 0.0, 1.0]));
    model.build().expect("two blocks on a floor")
}

#[test]
fn overlaps_are_named_with_their_depth() {
    let found = scene(0.01).overlaps();
    let pairs: Vec<_> = found.iter().map(|o| (o.names.clone(), o.depth)).collect();
    assert_eq!(pairs.len(), 2, "{pairs:?}");
    for (names, depth) in &pairs {
        assert!(names.contains(&"low".to_owned()), "{names:?}");
        assert!((depth - 0.01).abs() < 1e-12, "{depth}");
    }
    for with in ["floor", "high"] {
        assert!(pairs.iter().any(|(names, _)| names.contains(&with.to_owned())), "{with}");
    }
    assert!(scene(0.0).overlaps().is_empty() && scene(-0.1).overlaps().is_empty());
    assert!(found[0].to_string().contains("overlap by 1.000e-2 m"), "{}", found[0]);
}

#[test]
fn parting_them_costs_their_lift_and_leaves_the_rest_alone() {
    let mut world = World::new(scene(0.01));
    let before = world.energy().total();
    let alone = world.body_named("alone").expect("a ball");
    let at = world.pose(alone);
    assert!(world.separate().is_empty());
    let z =
        |world: &World, name: &str| world.pose(world.body_named(name).expect("a body")).position.z;
    assert!((z(&world, "low") - 0.05).abs() < 1e-6 && (z(&world, "high") - 0.15).abs() < 1e-6);
    // 2·10·0.01 for the lower and 2·10·0.02 for the higher, plus some 1e-8 m of clearance
    let lift = world.energy().total() - before;
    assert!((lift - 0.6).abs() < 1e-5, "{lift}");
    assert!((world.ledger().totals().supplied / lift - 1.0).abs() < 1e-12);
    assert_eq!(world.pose(alone), at);
    world.verify().expect("the books agree");
    for _ in 0..300 {
        assert!(world.step(1e-3, &Inputs::none()).gate.is_idle());
    }
    assert!((z(&world, "high") - 0.15).abs() < 1e-5, "they stay: {}", z(&world, "high"));
}

#[test]
fn joined_bodies_part_as_one_and_what_is_held_stays() {
    let mut model = Model::builder();
    model.contacts(0);
    let ball = |name: &str, x: f64| Body::sphere(name, 0.1).mass(1.0).position([x, 0.0, 0.0]);
    let ids = ["a", "b", "c"].map(|n| n.to_owned());
    let a = model.body(ball(&ids[0], 0.0));
    let b = model.body(ball(&ids[1], 0.5));
    let c = model.body(ball(&ids[2], 0.65));
    model.joint(Joint::distance(a.origin(), b.origin(), 0.5));
    let held = model.body(ball("held", 0.84));
    model.joint(Joint::ball(held.origin(), Anchor::world([0.84, 0.0, 0.0])));
    let mut world = World::new(model.build().expect("balls"));
    assert_eq!(world.model().overlaps().len(), 2);
    assert!(world.separate().is_empty());
    let x = |id: BodyId| world.pose(id).position.x;
    assert_eq!(x(held), 0.84);
    assert!((x(b) - x(a) - 0.5).abs() < 1e-12, "a rod keeps its length");
    assert!(x(c) <= 0.64 && x(b) <= x(c) - 0.2 && x(a) < -0.05);
}
