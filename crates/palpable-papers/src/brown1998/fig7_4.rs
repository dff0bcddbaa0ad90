//! `[Brown1998, fig. 7.4]`: level curves for non-delayed Euler position updates, method 2.

use super::levels::{self, Curve};
use crate::check::largest;
use crate::experiment::Progress;
use crate::page::Page;
use crate::{Check, Experiment, PaperError};
use palpable_passivity::Integrator;
use palpable_passivity::Integrator::SymplecticEuler;

/// Levels 1.05 to 2 of `[Brown1998, (7.13)]`. There is no level 1: a mass asks for more than the
/// wall, always.
pub(crate) const FIG7_4: Experiment = Experiment {
    id: "brown1998/fig7.4",
    paper: "Brown1998",
    title: "Required damping of a mass by symplectic Euler (method 2)",
    shows: "a mass by symplectic Euler asks for more damping than a wall, but not much more",
    make,
};

const LEVELS: [f64; 5] = [1.05, 1.1, 1.2, 1.5, 2.0];

fn make(experiment: &Experiment, progress: Progress) -> Result<Page, PaperError> {
    let curves = LEVELS.map(|level| levels::curve(SymplecticEuler, level));
    progress(0.5);
    let panel = levels::panel(SymplecticEuler, &curves, 2.0);
    let checks = checks(&curves, SymplecticEuler)?;
    Ok(Page::new(levels::figure(experiment.title, panel), levels::sheet(&curves), checks))
}

/// Nyquist decides: `b* = 4/(4 − αn)`, so `α = (4/n)(1 − 1/b*)` with `n = 2β + 1`.
fn closed_form(level: f64, beta: f64) -> f64 {
    4.0 / (2.0 * beta + 1.0) * (1.0 - 1.0 / level)
}

/// The closed form where it holds (β from 0.25), the transfer function everywhere, and no mass at
/// the level of the wall.
fn checks(curves: &[Curve], integrator: Integrator) -> Result<Vec<Check>, PaperError> {
    let mut checks = Vec::new();
    for curve in curves {
        let upper = curve.points().filter(|(beta, _)| *beta >= 0.25);
        let stray = largest(upper.map(|(b, alpha)| alpha / closed_form(curve.level, b) - 1.0));
        let name = format!("largest relative error of alpha at b* = {}", curve.level);
        checks.push(Check::at_most(name, stray, 1e-9));
        let name = format!("largest |b*/{} - 1| by the transfer function", curve.level);
        checks.push(Check::at_most(name, curve.confirmed(integrator)?, 1e-8));
    }
    let unity = levels::curve(integrator, 1.0).points().count() as f64;
    checks.push(Check::at_most("values of beta with a mass at b* = 1", unity, 0.0));
    Ok(checks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checks_fail_on_the_curves_of_another_method() {
        let curves = [levels::curve(Integrator::Trapezoidal, 1.2)];
        let checks = checks(&curves, Integrator::Trapezoidal).unwrap();
        let failed = checks.iter().filter(|check| !check.pass).count();
        assert_eq!(failed, 2, "{checks:#?}");
    }
}
