//! `[Hasegawa2004, fig. 12]`: angular momentum of a cube that falls on a floor.

use super::worlds::{Run, cube, on_floor, run};
use crate::experiment::Progress;
use crate::page::Page;
use crate::sheet::Sheet;
use crate::{Check, Experiment, PaperError};
use palpable::{VolumeKind, World};
use palpable_record::figure::{Axis, Color, Dash, Figure, Legend, Line, Panel};

/// A cube of 2 m and 1 kg, tilted by 0.1 rad, k = 1500 N/m, h = 10 ms.
///
/// The printed damping of 1.5 N·s/m would leave a bounce of 0.94 each time; with 60 the cube
/// stops after landing, as the text says.
pub(crate) const FIG12: Experiment = Experiment {
    id: "hasegawa2004/fig12",
    paper: "Hasegawa2004",
    title: "Falling cube, 2 m, 1 kg, k = 1500 N/m, b = 60 N·s/m, h = 10 ms",
    shows: "over a volume a cube comes to rest, at its deepest point it goes on rocking",
    make,
};

const LAWS: [(VolumeKind, &str, Color); 3] = [
    (VolumeKind::Hydrostatic, "volume", Color::BLUE),
    (VolumeKind::Printed, "printed", Color::VERMILION),
    (VolumeKind::Point, "deepest point", Color::BLACK),
];
const SECONDS: f64 = 10.0;
/// Moment of inertia about any axis \[kg·m²\].
const INERTIA: f64 = 4.0 / 6.0;

fn make(experiment: &Experiment, progress: Progress) -> Result<Page, PaperError> {
    let (mut runs, mut created) = (Vec::new(), Vec::new());
    for (kind, _, _) in LAWS {
        let mut world = on_floor(0.0, cube(kind, 60.0))?;
        let id = world.body_named("cube");
        let spin = |w: &World| id.map_or(f64::NAN, |id| w.angular_velocity(id).norm() * INERTIA);
        runs.push(run(&mut world, (SECONDS, 0.01), spin));
        created.push(world.ledger().totals().created);
        progress(runs.len() as f64 / 3.0);
    }
    let mut panel = Panel::new(Axis::new("|L|", "kg m²/s").log().fixed(1e-6, 10.0));
    let mut sheet = Sheet::over_time(&runs[0].time);
    for ((_, name, color), run) in LAWS.iter().zip(&runs) {
        let shown: Vec<f64> = run.value.iter().map(|l| l.max(NONE)).collect();
        panel = panel.line(Line::new(*name, &run.time, &shown).color(*color).dash(Dash::Solid));
        sheet = sheet.column(&format!("{name}.momentum"), "kg m²/s", &run.value);
    }
    let axis = Axis::new("time", "s").fixed(0.0, SECONDS);
    let figure = Figure::new(experiment.title, axis).legend(Legend::Right).size(820.0, 420.0);
    Ok(Page::new(figure.panel(panel), sheet, checks(&runs, &created)))
}

/// Angular momentum that counts as none: a body that sleeps has exactly none [kg m²/s].
const NONE: f64 = 1e-16;

fn calm(run: &Run, bound: f64) -> f64 {
    let last = run.value.iter().rposition(|l| *l >= bound);
    last.and_then(|k| run.time.get(k + 1)).copied().unwrap_or(f64::INFINITY)
}

fn end(run: &Run) -> f64 {
    run.value.last().copied().unwrap_or(f64::NAN)
}

fn checks(runs: &[Run], created: &[f64]) -> Vec<Check> {
    vec![
        Check::at_most("volume: |L| < 1e-3 from [s]", calm(&runs[0], 1e-3), 2.0),
        Check::at_most("volume: |L| at the end", end(&runs[0]), 1e-9),
        Check::at_most("volume: largest rise of energy, of that in play", runs[0].rise, 1e-13),
        Check::at_most("point: largest rise of energy, of that in play", runs[2].rise, 1e-13),
        Check::at_least(
            "point: |L| at the end over that of the volume",
            end(&runs[2]) / end(&runs[0]).max(NONE),
            1e3,
        ),
        Check::at_least("printed: energy created [J]", created[1], 1e-3),
        Check::at_most("volume: energy created [J]", created[0], 0.0),
    ]
}
