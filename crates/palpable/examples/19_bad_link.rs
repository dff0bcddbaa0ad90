//! Device and world joined by a link of 50 ms that loses every fifth packet: set positions move
//! only as far as is paid [Lee2008].

use palpable::coupling::{DeviceSide, Handle, PspmSettings, WorldSide};
use palpable::{Body, Dissipation, Model, Options, Port, TankPolicy, World};
use std::collections::VecDeque;

const DELAY: usize = 50;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // 500 N/m on a device of 0.5 N·s/m; 2 kN/m and 10 N·s/m in the world
    let (at_device, at_world) = (PspmSettings::point(500.0, 0.5), PspmSettings::point(2e3, 10.0));
    let mut device = DeviceSide::new(at_device)?;
    let mut far = WorldSide::new(at_world)?;

    let mut model = Model::ghosts();
    let tool = model.body(Body::sphere("tool", 0.01).mass(0.001));
    let (k, b) = (at_world.port_stiffness(), at_world.port_damping());
    let port = model.port(Port::reference("hand", tool.at([0.0; 3]), k, b));
    // the damper's loss pays for moves of the reference, so the world must not keep it as well
    let tank = TankPolicy { dissipation: Dissipation::Drop, ..Default::default() };
    let mut world = World::with_options(model.build()?, Options { tank, ..Default::default() })
        .expect("options that fit");
    let mut inputs = world.inputs();

    let (mut up, mut down) = (VecDeque::new(), VecDeque::new());
    let mut worst = f64::MIN;
    for tick in 0..10_000 {
        let t = f64::from(tick) * 1e-3;
        let hand = Handle::at([0.03 * (3.0 * t).sin(), 0.02 * t.cos(), 0.0]);
        device.sample(&hand, 1e-3);
        worst = worst.max(device.to_hand() - device.damped() - device.received());
        inputs.set(port, far.reference());
        assert!(world.step(1e-3, &inputs).status.is_taken());
        far.after_step(&world.port(port), 1e-3);
        // what is sent now arrives later, or not at all
        let (sent, answered) = (device.send(), far.send());
        let lost = tick % 5 == 0;
        up.push_back(sent.filter(|_| !lost));
        down.push_back(answered.filter(|_| !lost));
        if up.len() > DELAY {
            up.pop_front().flatten().iter().for_each(|packet| far.receive(packet));
            down.pop_front().flatten().iter().for_each(|packet| device.receive(packet));
        }
    }
    println!("tool at {:.1} mm", 1e3 * world.port(port).position.norm());
    println!("the hand put in {:.1} mJ", -1e3 * device.to_hand());
    println!("and never got more than {:.3} mJ of 10 mJ granted", 1e3 * worst);
    assert!(worst <= at_device.grant && device.reserve() >= 0.0 && far.reserve() >= 0.0);
    Ok(())
}
