//! `[Hasegawa2004, fig. 17]`: two shovels take, lift and carry blocks.

use super::shovels::{Task, Way, run};
use crate::experiment::Progress;
use crate::page::Page;
use crate::sheet::Sheet;
use crate::{Check, Experiment, PaperError};
use palpable_record::figure::{Axis, Color, Dash, Figure, Legend, Line, Panel};

/// Two shovels on couplings of 2 kN/m lift a block with another on it. The task is ours.
pub(crate) const FIG17: Experiment = Experiment {
    id: "hasegawa2004/fig17",
    paper: "Hasegawa2004",
    title: "Two shovels lift a block with another on it: heights, and forces on both hands",
    shows: "friction over faces holds blocks between two shovels, with forces of six freedoms",
    make,
};

fn make(experiment: &Experiment, progress: Progress) -> Result<Page, PaperError> {
    let task = run(Way::Coupled, &mut *progress)?;
    let mut heights = Panel::new(Axis::new("height", "m").fixed(0.0, 0.25));
    let mut forces = Panel::new(Axis::new("force", "N"));
    let mut torques = Panel::new(Axis::new("torque", "N·m"));
    let mut sheet = Sheet::over_time(&task.time);
    // the right hand is dashed: where both feel the same, the left one is seen below it
    let names = [
        ("lower block", "left", Color::BLUE, Dash::Solid),
        ("upper block", "right", Color::VERMILION, Dash::Dashed),
    ];
    for (k, (block, hand, color, dash)) in names.into_iter().enumerate() {
        let line =
            |name, values: &[f64]| Line::new(name, &task.time, values).color(color).dash(dash);
        heights = heights.line(line(block, &task.heights[k]));
        forces = forces.line(line(hand, &task.forces[k]));
        torques = torques.line(line(hand, &task.torques[k]));
        sheet = sheet
            .column(&format!("{block}.height"), "m", &task.heights[k])
            .column(&format!("{hand}.force"), "N", &task.forces[k])
            .column(&format!("{hand}.torque"), "N·m", &task.torques[k]);
    }
    let axis = Axis::new("time", "s").fixed(0.0, 6.0);
    let figure = Figure::new(experiment.title, axis).legend(Legend::Right).size(820.0, 720.0);
    let figure = figure.panel(heights).panel(forces).panel(torques);
    Ok(Page::new(figure, sheet, checks(&task)))
}

/// Checks that both ways of leading the shovels share.
pub(super) fn checks(task: &Task) -> Vec<Check> {
    let highest = |side: usize| task.heights[side].iter().copied().fold(0.0, f64::max);
    let end = |side: usize| task.heights[side].last().copied().unwrap_or(f64::NAN);
    let most = |v: &[f64]| v.iter().copied().fold(0.0, f64::max);
    vec![
        Check::at_least("lower block: highest [m]", highest(0), 0.12),
        Check::at_least("upper block, on it: highest [m]", highest(1), 0.18),
        Check::relative("lower block at the end: stands on the floor [m]", end(0), 0.03, 0.05),
        Check::at_least("strongest torque on a hand [N·m]", most(&task.torques[0]), 1e-3),
        Check::at_most("largest defect of a step's account", task.defect, 1e-12),
        Check::at_least("the audit is clean", f64::from(u8::from(task.is_clean)), 1.0),
        Check::at_most("stored beyond what hands supplied [J]", task.gained - task.supplied, 1e-12),
    ]
}
