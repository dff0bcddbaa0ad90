//! `[Constantinescu2005, figs. 12 and 13]`: the experiments, with a simulated device and our world.

use super::bench::{LIMIT, Walls, run};
use super::draw::{Shown, forces, trajectories};
use super::peg::Run;
use crate::experiment::Progress;
use crate::page::Page;
use crate::{Check, Experiment, PaperError};
use palpable_record::figure::{Color, Dash};

/// Trajectories of the device.
pub(crate) const FIG12: Experiment = Experiment {
    id: "constantinescu2005/fig12",
    paper: "Constantinescu2005",
    title: "Peg in a corner, simulated device over four channels: path of the device",
    shows: "the peg bounces less and settles sooner where contacts begin with impulses",
    make: make12,
};

/// Forces on the device.
pub(crate) const FIG13: Experiment = Experiment {
    id: "constantinescu2005/fig13",
    paper: "Constantinescu2005",
    title: "Peg in a corner, simulated device over four channels: forces on the device",
    shows: "large forces upon contact; limited ones are still larger than those of penalties",
    make: make13,
};

fn runs() -> Result<[(Run, f64); 3], PaperError> {
    Ok([run(Walls::Full, 4.0)?, run(Walls::Spread, 4.0)?, run(Walls::Penalty, 4.0)?])
}

fn shown(runs: &[(Run, f64); 3]) -> [Shown<'_>; 3] {
    [
        ("impulses", Color::BLUE, Dash::Solid, &runs[0].0),
        ("impulses, limited", Color::GREEN, Dash::Dashed, &runs[1].0),
        ("penalties", Color::VERMILION, Dash::DashDot, &runs[2].0),
    ]
}

fn make12(experiment: &Experiment, _: Progress) -> Result<Page, PaperError> {
    let runs = runs()?;
    let (figure, sheet) = trajectories(experiment.title, &shown(&runs));
    let [full, spread, penalty] = runs.each_ref().map(|(r, _)| r.penetration()[0]);
    let gain = runs.iter().map(|r| r.1).fold(0.0, f64::max);
    let checks = vec![
        Check::at_most("impulses over penalties: penetration", full / penalty, 0.6),
        Check::at_most("limited over penalties: penetration", spread / penalty, 0.9),
        Check::at_most(
            "settling time over that of penalties",
            runs[0].0.settle() / runs[2].0.settle(),
            1.0,
        ),
        Check::at_most("largest gain of the world's energy [J]", gain, 1e-13),
    ];
    Ok(Page::new(figure, sheet, checks))
}

fn make13(experiment: &Experiment, _: Progress) -> Result<Page, PaperError> {
    let runs = runs()?;
    let (figure, sheet) = forces(experiment.title, &shown(&runs));
    let size = |run: &Run| run.force.iter().fold(0.0, |m: f64, f| m.max(f.norm()));
    let [full, spread, penalty] = runs.each_ref().map(|(r, _)| size(r));
    let checks = vec![
        Check::at_least("impulses over penalties: largest force", full / penalty, 5.0),
        Check::at_least("limited over penalties: largest force", spread / penalty, 1.2),
        Check::at_most("limited: largest force [N]", spread, LIMIT.0 * (1.0 + 1e-12)),
        Check::at_least("limited: steps that collide", runs[1].0.collisions as f64, 4.0),
    ];
    Ok(Page::new(figure, sheet, checks))
}
