//! Gears, racks, couplings, elliptic joints, dry friction and tables of motors in scene files: they
//! tie what they say, hold what they should, and every mistake is found.

use palpable::World;
use palpable_scene::{Built, Scene};
use std::path::Path;

fn load(name: &str) -> Built {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(name);
    Scene::load(path).and_then(|s| s.build()).unwrap_or_else(|errors| panic!("{errors}"))
}

/// Runs a scene until `time` [s].
fn run(built: &mut Built, world: &mut World, time: f64) {
    let mut inputs = world.inputs();
    while world.time() < time - 1e-9 {
        built.script.inputs(world.time(), &mut inputs);
        let report = world.step(built.steps.next_length(), &inputs);
        assert!(report.status.is_taken(), "{report:?}");
    }
}

#[test]
fn a_pinion_turns_its_wheel_and_moves_its_rack() {
    let mut built = load("gears.toml");
    let mut world = built.world();
    let [pinion, wheel, rack] = ["pinion", "wheel", "rack"].map(|n| world.body_named(n).unwrap());
    for time in [1.0, 1.4, 2.6] {
        run(&mut built, &mut world, time);
        let rate = world.angular_velocity(pinion).z;
        // hard ties: as exact as the midpoint of a turning frame
        assert!((world.angular_velocity(wheel).z + 0.5 * rate).abs() < 1e-6, "{time}");
        assert!((world.velocity(rack).y + 0.02 * rate).abs() < 1e-7, "{time}");
        // the table asks for 3 rad/s, then -3; friction of the wheel, seen through a ratio of 2,
        // takes 1 mN·m of 50 mN·m·s/rad
        let asked = if time < 2.0 { 3.0 } else { -3.0 };
        let lag = 1e-3 / 0.05;
        assert!((rate - asked).abs() < 1.2 * lag && (rate - asked).abs() > 0.8 * lag, "{rate}");
    }
    assert!(world.audit().is_clean(), "{}", world.audit());
    assert!(world.ledger().totals().friction > 0.0);
}

#[test]
fn a_coupled_finger_bends_as_tied_and_stays_where_friction_holds_it() {
    let mut built = load("coupled-finger.toml");
    assert_eq!(built.model.ports()[0].limit, 9e-3);
    let mut world = built.world();
    let near = world.body_named("near").unwrap();
    let angle = |w: &World, name: &str| {
        let turn = w.pose(w.body_named(name).unwrap()).rotation;
        turn.scaled_axis().dot(&-palpable::Vec3::y())
    };
    run(&mut built, &mut world, 0.3);
    let held = angle(&world, "near");
    assert!(held > 0.05, "{held}");
    // the far link is turned by both joints
    assert!((angle(&world, "far") - 1.8 * held).abs() < 1e-8, "{}", angle(&world, "far"));
    run(&mut built, &mut world, 1.0);
    assert!((angle(&world, "near") - held).abs() < 1e-9, "{held} {}", angle(&world, "near"));
    assert!(world.angular_velocity(near).norm() < 1e-9);
}

#[test]
fn an_elliptic_joint_is_four_points_on_springs() {
    let mut built = load("bushing.toml");
    let names: Vec<_> = built.record.springs.iter().map(|s| s.name.clone()).collect();
    assert_eq!(names, ["bushing 1", "bushing 2", "bushing 3", "bushing 4"]);
    let mut world = built.world();
    run(&mut built, &mut world, 2.0);
    // it hangs by its weight over the four springs
    let plate = world.body_named("plate").unwrap();
    let sag = 0.2 - world.pose(plate).position.z;
    assert!((sag - 0.5 * 9.81 / 4.0 / 5e3).abs() < 1e-7, "{sag}");
}

const GEARED: &str = r#"version = 1
[[body]]
name = "one"
mass = 1
inertia = [1, 1, 1]
[[chain]]
name = "arm"
[[chain.link]]
name = "upper"
mass = 1
inertia = [1, 1, 1]
[[chain.link]]
name = "fore"
mass = 1
inertia = [1, 1, 1]
"#;

#[test]
fn mistakes_in_gears_joints_and_motors_are_found() {
    let world = "{ world = [0, 0, 0] }";
    let ends = format!("a = {{ body = \"one\" }}\nb = {world}\nc = {{ body = \"fore\" }}\n");
    let cases: [(String, &str, &str); 13] = [
        (format!("[[gear]]\n{ends}d = {world}\n"), "`ratio` is missing", "ratio"),
        (format!("[[gear]]\nratio = 1\n{ends}"), "two pairs of ends", "links"),
        ("[[gear]]\nratio = 1\nlinks = [\"uper\", \"fore\"]\n".into(), "`uper`", "`upper`"),
        ("[[gear]]\nratio = 1\nlinks = [\"upper\"]\n".into(), "1 links", "two"),
        (
            "[[gear]]\nratio = 1\nlinks = [\"fore\", \"fore\"]\n".into(),
            "not different links",
            "one chain",
        ),
        (
            "[[gear]]\nratio = 1\nlinks = [\"upper\", \"fore\"]\nkind = \"rack\"\n".into(),
            "say what is tied",
            "kind",
        ),
        (
            "[[gear]]\nratio = 1\nlinks = [\"upper\", \"fore\"]\ndamping = 1\n".into(),
            "nothing to damp",
            "stiffness",
        ),
        (
            format!("[[joint]]\nkind = \"elliptic\"\na = {{ body = \"one\" }}\nb = {world}\n"),
            "`reach` is missing",
            "reach",
        ),
        (
            format!(
                "[[joint]]\nkind = \"elliptic\"\na = {{ body = \"one\" }}\nb = {world}\n\
                 reach = [0.1, 0.1]\n"
            ),
            "same thing twice",
            "fixed",
        ),
        (
            format!(
                "[[joint]]\nkind = \"hinge\"\na = {{ body = \"one\" }}\nb = {world}\n\
                 friction = \"-1 N m\"\n"
            ),
            "would drive",
            "0 or more",
        ),
        (
            "[[motor]]\nname = \"m\"\nlink = \"fore\"\nlimit = -1\n".into(),
            "limit is -1",
            "0 or more",
        ),
        (
            "[[motor]]\nname = \"m\"\nlink = \"fore\"\ndamping = 1\nlimit = 1\n".into(),
            "no limit yet",
            "effort",
        ),
        (
            "[[motor]]\nname = \"m\"\nlink = \"fore\"\ninput = { table = { file = \"no.csv\" } }\n"
                .into(),
            "cannot read",
            "path",
        ),
    ];
    for (text, message, cure) in cases {
        let scene = Scene::parse(format!("{GEARED}{text}"), "x.toml");
        let errors = scene.and_then(|s| s.build()).expect_err(&text);
        let found =
            |e: &palpable_scene::SceneError| e.message.contains(message) && e.cure.contains(cure);
        assert!(errors.0.iter().any(found), "{text}: {errors}");
    }
}

#[test]
fn a_table_of_a_motor_has_one_column_besides_the_time() {
    let folder = std::env::temp_dir().join(format!("palpable-motor-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("two.csv"), "time,effort,rate\n0,1,2\n").expect("written");
    let text =
        "[[motor]]\nname = \"m\"\nlink = \"fore\"\ninput = { table = { file = \"two.csv\" } }\n";
    let scene = Scene::parse(format!("{GEARED}{text}"), folder.join("x.toml"));
    let errors = scene.and_then(|s| s.build()).expect_err("two columns");
    assert!(errors.to_string().contains("one of effort, rate and target"), "{errors}");
    std::fs::remove_dir_all(folder).expect("removed");
}
