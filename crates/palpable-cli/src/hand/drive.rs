//! The run itself: the servo loop beside, or in virtual time.

use super::DeviceArgs;
use super::post::{Asked, Post};
use super::session::{Hand, Session};
use super::trouble::{Troubled, What, disturb};
use super::view::View;
use crate::failure::Failure;
use crate::stop;
use palpable::World;
use palpable_haptics::record::{ImpulseSetup, Recorder, Replay};
use palpable_haptics::rt::{
    Clock, HandleEnergy, Privileges, Remote, Render, Row, ServoHandle, Stats, SystemClock,
    VirtualClock, WorldLoop, WorldThread,
};
use palpable_haptics::{
    Attached, Capabilities, Direct, Ending, Fault, Flow, Pace, Safety, Servo, State, Tick,
};
use palpable_record::McapSink;
use std::path::PathBuf;
use std::time::Duration;

/// Time between two looks at the loop.
pub(super) const PAUSE: Duration = Duration::from_millis(20);
/// Priority of a world beside the servo loop, below that of the loop.
pub(super) const WORLD_PRIORITY: i32 = 70;

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
pub(super) struct Desk {
    recorder: Option<Recorder<McapSink>>,
    /// why rows are no longer written
    unwritten: Option<String>,
    replay: Option<(Replay, Compared)>,
    largest_force: f64,
}

impl Desk {
    /// A desk for the rows of a hand, recorded where `recording` says.
    ///
    /// # Errors
    /// A recording that cannot be begun.
    pub fn new(hand: &Hand, recording: Option<&PathBuf>) -> Result<Self, Failure> {
        let sink = recording.map(McapSink::create).transpose()?;
        let recorder = sink.map(|sink| Recorder::new(sink, hand.setup)).transpose()?;
        let compared = |replay: &Replay| Compared { lost: replay.lost(), ..Compared::default() };
        let replay = hand.replay.as_ref().map(|replay| (replay.clone(), compared(replay)));
        Ok(Self { recorder, unwritten: None, replay, largest_force: 0.0 })
    }

    pub fn take(&mut self, handle: &mut ServoHandle) {
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

    /// Closes the recording; the run is over.
    pub fn finish(mut self, run: &mut Finished, recording: Option<PathBuf>) {
        let finished = self.recorder.take().map(Recorder::finish);
        if let Some(Err(error)) = finished {
            self.unwritten = Some(error.to_string());
        }
        run.files = recording.into_iter().filter(|_| self.unwritten.is_none()).collect();
        run.unwritten = self.unwritten;
        run.largest_force = self.largest_force;
        run.replay = self.replay.map(|(_, compared)| compared);
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
    let mut desk = Desk::new(&session.hand, recording.as_ref())?;
    let mut finished = match (args.fast, args.world_rate_hz) {
        (true, _) => fast(session, args, &mut desk, json)?,
        (false, None) => beside(session, args, &mut desk, json)?,
        (false, Some(rate)) => two_threads(session, args, rate, &mut desk, json)?,
    };
    desk.finish(&mut finished, recording);
    Ok(finished)
}

/// The script without the port that the hand has taken over; what it leads follows the hand.
fn rest_of_script(session: &Session) -> palpable_scene::Script {
    let mut script = session.built.script.clone();
    script.take(session.hand.port.0);
    script
}

/// What renders if the world is in the loop.
fn direct(session: &mut Session, args: &DeviceArgs) -> Result<Direct, Failure> {
    let script = rest_of_script(session);
    // the world moves into the loop; it comes back at the end
    let world = std::mem::replace(&mut session.world, session.built.world());
    let render = Direct::new(world, session.hand.port.0, session.hand.mapping)
        .with_script(move |time, inputs| script.inputs(time, inputs))
        .with_hash();
    // no coupling: the stiffness that was used is infinite
    let render = match session.hand.setup.stiffness.is_infinite() {
        true => render.as_pointer().map_err(|error| Failure::new(format!("--direct: {error}")))?,
        false => render,
    };
    let render = match &session.hand.setup.impulses {
        Some(sent) => render.with_impulses(sent.channel()),
        None => render,
    };
    Ok(match (&session.hand.replay, args.deadline) {
        (Some(replay), _) => render.with_budgets(replay.budgets().to_vec()),
        (None, Some(allowed)) => render.with_deadline(Duration::from_secs_f64(allowed)),
        (None, None) => render,
    })
}

pub(super) fn servo<R: Render, C: Clock>(
    render: R,
    hand: &Hand,
    args: &DeviceArgs,
    clock: C,
) -> (Servo<Troubled<R>, C>, ServoHandle) {
    // the virtual clock of a fast run is late by itself
    let rehearsal = args.rehearse.filter(|r| !(args.fast && r.what == What::Late));
    let render = Troubled::new(render, rehearsal);
    let (servo, handle) = Servo::new(render, hand.safety.clone(), clock);
    let servo = servo.with_damping(hand.capabilities.damping.unwrap_or(0.0)).recording();
    (if hand.replay.is_some() { servo.from_zero() } else { servo }, handle)
}

/// The loop on this thread, in virtual time.
fn fast(
    mut session: Session,
    args: &DeviceArgs,
    desk: &mut Desk,
    json: bool,
) -> Result<Finished, Failure> {
    let Attached::Polled(mut device) = taken(&mut session.hand)? else {
        return Err(Failure::new("--fast: this device has its own clock; leave --fast out"));
    };
    let clock = VirtualClock::new();
    let render = direct(&mut session, args)?;
    let (mut servo, mut handle) = servo(render, &session.hand, args, clock.clone());
    let mut view = View::new(&session.built, &[&session.hand], json);
    let mut rehearsal = args.rehearse;
    let mut asked = Asked::default();
    let ticks = ticks(&session.hand, session.built.duration);
    loop {
        disturb(&clock, &mut rehearsal, servo.stats().ticks() as f64 * session.hand.setup.period);
        servo.wait(Pace::Ours);
        let flow = servo.tick(device.as_mut());
        desk.take(&mut handle);
        if flow == Flow::Stop {
            break;
        }
        asked.ask(&mut handle, servo.stats().ticks() >= ticks);
        if servo.stats().ticks() % 256 == 0 {
            view.show(&[handle.live()]);
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
    let clock = SystemClock::new(spin(session.hand.setup.period));
    let render = direct(&mut session, args)?;
    let made = servo(render, &session.hand, args, clock);
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
    let clock = SystemClock::new(spin(session.hand.setup.period));
    let (port, mapping, period) =
        (session.hand.port.0, session.hand.mapping, session.hand.setup.period);
    let world = std::mem::replace(&mut session.world, session.built.world());
    let (remote, link) = Remote::link(&world, port, mapping, &session.hand.capabilities, period)
        .map_err(|error| Failure::new(error.to_string()))?;
    let script = rest_of_script(&session);
    let turns = WorldLoop::new(world, vec![link], clock, Duration::from_secs_f64(1.0 / rate))
        .with_script(move |time, inputs| script.inputs(time, inputs));
    let priority = (!args.no_real_time).then_some(WORLD_PRIORITY);
    let world = WorldThread::start(turns, priority)
        .map_err(|error| Failure::new(format!("no thread for the world: {error}")))?;
    let made = servo(remote, &session.hand, args, clock);
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
    let mut view = View::new(&session.built, &[&session.hand], json);
    let mut post = Post::start(&mut session.hand, made, args, session.built.duration, json)?;
    while let Some(live) = post.look(desk)? {
        view.show(&[live]);
        // a wish to stop is heard at once: a hand waits for it
        stop::pause(PAUSE, post.is_interrupted());
    }
    view.end();
    post.join(desk)
}

/// What every way of running leaves.
pub(super) struct Parts {
    pub ending: Ending,
    pub stats: Stats,
    pub energy: HandleEnergy,
    pub safety: Safety,
    pub privileges: Option<Privileges>,
}

impl Parts {
    fn finished(self, s: Session, world: World, asked: Asked, rate: Option<f64>) -> Finished {
        Finished {
            world_rate: rate,
            ..self.at([s.built.name, s.built.description], s.hand, world, asked)
        }
    }

    /// The end of a hand in the scene of this name and description.
    pub fn at(self, scene: [String; 2], hand: Hand, world: World, asked: Asked) -> Finished {
        let Self { ending, stats, energy, safety, privileges } = self;
        Finished {
            scene,
            port: hand.port.1,
            capabilities: hand.capabilities,
            ending,
            interrupted: asked.interrupted,
            at_stop: asked.state,
            stats,
            energy,
            safety,
            world,
            world_rate: None,
            privileges,
            impulses: hand.setup.impulses,
            largest_force: 0.0,
            replay: None,
            notes: hand.notes,
            files: Vec::new(),
            unwritten: None,
        }
    }
}

/// Takes the device out of the session.
pub(super) fn taken(hand: &mut Hand) -> Result<Attached, Failure> {
    hand.attached.take().ok_or_else(|| Failure::new("the device was taken twice"))
}

/// Ticks of the whole run; a replay ends by itself.
pub(super) fn ticks(hand: &Hand, duration: f64) -> u64 {
    match hand.replay {
        Some(_) => u64::MAX,
        // the cast saturates
        None => (duration / hand.setup.period).round().max(1.0) as u64,
    }
}

/// Time spent awake before a deadline: a tenth of a period, at most 100 µs.
pub(super) fn spin(period: f64) -> Duration {
    Duration::from_secs_f64((0.1 * period).min(1e-4))
}

/// Faults that happened, and how often.
pub fn faults(safety: &Safety) -> Vec<(Fault, u64)> {
    let count = |fault: &Fault| (*fault, safety.machine().count(*fault));
    Fault::ALL.iter().map(count).filter(|(_, n)| *n > 0).collect()
}
