//! Encoder steps against friction: two ratios decide between rest, a limit cycle and growth.

use palpable_passivity::{Ending, QuantisedLoop};

const STEP: f64 = 30e-6;

/// K = 1000, T = 1 ms, m = 0.05; damping in units of KT/2, friction in units of KΔ/2.
fn run(damping: f64, friction: f64, start: f64, seconds: f64) -> Ending {
    QuantisedLoop {
        mass: 0.05,
        damping: 0.5 * damping,
        coulomb_friction: 0.015 * friction,
        stiffness: 1000.0,
        encoder_step: STEP,
        time_step: 1e-3,
    }
    .run(start * STEP, seconds)
    .unwrap()
}

#[test]
fn too_little_friction_leaves_a_limit_cycle_of_the_tabulated_size() {
    for (friction, size) in [(0.2, 0.286), (0.8, 0.002_87), (0.95, 0.000_92)] {
        let Ending::LimitCycle(peak) = run(0.8, friction, 1.4, 60.0) else {
            panic!("{friction} ends otherwise")
        };
        // the cycle wanders over windows: 1 % of its size
        assert!((peak / STEP / size - 1.0).abs() < 0.01, "{friction}: {}", peak / STEP);
        assert!(matches!(run(1.2, friction, 1.4, 60.0), Ending::LimitCycle(_)));
    }
}

#[test]
fn enough_friction_sticks_from_a_small_start_whatever_the_damping() {
    for friction in [1.05, 1.2] {
        for damping in [0.8, 1.2] {
            assert_eq!(run(damping, friction, 1.4, 60.0), Ending::Stuck);
        }
    }
}

#[test]
fn too_little_damping_grows_from_a_large_start_whatever_the_friction() {
    for friction in [0.2, 0.8, 0.95, 1.05, 1.2] {
        let Ending::Grows(rate) = run(0.8, friction, 400.0, 6.0) else {
            panic!("{friction} ends otherwise")
        };
        // friction takes a share of a few 1e-3 that falls as the motion grows
        assert!((rate - 0.987).abs() < 5e-3, "{friction}: {rate}");
    }
}

#[test]
fn enough_damping_brings_a_large_start_down_to_what_friction_decides() {
    for friction in [0.2, 0.8, 0.95] {
        assert!(matches!(run(1.2, friction, 400.0, 90.0), Ending::LimitCycle(_)), "{friction}");
    }
    for friction in [1.05, 1.2] {
        assert_eq!(run(1.2, friction, 400.0, 90.0), Ending::Stuck);
    }
}

#[test]
fn a_loop_out_of_range_is_named() {
    let good = QuantisedLoop {
        mass: 0.05,
        damping: 0.5,
        coulomb_friction: 0.0,
        stiffness: 1000.0,
        encoder_step: STEP,
        time_step: 1e-3,
    };
    assert!(QuantisedLoop { mass: 0.0, ..good }.run(0.0, 1.0).is_err());
    assert!(QuantisedLoop { encoder_step: 0.0, ..good }.run(0.0, 1.0).is_err());
    assert!(good.run(f64::NAN, 1.0).is_err());
    assert!(good.run(0.0, -1.0).is_err());
}
