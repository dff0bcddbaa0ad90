//! `[Kim2017, fig. 16]`: the flexible beam felt through a haptic device.

use super::felt_beam::{FeltBeam, STEP, Trace};
use crate::check::largest;
use crate::experiment::Progress;
use crate::page::Page;
use crate::sheet::Sheet;
use crate::{Check, Experiment, PaperError};
use palpable_record::figure::{Axis, Color, Dash, Figure, Legend, Line, Panel};

/// The beam of fig. 13 with its root free in the plane, on a box of 1 g by 10⁵ N/m, on the device
/// by 7500 N/m, forces scaled by 0.001, 1 kHz.
///
/// The paper prints beam, box, both springs, the force law `−K_vc (x_hd,k − x_r,k)` and the scale.
/// It does not print `B_r`, the device's mass and damping, nor what the hand does. Ours: `B_r` is
/// `K_vc T/2`; the device moves 0.2 kg and has exactly the damping that the coupling then asks for,
/// `α K_vc T`; an arm of 0.4 kg, 40 N·s/m and 1000 N/m lifts, lowers, shakes and holds still. No
/// gravity, as in the paper's equation; perfect encoders.
///
/// Beside it the coupling that the analysis of sampled loops recommends: with the box at the end of
/// the step, `−K_vc (x_hd,k − x_r,k+1)`, the loop is passive on a device of half that damping.
pub(crate) const FIG16: Experiment = Experiment {
    id: "kim2017/fig16",
    paper: "Kim2017",
    title: "Flexible beam felt through a coupling of 7500 N/m, forces x 0.001",
    shows: "a simulated hand shakes the beam through a box of 1 g and feels it ring at the \
            frequency of the beam on its springs; no energy is created on either side (B_r, device \
            and hand are not in the paper)",
    make,
};

const BEAM: FeltBeam = FeltBeam {
    stiffness: 7500.0,
    damping: 0.5 * 7500.0 * STEP,
    gamma: 0.0,
    scale: 0.001,
    device_damping: 0.001 * 7500.0 * STEP,
    duration: 8.0,
};
/// `γ = 1`, and the least damping of a device with which that is passive, `α K_vc T/2`.
const RECOMMENDED: FeltBeam =
    FeltBeam { gamma: 1.0, device_damping: 0.5 * BEAM.device_damping, ..BEAM };
/// The safety stage has let go of the force by now \[s\].
const RAMPED: f64 = 0.6;
/// The hand is still, the beam rings \[s\].
const RINGING: (f64, f64) = (6.6, 8.0);

fn make(experiment: &Experiment, progress: Progress) -> Result<Page, PaperError> {
    let trace = BEAM.run()?;
    progress(0.4);
    let recommended = RECOMMENDED.run()?;
    progress(0.8);
    let mut all = checks(&BEAM, &trace);
    for mut check in checks(&RECOMMENDED, &recommended) {
        check.name = format!("recommended coupling: {}", check.name);
        all.push(check);
    }
    let figure = figure(experiment.title, [&trace, &recommended]);
    Ok(Page::new(figure, sheet(&trace, &recommended), all))
}

fn scaled(values: &[f64], by: f64) -> Vec<f64> {
    values.iter().map(|value| by * value).collect()
}

fn figure(title: &str, [trace, recommended]: [&Trace; 2]) -> Figure {
    let t = &trace.time;
    let line = |name: &str, y: &[f64], color, dash| Line::new(name, t, y).color(color).dash(dash);
    let mm = |values: &[f64]| scaled(values, 1e3);
    let position = Panel::new(Axis::new("height", "mm"))
        .line(line("tip of the beam", &mm(&trace.tip), Color::ORANGE, Dash::Solid))
        .line(line("box", &mm(&trace.body), Color::BLUE, Dash::Solid))
        .line(line("device", &mm(&trace.handle), Color::BLACK, Dash::Dashed));
    let force = Panel::new(Axis::new("force on the hand", "mN"))
        .line(line("felt", &mm(&trace.felt), Color::VERMILION, Dash::Solid))
        .line(line("recommended", &mm(&recommended.felt), Color::BLUE, Dash::Dotted));
    let energy = Panel::new(Axis::new("energy", "J").include(0.0))
        .line(line("put in", &trace.supplied, Color::PURPLE, Dash::Dashed))
        .line(line("stored", &trace.stored, Color::GREEN, Dash::Solid))
        .line(line("damped", &trace.damped, Color::BLACK, Dash::DashDot));
    Figure::new(title, Axis::new("time", "s").fixed(0.0, BEAM.duration))
        .legend(Legend::Below)
        .size(760.0, 720.0)
        .panel(position)
        .panel(force)
        .panel(energy)
}

fn sheet(trace: &Trace, recommended: &Trace) -> Sheet {
    Sheet::over_time(&trace.time)
        .column("handle", "m", &trace.handle)
        .column("box", "m", &trace.body)
        .column("tip", "m", &trace.tip)
        .column("coupling_force", "N", &trace.force)
        .column("hand_force", "N", &trace.felt)
        .column("recommended.hand_force", "N", &recommended.felt)
        .column("stored", "J", &trace.stored)
        .column("damped", "J", &trace.damped)
        .column("supplied", "J", &trace.supplied)
        .column("hand.given", "J", &trace.given)
        .column("device.damped", "J", &trace.paid)
}

fn checks(beam: &FeltBeam, trace: &Trace) -> Vec<Check> {
    let top = |values: &[f64]| largest(values.iter().copied());
    let rows = 0..trace.time.len();
    let finite = [&trace.tip, &trace.felt, &trace.stored].map(|list| top(list));
    // −α K (x_hd,k − x_r,k), or x_r,k+1, with the safety stage in between
    let later = usize::from(beam.gamma > 0.0);
    let law = |i: usize| -beam.scale * beam.stiffness * (trace.handle[i] - trace.body[i + later]);
    let from = trace.row(RAMPED);
    let known = from..trace.time.len() - later;
    let off = largest(known.map(|i| trace.felt[i] - law(i))) / top(&trace.felt);
    let early = largest((0..from).map(|i| trace.felt[i]));
    let size = top(&trace.stored);
    let least = |f: &dyn Fn(usize) -> f64| rows.clone().map(f).fold(f64::MAX, f64::min);
    let kept = least(&|i| trace.supplied[i] - trace.stored[i]) / size;
    let closed = rows.clone().map(|i| trace.supplied[i] - trace.stored[i] - trace.damped[i]);
    // what the hand got, and what it could still get from the world at its scale
    let margin =
        least(&|i| trace.paid[i] - trace.given[i] - beam.scale * trace.stored[i]) / beam.scale;
    let (omega, grip) = (ringing(trace), largest(rows.clone().map(|i| trace.handle[i])));
    vec![
        Check::at_most("largest height, force, energy: finite", largest(finite), 1e3),
        Check::at_most("felt force off -a K (x_hd - x_r), relative", off, 1e-12),
        Check::at_most("force before the hand moves [N]", early, 1e-12),
        Check::at_least("largest force in the world [N]", top(&trace.force), 10.0),
        Check::at_least("tip swings beyond the hand, ratio", top(&trace.tip) / grip, 1.2),
        Check::at_least("least of (put in - stored) / largest stored", kept, -1e-12),
        Check::at_most("accounts open / largest stored", largest(closed) / size, 1e-9),
        Check::at_most("largest defect of a step / energy in play", top(&trace.defect), 1e-9),
        Check::at_least("hand: least damped - given - a stored, over a [J]", margin, -1e-12),
        Check::relative("ringing / first frequency", omega / beam.first_frequency(), 1.0, 2e-3),
        Check::at_least("rings down: last swing / first swing", swing_ratio(trace), 0.05),
        Check::at_most("rings down: last swing / first swing", swing_ratio(trace), 1.0),
        Check::at_most("largest motion out of the plane [m]", trace.astray, 1e-12),
    ]
}

/// Angular frequency \[rad/s\] of the felt force while the hand is still, from where it crosses
/// zero; the midpoint rule's own shift is taken back.
fn ringing(trace: &Trace) -> f64 {
    let rows = trace.row(RINGING.0)..trace.row(RINGING.1);
    let (time, felt) = (&trace.time[rows.clone()], &trace.felt[rows]);
    let mut zeros = felt.windows(2).zip(time).filter(|(pair, _)| pair[0] <= 0.0 && pair[1] > 0.0);
    let at = |(pair, t): (&[f64], &f64)| t + STEP * pair[0] / (pair[0] - pair[1]);
    let count = zeros.clone().count();
    let (Some(first), Some(last)) = (zeros.next(), zeros.next_back()) else { return f64::NAN };
    let omega = std::f64::consts::TAU * (count - 1) as f64 / (at(last) - at(first));
    2.0 / STEP * (0.5 * omega * STEP).tan()
}

/// Largest force in the last fifth of a second of the ringing, over that in the first.
fn swing_ratio(trace: &Trace) -> f64 {
    let swing =
        |from: f64| largest(trace.felt[trace.row(from)..trace.row(from + 0.2)].iter().copied());
    swing(RINGING.1 - 0.2) / swing(RINGING.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names of the checks of the figure that fail for `beam`.
    fn failed(beam: &FeltBeam) -> Vec<String> {
        let checks = checks(&BEAM, &beam.run().unwrap());
        checks.into_iter().filter(|check| !check.pass).map(|check| check.name).collect()
    }

    #[test]
    fn a_motor_that_pushes_along_feeds_the_hand() {
        let names = failed(&FeltBeam { scale: -BEAM.scale, ..BEAM });
        assert!(names.iter().any(|name| name.starts_with("hand: least")), "{names:?}");
        assert!(names.iter().any(|name| name.starts_with("felt force")), "{names:?}");
    }

    #[test]
    fn the_recommended_coupling_needs_the_end_of_the_step_on_a_device_of_half_the_damping() {
        let checks = |beam: &FeltBeam| checks(beam, &beam.run().unwrap());
        assert!(checks(&RECOMMENDED).iter().all(|check| check.pass));
        // its force law is not that of the printed coupling
        let names = failed(&RECOMMENDED);
        assert!(names.iter().any(|name| name.starts_with("felt force")), "{names:?}");
        let other = FeltBeam { gamma: 1.0, ..BEAM };
        let printed = FeltBeam { gamma: 0.0, ..RECOMMENDED };
        let margin = |beam: &FeltBeam| {
            let found =
                checks(beam).into_iter().find(|check| check.name.starts_with("hand: least"));
            found.map(|check| check.value)
        };
        println!("margins: {:?} {:?}", margin(&other), margin(&printed));
    }

    #[test]
    fn other_springs_and_dampers_ring_otherwise() {
        let names = failed(&FeltBeam { stiffness: 7000.0, ..BEAM });
        assert!(names.iter().any(|name| name.starts_with("ringing")), "{names:?}");
        let names = failed(&FeltBeam { damping: 100.0, ..BEAM });
        assert!(names.iter().any(|name| name.starts_with("rings down")), "{names:?}");
    }
}
