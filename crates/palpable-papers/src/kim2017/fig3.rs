//! `[Kim2017, fig. 3]`: a body on an SO(3) spring, turning about one axis.

use super::spring::{Run, Setting};
use super::style::{curve, heading, label};
use crate::check::largest;
use crate::experiment::Progress;
use crate::page::Page;
use crate::sheet::Sheet;
use crate::{Check, Experiment, PaperError};
use palpable::Scheme;
use palpable_record::figure::{Axis, Color, Dash, Figure, Legend, Line, Marker, Panel};
use std::f64::consts::PI;

/// `J = 0.001 I kg·m²`, `k = 1 N·m/rad`, `h = 10 ms`, from rest at 0.9 π about (1, 2, 1)/√6.
///
/// The inertia has no preferred axis and the body starts at rest, so it turns about one axis and
/// the motion is exactly linear: `φ_n = 0.9 π cos nθ`, `θ = 2 atan(ωh/2)`. The figure is therefore
/// no test of `[Kim2017, (20)]`; `kim2017/so3-off-axis` is.
pub(crate) const FIG3: Experiment = Experiment {
    id: "kim2017/fig3",
    paper: "Kim2017",
    title: "SO(3) spring about one axis, J = 0.001 kg·m², k = 1 N·m/rad, h = 10 ms",
    shows: "about one axis the SO(3) spring keeps its energy with both midpoint schemes",
    make,
};

const SETTING: Setting =
    Setting { inertia: [1e-3; 3], stiffness: 1.0, angle: 0.9 * PI, omega: [0.0; 3] };
const STEP: f64 = 0.01;
const STEPS: u32 = 100;
const SCHEMES: [Scheme; 2] = [Scheme::PublishedMidpoint, Scheme::PassiveMidpoint];

fn make(experiment: &Experiment, progress: Progress) -> Result<Page, PaperError> {
    let mut runs = Vec::new();
    for scheme in SCHEMES {
        runs.push((scheme, SETTING.simulate(scheme, STEP, STEPS)?));
        progress(0.5 * runs.len() as f64);
    }
    let checks = runs.iter().flat_map(|(scheme, run)| checks(*scheme, run)).collect();
    Ok(Page::new(figure(experiment.title, &runs), sheet(&runs), checks))
}

/// Signed angle after `n` steps by the closed form \[rad\].
fn closed_form(n: f64) -> f64 {
    let s = (SETTING.stiffness / SETTING.inertia[0]).sqrt() * STEP;
    SETTING.angle * (n * 2.0 * (0.5 * s).atan()).cos()
}

fn figure(title: &str, runs: &[(Scheme, Run)]) -> Figure {
    let mut angle = Panel::new(Axis::new("angle φ", "rad").fixed(-3.2, 3.2));
    let mut energy = Panel::new(Axis::new("energy", "J").fixed(0.0, 4.4));
    let mut error = Panel::new(Axis::new("E/E₀ − 1", "").fixed(-1e-14, 1e-14));
    let initial = SETTING.energy();
    for (scheme, run) in runs {
        let unexplained: Vec<f64> = run.unexplained(initial).collect();
        angle = angle.line(curve(*scheme, &run.time, &run.angle));
        error = error.line(curve(*scheme, &run.time, &unexplained));
        if *scheme == Scheme::PassiveMidpoint {
            let line = |name, values: &[f64]| Line::new(name, &run.time, values);
            energy = energy
                .line(line("kinetic", &run.kinetic).color(Color::SKY).dash(Dash::Dashed))
                .line(line("spring", &run.elastic).color(Color::GREEN).dash(Dash::DashDot))
                .line(line("total", &run.mechanical()).color(Color::BLACK).dash(Dash::Solid));
        }
    }
    let time: Vec<f64> = (0..=STEPS).map(|n| f64::from(n) * STEP).collect();
    let exact: Vec<f64> = (0..=STEPS).map(|n| closed_form(f64::from(n))).collect();
    angle =
        angle.line(Line::scatter("closed form", &time, &exact, Marker::Cross).color(Color::BLACK));
    let axis = Axis::new("time", "s").fixed(0.0, 1.0);
    Figure::new(title, axis)
        .legend(Legend::Right)
        .size(820.0, 660.0)
        .panel(angle)
        .panel(energy)
        .panel(error)
}

fn sheet(runs: &[(Scheme, Run)]) -> Sheet {
    let time = runs.first().map_or(&[][..], |(_, run)| &run.time);
    let exact: Vec<f64> = (0..time.len()).map(|n| closed_form(n as f64)).collect();
    let start = Sheet::over_time(time).column("closed_form.angle", "rad", &exact);
    runs.iter().fold(start, |sheet, (scheme, run)| {
        let name = heading(*scheme);
        sheet
            .column(&format!("{name}.angle"), "rad", &run.angle)
            .column(&format!("{name}.kinetic"), "J", &run.kinetic)
            .column(&format!("{name}.elastic"), "J", &run.elastic)
    })
}

/// Closed form of the angle, its printed values, and the energy.
fn checks(scheme: Scheme, run: &Run) -> Vec<Check> {
    let name = label(scheme);
    let stray = run.angle.iter().enumerate().map(|(n, phi)| phi - closed_form(n as f64));
    let at = |n: usize| run.angle.get(n).copied().unwrap_or(f64::NAN);
    let start = run.accounted.first().copied().unwrap_or(f64::NAN);
    vec![
        Check::at_most(
            format!("{name}: largest |angle - closed form| [rad]"),
            largest(stray),
            1e-10 * SETTING.angle,
        ),
        Check::relative(
            format!("{name}: angle after 10 steps [rad]"),
            at(10),
            -2.827393991886,
            1e-10,
        ),
        Check::relative(
            format!("{name}: angle after 100 steps [rad]"),
            at(100),
            2.823494659386,
            1e-10,
        ),
        Check::relative(format!("{name}: energy at the start [J]"), start, 3.99718978244119, 1e-14),
        Check::at_most(
            format!("{name}: largest |E/E0 - 1|"),
            largest(run.unexplained(SETTING.energy())),
            1e-12,
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checks_fail_on_implicit_euler() {
        let run = SETTING.simulate(Scheme::ImplicitEuler, STEP, STEPS).unwrap();
        let passed: Vec<Check> =
            checks(Scheme::ImplicitEuler, &run).into_iter().filter(|check| check.pass).collect();
        // the start is the same for every scheme
        assert_eq!(passed.len(), 1, "{passed:#?}");
    }
}
