//! The largest demand over all frequencies, with proof that no peak was missed.

use std::f64::consts::PI;

use crate::profile::Profile;

const FIRST_ARCS: usize = 32;
/// Two-sided relative tolerance of the bracket.
const TOLERANCE: f64 = 1e-11;
/// Arcs examined before giving up on the upper bound (never reached in practice).
const MAX_ARCS: usize = 200_000;
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// The largest value of a function of frequency, bracketed from both sides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Supremum {
    /// The largest value found; attained at `theta`.
    pub value: f64,
    /// A value that is exceeded nowhere.
    pub upper: f64,
    /// Where the largest value was found [rad per sample].
    pub theta: f64,
    /// Number of arcs examined.
    pub arcs: usize,
}

/// Branch and bound over `θ ∈ [0, π]`; values are `2b/T`.
///
/// # Equation
/// An arc of half width r about θ is dropped once `f + r|f'| + ½ r² max|f''|` does not exceed
/// the best value found by more than the tolerance; otherwise it is halved. The curvature bound
/// comes from the poles' distance to the arc, so arcs shrink exactly where peaks can hide.
/// # Guarantee
/// `value <= sup f <= upper` up to rounding, with `upper - value` below 1e-11 of the largest
/// value unless 200 000 arcs did not suffice; then `upper` says how far the proof reached.
/// # Differs from the source
/// `[Brown1998, sec. 7.1]` reads suprema off a plot.
pub(crate) fn supremum(profile: &Profile) -> Supremum {
    let mut search = Search::start(profile);
    for i in 0..FIRST_ARCS {
        let radius = 0.5 * PI / FIRST_ARCS as f64;
        search.examine((2 * i + 1) as f64 * radius, radius);
    }
    search.polish();
    let (value, theta) = search.best;
    let slack = search.slack();
    Supremum { value, upper: (value + slack).max(search.open), theta, arcs: search.arcs }
}

struct Search<'a> {
    profile: &'a Profile,
    best: (f64, f64),
    scale: f64,
    open: f64,
    arcs: usize,
}

impl<'a> Search<'a> {
    /// Samples endpoints, a coarse grid and the poles' angles, and climbs the best one.
    fn start(profile: &'a Profile) -> Self {
        let mut search = Self {
            profile,
            best: (f64::NEG_INFINITY, 0.0),
            scale: 0.0,
            open: f64::NEG_INFINITY,
            arcs: 0,
        };
        let grid = (0..=FIRST_ARCS).map(|i| PI * i as f64 / FIRST_ARCS as f64);
        let angles = profile.poles.iter().map(|p| p.arg().abs());
        for theta in grid.chain(angles) {
            search.try_point(theta);
        }
        let width = profile
            .poles
            .iter()
            .map(|p| (1.0 - p.norm()).abs() + (p.arg().abs() - search.best.1).abs())
            .fold(PI / FIRST_ARCS as f64, f64::min);
        search.climb(search.best.1, width);
        search
    }

    fn try_point(&mut self, theta: f64) -> f64 {
        let value = self.profile.value(theta);
        if value > self.best.0 {
            self.best = (value, theta);
        }
        if value.is_finite() {
            self.scale = self.scale.max(value.abs());
        }
        value
    }

    /// Golden-section search within `radius` of `theta`.
    fn climb(&mut self, theta: f64, radius: f64) {
        let (mut low, mut high) = ((theta - radius).max(0.0), (theta + radius).min(PI));
        let mut x = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
        let mut f = [self.try_point(x[0]), self.try_point(x[1])];
        // the maximum's height is good to rounding once its place is good to 1e-8
        for _ in 0..45 {
            if high - low < 1e-9 * radius {
                break;
            }
            if f[0] > f[1] {
                high = x[1];
                x = [high - GOLDEN * (high - low), x[0]];
                f = [self.try_point(x[0]), f[0]];
            } else {
                low = x[0];
                x = [x[1], low + GOLDEN * (high - low)];
                f = [f[1], self.try_point(x[1])];
            }
        }
    }

    /// Moves the best point to where the slope vanishes.
    fn polish(&mut self) {
        let (value, theta) = self.best;
        for end in [0.0, PI] {
            // a flat top at an end: the end itself
            if (theta - end).abs() < 1e-3 && self.profile.value(end) >= value - self.slack() {
                self.best = (self.profile.value(end).max(value), end);
                return;
            }
        }
        let slope = |x: f64| self.profile.jet(x, 0.0, value).slope;
        let mut radius = 1e-9;
        while radius < 1e-3 && (slope(theta - radius) <= 0.0 || slope(theta + radius) >= 0.0) {
            radius *= 4.0;
        }
        let (mut low, mut high) = (theta - radius, theta + radius);
        if slope(low) <= 0.0 || slope(high) >= 0.0 {
            return;
        }
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if slope(middle) > 0.0 { low = middle } else { high = middle }
        }
        self.best = (self.profile.value(low).max(value), low);
    }

    fn slack(&self) -> f64 {
        TOLERANCE * self.best.0.abs().max(1e-3 * self.scale)
    }

    /// Drops or halves the arc; an explicit stack keeps the depth off the call stack.
    fn examine(&mut self, theta: f64, radius: f64) {
        let mut stack = vec![(theta, radius)];
        while let Some((theta, radius)) = stack.pop() {
            self.arcs += 1;
            let before = self.best.0;
            if self.try_point(theta) > before {
                self.climb(theta, radius);
            }
            let level = self.best.0 + self.slack();
            let upper = self.profile.jet(theta, radius, level).upper(radius);
            if upper <= level {
                continue;
            }
            if self.arcs >= MAX_ARCS || radius < 1e-13 || upper.is_nan() {
                self.open = self.open.max(if upper.is_nan() { f64::INFINITY } else { upper });
                continue;
            }
            stack.push((theta - 0.5 * radius, 0.5 * radius));
            stack.push((theta + 0.5 * radius, 0.5 * radius));
        }
    }
}
