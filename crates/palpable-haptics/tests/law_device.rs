//! The same tick serves a device that we drive and one that calls us from its own thread.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use common::Caller;
use palpable_haptics::{
    Attached, Axes, Buttons, Capabilities, Command, Device, DeviceError, Flow, Motion, Sample, Tick,
};

/// Counts; ends after a hundred samples.
struct Counter {
    capabilities: Capabilities,
    reads: u64,
    writes: Arc<AtomicU64>,
}

impl Counter {
    fn new(writes: &Arc<AtomicU64>) -> Self {
        let capabilities = Capabilities::input("counter", Axes::SIX, Motion::Twist, 60.0);
        Self { capabilities, reads: 0, writes: writes.clone() }
    }
}

impl Device for Counter {
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }
    fn read(&mut self) -> Result<Sample, DeviceError> {
        if self.reads == 100 {
            return Err(DeviceError::Ended);
        }
        self.reads += 1;
        Ok(Sample::at(self.reads, [0.0; 3]))
    }
    fn write(&mut self, _: &Command) -> Result<(), DeviceError> {
        self.writes.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
    fn close(&mut self) -> Result<(), DeviceError> {
        Ok(())
    }
}

struct ReadAndWrite;

impl Tick for ReadAndWrite {
    fn tick(&mut self, device: &mut dyn Device) -> Flow {
        match device.read() {
            Ok(_) => match device.write(&Command::zero()) {
                Ok(()) => Flow::Continue,
                Err(_) => Flow::Stop,
            },
            Err(error) if error.is_passing() => Flow::Continue,
            Err(_) => Flow::Stop,
        }
    }
}

#[test]
fn one_tick_serves_both_kinds_of_device() {
    let writes = Arc::new(AtomicU64::new(0));
    let counter = Counter::new(&writes);
    let calling = Caller::new(Counter::new(&writes), Duration::ZERO);
    for attached in [Attached::Polled(Box::new(counter)), Attached::Calling(Box::new(calling))] {
        assert!(!attached.capabilities().can_push());
        let before = writes.load(Ordering::Relaxed);
        match attached {
            Attached::Polled(mut device) => {
                while ReadAndWrite.tick(device.as_mut()) == Flow::Continue {}
                device.close().unwrap();
            }
            Attached::Calling(mut device) => {
                assert!(device.stop().is_none(), "never started");
                device.start(Box::new(ReadAndWrite)).unwrap();
                assert!(device.stop().is_some());
                assert!(device.stop().is_none(), "stopping twice is harmless");
                assert!(!device.is_running());
            }
        }
        assert_eq!(writes.load(Ordering::Relaxed) - before, 100);
    }
}

#[test]
fn buttons_are_bits() {
    let buttons = Buttons(0b101);
    assert!(buttons.is_pressed(0) && !buttons.is_pressed(1) && buttons.is_pressed(2));
    assert!(!buttons.is_pressed(40));
}

#[test]
fn a_sample_with_one_bad_number_is_not_finite() {
    let good = Sample { velocity: Some([0.0; 3].into()), ..Sample::at(1, [0.0, 1.0, 2.0]) };
    assert!(good.is_finite());
    let nan = Some([0.0, f64::NAN, 0.0].into());
    assert!(!Sample { velocity: nan, ..good }.is_finite());
    assert!(!Sample { angular_velocity: nan, ..good }.is_finite());
    assert!(!Sample { gripper: Some(f64::INFINITY), ..good }.is_finite());
    assert!(!Sample::at(1, [f64::NAN, 0.0, 0.0]).is_finite());
}

#[test]
fn a_profile_survives_the_way_through_capabilities() {
    let mut profile = palpable_passivity::Device::new("d", 0.1, 2.0, 1000.0);
    profile.max_force = Some(8.0);
    profile.encoder_step = 2e-5;
    profile.coulomb_friction = 0.1;
    assert_eq!(Capabilities::from_profile(&profile).profile(), Some(profile));
    assert_eq!(Capabilities::new("unknown", Axes::ONE, 1000.0).profile(), None);
}
