//! `[Kim2017, fig. 9]`: a two-link arm with joint springs; energy and symplectic area.

use super::lagrange::Stepped;
use super::style::{curve, heading, label};
use crate::check::largest;
use crate::experiment::Progress;
use crate::page::Page;
use crate::sheet::Sheet;
use crate::{Check, Experiment, PaperError};
use palpable::{Chain, Inputs, Link, Mat3, Model, Rotation, Scheme, Spring, SystemId, Vec3, World};
use palpable_record::figure::{Axis, Figure, Legend, Panel};

/// Two rods of 1 kg and 1 m turning in a plane, springs of 10 and 5 N·m/rad, `h = 10 ms`, 3 s.
///
/// The paper gives no numbers; these are ours. The area is that of `[Kim2017, (42)]`, of the two
/// directions p₁ and q₁ at the start, carried along by differences of neighbouring runs.
pub(crate) const FIG9: Experiment = Experiment {
    id: "kim2017/fig9",
    paper: "Kim2017",
    title: "Two-link arm with joint springs, h = 10 ms: energy and oriented area",
    shows: "symplectic Euler keeps the area and lets the energy swing; the passive midpoint keeps \
            the energy to rounding and the area nearly",
    make,
};

const STEP: f64 = 1e-2;
const STEPS: usize = 300;
const STIFFNESS: [f64; 2] = [10.0, 5.0];
const START: ([f64; 2], [f64; 2]) = ([1.0, -0.5], [2.0, -3.0]);
/// Distance of neighbouring runs, in units of p and q.
const NEAR: f64 = 1e-5;
const SCHEMES: [Scheme; 2] = [Scheme::SymplecticEuler, Scheme::PassiveMidpoint];

/// A point of phase space.
type Phase = ([f64; 2], [f64; 2]);

/// Energy and area of a scheme at every step, over those of the start.
struct Run {
    scheme: Scheme,
    energy: Vec<f64>,
    area: Vec<f64>,
}

fn make(experiment: &Experiment, progress: Progress) -> Result<Page, PaperError> {
    let mut runs = Vec::new();
    for (i, scheme) in SCHEMES.into_iter().enumerate() {
        progress(i as f64 / SCHEMES.len() as f64);
        runs.push(compare(scheme)?);
    }
    let time: Vec<f64> = (0..=STEPS).map(|n| n as f64 * STEP).collect();
    Ok(Page::new(figure(experiment.title, &time, &runs), sheet(&time, &runs), checks(&runs)))
}

/// The arm at coordinates and rates.
fn arm((q, w): (&[f64; 2], &[f64; 2])) -> Result<(World, SystemId), PaperError> {
    let inertia = Mat3::from_diagonal(&Vec3::new(2e-4, 1.0 / 12.0, 1.0 / 12.0));
    let link = |name: &str| Link::revolute(name).inertia(1.0, [0.5, 0.0, 0.0], inertia);
    let mut chain = Chain::new("arm");
    let upper = chain.link(link("upper").start(q[0], w[0]));
    let lower = link("lower").on(upper).at([1.0, 0.0, 0.0], Rotation::identity());
    chain.link(lower.start(q[1], w[1]));
    let mut model = Model::ghosts();
    let id = model.chain(chain);
    for (i, k) in STIFFNESS.into_iter().enumerate() {
        model.spring(Spring::coordinate(id, i).stiffness(k));
    }
    Ok((World::new(model.build()?), id))
}

/// The arm as a system to be stepped by hand, at coordinates and momenta.
fn by_hand((p, q): &Phase) -> Result<Stepped, PaperError> {
    let (world, _) = arm((q, &[0.0; 2]))?;
    let law = world.model().systems()[0].law.clone();
    let mut made = Stepped::new(law, &STIFFNESS, (q, &[0.0; 2]));
    made.p = p.to_vec();
    Ok(made)
}

/// Phase and energy \[J\] at every step of a run.
fn run(scheme: Scheme, start: &Phase) -> Result<Vec<(Phase, f64)>, PaperError> {
    let mut by_hand = by_hand(start)?;
    let w = pair(&by_hand.rates());
    let (mut world, id) = arm((&start.1, &w))?;
    let mut states = Vec::new();
    for n in 0..=STEPS {
        if scheme == Scheme::PassiveMidpoint {
            let mut w = [0.0; 2];
            world.coordinate_rates(id, &mut w);
            let law = world.model().systems()[0].law.clone();
            let seen = Stepped::new(law, &STIFFNESS, (world.coordinates(id), &w));
            states.push(((pair(&seen.p), pair(&seen.q)), world.energy().total()));
            let _ = world.step(STEP, &Inputs::none());
        } else {
            if n > 0 {
                by_hand.symplectic_euler(STEP);
            }
            let energy = by_hand.energy().iter().sum();
            states.push(((pair(&by_hand.p), pair(&by_hand.q)), energy));
        }
    }
    Ok(states)
}

fn pair(values: &[f64]) -> [f64; 2] {
    [values[0], values[1]]
}

fn compare(scheme: Scheme) -> Result<Run, PaperError> {
    let (world, _) = arm((&START.0, &START.1))?;
    let law = world.model().systems()[0].law.clone();
    let start = Stepped::new(law, &STIFFNESS, (&START.0, &START.1));
    let middle = (pair(&start.p), pair(&start.q));
    let shifted = |p: f64, q: f64| {
        let ([p1, p2], [q1, q2]) = middle;
        run(scheme, &([p1 + p, p2], [q1 + q, q2]))
    };
    let states = shifted(0.0, 0.0)?;
    let along_p = [shifted(NEAR, 0.0)?, shifted(-NEAR, 0.0)?];
    let along_q = [shifted(0.0, NEAR)?, shifted(0.0, -NEAR)?];
    let initial = states[0].1;
    let area = (0..=STEPS).map(|n| {
        let rate = |[ahead, behind]: &[Vec<(Phase, f64)>; 2], i: usize| {
            let of = |a: [f64; 2], b: [f64; 2]| (a[i] - b[i]) / (2.0 * NEAR);
            let ((pa, qa), (pb, qb)) = (ahead[n].0, behind[n].0);
            (of(pa, pb), of(qa, qb))
        };
        // [Kim2017, (42)]: Σ ζ₁ᵖ ζ₂^q − ζ₁^q ζ₂ᵖ
        let one = |i: usize| {
            let ((p1, q1), (p2, q2)) = (rate(&along_p, i), rate(&along_q, i));
            p1 * q2 - q1 * p2
        };
        one(0) + one(1)
    });
    let area = area.collect();
    let energy = states.iter().map(|(_, e)| e / initial).collect();
    Ok(Run { scheme, energy, area })
}

fn figure(title: &str, time: &[f64], runs: &[Run]) -> Figure {
    let panel = |label: &str, of: fn(&Run) -> &Vec<f64>| {
        let panel = Panel::new(Axis::new(label, ""));
        runs.iter().fold(panel, |panel, run| panel.line(curve(run.scheme, time, of(run))))
    };
    Figure::new(title, Axis::new("time", "s"))
        .legend(Legend::Below)
        .size(720.0, 560.0)
        .panel(panel("energy E/E₀", |run| &run.energy))
        .panel(panel("oriented area / first", |run| &run.area))
}

fn sheet(time: &[f64], runs: &[Run]) -> Sheet {
    runs.iter().fold(Sheet::over_time(time), |sheet, run| {
        let name = heading(run.scheme);
        let sheet = sheet.column(&format!("{name}.E/E0"), "", &run.energy);
        sheet.column(&format!("{name}.area"), "", &run.area)
    })
}

/// Each scheme keeps one of the two, and not the other.
fn checks(runs: &[Run]) -> Vec<Check> {
    let stray = |values: &[f64]| largest(values.iter().map(|v| v - 1.0));
    let mut checks = Vec::new();
    for run in runs {
        let name = |what: &str| format!("{}: largest |{what} - 1|", label(run.scheme));
        let (energy, area) = (stray(&run.energy), stray(&run.area));
        checks.extend(match run.scheme {
            Scheme::PassiveMidpoint => [
                Check::at_most(name("E/E0"), energy, 1e-12),
                Check::at_least(name("area"), area, 1e-4),
            ],
            _ => [
                Check::at_least(name("E/E0"), energy, 1e-3),
                // differences of runs 1e-5 apart leave 1e-8
                Check::at_most(name("area"), area, 1e-6),
            ],
        });
    }
    checks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_check_fails_when_the_schemes_change_places() {
        let [a, b] = SCHEMES.map(|scheme| compare(scheme).unwrap());
        let swapped = [Run { scheme: b.scheme, ..a }, Run { scheme: SCHEMES[0], ..b }];
        assert!(checks(&swapped).iter().all(|check| !check.pass));
    }
}
