//! `[Kim2017, fig. 12]`: snapshots of the undamped beam.

use super::beam::{START, STEP, Vibration, shape};
use crate::check::largest;
use crate::experiment::Progress;
use crate::page::Page;
use crate::sheet::Sheet;
use crate::{Check, Experiment, PaperError};
use palpable_record::figure::Color;
use palpable_record::picture::{Camera, Picture, Shot, Solid};

/// The run of fig. 13, seen. Deflections are drawn ten times as large.
pub(crate) const FIG12: Experiment = Experiment {
    id: "kim2017/fig12",
    paper: "Kim2017",
    title: "Undamped flexible beam, clamped, h = 1 ms; deflection drawn 10 times as large",
    shows: "the aluminium beam swings through in its three modes and comes back to where it was",
    make,
};

/// Pieces that the beam is drawn with.
const PIECES: usize = 40;
const MAGNIFIED: f64 = 10.0;
const LENGTH: f64 = 0.907;
const CAMERA: Camera = Camera { eye: [0.2, -1.5, 0.62], target: [0.45, 0.0, 0.0], angle: 0.50 };
/// Steps between snapshots: an eighth of the first period, 84 ms.
const EVERY: usize = 10;

fn make(experiment: &Experiment, _: Progress) -> Result<Page, PaperError> {
    let seen = Vibration::passive()?;
    let mut picture = Picture::new(experiment.title, CAMERA, 3).size(330.0, 190.0);
    for i in 0..9 {
        let n = i * EVERY;
        let caption = format!("{} ms", n);
        let shot =
            Shot { caption, solids: solids(&seen, n), floor: Some(-0.25), ..Default::default() };
        picture = picture.shot(shot);
    }
    Ok(Page::new(picture, sheet(&seen), checks(&seen)))
}

/// Height of the beam at `x` from its root \[m\].
fn height(seen: &Vibration, n: usize, x: f64) -> f64 {
    (0..3).map(|mode| shape(mode, x) * seen.modes[mode][n]).sum()
}

fn solids(seen: &Vibration, n: usize) -> Vec<Solid> {
    let wall = [-0.03, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    let mut all = vec![Solid::cuboid(&wall, [0.06, 0.16, 0.5], Color::new(0x9a, 0xa3, 0xad))];
    let at = |i: usize| {
        let x = LENGTH * i as f64 / PIECES as f64;
        [x, MAGNIFIED * height(seen, n, x)]
    };
    for i in 0..PIECES {
        let ([x0, z0], [x1, z1]) = (at(i), at(i + 1));
        // a turn against y lifts x
        let (s, c) = (-0.5 * (z1 - z0).atan2(x1 - x0)).sin_cos();
        let place = [0.5 * (x0 + x1), 0.0, 0.5 * (z0 + z1), 0.0, s, 0.0, c];
        let size = [1.02 * (x1 - x0).hypot(z1 - z0), 0.05, 0.012];
        all.push(Solid::cuboid(&place, size, Color::new(0xc6, 0xcf, 0xd8)).smooth());
    }
    all
}

fn sheet(seen: &Vibration) -> Sheet {
    let tip: Vec<f64> = (0..seen.time.len()).map(|n| height(seen, n, LENGTH)).collect();
    Sheet::over_time(&seen.time).column("tip", "m", &tip)
}

fn checks(seen: &Vibration) -> Vec<Check> {
    let total = seen.total();
    let stray = largest(total.iter().map(|e| e / total[0] - 1.0));
    // modes are measured at the tip, up to their sign
    let tip: f64 = (0..3).map(|mode| shape(mode, LENGTH) * START[mode]).sum();
    let root = largest((0..=80).map(|n| height(seen, n, 0.0)));
    // the midpoint rule turns a mode by 2 atan(ωh/2) a step
    let exact = |n: usize| -> f64 {
        let turn = |i: usize| 2.0 * (0.5 * STEP * seen.omega[i]).atan() * n as f64;
        (0..3).map(|i| shape(i, LENGTH) * START[i] * turn(i).cos()).sum()
    };
    let off = largest((0..=80).map(|n| height(seen, n, LENGTH) - exact(n)));
    let low = (0..=80).map(|n| height(seen, n, LENGTH)).fold(f64::MAX, f64::min);
    vec![
        Check::at_most("largest |E/E0 - 1|", stray, 1e-12),
        Check::at_most("root: largest height [m]", root, 1e-12),
        Check::at_least("tip at the start [m]", tip.abs(), 0.005),
        Check::at_most("tip: largest distance from the exact modes [m]", off, 1e-10),
        Check::at_most("tip swings through to the other side: lowest / start", low / tip, -0.5),
    ]
}
