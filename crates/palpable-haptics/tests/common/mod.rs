//! What several tests need.
#![allow(dead_code)]

use std::thread::JoinHandle;
use std::time::Duration;

use palpable_haptics::{
    Axes, CallingDevice, Capabilities, Command, Device, DeviceError, Flow, ForceLimit, Limits,
    Safety, Sample, Tick, Wish, Wrench,
};

/// A device whose own thread calls, after each tick and a pause.
pub struct Caller<D> {
    capabilities: Capabilities,
    device: Option<D>,
    pause: Duration,
    thread: Option<JoinHandle<Box<dyn Tick>>>,
}

impl<D: Device> Caller<D> {
    pub fn new(device: D, pause: Duration) -> Self {
        let capabilities = device.capabilities().clone();
        Self { capabilities, device: Some(device), pause, thread: None }
    }
}

impl<D: Device + 'static> CallingDevice for Caller<D> {
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }
    fn start(&mut self, mut tick: Box<dyn Tick>) -> Result<(), DeviceError> {
        let mut device = self.device.take().ok_or(DeviceError::Refused("started twice".into()))?;
        let pause = self.pause;
        self.thread = Some(std::thread::spawn(move || {
            while tick.tick(&mut device) == Flow::Continue {
                std::thread::sleep(pause);
            }
            device.close().unwrap();
            tick
        }));
        Ok(())
    }
    fn is_running(&self) -> bool {
        self.thread.as_ref().is_some_and(|t| !t.is_finished())
    }
    fn stop(&mut self) -> Option<Box<dyn Tick>> {
        self.thread.take().and_then(|t| t.join().ok())
    }
}

/// A device of `mass` [kg] and `damping` [N·s/m] at 1 kHz without limits that matter.
pub fn capabilities(axes: Axes, mass: f64, damping: f64) -> Capabilities {
    Capabilities {
        force: ForceLimit::new(1e6, 1e6),
        torque: ForceLimit::new(1e6, 1e6),
        mass: Some(mass),
        damping: Some(damping),
        inertia: Some(1e-3 * mass),
        rotational_damping: Some(1e-3 * damping),
        ..Capabilities::new("test", axes, 1000.0)
    }
}

/// A safety stage that is active and lets everything below its limits pass at once.
pub struct Open {
    safety: Safety,
    now: Duration,
}

impl Open {
    pub fn new(capabilities: &Capabilities) -> Self {
        let mut limits = Limits::for_device(capabilities);
        (limits.velocity, limits.angular_velocity) = (1e9, 1e9);
        (limits.force_slew, limits.torque_slew) = (1e12, 1e12);
        limits.ramp = 1e-2;
        let mut safety = Safety::new(limits).unwrap();
        safety.start().unwrap();
        let mut open = Self { safety, now: Duration::ZERO };
        for _ in 0..20 {
            open.pass(Wrench::ZERO);
        }
        open
    }

    pub fn pass(&mut self, wrench: Wrench) -> Command {
        self.now += Duration::from_millis(1);
        let sample = Sample::at(self.now.as_millis() as u64, [0.0; 3]);
        self.safety.step(self.now, &sample, &Wish::fresh(wrench))
    }
}

/// Balls on soft springs; the first can be held at a reference port of 500 N/m and 0.25 N·s/m.
pub fn ball_on_spring(balls: usize) -> (palpable::World, palpable::PortId) {
    use palpable::{Anchor, Body, Model, Port, Spring, Vec6, World};
    let mut model = Model::ghosts();
    let all: Vec<_> = (0..balls)
        .map(|i| {
            let x = 0.1 * i as f64;
            let ball = Body::sphere(format!("ball {i}"), 0.03).mass(0.2).position([x, 0.0, 0.0]);
            model.body(ball)
        })
        .collect();
    for (i, ball) in all.iter().enumerate() {
        let place = Anchor::world([0.1 * i as f64, 0.0, 0.0]);
        model.spring(Spring::point(ball.origin(), place).stiffness(200.0).damping(0.5));
    }
    let stiffness = Vec6::new(500.0, 500.0, 500.0, 0.0, 0.0, 0.0);
    let damping = Vec6::new(0.25, 0.25, 0.25, 0.0, 0.0, 0.0);
    let port = model.port(Port::reference("hand", all[0].origin(), stiffness, damping));
    (World::new(model.build().unwrap()), port)
}
