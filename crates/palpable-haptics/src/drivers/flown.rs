//! A device of wishes, flown as a handle: where it is follows from how fast it was asked to go.

use std::time::Duration;

use crate::device::{
    Capabilities, Device, DeviceError, DeviceEvent, Motion, Pace, Readiness, Sample,
};
use crate::rt::Clock;
use crate::safety::Command;
use palpable::{Rotation, Vec3};

/// A reading later than this does not fly further \[s\].
const LONGEST: f64 = 0.05;

/// A device of [`Motion::Twist`] as one of [`Motion::Pose`], inside the device's workspace.
pub struct Flown<D, C> {
    inner: D,
    clock: C,
    capabilities: Capabilities,
    last: Option<Duration>,
    position: Vec3,
    rotation: Rotation,
}

impl<D: Device, C: Clock> Flown<D, C> {
    /// Starts in the middle of the workspace.
    pub fn new(inner: D, clock: C) -> Self {
        let capabilities = Capabilities { motion: Motion::Pose, ..inner.capabilities().clone() };
        let position = capabilities.workspace.centre();
        Self { inner, clock, capabilities, last: None, position, rotation: Rotation::identity() }
    }
}

impl<D: Device, C: Clock> Device for Flown<D, C> {
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
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
        let sample = self.inner.read()?;
        let now = self.clock.now();
        let passed = self.last.replace(now).and_then(|last| now.checked_sub(last));
        let h = passed.map_or(0.0, |passed| passed.as_secs_f64().min(LONGEST));
        let (wish, turning) =
            (sample.velocity.unwrap_or_default(), sample.angular_velocity.unwrap_or_default());
        if !sample.is_finite() {
            return Ok(sample);
        }
        let room = self.capabilities.workspace;
        let to = self.position + wish * h;
        let to = Vec3::from_fn(|i, _| to[i].clamp(room.low[i], room.high[i]));
        let velocity = if h > 0.0 { (to - self.position) / h } else { Vec3::zeros() };
        self.position = to;
        self.rotation = Rotation::from_scaled_axis(turning * h) * self.rotation;
        // round-off of a million turns
        self.rotation.renormalize_fast();
        Ok(Sample {
            position: self.position,
            rotation: self.rotation,
            velocity: Some(velocity),
            ..sample
        })
    }

    fn write(&mut self, command: &Command) -> Result<(), DeviceError> {
        self.inner.write(command)
    }
    fn event(&mut self) -> Option<DeviceEvent> {
        self.inner.event()
    }
    fn close(&mut self) -> Result<(), DeviceError> {
        self.inner.close()
    }
}
