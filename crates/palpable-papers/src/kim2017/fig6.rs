//! `[Kim2017, fig. 6 to 8]`: energy and height of a box that falls on a floor.

use super::drop::{Falling, Run, Touching};
use crate::check::largest;
use crate::experiment::Progress;
use crate::page::Page;
use crate::sheet::Sheet;
use crate::{Check, Experiment, PaperError};
use palpable_record::figure::{Axis, Color, Figure, Legend, Line, Panel};

const STEP: f64 = 1e-3;
const STEPS: u32 = 6000;
const FRICTION: f64 = 0.3;
/// Energy at the start \[J\].
const START: f64 = 6.0714;
/// The box lies flat: `m g · 0.05 m`.
const FLAT: f64 = 9.81 * 0.05;

/// The law on `V̂`: elastic along the normal, energy lost by slip only.
pub(crate) const FIG6: Experiment = Experiment {
    id: "kim2017/fig6",
    paper: "Kim2017",
    title: "Box on a floor, PMI-LCP (34) on the midpoint velocity, μ = 0.3, h = 1 ms",
    shows: "the law on the midpoint velocity bounces and loses energy in slip only",
    make: |experiment, progress| draw(experiment, progress, Touching::Elastic, elastic),
};

/// Symplectic Euler: the same fall ends dead.
pub(crate) const FIG7: Experiment = Experiment {
    id: "kim2017/fig7",
    paper: "Kim2017",
    title: "Box on a floor, symplectic Euler, μ = 0.3, h = 1 ms",
    shows: "symplectic Euler can only collide plastically",
    make: |experiment, progress| draw(experiment, progress, Touching::Symplectic, symplectic),
};

/// The law on `V_{k+1}`: plastic, and not passive.
pub(crate) const FIG8: Experiment = Experiment {
    id: "kim2017/fig8",
    paper: "Kim2017",
    title: "Box on a floor, PMI-LCP (34) on the velocity at the end, μ = 0.3, h = 1 ms",
    shows: "the law on the velocity at the end is plastic, and without friction it creates energy",
    make: |experiment, progress| draw(experiment, progress, Touching::Plastic, plastic),
};

fn draw(
    experiment: &Experiment,
    progress: Progress,
    touching: Touching,
    checks: fn(&Run) -> Result<Vec<Check>, PaperError>,
) -> Result<Page, PaperError> {
    let run = Falling::new(touching, FRICTION).fall(STEP, STEPS)?;
    progress(0.5);
    let mut found = vec![Check::relative("energy at the start [J]", run.energy[0], START, 1e-5)];
    found.extend(checks(&run)?);
    let sheet = Sheet::over_time(&run.time).column("height", "m", &run.height);
    let sheet = sheet.column("energy", "J", &run.energy);
    Ok(Page::new(figure(experiment.title, &run), sheet, found))
}

fn figure(title: &str, run: &Run) -> Figure {
    let energy = Line::new("energy", &run.time, &run.energy).color(Color::BLUE);
    let height = Line::new("height", &run.time, &run.height).color(Color::GREEN);
    Figure::new(title, Axis::new("time", "s").fixed(0.0, 6.0))
        .legend(Legend::Right)
        .panel(Panel::new(Axis::new("energy", "J").fixed(0.0, 7.0)).line(energy))
        .panel(Panel::new(Axis::new("height of the centre", "m").fixed(0.0, 0.7)).line(height))
}

fn elastic(run: &Run) -> Result<Vec<Check>, PaperError> {
    let rise = run.changes(true).fold(f64::MIN, f64::max);
    let slippery = Falling::new(Touching::Elastic, 0.0);
    let [fine, coarse] = [(STEP, STEPS), (10.0 * STEP, STEPS / 10)]
        .map(|(h, steps)| slippery.clone().fall(h, steps).map(|run| run.drift()));
    Ok(vec![
        Check::at_most("largest |ΔE| of a step in flight [J]", largest(run.changes(false)), 1e-13),
        // exact but for the rounding of a sum of 6 J
        Check::at_most("largest rise of a step in contact [J]", rise, 1e-13),
        // thousands of steps, each good to the rounding of 6 J
        Check::at_most("μ = 0, 1 ms: largest |E − E0| [J]", fine?, 1e-12 * START),
        Check::at_most("μ = 0, 10 ms: largest |E − E0| [J]", coarse?, 1e-12 * START),
        // found late: as deep as a corner of some 3 m/s falls in a step
        Check::at_most("deepest corner [m]", run.depth, 5.0 * STEP),
        Check::at_least("lost in slips [J]", START - run.last_energy(), 1.0),
        Check::at_least("highest after 0.5 s [m]", run.highest_after(0.5), 0.15),
    ])
}

fn symplectic(run: &Run) -> Result<Vec<Check>, PaperError> {
    // v loses g h before x moves: ΔE = −½ m g² h² in every step of flight, but for the spin's share
    let first = run.energy[1] - run.energy[0];
    Ok(vec![
        Check::relative("ΔE of the first step [J]", first, -0.5 * (9.81 * STEP).powi(2), 0.05),
        Check::at_most("highest after 1.5 s [m]", run.highest_after(1.5), 0.12),
        Check::at_most("energy at the end [J]", run.last_energy(), FLAT + 1e-3),
    ])
}

fn plastic(run: &Run) -> Result<Vec<Check>, PaperError> {
    let slippery = Falling::new(Touching::Plastic, 0.0);
    let [fine, coarse] = [(STEP, STEPS), (10.0 * STEP, STEPS / 10)].map(|(h, steps)| {
        let run = slippery.clone().fall(h, steps);
        run.map(|run| run.changes(true).fold(f64::MIN, f64::max))
    });
    Ok(vec![
        Check::at_most("largest |ΔE| of a step in flight [J]", largest(run.changes(false)), 1e-13),
        Check::at_most("highest after 1.5 s [m]", run.highest_after(1.5), 0.12),
        Check::at_most("energy at the end [J]", run.last_energy(), FLAT + 1e-3),
        // not passive: an independent run rose by 1.4e-6 and 7.9e-4 J
        Check::relative("μ = 0, 1 ms: largest rise of a step [J]", fine?, 1.4e-6, 0.1),
        Check::relative("μ = 0, 10 ms: largest rise of a step [J]", coarse?, 7.9e-4, 0.1),
    ])
}
