//! `[Kim2017, fig. 1]`: four schemes on a mass of 10 g.

use super::oscillator::{Comparison, START, STEP, STIFFNESS};
use crate::check::largest;
use crate::experiment::Progress;
use crate::page::Page;
use crate::{Check, Experiment, PaperError};
use palpable_record::figure::{Axis, Figure, Legend, Panel};

/// A mass-spring oscillator, `m = 0.01 kg`, `k = 100 N/m`, `h = 1 ms`, for one second.
pub(crate) const FIG1: Experiment = Experiment {
    id: "kim2017/fig1",
    paper: "Kim2017",
    title: "Harmonic oscillation, m = 10 g, k = 100 N/m, h = 1 ms",
    shows: "explicit Euler diverges, implicit Euler decays, the midpoint keeps its energy to \
            round-off and symplectic Euler nearly does",
    make,
};

const MASS: f64 = 0.01;
const STEPS: u32 = 1000;

fn make(experiment: &Experiment, progress: Progress) -> Result<Page, PaperError> {
    let comparison = Comparison::simulate(MASS, STEPS, progress)?;
    let position = Panel::new(Axis::new("position", "m").fixed(-0.4, 0.4));
    let energy = Panel::new(Axis::new("energy E/E₀", "").log().fixed(1e-5, 1e5));
    let figure = Figure::new(experiment.title, Axis::new("time", "s"))
        .legend(Legend::Below)
        .size(720.0, 560.0)
        .panel(comparison.curves(position, |run| &run.x))
        .panel(comparison.curves(energy, |run| &run.ratio));
    Ok(Page::new(figure, comparison.sheet(), checks(&comparison)))
}

/// The closed forms, and where midpoint and symplectic Euler must stand after 1000 steps.
fn checks(comparison: &Comparison) -> Vec<Check> {
    let [midpoint, _, symplectic, _] = &comparison.runs;
    let end = |values: &[f64]| values.last().copied().unwrap_or(f64::NAN);
    let initial = 0.5 * STIFFNESS * START * START;
    let shifted = symplectic.x.iter().zip(&symplectic.v).zip(&symplectic.ratio);
    let invariant = shifted.map(|((x, v), r)| r - 0.5 * STIFFNESS * STEP * x * v / initial - 1.0);
    let mut checks = comparison.checks();
    checks.extend([
        Check::at_most(
            "symplectic Euler: largest change of its invariant",
            largest(invariant),
            1e-12,
        ),
        Check::relative(
            "passive midpoint: x after 1000 steps [m]",
            end(&midpoint.x),
            8.172500408145e-2,
            1e-10,
        ),
        Check::relative(
            "passive midpoint: v after 1000 steps [m/s]",
            end(&midpoint.v),
            5.762832383374,
            1e-10,
        ),
        Check::relative(
            "symplectic Euler: x after 1000 steps [m]",
            end(&symplectic.x),
            9.062126531608e-2,
            1e-10,
        ),
        Check::relative(
            "symplectic Euler: v after 1000 steps [m/s]",
            end(&symplectic.v),
            4.705537168853,
            1e-10,
        ),
    ]);
    checks
}
