//! Force Dimension devices (omega, delta, sigma, lambda) and the Novint Falcon, through the maker's
//! library, which is loaded at run time.
//!
//! The maker's axes are x towards the user, y to the right, z up; ours are x to the right, y away
//! from the user, z up.

mod dhd;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use dhd::Dhd;

use super::library::LibraryError;
use super::rotation_from_rows;
use crate::device::{
    Axes, Buttons, Capabilities, Device, DeviceError, DeviceEvent, ForceLimit, Gripper, Readiness,
    Release, Sample, Workspace,
};
use crate::safety::Command;
use palpable::{Rotation, Vec3};

/// The maker's code for an answer that did not come in time.
const TIMEOUT: i32 = 7;
/// Readings between two looks at the status.
const LOOK: u64 = 10;

/// Which device, and how to reach it.
#[derive(Debug, Clone, PartialEq)]
pub struct ForceDimensionSettings {
    /// The library; looked for if not given.
    pub library: Option<PathBuf>,
    /// Which device, from 0; the first one if not given.
    pub index: Option<u8>,
    /// Forces that are asked of it [N]. Cautious, not from a data sheet.
    pub force: ForceLimit,
    /// Torque [N·m], for wrists that can push. Cautious likewise.
    pub torque: ForceLimit,
    /// Rate of the servo loop [Hz].
    pub rate: f64,
}

impl Default for ForceDimensionSettings {
    fn default() -> Self {
        Self {
            library: None,
            index: None,
            force: ForceLimit::new(8.0, 4.0),
            torque: ForceLimit::new(0.1, 0.05),
            rate: 1000.0,
        }
    }
}

/// What a library finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Where the library is.
    pub library: String,
    /// Its version, if it tells.
    pub version: Option<String>,
    /// Number of devices.
    pub devices: i32,
}

/// Loads the library and asks how many devices there are, without opening one.
/// # Errors
/// No library, or one that lacks a function.
pub fn find(library: Option<&Path>) -> Result<Found, LibraryError> {
    let dhd = Dhd::load(library)?;
    let (library, version) = (dhd.path().to_owned(), dhd.version());
    Ok(Found { library, version, devices: dhd.count() })
}

/// An open device.
pub struct ForceDimension {
    dhd: Arc<Dhd>,
    id: i8,
    /// it can be homed
    robotic: bool,
    capabilities: Capabilities,
    wrist: bool,
    torques: bool,
    gripper: bool,
    open: bool,
    on: bool,
    /// its own force button, or its watchdog, took the force away
    braked: bool,
    reads: u64,
    event: Option<DeviceEvent>,
    told_homing: bool,
}

impl ForceDimension {
    /// Loads the library and opens a device. Sends no force.
    /// # Errors
    /// No library, no device, or no permission; with the cure.
    pub fn open(settings: &ForceDimensionSettings) -> Result<Self, DeviceError> {
        let dhd = Arc::new(Dhd::load(settings.library.as_deref())?);
        if dhd.count() <= 0 {
            let none = "no Force Dimension device is there: plug it in, switch it on, and allow \
                        your user to use it (a udev rule for USB vendor 1451)";
            return Err(DeviceError::Refused(none.into()));
        }
        let (id, robotic) = dhd.open(settings.index).map_err(|_| {
            let why = dhd.error_text();
            let cure = "end other programs that use it, and allow your user to use it (a udev \
                        rule for USB vendor 1451)";
            DeviceError::Refused(format!("the device cannot be opened ({why}): {cure}").into())
        })?;
        dhd.limit(settings.force.peak, settings.torque.peak, id);
        let mut device = Self {
            capabilities: Capabilities::new("", Axes::THREE, settings.rate),
            wrist: dhd.has_wrist(id),
            torques: dhd.has_active_wrist(id),
            gripper: dhd.has_gripper(id),
            dhd,
            id,
            robotic,
            open: true,
            on: false,
            braked: false,
            reads: 0,
            event: None,
            told_homing: false,
        };
        let at = device.read()?.position;
        device.capabilities = device.describe(settings, &at);
        Ok(device)
    }

    fn describe(&self, settings: &ForceDimensionSettings, at: &Vec3) -> Capabilities {
        let name = self.dhd.name(self.id).unwrap_or_else(|| "Force Dimension device".into());
        let reach = Vec3::repeat(0.1);
        Capabilities {
            serial: Some(self.id.to_string()),
            sensed: if self.wrist { Axes::SIX } else { Axes::THREE },
            actuated: if self.torques { Axes::SIX } else { Axes::THREE },
            workspace: Workspace { low: at - reach, high: at + reach },
            force: settings.force,
            torque: if self.torques { settings.torque } else { ForceLimit::NONE },
            buttons: 32,
            gripper: self.gripper.then_some(Gripper {
                turns: true,
                low: 0.0,
                high: 0.5,
                force: ForceLimit::NONE,
            }),
            ..Capabilities::new(&name, Axes::THREE, settings.rate)
        }
    }

    fn failed(&self, code: i32) -> DeviceError {
        if code == TIMEOUT {
            return DeviceError::Late("the Force Dimension device is slow; check its cable".into());
        }
        let why = self.dhd.error_text();
        DeviceError::Lost(format!("{why}; check its cable and power").into())
    }

    /// Looks now and then whether the device itself took the force away.
    fn look(&mut self) {
        let Some((on, error)) = self.dhd.status(self.id) else { return };
        if error {
            self.event = Some(DeviceEvent::Stalled);
        } else if self.on && !on && !self.braked {
            (self.braked, self.event) = (true, Some(DeviceEvent::BrakeOn));
        } else if self.braked && on {
            (self.braked, self.event) = (false, Some(DeviceEvent::BrakeOff));
        }
    }
}

/// Ours from the maker's axes.
fn ours(v: &Vec3) -> Vec3 {
    Vec3::new(v.y, -v.x, v.z)
}

/// The maker's from our axes.
fn theirs(v: &Vec3) -> Vec3 {
    Vec3::new(-v.y, v.x, v.z)
}

/// Our axes, as a rotation of the maker's: a quarter turn about z.
fn turn() -> Rotation {
    Rotation::from_axis_angle(&Vec3::z_axis(), -std::f64::consts::FRAC_PI_2)
}

impl Device for ForceDimension {
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn readiness(&self) -> Readiness {
        if !self.robotic || self.dhd.is_homed(self.id) {
            Readiness::Ready
        } else {
            Readiness::NeedsHoming("let the handle go: it will move by itself to find its places")
        }
    }

    fn prepare(&mut self) -> Result<Readiness, DeviceError> {
        if self.readiness().is_ready() {
            return Ok(Readiness::Ready);
        }
        // the first call only says what is going to happen
        if std::mem::replace(&mut self.told_homing, true) {
            self.dhd.home(self.id).map_err(|code| self.failed(code))?;
        }
        Ok(self.readiness())
    }

    fn read(&mut self) -> Result<Sample, DeviceError> {
        if !self.open {
            return Err(DeviceError::Lost("closed".into()));
        }
        self.reads += 1;
        if self.reads.is_multiple_of(LOOK) {
            self.look();
        }
        let at = self.dhd.position(self.id).map_err(|code| self.failed(code))?;
        let velocity = self.dhd.velocity(self.id).map_err(|code| self.failed(code))?;
        let mut sample = Sample {
            sequence: self.reads,
            position: ours(&at),
            velocity: Some(ours(&velocity)),
            buttons: Buttons(self.dhd.buttons(self.id)),
            ..Sample::default()
        };
        if let Some(rows) = self.dhd.orientation(self.id).filter(|_| self.wrist) {
            let rows = rows.map_err(|code| self.failed(code))?;
            let no = DeviceError::Garbled("the device reports an orientation that is none".into());
            let theirs = rotation_from_rows(&rows).ok_or(no)?;
            sample.rotation = turn() * theirs * turn().inverse();
        }
        if self.gripper {
            sample.gripper = self.dhd.gripper(self.id);
        }
        Ok(sample)
    }

    fn write(&mut self, command: &Command) -> Result<(), DeviceError> {
        if !self.open {
            return Err(DeviceError::Lost("closed".into()));
        }
        // a device that switched itself off is left alone, so that it can be seen to come back
        if command.enabled() != self.on && !self.braked {
            self.dhd.enable(command.enabled(), self.id).map_err(|code| self.failed(code))?;
            self.on = command.enabled();
        }
        let (force, torque) = (theirs(&command.force()), theirs(&command.torque()));
        let sent = if self.torques {
            self.dhd.set_force_and_torque(&force, &torque, self.id)
        } else {
            self.dhd.set_force(&force, self.id)
        };
        sent.map_err(|code| self.failed(code))
    }

    fn event(&mut self) -> Option<DeviceEvent> {
        self.event.take()
    }

    fn release(&self) -> Option<Release> {
        let (dhd, id) = (self.dhd.clone(), self.id);
        // an id that was closed meanwhile is an error code
        Some(Box::new(move || {
            let _ = dhd.set_force(&Vec3::zeros(), id);
            let _ = dhd.enable(false, id);
        }))
    }

    fn close(&mut self) -> Result<(), DeviceError> {
        if std::mem::replace(&mut self.open, false) {
            self.dhd.close(self.id, self.robotic);
        }
        Ok(())
    }
}

impl Drop for ForceDimension {
    fn drop(&mut self) {
        let _ = self.close();
    }
}
