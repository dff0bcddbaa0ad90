//! The shortest haptic loop: a hand presses a ball on the floor of a world, at 1 kHz.
use palpable::{Body, Model, Port, Vec6, World};
use palpable_haptics::rt::VirtualClock;
use palpable_haptics::{
    Arm, Axes, Capabilities, Direct, ForceLimit, Hand, Limits, Mapping, Pace, Safety, Script,
    Servo, SimulatedDevice, Tick,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut model = Model::builder();
    model.body(Body::half_space("floor").position([0.0, 0.0, -0.012]));
    let ball = model.body(Body::sphere("ball", 0.01).mass(0.05));
    let (k, b) = (Vec6::new(500.0, 500.0, 500.0, 0.0, 0.0, 0.0), Vec6::repeat(0.25));
    let port = model.port(Port::reference("hand", ball.origin(), k, b));
    let render = Direct::new(World::new(model.build()?), port, Mapping::default());
    let mut what = Capabilities::new("simulated", Axes::THREE, 1000.0);
    (what.mass, what.damping, what.force) = (Some(0.1), Some(2.0), ForceLimit::new(10.0, 5.0));
    let presses = Script::default().swing([0.0, 0.0, 0.01, 0.0, 0.0, 0.0], 0.5, 0.0);
    let mut device = SimulatedDevice::new(what.clone(), Hand::Arm(Arm::relaxed(presses)))?;
    let safety = Safety::new(Limits::for_device(&what))?;
    let (servo, mut handle) = Servo::new(render, safety, VirtualClock::new());
    let (mut servo, mut strongest) = (servo.with_damping(2.0), 0.0f64);
    for _ in 0..4000 {
        servo.wait(Pace::Ours);
        servo.tick(&mut device);
        strongest = strongest.max(handle.live().force.z);
    }
    println!("pressed with up to {strongest:.2} N, got back {:.1e} J", servo.energy().most());
    assert!(strongest > 0.5 && servo.energy().most() <= 0.0);
    Ok(())
}
