//! Every kind of spring in one world, with gravity, a damper and steps that vary wildly.

use palpable::{Anchor, Body, BuildErrors, Inputs, Model, Rotation, Spring, Vec3, Vec6, World};

fn build() -> Result<World, BuildErrors> {
    let mut model = Model::ghosts();
    model.gravity([0.0, 0.0, -9.81]);
    let wall = model.body(Body::cuboid("wall", [0.01, 1.0, 1.0]).fixed());
    let plate = model.body(Body::cuboid("plate", [0.2, 0.1, 0.01]).mass(0.5));
    let rod = model.body(Body::capsule("rod", 0.1, 0.01).mass(0.05).position([0.2, 0.0, -0.1]));
    let wheel = model.body(Body::cylinder("wheel", 0.01, 0.05).mass(0.1).position([0.5, 0.0, 0.0]));
    // a point of the plate to the wall, with a damper in parallel
    let corner = plate.at([-0.2, 0.0, 0.0]);
    model.spring(Spring::point(corner, wall.at([-0.2, 0.0, 0.0])).stiffness(2e3).damping(0.5));
    // the plate wants to stay level
    model.spring(Spring::rotation(plate.origin(), wall.origin()).stiffness(5.0));
    // the rod hangs on the plate
    let tip = rod.at([0.0, 0.0, 0.1]);
    model.spring(Spring::point(tip, plate.at([0.2, 0.0, 0.0])).stiffness(1e6));
    // a soft bushing holds the wheel, stiffer along its axis
    let frame = Rotation::from_scaled_axis(Vec3::new(0.3, 0.0, 0.0));
    let rows = Vec6::new(50.0, 50.0, 500.0, 0.2, 0.2, 2.0);
    let hub = Anchor::world([0.5, 0.0, 0.1]).turned(frame);
    model.spring(Spring::pose(wheel.origin(), hub).stiffness_rows(rows));
    Ok(World::new(model.build()?))
}

fn main() -> Result<(), BuildErrors> {
    let mut world = build()?;
    let start = world.energy().total();
    for k in 0..20_000u32 {
        // anything between 0.1 and 8 ms
        let h = 1e-4 * f64::from(1 + (k * 7919) % 80);
        assert!(world.step(h, &Inputs::none()).status.is_taken());
    }
    let (energy, flows) = (world.energy(), world.ledger().totals());
    println!("{:.1} s simulated: {energy:?}", world.time());
    println!("damped {:.4} J, unexplained {:.1e} J", flows.damped, world.ledger().closure());
    let scale = start.abs() + flows.damped + energy.elastic + energy.kinetic;
    assert!(world.ledger().closure().abs() < 1e-10 * scale && world.audit().is_clean());
    Ok(())
}
