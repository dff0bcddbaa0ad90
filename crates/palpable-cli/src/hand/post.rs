//! A servo loop on a thread of its own, looked after until it ends.

use super::DeviceArgs;
use super::drive::{Desk, PAUSE, Parts, taken, ticks};
use super::session::Hand;
use crate::failure::Failure;
use crate::{output, stop};
use palpable_haptics::rt::{Clock, Live, Render, ServoHandle, SystemClock, Watchdog};
use palpable_haptics::{Attached, Readiness, Servo, ServoThread, State};
use std::time::Duration;

/// A loop that stands still for longer has the force taken away, and has hung.
const PATIENCE: [Duration; 2] = [Duration::from_millis(200), Duration::from_secs(5)];
/// Priority of the servo loop.
const PRIORITY: i32 = 80;

/// How a loop was asked to end.
#[derive(Debug, Clone, Copy, Default)]
pub struct Asked {
    /// Somebody pressed Ctrl-C.
    pub interrupted: bool,
    /// State of the safety stage when the end was asked for.
    pub state: Option<State>,
}

impl Asked {
    /// Asks for the end on Ctrl-C or when it is time.
    pub fn ask(&mut self, handle: &mut ServoHandle, time: bool) {
        self.interrupted |= stop::asked();
        if self.interrupted || time {
            self.state = self.state.or(Some(handle.live().state));
            handle.stop();
        }
    }
}

/// A loop on a thread of its own, with its watchdogs.
pub struct Post<R> {
    thread: ServoThread<R>,
    dogs: [Watchdog; 2],
    clock: SystemClock,
    ticks: u64,
    asked: Asked,
}

impl<R: Render + 'static> Post<R> {
    /// Prepares the device and starts its loop, which is to run for `duration` \[s\].
    ///
    /// # Errors
    /// A device that is not ready, no thread.
    pub fn start(
        hand: &mut Hand,
        made: (Servo<R, SystemClock>, ServoHandle),
        args: &DeviceArgs,
        duration: f64,
        json: bool,
    ) -> Result<Self, Failure> {
        let ticks = ticks(hand, duration);
        let priority = (!args.no_real_time).then_some(PRIORITY);
        let device = prepared(taken(hand)?, json)?;
        let thread = ServoThread::start(device, made, priority)
            .map_err(|error| Failure::new(error.to_string()))?;
        let (dogs, clock) = (PATIENCE.map(Watchdog::new), SystemClock::new(Duration::ZERO));
        Ok(Self { thread, dogs, clock, ticks, asked: Asked::default() })
    }

    /// Somebody pressed Ctrl-C.
    pub fn is_interrupted(&self) -> bool {
        self.asked.interrupted
    }

    /// Takes the rows that wait and asks for the end when it is time; `None` once the loop is over.
    ///
    /// # Errors
    /// A loop that stands still.
    pub fn look(&mut self, desk: &mut Desk) -> Result<Option<Live>, Failure> {
        if !self.thread.is_running() {
            return Ok(None);
        }
        desk.take(self.thread.handle());
        let live = self.thread.handle().live();
        self.asked.ask(self.thread.handle(), live.ticks + live.missed >= self.ticks);
        let [pup, dog] = &mut self.dogs;
        if pup.barks(self.clock.now(), live.ticks) {
            self.thread.release();
        }
        if dog.barks(self.clock.now(), live.ticks) {
            // leaving ends the loop if it comes back after all
            let cure = "the world or the device's driver does not come back; unplug the device";
            return Err(Failure::new(format!("the servo loop stands still: {cure}")));
        }
        Ok(Some(live))
    }

    /// What is left of a loop that is over.
    ///
    /// # Errors
    /// A loop that broke down.
    pub fn join(self, desk: &mut Desk) -> Result<(Parts, Asked, R), Failure> {
        let broken = || Failure::new("the servo loop broke down; report this as a bug");
        let (outcome, mut handle) = self.thread.join().ok_or_else(broken)?;
        desk.take(&mut handle);
        let parts = Parts {
            ending: outcome.ending,
            stats: outcome.stats,
            energy: outcome.energy,
            safety: outcome.safety,
            privileges: Some(outcome.privileges),
        };
        Ok((parts, self.asked, outcome.render))
    }
}

/// Homes and calibrates the device, and says what is to be done; Ctrl-C ends the wait.
fn prepared(mut device: Attached, json: bool) -> Result<Attached, Failure> {
    let mut told = None;
    loop {
        let readiness = device.prepare().map_err(|error| Failure::new(error.to_string()))?;
        let what = match readiness {
            Readiness::Ready => return Ok(device),
            Readiness::NeedsHoming(what)
            | Readiness::NeedsCalibration(what)
            | Readiness::Busy(what) => what,
        };
        if stop::asked() {
            return Err(Failure::new(format!("the device is not ready: {what}")));
        }
        if told.replace(what) != Some(what) && !json {
            output::remark(&format!("waiting for the device: {what}"));
        }
        std::thread::sleep(PAUSE);
    }
}
