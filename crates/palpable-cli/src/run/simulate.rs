//! The loop: script, step, record, until the end, Ctrl-C or a refusal.

use super::Plan;
use super::bearing::Bearing;
use super::history::History;
use super::recorder::Recorder;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::step_times::StepTimes;
use crate::stop;
use crate::text::seconds;
use palpable::{OptionsError, Status, StepReport, World};
use palpable_scene::Built;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Why a run is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// At its end.
    Finished,
    /// By Ctrl-C.
    Interrupted,
    /// By a step that the engine refused.
    Refused(Status),
}

/// A scene and what became of it.
pub struct Run {
    /// The scene.
    pub built: Built,
    /// The world at the end.
    pub world: World,
    /// Why it ended.
    pub ended: Ended,
    /// Length of a refused step \[s\].
    pub refused_length: f64,
    /// Step times.
    pub times: StepTimes,
    /// Time that everything took.
    pub wall: Duration,
    /// Steps at which an input was not finite and was ignored.
    pub ignored_inputs: u64,
    /// Steps that were divided.
    pub divided: u64,
    /// Largest gap of a carried strain after a step \[m or rad\].
    pub gap: f64,
    /// Most points of contact at a time.
    pub contacts: u64,
    /// Deepest overlap after a step \[m\].
    pub depth: f64,
    /// Strongest force at a point of contact \[N\].
    pub force: f64,
    /// Piles that a printed contact law could not solve.
    pub unsolved: u64,
    /// Points and pairs that found no room in a step, at most.
    pub left_out: u64,
    /// Data of the plots.
    pub history: History,
    /// Folder of the files.
    pub out: PathBuf,
    /// Files written.
    pub files: Vec<PathBuf>,
}

/// Simulates a scene and records it.
///
/// # Errors
/// A recording that cannot be written.
pub fn simulate(built: Built, plan: &Plan) -> Result<Run, Failure> {
    let world = built.world();
    let mut recorder = Recorder::create(&world, &built, plan.formats, &plan.out)?;
    let mut run = Run {
        history: History::new(&built.record, plan.plots)?,
        built,
        world,
        ended: Ended::Finished,
        refused_length: 0.0,
        times: StepTimes::default(),
        wall: Duration::ZERO,
        ignored_inputs: 0,
        divided: 0,
        gap: 0.0,
        contacts: 0,
        depth: 0.0,
        force: 0.0,
        unsolved: 0,
        left_out: 0,
        out: plan.out.clone(),
        files: Vec::new(),
    };
    let start = Instant::now();
    let (h, report) = run.drive(&mut recorder, plan.plots)?;
    run.files = recorder.finish(&run.world, h, &report)?;
    run.wall = start.elapsed();
    Ok(run)
}

impl Run {
    /// Steps until it is over; returns length and report of the last step taken.
    fn drive(
        &mut self,
        recorder: &mut Recorder,
        plots: bool,
    ) -> Result<(f64, StepReport), Failure> {
        let mut last = (0.0, StepReport::default());
        let mut inputs = self.world.inputs();
        let mut progress = Progress::new(&self.built.name, "steps");
        self.look(recorder, plots, &last)?;
        while !self.built.is_over(self.world.time()) {
            if stop::asked() {
                self.ended = Ended::Interrupted;
                break;
            }
            let h = self.built.steps.next_length();
            self.built.script.during(self.world.time(), h, &mut inputs);
            let before = Instant::now();
            let report = self.world.step(h, &inputs);
            let after = Instant::now();
            if !report.status.is_taken() {
                (self.ended, self.refused_length) = (Ended::Refused(report.status), h);
                break;
            }
            self.count(&report, after - before);
            last = (h, report);
            self.look(recorder, plots, &last)?;
            progress.at(after, self.world.time() / self.built.duration, self.world.tick());
        }
        progress.end();
        Ok(last)
    }

    fn count(&mut self, report: &StepReport, time: Duration) {
        self.times.add(time);
        self.ignored_inputs += u64::from(report.status == Status::InputIgnored);
        self.divided += u64::from(report.substeps > 1);
        self.gap = self.gap.max(report.gap);
        let bearing = Bearing::of(&self.world);
        self.contacts = self.contacts.max(bearing.near as u64);
        self.depth = self.depth.max(report.contact.depth).max(bearing.depth);
        self.force = self.force.max(bearing.force);
        self.unsolved += report.contact.unsolved as u64;
        self.left_out = self.left_out.max(report.contact.dropped as u64);
    }

    fn look(
        &mut self,
        recorder: &mut Recorder,
        plots: bool,
        (h, report): &(f64, StepReport),
    ) -> Result<(), Failure> {
        recorder.take(&self.world, *h, report)?;
        if plots {
            self.history.take(&self.world, report)?;
        }
        Ok(())
    }
}

/// Why a step was refused and what to do, in words.
pub fn refusal(world: &World, status: Status, h: f64) -> String {
    let (tick, time) = (world.tick() + 1, seconds(world.time()));
    let scheme = world.options().scheme;
    let place = format!("error: step {tick} at {time} was refused");
    let cure = match status {
        Status::BadStep => {
            return format!(
                "{place}: its length {h} s is not a positive number; correct [step] in the scene"
            );
        }
        Status::Unsupported => {
            let why = match world.options().check(world.model()) {
                Err(OptionsError::Scheme { part, .. }) if part.ends_with('t') => {
                    format!("{part} is not supported by this scheme")
                }
                Err(OptionsError::Scheme { part, .. }) => {
                    format!("{part} are not supported by this scheme")
                }
                Err(other) => other.to_string(),
                Ok(()) => "a live change brought what it does not support".to_owned(),
            };
            let name = scheme.name();
            return format!("error: {name} cannot run this scene: {why}; use passive-midpoint");
        }
        _ if world.ledger().totals().created > 0.0 => "this contact law creates energy; use cone",
        _ if scheme == palpable::Scheme::PassiveMidpoint => {
            "look for forces or speeds near 1e150 in the scene's units"
        }
        _ => "this scheme creates energy; use passive-midpoint, or a shorter step",
    };
    format!("{place}: the result of {} would not be finite; {cure}", scheme.name())
}
