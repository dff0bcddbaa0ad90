//! Every scene in `scenes/` loads, builds and runs, stays finite, and closes its books.

use palpable_scene::{Built, Scene};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes")
}

fn scenes() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder()).expect("scenes").map(|e| e.expect("entry").path());
    let mut paths: Vec<_> =
        entries.filter(|p| p.extension().is_some_and(|e| e == "toml")).collect();
    paths.sort();
    paths
}

fn build(path: &Path) -> Built {
    Scene::load(path).and_then(|s| s.build()).unwrap_or_else(|errors| panic!("{errors}"))
}

#[test]
fn every_scene_runs_two_hundred_steps_with_its_books_closed() {
    let scenes = scenes();
    assert!(!scenes.is_empty());
    for path in scenes {
        let mut built = build(&path);
        let mut world = built.world();
        let mut inputs = world.inputs();
        for _ in 0..200 {
            built.script.inputs(world.time(), &mut inputs);
            let report = world.step(built.steps.next_length(), &inputs);
            assert!(report.status.is_taken(), "{}: {report:?}", path.display());
        }
        assert!(world.energy().total().is_finite(), "{}", path.display());
        assert!(world.audit().is_clean(), "{}: {}", path.display(), world.audit());
    }
}
