//! Several hands in one world: every device has a servo loop of its own, and the world is stepped
//! beside them.

use super::DeviceArgs;
use super::drive::{Desk, Finished, PAUSE, Parts, WORLD_PRIORITY, servo, spin, taken, ticks};
use super::post::{Asked, Post};
use super::report::Report;
use super::session::{Hand, open_hand};
use super::tell;
use super::trouble::{Troubled, disturb};
use super::view::View;
use crate::failure::Failure;
use crate::{Done, stop};
use palpable::World;
use palpable_haptics::rt::{
    Clock, Link, Live, Remote, ServoHandle, SystemClock, VirtualClock, WorldLoop, WorldThread,
};
use palpable_haptics::{Attached, Device, Ending, Flow, Pace, Servo, Tick};
use palpable_scene::Built;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A scene in several hands.
struct Session {
    built: Built,
    world: World,
    hands: Vec<Hand>,
    /// of the world
    period: f64,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Reports {
    hands: Vec<Report>,
}

/// Runs a scene with all devices of `args`.
///
/// # Errors
/// As for one device; options that only a world in the loop has.
pub fn main(
    built: Built,
    args: &DeviceArgs,
    recording: Option<PathBuf>,
    json: bool,
) -> Result<Done, Failure> {
    check(args)?;
    let mut world = built.world();
    let mut hands: Vec<Hand> = Vec::new();
    for k in 0..args.device.len() {
        let taken: Vec<_> = hands.iter().map(|hand| hand.port.0).collect();
        hands.push(open_hand(&built, &mut world, &args.of(k), &taken)?);
    }
    // a world as fast as its fastest hand
    let fastest = hands.iter().map(|hand| hand.setup.period).fold(f64::INFINITY, f64::min);
    let period = args.world_rate_hz.map_or(fastest, |rate| 1.0 / rate);
    let session = Session { built, world, hands, period };
    let files: Vec<_> =
        (0..args.device.len()).map(|k| recording_of(k, recording.as_deref())).collect();
    let mut desks = Vec::new();
    for (hand, file) in session.hands.iter().zip(&files) {
        desks.push(Desk::new(hand, file.as_ref())?);
    }
    let mut finished = match args.fast {
        true => fast(session, args, &mut desks, json)?,
        false => beside(session, args, &mut desks, json)?,
    };
    for ((run, desk), file) in finished.iter_mut().zip(desks).zip(files) {
        desk.finish(run, file);
    }
    let reports = Reports { hands: finished.iter().map(Report::new).collect() };
    tell(&finished, json.then_some(&reports))
}

/// What needs the world in the loop of its only device is refused.
fn check(args: &DeviceArgs) -> Result<(), Failure> {
    let given = [
        (args.direct, "--direct"),
        (args.deadline.is_some(), "--deadline"),
        (args.impulses.as_ref().is_some_and(|how| how != "off"), "--impulses"),
    ];
    match given.into_iter().find(|(given, _)| *given) {
        Some((_, name)) => Err(Failure::new(format!(
            "{name}: works with one device only; with several the world is stepped beside the loops"
        ))),
        None => Ok(()),
    }
}

/// `run.mcap`, `run-2.mcap` and so on.
fn recording_of(k: usize, first: Option<&Path>) -> Option<PathBuf> {
    let first = first?;
    let stem = first.file_stem()?.to_string_lossy().into_owned();
    Some(if k == 0 {
        first.to_owned()
    } else {
        first.with_file_name(format!("{stem}-{}.mcap", k + 1))
    })
}

/// One loop that is made but not started.
type Made<C> = (Servo<Troubled<Remote>, C>, ServoHandle);

impl Session {
    fn scene(&self) -> [String; 2] {
        [self.built.name.clone(), self.built.description.clone()]
    }

    /// The loops of all hands, and of the world.
    fn loops<C: Clock + Clone>(
        &mut self,
        args: &DeviceArgs,
        clock: &C,
    ) -> Result<(Vec<Made<C>>, WorldLoop<C>), Failure> {
        // the world moves into its loop; it comes back at the end
        let world = std::mem::replace(&mut self.world, self.built.world());
        let (mut made, mut links) = (Vec::new(), Vec::<Link>::new());
        for (k, hand) in self.hands.iter().enumerate() {
            let period = hand.setup.period;
            let (remote, link) =
                Remote::link(&world, hand.port.0, hand.mapping, &hand.capabilities, period)
                    .map_err(|error| Failure::new(format!("`{}`: {error}", hand.port.1)))?;
            links.push(link);
            made.push(servo(remote, hand, &args.of(k), clock.clone()));
        }
        let mut script = self.built.script.clone();
        self.hands.iter().for_each(|hand| script.take(hand.port.0));
        let turns =
            WorldLoop::new(world, links, clock.clone(), Duration::from_secs_f64(self.period))
                .with_script(move |time, inputs| script.inputs(time, inputs));
        Ok((made, turns))
    }
}

/// A hand in virtual time.
struct Fast {
    servo: Servo<Troubled<Remote>, VirtualClock>,
    handle: ServoHandle,
    device: Box<dyn Device>,
    asked: Asked,
    /// length of the run
    ticks: u64,
    /// `None` once the loop is over
    next: Option<Duration>,
    period: Duration,
}

/// All loops on this thread, in virtual time: whoever is due first.
fn fast(
    mut session: Session,
    args: &DeviceArgs,
    desks: &mut [Desk],
    json: bool,
) -> Result<Vec<Finished>, Failure> {
    let clock = VirtualClock::new();
    let mut hands = Vec::new();
    let mut view = View::new(&session.built, &session.hands.iter().collect::<Vec<_>>(), json);
    let (made, mut turns) = session.loops(args, &clock)?;
    for ((servo, handle), hand) in made.into_iter().zip(&mut session.hands) {
        let Attached::Polled(device) = taken(hand)? else {
            return Err(Failure::new("--fast: this device has its own clock; leave --fast out"));
        };
        let period = Duration::from_secs_f64(hand.setup.period);
        let (asked, ticks) = (Asked::default(), ticks(hand, session.built.duration));
        hands.push(Fast { servo, handle, device, asked, ticks, next: Some(period), period });
    }
    let (mut rehearsal, period) = (args.rehearse, Duration::from_secs_f64(session.period));
    let mut next_turn = period;
    let due = |hands: &[Fast]| {
        let times = hands.iter().enumerate().filter_map(|(k, hand)| Some((hand.next?, k)));
        times.min()
    };
    while let Some((time, k)) = due(&hands) {
        if next_turn < time {
            turns.wait();
            turns.turn();
            next_turn += period;
            continue;
        }
        if k == 0 {
            disturb(&clock, &mut rehearsal, time.as_secs_f64());
        }
        hands[k].tick(&mut desks[k]);
        if k == 0 && hands[0].servo.stats().ticks() % 256 == 0 {
            view.show(&hands.iter_mut().map(|hand| hand.handle.live()).collect::<Vec<_>>());
        }
    }
    view.end();
    let (scene, world) = (session.scene(), turns.into_world());
    let rate = Some(1.0 / session.period);
    let ends = hands.into_iter().zip(session.hands).map(|(fast, hand)| {
        let (parts, asked) = fast.end();
        Finished { world_rate: rate, ..parts.at(scene.clone(), hand, world.clone(), asked) }
    });
    Ok(ends.collect())
}

impl Fast {
    fn tick(&mut self, desk: &mut Desk) {
        self.servo.wait(Pace::Ours);
        let flow = self.servo.tick(self.device.as_mut());
        desk.take(&mut self.handle);
        self.next = self.next.map(|next| next + self.period).filter(|_| flow == Flow::Continue);
        self.asked.ask(&mut self.handle, self.servo.stats().ticks() >= self.ticks);
    }

    fn end(mut self) -> (Parts, Asked) {
        let closed = self.device.close().err().map(Ending::Device);
        let ending = self.servo.ending().cloned().or(closed).unwrap_or(Ending::Asked);
        let (stats, energy) = (self.servo.stats().clone(), *self.servo.energy());
        let safety = self.servo.safety().clone();
        (Parts { ending, stats, energy, safety, privileges: None }, self.asked)
    }
}

/// Every loop on a thread of its own, and the world on another.
fn beside(
    mut session: Session,
    args: &DeviceArgs,
    desks: &mut [Desk],
    json: bool,
) -> Result<Vec<Finished>, Failure> {
    let clock = SystemClock::new(spin(session.period));
    let mut view = View::new(&session.built, &session.hands.iter().collect::<Vec<_>>(), json);
    let (made, turns) = session.loops(args, &clock)?;
    let priority = (!args.no_real_time).then_some(WORLD_PRIORITY);
    let world = WorldThread::start(turns, priority)
        .map_err(|error| Failure::new(format!("no thread for the world: {error}")))?;
    let (mut posts, duration) = (Vec::new(), session.built.duration);
    for (made, hand) in made.into_iter().zip(&mut session.hands) {
        posts.push(Post::start(hand, made, args, duration, json)?);
    }
    let mut lives = vec![Live::default(); posts.len()];
    loop {
        let mut running = false;
        for ((post, desk), last) in posts.iter_mut().zip(desks.iter_mut()).zip(&mut lives) {
            if let Some(live) = post.look(desk)? {
                (running, *last) = (true, live);
            }
        }
        if !running {
            break;
        }
        view.show(&lives);
        stop::pause(PAUSE, posts.iter().any(Post::is_interrupted));
    }
    view.end();
    let (scene, rate) = (session.scene(), Some(1.0 / session.period));
    let mut ends = Vec::new();
    for (post, desk) in posts.into_iter().zip(desks) {
        ends.push(post.join(desk)?);
    }
    let world = world.stop().ok_or_else(|| Failure::new("the world's thread broke down"))?.world;
    let ends = ends.into_iter().zip(session.hands).map(|((parts, asked, _), hand)| Finished {
        world_rate: rate,
        ..parts.at(scene.clone(), hand, world.clone(), asked)
    });
    Ok(ends.collect())
}
