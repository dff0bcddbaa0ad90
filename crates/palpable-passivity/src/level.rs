//! Level curves of the dimensionless demand `b*(α, β)` of a virtual mass.

use crate::error::{Error, Result};
use crate::mass::Integrator;

/// Demands above this count as infinite: near the stability limit they have no bound.
const MAX_LEVEL: f64 = 1e12;

/// Polynomials in `u = 1 - cos θ`, degree three, ascending.
type Cubic = [f64; 4];

/// `b* - 1 = X(u)/(n D(u))`, `n = 2β + 1`, reduced exactly from
/// `[Brown1998, (7.9), (7.13), (7.14)]`.
///
/// Derived here with `(1-w)² = -2wu`, `Re(1-w) = u`, `|1-w|² = 2u`; `D` is the squared modulus of
/// the denominator, so it is never negative.
struct Reduced {
    x: Cubic,
    d: Cubic,
    n: f64,
}

/// `None` for the implicit integrators, whose demand has a closed form.
fn reduce(integrator: Integrator, a: f64, b: f64) -> Option<Reduced> {
    let (n, s) = (2.0 * b + 1.0, 2.0 * b * (b + 1.0));
    let (x, d) = match integrator {
        Integrator::DelayedEuler => (
            [
                -a * a * n,
                a * (8.0 * b + 6.0) - a * a * n * s,
                -16.0 * b + a * (28.0 * b * b + 8.0 * b - 4.0),
                8.0 * b - a * (16.0 * b * b + 8.0 * b),
            ],
            [a * a, a * a * s - 4.0 * a, 4.0 + 4.0 * a - 12.0 * a * b, 8.0 * a * b],
        ),
        Integrator::SymplecticEuler => (
            [-a * a * n, a * (8.0 * b + 2.0) - a * a * n * s, -16.0 * b + 4.0 * a * b * b, 8.0 * b],
            [a * a, a * a * s - 4.0 * a, 4.0 - 4.0 * a * b, 0.0],
        ),
        Integrator::Trapezoidal => {
            // X3 = ½(2-u) Q3
            let q = [-a * a * n, a * n * (4.0 - a * s), 8.0 * b * (a * n - 2.0)];
            let x = [q[0], q[1] - 0.5 * q[0], q[2] - 0.5 * q[1], -0.5 * q[2]];
            // D3 = 4u² + (2-u) [½α²(1+su) - 2αu(1+2βu)]
            let e = [0.5 * a * a, 0.5 * a * a * s - 2.0 * a, -4.0 * a * b];
            let d = [2.0 * e[0], 2.0 * e[1] - e[0], 4.0 + 2.0 * e[2] - e[1], -e[2]];
            (x, d)
        }
        _ => return None,
    };
    Some(Reduced { x, d, n })
}

fn at(p: &Cubic, u: f64) -> f64 {
    ((p[3] * u + p[2]) * u + p[1]) * u + p[0]
}

/// Whether a cubic is nowhere above zero on [0, 2], up to its own rounding.
fn never_positive(p: &Cubic) -> bool {
    let size: Cubic = p.map(f64::abs);
    let fits = |u: f64| at(p, u) <= 4e-15 * at(&size, u);
    if !(fits(0.0) && fits(2.0)) {
        return false;
    }
    let (a, b, c) = (3.0 * p[3], 2.0 * p[2], p[1]);
    let disc = b * b - 4.0 * a * c;
    if disc < 0.0 {
        return true;
    }
    // both stationary points without cancellation
    let q = -0.5 * (b + b.signum() * disc.sqrt());
    [q / a, c / q].into_iter().all(|u| !(u > 0.0 && u < 2.0) || fits(u))
}

impl Reduced {
    /// Whether `b* <= level` at every frequency: `X - (level-1) n D <= 0` on (0, 2].
    fn within(&self, level: f64) -> bool {
        let excess = (level - 1.0) * self.n;
        let p: Cubic = std::array::from_fn(|i| self.x[i] - excess * self.d[i]);
        never_positive(&p)
    }
}

/// The largest α at which H(z) is stable with a clamped handle; zero or below if none.
///
/// # Equation
/// Jury's criterion: method 1 `(β-1)/β²`, method 2 `4/(2β+1)`, method 3 `2(2β-1)/(β(2β+1))`,
/// derived here; the implicit integrators are stable for all α.
pub fn stability_alpha(integrator: Integrator, beta: f64) -> f64 {
    let n = 2.0 * beta + 1.0;
    match integrator {
        Integrator::DelayedEuler => (beta - 1.0) / (beta * beta),
        Integrator::SymplecticEuler if beta > 0.0 => 4.0 / n,
        Integrator::SymplecticEuler => 0.0,
        Integrator::Trapezoidal => 2.0 * (2.0 * beta - 1.0) / (beta * n),
        _ => f64::INFINITY,
    }
}

/// The dimensionless demand `b* = b/b_wall` of a coupled mass `[Brown1998, (7.6)-(7.14)]`.
///
/// Infinite where H(z) is not stable with a clamped handle.
/// # Cost
/// O(1): bisection on the level with an exact cubic test, about 2 µs.
/// # Errors
/// α not above zero, β negative, or either not finite.
pub fn level(integrator: Integrator, alpha: f64, beta: f64) -> Result<f64> {
    crate::error::positive("alpha", alpha, "alpha = KT²/m is above zero for a finite mass")?;
    crate::error::non_negative("beta", beta, "beta = B/(KT) needs B >= 0")?;
    Ok(level_unchecked(integrator, alpha, beta))
}

fn level_unchecked(integrator: Integrator, alpha: f64, beta: f64) -> f64 {
    if alpha >= stability_alpha(integrator, beta) {
        return f64::INFINITY;
    }
    let Some(reduced) = reduce(integrator, alpha, beta) else {
        return implicit_level(integrator, alpha, beta);
    };
    // the rest frequency asks nothing of a mass, so b* >= 0
    let (mut low, mut high) = (0.0, 1.0);
    while !reduced.within(high) {
        low = high;
        high *= 2.0;
        if high > MAX_LEVEL {
            return f64::INFINITY;
        }
    }
    while high - low > 1e-15 * high {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if reduced.within(middle) { high = middle } else { low = middle }
    }
    high
}

/// Non-delayed Euler `b* = 4/(4 + αn)` at Nyquist; non-delayed Taylor exactly 1, derived here.
fn implicit_level(integrator: Integrator, alpha: f64, beta: f64) -> f64 {
    match integrator {
        Integrator::ImplicitEuler if beta > 0.0 => 4.0 / (4.0 + alpha * (2.0 * beta + 1.0)),
        _ => 1.0,
    }
}

/// The largest α such that `b* <= level` for it and every smaller one; `None` if there is none.
///
/// # Guarantee
/// The test at each α is an exact cubic in `1 - cos θ`, up to its own rounding; where the cubic has
/// a double root that leaves 3e-8 relative (the closed form of [`crate::minimum_mass`] has none).
pub fn alpha_at_level(integrator: Integrator, beta: f64, level: f64) -> Option<f64> {
    if !(beta >= 0.0 && level >= 1.0) {
        return None;
    }
    let limit = stability_alpha(integrator, beta);
    if integrator.is_implicit() {
        return Some(f64::INFINITY);
    }
    if limit.is_nan() || limit <= 0.0 {
        return None;
    }
    let passes = |a: f64| reduce(integrator, a, beta).is_some_and(|r| r.within(level));
    // the first failure on a coarse ladder, then bisection below it
    let ladder = (1..=400).map(|i| limit * f64::from(i) / 400.0);
    let mut low = limit * 1e-6;
    if !passes(low) {
        return None;
    }
    let mut high = limit;
    for a in ladder {
        if !passes(a) {
            high = a;
            break;
        }
        low = a;
    }
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if passes(middle) { low = middle } else { high = middle }
    }
    Some(low)
}

/// A map of `b*` over a grid of α (rows) and β (columns), for level curves.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelMap {
    /// α of each row.
    pub alphas: Vec<f64>,
    /// β of each column.
    pub betas: Vec<f64>,
    /// `b*`, row by row; infinite where H(z) is unstable.
    pub levels: Vec<f64>,
}

impl LevelMap {
    /// `b*` at row `i`, column `j`.
    pub fn at(&self, i: usize, j: usize) -> Option<f64> {
        (j < self.betas.len()).then(|| self.levels.get(i * self.betas.len() + j).copied())?
    }
}

/// One row of the map; rows are independent, so a caller may spread them over threads.
/// # Errors
/// α or a β out of range.
pub fn level_row(integrator: Integrator, alpha: f64, betas: &[f64]) -> Result<Vec<f64>> {
    betas.iter().map(|&beta| level(integrator, alpha, beta)).collect()
}

/// The map behind `[Brown1998, Figures 7.2, 7.4, 7.5]`.
/// # Errors
/// An empty axis, or a value out of range.
pub fn level_map(integrator: Integrator, alphas: &[f64], betas: &[f64]) -> Result<LevelMap> {
    if alphas.is_empty() || betas.is_empty() {
        let cure = "give at least one alpha and one beta";
        return Err(Error::Length { field: "map axis", len: 0, need: "at least 1", cure });
    }
    let mut levels = Vec::with_capacity(alphas.len() * betas.len());
    for &alpha in alphas {
        levels.extend(level_row(integrator, alpha, betas)?);
    }
    Ok(LevelMap { alphas: alphas.to_vec(), betas: betas.to_vec(), levels })
}
