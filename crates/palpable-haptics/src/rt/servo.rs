//! One tick of the servo loop.

use std::sync::Arc;
use std::time::Duration;

use super::clock::Clock;
use super::energy::HandleEnergy;
use super::exchange::Orders;
use super::render::{Books, Render};
use super::row::Row;
use super::schedule::{Schedule, Wake};
use super::stats::Stats;
use crate::device::{Device, DeviceError, Flow, Pace, Sample, Tick};
use crate::safety::{Command, Fault, Safety, State, Wish};
use palpable::Vec3;

/// Rows that wait for the recorder; two seconds at 4 kHz.
const RING: usize = 8192;
/// The world follows the clock over at most this many missed periods.
const LONGEST_STEP: u32 = 10;

/// Why a loop ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// Somebody asked.
    Asked,
    /// A recording or a script came to its end.
    Over,
    /// The device failed for good.
    Device(DeviceError),
    /// A fault that stays.
    Fault(Fault),
}

/// How a running loop is doing; published every tick.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Live {
    /// Time of the tick by the loop's clock.
    pub time: Duration,
    /// Ticks so far.
    pub ticks: u64,
    /// Deadlines missed so far.
    pub missed: u64,
    /// Position of the handle, device frame [m].
    pub position: Vec3,
    /// Force on the hand [N].
    pub force: Vec3,
    /// Torque on the hand [N·m].
    pub torque: Vec3,
    /// Energy that the hand received so far [J].
    pub given: f64,
    /// The most it ever had received [J].
    pub most_given: f64,
    /// Heat of the motors, 1 is hot.
    pub load: f64,
    /// State of the safety stage.
    pub state: State,
    /// Why forces are or were away.
    pub fault: Option<Fault>,
    /// The world's books.
    pub books: Books,
}

impl Default for Live {
    fn default() -> Self {
        Self {
            time: Duration::ZERO,
            ticks: 0,
            missed: 0,
            position: Vec3::zeros(),
            force: Vec3::zeros(),
            torque: Vec3::zeros(),
            given: 0.0,
            most_given: 0.0,
            load: 0.0,
            state: State::Off,
            fault: None,
            books: Books::default(),
        }
    }
}

/// The far end of a servo: orders go in, rows and pictures come out.
pub struct ServoHandle {
    orders: Arc<Orders>,
    live: triple_buffer::Output<Live>,
    rows: rtrb::Consumer<Row>,
}

impl ServoHandle {
    /// The same orders, for whoever has to end the loop.
    pub(super) fn orders(&self) -> Arc<Orders> {
        self.orders.clone()
    }

    /// Asks for the end: the force fades, then the loop stops.
    pub fn stop(&self) {
        self.orders.ask_stop();
    }

    /// Cuts the force at the next tick.
    pub fn emergency_stop(&self) {
        self.orders.ask_emergency();
    }

    /// Starts again after a fault that stays.
    pub fn restart(&self) {
        self.orders.ask_restart();
    }

    /// Ticks, for a [`Watchdog`](super::Watchdog).
    pub fn beats(&self) -> u64 {
        self.orders.beats()
    }

    /// How the loop is doing.
    pub fn live(&mut self) -> Live {
        *self.live.read()
    }

    /// Takes the rows that wait; call it often enough that the ring does not fill.
    pub fn rows(&mut self) -> impl Iterator<Item = Row> + '_ {
        std::iter::from_fn(|| self.rows.pop().ok())
    }
}

/// One tick of the servo loop: read, render, make safe, write, count.
///
/// Runs wherever it is called: see [`Tick`]. It starts the safety stage at its first tick.
pub struct Servo<R, C> {
    render: R,
    clock: C,
    safety: Safety,
    period: Duration,
    schedule: Schedule,
    stats: Stats,
    energy: HandleEnergy,
    /// the last reading and when it was new
    sample: Option<(Sample, Duration)>,
    started: Duration,
    /// the device's time before its first reading, where it is known
    device_start: Option<Duration>,
    wish: Wish,
    orders: Arc<Orders>,
    live: triple_buffer::Input<Live>,
    rows: rtrb::Producer<Row>,
    recording: bool,
    stay_after_fault: bool,
    ending: Option<Ending>,
}

impl<R: Render, C: Clock> Servo<R, C> {
    /// A loop with the period of the safety stage's limits.
    pub fn new(render: R, safety: Safety, clock: C) -> (Self, ServoHandle) {
        let period = Duration::from_secs_f64(safety.limits().period);
        let (input, output) = triple_buffer::TripleBuffer::default().split();
        let (producer, consumer) = rtrb::RingBuffer::new(RING);
        let orders = Orders::new();
        let handle = ServoHandle { orders: orders.clone(), live: output, rows: consumer };
        let servo = Self {
            schedule: Schedule::new(clock.now(), period),
            render,
            clock,
            safety,
            period,
            stats: Stats::new(),
            energy: HandleEnergy::default(),
            sample: None,
            started: Duration::ZERO,
            device_start: None,
            wish: Wish::default(),
            orders,
            live: input,
            rows: producer,
            recording: false,
            stay_after_fault: false,
            ending: None,
        };
        (servo, handle)
    }

    /// Counts what the device's own damping [N·s/m] takes, in the energy at the handle.
    pub fn with_damping(mut self, damping: f64) -> Self {
        self.energy = HandleEnergy::new(damping);
        self
    }

    /// The device's clock stood at zero one step before its first reading: a recording's does, so
    /// that its first step is as long as it was.
    pub fn from_zero(mut self) -> Self {
        self.device_start = Some(Duration::ZERO);
        self
    }

    /// Sends a row a tick to the handle.
    pub fn recording(mut self) -> Self {
        self.recording = true;
        self
    }

    /// Goes on without force after a fault that stays, until started again or stopped; otherwise
    /// the loop ends.
    pub fn staying_after_faults(mut self) -> Self {
        self.stay_after_fault = true;
        self
    }

    /// Counts and histograms.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// Energy at the handle.
    pub fn energy(&self) -> &HandleEnergy {
        &self.energy
    }

    /// The safety stage.
    pub fn safety(&self) -> &Safety {
        &self.safety
    }

    /// What renders.
    pub fn render(&self) -> &R {
        &self.render
    }

    /// Gives back what rendered.
    pub fn into_render(self) -> R {
        self.render
    }

    /// Why the loop ended, once it has.
    pub fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    /// Waits for the next deadline, unless the device sets the pace.
    pub fn wait(&mut self, pace: Pace) {
        if pace == Pace::Ours {
            let deadline = self.schedule.aim(self.clock.now());
            self.clock.sleep_until(deadline);
        }
    }

    /// Runs the loop on the calling thread until it ends, and closes the device.
    pub fn run(&mut self, device: &mut dyn Device) -> Ending {
        // the grid of deadlines starts now, not when the loop was made
        self.schedule = Schedule::new(self.clock.now(), self.period);
        let pace = device.pace();
        loop {
            self.wait(pace);
            if self.tick(device) == Flow::Stop {
                break;
            }
        }
        let closed = device.close();
        let ending = self.ending.clone().unwrap_or(Ending::Asked);
        match (ending, closed) {
            (Ending::Asked, Err(error)) => Ending::Device(error),
            (ending, _) => ending,
        }
    }

    /// Orders from the handle, and the start.
    fn obey(&mut self, first: bool) {
        if first || self.orders.take_restart() {
            // refused only after a lost device, which ends the loop anyway
            let _ = self.safety.start();
        }
        if self.orders.take_emergency() {
            self.safety.emergency_stop();
        }
        if self.orders.stop() {
            self.safety.stop();
        }
    }

    /// A reading, a repeated one if the device is silent, none before the first, or the end.
    fn read(
        &mut self,
        device: &mut dyn Device,
        now: Duration,
    ) -> Result<Option<Sample>, DeviceError> {
        let error = match device.read() {
            Ok(sample) => return Ok(Some(sample)),
            Err(error) => error,
        };
        let patience = Duration::from_secs_f64(self.safety.limits().jump_after);
        let silence = now.saturating_sub(self.sample.map_or(self.started, |(_, seen)| seen));
        if !error.is_passing() || silence > patience {
            return Err(error);
        }
        self.stats.silent += 1;
        Ok(self.sample.map(|(sample, _)| sample))
    }

    /// Length of the world's step: by the device's clock, or the periods that have passed.
    fn step_length(&self, sample: &Sample, wake: Wake) -> Duration {
        let longest = LONGEST_STEP * self.period;
        let before = self.sample.map_or(self.device_start, |(sample, _)| sample.time);
        match (sample.time, before) {
            (Some(now), Some(before)) if now > before => (now - before).min(longest),
            _ => self.period * (1 + wake.missed.min(u64::from(LONGEST_STEP) - 1) as u32),
        }
    }

    fn publish(&mut self, row: &Row) {
        let live = Live {
            time: row.time,
            ticks: self.stats.ticks(),
            missed: self.stats.missed(),
            position: row.sample.position,
            force: row.command.force(),
            torque: row.command.torque(),
            given: self.energy.given(),
            most_given: self.energy.most(),
            load: self.safety.load(),
            state: row.state,
            fault: row.fault,
            books: row.books,
        };
        self.live.write(live);
        if self.recording && self.rows.push(*row).is_err() {
            self.stats.dropped += 1;
        }
        self.orders.beat();
    }

    /// Whether the loop goes on after this tick.
    fn flow(&mut self, written: Result<(), DeviceError>) -> Flow {
        let machine = self.safety.machine();
        let ending = match (written, machine.state(), machine.fault()) {
            (Err(error), _, _) if !error.is_passing() => Some(Ending::Device(error)),
            (_, State::Off, _) => Some(Ending::Asked),
            (_, State::Stopped, Some(fault)) if self.orders.stop() => Some(Ending::Fault(fault)),
            (_, State::Stopped, Some(fault)) if fault.is_latched() && !self.stay_after_fault => {
                Some(Ending::Fault(fault))
            }
            _ => None,
        };
        match ending {
            Some(ending) => self.end(ending),
            None => Flow::Continue,
        }
    }

    fn end(&mut self, ending: Ending) -> Flow {
        self.ending = Some(ending);
        Flow::Stop
    }

    /// The device cannot be read any more: the last row says so, and zero is sent.
    fn lose(
        &mut self,
        device: &mut dyn Device,
        now: Duration,
        wake: Wake,
        error: DeviceError,
    ) -> Flow {
        let over = error == DeviceError::Ended;
        if over {
            self.safety.stop();
        } else {
            self.safety.device_lost();
        }
        let command = Command::zero();
        // a device that cannot be read may still be written
        let _ = device.write(&command);
        if let Some((sample, _)) = self.sample {
            self.safety.step(now, &sample, &self.wish);
            if !over {
                self.record(now, Duration::ZERO, wake, &sample, command);
            }
        }
        self.end(if over { Ending::Over } else { Ending::Device(error) })
    }

    fn record(&mut self, now: Duration, step: Duration, w: Wake, s: &Sample, command: Command) {
        let machine = self.safety.machine();
        let row = Row {
            tick: self.stats.ticks(),
            time: now,
            step,
            lateness: w.lateness,
            sample: *s,
            wish: self.wish.wrench,
            command,
            state: machine.state(),
            fault: machine.fault(),
            given: self.energy.given(),
            books: self.render.books(),
        };
        self.publish(&row);
    }
}

impl<R: Render, C: Clock> Tick for Servo<R, C> {
    fn tick(&mut self, device: &mut dyn Device) -> Flow {
        let now = self.clock.now();
        let wake = self.schedule.woke(now);
        if self.stats.ticks() == 0 {
            self.started = now;
        }
        self.stats.begin(now, wake);
        self.obey(self.stats.ticks() == 1);
        let sample = match self.read(device, now) {
            Ok(Some(sample)) => sample,
            Ok(None) => {
                return if self.orders.stop() { self.end(Ending::Asked) } else { Flow::Continue };
            }
            Err(error) => return self.lose(device, now, wake, error),
        };
        while let Some(event) = device.event() {
            self.safety.device_event(event);
        }
        let seen = match self.sample {
            Some((last, seen)) if last.sequence == sample.sequence => seen,
            _ => now,
        };
        let step = self.step_length(&sample, wake);
        self.energy.arrive(&sample, step.as_secs_f64());
        // the world moves on under a hand that is not seen; the stage lets it push no harder
        self.wish = self.render.render(now, step, &sample);
        // a silent device makes an answer as old as its last reading
        self.wish.age = self.wish.age.max(now.saturating_sub(seen));
        self.sample = Some((sample, seen));
        let command = self.safety.step(now, &sample, &self.wish);
        let written = device.write(&command);
        self.stats.sent(self.clock.now());
        self.energy.hold(&sample, &command);
        if written.as_ref().is_err_and(|error| !error.is_passing()) {
            self.safety.device_lost();
            self.safety.step(now, &sample, &self.wish);
        }
        self.record(now, step, wake, &sample, command);
        self.flow(written)
    }
}
