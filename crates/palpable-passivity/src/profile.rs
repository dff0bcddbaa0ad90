//! The damping demand `b(θ)` of a sampled environment, in a form without cancellation.

use crate::error::{Error, Result};
use crate::polynomial::{self as poly, C64};
use crate::pulse::PulseTf;
use crate::sampling::Sampling;

/// The damping that a stable H(z) asks of the device at each frequency.
///
/// # Equation
/// With `w = e^(-jθ)`, delay `d + δ` periods, and `G = H w^d (1-δ+δw)`:
/// ```text
/// b(θ) = (T/2) [P + √(P² + δ(1-δ)|H|²)],   P = -Re{w G/(1-w)}
/// ```
/// which for `d = δ = 0` is the condition of `[Brown1998, (3.7)]`,
/// `b = (T/2) Re{(1-w)H}/(1-cos θ)`.
/// # Differs from the source
/// The division by `1 - cos θ` is carried out: since `(1-w)² = -2w(1-cos θ)`, splitting
/// `G = G(1) + (1-w) G1` gives `2P = G(1) - 2 Re{w G1(w)}`, which is exact at `θ = 0` as well.
/// Delay is not in the source; it follows from summing the alias disks of the held force.
#[derive(Debug, Clone)]
pub(crate) struct Profile {
    half_step: f64,
    dc: f64,
    /// `w G1 = rest / den`
    rest: Vec<f64>,
    num: Vec<f64>,
    pub(crate) den: Vec<f64>,
    pub(crate) poles: Vec<C64>,
    /// `δ(1-δ)`
    spread: f64,
    rest_bend: f64,
    num_bend: f64,
}

/// Value, slope and a bound of the curvature of a real function of θ over an arc.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Jet {
    pub value: f64,
    pub slope: f64,
    pub bend: f64,
}

impl Jet {
    /// The largest value that second-order Taylor expansion allows within `radius`.
    pub fn upper(&self, radius: f64) -> f64 {
        self.value + radius * self.slope.abs() + 0.5 * radius * radius * self.bend
    }
}

/// Lower bound of `|den|` and upper bounds of its logarithmic derivatives over an arc.
struct DenBound {
    least: f64,
    first: f64,
    second: f64,
}

impl Profile {
    /// Prepares `b(θ)`.
    /// # Errors
    /// A pole at `z = 1`, where the demand is infinite.
    pub fn new(tf: &PulseTf, sampling: &Sampling) -> Result<Self> {
        let delta = sampling.delay_fraction();
        let late = poly::mul(tf.num(), &[1.0 - delta, delta]);
        let late = poly::trim(poly::shift(&late, sampling.delay_samples() as usize));
        let at_one = poly::eval_real(tf.den(), 1.0);
        if at_one.abs() <= 1e-14 * poly::norm1(tf.den()) {
            let cure = "an integrator pulls without limit at rest: give it a leak";
            return Err(Error::Unstable { radius: 1.0, angle: 0.0, cure });
        }
        let dc = poly::eval_real(&late, 1.0) / at_one;
        let remainder = poly::add(&late, &poly::scale(tf.den(), -dc));
        let rest = poly::shift(&poly::deflate(&remainder, 1.0), 1);
        Ok(Self {
            half_step: 0.5 * sampling.time_step(),
            dc,
            rest_bend: bend(&rest),
            num_bend: bend(tf.num()),
            rest,
            num: tf.num().to_vec(),
            den: tf.den().to_vec(),
            poles: tf.poles(),
            spread: delta * (1.0 - delta),
        })
    }

    /// `T/2` [s], the factor between `b` and the stiffness-like number it is made of.
    pub fn half_step(&self) -> f64 {
        self.half_step
    }

    /// `2b/T` [N/m] at `theta`.
    pub fn value(&self, theta: f64) -> f64 {
        let w = C64::from_polar(1.0, -theta);
        let den = poly::eval(&self.den, w);
        let twice_p = self.dc - 2.0 * (poly::eval(&self.rest, w) / den).re;
        if self.spread == 0.0 {
            return twice_p;
        }
        let gain = (poly::eval(&self.num, w) / den).norm_sqr();
        0.5 * twice_p + (0.25 * twice_p * twice_p + self.spread * gain).sqrt()
    }

    /// A number that stays at or below `level` wherever `2b/T <= level`, as a jet over the arc
    /// of half width `radius` about `theta`.
    ///
    /// Without a fractional delay it is `2b/T` itself. With one, `x = 2b/T` is the larger root of
    /// `x² - 2Px - δ(1-δ)|H|²`, so `2b/T <= level` says `2P + δ(1-δ)|H|²/level <= level`.
    pub fn jet(&self, theta: f64, radius: f64, level: f64) -> Jet {
        let w = C64::from_polar(1.0, -theta);
        let bound = self.den_bound(w, radius);
        let den = poly::eval_on_circle(&self.den, w);
        let (value, slope, bends) = ratio(&self.rest, self.rest_bend, w, den, &bound, radius);
        let mut jet =
            Jet { value: self.dc - 2.0 * value.re, slope: -2.0 * slope.re, bend: 2.0 * bends[2] };
        if self.spread > 0.0 && level > 0.0 {
            let (h, h_slope, h_bends) = ratio(&self.num, self.num_bend, w, den, &bound, radius);
            let share = self.spread / level;
            jet.value += share * h.norm_sqr();
            jet.slope += share * 2.0 * (h.conj() * h_slope).re;
            jet.bend += share * 2.0 * (h_bends[0] * h_bends[2] + h_bends[1] * h_bends[1]);
        }
        jet
    }

    /// Distances from each pole to the arc bound `den = d0 Π (1 - p w)` and its derivatives:
    /// `den'/den = Σ jpw/(1-pw)`, and the derivative of that sum is `Σ pw/(1-pw)²`.
    fn den_bound(&self, w: C64, radius: f64) -> DenBound {
        let mut bound = DenBound { least: self.den[0].abs(), first: 0.0, second: 0.0 };
        for &p in &self.poles {
            let size = p.norm();
            let near = (1.0 - size).abs();
            let distance = ((C64::new(1.0, 0.0) - p * w).norm() - size * radius).max(near);
            bound.least *= distance;
            bound.first += size / distance;
            bound.second += size / (distance * distance);
        }
        // computed poles are inexact; their product is, to far better than this
        bound.least *= 0.99;
        bound
    }
}

/// Value and slope of `a/den` at the centre; bounds of value, slope and curvature over the arc.
fn ratio(
    a: &[f64],
    a_bend: f64,
    w: C64,
    [den, den_slope]: [C64; 2],
    bound: &DenBound,
    radius: f64,
) -> (C64, C64, [f64; 3]) {
    let [top, top_slope] = poly::eval_on_circle(a, w);
    let value = top / den;
    let slope = (top_slope - value * den_slope) / den;
    let a0 = top.norm() + radius * top_slope.norm() + 0.5 * radius * radius * a_bend;
    let a1 = top_slope.norm() + radius * a_bend;
    let b0 = a0 / bound.least;
    let b1 = a1 / bound.least + b0 * bound.first;
    let b2 = a_bend / bound.least
        + 2.0 * b1 * bound.first
        + b0 * (bound.second + bound.first * bound.first);
    (value, slope, [b0, b1, b2])
}

/// Bound of `|d²p/dθ²|` on the circle.
fn bend(p: &[f64]) -> f64 {
    p.iter().enumerate().map(|(k, a)| (k * k) as f64 * a.abs()).sum()
}
