//! A servo loop on a thread of its own.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::clock::Clock;
use super::energy::HandleEnergy;
use super::exchange::Orders;
use super::os::{Privileges, gain_privileges};
use super::render::Render;
use super::servo::{Ending, Servo, ServoHandle};
use super::stats::Stats;
use crate::device::{Attached, CallingDevice, Device, DeviceError, Flow, Readiness, Release, Tick};
use crate::safety::{Command, Safety};

/// What is left of a loop.
pub struct Outcome<R> {
    /// Why it ended.
    pub ending: Ending,
    /// Counts and histograms.
    pub stats: Stats,
    /// Energy at the handle.
    pub energy: HandleEnergy,
    /// The safety stage with its faults.
    pub safety: Safety,
    /// What rendered.
    pub render: R,
    /// What the thread was allowed.
    pub privileges: Privileges,
}

/// A loop that runs on a thread of its own, or on the device's.
///
/// However it is left, the loop fades the force out and closes its device: dropping this asks for
/// the end and waits for it, for [`PARTING`] at most.
pub struct ServoThread<R> {
    handle: ServoHandle,
    running: Running<R>,
}

/// Longest time for which a loop that was not joined is waited for: the fade, the last words to the
/// device, and room for a slow machine.
pub const PARTING: Duration = Duration::from_secs(3);

struct Running<R> {
    kind: Option<Kind<R>>,
    orders: Arc<Orders>,
    release: Option<Release>,
}

enum Kind<R> {
    Ours(JoinHandle<Outcome<R>>),
    Theirs(Box<dyn CallingDevice>, std::sync::mpsc::Receiver<Outcome<R>>),
}

impl<R> Kind<R> {
    fn is_running(&self) -> bool {
        match self {
            Kind::Ours(thread) => !thread.is_finished(),
            Kind::Theirs(device, _) => device.is_running(),
        }
    }
}

impl<R> Running<R> {
    fn is_running(&self) -> bool {
        self.kind.as_ref().is_some_and(Kind::is_running)
    }
}

impl<R> Drop for Running<R> {
    fn drop(&mut self) {
        let Some(kind) = self.kind.take() else { return };
        self.orders.ask_stop();
        let end = Instant::now() + PARTING;
        while kind.is_running() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(1));
        }
        if kind.is_running() {
            self.release.iter_mut().for_each(|release| release());
            // it hangs: waiting for it, as the device's own drop does, would hang as well
            std::mem::forget(kind);
        }
    }
}

impl<R: Render + 'static> ServoThread<R> {
    /// Starts the loop. A `priority` (1 to 99) asks for real time and locked memory; what was
    /// obtained is in the outcome.
    /// # Errors
    /// The device is not ready ([`Attached::prepare`]) or does not start, or the system gives no
    /// thread.
    pub fn start<C: Clock + 'static>(
        device: Attached,
        (servo, handle): (Servo<R, C>, ServoHandle),
        priority: Option<i32>,
    ) -> Result<Self, DeviceError> {
        refuse_unready(device.readiness())?;
        let release = match &device {
            Attached::Polled(device) => device.release(),
            Attached::Calling(_) => None,
        };
        let kind = match device {
            Attached::Polled(device) => Kind::Ours(spawn(device, servo, priority)?),
            Attached::Calling(mut device) => {
                let (sender, receiver) = std::sync::mpsc::sync_channel(1);
                let tick = Guest { servo: Some(servo), sender };
                device.start(Box::new(tick))?;
                Kind::Theirs(device, receiver)
            }
        };
        let running = Running { kind: Some(kind), orders: handle.orders(), release };
        Ok(Self { handle, running })
    }

    /// Orders, rows and pictures.
    pub fn handle(&mut self) -> &mut ServoHandle {
        &mut self.handle
    }

    /// True while it ticks.
    pub fn is_running(&self) -> bool {
        self.running.is_running()
    }

    /// Takes the force away past a loop that hangs, where its device can be reached so. Only a
    /// [`Watchdog`](super::Watchdog) should.
    pub fn release(&mut self) {
        self.running.release.iter_mut().for_each(|release| release());
    }

    /// Waits for the end, and gives the handle back for the last rows. Ask for it first with
    /// [`ServoHandle::stop`]. `None` if the loop broke down.
    pub fn join(mut self) -> Option<(Outcome<R>, ServoHandle)> {
        let outcome = match self.running.kind.take()? {
            Kind::Ours(thread) => thread.join().ok()?,
            Kind::Theirs(mut device, receiver) => {
                while device.is_running() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                // dropping the tick sends the outcome
                drop(device.stop());
                receiver.try_recv().ok()?
            }
        };
        Some((outcome, self.handle))
    }
}

/// No force before homing and calibration.
fn refuse_unready(readiness: Readiness) -> Result<(), DeviceError> {
    let (problem, how) = match readiness {
        Readiness::Ready => return Ok(()),
        Readiness::NeedsHoming(how) => ("not homed", how),
        Readiness::NeedsCalibration(how) => ("not calibrated", how),
        Readiness::Busy(what) => ("busy", what),
    };
    Err(DeviceError::Refused(format!("{problem}: {how}").into()))
}

fn spawn<R: Render + 'static, C: Clock + 'static>(
    mut device: Box<dyn Device>,
    mut servo: Servo<R, C>,
    priority: Option<i32>,
) -> Result<JoinHandle<Outcome<R>>, DeviceError> {
    let body = move || {
        let privileges = priority.map_or_else(Privileges::not_asked, gain_privileges);
        let ran = catch_unwind(AssertUnwindSafe(|| servo.run(device.as_mut())));
        let ending = ran.unwrap_or_else(|panic| {
            // whatever broke down, zero is the last force
            let _ = device.write(&Command::zero());
            let _ = device.close();
            resume_unwind(panic)
        });
        servo.outcome(ending, privileges)
    };
    let builder = std::thread::Builder::new().name("palpable-servo".into());
    builder.spawn(body).map_err(|e| DeviceError::Refused(format!("no thread: {e}").into()))
}

impl<R: Render, C: Clock> Servo<R, C> {
    fn outcome(self, ending: Ending, privileges: Privileges) -> Outcome<R> {
        let (stats, energy) = (self.stats().clone(), *self.energy());
        let safety = self.safety().clone();
        Outcome { ending, stats, energy, safety, render: self.into_render(), privileges }
    }
}

/// A servo that runs on a device's own thread.
struct Guest<R: Render, C: Clock> {
    servo: Option<Servo<R, C>>,
    sender: std::sync::mpsc::SyncSender<Outcome<R>>,
}

impl<R: Render, C: Clock> Tick for Guest<R, C> {
    fn tick(&mut self, device: &mut dyn Device) -> Flow {
        self.servo.as_mut().map_or(Flow::Stop, |servo| servo.tick(device))
    }
}

impl<R: Render, C: Clock> Drop for Guest<R, C> {
    fn drop(&mut self) {
        if let Some(servo) = self.servo.take() {
            let ending = servo.ending().cloned().unwrap_or(Ending::Asked);
            let theirs = "the device's own thread".to_owned();
            let mut privileges = Privileges::not_asked();
            privileges.priority = Err(theirs);
            let _ = self.sender.try_send(servo.outcome(ending, privileges));
        }
    }
}
