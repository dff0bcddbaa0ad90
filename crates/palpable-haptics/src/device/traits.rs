//! The device trait, and how a device and a loop take turns.

use super::{Capabilities, DeviceError, Sample};
use crate::safety::Command;

/// Who sets the pace of a device's loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pace {
    /// We do: `read` returns at once with the latest reading.
    #[default]
    Ours,
    /// The device does: `read` waits for its next reading, for instance the answer to the last
    /// `write`, but never longer than the driver's time-out.
    Device,
}

/// Whether a device is ready for forces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Readiness {
    /// Homed and calibrated.
    #[default]
    Ready,
    /// It must be homed; the text says how. [`Device::prepare`] starts it.
    NeedsHoming(&'static str),
    /// It must be calibrated; the text says how.
    NeedsCalibration(&'static str),
    /// It is moving or measuring by itself; wait.
    Busy(&'static str),
}

impl Readiness {
    /// True if forces may be sent.
    pub fn is_ready(self) -> bool {
        self == Readiness::Ready
    }
}

/// Something that a device tells without being asked; the safety stage listens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeviceEvent {
    /// Its emergency brake, or a stop button, went on.
    BrakeOn,
    /// The brake was released.
    BrakeOff,
    /// It limits forces because the loop looks unstable to it.
    StabilityCeiling,
    /// A motor stalled or grew too hot.
    Stalled,
    /// It measured a rate far from the one it wants.
    RateAnomaly,
    /// It went away.
    Disconnected,
    /// The way to it broke; the driver tries to get it back, and the device shows no force.
    LinkDown,
    /// The way to it is there again.
    LinkUp,
}

/// Takes the force away from a thread other than the loop's, which hangs.
pub type Release = Box<dyn FnMut() + Send>;

/// A haptic device that a thread of ours reads and writes, once a tick each.
///
/// No call may allocate, lock or wait longer than [`Pace`] says, once the device is open. Opening
/// is up to each driver. A simulated device moves its hand on in `read`; a network device sends in
/// `write` and waits for the answer in `read`; a vendor library is polled; an input device ignores
/// `write`; a recording reads its next line.
pub trait Device: Send {
    /// What it can do; does not change while it is open.
    fn capabilities(&self) -> &Capabilities;

    /// Who sets the pace.
    fn pace(&self) -> Pace {
        Pace::Ours
    }

    /// Homing and calibration.
    fn readiness(&self) -> Readiness {
        Readiness::Ready
    }

    /// Starts homing or calibration, or moves it on; called until it is ready. It may move the
    /// handle by itself only where the maker's own routine does.
    /// # Errors
    /// The device is lost or refuses.
    fn prepare(&mut self) -> Result<Readiness, DeviceError> {
        Ok(self.readiness())
    }

    /// The latest reading.
    /// # Errors
    /// [`DeviceError::Late`] and [`DeviceError::Garbled`] may pass; the others end the loop.
    fn read(&mut self) -> Result<Sample, DeviceError>;

    /// Sends a command, held until the next one. Only the safety stage can make it.
    /// # Errors
    /// As for `read`.
    fn write(&mut self, command: &Command) -> Result<(), DeviceError>;

    /// What the device has told since the last call, one at a time.
    fn event(&mut self) -> Option<DeviceEvent> {
        None
    }

    /// What takes the force away if the loop hangs; none where the driver does so by a thread of
    /// its own, or cannot.
    fn release(&self) -> Option<Release> {
        None
    }

    /// Lets go: zero force, motors off, brakes on, connection closed. Must be harmless when called
    /// twice, and on a lost device. Drivers call it when dropped.
    /// # Errors
    /// The device could not be told; it is closed all the same.
    fn close(&mut self) -> Result<(), DeviceError>;
}

/// Whether a loop goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// Call again at the next tick.
    Continue,
    /// Stop and close the device.
    Stop,
}

/// One tick of a servo loop: read, think, write. Ours, run by whichever thread has the device.
pub trait Tick: Send {
    /// Called once per tick with the device. Must not panic across a foreign caller.
    fn tick(&mut self, device: &mut dyn Device) -> Flow;
}

/// A device with a servo thread of its own, which calls us.
///
/// The driver calls [`Tick::tick`] from that thread with a view of the device that is valid for
/// the length of the call: reading and writing between the begin and the end of a vendor's frame.
pub trait CallingDevice: Send {
    /// What it can do; does not change while it is open.
    fn capabilities(&self) -> &Capabilities;

    /// Homing and calibration.
    fn readiness(&self) -> Readiness {
        Readiness::Ready
    }

    /// Starts homing or calibration, or moves it on; called until it is ready, before `start`.
    /// # Errors
    /// The device is lost or refuses.
    fn prepare(&mut self) -> Result<Readiness, DeviceError> {
        Ok(self.readiness())
    }

    /// Begins to call `tick` from the device's thread.
    /// # Errors
    /// The device is lost or refuses.
    fn start(&mut self, tick: Box<dyn Tick>) -> Result<(), DeviceError>;

    /// True until the tick asked to stop, the device was lost, or `stop` was called.
    fn is_running(&self) -> bool;

    /// Ends the calls, waits for the last one, closes the device and gives the tick back. `None`
    /// if it was never started. Harmless when called twice.
    fn stop(&mut self) -> Option<Box<dyn Tick>>;
}

/// A device that was opened, of either kind.
pub enum Attached {
    /// Driven by a thread of ours.
    Polled(Box<dyn Device>),
    /// Calls us from its own.
    Calling(Box<dyn CallingDevice>),
}

impl Attached {
    /// What it can do.
    pub fn capabilities(&self) -> &Capabilities {
        match self {
            Attached::Polled(device) => device.capabilities(),
            Attached::Calling(device) => device.capabilities(),
        }
    }

    /// Homing and calibration.
    pub fn readiness(&self) -> Readiness {
        match self {
            Attached::Polled(device) => device.readiness(),
            Attached::Calling(device) => device.readiness(),
        }
    }

    /// Starts or continues homing and calibration.
    /// # Errors
    /// The device is lost or refuses.
    pub fn prepare(&mut self) -> Result<Readiness, DeviceError> {
        match self {
            Attached::Polled(device) => device.prepare(),
            Attached::Calling(device) => device.prepare(),
        }
    }
}
