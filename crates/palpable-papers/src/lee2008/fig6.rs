//! `[Lee2008, fig. 6]`: a virtual wall felt through a mass of one gram.

use super::press::{Press, Trace};
use crate::check::largest;
use crate::experiment::Progress;
use crate::page::Page;
use crate::sheet::Sheet;
use crate::{Check, Experiment, PaperError};
use palpable_record::figure::{Axis, Color, Dash, Figure, Legend, Line, Panel};

/// Virtual wall of 30 kN/m through 1 g, updates every 2 ms and in 20 % of the time every 2 to 5 ms.
///
/// The paper gives both couplings, the wall, the mass and the update intervals; hand, device and
/// reservoirs are ours: 0.4 kg in all, an arm of 10 N·s/m and 300 N/m that presses three times;
/// 20 mJ at the device, 0.5 J in the world, where a force ten times that of the hand stores ten
/// times its energy. The device's spring and damper are continuous, as the paper's equation
/// has them; its servo was sampled.
pub(crate) const FIG6: Experiment = Experiment {
    id: "lee2008/fig6",
    paper: "Lee2008",
    title: "Virtual wall of 30 kN/m through 1 g, updates of 2 to 5 ms (PSPM)",
    shows: "a hand presses a mass of 1 g against a stiff wall: stable, the right force, and \
            neither side ever gives more than it got",
    make,
};

const PRESS: Press = Press {
    mass: 0.001,
    wall: (30e3, 28.3),
    device: (500.0, 10.0),
    coupling: (5000.0, 10.0),
    handle_mass: 0.4,
    hand: (10.0, 300.0),
    grant: [0.02, 0.5],
    duration: 10.5,
};
const SEED: u64 = 2008;
/// The last press, settled \[s\].
const HELD: (f64, f64) = (7.5, 9.5);

fn make(experiment: &Experiment, progress: Progress) -> Result<Page, PaperError> {
    let trace = PRESS.run(SEED)?;
    progress(0.8);
    Ok(Page::new(figure(experiment.title, &trace), sheet(&trace), checks(&trace)))
}

fn scaled(values: &[f64], by: f64) -> Vec<f64> {
    values.iter().map(|value| by * value).collect()
}

fn figure(title: &str, trace: &Trace) -> Figure {
    let t = &trace.time;
    let mm = |values: &[f64]| scaled(values, 1e3);
    let position = Panel::new(Axis::new("position", "mm"))
        .line(Line::new("handle", t, &mm(&trace.handle)).color(Color::BLACK).dash(Dash::Dashed))
        .line(Line::new("virtual mass", t, &mm(&trace.mass)).color(Color::BLUE).dash(Dash::Solid))
        .hline(0.0, "wall");
    let felt = scaled(&trace.hand_force, -10.0);
    let force = Panel::new(Axis::new("force", "N"))
        .line(Line::new("in the world", t, &trace.virtual_force).color(Color::BLUE))
        .line(Line::new("at the hand × 10", t, &felt).color(Color::VERMILION).dash(Dash::Dashed));
    let energy = Panel::new(Axis::new("reservoir", "mJ").include(0.0))
        .line(Line::new("device's E₁", t, &mm(&trace.reservoir_device)).color(Color::BLACK))
        .line(Line::new("world's E₂", t, &mm(&trace.reservoir_world)).color(Color::ORANGE));
    Figure::new(title, Axis::new("time", "s").fixed(0.0, PRESS.duration))
        .legend(Legend::Right)
        .size(860.0, 720.0)
        .panel(position)
        .panel(force)
        .panel(energy)
}

fn sheet(trace: &Trace) -> Sheet {
    Sheet::over_time(&trace.time)
        .column("step", "s", &trace.step)
        .column("handle", "m", &trace.handle)
        .column("mass", "m", &trace.mass)
        .column("virtual_force", "N", &trace.virtual_force)
        .column("hand_force", "N", &trace.hand_force)
        .column("reservoir.device", "J", &trace.reservoir_device)
        .column("reservoir.world", "J", &trace.reservoir_world)
        .column("device.extracted", "J", &trace.extracted)
        .column("world.inserted", "J", &trace.inserted)
}

fn checks(trace: &Trace) -> Vec<Check> {
    let held = |column| trace.between(column, HELD.0, HELD.1).collect::<Vec<f64>>();
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let spread = |values: &[f64]| {
        let (low, high) =
            values.iter().fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(*v), h.max(*v)));
        (high - low) / mean(values).abs()
    };
    let top = |values: &[f64]| values.iter().fold(f64::MIN, |a, v| a.max(*v));
    let least = |values: &[f64]| values.iter().fold(f64::MAX, |a, v| a.min(*v));
    let (world, hand, depth) =
        (held(&trace.virtual_force), held(&trace.hand_force), held(&trace.mass));
    let short: f64 = trace.step.iter().filter(|h| **h == 2e-3).sum();
    // at rest the springs carry one force: the arm's 300 N/m from its wish of 30 mm
    let (k, kc, k1, arm) = (PRESS.wall.0, PRESS.coupling.0, PRESS.device.0, PRESS.hand.1);
    let stiffness = k1 / (1.0 + kc / k);
    let statics = stiffness * 0.03 * arm / (arm + stiffness);
    let (force, felt) = (mean(&world), -mean(&hand));
    let reserve = least(&trace.reservoir_device).min(least(&trace.reservoir_world));
    let defect = largest(trace.defect.iter().copied());
    let extracted = top(&trace.extracted) / PRESS.grant[0];
    vec![
        Check::relative("share of time with 2 ms", short / PRESS.duration, 0.8, 0.02),
        Check::relative("held: wall force / hand force", force / felt, kc / k1, 1e-3),
        Check::relative("held: hand force / statics", felt / statics, 1.0, 1e-3),
        Check::relative("held: wall force / (k x depth)", force / (k * mean(&depth)), 1.0, 1e-3),
        Check::at_most("held: spread of the wall force", spread(&world), 1e-2),
        Check::at_most("device: most energy extracted / granted", extracted, 1.0 + 1e-9),
        Check::at_most("world: most energy inserted / granted", worst_insert(trace), 1.0 + 1e-9),
        Check::at_least("least energy in a reservoir [J]", reserve, 0.0),
        Check::at_most("largest defect of a step / energy in play", defect, 1e-9),
        Check::at_least("explicit Euler: largest |x| in 20 steps [m]", PRESS.explicit(20), 1.0),
    ]
}

/// What moving the reference put into the world beyond what its damper took, over the grant: the
/// reservoir's own account, closed from outside.
fn worst_insert(trace: &Trace) -> f64 {
    let mut damped = 0.0;
    let mut worst = f64::MIN;
    let mut before = trace.mass[0];
    for ((inserted, x), h) in trace.inserted.iter().zip(&trace.mass).zip(&trace.step) {
        worst = f64::max(worst, inserted - damped);
        damped += PRESS.coupling.1 * (x - before) * (x - before) / h;
        before = *x;
    }
    worst / PRESS.grant[1]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names of the checks that fail.
    fn failed(press: &Press) -> Vec<String> {
        let checks = checks(&press.run(SEED).unwrap());
        checks.into_iter().filter(|check| !check.pass).map(|check| check.name).collect()
    }

    #[test]
    fn without_damping_and_with_reservoirs_that_never_empty_the_hand_is_fed() {
        let (device, coupling) = ((500.0, 0.0), (5000.0, 0.0));
        let free = Press { grant: [1e3, 1e3], device, coupling, ..PRESS };
        let names = failed(&free);
        assert!(names.iter().any(|name| name.starts_with("device")), "{names:?}");
    }

    #[test]
    fn a_world_that_may_not_spend_shows_the_wrong_force() {
        let names = failed(&Press { grant: [0.02, 1e-4], ..PRESS });
        assert!(names.iter().any(|name| name.contains("hand force")), "{names:?}");
    }
}
