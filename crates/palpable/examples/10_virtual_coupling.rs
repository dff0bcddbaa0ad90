//! A hand feels a tool through a virtual coupling: device sample → port → world → force.

use palpable::coupling::{CouplingSettings, Guard, Handle, VirtualCoupling, Workspace};
use palpable::{Anchor, Body, Model, Port, Spring, World};

const PERIOD: f64 = 1e-3;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // one device metre is two world metres, forces as they are; the device has 1.2 N·s/m
    let mut workspace = Workspace::new(2.0, 1.0)?;
    let device_damping = workspace.world_damping(1.2);
    // 1 kN/m at 1 kHz asks for KT/2 = 0.5 N·s/m in the world
    let guard = Some(Guard { device_damping, grant: 1e-3, ..Guard::default() });
    let settings = CouplingSettings { guard, ..CouplingSettings::point(1000.0, PERIOD) };
    let mut coupling = VirtualCoupling::new(settings)?;
    assert!(coupling.required_damping() <= device_damping);

    // a 10 g tool that a spring of 200 N/m holds at the origin
    let mut model = Model::ghosts();
    let tool = model.body(Body::sphere("tool", 0.01).mass(0.01));
    let ground = Anchor::world([0.0; 3]);
    model.spring(Spring::point(tool.at([0.0; 3]), ground).stiffness(200.0).damping(0.5));
    let (k, b) = (coupling.stiffness(), coupling.damping());
    let hand = model.port(Port::reference("hand", tool.at([0.0; 3]), k, b));
    let mut world = World::new(model.build()?);
    let mut inputs = world.inputs();

    let mut largest: f64 = 0.0;
    for tick in 0..3000 {
        let t = f64::from(tick) * PERIOD;
        let device = Handle::at([0.01 * (2.0 * t).sin(), 0.0, 0.0]);
        let mapped = workspace.map(&device, false, PERIOD).expect("finite samples");
        inputs.set(hand, coupling.sample_with_drift(&mapped.handle, &mapped.drift));
        assert!(world.step(PERIOD, &inputs).status.is_taken());
        let felt = coupling.force(&world.port(hand), PERIOD);
        let command = workspace.to_device(&felt, mapped.engaged);
        largest = largest.max(command.force.norm());
    }
    let account = coupling.account();
    println!("the hand felt up to {largest:.2} N; it put in {:.3} mJ", -1e3 * account.to_hand);
    println!("sampling created {:.4} mJ", 1e3 * account.sampled());
    println!("the device's damping took {:.4} mJ", 1e3 * account.damped);
    assert!(account.created() < 1e-12, "the device pays for the sampling");
    Ok(())
}
