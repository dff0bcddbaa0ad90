//! Computational delay: the exact demand, beside the rule of thumb `K(T/2 + delay)`.

mod common;

use common::{khz, prints, same, spring_damper};
use palpable_passivity::{damping_at, required_damping};

/// (samples, fraction, demand for B = 0, rule of thumb, demand for B = 2), K = 1000, T = 1 ms.
const TABLE: [(u32, f64, &str, f64, &str); 6] = [
    (0, 0.0, "0.5000000000", 0.5, "2.500000000"),
    (0, 0.1, "0.635410197", 0.6, "2.25000000"),
    (0, 0.25, "0.808012702", 0.75, "1.914213742"),
    (0, 0.5, "1.059016994", 1.0, "2.001570109"),
    (1, 0.0, "1.500000000", 1.5, "2.562500000"),
    (2, 0.0, "2.500000000", 2.5, "2.703424598"),
];

#[test]
fn delayed_springs_and_dampers_ask_the_tabulated_damping() {
    for (samples, fraction, spring, _, damped) in TABLE {
        let sampling = khz().with_delay(samples, fraction).unwrap();
        let need = |b| {
            let tf = spring_damper(1000.0, b, &sampling);
            required_damping(&tf, &sampling).unwrap().damping
        };
        prints(need(0.0), spring);
        prints(need(2.0), damped);
    }
}

#[test]
fn two_samples_of_delay_are_a_cubic_in_the_cosine() {
    // b = -8c³ + 2c² + 7c - 1/2 for K = 1000, B = 2: stationary where 24c² = 4c + 7
    let c: f64 = (4.0 + 688f64.sqrt()) / 48.0;
    let sampling = khz().with_delay(2, 0.0).unwrap();
    let need = required_damping(&spring_damper(1000.0, 2.0, &sampling), &sampling).unwrap();
    same(need.damping, ((-8.0 * c + 2.0) * c + 7.0) * c - 0.5);
}

#[test]
fn the_rule_of_thumb_is_exact_for_whole_samples_and_unsafe_between() {
    for (samples, fraction, spring, rule, _) in TABLE {
        let exact: f64 = spring.parse().unwrap();
        if fraction == 0.0 {
            same(exact, rule);
        } else {
            assert!(exact > rule * 1.05, "{samples} + {fraction}");
        }
    }
}

#[test]
fn a_delayed_spring_follows_its_closed_form() {
    for (samples, fraction) in [(0, 0.3), (1, 0.5), (3, 0.9), (7, 0.01)] {
        let sampling = khz().with_delay(samples, fraction).unwrap();
        let need = required_damping(&spring_damper(1000.0, 0.0, &sampling), &sampling).unwrap();
        let a = 0.5 + sampling.delay_periods();
        same(need.damping, 0.5 * (a + (a * a + fraction * (1.0 - fraction)).sqrt()));
    }
}

#[test]
fn one_sample_of_delay_follows_its_closed_form_on_both_branches() {
    let sampling = khz().with_delay(1, 0.0).unwrap();
    for (k, b) in [(1000.0, 0.1), (1000.0, 0.25), (1000.0, 0.7), (4000.0, 3.0), (400.0, 9.0)] {
        let kt: f64 = k * 1e-3;
        let expected =
            if b >= kt / 4.0 { kt / 2.0 + b + kt * kt / (8.0 * b) } else { 1.5 * kt - b };
        let need = required_damping(&spring_damper(k, b, &sampling), &sampling).unwrap();
        same(need.damping, expected);
    }
}

#[test]
fn at_nyquist_a_fraction_of_delay_scales_the_demand_by_what_is_left() {
    for fraction in [0.1, 0.25, 0.4] {
        let sampling = khz().with_delay(0, fraction).unwrap();
        let tf = spring_damper(1000.0, 2.0, &sampling);
        let at_nyquist = damping_at(&tf, &sampling, std::f64::consts::PI).unwrap();
        same(at_nyquist, 0.5e-3 * 5000.0 * (1.0 - fraction));
    }
}

#[test]
fn a_delay_in_seconds_splits_into_samples_and_fraction() {
    let sampling = khz().with_delay_seconds(0.0023).unwrap();
    assert_eq!(sampling.delay_samples(), 2);
    assert!((sampling.delay_fraction() - 0.3).abs() < 1e-12);
    // 3 ms is three samples, not 2 + 0.999...
    let whole = khz().with_delay_seconds(0.003).unwrap();
    assert_eq!((whole.delay_samples(), whole.delay_fraction()), (3, 0.0));
    assert_eq!(khz().with_delay(0, 1.0).unwrap(), khz().with_delay(1, 0.0).unwrap());
}
