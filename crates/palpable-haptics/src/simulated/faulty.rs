//! A device that misbehaves at a set time, for rehearsing what must not happen.

use crate::device::{Capabilities, Device, DeviceError, DeviceEvent, Pace, Readiness, Sample};
use crate::safety::Command;
use palpable::Vec3;

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
    /// It tells this.
    Event(DeviceEvent),
}

/// A device with one mishap.
pub struct Faulty<D> {
    inner: D,
    mishap: Mishap,
    at: u64,
    reads: u64,
    event: Option<DeviceEvent>,
    lost: bool,
    /// every force that reached the device
    largest_after: f64,
}

impl<D: Device> Faulty<D> {
    /// `mishap` happens at reading number `at` (from 1).
    pub fn new(inner: D, mishap: Mishap, at: u64) -> Self {
        Self { inner, mishap, at, reads: 0, event: None, lost: false, largest_after: 0.0 }
    }

    /// The device inside.
    pub fn inner(&self) -> &D {
        &self.inner
    }

    /// Largest force [N] that was written at or after the mishap.
    pub fn largest_after(&self) -> f64 {
        self.largest_after
    }

    fn gone() -> DeviceError {
        DeviceError::Lost("unplugged in a rehearsal".into())
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
        self.reads += 1;
        let mut sample = self.inner.read()?;
        match self.mishap {
            Mishap::Lost if self.reads >= self.at => {
                self.lost = true;
                return Err(Self::gone());
            }
            Mishap::Silent(n) if (self.at..self.at + n).contains(&self.reads) => {
                return Err(DeviceError::Late("silent in a rehearsal".into()));
            }
            Mishap::NotANumber if self.reads == self.at => {
                sample.position = Vec3::repeat(f64::NAN);
            }
            Mishap::Jump(way) if self.reads == self.at => sample.position.x += way,
            Mishap::Event(event) if self.reads == self.at => self.event = Some(event),
            _ => {}
        }
        Ok(sample)
    }

    fn write(&mut self, command: &Command) -> Result<(), DeviceError> {
        if self.lost {
            return Err(Self::gone());
        }
        if self.reads >= self.at {
            self.largest_after = self.largest_after.max(command.force().norm());
        }
        self.inner.write(command)
    }

    fn event(&mut self) -> Option<DeviceEvent> {
        self.event.take().or_else(|| self.inner.event())
    }

    fn close(&mut self) -> Result<(), DeviceError> {
        self.inner.close()
    }
}
