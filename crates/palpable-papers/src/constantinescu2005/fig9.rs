//! `[Constantinescu2005, fig. 9]`: what becomes of impulses that a device cannot apply.

use super::draw::{Shown, trajectories};
use super::fig7::near;
use super::peg::{LIMIT, Mode, Run, run};
use crate::experiment::Progress;
use crate::page::Page;
use crate::{Check, Experiment, PaperError};
use palpable_record::figure::{Color, Dash};

/// Full, saturated, scaled, spread.
pub(crate) const FIG9: Experiment = Experiment {
    id: "constantinescu2005/fig9",
    paper: "Constantinescu2005",
    title: "Peg in a corner, a device of 15 N, 15 N, 1 N m: path of the hand",
    shows: "impulses spread over steps come closest to those of a device without limits",
    make,
};

fn make(experiment: &Experiment, _: Progress) -> Result<Page, PaperError> {
    let modes = [Mode::Ideal, Mode::Full, Mode::Spread, Mode::Scale, Mode::Saturate];
    let runs = modes.map(|mode| run(mode, 0.0, 4.0));
    let shown: [Shown; 5] = [
        ("ideal", Color::BLACK, Dash::Solid, &runs[0]),
        ("full", Color::BLUE, Dash::Solid, &runs[1]),
        ("spread", Color::GREEN, Dash::Dashed, &runs[2]),
        ("scaled", Color::ORANGE, Dash::DashDot, &runs[3]),
        ("saturated", Color::VERMILION, Dash::Dotted, &runs[4]),
    ];
    let (figure, sheet) = trajectories(experiment.title, &shown);
    Ok(Page::new(figure, sheet, checks(&runs)))
}

fn checks(runs: &[Run; 5]) -> Vec<Check> {
    let depth = runs.each_ref().map(|r| r.penetration());
    let mut checks = Vec::new();
    let known = [("full", 0.2009), ("spread", 0.4642), ("scaled", 1.0070), ("saturated", 1.4024)];
    for (k, (name, expected)) in known.into_iter().enumerate() {
        let name = format!("{name}: penetration [mm]");
        checks.push(Check::new(name, depth[k + 1][0], near(expected, 1e-4)));
    }
    checks.push(Check::new("saturated: tool [mm]", depth[4][1], near(0.5638, 1e-4)));
    for (name, run) in [("spread", &runs[2]), ("scaled", &runs[3]), ("saturated", &runs[4])] {
        let over = (0..3).map(|i| run.peak()[i] / LIMIT[i]).fold(0.0, f64::max);
        checks.push(Check::at_most(
            format!("{name}: largest force over the limit"),
            over,
            1.0 + 1e-14,
        ));
    }
    let apart = |run: &Run| (run.taken[0] / run.taken[1] - 1.0).abs();
    checks.push(Check::at_most(
        "spread: energy taken, device against tool",
        apart(&runs[2]),
        1e-12,
    ));
    checks.push(Check::at_least("saturated: the same", apart(&runs[4]), 0.3));
    checks.push(Check::new(
        "spread: steps that collide",
        runs[2].collisions as f64,
        near(10.0, 0.0),
    ));
    checks
}
