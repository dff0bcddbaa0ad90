//! What is drawn is where the file says, and a world that is saved begins where it was.

use palpable::{Model, World};
use palpable_scene::urdf::Form;
use palpable_scene::{End, Scene};
use std::path::Path;

fn load(name: &str) -> Scene {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(name);
    Scene::load(path).unwrap_or_else(|errors| panic!("{errors}"))
}

fn run(scene: &Scene, steps: usize) -> (World, Vec<(String, palpable::SystemId)>) {
    let mut built = scene.build().unwrap_or_else(|errors| panic!("{errors}"));
    let mut world = built.world();
    let mut inputs = world.inputs();
    for _ in 0..steps {
        built.script.inputs(world.time(), &mut inputs);
        let _ = world.step(built.steps.next_length(), &inputs);
    }
    (world, built.systems)
}

/// Links that fixed joints weld together show all their visuals, each where its link is.
#[test]
fn welded_links_are_drawn_where_they_are() {
    let text = r#"<robot name="r">
      <link name="a"><visual><origin xyz="0 0 1"/><geometry><sphere radius="0.1"/></geometry>
        <material name="m"><color rgba="1 0.5 0 1"/></material></visual></link>
      <link name="b"><visual><origin xyz="1 0 0"/>
        <geometry><box size="1 1 1"/></geometry></visual></link>
      <joint name="j" type="fixed"><parent link="a"/><child link="b"/>
        <origin xyz="0 2 0" rpy="0 0 1.5707963267948966"/></joint>
    </robot>"#;
    let built = Scene::parse(text, "r.urdf").and_then(|s| s.build()).expect("a robot");
    assert_eq!(built.looks.len(), 2);
    assert!(built.looks.iter().all(|look| look.body == "a"));
    assert_eq!(built.looks[0].color, Some([1.0, 0.5, 0.0]));
    let second = &built.looks[1];
    // 1 m along x of a link that is turned to y and stands at y = 2 m
    let expected = palpable::Vec3::new(0.0, 3.0, 0.0);
    assert!((second.pose.position - expected).norm() < 1e-12, "{:?}", second.pose);
    assert!(matches!(second.form, Form::Solid(palpable::Shape::Box { .. })));
}

/// The same bodies, in the same places, as fast: energy and poses to the digits of the file.
#[test]
fn a_world_that_is_saved_begins_where_it_was() {
    for name in ["start.toml", "double-pendulum.toml", "arm-two-link.toml", "finger.toml"] {
        let scene = load(name);
        let (world, systems) = run(&scene, 300);
        let text = scene.at(&world, &systems);
        let again = Scene::parse(text, scene.file()).and_then(|s| s.build());
        let again = again.unwrap_or_else(|errors| panic!("{name}: {errors}")).world();
        let model: &Model = world.model();
        for body in model.bodies() {
            let id = |w: &World| w.body_named(&body.name).expect("the same body");
            let (a, b) = (world.pose(id(&world)), again.pose(id(&again)));
            assert!((a.position - b.position).norm() < 1e-9, "{name} {}", body.name);
            assert!(a.rotation.angle_to(&b.rotation) < 1e-7, "{name} {}", body.name);
            let speeds = world.velocity(id(&world)) - again.velocity(id(&again));
            assert!(speeds.norm() < 1e-9, "{name} {}: {speeds}", body.name);
        }
        let (a, b) = (world.energy(), again.energy());
        // elastic energy is carried; a scene measures it anew, and hard joints hold none
        let scale = a.kinetic.abs() + a.gravity.abs() + a.elastic.abs() + 1e-12;
        assert!((a.kinetic - b.kinetic).abs() < 1e-9 * scale, "{name}: {a:?} {b:?}");
        assert!((a.elastic - b.elastic).abs() < 1e-6 * scale, "{name}: {a:?} {b:?}");
    }
}

#[test]
fn a_floor_without_contact_and_bodies_that_overlap_are_told() {
    let floor = "[[body]]\nname = \"floor\"\nshape = { half_space = {} }\n";
    let block = |name: &str, z: f64| {
        format!(
            "[[body]]\nname = \"{name}\"\nmass = 1\nshape.box.size = [0.1, 0.1, 0.1]\n\
                 position = [0, 0, {z}]\n"
        )
    };
    let warnings = |head: &str, bodies: &[String]| {
        let text =
            format!("version = 1\ngravity = [0, 0, -9.81]\n{head}\n{floor}{}", bodies.concat());
        let built = Scene::parse(text, "x.toml").and_then(|s| s.build()).expect("a scene");
        built.warnings()
    };
    let told = warnings("contact.enabled = false", &[block("a", 0.05)]);
    assert!(told.len() == 1 && told[0].contains("remove `enabled`"), "{told:?}");
    for head in ["", "contact = {}", "contact.enabled = true"] {
        assert_eq!(warnings(head, &[block("a", 0.05)]), Vec::<String>::new());
    }
    let told = warnings("", &[block("a", 0.049)]);
    assert!(told.len() == 1 && told[0].contains("overlap by 1.000 mm"), "{told:?}");
}

#[test]
fn the_studio_table_is_read_and_nothing_else_changes() {
    let scene = load("incline.toml").build().expect("a scene");
    assert_eq!(scene.staging.end, End::Loop);
    assert_eq!((scene.duration, scene.staging.after), (1.0, Some(1.5)));
    assert!(scene.staging.viewpoint.is_some());
    let text = "version = 1\n[studio]\neye = [1, 1, 1]\n[[body]]\nname = \"a\"\nmass = 1\n\
                shape.sphere.radius = 0.1\n";
    let errors =
        Scene::parse(text, "x.toml").and_then(|s| s.build()).expect_err("half a viewpoint");
    assert!(errors.to_string().contains("give both"), "{errors}");
}
