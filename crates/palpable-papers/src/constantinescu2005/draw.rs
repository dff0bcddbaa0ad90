//! Trajectories and forces of several runs beside each other.

use super::peg::Run;
use crate::sheet::Sheet;
use palpable::Vec3;
use palpable_record::figure::{Axis, Color, Dash, Figure, Legend, Line, Panel};

/// A run with its name and looks.
pub(super) type Shown<'a> = (&'a str, Color, Dash, &'a Run);

/// From the first contact on for so long \[s\].
const WINDOW: [f64; 2] = [0.3, 0.9];

fn column(values: &[Vec3], axis: usize, scale: f64) -> Vec<f64> {
    values.iter().map(|v| scale * v[axis]).collect()
}

/// Positions of the hand over time, and its path in the corner.
pub(super) fn trajectories(title: &str, runs: &[Shown]) -> (Figure, Sheet) {
    let axis = |name: &str, low: f64, high: f64| Axis::new(name, "mm").fixed(low, high);
    let time = || Axis::new("time", "s").fixed(WINDOW[0], WINDOW[1]);
    let mut x = Panel::new(axis("hand x", 8.0, 12.0)).x(time()).title("along x");
    let mut y = Panel::new(axis("hand y", -8.0, -3.0)).x(time()).title("along y");
    let mut path = Panel::new(axis("hand y", -8.0, -3.0)).x(axis("hand x", 8.0, 12.0));
    path = path.title("path in the corner");
    let mut sheet = Sheet::over_time(runs.first().map_or(&[], |(_, _, _, run)| &run.time));
    for (name, color, dash, run) in runs {
        let (a, b) = (column(&run.hand, 0, 1e3), column(&run.hand, 1, 1e3));
        let line =
            |name: &str, x: &[f64], y: &[f64]| Line::new(name, x, y).color(*color).dash(*dash);
        x = x.line(line(name, &run.time, &a));
        y = y.line(line(name, &run.time, &b));
        path = path.line(line(name, &a, &b));
        sheet = sheet.column(&format!("{name}.x"), "mm", &a).column(&format!("{name}.y"), "mm", &b);
    }
    // where a rigid corner holds the peg
    x = x.hline(10.5, "rigid wall");
    y = y.hline(-5.25, "rigid wall");
    let figure = Figure::new(title, time()).legend(Legend::Below).size(1100.0, 420.0).columns(3);
    (figure.panel(x).panel(y).panel(path), sheet)
}

/// Forces and torques on the hand over time.
pub(super) fn forces(title: &str, runs: &[Shown]) -> (Figure, Sheet) {
    let time = || Axis::new("time", "s").fixed(WINDOW[0], WINDOW[1]);
    let names = [("force along x", "N"), ("force along y", "N"), ("torque", "N m")];
    let mut panels = names.map(|(name, unit)| {
        Panel::new(Axis::new(name, unit).include(0.1).include(-0.1)).x(time()).title(name)
    });
    let mut sheet = Sheet::over_time(runs.first().map_or(&[], |(_, _, _, run)| &run.time));
    for (name, color, dash, run) in runs {
        for (axis, panel) in panels.iter_mut().enumerate() {
            let values = column(&run.force, axis, 1.0);
            let line = Line::new(*name, &run.time, &values).color(*color).dash(*dash);
            *panel = std::mem::replace(panel, Panel::new(Axis::new("", ""))).line(line);
            let unit = names[axis].1;
            sheet = sheet.column(&format!("{name}.f{axis}"), unit, &values);
        }
    }
    let figure = Figure::new(title, time()).legend(Legend::Below).size(1100.0, 420.0).columns(3);
    (panels.into_iter().fold(figure, Figure::panel), sheet)
}
