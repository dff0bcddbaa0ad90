//! A device that misbehaves at a set time, for rehearsing what must not happen.

use crate::device::{
    CallingDevice, Capabilities, Device, DeviceError, DeviceEvent, Flow, Pace, Readiness, Release,
    Sample, Tick,
};
use crate::safety::Command;
use palpable::Vec3;
use std::time::Duration;

/// What goes wrong.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Mishap {
    /// It goes away for good.
    Lost,
    /// It does not answer for this many readings.
    Silent(u64),
    /// One reading is not a number.
    NotANumber,
    /// The handle jumps by this much [m] in one reading.
    Jump(f64),
    /// The position stays where it was, while this velocity [m/s] is told.
    Stuck(Vec3),
    /// One reading is older than the one before.
    Disordered,
    /// One reading is said to be an hour younger than the one before.
    Future,
    /// It tells this.
    Event(DeviceEvent),
}

/// A mishap under way.
#[derive(Debug, Clone, Copy)]
struct Trouble {
    mishap: Mishap,
    at: u64,
    reads: u64,
    event: Option<DeviceEvent>,
    stuck: Option<Vec3>,
    lost: bool,
    /// every force that reached the device
    largest_after: f64,
}

impl Trouble {
    fn gone() -> DeviceError {
        DeviceError::Lost("unplugged in a rehearsal".into())
    }

    fn read(&mut self, inner: &mut dyn Device) -> Result<Sample, DeviceError> {
        self.reads += 1;
        let mut sample = inner.read()?;
        match self.mishap {
            Mishap::Lost if self.reads >= self.at => {
                self.lost = true;
                return Err(Self::gone());
            }
            Mishap::Silent(n) if (self.at..self.at.saturating_add(n)).contains(&self.reads) => {
                return Err(DeviceError::Late("silent in a rehearsal".into()));
            }
            Mishap::NotANumber if self.reads == self.at => {
                sample.position = Vec3::repeat(f64::NAN);
            }
            Mishap::Jump(way) if self.reads == self.at => sample.position.x += way,
            Mishap::Stuck(velocity) if self.reads >= self.at => {
                sample.position = *self.stuck.get_or_insert(sample.position);
                sample.velocity = Some(velocity);
            }
            Mishap::Disordered if self.reads == self.at => {
                sample.sequence = sample.sequence.saturating_sub(5);
            }
            // the device has a clock from the reading before
            Mishap::Future if self.reads + 1 == self.at => sample.time = Some(Duration::ZERO),
            Mishap::Future if self.reads == self.at => {
                sample.time = Some(Duration::from_secs(3600));
            }
            Mishap::Event(event) if self.reads == self.at => self.event = Some(event),
            _ => {}
        }
        Ok(sample)
    }

    fn write(&mut self, inner: &mut dyn Device, command: &Command) -> Result<(), DeviceError> {
        if self.lost {
            return Err(Self::gone());
        }
        if self.reads >= self.at {
            self.largest_after = self.largest_after.max(command.force().norm());
        }
        inner.write(command)
    }
}

/// A device with one mishap, of either kind: one that we read, or one that calls us.
pub struct Faulty<D> {
    inner: D,
    trouble: Trouble,
}

impl<D> Faulty<D> {
    /// `mishap` happens at reading number `at` (from 1).
    pub fn new(inner: D, mishap: Mishap, at: u64) -> Self {
        let trouble = Trouble {
            mishap,
            at,
            reads: 0,
            event: None,
            stuck: None,
            lost: false,
            largest_after: 0.0,
        };
        Self { inner, trouble }
    }

    /// The device inside.
    pub fn inner(&self) -> &D {
        &self.inner
    }

    /// Largest force [N] that was written at or after the mishap; of a device that calls us, this
    /// is not known here.
    pub fn largest_after(&self) -> f64 {
        self.trouble.largest_after
    }
}

impl<D: Device> Device for Faulty<D> {
    fn capabilities(&self) -> &Capabilities {
        self.inner.capabilities()
    }
    fn pace(&self) -> Pace {
        self.inner.pace()
    }
    fn readiness(&self) -> Readiness {
        self.inner.readiness()
    }
    fn prepare(&mut self) -> Result<Readiness, DeviceError> {
        self.inner.prepare()
    }
    fn read(&mut self) -> Result<Sample, DeviceError> {
        self.trouble.read(&mut self.inner)
    }
    fn write(&mut self, command: &Command) -> Result<(), DeviceError> {
        self.trouble.write(&mut self.inner, command)
    }
    fn event(&mut self) -> Option<DeviceEvent> {
        self.trouble.event.take().or_else(|| self.inner.event())
    }
    fn release(&self) -> Option<Release> {
        self.inner.release()
    }
    fn close(&mut self) -> Result<(), DeviceError> {
        self.inner.close()
    }
}

impl<D: CallingDevice> CallingDevice for Faulty<D> {
    fn capabilities(&self) -> &Capabilities {
        self.inner.capabilities()
    }
    fn readiness(&self) -> Readiness {
        self.inner.readiness()
    }
    fn prepare(&mut self) -> Result<Readiness, DeviceError> {
        self.inner.prepare()
    }
    fn start(&mut self, tick: Box<dyn Tick>) -> Result<(), DeviceError> {
        self.inner.start(Box::new(Troubled { tick, trouble: self.trouble }))
    }
    fn is_running(&self) -> bool {
        self.inner.is_running()
    }
    fn stop(&mut self) -> Option<Box<dyn Tick>> {
        self.inner.stop()
    }
}

/// A tick that sees a device with a mishap.
struct Troubled {
    tick: Box<dyn Tick>,
    trouble: Trouble,
}

impl Tick for Troubled {
    fn tick(&mut self, device: &mut dyn Device) -> Flow {
        self.tick.tick(&mut View { device, trouble: &mut self.trouble })
    }
}

/// A device for the length of a tick.
struct View<'a> {
    device: &'a mut dyn Device,
    trouble: &'a mut Trouble,
}

impl Device for View<'_> {
    fn capabilities(&self) -> &Capabilities {
        self.device.capabilities()
    }
    fn read(&mut self) -> Result<Sample, DeviceError> {
        self.trouble.read(self.device)
    }
    fn write(&mut self, command: &Command) -> Result<(), DeviceError> {
        self.trouble.write(self.device, command)
    }
    fn event(&mut self) -> Option<DeviceEvent> {
        self.trouble.event.take().or_else(|| self.device.event())
    }
    fn close(&mut self) -> Result<(), DeviceError> {
        self.device.close()
    }
}
