//! `[Kim2017, fig. 19]`: what the device that closes the hand of fig. 18 feels.

use super::grasp::{GAIN, RANGE, Run, Trace};
use crate::check::largest;
use crate::experiment::Progress;
use crate::page::Page;
use crate::sheet::Sheet;
use crate::{Check, Experiment, PaperError};
use palpable_record::figure::{Axis, Color, Dash, Figure, Legend, Line, Panel};

/// The printed feedback `f_z = −k_hd (z − z_proj(q))` during the grasp of fig. 18. The gain, 100
/// N/m, the range of ±30 mm and the device are ours.
pub(crate) const FIG19: Experiment = Experiment {
    id: "kim2017/fig19",
    paper: "Kim2017",
    title: "Force at the device that closes the hand around the ball",
    shows: "little is felt while the fingers are free; the ball holds them back, and the device \
            with them",
    make,
};

/// The device rests at its end \[s\].
const HELD: (f64, f64) = (2.0, 2.4);
/// The fingers move and touch nothing \[s\].
const FREE: (f64, f64) = (0.7, 1.0);

fn make(experiment: &Experiment, progress: Progress) -> Result<Page, PaperError> {
    let run = Run::new()?;
    let end = run.duration();
    let trace = run.finish(|now| progress(0.95 * now.time() / end))?;
    Ok(Page::new(figure(experiment.title, &trace, end), sheet(&trace), checks(&trace)))
}

fn figure(title: &str, trace: &Trace, end: f64) -> Figure {
    let t = &trace.time;
    let mm = |values: &[f64]| values.iter().map(|v| 1e3 * v).collect::<Vec<_>>();
    let line = |name: &str, y: &[f64], color, dash| Line::new(name, t, y).color(color).dash(dash);
    let place = Panel::new(Axis::new("device axis", "mm"))
        .line(line("device", &mm(&trace.z), Color::BLACK, Dash::Dashed))
        .line(line("hand, projected", &mm(&trace.projected), Color::BLUE, Dash::Solid));
    let force = Panel::new(Axis::new("force on the user", "N")).line(line(
        "felt",
        &trace.felt,
        Color::VERMILION,
        Dash::Solid,
    ));
    let press = Panel::new(Axis::new("grip", "N").include(0.0)).line(line(
        "sum over contacts of the ball",
        &trace.press,
        Color::GREEN,
        Dash::Solid,
    ));
    Figure::new(title, Axis::new("time", "s").fixed(0.0, end))
        .legend(Legend::Below)
        .size(760.0, 680.0)
        .panel(place)
        .panel(force)
        .panel(press)
}

fn sheet(trace: &Trace) -> Sheet {
    Sheet::over_time(&trace.time)
        .column("z", "m", &trace.z)
        .column("z_proj", "m", &trace.projected)
        .column("f_z", "N", &trace.force)
        .column("felt", "N", &trace.felt)
        .column("press", "N", &trace.press)
}

fn checks(trace: &Trace) -> Vec<Check> {
    let rows = |(from, to): (f64, f64)| {
        (0..trace.time.len()).filter(move |i| (from..to).contains(&trace.time[*i]))
    };
    let law = |i: usize| trace.force[i] + GAIN * (trace.z[i] - trace.projected[i]);
    let off = largest((0..trace.time.len()).map(law));
    let held = rows(HELD).map(|i| trace.felt[i]).fold(f64::MIN, f64::max);
    let free = largest(rows(FREE).map(|i| trace.felt[i]));
    let late = trace.felt.len() * 2 / 3;
    let passed = largest((late..trace.felt.len()).map(|i| trace.felt[i] - trace.force[i]));
    let reach = trace.z.iter().copied().fold(f64::MIN, f64::max);
    vec![
        Check::at_most("force off -k_hd (z - z_proj) [N]", off, 1e-12),
        Check::at_most("safety stage changes the force by [N]", passed, 1e-9),
        Check::at_least(
            "device closes the hand: share of its range",
            (reach - RANGE[0]) / 0.06,
            0.9,
        ),
        Check::at_most("ball in hand: force pushes the device back [N]", held, -0.5),
        Check::at_most("fingers free: largest force / that with the ball", free / held.abs(), 0.6),
        Check::at_most("largest defect of a step / energy in play", trace.defect, 1e-12),
    ]
}
