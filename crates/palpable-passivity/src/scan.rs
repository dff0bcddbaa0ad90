//! Frequency scans for functions without a known bound on their curvature.

use std::f64::consts::PI;

use crate::polynomial::C64;

const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// `count` frequencies in (0, π]: uniform, and logarithmic towards both ends.
pub(crate) fn frequencies(count: usize) -> Vec<f64> {
    let third = count.max(9) / 3;
    let mut angles: Vec<f64> = (1..=third).map(|i| PI * i as f64 / third as f64).collect();
    for i in 0..third {
        let small = 10f64.powf(-4.0 + 4.0 * i as f64 / third as f64);
        angles.push(small);
        angles.push(PI - small * 1e-1);
    }
    angles.sort_by(f64::total_cmp);
    angles
}

/// Smallest value of `f` over sorted `angles`, refined between neighbours, and its place.
pub(crate) fn minimum_on(angles: &[f64], f: impl Fn(f64) -> f64) -> (f64, f64) {
    let values: Vec<f64> = angles.iter().map(|&a| f(a)).collect();
    let mut order: Vec<usize> = (0..angles.len())
        .filter(|&i| {
            (i == 0 || values[i] <= values[i - 1])
                && (i + 1 == angles.len() || values[i] <= values[i + 1])
        })
        .collect();
    order.sort_by(|&i, &j| values[i].total_cmp(&values[j]));
    let mut best = (f64::INFINITY, 0.0);
    for &i in order.iter().take(4) {
        let low = angles[i.saturating_sub(1)];
        let high = angles[(i + 1).min(angles.len() - 1)];
        for candidate in [(values[i], angles[i]), golden(low, high, &f)] {
            if candidate.0 < best.0 {
                best = candidate;
            }
        }
    }
    best
}

/// Largest value of `f` over sorted `angles`, refined between neighbours, and its place.
pub(crate) fn maximum_on(angles: &[f64], f: impl Fn(f64) -> f64) -> (f64, f64) {
    let (value, place) = minimum_on(angles, |a| -f(a));
    (-value, place)
}

/// Golden-section minimum of `f` on `[low, high]`.
fn golden(mut low: f64, mut high: f64, f: &impl Fn(f64) -> f64) -> (f64, f64) {
    let mut x = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
    let mut y = [f(x[0]), f(x[1])];
    for _ in 0..60 {
        if y[0] < y[1] {
            high = x[1];
            x = [high - GOLDEN * (high - low), x[0]];
            y = [f(x[0]), y[0]];
        } else {
            low = x[0];
            x = [x[1], low + GOLDEN * (high - low)];
            y = [y[1], f(x[1])];
        }
    }
    if y[0] < y[1] { (y[0], x[0]) } else { (y[1], x[1]) }
}

/// [`frequencies`] from `start` on, and clusters about the angles of `poles`.
pub(crate) fn frequencies_near(count: usize, poles: &[C64], start: f64) -> Vec<f64> {
    let mut angles = frequencies(count);
    for p in poles {
        let (angle, gap) = (p.arg().abs(), (1.0 - p.norm()).abs());
        angles.extend((-30..=30).map(|i| angle + gap * 0.1 * f64::from(i)));
    }
    angles.retain(|a| (start..=PI).contains(a));
    angles.push(start);
    angles.sort_by(f64::total_cmp);
    angles.dedup();
    angles
}
