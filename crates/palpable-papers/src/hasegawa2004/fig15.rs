//! `[Hasegawa2004, fig. 15]`: time of a step while two devices move two shovels directly.

use super::fig17;
use super::shovels::{Way, quantile, run};
use crate::experiment::Progress;
use crate::page::Page;
use crate::sheet::Sheet;
use crate::{Check, Experiment, PaperError};
use palpable_record::figure::{Axis, Color, Dash, Figure, Legend, Line, Panel};

/// Two shovels are where two simulated devices of six freedoms are, at 1 kHz, and send contact
/// forces back, without couplings `[Hasegawa2004, sec. 3.2]`. The paper needs up to 2.8 ms.
pub(crate) const FIG15: Experiment = Experiment {
    id: "hasegawa2004/fig15",
    paper: "Hasegawa2004",
    title: "Direct manipulation by two devices of six freedoms, six blocks: time of a step",
    shows: "two devices move two bodies directly, and steps stay far below a millisecond",
    make,
};

fn make(experiment: &Experiment, progress: Progress) -> Result<Page, PaperError> {
    let task = run(Way::Direct, &mut *progress)?;
    let line = |name, values: &[f64], color| {
        Line::new(name, &task.time, values).color(color).dash(Dash::Solid)
    };
    let times = Panel::new(Axis::new("time of a step on a processor", "µs").include(0.0))
        .line(line("step", &task.cpu, Color::BLUE));
    let areas = Panel::new(Axis::new("areas that press", "").include(0.0)).line(line(
        "areas",
        &task.areas,
        Color::GREEN,
    ));
    let forces = Panel::new(Axis::new("force on a hand", "N").include(0.0))
        .line(line("left", &task.forces[0], Color::BLUE))
        .line(line("right", &task.forces[1], Color::VERMILION).dash(Dash::Dashed));
    let axis = Axis::new("time", "s").fixed(0.0, 6.0);
    let figure = Figure::new(experiment.title, axis).legend(Legend::Right).size(820.0, 720.0);
    let sheet = Sheet::over_time(&task.time)
        .column("areas", "", &task.areas)
        .column("left.force", "N", &task.forces[0])
        .column("right.force", "N", &task.forces[1]);
    let mut checks = fig17::checks(&task);
    // thread time with room: a page fault or a busy neighbour is not the engine's
    let slow = quantile(&task.cpu, 0.99);
    checks.push(Check::at_most("99 % of all steps take on a processor [µs]", slow, 1000.0));
    let most = task.areas.iter().copied().fold(0.0, f64::max);
    checks.push(Check::at_least("areas that press at once", most, 8.0));
    checks.push(Check::at_most("areas that press at once, at most", most, 32.0));
    Ok(Page::new(figure.panel(times).panel(areas).panel(forces), sheet, checks))
}
