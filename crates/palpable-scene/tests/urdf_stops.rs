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
        let mut model = Model::builder();
        model.gravity([0.0, 0.0, -9.81]);
        let mount = Mount { coordinates, ..Mount::default() };
        let mounted = robot.mount(&mut model, &mount).expect("mounted");
        let mut world = World::new(model.build().expect("a model"));
        let start = world.energy().total();
        for _ in 0..3000 {
            let before = world.energy().total();
            world.step(1e-3, &Inputs::none());
            assert!(world.energy().total() <= before + 1e-12 * start.abs().max(1.0));
        }
        let angle = mounted.position(&robot, &world, 0).expect("a joint");
        // it turns about y, so falling is a positive angle
        assert!((angle - 0.7).abs() < 1e-6, "{coordinates:?}: {angle}");
    }
}
