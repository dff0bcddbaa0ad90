//! The law of passivity on random worlds of rigid bodies, chains, trees, loops, beams, tendons,
//! gears, motors, stops and dry friction: no more energy is ever stored than was supplied.
//!
//! Parameters are wild: masses over seven decades, stiffnesses from 1e-3 to infinite, steps from
//! 10 µs to 0.1 s.

mod common;

use common::articulated::{Motor, random_articulated, random_drives};
use common::{Random, worlds};
use palpable::{Options, Status};

/// What a set of runs showed at worst.
#[derive(Default)]
struct Worst {
    steps: u64,
    closure: f64,
    excess: f64,
    defects: Vec<f64>,
    fallbacks: u64,
}

fn explore(seed: u64, steps: u32, worst: &mut Worst) {
    let mut r = Random(seed);
    let (mut world, motors): (_, Vec<Motor>) = random_articulated(&mut r, Options::default());
    let mut inputs = world.inputs();
    let initial = world.energy().total();
    let (mut supplied, mut in_play) = (0.0f64, 0.0f64);
    for step in 0..steps {
        random_drives(&mut r, &motors, &mut inputs);
        let report = world.step(r.decades(1e-5, 0.1), &inputs);
        assert_eq!(report.status, Status::Taken, "seed {seed} step {step}");
        let entry = &report.entry;
        supplied += entry.flows.supplied;
        in_play = in_play.max(entry.in_play);
        let excess = (entry.after.total() - initial - supplied) / in_play;
        let closure = entry.closure().abs() / entry.in_play;
        worst.excess = worst.excess.max(excess);
        worst.closure = worst.closure.max(closure);
        worst.defects.push(entry.relative_defect());
        worst.fallbacks += u64::from(report.fallbacks);
        worst.steps += 1;
        assert!(excess <= 1e-12, "seed {seed} step {step}: excess {excess:.1e}");
        assert!(closure <= 1e-9, "seed {seed} step {step}: closure {closure:.1e} {entry:?}");
        assert!(entry.after.tank >= 0.0);
    }
}

#[test]
fn random_worlds_of_mixed_coordinates_never_create_energy() {
    let mut worst = Worst::default();
    for seed in 0..worlds(150, 5000) {
        explore(seed, 40, &mut worst);
    }
    worst.defects.sort_by(f64::total_cmp);
    let n = worst.defects.len();
    println!(
        "{} steps: excess {:.1e}, closure {:.1e}, defect median {:.1e}, p99 {:.1e}, worst {:.1e}, \
         {} fallbacks",
        worst.steps,
        worst.excess,
        worst.closure,
        worst.defects[n / 2],
        worst.defects[n - n / 100 - 1],
        worst.defects[n - 1],
        worst.fallbacks
    );
    assert!(worst.defects[n / 2] <= 1e-12, "{:.1e}", worst.defects[n / 2]);
}
