//! `[Hasegawa2004, fig. 16]`: a spinning top that falls and rolls to rest.

use super::worlds::{Run, on_floor, run, top};
use crate::experiment::Progress;
use crate::page::Page;
use crate::sheet::Sheet;
use crate::{Check, Experiment, PaperError};
use palpable::{Vec3, VolumeKind, World};
use palpable_record::figure::{Axis, Color, Dash, Figure, Legend, Line, Panel};

/// A top of 100 g, 24 sides, spun at 100 rad/s and leaning by 0.15 rad. Parameters are ours.
pub(crate) const FIG16: Experiment = Experiment {
    id: "hasegawa2004/fig16",
    paper: "Hasegawa2004",
    title: "Spinning top, 100 g, 100 rad/s: how far its axis leans",
    shows: "over a volume the spin is braked, the top falls and comes to rest",
    make,
};

const SECONDS: f64 = 12.0;
/// \[rad/s\]
const SPIN: f64 = 100.0;
const CASES: [(VolumeKind, f64, &str, Color); 3] = [
    (VolumeKind::Hydrostatic, 1e-3, "volume, 1 ms", Color::BLUE),
    (VolumeKind::Hydrostatic, 5e-3, "volume, 5 ms", Color::SKY),
    (VolumeKind::Point, 1e-3, "point, 1 ms", Color::BLACK),
];

fn make(experiment: &Experiment, progress: Progress) -> Result<Page, PaperError> {
    let mut runs = Vec::new();
    for (kind, h, _, _) in CASES {
        let mut world = on_floor(0.3, top(kind, SPIN))?;
        let id = world.body_named("top");
        let lean = |w: &World| {
            let up = id.map_or(Vec3::z(), |id| w.pose(id).rotation * Vec3::z());
            up.z.clamp(-1.0, 1.0).acos()
        };
        runs.push(run(&mut world, (SECONDS, h), lean));
        progress(runs.len() as f64 / 3.0);
    }
    let mut panel = Panel::new(Axis::new("lean of the axis", "rad").fixed(0.0, 1.2));
    for ((_, _, name, color), run) in CASES.iter().zip(&runs) {
        panel = panel.line(Line::new(*name, &run.time, &run.value).color(*color).dash(Dash::Solid));
    }
    let axis = Axis::new("time", "s").fixed(0.0, SECONDS);
    let figure = Figure::new(experiment.title, axis).legend(Legend::Right).size(820.0, 420.0);
    let sheet = Sheet::over_time(&runs[0].time)
        .column("volume.lean", "rad", &runs[0].value)
        .column("point.lean", "rad", &runs[2].value);
    Ok(Page::new(figure.panel(panel), sheet, checks(&runs)))
}

fn checks(runs: &[Run]) -> Vec<Check> {
    let mut checks = Vec::new();
    for ((_, _, name, _), run) in CASES.iter().zip(runs).take(2) {
        let half = run.value.get(run.value.len() / 40).copied().unwrap_or(f64::NAN);
        let end = run.value.last().copied().unwrap_or(f64::NAN);
        checks.push(Check::at_most(format!("{name}: lean after 0.3 s [rad]"), half, 0.4));
        checks.push(Check::at_least(format!("{name}: lean at the end [rad]"), end, 0.8));
        let title = format!("{name}: energy of motion at the end [J]");
        checks.push(Check::at_most(title, run.kinetic, 1e-6));
        checks.push(Check::at_most(format!("{name}: largest rise of energy"), run.rise, 1e-13));
    }
    checks
}
