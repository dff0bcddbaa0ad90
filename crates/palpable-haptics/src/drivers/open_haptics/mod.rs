//! Touch, Touch X and Phantom devices through OpenHaptics' `libHD`, which is loaded at run time.
//!
//! The library's scheduler has a servo thread of its own and calls us from it. Forces only: the
//! torques of six-axis Phantoms are not driven. The maker's axes are x to the right, y up, z
//! towards the user, in mm; ours are x to the right, y away from the user, z up, in m.

mod hd;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hd::{Calibration, Hd, Scheduled, Work};

use super::library::LibraryError;
use super::rotation_from_rows;
use crate::device::{
    Axes, Buttons, CallingDevice, Capabilities, Device, DeviceError, DeviceEvent, Flow, ForceLimit,
    Readiness, Sample, Tick, Workspace,
};
use crate::safety::Command;
use palpable::{Rotation, Vec3};

/// Forces of a device that does not tell its own [N].
const CAUTIOUS: ForceLimit = ForceLimit { peak: 3.0, continuous: 0.8 };

/// Which device, and how to reach it.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenHapticsSettings {
    /// The library; looked for if not given.
    pub library: Option<PathBuf>,
    /// Name that the maker's set-up program gave the device.
    pub name: String,
    /// Forces that are asked of it [N]; what it tells itself if not given.
    pub force: Option<ForceLimit>,
    /// Rate that is asked of its scheduler [Hz]; devices allow few.
    pub rate: f64,
}

impl Default for OpenHapticsSettings {
    fn default() -> Self {
        Self { library: None, name: "Default Device".into(), force: None, rate: 1000.0 }
    }
}

/// Loads the library; where it was found.
/// # Errors
/// No library, or one that lacks a function.
pub fn find(library: Option<&Path>) -> Result<String, LibraryError> {
    Ok(Hd::load(library)?.path().to_owned())
}

/// The library, for several devices at once.
#[derive(Clone)]
pub struct OpenHapticsLibrary(Arc<Hd>);

impl OpenHapticsLibrary {
    /// Loads the library.
    /// # Errors
    /// No library, or one that lacks a function.
    pub fn load(path: Option<&Path>) -> Result<Self, LibraryError> {
        Hd::load(path).map(Self)
    }

    /// Opens a device. Sends no force.
    /// # Errors
    /// No such device, or no permission; with the cure.
    pub fn open(&self, settings: &OpenHapticsSettings) -> Result<OpenHaptics, DeviceError> {
        let (hd, name) = (&self.0, &settings.name);
        let handle = hd.open(name).map_err(|why| {
            let cure = "run the maker's set-up program, use the name it gave the device, and \
                        allow your user to use its USB or serial port";
            DeviceError::Refused(format!("`{name}` cannot be opened ({why}): {cure}").into())
        })?;
        hd.set_rate(settings.rate.clamp(1.0, 1e5) as u32);
        hd.begin(handle);
        let (at, forces, rate) = (ours(&hd.position()) * 1e-3, hd.forces(), hd.rate());
        hd.end(handle);
        while hd.error().is_some() {}
        let told = ForceLimit::new(forces[0], forces[1].min(forces[0]));
        let told = if told.is_sound() && told.continuous > 0.0 { told } else { CAUTIOUS };
        let reach = Vec3::repeat(0.1);
        let model = hd.model().unwrap_or_else(|| "OpenHaptics device".into());
        let rate = if rate > 0 { f64::from(rate) } else { settings.rate };
        let capabilities = Capabilities {
            serial: Some(name.clone()),
            sensed: Axes::SIX,
            workspace: Workspace { low: at - reach, high: at + reach },
            force: settings.force.unwrap_or(told),
            buttons: 4,
            ..Capabilities::new(&model, Axes::THREE, rate)
        };
        let hd = hd.clone();
        Ok(OpenHaptics { hd, handle, capabilities, scheduled: None, closed: false })
    }
}

/// An open device.
pub struct OpenHaptics {
    hd: Arc<Hd>,
    handle: u32,
    capabilities: Capabilities,
    scheduled: Option<Scheduled<Guest>>,
    closed: bool,
}

impl OpenHaptics {
    /// Loads the library and opens a device; see [`OpenHapticsLibrary`] for several.
    /// # Errors
    /// No library, no such device, or no permission; with the cure.
    pub fn open(settings: &OpenHapticsSettings) -> Result<Self, DeviceError> {
        OpenHapticsLibrary::load(settings.library.as_deref())?.open(settings)
    }
}

impl CallingDevice for OpenHaptics {
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn readiness(&self) -> Readiness {
        match self.hd.calibration(self.handle) {
            Calibration::Sound => Readiness::Ready,
            Calibration::NeedsUpdate => Readiness::Busy("calibrating; leave the stylus alone"),
            Calibration::NeedsHand => {
                Readiness::NeedsCalibration("put the stylus into its inkwell")
            }
        }
    }

    fn prepare(&mut self) -> Result<Readiness, DeviceError> {
        if self.hd.calibration(self.handle) == Calibration::NeedsUpdate {
            self.hd.calibrate();
        }
        Ok(self.readiness())
    }

    fn start(&mut self, tick: Box<dyn Tick>) -> Result<(), DeviceError> {
        if self.closed || self.scheduled.is_some() {
            return Err(DeviceError::Refused("open it again: it was started before".into()));
        }
        let view = View {
            hd: self.hd.clone(),
            handle: self.handle,
            capabilities: self.capabilities.clone(),
            reads: 0,
            on: false,
            lost: None,
            event: None,
        };
        let started = Scheduled::start(&self.hd, Guest { tick, view });
        self.scheduled = Some(started.map_err(|why| {
            DeviceError::Refused(format!("the scheduler does not start: {why}").into())
        })?);
        Ok(())
    }

    fn is_running(&self) -> bool {
        self.scheduled.as_ref().is_some_and(Scheduled::is_running)
    }

    fn stop(&mut self) -> Option<Box<dyn Tick>> {
        let guest = self.scheduled.take().and_then(Scheduled::stop);
        if !std::mem::replace(&mut self.closed, true) {
            self.hd.close(self.handle);
        }
        guest.map(|guest| guest.tick)
    }
}

impl Drop for OpenHaptics {
    fn drop(&mut self) {
        drop(self.stop());
    }
}

/// What the scheduler runs: our tick inside a frame of theirs.
struct Guest {
    tick: Box<dyn Tick>,
    view: View,
}

impl Work for Guest {
    fn work(&mut self) -> bool {
        self.view.hd.begin(self.view.handle);
        self.view.hear();
        // a tick that breaks down must not leave its last force
        let ticked = catch_unwind(AssertUnwindSafe(|| self.tick.tick(&mut self.view)));
        let flow = ticked.unwrap_or(Flow::Stop);
        if flow == Flow::Stop {
            self.view.let_go();
        }
        self.view.hd.end(self.view.handle);
        flow == Flow::Continue
    }
}

/// The device as it is inside a frame.
struct View {
    hd: Arc<Hd>,
    handle: u32,
    capabilities: Capabilities,
    reads: u64,
    on: bool,
    lost: Option<u32>,
    event: Option<DeviceEvent>,
}

impl View {
    /// Sorts the errors that the library has noted since the last tick.
    fn hear(&mut self) {
        // a library that never runs out of errors must not hold the loop
        for _ in 0..32 {
            match self.hd.error() {
                None => return,
                // warm motors, too much force, too fast, force error
                Some(0x0200..=0x02FF) => self.event = Some(DeviceEvent::Stalled),
                // device fault, communication, timer
                Some(code @ 0x0300..=0x03FF) => self.lost = Some(code),
                Some(_) => {}
            }
        }
    }

    /// No force, motors off.
    fn let_go(&mut self) {
        self.hd.set_force(&Vec3::zeros());
        if std::mem::replace(&mut self.on, false) {
            self.hd.enable(false);
        }
    }

    fn fault(&self, code: u32) -> DeviceError {
        let why = self.hd.words(code);
        DeviceError::Lost(format!("{why}; check its cable and power").into())
    }
}

/// Ours from the maker's axes.
fn ours(v: &Vec3) -> Vec3 {
    Vec3::new(v.x, -v.z, v.y)
}

/// The maker's from our axes.
fn theirs(v: &Vec3) -> Vec3 {
    Vec3::new(v.x, v.z, -v.y)
}

/// Our axes, as a rotation of the maker's: a quarter turn about x.
fn turn() -> Rotation {
    Rotation::from_axis_angle(&Vec3::x_axis(), std::f64::consts::FRAC_PI_2)
}

impl Device for View {
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn read(&mut self) -> Result<Sample, DeviceError> {
        if let Some(code) = self.lost {
            return Err(self.fault(code));
        }
        self.reads += 1;
        let t = self.hd.transform();
        let rows = [0, 1, 2].map(|i| [t[i], t[4 + i], t[8 + i]]);
        let no = DeviceError::Garbled("the device reports an orientation that is none".into());
        let rotation = rotation_from_rows(&rows).ok_or(no)?;
        Ok(Sample {
            sequence: self.reads,
            position: ours(&self.hd.position()) * 1e-3,
            rotation: turn() * rotation * turn().inverse(),
            velocity: Some(ours(&self.hd.velocity()) * 1e-3),
            buttons: Buttons(self.hd.buttons()),
            ..Sample::default()
        })
    }

    fn write(&mut self, command: &Command) -> Result<(), DeviceError> {
        if command.enabled() != self.on {
            self.on = command.enabled();
            self.hd.enable(self.on);
        }
        self.hd.set_force(&theirs(&command.force()));
        Ok(())
    }

    fn event(&mut self) -> Option<DeviceEvent> {
        self.event.take()
    }

    fn close(&mut self) -> Result<(), DeviceError> {
        self.let_go();
        Ok(())
    }
}
