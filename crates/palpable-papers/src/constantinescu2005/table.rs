//! Settling times and penetrations of all modes, aligned and tilted.

use super::peg::{Mode, Run, run};
use crate::experiment::Progress;
use crate::page::Page;
use crate::sheet::Sheet;
use crate::{Check, Experiment, PaperError};
use palpable_record::figure::{Axis, Color, Figure, Legend, Line, Marker, Panel};

/// Penetration and settling time, mode by mode.
pub(crate) const TABLE: Experiment = Experiment {
    id: "constantinescu2005/table",
    paper: "Constantinescu2005",
    title: "Peg in a corner: penetration and settling time, mode by mode",
    shows: "ideal, full, spread, scaled, penalties, saturated: each deeper than the one before",
    make,
};

const MODES: [(Mode, &str); 8] = [
    (Mode::Ideal, "ideal"),
    (Mode::Full, "full"),
    (Mode::Spread, "spread"),
    (Mode::Scale, "scaled"),
    (Mode::Penalty, "penalties"),
    (Mode::Saturate, "saturated"),
    (Mode::Unilateral, "coupler"),
    // settles in 1.09 s instead of 0.38 s: see `coupler` in `peg.rs`
    (Mode::UnilateralIn, "damped inwards"),
];

fn make(experiment: &Experiment, _: Progress) -> Result<Page, PaperError> {
    let number: Vec<f64> = (0..MODES.len()).map(|k| k as f64).collect();
    let names = MODES.iter().enumerate().map(|(k, (_, name))| format!("{k} {name}"));
    let names = names.collect::<Vec<_>>().join(", ");
    let axis = || Axis::new(names.as_str(), "").fixed(-0.5, 7.5);
    let mut deep = Panel::new(Axis::new("penetration", "mm").fixed(0.0, 2.6)).x(axis());
    let mut slow = Panel::new(Axis::new("settling time", "s").fixed(0.0, 4.2)).x(axis());
    let mut sheet = Sheet::default().column("mode", "", &number);
    let mut aligned = Vec::new();
    let looks = [(0.0, "aligned", Color::BLUE), (0.1, "tilted by 0.1 rad", Color::VERMILION)];
    for (tilt, name, color) in looks {
        let runs: Vec<Run> = MODES.iter().map(|(mode, _)| run(*mode, tilt, 4.0)).collect();
        let depth: Vec<f64> = runs.iter().map(|r| r.penetration()[0]).collect();
        let settle: Vec<f64> = runs.iter().map(Run::settle).collect();
        let dots = |y: &[f64]| Line::scatter(name, &number, y, Marker::Disc).color(color);
        deep = deep.line(dots(&depth));
        slow = slow.line(dots(&settle));
        sheet = sheet.column(&format!("{name}.penetration"), "mm", &depth);
        sheet = sheet.column(&format!("{name}.settle"), "s", &settle);
        if tilt == 0.0 {
            aligned = depth;
        }
    }
    let figure = Figure::new(experiment.title, axis()).legend(Legend::Below).columns(2);
    let figure = figure.size(1240.0, 420.0).panel(deep).panel(slow);
    let order = |k: usize| {
        let name = format!("{} over {}: penetration", MODES[k].1, MODES[k + 1].1);
        Check::at_most(name, aligned[k] / aligned[k + 1], 1.0)
    };
    Ok(Page::new(figure, sheet, (0..6).map(order).collect()))
}
