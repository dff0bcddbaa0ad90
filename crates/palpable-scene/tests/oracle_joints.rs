//! What a scene says about joints is what the engine gets: kind, rows, frames and lengths.

use palpable::{Anchor, Body, Inputs, Joint, Model, Rotation, Vec3, Vec6, World};
use palpable_scene::{Built, Scene};

const BAR: &str = "version = 1\ngravity = [1, 2, -9.81]\n[[body]]\nname = \"bar\"\n\
                   shape = { box = { size = [0.2, 0.06, 0.04] } }\nmass = 0.3\n\
                   angular_velocity = [1, -2, 3]\n[[joint]]\nname = \"pin\"\n\
                   a = { body = \"bar\", point = [0.1, 0, 0] }\n\
                   b = { world = [0.1, 0, 0], orientation = { euler_xyz = [0.2, 0, 0] } }\n";

fn read(text: &str) -> Scene {
    Scene::parse(text, "joints.toml").unwrap_or_else(|errors| panic!("{errors}"))
}

fn build(text: &str) -> Built {
    read(text).build().unwrap_or_else(|errors| panic!("{errors}"))
}

fn rows(text: &str) -> [Vec<f64>; 2] {
    let built = build(&format!("{BAR}{text}"));
    let (element, kind) = (built.model.params().elements[0], &built.model.elements()[0].kind);
    [element.stiffness, element.damping].map(|v| v.as_slice()[..kind.rows()].to_vec())
}

/// The bar of the scene, joined by hand.
fn by_hand(make: Make, change: impl Fn(Joint) -> Joint) -> World {
    let mut model = Model::builder();
    model.gravity([1.0, 2.0, -9.81]);
    let bar = Body::cuboid("bar", [0.1, 0.03, 0.02]).mass(0.3);
    let bar = model.body(bar.angular_velocity([1.0, -2.0, 3.0]));
    let turn = Rotation::from_scaled_axis(Vec3::x() * 0.2);
    let hook = Anchor::world([0.1, 0.0, 0.0]).turned(turn);
    model.joint(change(make(bar.at([0.1, 0.0, 0.0]), hook)).named("pin"));
    World::new(model.build().expect("a valid model"))
}

fn same_motion(mut a: World, mut b: World) -> bool {
    for _ in 0..20 {
        let _ = a.step(1e-3, &Inputs::none());
        let _ = b.step(1e-3, &Inputs::none());
    }
    a.state_hash() == b.state_hash()
}

type Make = fn(Anchor, Anchor) -> Joint;
const KINDS: [(&str, Make, usize); 8] = [
    ("ball", Joint::ball, 3),
    ("hinge", Joint::hinge, 5),
    ("universal", Joint::universal, 4),
    ("fixed", Joint::fixed, 6),
    ("prismatic", Joint::prismatic, 5),
    ("cylindrical", Joint::cylindrical, 4),
    ("planar", Joint::planar, 3),
    ("distance", |a, b| Joint::distance(a, b, 0.3), 1),
];

fn kind_of(name: &str) -> String {
    let length = if name == "distance" { "length = \"30 cm\"\n" } else { "" };
    format!("kind = \"{name}\"\n{length}")
}

#[test]
fn a_joint_of_a_scene_moves_as_the_same_joint_made_by_hand() {
    for (name, make, count) in KINDS {
        let scene = build(&format!("{BAR}{}stiffness = 80\ndamping = 0.1", kind_of(name)));
        assert_eq!(scene.model.elements()[0].kind.rows(), count, "{name}");
        let hand = by_hand(make, |j| j.stiffness(80.0).damping(0.1));
        assert!(same_motion(scene.world(), hand), "{name}");
        let scene = build(&format!("{BAR}{}", kind_of(name)));
        assert!(same_motion(scene.world(), by_hand(make, |j| j)), "{name}, hard");
    }
}

#[test]
fn a_joint_is_hard_unless_it_has_a_stiffness() {
    let hard = f64::INFINITY;
    for text in ["", "stiffness = \"hard\"", "stiffness = {}"] {
        for (name, _, count) in KINDS {
            let [stiffness, damping] = rows(&format!("{}{text}", kind_of(name)));
            assert_eq!((stiffness, damping), (vec![hard; count], vec![0.0; count]), "{name}");
        }
    }
    assert_eq!(rows("kind = \"ball\"\nstiffness = \"2 kN/m\"")[0], [2e3; 3]);
}

#[test]
fn offsets_come_before_rotations_in_every_kind() {
    let (k, hard) = (3.0, f64::INFINITY);
    for (name, linear, angular) in
        [("hinge", 3, 2), ("universal", 3, 1), ("fixed", 3, 3), ("prismatic", 2, 3)]
    {
        let both = "stiffness = { linear = \"3 N/m\", angular = \"5 N m/rad\" }\n\
                    damping = { linear = \"1 N s/m\", angular = \"2 N m s/rad\" }";
        let expected = |a: f64, b: f64| [vec![a; linear], vec![b; angular]].concat();
        let found = rows(&format!("kind = \"{name}\"\n{both}"));
        assert_eq!(found, [expected(k, 5.0), expected(1.0, 2.0)], "{name}");
        let found = rows(&format!("kind = \"{name}\"\nstiffness = {{ angular = 5 }}"));
        assert_eq!(found[0], expected(hard, 5.0), "{name}");
        let text = "stiffness = { linear = 3, angular = \"hard\" }";
        assert_eq!(rows(&format!("kind = \"{name}\"\n{text}"))[0], expected(k, hard), "{name}");
    }
}

#[test]
fn joints_are_recorded_beside_springs_and_rods_start_with_their_strain() {
    let text = format!("{BAR}kind = \"distance\"\nlength = 0.3\nstiffness = 10");
    let built = build(&text.replace("name = \"pin\"\n", ""));
    assert_eq!(built.record.springs[0].name, "joint 1");
    // the two points coincide, so the rod is 30 cm too short
    let strain = built.world().strain(built.record.springs[0].id);
    assert_eq!(strain, Vec6::new(-0.3, 0.0, 0.0, 0.0, 0.0, 0.0));
}

#[test]
fn joints_written_out_again_mean_the_same() {
    let soft = "stiffness = { linear = \"hard\", angular = \"2 N m/rad\" }\n\
                damping = { angular = 0.5 }";
    for text in ["kind = \"ball\"", "kind = \"hinge\"\nstiffness = \"hard\"", soft] {
        let kind = if text == soft { "kind = \"fixed\"\n" } else { "" };
        let scene = read(&format!("{BAR}{kind}{text}"));
        let again = read(&scene.to_toml());
        assert_eq!(again.to_json(), scene.to_json());
        let [first, second] = [&scene, &again].map(|s| s.build().expect("good").world());
        assert!(same_motion(first, second), "{text}");
    }
}
