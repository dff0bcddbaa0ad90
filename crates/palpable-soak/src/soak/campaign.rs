//! A soak from its beginning, or from where the last call left it, to its goal.

use super::files::Folder;
use super::pool::{Done, Pool, Violation};
use super::progress::{PAUSE, Progress, clock, grouped};
use super::state::State;
use crate::generate::{generate, profile_of};
use crate::program::program;
use crate::run::Outcome;
use crate::scene::Profile;
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// Time between two writings of the state.
const KEEP: Duration = Duration::from_secs(2);

/// Name of the threads that run worlds: panics there are findings, not failures.
pub const THREAD: &str = "worlds";

/// When a soak ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Goal {
    /// After a wall time [min].
    Minutes(f64),
    /// With the world that completes this many steps.
    Steps(u64),
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// When it ends.
    pub goal: Goal,
    /// First seed; if none is given, where the last call ended, or 0.
    pub from: Option<u64>,
    /// Only worlds of this profile.
    pub only: Option<Profile>,
    /// Folder of state, list and programs; without it nothing is written, and nothing shrunk.
    pub out: Option<PathBuf>,
    /// Threads; the result does not depend on their number.
    pub threads: usize,
}

/// Soaks until the goal is reached or `stopped` says so. Returns where it stands.
pub fn soak(plan: &Plan, stopped: impl Fn() -> bool) -> io::Result<State> {
    let (folder, state) = begin(plan)?;
    let pool = Pool::new(state.next, plan.only);
    let mut soak = Soak::new(plan.goal, folder, state, &pool);
    std::thread::scope(|scope| {
        let (send, receive) = channel();
        let start = |send: Sender<Done>| {
            let thread = std::thread::Builder::new().name(THREAD.to_owned());
            let pool = &pool;
            thread.spawn_scoped(scope, move || pool.work(&send)).map(|_| ())
        };
        let started = (0..plan.threads.max(1)).try_for_each(|_| start(send.clone()));
        // from here on only threads can send, so the last one that ends is noticed
        drop(send);
        let result = started.and_then(|()| soak.collect(&receive, stopped));
        // after a failure threads must not go on for ever
        pool.close(true);
        result
    })?;
    soak.progress.end();
    Ok(soak.state)
}

/// Opens the folder and finds where to begin.
fn begin(plan: &Plan) -> io::Result<(Option<Folder>, State)> {
    let first = plan.from.unwrap_or(plan.only.map_or(0, Profile::first_seed));
    let fresh = State::begin(first, plan.only);
    let Some(path) = &plan.out else { return Ok((None, fresh)) };
    let (folder, state) = Folder::open(path)?;
    let Some(state) = state else { return Ok((Some(folder), fresh)) };
    let other_seed = plan.from.is_some_and(|from| from != state.from);
    if other_seed || plan.only != state.only {
        let (from, only) = (state.from, state.only.map_or("all profiles", Profile::name));
        return Err(io::Error::other(format!(
            "{} holds a soak from seed {from} of {only}; choose another folder with --out, \
             or give the same --from and --profile",
            path.display()
        )));
    }
    Ok((Some(folder), state))
}

struct Soak<'a> {
    goal: Goal,
    folder: Option<Folder>,
    state: State,
    pool: &'a Pool,
    progress: Progress,
    /// worlds that came back before one with a smaller seed
    early: BTreeMap<u64, Option<Box<Outcome>>>,
    /// steps counted in this call
    steps: u64,
    /// wall time of earlier calls [s]
    before: f64,
    kept: Instant,
    over: bool,
    shrinking: usize,
}

impl<'a> Soak<'a> {
    fn new(goal: Goal, folder: Option<Folder>, state: State, pool: &'a Pool) -> Self {
        let words = match goal {
            Goal::Minutes(minutes) => clock((minutes * 60.0) as u64),
            Goal::Steps(steps) => format!("{} steps", grouped(steps)),
        };
        let before = state.seconds;
        Self {
            goal,
            folder,
            state,
            pool,
            progress: Progress::new(words),
            early: BTreeMap::new(),
            steps: 0,
            before,
            kept: Instant::now(),
            over: false,
            shrinking: 0,
        }
    }

    /// Takes in what the threads send until all have ended.
    fn collect(&mut self, receive: &Receiver<Done>, stopped: impl Fn() -> bool) -> io::Result<()> {
        loop {
            match receive.recv_timeout(PAUSE) {
                Ok(Done::World { seed, outcome }) => {
                    self.early.insert(seed, outcome);
                    self.merge()?;
                }
                Ok(Done::Shrunk { violation, scene }) => {
                    self.shrinking -= 1;
                    self.write(violation, &program(&scene, violation.kind))?;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if stopped() || self.is_late() {
                self.pool.close(true);
            }
            let note = if self.shrinking > 0 { ", shrinking" } else { "" };
            self.progress.show(self.state.next, &self.state.tally, note);
            if self.kept.elapsed() > KEEP {
                self.keep()?;
            }
        }
        self.keep()
    }

    fn is_late(&self) -> bool {
        let elapsed = self.progress.elapsed().as_secs_f64();
        matches!(self.goal, Goal::Minutes(minutes) if elapsed >= minutes * 60.0)
    }

    /// Counts worlds in the order of their seeds.
    fn merge(&mut self) -> io::Result<()> {
        while !self.over {
            let Some(outcome) = self.early.remove(&self.state.next) else { break };
            if let Some(outcome) = outcome {
                self.count(self.state.next, &outcome)?;
            }
            self.state.next += 1;
            if matches!(self.goal, Goal::Steps(steps) if self.steps >= steps) {
                self.over = true;
                self.pool.close(false);
            }
        }
        Ok(())
    }

    fn count(&mut self, seed: u64, outcome: &Outcome) -> io::Result<()> {
        let profile = profile_of(seed);
        let kinds = outcome.findings.found.keys().copied();
        let fresh =
            kinds.filter(|kind| !self.state.tally.violations.contains_key(&(*kind, profile)));
        let fresh: Vec<_> = fresh.map(|kind| Violation { kind, seed }).collect();
        self.state.tally.add(seed, profile, outcome);
        self.steps += outcome.steps as u64;
        if let Some(folder) = &mut self.folder {
            let found = outcome.findings.found.iter();
            let found: Vec<_> =
                found.map(|(kind, finding)| (Violation { kind: *kind, seed }, finding)).collect();
            self.state.listed = folder.list(profile.name(), &found)?;
            for violation in fresh {
                // as it is, should there be no time to shrink it
                self.write(violation, &program(&generate(seed), violation.kind))?;
                self.pool.shrink(violation);
                self.shrinking += 1;
            }
        }
        Ok(())
    }

    fn write(&self, violation: Violation, text: &str) -> io::Result<()> {
        match &self.folder {
            Some(folder) => folder.write_program(violation, text),
            None => Ok(()),
        }
    }

    fn keep(&mut self) -> io::Result<()> {
        self.kept = Instant::now();
        self.state.seconds = self.before + self.progress.elapsed().as_secs_f64();
        match &self.folder {
            Some(folder) => folder.keep(&self.state),
            None => Ok(()),
        }
    }
}
