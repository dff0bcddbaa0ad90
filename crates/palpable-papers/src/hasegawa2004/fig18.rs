//! `[Hasegawa2004, fig. 18]`: an insect of 27 joints walks, and a finger touches it.

use super::led::Led;
use crate::experiment::Progress;
use crate::page::Page;
use crate::sheet::Sheet;
use crate::{Check, Experiment, PaperError};
use palpable::{PortInput, Rotation, Vec3};
use palpable_record::figure::{Axis, Color, Dash, Figure, Legend, Line, Panel};

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
    let mut led = Led::open(TEXT, "insect.toml")?;
    let (thorax, finger) = (led.body("thorax")?, led.port("hand")?);
    let (mut time, mut x, mut z, mut force) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for k in 0..(SECONDS / STEP).round() as u32 {
        led.step(STEP, |world, inputs| {
            // the finger comes down on the back, slowly
            let down = (world.time() - TOUCH).clamp(0.0, 1.0);
            let over = world.pose(thorax).position;
            let position = Vec3::new(over.x, over.y, 0.1 - 0.085 * down);
            inputs.set(finger, PortInput::Reference { position, rotation: Rotation::identity() });
        });
        let world = &led.world;
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
    // as long as it stays there, the spring of its coupling is pressed
    let pressing = force.iter().zip(&time).filter(|(_, t)| **t > TOUCH + 1.2);
    let pressed = pressing.map(|(f, _)| *f).fold(f64::INFINITY, f64::min);
    let joints = led.built.model.systems().iter().map(|s| s.law.freedoms()).max().unwrap_or(0);
    let mut checks = vec![
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
        Check::at_least("the finger while it presses, at least [N]", pressed, 0.5),
    ];
    checks.extend(led.books());
    Ok(Page::new(figure.panel(way).panel(height).panel(felt), sheet, checks))
}

fn lowest(z: &[f64], time: &[f64]) -> f64 {
    let walking = z.iter().zip(time).filter(|(_, t)| (0.5..TOUCH).contains(*t));
    walking.map(|(z, _)| *z).fold(f64::INFINITY, f64::min)
}
