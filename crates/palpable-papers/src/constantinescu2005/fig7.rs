//! `[Constantinescu2005, figs. 7 and 8]`: a device that can apply any impulse.

use super::draw::{Shown, forces, trajectories};
use super::peg::{Mode, Run, run};
use crate::experiment::Progress;
use crate::page::Page;
use crate::{Check, Experiment, PaperError};
use palpable_record::figure::{Color, Dash};

/// Trajectories of the hand.
pub(crate) const FIG7: Experiment = Experiment {
    id: "constantinescu2005/fig7",
    paper: "Constantinescu2005",
    title: "Peg in a corner, impulses in one step: path of the hand",
    shows: "with impulses the hand goes nearly as a rigid corner would have it",
    make: make7,
};

/// Forces on the hand.
pub(crate) const FIG8: Experiment = Experiment {
    id: "constantinescu2005/fig8",
    paper: "Constantinescu2005",
    title: "Peg in a corner, impulses in one step: forces on the hand",
    shows: "large forces when contact begins, and no more than the hand's own after that",
    make: make8,
};

const SECONDS: f64 = 4.0;

/// Ideal, impulses and penalties, penalties alone, unilateral coupler.
pub(super) fn runs(augmented: Mode) -> [Run; 4] {
    [Mode::Ideal, augmented, Mode::Penalty, Mode::Unilateral].map(|mode| run(mode, 0.0, SECONDS))
}

pub(super) fn shown(runs: &[Run; 4]) -> [Shown<'_>; 4] {
    [
        ("ideal", Color::BLACK, Dash::Solid, &runs[0]),
        ("impulses and penalties", Color::BLUE, Dash::Solid, &runs[1]),
        ("penalties", Color::VERMILION, Dash::Dashed, &runs[2]),
        ("unilateral coupler", Color::GREEN, Dash::DashDot, &runs[3]),
    ]
}

fn make7(experiment: &Experiment, _: Progress) -> Result<Page, PaperError> {
    let runs = runs(Mode::Full);
    let (figure, sheet) = trajectories(experiment.title, &shown(&runs));
    let [ideal, full, penalty, coupler] = runs.each_ref().map(|r| r.penetration());
    // the table of independent computations, under the same assumptions
    let mut checks = vec![
        Check::at_most("ideal: penetration of the hand [mm]", ideal[0], 1e-9),
        Check::new("impulses: penetration [mm]", full[0], near(0.2009, 1e-4)),
        Check::new("penalties: penetration [mm]", penalty[0], near(1.1009, 1e-4)),
        Check::at_least("coupler: penetration of the hand [mm]", coupler[0], penalty[0]),
        Check::at_most("coupler: penetration of the tool [mm]", coupler[1], 0.0),
    ];
    for (k, (name, expected)) in
        [("ideal", 0.0410), ("impulses", 0.0918), ("penalties", 0.2051)].into_iter().enumerate()
    {
        let name = format!("{name}: settles after [s]");
        checks.push(Check::new(name, runs[k].settle(), near(expected, 1e-4)));
    }
    Ok(Page::new(figure, sheet, checks))
}

pub(super) fn near(expected: f64, tolerance: f64) -> crate::Bound {
    crate::Bound::Near { expected, tolerance }
}

fn make8(experiment: &Experiment, _: Progress) -> Result<Page, PaperError> {
    let runs = runs(Mode::Full);
    let (figure, sheet) = forces(experiment.title, &shown(&runs));
    let [ideal, full, penalty, _] = runs.each_ref().map(|r| r.peak());
    let last = runs[1].force.last().copied().unwrap_or_default();
    let checks = vec![
        Check::new("ideal: largest force along x [N]", ideal.x, near(53.1, 0.05)),
        Check::new("ideal: largest force along y [N]", ideal.y, near(68.0, 0.05)),
        Check::new("impulses: largest force along x [N]", full.x, near(56.32, 0.005)),
        Check::new("impulses: largest force along y [N]", full.y, near(78.80, 0.005)),
        Check::new("penalties: largest force along x [N]", penalty.x, near(5.51, 0.005)),
        Check::new("penalties: largest force along y [N]", penalty.y, near(7.96, 0.01)),
        Check::new("at rest: force along x [N]", last.x, near(0.32, 1e-6)),
        Check::new("at rest: force along y [N]", last.y, near(-0.4, 1e-6)),
    ];
    Ok(Page::new(figure, sheet, checks))
}
