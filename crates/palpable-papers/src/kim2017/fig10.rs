//! `[Kim2017, fig. 10]`: snapshots of two hands that put a peg into a hole.

use super::hands::{Run, Task};
use crate::experiment::Progress;
use crate::page::Page;
use crate::sheet::Sheet;
use crate::{Check, Experiment, PaperError};
use palpable_record::picture::{Camera, Picture, Shot};

/// Two hands of ten links (1 g, `J = m I`, 16 points of 100 N/m each), a peg and a box with holes.
///
/// The paper prints masses, inertia and stiffness of the hands. Layout, peg, box, the springs that
/// lead palm and tips (400 N/m, 2 N·m/rad) and the motion are ours; joints and links have a little
/// damping. The scene is `scenes/peg-two-hands.toml`.
pub(crate) const FIG10: Experiment = Experiment {
    id: "kim2017/fig10",
    paper: "Kim2017",
    title: "Two hands of ten 1 g links put a peg into a hole, h = 1 ms",
    shows: "reach, grasp, lift, carry, insert and release, with every account closed",
    make,
};

/// Times of the snapshots \[s\] and what happens then.
const SHOTS: [(f64, &str); 6] = [
    (0.35, "0.35 s: reach"),
    (1.5, "1.5 s: grasp peg and box"),
    (2.2, "2.2 s: lift"),
    (3.3, "3.3 s: carry over the hole"),
    (4.2, "4.2 s: insert"),
    (6.2, "6.2 s: release and leave"),
];
const CAMERA: Camera =
    Camera { eye: [-0.42, -0.68, 0.50], target: [-0.095, 0.0, 0.075], angle: 0.43 };

fn make(experiment: &Experiment, progress: Progress) -> Result<Page, PaperError> {
    let run = Run::new()?;
    let (end, mut due) = (run.duration(), 0);
    let mut picture = Picture::new(experiment.title, CAMERA, 3).size(360.0, 220.0);
    let task = run.finish(|now| {
        if SHOTS.get(due).is_some_and(|(time, _)| now.time() >= time - 1e-9) {
            let (caption, solids) = (SHOTS[due].1.to_owned(), now.solids());
            let shot = Shot { caption, solids, floor: Some(0.0), ..Default::default() };
            picture = picture.clone().shot(shot);
            due += 1;
            progress(0.95 * now.time() / end);
        }
    });
    Ok(Page::new(picture, sheet(&task), checks(&task)))
}

fn sheet(task: &Task) -> Sheet {
    let axis = |i: usize| task.peg.iter().map(|p| p[i]).collect::<Vec<_>>();
    Sheet::over_time(&task.time)
        .column("peg.x in box", "m", &axis(0))
        .column("peg.y in box", "m", &axis(1))
        .column("peg.z in box", "m", &axis(2))
}

fn checks(task: &Task) -> Vec<Check> {
    let last = task.peg.last().copied().unwrap_or_default();
    let top = task.peg.iter().map(|p| p.z).fold(0.0, f64::max);
    vec![
        Check::at_least("highest the peg was carried above the table [m]", top, 0.12),
        // the plate of the box is 10 mm, half the peg 60 mm
        Check::relative("peg at the end: height in the box [m]", last.z, 0.070, 0.01),
        Check::at_most("peg at the end: off the hole [m]", (last.x + 0.020).hypot(last.y), 8e-4),
        Check::at_most("largest strain of a joint [m]", task.stretch, 0.015),
        Check::at_most("largest defect of a step / energy in play", task.defect, 1e-12),
        Check::at_most("energy that nobody accounts for [J]", task.closure.abs(), 1e-11),
        Check::at_least("audit is clean", f64::from(u8::from(task.is_clean)), 1.0),
    ]
}
