//! `palpable bench --budget TIME`: long runs in which no step may cost more than so much, and how
//! far they stray from the same runs without a limit.

use super::heaps::Stir;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::step_times::{Quantiles, StepTimes};
use crate::{Done, output, stop};
use palpable::{BodyId, Counts, Inputs, World};
use palpable_haptics::rt::{Deadline, thread_time};
use palpable_record::figure::{Axis, Figure, Line, Marker, Panel};
use palpable_scene::{Scene, Script};
use palpable_studio::located;
use serde::Serialize;
use std::path::Path;
use std::time::{Duration, Instant};

/// Step [s].
const H: f64 = 1e-3;
/// Steps over which a run is compared with one that has no limit and starts from the same state.
const WINDOW: u64 = 1000;
/// One window of so many is compared.
const EVERY: u64 = 10;
/// A rise of the stored energy beyond what ports gave is rounding up to this part of it.
const ROUNDING: f64 = 1e-12;

/// Who moves the world.
enum Mover {
    /// A script, forth and back over so many seconds, for ever.
    Script(Script, f64),
    Stir(Stir),
}

impl Mover {
    fn inputs(&self, time: f64, inputs: &mut Inputs) {
        match self {
            Mover::Script(script, span) => {
                let phase = time.rem_euclid(2.0 * span);
                script.inputs(phase.min(2.0 * span - phase), inputs);
            }
            Mover::Stir(stir) => stir.inputs(time, inputs),
        }
    }
}

/// How a run within a budget went.
#[derive(Debug, Serialize)]
struct Outcome {
    name: &'static str,
    steps: u64,
    budget: Spent,
    /// Most of each count that a step took.
    most: Spent,
    /// Steps that cost more than the budget.
    above: u64,
    /// Steps that wanted more and were cut.
    cut: u64,
    /// Steps after which more energy was stored than before and ports gave.
    rises: u64,
    /// The largest of these, relative to the energy in play.
    largest_rise: f64,
    step_time_us: Quantiles,
    audit_clean: bool,
    /// Seconds at which windows of a second end, and how far the farthest body is then from where
    /// it would be without a budget [m].
    compared: Vec<[f64; 2]>,
}

#[derive(Debug, Serialize)]
struct Spent {
    visits: u64,
    pairs: u64,
    passes: u64,
}

impl From<Counts> for Spent {
    fn from(Counts { visits, pairs, passes }: Counts) -> Self {
        Self { visits, pairs, passes }
    }
}

/// Runs the two worlds, or those that are named, for `steps` each with the counts that `allowed` is
/// worth on a core of 3 GHz; writes the figure into `out`.
pub fn main(
    only: &[String],
    (allowed, steps): (Duration, u64),
    out: &Path,
    json: bool,
) -> Result<Done, Failure> {
    let built = Scene::load(&located::find(Path::new("peg-two-hands"))?.path)?.build()?;
    let (stirred, stir) = Stir::pit(50)?;
    let worlds = [
        ("peg-two-hands", built.world(), Mover::Script(built.script.clone(), 6.2)),
        ("stir-50", stirred, Mover::Stir(stir)),
    ];
    let names: Vec<&str> = worlds.iter().map(|w| w.0).collect();
    if let Some(name) = only.iter().find(|name| !names.contains(&name.as_str())) {
        let names = names.join(", ");
        return Err(Failure::new(format!("--only: there is no `{name}`; there are: {names}")));
    }
    let mut outcomes = Vec::new();
    let wanted = |name: &str| only.is_empty() || only.iter().any(|n| n == name);
    for (name, world, mover) in worlds.into_iter().filter(|w| wanted(w.0)) {
        outcomes.push(run((name, world), &mover, allowed, steps)?);
    }
    let files = figure(&outcomes, allowed).write_both(out.join("budget"))?;
    if json {
        output::print_json(&serde_json::json!({ "worlds": outcomes }))?;
    } else {
        output::print(&text(&outcomes))?;
        files.iter().for_each(|file| output::remark(&format!("wrote {}", file.display())));
    }
    let kept = outcomes.iter().all(|o| o.above == 0 && o.rises == 0 && o.audit_clean);
    Ok(match (stop::asked(), kept) {
        (true, _) => Done::Interrupted,
        (_, true) => Done::Well,
        _ => return Err(Failure::new("a step cost more than its budget, or energy rose")),
    })
}

fn run(
    (name, mut world): (&'static str, World),
    mover: &Mover,
    allowed: Duration,
    steps: u64,
) -> Result<Outcome, Failure> {
    let budget = Deadline::new(allowed, &world).budget();
    world.set_budget(budget);
    let (mut inputs, mut twin) = (world.inputs(), None::<World>);
    let (mut times, mut most, mut compared) = (StepTimes::default(), Counts::default(), Vec::new());
    let [mut above, mut cut, mut rises, mut taken] = [0u64; 4];
    let (mut largest_rise, mut progress) = (0.0f64, Progress::new(name, ""));
    while taken < steps && !stop::asked() {
        if taken % WINDOW == 0 {
            progress.at(Instant::now(), taken as f64 / steps as f64, 0);
            if let Some(twin) = twin.take() {
                compared.push([world.time(), distance(&world, &twin)]);
            }
            if (taken / WINDOW).is_multiple_of(EVERY) {
                twin.insert(world.clone()).set_budget(Counts::UNLIMITED);
            }
        }
        mover.inputs(world.time(), &mut inputs);
        let before = thread_time();
        let report = world.step(H, &inputs);
        times.add(thread_time().saturating_sub(before));
        let is_taken = |twin: &mut World| twin.step(H, &inputs).status.is_taken();
        if !report.status.is_taken() || !twin.as_mut().is_none_or(is_taken) {
            return Err(Failure::new("the engine refused a step; report this as a bug"));
        }
        taken += 1;
        above += u64::from(!report.spent.within(&budget));
        cut += u64::from(report.cut != Counts::default());
        let (entry, spent) = (&report.entry, report.spent);
        let rise = (entry.after - entry.before).total() - entry.flows.supplied;
        let part = rise / entry.in_play.max(f64::MIN_POSITIVE);
        if rise > ROUNDING * entry.in_play + f64::EPSILON * entry.after.total().abs() {
            (rises, largest_rise) = (rises + 1, largest_rise.max(part));
        }
        most.visits = most.visits.max(spent.visits);
        most.pairs = most.pairs.max(spent.pairs);
        most.passes = most.passes.max(spent.passes);
    }
    progress.end();
    Ok(Outcome {
        name,
        steps: taken,
        budget: budget.into(),
        most: most.into(),
        above,
        cut,
        rises,
        largest_rise,
        step_time_us: times.quantiles(),
        audit_clean: world.audit().is_clean(),
        compared,
    })
}

/// How far the farthest body of one world is from its twin in the other [m].
fn distance(a: &World, b: &World) -> f64 {
    let bodies = (0..a.model().bodies().len()).map(BodyId::from_index);
    bodies.map(|id| (a.pose(id).position - b.pose(id).position).norm()).fold(0.0, f64::max)
}

/// How far runs within the budget strayed from runs without it, a second after both began alike.
fn figure(outcomes: &[Outcome], allowed: Duration) -> Figure {
    let title = format!("a second within {} µs of counts", allowed.as_micros());
    let mut panel = Panel::new(Axis::new("farthest body from where it would be", "m").log());
    for outcome in outcomes {
        // what agrees to the last bit has no place on a logarithmic axis
        let (x, y): (Vec<f64>, Vec<f64>) =
            outcome.compared.iter().map(|[t, d]| (*t, d.max(1e-18))).unzip();
        panel = panel.line(Line::scatter(outcome.name, &x, &y, Marker::Disc));
    }
    Figure::new(title, Axis::new("time", "s")).panel(panel)
}

fn text(outcomes: &[Outcome]) -> String {
    let mut text = String::new();
    for o in outcomes {
        let q = &o.step_time_us;
        let mut errors: Vec<f64> = o.compared.iter().map(|c| c[1]).collect();
        errors.sort_by(f64::total_cmp);
        let at = |part: f64| errors.get((part * errors.len() as f64) as usize).copied();
        text.push_str(&format!(
            "{}: {} steps, {} above the budget, {} cut, {} rises of energy\n  \
             counts, most / budget: visits {} / {}, pairs {} / {}, passes {} / {}\n  \
             µs: median {:.0}, p99.9 {:.0}, max {:.0}\n  \
             strayed in a second [m]: median {:.1e}, 90 % {:.1e}\n",
            o.name,
            o.steps,
            o.above,
            o.cut,
            o.rises,
            o.most.visits,
            o.budget.visits,
            o.most.pairs,
            o.budget.pairs,
            o.most.passes,
            o.budget.passes,
            q.median,
            q.p999,
            q.max,
            at(0.5).unwrap_or(0.0),
            at(0.9).unwrap_or(0.0),
        ));
    }
    text
}
