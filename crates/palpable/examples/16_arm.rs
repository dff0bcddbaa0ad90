//! A two-link arm in joint coordinates: a motor at the elbow, springs at both joints, gravity.

use palpable::{
    BuildErrors, Chain, Inputs, Link, Mat3, Model, Port, PortInput, Rotation, Spring, Vec3, World,
};

/// Two rods of 30 cm and 200 g that turn in the x-y plane.
fn build() -> Result<World, BuildErrors> {
    let (mass, length) = (0.2, 0.3);
    let j = mass * length * length / 12.0;
    let inertia = Mat3::from_diagonal(&Vec3::new(1e-2 * j, j, j));
    let rod = |name: &str| Link::revolute(name).inertia(mass, [0.5 * length, 0.0, 0.0], inertia);
    let mut arm = Chain::new("arm");
    let upper = arm.link(rod("upper").start(-1.0, 0.0));
    let elbow = rod("lower").on(upper).at([length, 0.0, 0.0], Rotation::identity());
    arm.link(elbow.start(0.5, 0.0));
    let mut model = Model::ghosts();
    model.gravity([0.0, -9.81, 0.0]);
    let arm = model.chain(arm);
    model.spring(Spring::coordinate(arm, 0).stiffness(1.0));
    model.spring(Spring::coordinate(arm, 1).stiffness(0.5));
    model.port(Port::motor("elbow", Spring::coordinate(arm, 1)));
    Ok(World::new(model.build()?))
}

fn main() -> Result<(), BuildErrors> {
    let mut world = build()?;
    let motor = world.port_named("elbow").expect("it was just added");
    let start = world.energy().total();
    let (mut inputs, mut work) = (Inputs::none(), 0.0);
    for _ in 0..2000 {
        // swing with the elbow: energy flows in
        let effort = 0.1 * world.port(motor).rate.signum();
        inputs.set(motor, PortInput::Effort(effort));
        assert!(world.step(1e-3, &inputs).status.is_taken());
        work += world.port(motor).work;
    }
    let driven = world.energy().total();
    for _ in 0..8000 {
        assert!(world.step(1e-3, &Inputs::none()).status.is_taken());
    }
    let after = world.energy().total();
    println!("the motor gave {work:.6} J, the arm holds {:.6} J more", driven - start);
    println!("8 s later it has lost {:.0e} J", driven - after);
    assert!(work > 0.1 && (driven - start - work).abs() < 1e-12);
    assert!((after - driven).abs() < 1e-12 && world.audit().is_clean());
    Ok(())
}
