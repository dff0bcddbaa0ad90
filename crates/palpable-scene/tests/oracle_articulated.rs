//! Chains, beams, tendons and motors of a scene are those of the engine; mistakes are found at
//! their lines, all at once.

use palpable::{Beam, Chain, Inputs, Link, Mat3, Model, PortInput, Rotation, Spring, Vec3, World};
use palpable_scene::{Built, Scene};
use std::path::Path;

fn load(name: &str) -> Built {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(name);
    Scene::load(&path).and_then(|s| s.build()).unwrap_or_else(|errors| panic!("{errors}"))
}

fn build(text: &str) -> Built {
    let scene = Scene::parse(format!("version = 1\n{text}"), "scene.toml");
    scene.and_then(|s| s.build()).unwrap_or_else(|errors| panic!("{errors}"))
}

#[test]
fn the_arm_of_the_scene_is_the_arm_of_the_engine() {
    let mut built = load("arm-two-link.toml");
    let mut scene = built.world();
    let inertia = Mat3::from_diagonal(&Vec3::new(2e-4, 0.083333333, 0.083333333));
    let link = |name: &str| Link::revolute(name).inertia(1.0, [0.5, 0.0, 0.0], inertia);
    let mut chain = Chain::new("arm");
    let upper = chain.link(link("upper").start(1.0, 2.0));
    let lower = link("lower").on(upper).at([1.0, 0.0, 0.0], Rotation::identity());
    chain.link(lower.start(-0.5, -3.0));
    let mut model = Model::ghosts();
    let id = model.chain(chain);
    model.spring(Spring::coordinate(id, 0).stiffness(10.0));
    model.spring(Spring::coordinate(id, 1).stiffness(5.0));
    let mut engine = World::new(model.build().expect("an arm"));
    let start = scene.energy().total();
    for _ in 0..1000 {
        let h = built.steps.next_length();
        let _ = scene.step(h, &Inputs::none());
        let _ = engine.step(h, &Inputs::none());
    }
    let (a, b) = (scene.body_named("lower"), engine.body_named("lower"));
    let [a, b] = [scene.pose(a.expect("a link")), engine.pose(b.expect("a link"))];
    assert!((a.position - b.position).norm() < 1e-12, "{a:?} {b:?}");
    assert!((scene.energy().total() / start - 1.0).abs() < 1e-12);
}

#[test]
fn links_begin_where_points_orientations_and_axes_say() {
    let built = build(
        r#"
        [[chain]]
        name = "c"
        position = [1, 2, 3]
        orientation = { axis = [0, 0, 1], angle = "90 deg" }
        [[chain.link]]
        name = "slider"
        kind = "prismatic"
        axis = [2, 0, 0]
        position = "50 cm"
        mass = 1
        inertia = [1, 1, 1]
        [[chain.link]]
        name = "arm"
        point = [0, 0, 1]
        axis = [0, -1, 0]
        position = "90 deg"
        mass = 1
        inertia = [1, 1, 1]
        [[chain.link]]
        name = "twin"
        parent = "slider"
        axis = [0, 0, -1]
        position = "30 deg"
        mass = 1
        inertia = [1, 1, 1]
        [[port]]
        name = "hold"
        kind = "reference"
        body = "arm"
        stiffness = 100
        "#,
    );
    let world = built.world();
    let pose = |name: &str| world.pose(world.body_named(name).expect("a link"));
    // the slider's x points along y of the world
    assert!((pose("slider").position - Vec3::new(1.0, 2.5, 3.0)).norm() < 1e-15);
    let arm = pose("arm");
    assert!((arm.position - Vec3::new(1.0, 2.5, 4.0)).norm() < 1e-15);
    // about −y by a quarter: its x points up
    assert!((arm.rotation * Vec3::x() - Vec3::z()).norm() < 1e-15, "{arm:?}");
    let twin = pose("twin").rotation * Vec3::x();
    assert!((twin - Vec3::new(0.5, 0.75f64.sqrt(), 0.0)).norm() < 1e-15, "{twin:?}");
    // a reference port begins without force
    assert_eq!(world.energy().elastic, 0.0);
}

#[test]
fn the_beam_of_the_scene_has_the_frequencies_of_its_section() {
    let built = load("beam.toml");
    let beam = Beam::rectangular("beam", [0.907, 0.05, 0.012], 2698.09, 68.9e9);
    let mass = 2698.09 * 0.907 * 0.05 * 0.012;
    for i in 0..3 {
        let stiffness = built.model.params().elements[i].stiffness[0];
        let expected = mass * beam.frequency(i).powi(2);
        assert!((stiffness / expected - 1.0).abs() < 1e-12, "{stiffness} {expected}");
        assert_eq!(built.record.springs[i].name, format!("beam mode {}", i + 1));
    }
    // the box begins at the tip
    let world = built.world();
    let at = |name: &str| world.pose(world.body_named(name).expect("a body")).position;
    assert!((at("beam 9") - at("box")).norm() < 1e-9);
    assert_eq!(built.record.springs[3].name, "tip");
}

#[test]
fn the_finger_curls_to_the_balance_of_its_tendons() {
    let mut built = load("finger.toml");
    let mut world = built.world();
    while !built.is_over(world.time()) {
        let _ = world.step(built.steps.next_length(), &Inputs::none());
    }
    // minimum of ½ Σ k (r·q − rest)²: two active, three passive tendons
    let rows = [
        ([0.010, 0.008, 0.006], 100.0, 0.012),
        ([0.008, 0.0, 0.0], 100.0, 0.003),
        ([0.01, 0.0, 0.0], 10.0, 0.0),
        ([0.0, 0.01, 0.0], 10.0, 0.0),
        ([0.0, 0.0, 0.01], 10.0, 0.0),
    ];
    let (mut k, mut f) = (Mat3::zeros(), Vec3::zeros());
    for (radii, stiffness, rest) in rows {
        let r = Vec3::from(radii);
        k += r * r.transpose() * stiffness;
        f += r * stiffness * rest;
    }
    let balance = k.try_inverse().expect("every joint is held") * f;
    let strain = |name: &str| {
        let place = built.record.springs.iter().find(|s| s.name == name).expect("a tendon");
        world.strain(place.id)[0]
    };
    let near = strain("back of the near joint") / 0.01;
    let far = strain("back of the far joint") / 0.01;
    println!("{near} {far} {balance:?}");
    assert!((near - balance.x).abs() < 1e-3 && (far - balance.z).abs() < 1e-3);
}

#[test]
fn motors_on_links_and_between_bodies_do_what_their_scripts_say() {
    let built = build(
        r#"
        [[chain]]
        name = "c"
        link = [{ name = "rotor", mass = 1, inertia = [1, 1, 2] }]
        [[body]]
        name = "cart"
        shape = { box = { size = [1, 1, 1] } }
        mass = 2
        [[joint]]
        kind = "prismatic"
        a = { body = "cart" }
        b = { world = [0, 0, 0] }
        [[motor]]
        name = "spin"
        link = "rotor"
        input = { constant = { effort = "500 mN m" } }
        [[motor]]
        name = "push"
        kind = "slide"
        a = { body = "cart" }
        b = { world = [0, 0, 0] }
        damping = "10 N s/m"
        input = { sine = { kind = "rate", frequency = "0.25 Hz", amplitude = "2 m/s", phase = 1 } }
        "#,
    );
    let mut world = built.world();
    let mut inputs = world.inputs();
    built.script.inputs(0.0, &mut inputs);
    let [spin, push] = ["spin", "push"].map(|n| world.port_named(n).expect("a motor"));
    assert_eq!(inputs.get(spin), PortInput::Effort(0.5));
    assert_eq!(inputs.get(push), PortInput::Rate(2.0 * 1f64.sin()));
    for _ in 0..1000 {
        let _ = world.step(1e-3, &inputs);
    }
    let rotor = world.body_named("rotor").expect("a link");
    // torque over inertia, and the exponential of a constant rate
    assert!((world.angular_velocity(rotor).z - 0.25).abs() < 1e-10);
    let cart = world.velocity(world.body_named("cart").expect("a body")).z;
    let expected = 2.0 * 1f64.sin() * (1.0 - (-5.0f64).exp());
    assert!((cart - expected).abs() < 1e-4, "{cart} {expected}");
}

const WRONG: &str = r#"version = 1
[[chain]]
name = "c"
[[chain.link]]
name = "a"
mass = 1
inertia = [1, 1, 3]
[[chain.link]]
name = "b"
parent = "z"
mass = 1
inertia = [1, 1, 1]
[[chain]]
name = "d"
[[chain.link]]
name = "e"
mass = 1
inertia = [1, 1, 1]
axis = [0, 0, 0]
[[chain]]
name = "f"
link = [{ name = "g", mass = 1, inertia = [1, 1, 1], velocity = "2 m/s" }]
[[chain]]
name = "good"
link = [{ name = "one", mass = 1, inertia = [1, 1, 1] }]
[[beam]]
name = "bent"
length = 1
young = 7e10
[[beam]]
name = "many"
length = 1
mass = 1
rigidity = 1
modes = 40
[[tendon]]
chain = "goood"
radii = [0.1]
stiffness = 1
[[tendon]]
chain = "good"
radii = [0.1, 0.1]
stiffness = 1
[[motor]]
name = "m"
link = "one"
input = { constant = { rate = 1 } }
[[motor]]
name = "n"
[[motor]]
name = "o"
link = "two"
[[motor]]
name = "p"
link = "one"
input = { constant = { effort = "2 N" } }
"#;

#[test]
fn every_mistake_is_found_at_its_line_and_all_at_once() {
    let errors = Scene::parse(WRONG.to_owned(), "scene.toml").and_then(|s| s.build());
    let errors = errors.expect_err("many mistakes");
    let expected = [
        (7, "inertia"),
        (10, "no link `z` before"),
        (19, "axis is zero"),
        (22, "the unit is m s^-1"),
        (26, "section"),
        (30, "40 modes"),
        (37, "no chain `goood`"),
        (42, "2 radii for 1 joint"),
        (47, "rate without damping"),
        (48, "a motor drives"),
        (52, "no chain or robot moves a link `two`"),
        (56, "the unit is"),
    ];
    let found: Vec<String> = errors.0.iter().map(|e| format!("{}: {e}", e.line)).collect();
    for (line, words) in expected {
        let one = errors.0.iter().any(|e| e.line == line && e.to_string().contains(words));
        assert!(one, "line {line}, {words}: {found:#?}");
    }
    assert_eq!(errors.0.len(), expected.len(), "{found:#?}");
}
