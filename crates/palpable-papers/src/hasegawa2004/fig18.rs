//! `[Hasegawa2004, fig. 18]`: an insect of 27 joints walks, and a finger touches it.

use crate::experiment::Progress;
use crate::page::Page;
use crate::sheet::Sheet;
use crate::{Check, Experiment, PaperError};
use palpable::{PortInput, Rotation, Vec3};
use palpable_record::figure::{Axis, Color, Dash, Figure, Legend, Line, Panel};
use palpable_scene::Scene;

const TEXT: &str = include_str!("../../../../scenes/insect.toml");

/// The scene of the gallery: two joints at each groin, one at each knee and ankle, three at the
/// head.
pub(crate) const FIG18: Experiment = Experiment {
    id: "hasegawa2004/fig18",
    paper: "Hasegawa2004",
    title: "A walking insect of 27 joints, pressed on by a finger from 3 s on",
    shows: "friction between feet and floor moves a body with 27 joints, which a hand can touch",
    make,
};

const STEP: f64 = 1e-3;
const SECONDS: f64 = 5.0;
/// When the finger comes \[s\].
const TOUCH: f64 = 3.0;

fn make(experiment: &Experiment, progress: Progress) -> Result<Page, PaperError> {
    let built = Scene::parse(TEXT, "insect.toml")?.build()?;
    let mut world = built.world();
    let lost = || PaperError::Missing { what: "insect" };
    let thorax = world.body_named("thorax").ok_or_else(lost)?;
    let finger = world.port_named("hand").ok_or_else(lost)?;
    let mut inputs = world.inputs();
    let (mut time, mut x, mut z, mut force) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut defect = 0.0f64;
    for k in 0..(SECONDS / STEP).round() as u32 {
        built.script.inputs(world.time(), &mut inputs);
        // the finger comes down on the back, slowly
        let down = (world.time() - TOUCH).clamp(0.0, 1.0);
        let over = world.pose(thorax).position;
        let height = if down > 0.0 { 0.07 - 0.055 * down } else { 0.1 };
        let position = Vec3::new(over.x, over.y, height);
        inputs.set(finger, PortInput::Reference { position, rotation: Rotation::identity() });
        let report = world.step(STEP, &inputs);
        defect = defect.max(report.entry.relative_defect());
        time.push(world.time());
        x.push(1e3 * world.pose(thorax).position.x);
        z.push(1e3 * world.pose(thorax).position.z);
        force.push(world.port(finger).force.norm());
        if k % 256 == 0 {
            progress(f64::from(k) * STEP / SECONDS);
        }
    }
    let line = |name, values: &[f64], c| Line::new(name, &time, values).color(c).dash(Dash::Solid);
    let way = Panel::new(Axis::new("way of the thorax", "mm")).line(line("x", &x, Color::BLUE));
    let height = Panel::new(Axis::new("its height", "mm")).line(line("z", &z, Color::GREEN));
    let felt =
        Panel::new(Axis::new("force on the finger", "N")).line(line("force", &force, Color::BLACK));
    let axis = Axis::new("time", "s").fixed(0.0, SECONDS);
    let figure = Figure::new(experiment.title, axis).legend(Legend::Right).size(820.0, 720.0);
    let sheet = Sheet::over_time(&time)
        .column("thorax.x", "mm", &x)
        .column("thorax.z", "mm", &z)
        .column("finger.force", "N", &force);
    let at = |values: &[f64], t: f64| values.get((t / STEP) as usize).copied().unwrap_or(f64::NAN);
    let walked = at(&x, TOUCH - 0.01) - at(&x, 1.0);
    let before = force.iter().zip(&time).filter(|(_, t)| (1.0..TOUCH).contains(*t));
    let touched = force.iter().copied().fold(0.0, f64::max);
    let joints = built.model.systems().iter().map(|s| s.law.freedoms()).max().unwrap_or(0);
    let checks = vec![
        Check::new(
            "joints",
            joints as f64 - 6.0,
            crate::Bound::Near { expected: 27.0, tolerance: 0.0 },
        ),
        Check::at_least("way in 2 s [mm]", walked.abs(), 20.0),
        Check::at_least("lowest the thorax comes while walking [mm]", lowest(&z, &time), -15.0),
        Check::at_most(
            "the finger before it touches [N]",
            before.map(|(f, _)| *f).fold(0.0, f64::max),
            0.5,
        ),
        Check::at_least("the finger when it presses [N]", touched, 0.5),
        Check::at_most("largest defect of a step's account", defect, 1e-12),
        Check::at_least("the audit is clean", f64::from(u8::from(world.audit().is_clean())), 1.0),
    ];
    Ok(Page::new(figure.panel(way).panel(height).panel(felt), sheet, checks))
}

fn lowest(z: &[f64], time: &[f64]) -> f64 {
    let walking = z.iter().zip(time).filter(|(_, t)| (0.5..TOUCH).contains(*t));
    walking.map(|(z, _)| *z).fold(f64::INFINITY, f64::min)
}
