//! `[Kim2017, fig. 2]`: four schemes on a mass of 10 mg, where `ωh = 3.16`.

use super::oscillator::{Comparison, last};
use crate::experiment::Progress;
use crate::page::Page;
use crate::{Check, Experiment, PaperError};
use palpable_record::figure::{Axis, Figure, Legend, Marker, Panel};

/// A mass-spring oscillator, `m = 1e-5 kg`, `k = 100 N/m`, `h = 1 ms`, for 100 steps.
///
/// Half a period is shorter than a step, so the curves jump from side to side; what counts is
/// their size. Two schemes leave the frame within a few steps; the first 30 are drawn.
pub(crate) const FIG2: Experiment = Experiment {
    id: "kim2017/fig2",
    paper: "Kim2017",
    title: "Harmonic oscillation, m = 10 mg, k = 100 N/m, h = 1 ms",
    shows: "with a light mass symplectic Euler diverges too; only the midpoint goes on oscillating",
    make,
};

const MASS: f64 = 1e-5;
const STEPS: u32 = 100;

fn make(experiment: &Experiment, progress: Progress) -> Result<Page, PaperError> {
    let comparison = Comparison::simulate(MASS, STEPS, progress)?;
    let energy = Panel::new(Axis::new("energy E/E₀", "").log().fixed(1e-20, 1e20));
    let figure = Figure::new(experiment.title, Axis::new("time", "s").fixed(0.0, 0.03))
        .legend(Legend::Below)
        .size(720.0, 560.0)
        .panel(comparison.positions(Some(Marker::Disc)))
        .panel(comparison.energies(energy, Some(Marker::Disc)));
    Ok(Page::new(figure, comparison.sheet(), checks(&comparison)))
}

/// The closed forms, the growth of symplectic Euler, and the midpoint after 100 steps.
///
/// For `s > 2` symplectic Euler multiplies the motion by the larger root of
/// `λ² − (2 − s²) λ + 1 = 0`, and the energy by its square.
fn checks(comparison: &Comparison) -> Vec<Check> {
    let [_, symplectic, _, midpoint] = &comparison.runs;
    let trace = 0.5 * (2.0 - comparison.s().powi(2));
    let growth = (trace.abs() + (trace * trace - 1.0).sqrt()).powi(2);
    let before = symplectic.ratio.iter().rev().nth(1).copied().unwrap_or(f64::NAN);
    let end = last(&symplectic.ratio);
    let mut checks = comparison.checks();
    checks.extend([
        Check::at_least("symplectic Euler: E/E0 at 0.1 s", end, 1e100),
        Check::relative("symplectic Euler: gain of the last step", end / before, growth, 1e-10),
        Check::relative(
            "passive midpoint: x [m] at 0.1 s",
            last(&midpoint.x),
            9.526967489083e-2,
            1e-10,
        ),
        Check::relative(
            "passive midpoint: v [m/s] at 0.1 s",
            last(&midpoint.v),
            -9.610874290069e1,
            1e-10,
        ),
    ]);
    checks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_check_fails_on_the_runs_of_another_scheme() {
        let mut comparison = Comparison::simulate(MASS, STEPS, &mut |_| {}).unwrap();
        assert!(checks(&comparison).iter().all(|check| check.pass));
        comparison.runs.rotate_right(1);
        let passed: Vec<Check> = checks(&comparison).into_iter().filter(|c| c.pass).collect();
        // explicit Euler in place of symplectic Euler diverges as well, if at another rate
        let name = "symplectic Euler: E/E0 at 0.1 s";
        assert!(passed.iter().all(|check| check.name == name), "{passed:#?}");
    }
}
