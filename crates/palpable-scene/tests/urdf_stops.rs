//! Limits of a robot's joints stop it, in both coordinates.

use palpable::{Inputs, Model, World};
use palpable_scene::urdf::{Coordinates, Mount, Robot};

const PENDULUM: &str = r#"<robot name="p">
  <link name="base"/>
  <link name="arm">
    <inertial><origin xyz="0.5 0 0"/><mass value="1"/>
      <inertia ixx="0.001" iyy="0.083" izz="0.083" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="hinge" type="revolute"><parent link="base"/><child link="arm"/>
    <axis xyz="0 1 0"/><limit lower="-0.2" upper="0.7" effort="1" velocity="1"/></joint>
</robot>"#;

#[test]
fn a_falling_arm_rests_on_its_stop() {
    for coordinates in [Coordinates::Maximal, Coordinates::Generalized] {
        let robot = Robot::parse(PENDULUM, std::path::Path::new(".")).expect("a robot");
        let mut model = Model::ghosts();
        model.gravity([0.0, 0.0, -9.81]);
        let mount = Mount { coordinates, ..Mount::default() };
        let mounted = robot.mount(&mut model, &mount).expect("mounted");
        let mut world = World::new(model.build().expect("a model"));
        let start = world.energy().total();
        for _ in 0..3000 {
            let before = world.energy().total();
            let _ = world.step(1e-3, &Inputs::none());
            assert!(world.energy().total() <= before + 1e-12 * start.abs().max(1.0));
        }
        let angle = mounted.position(&robot, &world, 0).expect("a joint");
        // it turns about y, so falling is a positive angle
        assert!((angle - 0.7).abs() < 1e-6, "{coordinates:?}: {angle}");
    }
}

/// The arm of [`PENDULUM`] with dry friction, and two balls away from its origin to touch with.
fn rough(friction: f64) -> String {
    let balls = "<collision><origin xyz=\"0.5 0 0\"/><geometry><sphere radius=\"0.02\"/></geometry>\
                 </collision><collision><origin xyz=\"1 0 0\"/><geometry><sphere radius=\"0.05\"/>\
                 </geometry></collision></link>\n  <joint";
    let text = PENDULUM.replacen("</link>\n  <joint", balls, 1);
    text.replace("</joint>", &format!("<dynamics friction=\"{friction}\"/></joint>"))
}

#[test]
fn dry_friction_holds_an_arm_in_both_coordinates() {
    for coordinates in [Coordinates::Maximal, Coordinates::Generalized] {
        // its weight asks for 4.905 N·m
        for (friction, holds) in [(5.0, true), (4.8, false)] {
            let robot = Robot::parse(rough(friction), std::path::Path::new(".")).expect("a robot");
            let mut model = Model::ghosts();
            model.gravity([0.0, 0.0, -9.81]);
            let mount = Mount { coordinates, ..Mount::default() };
            let mounted = robot.mount(&mut model, &mount).expect("mounted");
            let mut world = World::new(model.build().expect("a model"));
            (0..1000).for_each(|_| assert!(world.step(1e-3, &Inputs::none()).status.is_taken()));
            let angle = mounted.position(&robot, &world, 0).expect("a joint");
            assert_eq!(angle.abs() < 1e-9, holds, "{coordinates:?} {friction}: {angle}");
            // I θ'' = 0.105 N·m over 1 s, until the weight has turned away a little
            assert!(holds || (angle > 0.1 && angle < 0.17), "{coordinates:?}: {angle}");
        }
    }
}

#[test]
fn several_collision_shapes_touch_in_both_coordinates() {
    for coordinates in [Coordinates::Maximal, Coordinates::Generalized] {
        let robot = Robot::parse(rough(0.0), std::path::Path::new(".")).expect("a robot");
        let mut model = Model::builder();
        model.gravity([0.0, 0.0, -9.81]).contacts(0);
        let floor = model.body(palpable::Body::half_space("floor").position([0.0, 0.0, -0.2]));
        let mount = Mount { coordinates, ..Mount::default() };
        let mounted = robot.mount(&mut model, &mount).expect("mounted");
        // the velocity is the only thing not simulated
        let left: Vec<_> = mounted.remarks.iter().map(|r| r.message.as_str()).collect();
        assert_eq!(left, ["nothing keeps its velocity below 1"]);
        let mut world = World::new(model.build().expect("a model"));
        (0..3000).for_each(|_| assert!(world.step(1e-3, &Inputs::none()).status.is_taken()));
        let angle = mounted.position(&robot, &world, 0).expect("a joint");
        // the ball of 5 cm at the tip rests on the floor: sin(angle) = 0.15
        assert!((angle - 0.15f64.asin()).abs() < 1e-5, "{coordinates:?}: {angle}");
        assert!(world.contacts().iter().any(|t| t.bodies.contains(&floor.index())));
    }
}

#[test]
fn the_effort_limit_of_a_joint_bounds_its_motor() {
    let folder = std::env::temp_dir().join(format!("palpable-effort-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("p.urdf"), PENDULUM).expect("written");
    for coordinates in ["maximal", "generalized"] {
        let text = format!(
            "version = 1\n[[include]]\nfile = \"p.urdf\"\ncoordinates = \"{coordinates}\"\n\
             [[motor]]\nname = \"drive\"\nlink = \"arm\"\n\
             input = {{ constant = {{ effort = 50 }} }}\n"
        );
        let scene = palpable_scene::Scene::parse(text, folder.join("x.toml"));
        let mut built = scene.and_then(|s| s.build()).unwrap_or_else(|e| panic!("{e}"));
        let mut world = built.world();
        let mut inputs = world.inputs();
        for _ in 0..100 {
            built.script.inputs(world.time(), &mut inputs);
            let _ = world.step(1e-3, &inputs);
        }
        // 1 N·m on 0.333 kg·m²
        let arm = world.body_named("arm").expect("an arm");
        let rate = world.angular_velocity(arm).y;
        assert!((rate - 0.1 / 0.333).abs() < 1e-6, "{coordinates}: {rate}");
        let _ = built.steps.next_length();
    }
    std::fs::remove_dir_all(folder).expect("removed");
}
