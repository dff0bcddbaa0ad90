//! `palpable bench --suite`: worlds that people build, in motion: scenes of the gallery, heaps,
//! stacks, chains, a hand among blocks.

use super::heaps::{Heap, Stir};
use super::worlds::Kind;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::step_times::{Quantiles, StepTimes};
use crate::text::{digits, fit, wrapped};
use crate::{Done, output, stop};
use palpable::{Counts, Inputs, World};
use palpable_haptics::rt::thread_time;
use palpable_scene::{Scene, Script};
use palpable_studio::located;
use serde::Serialize;
use std::path::Path;
use std::time::Instant;

/// Steps that are measured, and in `--quick` runs.
const STEPS: [u64; 2] = [3000, 300];

/// Where a world of the suite comes from.
#[derive(Debug, Clone, Copy)]
enum Source {
    /// One of `palpable bench`.
    Plain(Kind),
    /// Things that fall on each other.
    Heap(Heap),
    /// A hand that ploughs through a wall of so many blocks.
    Stir(usize),
    /// A scene of the gallery, with its script and steps.
    Scene(&'static str),
}

/// A world of the suite: its name, where it comes from, what it is.
struct Trial(&'static str, Source, &'static str);

const SUITE: &[Trial] = &[
    Trial("free-100", Source::Plain(Kind::Free(100)), "bodies that tumble"),
    Trial("chain-50", Source::Plain(Kind::Chain(50)), "a chain of springs"),
    Trial("net-20", Source::Plain(Kind::Net(20)), "bodies on random springs"),
    Trial("double-pendulum", Source::Scene("double-pendulum"), "hard joints"),
    Trial("any-finger", Source::Scene("any-finger"), "a robot in joint coordinates, in a hand"),
    Trial("hand", Source::Scene("hand"), "ten light links at sixteen soft points"),
    Trial("beam", Source::Scene("beam"), "a flexible beam"),
    Trial("stack-13", Source::Scene("stack-13"), "thirteen blocks that come to rest"),
    Trial("heap-27", Source::Heap(Heap::Boxes(27)), "boxes fall on each other"),
    Trial("heap-100", Source::Heap(Heap::Boxes(100)), "boxes fall on each other"),
    Trial("mixed-60", Source::Heap(Heap::Mixed(60)), "boxes, balls and capsules"),
    Trial("balls-100", Source::Heap(Heap::Balls(100)), "balls"),
    Trial("stir-13", Source::Stir(13), "a hand ploughs through blocks"),
    Trial("peg-in-hole", Source::Scene("peg-in-hole"), "a peg in a hole"),
    Trial("peg-two-hands", Source::Scene("peg-two-hands"), "two hands put a peg in a box"),
    Trial("grasp-ball", Source::Scene("grasp-ball"), "a hand of tendons grasps a ball"),
    Trial("cradle", Source::Scene("cradle"), "collisions in a row"),
    Trial("soft-pyramid", Source::Scene("soft-pyramid"), "thirteen blocks that press over faces"),
    Trial("shovels", Source::Scene("shovels"), "two shovels carry and push six blocks"),
    Trial("insect", Source::Scene("insect"), "27 joints walk on a floor that yields"),
];

/// A world that is ready to go.
struct Ready {
    world: World,
    script: Option<Script>,
    stir: Option<Stir>,
    steps: Option<palpable_scene::Steps>,
}

impl Source {
    fn ready(self) -> Result<Ready, Failure> {
        let plain = |world| Ready { world, script: None, stir: None, steps: None };
        Ok(match self {
            Source::Plain(kind) => plain(kind.world()?),
            Source::Heap(heap) => plain(heap.world()?),
            Source::Stir(blocks) => {
                let (world, stir) = Stir::world(blocks)?;
                Ready { stir: Some(stir), ..plain(world) }
            }
            Source::Scene(name) => {
                let found = located::find(Path::new(name))?;
                let built = Scene::load(&found.path)?.build()?;
                let (script, steps) = (Some(built.script.clone()), Some(built.steps.clone()));
                Ready { script, steps, ..plain(built.world()) }
            }
        })
    }
}

impl Ready {
    fn step(&mut self, inputs: &mut Inputs) -> Result<palpable::StepReport, Failure> {
        let time = self.world.time();
        let h = self.steps.as_mut().map_or(1e-3, |steps| steps.next_length());
        if let Some(script) = &self.script {
            script.during(time, h, inputs);
        }
        if let Some(stir) = &self.stir {
            stir.inputs(time, inputs);
        }
        let report = self.world.step(h, inputs);
        match report.status.is_taken() {
            true => Ok(report),
            false => Err(Failure::new("the engine refused a step; report this as a bug")),
        }
    }
}

/// How a world of the suite went.
#[derive(Debug, Serialize)]
struct Outcome {
    name: &'static str,
    what: &'static str,
    bodies: usize,
    steps: u64,
    /// Time on a processor where the system tells, else wall-clock time.
    step_time_us: Quantiles,
    mean_us: f64,
    /// Most of each count that a step took.
    visits: u64,
    pairs: u64,
    passes: u64,
    contacts: usize,
    deepest_m: f64,
    largest_gap: f64,
    audit_clean: bool,
}

/// Runs the suite, or the worlds whose names are given. With `steps` it takes exactly so many of
/// each and measures nothing, for whoever counts instructions.
pub fn main(only: &[String], steps: Option<u64>, quick: bool, json: bool) -> Result<Done, Failure> {
    let known = |name: &String| SUITE.iter().any(|trial| trial.0 == name);
    if let Some(name) = only.iter().find(|name| !known(name)) {
        let names: Vec<&str> = SUITE.iter().map(|trial| trial.0).collect();
        let names = names.join(", ");
        return Err(Failure::new(format!("--only: there is no `{name}`; there are: {names}")));
    }
    let wanted = |t: &&Trial| only.is_empty() || only.iter().any(|name| name == t.0);
    let trials: Vec<&Trial> = SUITE.iter().filter(wanted).collect();
    let mut progress = Progress::new("suite", "");
    let mut results = Vec::new();
    for (index, trial) in trials.iter().enumerate() {
        if stop::asked() {
            output::remark("interrupted: what follows is not complete");
            break;
        }
        progress.at(Instant::now(), index as f64 / trials.len() as f64, 0);
        let mut ready = trial.1.ready()?;
        match steps {
            Some(steps) => {
                let mut inputs = ready.world.inputs();
                (0..steps).try_for_each(|_| ready.step(&mut inputs).map(|_| ()))?;
            }
            None => results.push(measure(trial, &mut ready, STEPS[usize::from(quick)])?),
        }
    }
    progress.end();
    if json && steps.is_some() {
        let names: Vec<&str> = trials.iter().map(|trial| trial.0).collect();
        output::print_json(&serde_json::json!({ "stepped": names }))?;
    } else if json {
        output::print_json(&serde_json::json!({ "worlds": results }))?;
    } else if steps.is_none() {
        output::print(&text(&results))?;
    }
    Ok(if stop::asked() { Done::Interrupted } else { Done::Well })
}

fn measure(trial: &Trial, ready: &mut Ready, steps: u64) -> Result<Outcome, Failure> {
    // a system that does not tell says zero, always
    let (clock, tells) = (Instant::now(), !thread_time().is_zero());
    let now = || if tells { thread_time() } else { clock.elapsed() };
    let mut inputs = ready.world.inputs();
    let (mut times, mut most) = (StepTimes::default(), Counts::default());
    let (mut contacts, mut deepest, mut gap) = (0, 0.0f64, 0.0f64);
    let (mut all, start) = (0u64, now());
    for _ in 0..steps {
        if stop::asked() {
            break;
        }
        let before = now();
        let report = ready.step(&mut inputs)?;
        times.add(now().saturating_sub(before));
        all += 1;
        most.visits = most.visits.max(report.spent.visits);
        most.pairs = most.pairs.max(report.spent.pairs);
        most.passes = most.passes.max(report.spent.passes);
        contacts = contacts.max(report.contact.points);
        deepest = deepest.max(report.contact.depth);
        gap = gap.max(report.gap);
    }
    let spent = now().saturating_sub(start).as_secs_f64();
    Ok(Outcome {
        name: trial.0,
        what: trial.2,
        bodies: ready.world.model().bodies().len(),
        steps: all,
        step_time_us: times.quantiles(),
        mean_us: 1e6 * spent / all.max(1) as f64,
        visits: most.visits,
        pairs: most.pairs,
        passes: most.passes,
        contacts,
        deepest_m: deepest,
        largest_gap: gap,
        audit_clean: ready.world.audit().is_clean(),
    })
}

fn text(results: &[Outcome]) -> String {
    let mut text = String::from("time of a step on a processor [µs]; most that a step took\n\n");
    text.push_str(&format!(
        "  {}{:>7}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}\n",
        fit("world", 17),
        "bodies",
        "median",
        "p99.9",
        "max",
        "visits",
        "contacts",
        "deepest"
    ));
    for r in results {
        let q = &r.step_time_us;
        text.push_str(&format!(
            "  {}{:>7}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{}\n",
            fit(r.name, 17),
            r.bodies,
            digits(q.median),
            digits(q.p999),
            digits(q.max),
            r.visits,
            r.contacts,
            if r.deepest_m > 0.0 { format!("{:.0e}", r.deepest_m) } else { "0".into() },
            if r.audit_clean { "" } else { " !" }
        ));
    }
    let words = "bodies include those that never move; deepest is the deepest overlap [m]; ! marks \
                 an audit that is not clean. Instructions do not depend on the machine: \
                 scripts/baseline counts them.";
    text.push('\n');
    text.push_str(&wrapped(words, 0));
    text
}
