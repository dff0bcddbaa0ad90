//! `[Hasegawa2004, fig. 20]`: gears that mesh by their teeth, and a cube that brakes them.

use super::led::Led;
use crate::experiment::Progress;
use crate::page::Page;
use crate::sheet::Sheet;
use crate::{Check, Experiment, PaperError};
use palpable_record::figure::{Axis, Color, Dash, Figure, Legend, Line, Panel};

const TEXT: &str = include_str!("../../../../scenes/soft-gears.toml");

/// The scene of the gallery, and the same without the cube. Shapes are ours.
pub(crate) const FIG20: Experiment = Experiment {
    id: "hasegawa2004/fig20",
    paper: "Hasegawa2004",
    title: "Two gears of twelve teeth and a cube: angular velocities",
    shows: "teeth drive a wheel by contact alone, and friction on a cube slows both",
    make,
};

const STEP: f64 = 1e-3;
const SECONDS: f64 = 4.0;

/// What was seen of both wheels.
#[derive(Default)]
struct Run {
    time: Vec<f64>,
    left: Vec<f64>,
    right: Vec<f64>,
    books: Vec<Check>,
}

fn run(with_cube: bool, progress: &mut dyn FnMut(f64)) -> Result<Run, PaperError> {
    let mut led = Led::open(TEXT, "soft-gears.toml")?;
    let (left, right, cube) = (led.body("left")?, led.body("right")?, led.body("cube")?);
    if !with_cube {
        // it falls beside the wheels
        let mut pose = led.world.pose(cube);
        pose.position.x = 1.0;
        led.world.set_pose(cube, pose)?;
    }
    let mut run = Run::default();
    for k in 0..(SECONDS / STEP).round() as u32 {
        led.step(STEP, |_, _| {});
        run.time.push(led.world.time());
        run.left.push(led.world.angular_velocity(left).z);
        run.right.push(led.world.angular_velocity(right).z);
        if k % 256 == 0 {
            progress(f64::from(k) * STEP / SECONDS);
        }
    }
    run.books.extend(led.books());
    Ok(run)
}

fn make(experiment: &Experiment, progress: Progress) -> Result<Page, PaperError> {
    let braked = run(true, &mut |share| progress(0.5 * share))?;
    let free = run(false, &mut |share| progress(0.5 + 0.5 * share))?;
    let line = |name, run: &Run, values: &[f64], c, dash| {
        Line::new(name, &run.time, values).color(c).dash(dash)
    };
    let panel = Panel::new(Axis::new("angular velocity", "rad/s"))
        .line(line("driven", &braked, &braked.right, Color::BLUE, Dash::Solid))
        .line(line("driven by teeth", &braked, &braked.left, Color::VERMILION, Dash::Solid))
        .line(line("driven, no cube", &free, &free.right, Color::SKY, Dash::Dashed))
        .line(line("by teeth, no cube", &free, &free.left, Color::ORANGE, Dash::Dashed));
    let axis = Axis::new("time", "s").fixed(0.0, SECONDS);
    let figure = Figure::new(experiment.title, axis).legend(Legend::Right).size(820.0, 420.0);
    let sheet = Sheet::over_time(&braked.time).column("right.rate", "rad/s", &braked.right).column(
        "left.rate",
        "rad/s",
        &braked.left,
    );
    Ok(Page::new(figure.panel(panel), sheet, checks(&braked, &free)))
}

/// Mean from `from` to `to` \[s\].
fn mean(values: &[f64], from: f64, to: f64) -> f64 {
    let (a, b) = ((from / STEP) as usize, (to / STEP) as usize);
    let part = values.get(a..b.min(values.len())).unwrap_or_default();
    part.iter().sum::<f64>() / part.len().max(1) as f64
}

fn checks(braked: &Run, free: &Run) -> Vec<Check> {
    let ratio = |run: &Run| mean(&run.left, 0.5, SECONDS) / mean(&run.right, 0.5, SECONDS);
    let (fast, slow) = (mean(&free.right, 1.0, SECONDS), mean(&braked.right, 1.0, SECONDS));
    let mut checks = vec![
        // equal numbers of teeth: they turn alike, the other way round
        Check::relative("left over right, no cube", ratio(free), -1.0, 0.05),
        Check::relative("left over right, with the cube", ratio(braked), -1.0, 0.05),
        Check::relative("driven wheel without the cube [rad/s]", fast, -6.0, 0.05),
        Check::at_most("driven wheel with the cube over without", slow / fast, 0.98),
    ];
    checks.extend(braked.books.iter().chain(&free.books).cloned());
    checks
}
