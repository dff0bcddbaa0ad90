//! `[Kim2017, fig. 18]`: snapshots of a power grip by a tendon-driven hand.

use super::grasp::{LIFTED, Run, SHAKEN, Trace};
use crate::check::largest;
use crate::experiment::Progress;
use crate::page::Page;
use crate::sheet::Sheet;
use crate::{Check, Experiment, PaperError};
use palpable_record::picture::{Camera, Picture, Shot};

/// Three fingers of three joints on a free palm, 1 g a link, 6 active tendons of 100 N/m and 12
/// passive ones of 10 N/m, closed by one axis of a simulated device through the printed map.
///
/// The paper prints stiffness, masses and the map. Pulleys, lengths, dampers of the joints, ball,
/// arm and device are ours. The scene is `scenes/grasp-ball.toml`.
pub(crate) const FIG18: Experiment = Experiment {
    id: "kim2017/fig18",
    paper: "Kim2017",
    title: "A tendon-driven hand grasps a ball, led by one axis of a device, h = 1 ms",
    shows: "nine joints on six motors wrap around the ball; it is lifted and shaken with 2 m/s²",
    make,
};

/// Times of the snapshots \[s\] and what happens then.
const SHOTS: [(f64, &str); 6] = [
    (0.1, "0.1 s: open"),
    (1.2, "1.2 s: closing"),
    (1.35, "1.35 s: touching"),
    (1.6, "1.6 s: wrapped"),
    (2.4, "2.4 s: lifted"),
    (3.2, "3.2 s: shaken"),
];
const CAMERA: Camera = Camera { eye: [0.30, -0.52, 0.30], target: [0.0, 0.0, 0.115], angle: 0.42 };

fn make(experiment: &Experiment, progress: Progress) -> Result<Page, PaperError> {
    let run = Run::new()?;
    let (end, mut due) = (run.duration(), 0);
    let mut shots = Vec::new();
    let trace = run.finish(|now| {
        if SHOTS.get(due).is_some_and(|(time, _)| now.time() >= time - 1e-9) {
            let (caption, solids) = (SHOTS[due].1.to_owned(), now.solids());
            shots.push(Shot { caption, solids, floor: Some(0.0), ..Default::default() });
            due += 1;
            progress(0.95 * now.time() / end);
        }
    })?;
    let picture = Picture::new(experiment.title, CAMERA, 3).size(300.0, 280.0);
    let picture = shots.into_iter().fold(picture, Picture::shot);
    Ok(Page::new(picture, sheet(&trace), checks(&trace)))
}

fn sheet(trace: &Trace) -> Sheet {
    let axis = |i: usize| trace.ball.iter().map(|p| p[i]).collect::<Vec<_>>();
    Sheet::over_time(&trace.time)
        .column("ball.x from palm", "m", &axis(0))
        .column("ball.y from palm", "m", &axis(1))
        .column("ball.z from palm", "m", &axis(2))
        .column("press", "N", &trace.press)
}

fn checks(trace: &Trace) -> Vec<Check> {
    let row = |t: f64| trace.time.partition_point(|time| *time < t).min(trace.time.len() - 1);
    let (from, to) = (row(LIFTED), row(SHAKEN));
    let slip = largest((from..to).map(|i| (trace.ball[i] - trace.ball[from]).norm()));
    let least = (from..to).map(|i| trace.touching[i]).min().unwrap_or(0);
    vec![
        Check::at_most("lifted and shaken: ball moves in the hand [m]", slip, 2e-3),
        Check::at_least("lifted and shaken: points that hold the ball", least as f64, 4.0),
        Check::at_most("largest defect of a step / energy in play", trace.defect, 1e-12),
        Check::at_most("energy that nobody accounts for [J]", trace.closure.abs(), 1e-11),
        Check::at_least("audit is clean", f64::from(u8::from(trace.is_clean)), 1.0),
    ]
}
