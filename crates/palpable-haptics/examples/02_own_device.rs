//! A device of one's own: three methods, and it has safety stage, servo loop, recordings and
//! statistics like every other. This one is a knob that only pushes along x, moved by a clockwork.

use palpable::{Body, Model, Port, Vec6, World};
use palpable_haptics::rt::VirtualClock;
use palpable_haptics::{Axes, Capabilities, Command, Device, DeviceError, Direct, ForceLimit};
use palpable_haptics::{Limits, Mapping, Pace, Safety, Sample, Servo, Tick};

struct Knob {
    what: Capabilities,
    ticks: u64,
    /// the last command [N], as hardware would hold it
    held: f64,
}

impl Knob {
    fn open() -> Self {
        let mut what = Capabilities::new("knob", Axes::THREE, 1000.0);
        (what.mass, what.damping, what.force) = (Some(0.05), Some(1.0), ForceLimit::new(3.0, 2.0));
        Self { what, ticks: 0, held: 0.0 }
    }
}

impl Device for Knob {
    fn capabilities(&self) -> &Capabilities {
        &self.what
    }

    /// Here hardware is read. A sequence that stands still, jumps and silence are noticed above.
    fn read(&mut self) -> Result<Sample, DeviceError> {
        self.ticks += 1;
        let x = 0.01 * (1.0 - (2e-3 * self.ticks as f64).cos());
        Ok(Sample::at(self.ticks, [x, 0.0, 0.0]))
    }

    /// Here hardware is told. Only the safety stage can make a command: it is within the limits.
    fn write(&mut self, command: &Command) -> Result<(), DeviceError> {
        self.held = command.force().x;
        Ok(())
    }

    /// Zero force, and the connection closed; called twice it must be harmless.
    fn close(&mut self) -> Result<(), DeviceError> {
        self.held = 0.0;
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut model = Model::builder();
    let mass = model.body(Body::sphere("mass", 0.02).mass(0.5));
    let (k, b) = (Vec6::new(300.0, 300.0, 300.0, 0.0, 0.0, 0.0), Vec6::repeat(0.15));
    let port = model.port(Port::reference("hand", mass.origin(), k, b));
    let render = Direct::new(World::new(model.build()?), port, Mapping::default());
    let mut knob = Knob::open();
    let safety = Safety::new(Limits::for_device(knob.capabilities()))?;
    let (mut servo, _handle) = Servo::new(render, safety, VirtualClock::new());
    let mut strongest = 0.0f64;
    for _ in 0..5000 {
        servo.wait(Pace::Ours);
        servo.tick(&mut knob);
        strongest = strongest.max(knob.held.abs());
    }
    knob.close()?;
    println!("the knob was told up to {strongest:.3} N, and {} N in the end", knob.held);
    assert!(strongest > 0.01 && strongest <= 3.0 && knob.held == 0.0);
    Ok(())
}
