//! `[Lee2008, fig. 4]`: a ball bounces on a spring with steps that vary at random.

use super::ball::Ball;
use super::steps::{random_steps, times};
use crate::check::largest;
use crate::curve::until_gone;
use crate::experiment::Progress;
use crate::one_dof::{CollisionRule, Euler, State, Wall, WallBench};
use crate::page::Page;
use crate::sheet::Sheet;
use crate::{Check, Experiment, PaperError};
use palpable_record::figure::{Axis, Color, Dash, Figure, Legend, Line, Marker, Panel};

/// A ball under gravity on a spring without damping, steps random in 0.05 s to 0.2 s.
///
/// The paper gives no numbers; here `m = 1 kg`, `g = 9.81 m/s²`, `k = 100 N/m`, dropped from 1 m.
/// A contact lasts 0.36 s, two to seven steps, so that the curves can be told apart; a stiffer
/// floor conserves energy as well, but the ball then stays in it for a step or two too long. In
/// place of a Runge-Kutta run stands the exact solution, pieced together from parabolas and arcs.
pub(crate) const FIG4: Experiment = Experiment {
    id: "lee2008/fig4",
    paper: "Lee2008",
    title: "Bouncing ball with random steps of 0.05 to 0.2 s, m = 1 kg, k = 100 N/m",
    shows: "with steps split at the crossings the ball bounces for ever; unsplit steps and \
            explicit Euler create energy",
    make,
};

const BALL: Ball = Ball { mass: 1.0, gravity: 9.81, stiffness: 100.0, height: 1.0 };
const COUNT: usize = 100;
const SEED: u64 = 2008;
/// What is drawn \[s\]; the checks use every step.
const DRAWN: f64 = 8.0;

/// One entry per step, the start included; positions downwards from the floor.
#[derive(Debug, Clone, Default)]
struct Run {
    states: Vec<State>,
    crossings: Vec<u32>,
}

/// The three runs with the same steps.
struct Runs {
    steps: Vec<f64>,
    split: Run,
    unsplit: Run,
    euler: Run,
}

fn make(experiment: &Experiment, progress: Progress) -> Result<Page, PaperError> {
    let runs = simulate()?;
    progress(0.5);
    let figure = figure(experiment.title, &runs);
    Ok(Page::new(
        figure,
        sheet(&runs),
        checks(&runs.steps, &runs.split, &runs.unsplit, &runs.euler),
    ))
}

fn simulate() -> Result<Runs, PaperError> {
    let steps = random_steps(SEED, COUNT);
    let split = bench(&steps, CollisionRule::SplitBySign)?;
    let unsplit = bench(&steps, CollisionRule::Unsplit)?;
    let euler = euler(&steps);
    Ok(Runs { steps, split, unsplit, euler })
}

fn floor() -> Wall {
    Wall { position: 0.0, stiffness: BALL.stiffness, damping: 0.0 }
}

fn bench(steps: &[f64], rule: CollisionRule) -> Result<Run, PaperError> {
    let mut bench = WallBench::new(BALL.mass, BALL.gravity, floor())?
        .with_rule(rule)
        .starting_at(-BALL.height, 0.0)?;
    let mut run = Run { states: vec![bench.state()], crossings: vec![0] };
    for h in steps {
        run.crossings.push(bench.step(*h, 0.0).crossings);
        run.states.push(bench.state());
    }
    Ok(run)
}

fn euler(steps: &[f64]) -> Run {
    let mut state = State { position: -BALL.height, velocity: 0.0 };
    let mut run = Run { states: vec![state], crossings: vec![0] };
    for h in steps {
        state = Euler::Explicit.ball(state, *h, BALL.mass, floor(), BALL.mass * BALL.gravity);
        run.states.push(state);
        run.crossings.push(0);
    }
    run
}

impl Run {
    /// Height above the floor \[m\].
    fn heights(&self) -> Vec<f64> {
        self.states.iter().map(|state| -state.position).collect()
    }

    /// Energy over that of the start.
    fn ratios(&self) -> Vec<f64> {
        let ratio = |state: &State| {
            let (p, v) = (state.position, state.velocity);
            let spring = 0.5 * BALL.stiffness * p.max(0.0).powi(2);
            (0.5 * BALL.mass * v * v - BALL.mass * BALL.gravity * p + spring) / BALL.energy()
        };
        self.states.iter().map(ratio).collect()
    }
}

fn figure(title: &str, runs: &Runs) -> Figure {
    let time = times(&runs.steps);
    let fine: Vec<f64> = (0..=1600).map(|i| DRAWN / 1600.0 * f64::from(i)).collect();
    let curve: Vec<f64> = fine.iter().map(|t| -BALL.exact(*t)).collect();
    let level = vec![1.0; fine.len()];
    let frame = |y: Axis, exact: &[f64], of: fn(&Run) -> Vec<f64>| {
        let line = |name, run| Line::new(name, &time, &until_gone(&of(run), 10.0));
        Panel::new(y)
            .line(Line::new("exact", &fine, exact).color(Color::BLACK).dash(Dash::Solid).width(1.0))
            .line(line("explicit Euler", &runs.euler).color(Color::VERMILION).dash(Dash::Dashed))
            .line(line("passive, unsplit", &runs.unsplit).color(Color::ORANGE).dash(Dash::DashDot))
            .line(
                line("passive, split at crossings", &runs.split)
                    .color(Color::BLUE)
                    .dash(Dash::Solid)
                    .width(0.7)
                    .marker(Marker::Disc),
            )
    };
    let height = Axis::new("height", "m").fixed(-1.5, 3.0);
    let energy = Axis::new("energy E/E₀", "").fixed(0.0, 7.0);
    Figure::new(title, Axis::new("time", "s").fixed(0.0, DRAWN))
        .legend(Legend::Below)
        .size(760.0, 580.0)
        .panel(frame(height, &curve, Run::heights).hline(0.0, "floor"))
        .panel(frame(energy, &level, Run::ratios))
}

fn sheet(runs: &Runs) -> Sheet {
    let time = times(&runs.steps);
    let exact: Vec<f64> = time.iter().map(|t| -BALL.exact(*t)).collect();
    let crossings: Vec<f64> = runs.split.crossings.iter().map(|n| f64::from(*n)).collect();
    let start = Sheet::over_time(&time).column("exact.height", "m", &exact).column(
        "split.crossings",
        "",
        &crossings,
    );
    let all = [("split", &runs.split), ("unsplit", &runs.unsplit), ("explicit_euler", &runs.euler)];
    all.into_iter().fold(start, |sheet, (name, run)| {
        sheet.column(&format!("{name}.height"), "m", &run.heights()).column(
            &format!("{name}.E/E0"),
            "",
            &run.ratios(),
        )
    })
}

/// The passive ball stands where the exact one stood `D` earlier, `D` the lag of all parts of steps
/// inside the floor: energy and floor force both to the same orbit, at another pace. Its distance
/// from the exact ball is then at most `D` times the largest speed.
fn checks(steps: &[f64], split: &Run, unsplit: &Run, euler: &Run) -> Vec<Check> {
    let (mut time, mut lag) = (0.0, 0.0);
    let (mut stray, mut share) = (Vec::new(), Vec::new());
    for (h, pair) in steps.iter().zip(split.states.windows(2)) {
        let part = BALL.time_inside(pair[0].position, pair[0].velocity, *h);
        time += h;
        lag += BALL.lag(part);
        stray.push((pair[1].position - BALL.exact(time - lag)) / BALL.height);
        // before the first contact the two agree to rounding
        let reach = BALL.top_speed() * lag + 1e-12 * BALL.height;
        share.push((pair[1].position - BALL.exact(time)) / reach);
    }
    let most = largest(split.crossings.iter().map(|n| f64::from(*n)));
    let met = split.crossings.iter().filter(|n| **n > 0).count() as f64;
    let gain = |run: &Run| largest(run.ratios());
    vec![
        Check::at_most(
            "split: largest |E/E0 - 1|",
            largest(split.ratios().iter().map(|r| r - 1.0)),
            1e-12,
        ),
        Check::at_most("split: most crossings in a step", most, 2.0),
        Check::at_least("split: steps that met the surface", met, 15.0),
        Check::at_most("split: largest |p - exact(t - lag)| / height", largest(stray), 1e-9),
        Check::at_most("split: largest |p - exact(t)| / (top speed x lag)", largest(share), 1.0),
        Check::at_least("unsplit: largest E/E0", gain(unsplit), 2.0),
        Check::at_least("explicit Euler: largest E/E0", gain(euler), 2.0),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checks_fail_when_the_runs_change_places() {
        let Runs { steps, split, unsplit, euler } = simulate().unwrap();
        for broken in [&unsplit, &euler] {
            let checks = checks(&steps, broken, &split, &split);
            // a run that never splits counts no crossings, so it has at most two of them
            let passed: Vec<&Check> = checks.iter().filter(|check| check.pass).collect();
            let allowed = "split: most crossings in a step";
            assert!(passed.iter().all(|check| check.name == allowed), "{passed:#?}");
        }
    }
}
