//! `[Hasegawa2004, fig. 14]`: a block pulled by a spring sticks and slips.

use super::worlds::G;
use crate::experiment::Progress;
use crate::page::Page;
use crate::sheet::Sheet;
use crate::{Check, Experiment, PaperError};
use palpable::{Body, Material, Model, Port, PortInput, Rotation, Vec3, Vec6, VolumeLaw, World};
use palpable_record::figure::{Axis, Color, Dash, Figure, Legend, Line, Panel};

/// 1 kg, μ₀ = 0.5, μ = 0.3, pulled by 50 N/m at 0.05 m/s, h = 2 ms. Parameters are ours: the text
/// gives none.
pub(crate) const FIG14: Experiment = Experiment {
    id: "hasegawa2004/fig14",
    paper: "Hasegawa2004",
    title: "Pulled block, 1 kg, μ₀ = 0.5, μ = 0.3, 50 N/m at 50 mm/s, h = 2 ms",
    shows: "the distributed spring holds up to μ₀ N, then the block slips and sticks again",
    make,
};

const PULL: f64 = 50.0;
const SPEED: f64 = 0.05;
const STEP: f64 = 2e-3;
const SHEAR: f64 = 1500.0;
const AREA: f64 = 0.04;

/// Time, place, friction, tension, and whether it slides, once a step.
#[derive(Default)]
struct Pulled {
    time: Vec<f64>,
    place: Vec<f64>,
    friction: Vec<f64>,
    tension: Vec<f64>,
    slips: Vec<bool>,
}

fn pull() -> Result<Pulled, PaperError> {
    let law = VolumeLaw::new(1e6, 3e3).shear(SHEAR / AREA, 15.0 / AREA);
    let material = Material::new(0.3, 0.0).sticky(0.5);
    let mut model = Model::builder();
    model.gravity([0.0, 0.0, -G]).contacts(0);
    model.body(Body::half_space("floor").material(material));
    let sunk = 0.02 - G / (1e6 * AREA);
    let block = Body::cuboid("block", [0.1, 0.1, 0.02]).mass(1.0).position([0.0, 0.0, sunk]);
    let block = model.body(block.material(material.soft(law)));
    let stiffness = Vec6::new(PULL, PULL, PULL, 0.0, 0.0, 0.0);
    let hand = model.port(Port::reference("hand", block.origin(), stiffness, Vec6::zeros()));
    let mut world = World::new(model.build()?);
    let (mut inputs, mut seen) = (world.inputs(), Pulled::default());
    for k in 0..4000 {
        let x = SPEED * STEP * f64::from(k + 1);
        let position = Vec3::new(x, 0.0, world.pose(block).position.z);
        inputs.set(hand, PortInput::Reference { position, rotation: Rotation::identity() });
        let _ = world.step(STEP, &inputs);
        let place = world.pose(block).position.x;
        seen.time.push(world.time());
        seen.place.push(place);
        seen.friction.push(-world.contact_force(block).x);
        seen.tension.push(PULL * (x - place));
        seen.slips.push(world.patches().first().is_some_and(|p| p.slips));
    }
    Ok(seen)
}

fn make(experiment: &Experiment, progress: Progress) -> Result<Page, PaperError> {
    let seen = pull()?;
    progress(1.0);
    let line =
        |name, y: &[f64], color| Line::new(name, &seen.time, y).color(color).dash(Dash::Solid);
    let place =
        Panel::new(Axis::new("position", "m")).line(line("block", &seen.place, Color::BLACK));
    let force = Panel::new(Axis::new("force", "N"))
        .line(line("tension", &seen.tension, Color::SKY))
        .line(line("friction", &seen.friction, Color::VERMILION));
    let axis = Axis::new("time", "s").fixed(0.0, 8.0);
    let figure = Figure::new(experiment.title, axis).legend(Legend::Right).size(820.0, 520.0);
    let sheet = Sheet::over_time(&seen.time)
        .column("position", "m", &seen.place)
        .column("friction", "N", &seen.friction)
        .column("tension", "N", &seen.tension);
    Ok(Page::new(figure.panel(place).panel(force), sheet, checks(&seen)))
}

/// Indices at which it begins to slide, or to stick.
fn turns(seen: &Pulled, slides: bool) -> Vec<usize> {
    (1..seen.slips.len())
        .filter(|&k| seen.slips[k] == slides && seen.slips[k - 1] != slides)
        .collect()
}

fn checks(seen: &Pulled) -> Vec<Check> {
    let (slips, sticks) = (turns(seen, true), turns(seen, false));
    let at = |list: &[usize], i: usize, of: &[f64]| {
        list.get(i).and_then(|&k| of.get(k)).copied().unwrap_or(f64::NAN)
    };
    let (hold, drag) = (0.5 * G, 0.3 * G);
    let first = (hold / PULL + hold / SHEAR) / SPEED;
    let drop = (hold - drag) / PULL;
    let omega = PULL.sqrt();
    let swing = 2.0 * (std::f64::consts::PI - (drop * omega / SPEED).atan()) / omega;
    let slid = at(&sticks, 0, &seen.time) - at(&slips, 0, &seen.time);
    let period = at(&slips, 2, &seen.time) - at(&slips, 1, &seen.time);
    vec![
        Check::relative(
            "first slip [s], (μ₀N/k + μ₀N/k_s)/v",
            at(&slips, 0, &seen.time),
            first,
            0.005,
        ),
        Check::relative(
            "tension at the first slip [N], μ₀N",
            at(&slips, 0, &seen.tension),
            hold,
            0.005,
        ),
        Check::relative(
            "tension when it sticks [N], (2μ − μ₀)N",
            at(&sticks, 0, &seen.tension),
            2.0 * drag - hold,
            0.03,
        ),
        Check::relative("time of a slip [s]", slid, swing, 0.02),
        Check::relative("period [s]", period, 2.092, 0.01),
    ]
}
