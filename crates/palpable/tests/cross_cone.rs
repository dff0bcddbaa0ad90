//! Newton, sweeps and Lemke agree on what is unique: the velocities.

mod common;
mod rig;

use common::Random;
use palpable::solve::cone::pyramid::Printed;
use palpable::solve::cone::{ConeProblem, ConeSettings, Law, Rule, lemke};
use rig::{Rig, clutter, friction, midpoint, tower};

const MIDPOINT: Rule = Rule::Midpoint;

fn newton() -> ConeSettings {
    ConeSettings { sweeps: 0, newton_steps: 40, ..Default::default() }
}

fn sweeps() -> ConeSettings {
    ConeSettings { sweeps: 2000, newton_steps: 0, tolerance: 1e-11, ..Default::default() }
}

fn fastest(rig: &Rig) -> f64 {
    rig.u.iter().fold(0.0f64, |a, u| a.max(u.amax()))
}

/// Largest difference of the bodies' velocities.
fn difference(rig: &Rig, p: &ConeProblem, q: &ConeProblem) -> f64 {
    (0..rig.a.len())
        .flat_map(|g| p.change(g).iter().zip(q.change(g)).map(|(a, b)| (a - b).abs()))
        .fold(0.0, f64::max)
}

#[test]
fn newton_and_sweeps_find_the_same_velocities() {
    let (mut compared, mut all) = (0, 0);
    for seed in 0..300 {
        let mut r = Random(seed);
        let mut rig = match seed % 3 {
            0 => tower(1 + r.below(2), &[1.0, 0.5], 0.4, 0.05),
            _ => {
                let n = 1 + r.below(8);
                clutter(&mut r, n)
            }
        };
        // friction small enough that the solution is unique
        rig.touches.iter_mut().for_each(|t| t.law = friction(r.between(0.0, 0.2)));
        if seed % 2 == 0 {
            midpoint(&mut rig, 0.005, 20.0, &mut r);
        }
        let (mut p, mut q) = (rig.problem(), rig.problem());
        let (a, b) = (p.solve(&newton(), MIDPOINT), q.solve(&sweeps(), MIDPOINT));
        all += 1;
        if a.residual < 1e-10 && b.residual < 1e-10 {
            compared += 1;
            let gap = difference(&rig, &p, &q);
            // residuals of 1e-10 m/s, arms of 0.1 m, and the condition of slipping contacts
            assert!(gap < 1e-7 * fastest(&rig), "seed {seed}: {gap:e}");
        }
    }
    assert!(compared * 10 >= 9 * all, "{compared} of {all}");
}

#[test]
fn lemke_and_the_cone_agree_without_friction() {
    let mut compared = 0;
    for seed in 0..200 {
        let mut r = Random(seed);
        let n = 1 + r.below(10);
        let mut rig = clutter(&mut r, n);
        for (i, touch) in rig.touches.iter_mut().enumerate() {
            touch.law = if i % 2 == 0 { Law::Unilateral } else { friction(0.0) };
        }
        let (mut p, mut q) = (rig.problem(), rig.problem());
        let report = p.solve(&sweeps(), MIDPOINT);
        if q.solve_printed(4, Printed::Elastic).is_ok() && report.residual < 1e-10 {
            compared += 1;
            let gap = difference(&rig, &p, &q);
            assert!(gap < 1e-7 * fastest(&rig), "seed {seed}: {gap:e}");
        }
    }
    assert!(compared > 190, "{compared}");
}

#[test]
fn a_fine_pyramid_comes_close_to_the_cone() {
    for seed in 0..40 {
        let mut r = Random(seed);
        let mut rig = clutter(&mut r, 2);
        rig.touches.iter_mut().for_each(|t| t.law = friction(0.3));
        let (mut p, mut q) = (rig.problem(), rig.problem());
        p.solve(&newton(), MIDPOINT);
        let mut gaps = Vec::new();
        for sides in [8, 32] {
            if q.solve_printed(sides, Printed::Elastic).is_ok() {
                gaps.push(difference(&rig, &p, &q));
            }
        }
        // a direction is missed by π/p at most; friction is a part of the whole change
        if let [_, fine] = gaps[..] {
            assert!(fine < 0.3 * fastest(&rig) * std::f64::consts::PI / 32.0, "{seed}: {gaps:?}");
        }
    }
}

#[test]
fn lemke_solves_what_can_be_solved_and_says_when_not() {
    // w = M z + q with M positive definite
    let z = lemke(&[2.0, 1.0, 1.0, 2.0], &[-5.0, -6.0]).expect("positive definite");
    assert!((z[0] - 4.0 / 3.0).abs() < 1e-14 && (z[1] - 7.0 / 3.0).abs() < 1e-14, "{z:?}");
    assert!(lemke(&[0.0], &[-1.0]).is_err(), "0·z − 1 ≥ 0 has no solution");
    assert!(lemke(&[1.0], &[f64::NAN]).is_err());
}
