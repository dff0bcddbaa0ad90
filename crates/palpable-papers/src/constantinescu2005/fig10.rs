//! `[Constantinescu2005, figs. 10 and 11]`: the same comparison with a limited device.

use super::draw::{forces, trajectories};
use super::fig7::{near, runs, shown};
use super::peg::{LIMIT, Mode};
use crate::experiment::Progress;
use crate::page::Page;
use crate::{Check, Experiment, PaperError};

/// Trajectories of the hand.
pub(crate) const FIG10: Experiment = Experiment {
    id: "constantinescu2005/fig10",
    paper: "Constantinescu2005",
    title: "Peg in a corner, impulses spread over steps: path of the hand",
    shows: "also within the limits of a device, impulses keep the hand out of the walls",
    make: make10,
};

/// Forces on the hand.
pub(crate) const FIG11: Experiment = Experiment {
    id: "constantinescu2005/fig11",
    paper: "Constantinescu2005",
    title: "Peg in a corner, impulses spread over steps: forces on the hand",
    shows: "limited forces upon contact, still above those of penalties",
    make: make11,
};

fn make10(experiment: &Experiment, _: Progress) -> Result<Page, PaperError> {
    let runs = runs(Mode::Spread);
    let (figure, sheet) = trajectories(experiment.title, &shown(&runs));
    let [ideal, spread, penalty, _] = runs.each_ref().map(|r| r.penetration()[0]);
    let checks = vec![
        Check::new("spread: penetration [mm]", spread, near(0.4642, 1e-4)),
        Check::new("spread: settles after [s]", runs[1].settle(), near(0.1523, 1e-4)),
        Check::at_most("ideal over spread", ideal / spread, 1e-6),
        Check::at_most("spread over penalties", spread / penalty, 0.5),
    ];
    Ok(Page::new(figure, sheet, checks))
}

fn make11(experiment: &Experiment, _: Progress) -> Result<Page, PaperError> {
    let runs = runs(Mode::Spread);
    let (figure, sheet) = forces(experiment.title, &shown(&runs));
    let (spread, penalty) = (runs[1].peak(), runs[2].peak());
    let over = (0..3).map(|i| spread[i] / LIMIT[i]).fold(0.0, f64::max);
    let checks = vec![
        Check::at_most("spread: largest force over the limit", over, 1.0 + 1e-14),
        Check::at_least("spread over penalties, along x", spread.x / penalty.x, 2.0),
        Check::at_least("spread over penalties, along y", spread.y / penalty.y, 1.8),
        Check::new("least restitution rendered", runs[1].restitution, near(-0.8096, 1e-3)),
    ];
    Ok(Page::new(figure, sheet, checks))
}
