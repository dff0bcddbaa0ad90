//! `[Hasegawa2004, fig. 19]`: a tippe top turns itself upside down.

use super::worlds::{Run, on_floor, run, tippe_top};
use crate::experiment::Progress;
use crate::page::Page;
use crate::sheet::Sheet;
use crate::{Check, Experiment, PaperError};
use palpable::{Vec3, World};
use palpable_record::figure::{Axis, Color, Dash, Figure, Legend, Line, Panel};

/// A ball of 80 mm and 1 kg with its centre of mass 24 mm below, spun at 100 rad/s. Parameters are
/// ours: the text gives none.
pub(crate) const FIG19: Experiment = Experiment {
    id: "hasegawa2004/fig19",
    paper: "Hasegawa2004",
    title: "Tippe top, 1 kg, 100 rad/s, μ = 0.3: height of the centre of mass",
    shows: "sliding friction at the small area of contact lifts the centre of mass",
    make,
};

const SECONDS: f64 = 8.0;
const STEPS: [(f64, &str, Color); 2] =
    [(1e-3, "1 ms", Color::BLUE), (5e-3, "5 ms", Color::VERMILION)];

fn make(experiment: &Experiment, progress: Progress) -> Result<Page, PaperError> {
    let mut runs = Vec::new();
    for (h, _, _) in STEPS {
        let mut world = on_floor(0.3, tippe_top(100.0))?;
        let id = world.body_named("top");
        let height = |w: &World| {
            let pose = id.map(|id| w.pose(id)).unwrap_or_default();
            1e3 * (pose.position + pose.rotation * Vec3::new(0.0, 0.0, -0.024)).z
        };
        runs.push(run(&mut world, (SECONDS, h), height));
        progress(runs.len() as f64 / 2.0);
    }
    let mut panel = Panel::new(Axis::new("height of the centre of mass", "mm").fixed(50.0, 110.0))
        .hline(56.0, "upright")
        .hline(104.0, "upside down");
    for ((_, name, color), run) in STEPS.iter().zip(&runs) {
        panel = panel.line(Line::new(*name, &run.time, &run.value).color(*color).dash(Dash::Solid));
    }
    let axis = Axis::new("time", "s").fixed(0.0, SECONDS);
    let figure = Figure::new(experiment.title, axis).legend(Legend::Right).size(820.0, 420.0);
    let sheet = Sheet::over_time(&runs[0].time).column("height", "mm", &runs[0].value);
    Ok(Page::new(figure.panel(panel), sheet, checks(&runs)))
}

fn checks(runs: &[Run]) -> Vec<Check> {
    let mut checks = Vec::new();
    for ((_, name, _), run) in STEPS.iter().zip(runs) {
        let top = run.value.iter().copied().fold(0.0, f64::max);
        checks.push(Check::at_least(format!("{name}: highest centre of mass [mm]"), top, 102.0));
        checks.push(Check::at_most(format!("{name}: largest rise of energy"), run.rise, 1e-13));
    }
    checks
}
