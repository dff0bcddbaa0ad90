//! `[Hasegawa2004, fig. 10]`: time of a step against the number of blocks.

use super::worlds::G;
use crate::experiment::Progress;
use crate::page::Page;
use crate::sheet::Sheet;
use crate::{Check, Experiment, PaperError};
use palpable::{Body, Inputs, Material, Model, VolumeKind, VolumeLaw, World};
use palpable_haptics::rt::thread_time;
use palpable_record::figure::{Axis, Color, Dash, Figure, Legend, Line, Marker, Panel};

/// Pyramids of blocks of 1 x 1 x 2 m and 1 kg at 5 ms, as in the text; sleep is off, so that blocks
/// at rest cost what they cost. The peers' engines are measured by `scripts/peers`.
pub(crate) const FIG10: Experiment = Experiment {
    id: "hasegawa2004/fig10",
    paper: "Hasegawa2004",
    title: "Time of a step on a processor against the number of blocks, h = 5 ms",
    shows: "contact over a volume beside points and complementarity: what a block costs",
    make,
};

const LAWS: [(Option<VolumeKind>, &str, Color); 3] = [
    (Some(VolumeKind::Hydrostatic), "volume", Color::BLUE),
    (Some(VolumeKind::Point), "deepest point", Color::BLACK),
    (None, "cones, complementarity", Color::VERMILION),
];
/// Blocks in the lowest row.
const ROWS: [u32; 6] = [2, 3, 4, 6, 9, 13];
const STEP: f64 = 5e-3;

fn pyramid(kind: Option<VolumeKind>, row: u32) -> Result<World, PaperError> {
    let law = |kind| match kind {
        VolumeKind::Hydrostatic => VolumeLaw::new(120e3, 4e3),
        VolumeKind::Point | VolumeKind::Printed => VolumeLaw::new(120e3, 4e3).kind(kind),
    };
    let plain = Material::new(0.5, 0.0);
    let material = kind.map_or(plain, |kind| plain.soft(law(kind)));
    let mut model = Model::builder();
    model.gravity([0.0, 0.0, -G]).contacts(16 * (row * row) as usize);
    model.body(Body::half_space("floor").material(plain));
    for level in 0..row {
        for k in 0..row - level {
            let x = 2.05 * (f64::from(k) - 0.5 * f64::from(row - level - 1));
            let block = Body::cuboid(format!("{level}-{k}"), [1.0, 0.5, 0.5]).mass(1.0);
            model.body(block.position([x, 0.0, f64::from(level) + 0.5]).material(material));
        }
    }
    let options =
        palpable::Options { sleeping: palpable::Sleeping::NEVER, ..palpable::Options::default() };
    Ok(World::with_options(model.build()?, options)?)
}

/// What one pyramid did.
struct Run {
    blocks: f64,
    contacts: f64,
    /// Least time of a step over a few batches \[µs\].
    cpu: f64,
    /// How far the topmost block is from where it began \[m\].
    moved: f64,
    rise: f64,
}

fn measure(mut world: World) -> Run {
    let inputs = Inputs::none();
    let blocks = world.model().bodies().len() - 1;
    let top = palpable::BodyId::from_index(blocks);
    let start = world.pose(top).position;
    let (mut cpu, mut rise, mut last) = (f64::INFINITY, 0.0f64, world.energy().total());
    for _ in 0..10 {
        let before = thread_time();
        for _ in 0..40 {
            let report = world.step(STEP, &inputs);
            let now = world.energy().total();
            let rounding = 4e-15 * (now.abs() + world.energy().gravity.abs());
            rise = rise.max((now - last - rounding) / report.entry.in_play.max(1e-300));
            last = now;
        }
        cpu = cpu.min(1e6 * thread_time().saturating_sub(before).as_secs_f64() / 40.0);
    }
    let contacts = world.patches().len().max(world.contacts().len()) as f64;
    let moved = (world.pose(top).position - start).xy().norm();
    Run { blocks: blocks as f64, contacts, cpu, moved, rise }
}

fn make(experiment: &Experiment, progress: Progress) -> Result<Page, PaperError> {
    let (mut all, mut done) = (Vec::new(), 0.0);
    for (kind, _, _) in LAWS {
        let mut runs = Vec::new();
        for row in ROWS {
            runs.push(measure(pyramid(kind, row)?));
            done += 1.0;
            progress(done / 18.0);
        }
        all.push(runs);
    }
    let of = |k: usize, f: fn(&Run) -> f64| all[k].iter().map(f).collect::<Vec<f64>>();
    let blocks = of(0, |r| r.blocks);
    let mut panel = Panel::new(Axis::new("time of a step", "µs").log());
    let mut sheet = Sheet::default().column("blocks", "", &blocks);
    for (k, (_, name, color)) in LAWS.iter().enumerate() {
        let line = Line::new(*name, &blocks, &of(k, |r| r.cpu)).color(*color);
        panel = panel.line(line.dash(Dash::Solid).marker(Marker::Disc));
        sheet = sheet.column(&format!("{name}.contacts"), "", &of(k, |r| r.contacts));
    }
    let axis = Axis::new("blocks", "").log().fixed(2.0, 100.0);
    let figure = Figure::new(experiment.title, axis).legend(Legend::Right).size(820.0, 420.0);
    Ok(Page::new(figure.panel(panel), sheet, checks(&all)))
}

/// Growth of `b` against `a` from the third pyramid to the last, as an exponent.
fn exponent(runs: &[Run], a: fn(&Run) -> f64, b: fn(&Run) -> f64) -> f64 {
    match (runs.get(2), runs.last()) {
        (Some(x), Some(y)) => (b(y) / b(x)).ln() / (a(y) / a(x)).ln(),
        _ => f64::NAN,
    }
}

fn checks(all: &[Vec<Run>]) -> Vec<Check> {
    let mut checks = Vec::new();
    let volume = &all[0];
    let contacts = exponent(volume, |r| r.blocks, |r| r.contacts);
    checks.push(Check::at_most("volume: contacts grow with blocks to the power", contacts, 1.1));
    // blocks that all press on each other are one system of equations: a plane of contacts takes
    // the power 1.5 to eliminate, piles apart from each other the power 1; the rest is room
    let cpu = exponent(volume, |r| r.contacts, |r| r.cpu);
    checks.push(Check::at_most("volume: time grows with contacts to the power", cpu, 1.8));
    for (runs, (_, name, _)) in all.iter().zip(LAWS) {
        let moved = runs.iter().map(|r| r.moved).fold(0.0, f64::max);
        let rise = runs.iter().map(|r| r.rise).fold(0.0, f64::max);
        if name != "deepest point" {
            checks.push(Check::at_most(format!("{name}: the top moved [m]"), moved, 0.02));
        }
        checks.push(Check::at_most(format!("{name}: largest rise of energy"), rise, 1e-13));
    }
    checks
}
