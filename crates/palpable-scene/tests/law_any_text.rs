//! Whatever the text, a scene is read or refused with places: nothing panics, and what is accepted
//! can be stepped.

mod common;

use palpable_scene::{Scene, SceneErrors};
use proptest::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes")
}

/// The scenes of the repository, as TOML and as JSON, read once.
static SEEDS: LazyLock<Vec<String>> = LazyLock::new(seeds);

fn seeds() -> Vec<String> {
    let paths = std::fs::read_dir(folder()).expect("scenes").map(|e| e.expect("entry").path());
    let mut paths: Vec<_> = paths.filter(|p| p.extension().is_some_and(|e| e == "toml")).collect();
    paths.sort();
    let scenes = paths.iter().map(|p| Scene::load(p).unwrap_or_else(|e| panic!("{e}")));
    scenes.flat_map(|s| [s.text().to_owned(), s.to_json().to_string()]).collect()
}

/// Pieces that are likely to hurt.
const PIECES: [&str; 42] = [
    "nan",
    "-1",
    "0",
    "inf",
    "1e308",
    "-1e-320",
    "1e999",
    "\"2 kN/m\"",
    "\"5 deg\"",
    "\"1 m^9\"",
    "\"\"",
    "[]",
    "{}",
    "[[]]",
    "true",
    "1979-05-27",
    "null",
    "\"ball\"",
    "\"mass\"",
    "\"hard\"",
    "9223372036854775808",
    "\n[[body]]\n",
    "\n[[spring]]\n",
    "\n[[joint]]\n",
    "\n[[port]]\n",
    "\n[step]\n",
    "=",
    ",",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "\\",
    "\u{0}",
    "é",
    "\u{1F980}",
    "name",
    "a.b.c = 1\n",
    "body",
    "\r",
    "#",
];

/// One edit: where (as a share of the text), how many characters to drop, what to insert.
type Edit = (f64, usize, usize);

fn apply(text: &str, edits: &[Edit]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for (share, drop, piece) in edits {
        let at = (share * chars.len() as f64) as usize;
        let end = (at + drop).min(chars.len());
        chars.splice(at..end, PIECES[*piece % PIECES.len()].chars());
    }
    chars.into_iter().collect()
}

/// Reads, builds and steps a text; errors must have a place, a message and a cure.
fn exercise(text: &str) {
    let origin = folder().join("fuzzed.toml");
    let built = Scene::parse(text, &origin).and_then(|scene| {
        assert!(Scene::parse(scene.to_toml(), &origin).is_ok(), "{}", scene.to_toml());
        scene.build()
    });
    match built {
        Ok(mut built) => {
            let mut world = built.world();
            let mut inputs = world.inputs();
            for _ in 0..3 {
                built.script.inputs(world.time(), &mut inputs);
                let _ = world.step(built.steps.next_length(), &inputs);
            }
        }
        Err(SceneErrors(errors)) => {
            assert!(!errors.is_empty());
            for error in &errors {
                assert!(!error.message.is_empty() && !error.cure.is_empty(), "{error}");
                assert!(error.line <= text.matches('\n').count() + 1 || error.file != origin);
                assert!(!error.to_string().is_empty());
            }
        }
    }
}

proptest! {
    #![proptest_config(common::cases(1000))]

    #[test]
    fn a_spoiled_scene_is_refused_or_runs_but_never_panics(
        seed in 0usize..1000,
        edits in prop::collection::vec((0.0..1.0f64, 0usize..12, 0usize..1000), 1..4),
    ) {
        exercise(&apply(&SEEDS[seed % SEEDS.len()], &edits));
    }

    #[test]
    fn a_value_exchanged_for_another_is_refused_or_runs_but_never_panics(
        seed in 0usize..1000,
        swaps in prop::collection::vec((0usize..10_000, 0usize..1000), 1..6),
    ) {
        let text = &SEEDS[seed % SEEDS.len()];
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        for (line, piece) in swaps {
            let line = line % lines.len();
            if let Some((key, _)) = lines[line].clone().split_once('=') {
                lines[line] = format!("{key}= {}", PIECES[piece % 21]);
            }
        }
        exercise(&lines.join("\n"));
    }

    #[test]
    fn any_text_at_all_is_answered(text in "\\PC{0,200}") {
        exercise(&text);
        exercise(&format!("{{{text}"));
    }
}
