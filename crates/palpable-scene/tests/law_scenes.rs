//! Every scene in `scenes/` loads, builds and runs, stays finite, and closes its books.

use palpable_scene::{Built, Scene};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes")
}

fn scenes() -> Vec<PathBuf> {
    let entries =
        [folder(), folder().join("robots")].map(|f| std::fs::read_dir(f).expect("scenes"));
    let entries = entries.into_iter().flatten().map(|e| e.expect("entry").path());
    let is_scene = |p: &PathBuf| p.extension().is_some_and(|e| e == "toml" || e == "urdf");
    let mut paths: Vec<_> = entries.filter(is_scene).collect();
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

#[test]
fn mechanisms_begin_closed_and_stay_closed() {
    let names =
        ["double-pendulum.toml", "four-bar.toml", "chain.toml", "arm.toml", "robots/arm.urdf"];
    for name in names {
        let mut built = build(&folder().join(name));
        let mut world = built.world();
        let mut inputs = world.inputs();
        for step in 0..200 {
            built.script.inputs(world.time(), &mut inputs);
            let report = world.step(built.steps.next_length(), &inputs);
            // an open joint would be closed by the first step, from a gap as wide as the mistake
            let begins = step > 0 || report.gap_before < 1e-12;
            assert!(begins && report.gap < 1e-9, "{name}, step {step}: {report:?}");
        }
    }
}

#[test]
fn the_crank_of_the_four_bar_goes_all_the_way_round() {
    let mut built = build(&folder().join("four-bar.toml"));
    let mut world = built.world();
    let crank = world.body_named("crank").expect("a crank");
    let (mut inputs, mut angle) = (world.inputs(), 0.0);
    while !built.is_over(world.time()) {
        built.script.inputs(world.time(), &mut inputs);
        let h = built.steps.next_length();
        world.step(h, &inputs);
        angle += h * world.angular_velocity(crank).y;
    }
    // 300 mN·m against 50 mN·m·s/rad is 6 rad/s once it runs
    assert!(angle > 30.0 && angle < 36.0, "{angle}");
    assert!(world.audit().is_clean(), "{}", world.audit());
}

#[test]
fn the_arm_falls_and_all_its_energy_is_accounted_for() {
    let mut built = build(&folder().join("robots/arm.urdf"));
    let mut world = built.world();
    let (inputs, before) = (world.inputs(), world.energy());
    assert_eq!(built.robots[0].robot.mass(), 9.9);
    while !built.is_over(world.time()) {
        let report = world.step(built.steps.next_length(), &inputs);
        assert!(report.status.is_taken());
    }
    let (after, audit) = (world.energy(), world.audit());
    assert!(audit.is_clean(), "{audit}");
    // it has come down, and what gravity gave went into dampers, motion and the tank
    let given = before.gravity - after.gravity;
    let flows = world.ledger().totals();
    let found = after.kinetic + (after.tank - before.tank) + flows.damped + flows.discarded;
    assert!(given > 10.0 && (given - found).abs() < 1e-9 * given, "{given} J, {found} J");
}

#[test]
fn the_hand_is_ten_links_at_sixteen_points() {
    let model = build(&folder().join("hand.toml")).model;
    assert_eq!((model.bodies().len(), model.ports().len()), (10, 1));
    for body in &model.params().bodies {
        assert!(body.mass == 1e-3 && body.inertia.iter().all(|j| (j - 1e-3).abs() < 1e-18));
    }
    let joints = model.elements().iter().filter(|e| e.joint).count();
    let soft = model.params().elements.iter().filter(|e| e.stiffness.rows(0, 3).min() == 100.0);
    assert_eq!((joints, soft.count()), (16, 16));
}
