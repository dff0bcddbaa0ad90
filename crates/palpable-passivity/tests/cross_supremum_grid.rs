//! The bracketed supremum against brute force: a grid must never find a higher point.
//!
//! The grid evaluates `(T/2)(Re H - cot(θ/2) Im H)`, a form the library does not use.

mod common;

use std::f64::consts::PI;

use common::{Dice, khz, long};
use palpable_passivity::{C64, PulseTf, Sampling, required_damping};

/// A random stable transfer function with complex poles up to `1 - gap` from the centre.
fn random_stable(dice: &mut Dice, order: usize, gap: f64) -> PulseTf {
    let mut den = vec![1.0];
    while den.len() <= order {
        let radius = 1.0 - gap - (1.0 - gap) * dice.roll() * dice.roll();
        let pair = if den.len() < order {
            let angle = dice.between(0.0, PI);
            vec![1.0, -2.0 * radius * angle.cos(), radius * radius]
        } else {
            vec![1.0, dice.between(-1.0, 1.0) * radius]
        };
        den = (0..den.len() + pair.len() - 1)
            .map(|k| {
                (0..pair.len())
                    .filter(|j| k >= *j && k - j < den.len())
                    .map(|j| pair[j] * den[k - j])
                    .sum()
            })
            .collect();
    }
    let num: Vec<f64> = (0..=order).map(|_| dice.between(-1000.0, 1000.0)).collect();
    PulseTf::new(&num, &den).unwrap()
}

fn grid_maximum(tf: &PulseTf, sampling: &Sampling, points: usize) -> (f64, f64) {
    let (h, delta) = (sampling.time_step(), sampling.delay_fraction());
    let late = sampling.delay_samples() as i32;
    let mut best = (f64::NEG_INFINITY, 0.0);
    for i in 1..=points {
        let theta = PI * i as f64 / points as f64;
        let w = C64::from_polar(1.0, -theta);
        let response = tf.at(w);
        let g = if late == 0 && delta == 0.0 {
            response
        } else {
            response * w.powi(late) * (C64::new(1.0 - delta, 0.0) + w * delta)
        };
        let twice_p = g.re - g.im / (0.5 * theta).tan();
        let root = (0.25 * twice_p * twice_p + delta * (1.0 - delta) * response.norm_sqr()).sqrt();
        let value = if delta == 0.0 { twice_p } else { 0.5 * twice_p + root };
        if value > best.0 {
            best = (value, theta);
        }
    }
    (0.5 * h * best.0, best.1)
}

/// The grid loses digits near rest: rounding of Im H, about 2e-16 |H|, times cot(θ/2).
fn grid_rounding(tf: &PulseTf, h: f64, theta: f64) -> f64 {
    0.5 * h * 4e-16 * tf.response(theta).norm() / (0.5 * theta).tan().max(1e-9)
}

fn compare(tf: &PulseTf, sampling: &Sampling, points: usize) {
    let need = required_damping(tf, sampling).unwrap();
    let (grid, theta) = grid_maximum(tf, sampling, points);
    let slack = 1e-9 * grid.abs() + grid_rounding(tf, sampling.time_step(), theta);
    assert!(
        need.damping >= grid - slack,
        "{} at {}: grid {grid} at {theta}",
        need.damping,
        need.theta
    );
    assert!(need.upper >= grid - slack && need.upper >= need.damping);
    let width = need.upper - need.damping;
    assert!(width <= 1e-9 * need.damping.abs().max(grid.abs()), "open bracket {width:e}");
}

#[test]
fn the_supremum_is_never_below_a_grid_of_four_million_points() {
    let (count, mut dice) = (if long() { 200 } else { 24 }, Dice(1998));
    for i in 0..count {
        let tf = random_stable(&mut dice, 1 + i % 6, 1e-4);
        compare(&tf, &khz(), 4_000_000);
    }
}

#[test]
fn the_supremum_is_never_below_a_grid_with_delay() {
    let (count, mut dice) = (if long() { 200 } else { 12 }, Dice(7));
    for i in 0..count {
        let sampling = khz().with_delay(i as u32 % 3, dice.roll()).unwrap();
        let tf = random_stable(&mut dice, 1 + i % 5, 1e-3);
        compare(&tf, &sampling, if long() { 4_000_000 } else { 200_000 });
    }
}

#[test]
fn many_random_orders_and_gaps_agree_with_a_coarse_grid() {
    let mut dice = Dice(3);
    for i in 0..if long() { 3000 } else { 300 } {
        let gap = 10f64.powf(dice.between(-5.0, -0.5));
        let tf = random_stable(&mut dice, 1 + i % 9, gap);
        compare(&tf, &khz(), 4000);
    }
}

#[test]
fn a_peak_too_narrow_for_any_grid_is_found() {
    // a resonance of width 1e-6 rad between grid points
    for (angle, gap) in [(1.234_567_89, 1e-6), (0.003, 1e-5), (3.1, 1e-6)] {
        let r: f64 = 1.0 - gap;
        let num = [100.0, -150.0, 40.0];
        let den = [1.0, -2.0 * r * f64::cos(angle), r * r];
        let tf = PulseTf::new(&num, &den).unwrap();
        let need = required_damping(&tf, &khz()).unwrap();
        let near: f64 = (-4000..4000)
            .map(|i| {
                let theta: f64 = angle + gap * f64::from(i) * 1e-3;
                let g = tf.response(theta);
                0.5e-3 * (g.re - g.im / (0.5 * theta).tan())
            })
            .fold(f64::NEG_INFINITY, f64::max);
        // 1e-16 of rounding over a denominator of 1e-6 leaves 1e-10
        assert!(need.damping >= near * (1.0 - 1e-9), "{} < {near}", need.damping);
        assert!(need.damping > 10.0 * need_without_peak(&tf), "the peak dominates");
    }
}

fn need_without_peak(tf: &PulseTf) -> f64 {
    grid_maximum(tf, &khz(), 64).0.abs().min(1.0)
}

#[test]
fn a_demand_at_its_lowest_and_flat_at_every_first_sample_point_is_still_found() {
    // late dampers ask -B cos(128θ)(1 - ½ cos θ): in a trough, almost flat, at all multiples of
    // π/64, where the search begins, and highest far from the highest trough; only the bound on
    // curvature can tell
    let mut late = vec![0.0; 129];
    (late[126], late[127], late[128]) = (-500.0, 2000.0, -500.0);
    let num: Vec<f64> = (0..130)
        .map(|k| late.get(k).copied().unwrap_or(0.0) - if k > 0 { late[k - 1] } else { 0.0 })
        .collect();
    let tf = PulseTf::new(&num, &[1.0]).unwrap();
    let need = required_damping(&tf, &khz()).unwrap();
    let (grid, _) = grid_maximum(&tf, &khz(), 400_000);
    assert!(need.damping > 2.99 && need.damping >= grid * (1.0 - 1e-9), "{}", need.damping);
    assert!(need.upper < need.damping * (1.0 + 1e-10));
}
