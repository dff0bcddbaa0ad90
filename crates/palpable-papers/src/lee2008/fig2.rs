//! `[Lee2008, fig. 2]`: an oscillator with steps that vary at random.

use super::steps::{random_steps, times};
use crate::check::largest;
use crate::curve::until_gone;
use crate::experiment::Progress;
use crate::one_dof::{Euler, Oscillator, Polynomial, State};
use crate::page::Page;
use crate::sheet::Sheet;
use crate::{Check, Experiment, PaperError};
use palpable_record::figure::{Axis, Color, Dash, Figure, Legend, Line, Marker, Panel};

/// A mass on a spring, steps random in 0.05 s to 0.2 s.
///
/// The paper gives neither mass nor spring; here `m = 1 kg`, `k = 4 N/m`, let go at 1 m, so that
/// the period of 3.14 s takes 16 to 63 steps as in its figure, and 20 s are drawn. In place of a
/// Runge-Kutta run at 1 ms stands the exact solution `x = cos ωt`.
pub(crate) const FIG2: Experiment = Experiment {
    id: "lee2008/fig2",
    paper: "Lee2008",
    title: "Oscillation with random steps of 0.05 to 0.2 s, m = 1 kg, k = 4 N/m",
    shows: "with steps that vary at random the passive integrator keeps the energy and lags a \
            little; explicit Euler diverges",
    make,
};

const MASS: f64 = 1.0;
const STIFFNESS: f64 = 4.0;
const START: f64 = 1.0;
const COUNT: usize = 160;
const SEED: u64 = 2008;

/// Position \[m\] and energy over that of the start, after every step.
#[derive(Debug, Clone, Default)]
struct Run {
    x: Vec<f64>,
    ratio: Vec<f64>,
}

impl Run {
    fn push(&mut self, state: State) {
        let State { position: x, velocity: v } = state;
        let energy = 0.5 * MASS * v * v + 0.5 * STIFFNESS * x * x;
        self.x.push(x);
        self.ratio.push(energy / (0.5 * STIFFNESS * START * START));
    }
}

fn make(experiment: &Experiment, progress: Progress) -> Result<Page, PaperError> {
    let steps = random_steps(SEED, COUNT);
    let (passive, euler) = (passive(&steps)?, euler(&steps));
    progress(0.5);
    let time = times(&steps);
    let exact: Vec<f64> = time.iter().map(|t| exact(*t)).collect();
    let sheet = Sheet::over_time(&time)
        .column("exact.x", "m", &exact)
        .column("passive.x", "m", &passive.x)
        .column("passive.E/E0", "", &passive.ratio)
        .column("explicit_euler.x", "m", &euler.x)
        .column("explicit_euler.E/E0", "", &euler.ratio);
    let figure = figure(experiment.title, &time, &passive, &euler);
    Ok(Page::new(figure, sheet, checks(&steps, &passive, &euler)))
}

fn omega() -> f64 {
    (STIFFNESS / MASS).sqrt()
}

fn exact(time: f64) -> f64 {
    START * (omega() * time).cos()
}

fn passive(steps: &[f64]) -> Result<Run, PaperError> {
    let mut bench =
        Oscillator::new(MASS, 0.0, Polynomial::spring(STIFFNESS)?)?.starting_at(START, 0.0)?;
    let mut run = Run::default();
    run.push(bench.state());
    for h in steps {
        bench.step(*h, 0.0);
        run.push(bench.state());
    }
    Ok(run)
}

fn euler(steps: &[f64]) -> Run {
    let mut state = State { position: START, velocity: 0.0 };
    let mut run = Run::default();
    run.push(state);
    for h in steps {
        state = Euler::Explicit.oscillator(state, *h, MASS, [STIFFNESS, 0.0], 0.0);
        run.push(state);
    }
    run
}

fn figure(title: &str, time: &[f64], passive: &Run, euler: &Run) -> Figure {
    let fine: Vec<f64> = (0..=2000).map(|i| 0.01 * f64::from(i)).collect();
    let curve: Vec<f64> = fine.iter().map(|t| exact(*t)).collect();
    let level = vec![1.0; fine.len()];
    let frame = |y: Axis, exact: &[f64], of: fn(&Run) -> &[f64]| {
        let ours = Line::new("passive, random steps", time, of(passive)).color(Color::BLUE);
        Panel::new(y)
            .line(Line::new("exact", &fine, exact).color(Color::BLACK).dash(Dash::Solid).width(1.0))
            .line(
                Line::new("explicit Euler, same steps", time, &until_gone(of(euler), 4.0))
                    .color(Color::VERMILION)
                    .dash(Dash::Dashed),
            )
            .line(ours.dash(Dash::Solid).marker(Marker::Disc).width(0.7))
    };
    Figure::new(title, Axis::new("time", "s").fixed(0.0, 20.0))
        .legend(Legend::Below)
        .size(760.0, 560.0)
        .panel(frame(Axis::new("position", "m").fixed(-3.0, 3.0), &curve, |run| &run.x))
        .panel(frame(Axis::new("energy E/E₀", "").fixed(0.0, 3.0), &level, |run| &run.ratio))
}

/// Closed forms of both rules for any steps `h_k`, with `s_k = ω h_k`:
///
/// ```text
/// passive    x_n = x_0 cos Σ 2 atan(s_k/2)                      [Lee2008, (13)-(14)]
/// exact      differs by at most x_0 Σ s_k³/12, as s − 2 atan(s/2) ≤ s³/12
/// Euler      E_n = E_0 Π (1 + s_k²)                             [Lee2008, (6)-(7)]
/// ```
fn checks(steps: &[f64], passive: &Run, euler: &Run) -> Vec<Check> {
    let (mut angle, mut lag, mut time, mut gain) = (0.0, 0.0, 0.0, 1.0);
    let (mut stray, mut share) = (Vec::new(), Vec::new());
    for (h, x) in steps.iter().zip(passive.x.iter().skip(1)) {
        let s = omega() * h;
        angle += 2.0 * (0.5 * s).atan();
        lag += START * s.powi(3) / 12.0;
        time += h;
        gain *= 1.0 + s * s;
        stray.push((x - START * angle.cos()) / START);
        share.push((x - exact(time)) / lag);
    }
    let energy = largest(passive.ratio.iter().map(|r| r - 1.0));
    let end = euler.ratio.last().copied().unwrap_or(f64::NAN);
    vec![
        Check::at_most("passive: largest |E/E0 - 1|", energy, 1e-12),
        Check::at_most("passive: largest |x - closed form| / x0", largest(stray), 1e-10),
        Check::at_most("passive: largest |x - exact| / (x0 sum s^3/12)", largest(share), 1.0),
        Check::relative("explicit Euler: E/E0 at the end", end, gain, 1e-10),
        Check::at_least("explicit Euler: E/E0 at the end", end, 1e3),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_check_fails_when_the_two_rules_change_places() {
        let steps = random_steps(SEED, COUNT);
        let (passive, euler) = (passive(&steps).unwrap(), euler(&steps));
        let checks = checks(&steps, &euler, &passive);
        assert!(checks.iter().all(|check| !check.pass), "{checks:#?}");
    }

    #[test]
    fn the_closed_form_notices_a_step_of_another_length() {
        let mut steps = random_steps(SEED, COUNT);
        let (passive, euler) = (passive(&steps).unwrap(), euler(&steps));
        steps[3] *= 1.001;
        let failed = checks(&steps, &passive, &euler).iter().filter(|check| !check.pass).count();
        assert!(failed >= 2);
    }
}
