//! `[Kim2017, fig. 11]`: forces at the finger tips during the task of fig. 10.

use super::hands::{Run, STEP, TIPS, Task, curve_color};
use crate::check::largest;
use crate::experiment::Progress;
use crate::page::Page;
use crate::sheet::Sheet;
use crate::{Check, Experiment, PaperError};
use palpable_record::figure::{Axis, Figure, Legend, Line, Panel};

/// The forces on the tips of fig. 10 in their own axes, z along the normal into the pad, after the
/// low-pass of 10 ms that stands for `H_filter`, whose form the paper does not print.
pub(crate) const FIG11: Experiment = Experiment {
    id: "kim2017/fig11",
    paper: "Kim2017",
    title: "Force at the finger tips in the axes of the pad, z into it, low-pass of 10 ms",
    shows: "pads feel the grip, the weight of the peg, and the hole; nothing before and after",
    make,
};

/// The hands hold their objects \[s\]: the peg is carried, still.
const CARRIED: (f64, f64) = (2.6, 3.3);

fn make(experiment: &Experiment, progress: Progress) -> Result<Page, PaperError> {
    let run = Run::new()?;
    let end = run.duration();
    let task = run.finish(|now| progress(0.95 * now.time() / end));
    Ok(Page::new(figure(experiment.title, &task, end), sheet(&task), checks(&task)?))
}

fn part(task: &Task, tip: usize, axis: usize) -> Vec<f64> {
    task.felt.iter().map(|row| row[tip][axis]).collect()
}

fn figure(title: &str, task: &Task, end: f64) -> Figure {
    let mut figure = Figure::new(title, Axis::new("time", "s").fixed(0.0, end))
        .legend(Legend::Below)
        .size(860.0, 760.0);
    for (axis, caption) in ["x", "y", "z"].iter().enumerate() {
        let name = format!("right hand, {caption}");
        let mut panel = Panel::new(Axis::new(name, "N"));
        for (i, tip) in TIPS.iter().enumerate().filter(|(_, tip)| tip.starts_with("right")) {
            let name = tip.trim_start_matches("right ").trim_end_matches(" far");
            let line = Line::new(name, &task.time, &part(task, i, axis));
            panel = panel.line(line.color(curve_color(tip)));
        }
        figure = figure.panel(panel);
    }
    let mut panel = Panel::new(Axis::new("left hand, z", "N"));
    for (i, tip) in TIPS.iter().enumerate().filter(|(_, tip)| tip.starts_with("left")) {
        let line = Line::new("", &task.time, &part(task, i, 2));
        panel = panel.line(line.color(curve_color(tip)));
    }
    figure.panel(panel)
}

fn sheet(task: &Task) -> Sheet {
    let mut sheet = Sheet::over_time(&task.time);
    for (i, tip) in TIPS.iter().enumerate() {
        for (axis, letter) in ["x", "y", "z"].iter().enumerate() {
            sheet = sheet.column(&format!("{tip}.{letter}"), "N", &part(task, i, axis));
        }
    }
    sheet
}

/// Mean over a span of time \[s\] of what `f` gives for each row.
fn mean(task: &Task, (from, to): (f64, f64), f: impl Fn(usize) -> f64) -> f64 {
    let rows: Vec<usize> =
        (0..task.time.len()).filter(|i| (from..to).contains(&task.time[*i])).collect();
    rows.iter().map(|i| f(*i)).sum::<f64>() / rows.len() as f64
}

fn checks(task: &Task) -> Result<Vec<Check>, PaperError> {
    let missing = |what| PaperError::Missing { what };
    let of = |name| TIPS.iter().position(|tip| *tip == name).ok_or_else(|| missing(name));
    let thumb = of("right thumb far")?;
    let fingers = [of("right index far")?, of("right middle far")?, of("right ring far")?];
    let press = mean(task, CARRIED, |i| task.felt[i][thumb].z);
    let against = mean(task, CARRIED, |i| fingers.iter().map(|f| task.felt[i][*f].z).sum());
    // the pads' y is up on the right hand: together they carry the peg
    let weight = mean(task, CARRIED, |i| {
        [fingers[0], fingers[1], fingers[2], thumb].iter().map(|f| -task.felt[i][*f].y).sum()
    });
    let early = (0..task.time.len()).filter(|i| task.time[*i] < 1.0);
    let late = (0..task.time.len()).filter(|i| task.time[*i] > 5.6);
    let idle = largest(early.chain(late).flat_map(|i| task.felt[i].map(|f| f.norm())));
    let peak = |rows: &[[palpable::Vec3; 7]]| largest(rows.iter().flatten().map(|f| f.norm()));
    let jump = |rows: &[[palpable::Vec3; 7]]| {
        largest(
            rows.windows(2).flat_map(|w| [0, 1, 2, 3, 4, 5, 6].map(|i| (w[1][i] - w[0][i]).norm())),
        )
    };
    Ok(vec![
        Check::relative(
            "carried: fingers press as the thumb does, ratio",
            against / press,
            1.0,
            0.02,
        ),
        Check::at_least("carried: thumb presses [N]", press, 1.0),
        Check::relative("carried: pads hold the weight of 50 g [N]", weight, 0.05 * 9.81, 0.02),
        Check::at_most("before and after the task: largest force [N]", idle, 1e-2),
        Check::at_most(
            "filter: largest force / largest before it",
            peak(&task.felt) / peak(&task.raw),
            1.0,
        ),
        // a first-order low-pass moves by at most h/τ of twice its largest input in a step
        Check::at_most(
            "filter: largest jump [N]",
            jump(&task.felt),
            2.0 * STEP / 0.010 * peak(&task.raw),
        ),
        Check::at_most("largest defect of a step / energy in play", task.defect, 1e-12),
    ])
}
