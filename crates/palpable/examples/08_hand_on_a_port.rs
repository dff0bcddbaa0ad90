//! A hand drags a tool by a reference port; what it puts in is what is stored plus what is lost.

use palpable::{Body, BuildErrors, Model, Port, PortInput, Rotation, Vec3, Vec6, World};

fn build() -> Result<World, BuildErrors> {
    let mut model = Model::builder();
    let tool = model.body(Body::capsule("tool", 0.05, 0.01).mass(0.001));
    let stiffness = Vec6::new(500.0, 500.0, 500.0, 0.1, 0.1, 0.1);
    model.port(Port::reference("hand", tool.at([0.0, 0.0, 0.05]), stiffness, stiffness * 5e-4));
    Ok(World::new(model.build()?))
}

fn main() -> Result<(), BuildErrors> {
    let mut world = build()?;
    let hand = world.port_named("hand").expect("it was just added");
    let mut inputs = world.inputs();
    let mut largest: f64 = 0.0;
    for tick in 0..5000 {
        let t = f64::from(tick) * 1e-3;
        let position = Vec3::new((2.0 * t).sin(), (3.0 * t).sin(), 0.0) * 0.1;
        let rotation = Rotation::from_scaled_axis(Vec3::new(0.0, 0.3 * t.sin(), 0.0));
        inputs.set(hand, PortInput::Reference { position, rotation });
        assert!(world.step(1e-3, &inputs).status.is_taken());
        largest = largest.max(world.port(hand).force.norm());
    }
    let (energy, flows) = (world.energy(), world.ledger().totals());
    println!("hand felt up to {largest:.2} N and supplied {:.6} J", flows.supplied);
    println!("stored {:.6} J, lost {:.6} J", energy.total(), flows.lost());
    assert!((flows.supplied - energy.total() - flows.lost()).abs() < 1e-12);
    Ok(())
}
