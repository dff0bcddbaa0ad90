//! The run itself: the servo loop beside, or in virtual time.

use super::DeviceArgs;
use super::session::Session;
use super::trouble::{Troubled, What, disturb};
use super::view::View;
use crate::failure::Failure;
use crate::{output, stop};
use palpable::World;
use palpable_haptics::record::{ImpulseSetup, Recorder, Replay};
use palpable_haptics::rt::{
    Clock, HandleEnergy, Privileges, Remote, Render, Row, ServoHandle, Stats, SystemClock,
    VirtualClock, Watchdog, WorldLoop, WorldThread,
};
use palpable_haptics::{
    Attached, Capabilities, Direct, Ending, Fault, Flow, Pace, Readiness, Safety, Servo,
    ServoThread, State, Tick,
};
use palpable_record::McapSink;
use std::path::PathBuf;
use std::time::Duration;

/// Time between two looks at the loop.
const PAUSE: Duration = Duration::from_millis(20);
/// A loop that stands still for longer has the force taken away, and has hung.
const PATIENCE: [Duration; 2] = [Duration::from_millis(200), Duration::from_secs(5)];
/// Priorities of the servo loop and of a world beside it.
const PRIORITY: [i32; 2] = [80, 70];

/// A run that is over.
pub struct Finished {
    /// Name and description of the scene.
    pub scene: [String; 2],
    /// Name of the port.
    pub port: String,
    /// What the device can do.
    pub capabilities: Capabilities,
    /// Why it ended.
    pub ending: Ending,
    /// Whether somebody pressed Ctrl-C.
    pub interrupted: bool,
    /// State of the safety stage when the end was asked for.
    pub at_stop: Option<State>,
    /// Counts and histograms.
    pub stats: Stats,
    /// Energy at the handle.
    pub energy: HandleEnergy,
    /// The safety stage with its faults.
    pub safety: Safety,
    /// The world at the end.
    pub world: World,
    /// Rate of a world on its own thread \[Hz\].
    pub world_rate: Option<f64>,
    /// What the threads were allowed.
    pub privileges: Option<Privileges>,
    /// What brought impulses to the device.
    pub impulses: Option<ImpulseSetup>,
    /// Largest force \[N\].
    pub largest_force: f64,
    /// How a replay compares.
    pub replay: Option<Compared>,
    /// What was changed without being asked for.
    pub notes: Vec<String>,
    /// Files written.
    pub files: Vec<PathBuf>,
    /// Why the recording ends before the run.
    pub unwritten: Option<String>,
}

impl Finished {
    /// What went wrong, if anything did.
    pub fn problem(&self) -> Option<String> {
        match &self.ending {
            Ending::Device(error) => Some(error.to_string()),
            Ending::Fault(fault) => Some(fault.text().to_owned()),
            _ if self.ended_without_force() && !self.interrupted => {
                self.safety.machine().fault().map(|fault| fault.text().to_owned())
            }
            _ => match &self.replay {
                Some(Compared { first_difference: Some(tick), .. }) => Some(format!(
                    "the replay differs from its recording from tick {tick} on: another scene, \
                     port or scale, or another version of the engine"
                )),
                _ => self.unwritten.clone().or_else(|| self.passed()),
            },
        }
    }

    /// A fault that took the force away and passed. A brake is the user's own, and may be pressed.
    fn passed(&self) -> Option<String> {
        let wrong = |fault: &Fault| *fault != Fault::DeviceBrake && !self.interrupted;
        let fault = faults(&self.safety).into_iter().map(|(fault, _)| fault).find(wrong)?;
        Some(format!("the force was away for a while: {}", fault.text()))
    }
}

impl Finished {
    /// True if a fault still kept the force away when the run ended.
    fn ended_without_force(&self) -> bool {
        matches!(self.at_stop, Some(State::Damping | State::Fading | State::Waiting))
    }
}

/// How a loop was asked to end.
#[derive(Debug, Clone, Copy, Default)]
struct Asked {
    interrupted: bool,
    state: Option<State>,
}

impl Asked {
    /// Asks for the end on Ctrl-C or when it is time.
    fn ask(&mut self, handle: &mut ServoHandle, time: bool) {
        self.interrupted |= stop::asked();
        if self.interrupted || time {
            self.state = self.state.or(Some(handle.live().state));
            handle.stop();
        }
    }
}

/// State hashes of a replay against those recorded.
#[derive(Debug, Clone, Default)]
pub struct Compared {
    /// Ticks whose hashes were compared.
    pub ticks: u64,
    /// The first tick that differs, from 1.
    pub first_difference: Option<u64>,
    /// Ticks that the recording had lost.
    pub lost: u64,
}

/// What happens to the rows of a run. Nothing here may end the loop: a hand is in it.
struct Desk {
    recorder: Option<Recorder<McapSink>>,
    /// why rows are no longer written
    unwritten: Option<String>,
    replay: Option<(Replay, Compared)>,
    largest_force: f64,
}

impl Desk {
    fn take(&mut self, handle: &mut ServoHandle) {
        for row in handle.rows() {
            self.largest_force = self.largest_force.max(row.command.force().norm());
            self.compare(&row);
            let written = self.recorder.as_mut().map(|recorder| recorder.write(&row));
            if let Some(Err(error)) = written {
                // the run goes on without its recording, and says so at its end
                self.unwritten = Some(error.to_string());
                self.recorder = None;
            }
        }
    }

    /// Closes the recording.
    fn finish(&mut self) {
        let finished = self.recorder.take().map(Recorder::finish);
        if let Some(Err(error)) = finished {
            self.unwritten = Some(error.to_string());
        }
    }

    fn compare(&mut self, row: &Row) {
        let Some((replay, compared)) = &mut self.replay else { return };
        let recorded = replay.hash(row.tick as usize - 1).filter(|hash| *hash != 0);
        if let Some(hash) = recorded.filter(|_| row.books.hash != 0) {
            compared.ticks += 1;
            if hash != row.books.hash {
                compared.first_difference.get_or_insert(row.tick);
            }
        }
    }
}

/// Runs to the end.
///
/// # Errors
/// A recording that cannot be begun, a thread that cannot be had, a loop that breaks down or hangs;
/// by then the force is gone.
pub fn run(
    session: Session,
    args: &DeviceArgs,
    recording: Option<PathBuf>,
    json: bool,
) -> Result<Finished, Failure> {
    let sink = recording.as_ref().map(McapSink::create).transpose()?;
    let recorder = sink.map(|sink| Recorder::new(sink, session.setup)).transpose()?;
    let compared = |replay: &Replay| Compared { lost: replay.lost(), ..Compared::default() };
    let replay = session.replay.as_ref().map(|replay| (replay.clone(), compared(replay)));
    let mut desk = Desk { recorder, unwritten: None, replay, largest_force: 0.0 };
    let mut finished = match (args.fast, args.world_rate_hz) {
        (true, _) => fast(session, args, &mut desk, json)?,
        (false, None) => beside(session, args, &mut desk, json)?,
        (false, Some(rate)) => two_threads(session, args, rate, &mut desk, json)?,
    };
    desk.finish();
    finished.files = recording.into_iter().filter(|_| desk.unwritten.is_none()).collect();
    finished.unwritten = desk.unwritten;
    finished.largest_force = desk.largest_force;
    finished.replay = desk.replay.map(|(_, compared)| compared);
    Ok(finished)
}

/// The script without the port that the hand has taken over; what it leads follows the hand.
fn rest_of_script(session: &Session) -> palpable_scene::Script {
    let mut script = session.built.script.clone();
    script.take(session.port.0);
    script
}

/// What renders if the world is in the loop.
fn direct(session: &mut Session, args: &DeviceArgs) -> Result<Direct, Failure> {
    let script = rest_of_script(session);
    // the world moves into the loop; it comes back at the end
    let world = std::mem::replace(&mut session.world, session.built.world());
    let render = Direct::new(world, session.port.0, session.mapping)
        .with_script(move |time, inputs| script.inputs(time, inputs))
        .with_hash();
    // no coupling: the stiffness that was used is infinite
    let render = match session.setup.stiffness.is_infinite() {
        true => render.as_pointer().map_err(|error| Failure::new(format!("--direct: {error}")))?,
        false => render,
    };
    let render = match &session.setup.impulses {
        Some(sent) => render.with_impulses(sent.channel()),
        None => render,
    };
    Ok(match (&session.replay, args.deadline) {
        (Some(replay), _) => render.with_budgets(replay.budgets().to_vec()),
        (None, Some(allowed)) => render.with_deadline(Duration::from_secs_f64(allowed)),
        (None, None) => render,
    })
}

fn servo<R: Render, C: Clock>(
    render: R,
    session: &Session,
    args: &DeviceArgs,
    clock: C,
) -> (Servo<Troubled<R>, C>, ServoHandle) {
    // the virtual clock of a fast run is late by itself
    let rehearsal = args.rehearse.filter(|r| !(args.fast && r.what == What::Late));
    let render = Troubled::new(render, rehearsal);
    let (servo, handle) = Servo::new(render, session.safety.clone(), clock);
    let servo = servo.with_damping(session.capabilities.damping.unwrap_or(0.0)).recording();
    (if session.replay.is_some() { servo.from_zero() } else { servo }, handle)
}

/// The loop on this thread, in virtual time.
fn fast(
    mut session: Session,
    args: &DeviceArgs,
    desk: &mut Desk,
    json: bool,
) -> Result<Finished, Failure> {
    let Attached::Polled(mut device) = taken(&mut session)? else {
        return Err(Failure::new("--fast: this device has its own clock; leave --fast out"));
    };
    let clock = VirtualClock::new();
    let render = direct(&mut session, args)?;
    let (mut servo, mut handle) = servo(render, &session, args, clock.clone());
    let mut view = View::new(&session, json);
    let mut rehearsal = args.rehearse;
    let mut asked = Asked::default();
    let ticks = ticks(&session);
    loop {
        disturb(&clock, &mut rehearsal, servo.stats().ticks() as f64 * session.setup.period);
        servo.wait(Pace::Ours);
        let flow = servo.tick(device.as_mut());
        desk.take(&mut handle);
        if flow == Flow::Stop {
            break;
        }
        asked.ask(&mut handle, servo.stats().ticks() >= ticks);
        if servo.stats().ticks() % 256 == 0 {
            view.show(&handle.live());
        }
    }
    view.end();
    let closed = device.close().err().map(Ending::Device);
    let ending = servo.ending().cloned().or(closed).unwrap_or(Ending::Asked);
    let (stats, energy) = (servo.stats().clone(), *servo.energy());
    let safety = servo.safety().clone();
    let world = servo.into_render().into_inner().world().clone();
    let parts = Parts { ending, stats, energy, safety, privileges: None };
    Ok(parts.finished(session, world, asked, None))
}

/// The loop on a thread of its own, the world in it.
fn beside(
    mut session: Session,
    args: &DeviceArgs,
    desk: &mut Desk,
    json: bool,
) -> Result<Finished, Failure> {
    let clock = SystemClock::new(spin(session.setup.period));
    let render = direct(&mut session, args)?;
    let made = servo(render, &session, args, clock);
    let (parts, asked, render) = watch(&mut session, made, args, desk, json)?;
    let world = render.into_inner().world().clone();
    Ok(parts.finished(session, world, asked, None))
}

/// The loop on one thread, the world on another.
fn two_threads(
    mut session: Session,
    args: &DeviceArgs,
    rate: f64,
    desk: &mut Desk,
    json: bool,
) -> Result<Finished, Failure> {
    let clock = SystemClock::new(spin(session.setup.period));
    let (port, mapping, period) = (session.port.0, session.mapping, session.setup.period);
    let world = std::mem::replace(&mut session.world, session.built.world());
    let (remote, link) = Remote::link(&world, port, mapping, &session.capabilities, period)
        .map_err(|error| Failure::new(error.to_string()))?;
    let script = rest_of_script(&session);
    let turns = WorldLoop::new(world, vec![link], clock, Duration::from_secs_f64(1.0 / rate))
        .with_script(move |time, inputs| script.inputs(time, inputs));
    let priority = (!args.no_real_time).then_some(PRIORITY[1]);
    let world = WorldThread::start(turns, priority)
        .map_err(|error| Failure::new(format!("no thread for the world: {error}")))?;
    let made = servo(remote, &session, args, clock);
    let (parts, asked, _) = watch(&mut session, made, args, desk, json)?;
    let end = world.stop().ok_or_else(|| Failure::new("the world's thread broke down"))?;
    Ok(parts.finished(session, end.world, asked, Some(rate)))
}

/// Starts a loop, looks after it until it ends.
fn watch<R: Render + 'static>(
    session: &mut Session,
    made: (Servo<R, SystemClock>, ServoHandle),
    args: &DeviceArgs,
    desk: &mut Desk,
    json: bool,
) -> Result<(Parts, Asked, R), Failure> {
    let mut view = View::new(session, json);
    let (ticks, clock) = (ticks(session), SystemClock::new(Duration::ZERO));
    let priority = (!args.no_real_time).then_some(PRIORITY[0]);
    let device = prepared(taken(session)?, json)?;
    let mut thread = ServoThread::start(device, made, priority)
        .map_err(|error| Failure::new(error.to_string()))?;
    let [mut pup, mut dog] = PATIENCE.map(Watchdog::new);
    let mut asked = Asked::default();
    while thread.is_running() {
        desk.take(thread.handle());
        let live = thread.handle().live();
        view.show(&live);
        asked.ask(thread.handle(), live.ticks + live.missed >= ticks);
        if pup.barks(clock.now(), live.ticks) {
            thread.release();
        }
        if dog.barks(clock.now(), live.ticks) {
            // leaving ends the loop if it comes back after all
            let cure = "the world or the device's driver does not come back; unplug the device";
            return Err(Failure::new(format!("the servo loop stands still: {cure}")));
        }
        // a wish to stop is heard at once: a hand waits for it
        stop::pause(PAUSE, asked.interrupted);
    }
    view.end();
    let broken = || Failure::new("the servo loop broke down; report this as a bug");
    let (outcome, mut handle) = thread.join().ok_or_else(broken)?;
    desk.take(&mut handle);
    let parts = Parts {
        ending: outcome.ending,
        stats: outcome.stats,
        energy: outcome.energy,
        safety: outcome.safety,
        privileges: Some(outcome.privileges),
    };
    Ok((parts, asked, outcome.render))
}

/// What every way of running leaves.
struct Parts {
    ending: Ending,
    stats: Stats,
    energy: HandleEnergy,
    safety: Safety,
    privileges: Option<Privileges>,
}

impl Parts {
    fn finished(self, s: Session, world: World, asked: Asked, rate: Option<f64>) -> Finished {
        let Self { ending, stats, energy, safety, privileges } = self;
        Finished {
            scene: [s.built.name, s.built.description],
            port: s.port.1,
            capabilities: s.capabilities,
            ending,
            interrupted: asked.interrupted,
            at_stop: asked.state,
            stats,
            energy,
            safety,
            world,
            world_rate: rate,
            privileges,
            impulses: s.setup.impulses,
            largest_force: 0.0,
            replay: None,
            notes: s.notes,
            files: Vec::new(),
            unwritten: None,
        }
    }
}

/// Takes the device out of the session.
fn taken(session: &mut Session) -> Result<Attached, Failure> {
    session.attached.take().ok_or_else(|| Failure::new("the device was taken twice"))
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

/// Ticks of the whole run; a replay ends by itself.
fn ticks(session: &Session) -> u64 {
    match session.replay {
        Some(_) => u64::MAX,
        // the cast saturates
        None => (session.built.duration / session.setup.period).round().max(1.0) as u64,
    }
}

/// Time spent awake before a deadline: a tenth of a period, at most 100 µs.
fn spin(period: f64) -> Duration {
    Duration::from_secs_f64((0.1 * period).min(1e-4))
}

/// Faults that happened, and how often.
pub fn faults(safety: &Safety) -> Vec<(Fault, u64)> {
    let count = |fault: &Fault| (*fault, safety.machine().count(*fault));
    Fault::ALL.iter().map(count).filter(|(_, n)| *n > 0).collect()
}
