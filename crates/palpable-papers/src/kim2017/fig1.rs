//! `[Kim2017, fig. 1]`: four schemes on a mass of 10 g.

use super::oscillator::{Comparison, START, STEP, STIFFNESS, last};
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
    let energy = Panel::new(Axis::new("energy E/E₀", "").log().fixed(1e-5, 1e5));
    let closer = Panel::new(Axis::new("energy E/E₀, close", "").fixed(0.9, 1.1));
    let figure = Figure::new(experiment.title, Axis::new("time", "s"))
        .legend(Legend::Below)
        .size(720.0, 680.0)
        .panel(comparison.positions(None))
        .panel(comparison.energies(energy, None))
        .panel(comparison.energies(closer, None));
    Ok(Page::new(figure, comparison.sheet(), checks(&comparison)))
}

/// The closed forms, and where midpoint and symplectic Euler must stand after 1000 steps.
fn checks(comparison: &Comparison) -> Vec<Check> {
    let [_, symplectic, _, midpoint] = &comparison.runs;
    let initial = 0.5 * STIFFNESS * START * START;
    let shifted = symplectic.x.iter().zip(&symplectic.v).zip(&symplectic.ratio);
    let invariant =
        largest(shifted.map(|((x, v), r)| r - 0.5 * STIFFNESS * STEP * x * v / initial - 1.0));
    let end = |scheme: &str, what: &str, values: &[f64], expected: f64| {
        Check::relative(format!("{scheme}: {what} at 1 s"), last(values), expected, 1e-10)
    };
    let mut checks = comparison.checks();
    checks.extend([
        Check::at_most("symplectic Euler: largest change of its invariant", invariant, 1e-12),
        end("passive midpoint", "x [m]", &midpoint.x, 8.172500408145e-2),
        end("passive midpoint", "v [m/s]", &midpoint.v, 5.762832383374),
        end("symplectic Euler", "x [m]", &symplectic.x, 9.062126531608e-2),
        end("symplectic Euler", "v [m/s]", &symplectic.v, 4.705537168853),
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
        comparison.runs.rotate_left(1);
        let failed: Vec<Check> = checks(&comparison).into_iter().filter(|c| !c.pass).collect();
        assert_eq!(failed.len(), checks(&comparison).len(), "{failed:#?}");
    }
}
