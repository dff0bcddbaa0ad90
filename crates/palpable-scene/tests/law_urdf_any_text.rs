//! Whatever the text, a robot is read or refused with places: nothing panics, and what is accepted
//! can be stepped.

mod common;

use palpable::{Model, World};
use palpable_scene::urdf::{Coordinates, JointKind, Mount};
use palpable_scene::{Robot, Scene, SceneErrors};
use proptest::prelude::*;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/robots")
}

fn arm() -> String {
    std::fs::read_to_string(folder().join("arm.urdf")).expect("the arm")
}

/// Pieces that are likely to hurt.
const PIECES: [&str; 28] = [
    "nan",
    "-1",
    "0",
    "inf",
    "1e308",
    "-1e-320",
    "1e999",
    "0 0 0",
    "1 2",
    "",
    "base",
    "palm",
    "arm.urdf",
    "meshes/../meshes/flange.stl",
    "package://robots/meshes/flange.stl",
    "package://",
    "floating",
    "planar",
    "fixed",
    "left_grip",
    "<",
    ">",
    "/>",
    "\"",
    "&amp;",
    "<link name=\"x\"/>",
    "é",
    "\u{0}",
];

/// Reads, builds and steps a text; errors must have a place, a message and a cure.
fn exercise(text: &str) {
    let origin = folder().join("fuzzed.urdf");
    match Scene::parse(text, &origin).and_then(|scene| scene.build()) {
        Ok(built) => {
            let mut world = built.world();
            let inputs = world.inputs();
            for _ in 0..3 {
                let _ = world.step(1e-3, &inputs);
            }
            assert_eq!(built.robots.len(), 1);
            step_generalized(&built.robots[0].robot);
        }
        Err(SceneErrors(errors)) => {
            assert!(!errors.is_empty());
            for error in &errors {
                assert!(!error.message.is_empty() && !error.cure.is_empty(), "{error}");
                assert!(error.line <= text.matches('\n').count() + 1, "{error}");
                assert!(error.line > 0 && error.file == origin, "{error}");
            }
        }
    }
}

/// The same robot in joint coordinates; only planar joints and more than 300 of any are refused.
fn step_generalized(robot: &Robot) {
    let mut model = Model::ghosts();
    let mount = Mount { coordinates: Coordinates::Generalized, ..Mount::default() };
    if robot.mount(&mut model, &mount).is_err() {
        let planar = robot.joints.iter().any(|joint| joint.kind == JointKind::Planar);
        assert!(planar || robot.joints.len() > 300);
        return;
    }
    if let Ok(model) = model.build() {
        let mut world = World::new(model);
        let inputs = world.inputs();
        for _ in 0..3 {
            let _ = world.step(1e-3, &inputs);
        }
    }
}

proptest! {
    #![proptest_config(common::cases(500))]

    #[test]
    fn a_spoiled_robot_is_refused_or_runs_but_never_panics(
        edits in prop::collection::vec((0.0..1.0f64, 0usize..12, 0usize..1000), 1..4),
    ) {
        let mut chars: Vec<char> = arm().chars().collect();
        for (share, drop, piece) in edits {
            let at = (share * chars.len() as f64) as usize;
            let end = (at + drop).min(chars.len());
            chars.splice(at..end, PIECES[piece % PIECES.len()].chars());
        }
        exercise(&chars.into_iter().collect::<String>());
    }

    #[test]
    fn an_attribute_exchanged_for_another_is_refused_or_runs_but_never_panics(
        swaps in prop::collection::vec((0usize..10_000, 0usize..1000), 1..5),
    ) {
        let text = arm();
        // every second piece between quotes is a value
        let mut pieces: Vec<&str> = text.split('"').collect();
        for (value, piece) in swaps {
            let value = 2 * (value % (pieces.len() / 2)) + 1;
            pieces[value] = PIECES[piece % 20];
        }
        exercise(&pieces.join("\""));
    }

    #[test]
    fn lines_left_out_are_missed_or_not_but_never_panic(
        lines in prop::collection::vec(0usize..10_000, 1..4),
    ) {
        let text = arm();
        let mut kept: Vec<&str> = text.lines().collect();
        for line in lines {
            kept.remove(line % kept.len());
        }
        exercise(&kept.join("\n"));
    }

    #[test]
    fn any_text_at_all_is_answered(text in "\\PC{0,200}") {
        exercise(&format!("<{text}"));
        exercise(&format!("<robot name=\"r\">{text}</robot>"));
    }
}

#[test]
fn deep_and_wide_files_are_read_without_end_of_stack() {
    exercise(&format!("<robot name=\"r\">{}", "<link name=\"a\">".repeat(100_000)));
    let nested = "<a>".repeat(20_000) + &"</a>".repeat(20_000);
    exercise(&format!("<robot name=\"r\"><link name=\"a\"/>{nested}</robot>"));
    let mass = "<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial>";
    let mut chain = String::from("<robot name=\"r\"><link name=\"l0\"/>");
    for i in 1..400 {
        let (parent, kind) = (i - 1, if i % 2 == 0 { "fixed" } else { "continuous" });
        chain.push_str(&format!(
            "<link name=\"l{i}\">{mass}</link><joint name=\"j{i}\" type=\"{kind}\">\
             <parent link=\"l{parent}\"/><child link=\"l{i}\"/></joint>"
        ));
    }
    exercise(&(chain + "</robot>"));
}
