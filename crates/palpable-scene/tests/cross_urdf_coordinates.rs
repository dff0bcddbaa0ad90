//! A robot moves the same in maximal and in generalized coordinates, and followers follow in both.

use palpable::{Anchor, Model, Spring, Vec3, World};
use palpable_scene::urdf::{Base, Coordinates, Mount, Mounted};
use palpable_scene::{Robot, Scene};
use std::path::{Path, PathBuf};

const BOTH: [Coordinates; 2] = [Coordinates::Maximal, Coordinates::Generalized];

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(name)
}

/// A robot in a world, one of its links held by a spring.
fn mounted(robot: &Robot, mount: &Mount, held: &str) -> (Mounted, World) {
    let mut model = Model::ghosts();
    model.gravity([1.0, 2.0, -9.0]);
    let mounted = robot.mount(&mut model, mount).unwrap_or_else(|e| panic!("{e}"));
    let link = robot.link_named(held).expect("a link");
    let anchor = mounted.anchor(robot, link, [0.0; 3]).expect("an anchor");
    model.spring(Spring::point(anchor, Anchor::world([0.2, 0.3, 0.4])).stiffness(100.0));
    (mounted, World::new(model.build().unwrap_or_else(|e| panic!("{e}"))))
}

fn run(world: &mut World, h: f64, steps: usize) {
    let inputs = world.inputs();
    for _ in 0..steps {
        assert!(world.step(h, &inputs).status.is_taken());
    }
    assert!(world.audit().is_clean(), "{}", world.audit());
}

/// Where a link is.
fn at(robot: &Robot, mounted: &Mounted, world: &World, link: &str) -> Vec3 {
    let link = robot.link_named(link).expect("a link");
    let anchor = mounted.anchor(robot, link, [0.01, 0.02, 0.03]).expect("an anchor");
    let pose = world.pose(anchor.body.expect("a body"));
    pose.position + pose.rotation * anchor.point
}

#[test]
fn the_arm_moves_the_same_in_both_coordinates_to_second_order() {
    let robot = Robot::load(file("robots/arm.urdf")).unwrap_or_else(|e| panic!("{e}"));
    let positions = vec![(robot.joint_named("elbow").expect("an elbow"), 0.4)];
    for base in [Base::Fixed, Base::Free] {
        let gap = |steps: usize| {
            let [a, b] = BOTH.map(|coordinates| {
                let positions = positions.clone();
                let mount = Mount { coordinates, base, positions, ..Mount::default() };
                let (mounted, mut world) = mounted(&robot, &mount, "tool");
                run(&mut world, 0.1 / steps as f64, steps);
                ["tool", "left_finger", "right_finger"]
                    .map(|link| at(&robot, &mounted, &world, link))
            });
            (0..3).map(|i| (a[i] - b[i]).norm()).fold(0.0, f64::max)
        };
        // fingers of 50 g at 10 N s/m settle in 5 ms: steps well below that
        let gaps = [400, 800, 1600].map(gap);
        println!("{base:?}: {gaps:?} m");
        // it has moved by centimetres; halving the step twice makes a sixteenth of the gap, nearly:
        // nanometres are what the bounds of the fingers' joints leave
        assert!(gaps[2] < 1e-7, "{gaps:?}");
        assert!(gaps[0] / gaps[2] > 12.0, "{gaps:?}");
    }
}

/// A leader and four followers: on the leader itself, or on the base.
fn followers(parent: &str, leader: &str) -> String {
    let link = |name: &str| {
        format!(
            "<link name=\"{name}\"><inertial><origin xyz=\"0.1 0.02 0.05\"/><mass value=\"1\"/>\
             <inertia ixx=\"0.01\" iyy=\"0.02\" izz=\"0.02\"/></inertial></link>"
        )
    };
    let joint = |name: &str, kind: &str, parent: &str, mimic: &str| {
        format!(
            "<joint name=\"{name}\" type=\"{kind}\"><parent link=\"{parent}\"/>\
             <child link=\"{name}_link\"/><origin xyz=\"0.2 0 0\" rpy=\"0.3 0.2 0.1\"/>\
             <axis xyz=\"0.6 0 0.8\"/><limit lower=\"-9\" upper=\"9\"/>{mimic}</joint>"
        )
    };
    let mimic =
        |m: f64, o: f64| format!("<mimic joint=\"lead\" multiplier=\"{m}\" offset=\"{o}\"/>");
    let parts = [
        "<robot name=\"r\"><link name=\"base\"/>".to_owned(),
        ["lead", "a", "b", "c", "d"].map(|n| link(&format!("{n}_link"))).concat(),
        joint("lead", leader, "base", "<dynamics damping=\"0.1\"/>"),
        joint("a", "revolute", parent, &mimic(-2.0, 0.3)),
        joint("b", "prismatic", parent, &mimic(0.5, 0.1)),
        joint("c", "continuous", parent, &mimic(0.0, -0.2)),
        joint("d", "prismatic", parent, &mimic(0.0, 0.05)),
        "</robot>".to_owned(),
    ];
    parts.concat()
}

#[test]
fn followers_stay_where_their_leader_puts_them() {
    for (parent, leader) in [
        ("base", "continuous"),
        ("base", "prismatic"),
        ("lead_link", "continuous"),
        ("lead_link", "prismatic"),
    ] {
        let robot = Robot::parse(followers(parent, leader), "r.urdf");
        let robot = robot.unwrap_or_else(|e| panic!("{e}"));
        for coordinates in BOTH {
            let mount = Mount { coordinates, ..Mount::default() };
            let (mounted, mut world) = mounted(&robot, &mount, "a_link");
            assert_eq!(mounted.mimics.iter().flatten().count(), 4);
            let (mut furthest, inputs) = (0.0f64, world.inputs());
            for _ in 0..200 {
                assert!(world.step(1e-3, &inputs).status.is_taken());
                let q = |j| mounted.position(&robot, &world, j).expect("a position");
                furthest = furthest.max(q(0).abs());
                for (j, m, o) in [(1, -2.0, 0.3), (2, 0.5, 0.1), (3, 0.0, -0.2), (4, 0.0, 0.05)] {
                    let gap = q(j) - (m * q(0) + o);
                    // hard ties close to the tolerance of the projection
                    assert!(gap.abs() < 1e-9, "{parent} {leader} {coordinates:?} {j}: {gap:e}");
                }
            }
            assert!(furthest > 0.01, "{parent} {leader} {coordinates:?}: {furthest}");
            assert!(world.audit().is_clean(), "{}", world.audit());
        }
    }
}

#[test]
fn a_scene_chooses_the_coordinates() {
    let text = std::fs::read_to_string(file("arm.toml")).expect("the arm");
    let text =
        text.replace("name = \"arm\"\npos", "name = \"arm\"\ncoordinates = \"generalized\"\npos");
    let built = Scene::parse(text, file("x.toml")).and_then(|s| s.build());
    let mut built = built.unwrap_or_else(|e| panic!("{e}"));
    let mounted = &built.robots[0].mounted;
    assert_eq!(mounted.coordinates.iter().flatten().count(), 8);
    // one joint that follows another, six with stops
    assert_eq!((mounted.bodies.len(), mounted.elements.len()), (9, 7));
    let mut world = built.world();
    let mut inputs = world.inputs();
    for _ in 0..200 {
        built.script.inputs(world.time(), &mut inputs);
        assert!(world.step(built.steps.next_length(), &inputs).status.is_taken());
    }
    assert!(world.audit().is_clean(), "{}", world.audit());
    let planar = "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"><inertial>\
                  <mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link>\
                  <joint name=\"j\" type=\"planar\"><parent link=\"a\"/><child link=\"b\"/></joint>\
                  </robot>";
    let robot = Robot::parse(planar, "r.urdf").unwrap_or_else(|e| panic!("{e}"));
    let mount = Mount { coordinates: Coordinates::Generalized, ..Mount::default() };
    let error = robot.mount(&mut Model::ghosts(), &mount).expect_err("planar");
    assert!(error.to_string().contains("`j` is planar") && error.to_string().contains("maximal"));
}
