//! Comparison with printed numbers.
#![allow(dead_code)]

use palpable_passivity::{PulseTf, Sampling};

/// The 1 kHz loop of most tables.
pub fn khz() -> Sampling {
    Sampling::new(1e-3).unwrap()
}

/// Asserts that `value`, rounded, gives the printed digits: half a unit of the last place, plus
/// rounding of the value itself.
#[track_caller]
pub fn prints(value: f64, printed: &str) {
    let expected: f64 = printed.parse().unwrap();
    let mantissa = printed.split(['e', 'E']).next().unwrap();
    let exponent: i32 = printed.split(['e', 'E']).nth(1).map_or(0, |e| e.parse().unwrap());
    let decimals = mantissa.split('.').nth(1).map_or(0, |d| d.len() as i32);
    // 0.51: the printed digits may themselves be rounded at a tie
    let tolerance = 0.51 * 10f64.powi(exponent - decimals) + 1e-13 * expected.abs();
    assert!((value - expected).abs() <= tolerance, "{value:.15e} does not print as {printed}");
}

/// Asserts equality up to accumulated rounding of a short computation.
#[track_caller]
pub fn same(value: f64, expected: f64) {
    // a few hundred roundings of 1.1e-16, and 1e-11 from the bracket of a supremum
    let tolerance = 2e-11 * expected.abs().max(1e-12);
    assert!((value - expected).abs() <= tolerance, "{value:.17e} is not {expected:.17e}");
}

/// A backward-difference spring and damper at the given loop.
pub fn spring_damper(stiffness: f64, damping: f64, sampling: &Sampling) -> PulseTf {
    palpable_passivity::Wall::backward_difference(stiffness, damping)
        .transfer_function(sampling)
        .unwrap()
}

/// A small reproducible generator of numbers in [0, 1).
pub struct Dice(pub u64);

impl Dice {
    /// The next number in [0, 1).
    pub fn roll(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// The next number in [low, high).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.roll()
    }
}

/// Whether the long versions of tests were asked for.
pub fn long() -> bool {
    std::env::var_os("PALPABLE_LONG").is_some()
}
