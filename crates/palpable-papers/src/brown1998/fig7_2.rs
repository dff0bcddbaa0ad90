//! `[Brown1998, fig. 7.2]`: level curves for delayed Euler position updates, method 1.

use super::levels::{self, Curve};
use crate::experiment::Progress;
use crate::page::Page;
use crate::sheet::Sheet;
use crate::{Bound, Check, Experiment, PaperError};
use palpable_passivity::Integrator::DelayedEuler;
use palpable_passivity::{Integrator, level, unity_alpha};
use palpable_record::figure::{Color, Line, Marker};

/// Levels 0.9 to 1.2 of `[Brown1998, (7.9)]`, with the example of (7.10)-(7.12).
pub(crate) const FIG7_2: Experiment = Experiment {
    id: "brown1998/fig7.2",
    paper: "Brown1998",
    title: "Required damping of a mass by delayed Euler (method 1)",
    shows: "a mass by delayed Euler asks no more than a wall only for β > 1.04 and α < 0.248",
    make,
};

/// The example: `K = 10⁴ N/m`, `B = 20 N·s/m`, `T = 1 ms` give `β = 2` and `α = 0.01 kg/m`.
const EXAMPLE_BETA: f64 = 2.0;
const EXAMPLE_ALPHA_MASS: f64 = 0.01;

/// Where the unity curve begins, `(1 + √10)/4`. For a heavy mass the demand peaks at low frequency,
/// `u = 1 − cos θ = α y`, where to first order in α it stays below the wall's if
/// `16 β y² − (8β + 6) y + 2β + 1 ≥ 0` for every y, that is `16 β² − 8 β − 9 ≥ 0`. Stability alone
/// asks `β > 1`, and the thesis says no more.
const FIRST_BETA: f64 = 1.040_569_415_042_095;

fn make(experiment: &Experiment, progress: Progress) -> Result<Page, PaperError> {
    let above = [1.0, 1.1, 1.2].map(|level| levels::curve(DelayedEuler, level));
    progress(0.3);
    let below = [0.9, 0.95].map(below_unity);
    progress(0.6);
    let mut sheets = vec![("", levels::sheet(&above))];
    let own = |curve: &Curve| {
        Sheet::default().column("beta", "", &curve.beta).column("alpha", "", &curve.alpha)
    };
    sheets.extend(["-0.9", "-0.95"].into_iter().zip(below.iter().map(own)));
    let curves: Vec<Curve> = below.into_iter().chain(above).collect();
    let example = unity_alpha(DelayedEuler, EXAMPLE_BETA).unwrap_or(f64::NAN);
    let mark = Line::scatter("example, 41 g", &[EXAMPLE_BETA], &[example], Marker::Diamond);
    let panel = levels::panel(DelayedEuler, &curves, 0.3).line(mark.color(Color::BLACK));
    let figure = levels::figure(experiment.title, panel);
    Ok(Page { figure: figure.into(), sheets, checks: checks(&curves, DelayedEuler)? })
}

/// The two arms of a level below one: with growing α the demand falls along its Nyquist value
/// `4/(4 + αn)`, `n = 2β + 1`, and rises again when a lower frequency asks for more. The curve runs
/// along the lower arm to small β and back along the upper one.
fn below_unity(level: f64) -> Curve {
    let (mut lower, mut upper) = (Vec::new(), Vec::new());
    let within = |alpha: f64, beta: f64| demand(alpha, beta) <= level * (1.0 + 1e-12);
    for beta in levels::betas() {
        let start = 4.0 * (1.0 / level - 1.0) / (2.0 * beta + 1.0);
        let Some(end) = unity_alpha(DelayedEuler, beta).filter(|_| within(start, beta)) else {
            continue;
        };
        let (mut low, mut high) = (start, end);
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            if within(middle, beta) { low = middle } else { high = middle }
        }
        lower.push((beta, start));
        upper.push((beta, low));
    }
    lower.reverse();
    let (beta, alpha) = lower.into_iter().chain(upper).unzip();
    Curve { level, beta, alpha }
}

fn demand(alpha: f64, beta: f64) -> f64 {
    level(DelayedEuler, alpha, beta).unwrap_or(f64::NAN)
}

/// The unity curve at several β, its top, where it begins, the example, and every curve against
/// the demand of the transfer function itself.
fn checks(curves: &[Curve], integrator: Integrator) -> Result<Vec<Check>, PaperError> {
    let mut checks = Vec::new();
    let known = [
        (1.1, 0.0556251422),
        (1.5, 0.2215028080),
        (1.9, 0.2470580346),
        (2.0, 0.2464292604),
        (3.0, 0.2093288005),
        (4.0, 0.1728615454),
    ];
    for curve in curves {
        if curve.level == 1.0 {
            for (beta, alpha) in known {
                let name = format!("alpha at b* = 1, beta = {beta}");
                checks.push(Check::relative(name, curve.at(beta), alpha, 1e-8));
            }
            let first = curve.points().next().map_or(f64::NAN, |(beta, _)| beta);
            let mass = EXAMPLE_ALPHA_MASS / curve.at(EXAMPLE_BETA);
            let begin = Bound::Near { expected: FIRST_BETA + 0.0025, tolerance: 0.0025 };
            checks.push(Check::new("smallest beta of the grid with b* = 1", first, begin));
            // the top lies between grid points: 0.247068 less at most 1e-6
            checks.push(Check::relative(
                "largest alpha at b* = 1",
                curve.highest(),
                0.247068,
                1e-5,
            ));
            checks.push(Check::relative("example: lightest mass [kg]", mass, 0.0405795967, 1e-8));
        }
        let name = format!("largest |b*/{} - 1| by the transfer function", curve.level);
        checks.push(Check::at_most(name, curve.confirmed(integrator)?, 1e-8));
    }
    Ok(checks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checks_fail_on_the_curves_of_another_method() {
        let curves = [levels::curve(Integrator::Trapezoidal, 1.0)];
        let checks = checks(&curves, Integrator::Trapezoidal).unwrap();
        let passed: Vec<&Check> = checks.iter().filter(|check| check.pass).collect();
        // the curve is right for its own method, and only that
        assert!(passed.iter().all(|check| check.name.contains("transfer function")), "{passed:#?}");
    }

    #[test]
    fn the_demand_of_another_method_is_noticed() {
        let curve = levels::curve(DelayedEuler, 1.0);
        assert!(!(curve.confirmed(Integrator::SymplecticEuler).unwrap() <= 1e-8));
    }

    #[test]
    fn no_mass_at_all_is_as_passive_as_the_wall_before_the_first_beta() {
        assert!((16.0 * FIRST_BETA - 8.0).mul_add(FIRST_BETA, -9.0).abs() < 1e-13);
        let best = |beta: f64| {
            let limit = (beta - 1.0) / (beta * beta);
            let alphas = (1..1000).map(|i| limit * f64::from(i) / 1000.0);
            alphas.map(|alpha| demand(alpha, beta)).fold(f64::INFINITY, f64::min)
        };
        assert!(best(FIRST_BETA - 1e-3) > 1.0 && best(FIRST_BETA + 1e-3) <= 1.0);
        assert!(best(1.01) > 1.0 && best(1.03) > 1.0);
    }
}
