//! The case that `[Kim2017, fig. 3]` avoids: an SO(3) spring turned off its axis.

use super::spring::{Run, Setting};
use super::style::{curve, heading, label};
use crate::check::largest;
use crate::experiment::Progress;
use crate::page::Page;
use crate::sheet::Sheet;
use crate::{Check, Experiment, PaperError};
use palpable::Scheme;
use palpable_record::figure::{Axis, Figure, Legend, Panel};
use std::f64::consts::FRAC_PI_2;

/// `J = diag(5, 10, 14)·1e-4 kg·m²`, `k = 1 N·m/rad`, from π/2 about (1, 2, 1)/√6 with
/// `ω_0 = (20, −10, 5) rad/s`, 20 s at 1 ms and at 10 ms, all schemes.
///
/// Not a figure of the paper: fig. 3 turns about one axis, where `[Kim2017, (20)]` happens to be
/// exact. Here its replacement of `n nᵀ` by the identity takes energy away at every step.
pub(crate) const SO3_OFF_AXIS: Experiment = Experiment {
    id: "kim2017/so3-off-axis",
    paper: "Kim2017",
    title: "SO(3) spring turned off its axis, J = diag(5, 10, 14)·10⁻⁴ kg·m²",
    shows: "off the axis the published midpoint loses energy and explicit Euler gains it; the \
            passive midpoint keeps it",
    make,
};

const SETTING: Setting = Setting {
    inertia: [5e-4, 10e-4, 14e-4],
    stiffness: 1.0,
    angle: FRAC_PI_2,
    omega: [20.0, -10.0, 5.0],
};
/// Step lengths \[s\], their number of steps, and how they are written.
const STEPS: [(f64, u32, &str); 2] = [(1e-3, 20_000, "1 ms"), (1e-2, 2_000, "10 ms")];
/// In the order they are drawn: ours last, on top.
const SCHEMES: [Scheme; 5] = [
    Scheme::ExplicitEuler,
    Scheme::SymplecticEuler,
    Scheme::ImplicitEuler,
    Scheme::PublishedMidpoint,
    Scheme::PassiveMidpoint,
];

/// Every scheme at one step length.
type Row = Vec<(Scheme, Run)>;

fn make(experiment: &Experiment, progress: Progress) -> Result<Page, PaperError> {
    let mut rows: Vec<Row> = Vec::new();
    for (index, (h, steps, _)) in STEPS.into_iter().enumerate() {
        let mut row = Row::new();
        for scheme in SCHEMES {
            row.push((scheme, SETTING.simulate(scheme, h, steps)?));
            progress(0.5 * (index as f64 + row.len() as f64 / SCHEMES.len() as f64));
        }
        rows.push(row);
    }
    let sheets = ["", "-10ms"].into_iter().zip(rows.iter().map(Vec::as_slice).map(sheet)).collect();
    let checks = STEPS.iter().zip(&rows).flat_map(|((.., name), row)| checks(name, row)).collect();
    Ok(Page { figure: figure(experiment.title, &rows).into(), sheets, checks })
}

fn figure(title: &str, rows: &[Row]) -> Figure {
    let initial = SETTING.energy();
    let panel = |(name, row): (&str, &Row)| {
        let frame = Panel::new(Axis::new("energy E/E₀", "").fixed(0.0, 2.0));
        row.iter().fold(frame.title(format!("h = {name}")), |panel, (scheme, run)| {
            let ratio: Vec<f64> = run.mechanical().iter().map(|energy| energy / initial).collect();
            panel.line(curve(*scheme, &run.time, &ratio))
        })
    };
    let names = STEPS.iter().map(|(.., name)| *name);
    let figure = Figure::new(title, Axis::new("time", "s").log().fixed(0.01, 20.0));
    let figure = figure.legend(Legend::Below).size(840.0, 640.0);
    names.zip(rows).map(panel).fold(figure, Figure::panel)
}

fn sheet(row: &[(Scheme, Run)]) -> Sheet {
    let time = row.first().map_or(&[][..], |(_, run)| &run.time);
    row.iter().fold(Sheet::over_time(time), |sheet, (scheme, run)| {
        let name = heading(*scheme);
        sheet
            .column(&format!("{name}.kinetic"), "J", &run.kinetic)
            .column(&format!("{name}.elastic"), "J", &run.elastic)
            .column(&format!("{name}.accounted"), "J", &run.accounted)
    })
}

/// Ours closes, the published scheme loses, explicit Euler gains.
fn checks(step: &str, row: &[(Scheme, Run)]) -> Vec<Check> {
    let initial = SETTING.energy();
    let check = |(scheme, run): &(Scheme, Run)| {
        let name = |what: &str| format!("{}, {step}: {what}", label(*scheme));
        // the last number that is one: a refused step ends a run
        let ends = run.unexplained(initial).filter(|change| change.is_finite()).last();
        let change = ends.unwrap_or(f64::NAN);
        match scheme {
            Scheme::PassiveMidpoint => {
                let worst = largest(run.unexplained(initial));
                let mechanical = largest(run.mechanical().iter().map(|e| e / initial - 1.0));
                vec![
                    Check::at_most(name("largest |stored + discarded - E0| / E0"), worst, 1e-12),
                    Check::at_most(name("largest |kinetic + spring - E0| / E0"), mechanical, 1e-11),
                ]
            }
            Scheme::PublishedMidpoint => {
                vec![Check::at_most(name("E/E0 - 1 at the end"), change, -0.05)]
            }
            Scheme::ExplicitEuler => {
                vec![Check::at_least(name("E/E0 - 1 at the end"), change, 1.0)]
            }
            _ => Vec::new(),
        }
    };
    row.iter().flat_map(check).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_check_fails_when_the_schemes_are_mixed_up() {
        let (h, _, name) = STEPS[1];
        let run = |scheme| SETTING.simulate(scheme, h, 1000).unwrap();
        let row: Row = vec![
            (Scheme::PassiveMidpoint, run(Scheme::PublishedMidpoint)),
            (Scheme::PublishedMidpoint, run(Scheme::PassiveMidpoint)),
            (Scheme::ExplicitEuler, run(Scheme::PublishedMidpoint)),
        ];
        let checks = checks(name, &row);
        assert!(checks.len() == 4 && checks.iter().all(|check| !check.pass), "{checks:#?}");
    }
}
