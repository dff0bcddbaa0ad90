//! Two arms from one URDF file, joined at their tools by a spring.
//!
//! `cargo run -p palpable-scene --example 01_robot`

use palpable::{Model, Pose, Rotation, Spring, Vec3, World};
use palpable_scene::Robot;
use palpable_scene::urdf::Mount;
use std::error::Error;
use std::path::Path;

/// Two arms facing each other, 90 cm apart.
fn build(robot: &Robot) -> Result<World, Box<dyn Error>> {
    let mut model = Model::ghosts();
    model.gravity([0.0, 0.0, -9.81]);
    let tool = robot.link_named("tool").ok_or("the arm has no tool")?;
    let mut tools = Vec::new();
    for (name, side) in [("left", -1.0), ("right", 1.0)] {
        let turn = Vec3::z() * (0.5 + 0.5 * side) * std::f64::consts::PI;
        let pose = Pose {
            position: Vec3::new(0.45 * side, 0.0, 0.0),
            rotation: Rotation::from_scaled_axis(turn),
        };
        let mount = Mount { name: name.to_owned(), pose, ..Mount::default() };
        let mounted = robot.mount(&mut model, &mount)?;
        tools.push(mounted.anchor(robot, tool, [0.0; 3]).ok_or("no such link")?);
    }
    model.spring(Spring::point(tools[0], tools[1]).stiffness(500.0).damping(5.0));
    Ok(World::new(model.build()?))
}

/// The books close, and the arms, made from one file, stay mirror images.
fn check(world: &World) {
    assert!(world.audit().is_clean(), "{}", world.audit());
    let at = |name: &str| world.pose(world.body_named(name).expect("a body")).position;
    let (left, right) = (at("left/flange"), at("right/flange"));
    assert!((left.x + right.x).abs() < 1e-6 && (left.z - right.z).abs() < 1e-6);
}

fn main() -> Result<(), Box<dyn Error>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/robots/arm.urdf");
    let robot = Robot::load(file)?;
    println!("{}: {} links, {} kg", robot.name, robot.links.len(), robot.mass());
    for remark in &robot.remarks {
        println!("line {remark}");
    }
    let mut world = build(&robot)?;
    let inputs = world.inputs();
    for _ in 0..1000 {
        assert!(world.step(1e-3, &inputs).status.is_taken());
    }
    print!("{}", world.audit());
    check(&world);
    Ok(())
}
