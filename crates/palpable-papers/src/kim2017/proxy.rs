//! A haptic proxy of 1 g on 1000 N/m, dragged into a wall and along it, by six laws of contact.

use super::proxy_laws::{Law, Run, hand, simulate};
use crate::experiment::Progress;
use crate::page::Page;
use crate::sheet::Sheet;
use crate::{Check, Experiment, PaperError};
use palpable_record::figure::{Axis, Color, Dash, Figure, Legend, Line, Panel};

/// The printed laws against the two-phase step, at a step that does not resolve the coupling.
pub(crate) const PROXY: Experiment = Experiment {
    id: "kim2017/proxy",
    paper: "Kim2017",
    title: "Proxy of 1 g on 1000 N/m at a wall, μ = 0.5, h = 3 ms",
    shows: "the printed plastic law gains energy without bound; the two-phase step stays out",
    make,
};

/// Part of the run that is drawn \[s\].
const DRAWN: f64 = 1.5;
/// A run that leaves this height is drawn no further \[m\].
const SEEN: f64 = 0.05;

const LAWS: [(Law, &str, &str); 6] = [
    (Law::Elastic, "printed, on V̂", "elastic"),
    (Law::Plastic, "printed, plastic", "plastic"),
    (Law::Clamped, "clamped, e = 0", "clamped"),
    (Law::Shifted, "clamped, shifted", "shifted"),
    (Law::TwoPhase, "two phases, no gaps", "two_phase"),
    (Law::Engine, "two phases", "engine"),
];

fn make(experiment: &Experiment, progress: Progress) -> Result<Page, PaperError> {
    let (mut fine, mut coarse) = (Vec::new(), Vec::new());
    for (n, (law, ..)) in LAWS.into_iter().enumerate() {
        fine.push(simulate(law, 1e-3)?);
        coarse.push(simulate(law, 3e-3)?);
        progress((n + 1) as f64 / 7.0);
    }
    let mut sheet = Sheet::over_time(&coarse[5].time);
    for ((_, _, name), run) in LAWS.iter().zip(&coarse) {
        sheet = sheet.column(&format!("{name}.height"), "m", &run.height);
        sheet = sheet.column(&format!("{name}.gained"), "J", &run.gained);
    }
    let checks = checks(&fine, &coarse);
    Ok(Page::new(figure(experiment.title, &coarse), sheet, checks))
}

/// By the order of `LAWS`. The path of the hand is ours, so the reference's sizes are bounds here.
fn checks(fine: &[Run], coarse: &[Run]) -> Vec<Check> {
    let mut out = Vec::new();
    for (h, runs) in [("1 ms", fine), ("3 ms", coarse)] {
        for k in [0, 2, 4, 5] {
            let name = format!("{}, {h}: gained [J]", LAWS[k].1);
            out.push(Check::at_most(name, runs[k].total(), 1e-12));
        }
        for (k, least) in [(1, if h == "1 ms" { 1e-6 } else { 1e3 }), (3, 1e-6)] {
            let name = format!("{}, {h}: gained [J]", LAWS[k].1);
            out.push(Check::at_least(name, runs[k].total(), least));
        }
        // late detection lets each of them in
        for k in [0, 2, 4] {
            let name = format!("{}, {h}: deepest [m]", LAWS[k].1);
            out.push(Check::at_least(name, runs[k].depth(), 1e-4));
        }
        let name = format!("{}, {h}: deepest [m]", LAWS[5].1);
        out.push(Check::at_most(name, runs[5].depth(), 1e-6));
    }
    out
}

fn figure(title: &str, runs: &[Run]) -> Figure {
    let styles = [
        (Color::ORANGE, Dash::Dashed),
        (Color::VERMILION, Dash::DashDot),
        (Color::GREEN, Dash::LongDash),
        (Color::PURPLE, Dash::Dotted),
        (Color::SKY, Dash::Dashed),
        (Color::BLUE, Dash::Solid),
    ];
    let time = &runs[5].time;
    let goal: Vec<f64> = time.iter().map(|t| 1e3 * hand(*t).z).collect();
    let goal = Line::new("hand", time, &goal).color(Color::BLACK).dash(Dash::Dotted);
    let mut height =
        Panel::new(Axis::new("height over the wall", "mm").fixed(-30.0, 20.0)).line(goal);
    let mut gained = Panel::new(Axis::new("gained by contact", "J").log().fixed(1e-18, 1e7));
    for (((_, name, _), run), (color, dash)) in LAWS.iter().zip(runs).zip(styles) {
        let seen = run.height.iter().take_while(|z| z.abs() < SEEN);
        let millimetres: Vec<f64> = seen.map(|z| 1e3 * z).collect();
        let work: Vec<f64> = run.gained.iter().map(|w| w.max(1e-18)).collect();
        let line = |values: &[f64]| {
            Line::new(*name, &run.time[..values.len()], values).color(color).dash(dash)
        };
        height = height.line(line(&millimetres));
        gained = gained.line(line(&work));
    }
    let axis = Axis::new("time", "s").fixed(0.0, DRAWN);
    Figure::new(title, axis).legend(Legend::Right).panel(height).panel(gained)
}
