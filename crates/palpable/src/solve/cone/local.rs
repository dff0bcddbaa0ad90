//! One contact alone: the exact solution of its Coulomb problem.
//!
//! ```text
//! u = b + D λ,   0 ≤ u_n ⟂ λ_n ≥ 0,   ‖λ_t‖ ≤ μ λ_n,   λ_t opposes u_t
//! stick:  λ = −D⁻¹ b
//! slip:   u_n = 0,  (S + α) λ_t = −b_s,  ‖λ_t‖ = μ λ_n  for one α > 0
//! ```
//! `S`, `b_s` are what is left of the tangential rows when `λ_n` is eliminated. With
//! `φ(α) = radius/‖λ_t‖ − 1`, which is nearly linear, Newton needs two to four steps.

/// Newton steps of the slip equation at most.
const STEPS: usize = 40;
/// The same where the next sweep comes anyway.
const FEW: usize = 8;
/// Relative error of the radius that counts as solved.
pub(in crate::solve) const ACCURACY: f64 = 1e-14;
/// Rounds of the fallback that alternates between normal and tangential rows.
const ROUNDS: usize = 20;

/// `D` of a three-row contact and its inverse, row-major.
#[derive(Debug, Clone, Copy)]
pub(in crate::solve) struct Local<'a> {
    pub d: &'a [f64; 9],
    pub inverse: &'a [f64; 9],
}

/// `‖λ_t‖ ≤ mu λ_n`.
#[derive(Debug, Clone, Copy)]
pub(in crate::solve) struct Cone {
    pub mu: f64,
    /// relative error of its radius that counts as solved, where it slips
    pub accuracy: f64,
}

#[inline(always)]
fn times(m: &[f64; 9], x: &[f64; 3]) -> [f64; 3] {
    [
        m[0] * x[0] + m[1] * x[1] + m[2] * x[2],
        m[3] * x[0] + m[4] * x[1] + m[5] * x[2],
        m[6] * x[0] + m[7] * x[1] + m[8] * x[2],
    ]
}

/// The force that solves the contact, given its present force `lambda` and velocity `u`, whose
/// normal entry contains the target.
#[inline(always)]
pub(in crate::solve) fn solve(
    local: Local,
    cone: Cone,
    lambda: &[f64; 3],
    u: &[f64; 3],
) -> [f64; 3] {
    let step = times(local.inverse, u);
    let stick = [lambda[0] - step[0], lambda[1] - step[1], lambda[2] - step[2]];
    let radius = cone.mu * stick[0];
    let size = stick[1] * stick[1] + stick[2] * stick[2];
    if stick[0] >= 0.0 && size <= radius * radius {
        return stick;
    }
    slide(local.d, cone, lambda, u)
}

/// Separation or slip.
pub(in crate::solve) fn slide(
    d: &[f64; 9],
    cone: Cone,
    lambda: &[f64; 3],
    u: &[f64; 3],
) -> [f64; 3] {
    let push = times(d, lambda);
    let b = [u[0] - push[0], u[1] - push[1], u[2] - push[2]];
    if b[0] >= 0.0 {
        return [0.0; 3];
    }
    let inv = 1.0 / d[0];
    if cone.mu == 0.0 {
        return [(-b[0] * inv).max(0.0), 0.0, 0.0];
    }
    // λ_n = rest + g·λ_t
    let (rest, g) = (-b[0] * inv, [-d[1] * inv, -d[2] * inv]);
    let s = [d[4] + d[3] * g[0], d[5] + d[3] * g[1], d[7] + d[6] * g[0], d[8] + d[6] * g[1]];
    let bs = [b[1] + d[3] * rest, b[2] + d[6] * rest];
    let g_radius = [cone.mu * g[0], cone.mu * g[1]];
    let radius = Radius { rest: cone.mu * rest, g: g_radius, accuracy: cone.accuracy };
    let guess = opposed(u, lambda);
    if let Some(t) = radius.slip(&s, &bs, guess) {
        let n = rest + g[0] * t[0] + g[1] * t[1];
        if n >= 0.0 {
            let [x, y] = on_rim(cone.mu * n, t);
            return [n, x, y];
        }
    }
    alternate(d, cone, lambda, &b)
}

/// `t` brought to the rim of its disc.
fn on_rim(radius: f64, t: [f64; 2]) -> [f64; 2] {
    let size = (t[0] * t[0] + t[1] * t[1]).sqrt();
    let shrink = if size > 0.0 { radius / size } else { 0.0 };
    [t[0] * shrink, t[1] * shrink]
}

/// The α that the present force and velocity suggest: `u_t = −α λ_t`.
#[inline]
fn opposed(u: &[f64; 3], lambda: &[f64; 3]) -> f64 {
    let size = lambda[1] * lambda[1] + lambda[2] * lambda[2];
    let power = -(u[1] * lambda[1] + u[2] * lambda[2]);
    if size > 0.0 && power > 0.0 { power / size } else { 0.0 }
}

/// Normal and tangential rows in turn: always lawful, used where the slip equation has no root.
fn alternate(d: &[f64; 9], cone: Cone, lambda: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    let mut p = [lambda[0].max(0.0), 0.0, 0.0];
    let rounds = if cone.accuracy > ACCURACY { 2 } else { ROUNDS };
    for _ in 0..rounds {
        let n = (-(b[0] + d[1] * p[1] + d[2] * p[2]) / d[0]).max(0.0);
        let bt = [b[1] + d[3] * n, b[2] + d[6] * n];
        let t = disc(&[d[4], d[5], d[7], d[8]], &bt, cone.mu * n, &[p[1], p[2]]);
        let same = n == p[0] && t == [p[1], p[2]];
        p = [n, t[0], t[1]];
        if same {
            break;
        }
    }
    p
}

/// Force of at most `radius` that opposes `b + S t`: stick, or slip on the rim.
pub(super) fn disc(s: &[f64; 4], b: &[f64; 2], radius: f64, lambda: &[f64; 2]) -> [f64; 2] {
    if !(radius > 0.0) {
        return [0.0; 2];
    }
    let stick = divide(s, b, 0.0);
    if stick[0] * stick[0] + stick[1] * stick[1] <= radius * radius {
        return stick;
    }
    let v = [
        0.0,
        b[0] + s[0] * lambda[0] + s[1] * lambda[1],
        b[1] + s[2] * lambda[0] + s[3] * lambda[1],
    ];
    let guess = opposed(&v, &[0.0, lambda[0], lambda[1]]);
    let t = Radius { rest: radius, g: [0.0; 2], accuracy: ACCURACY };
    on_rim(radius, t.slip(s, b, guess).unwrap_or_default())
}

/// `−(S + α)⁻¹ b`.
#[inline(always)]
fn divide(s: &[f64; 4], b: &[f64; 2], alpha: f64) -> [f64; 2] {
    let (p, q) = (s[0] + alpha, s[3] + alpha);
    let inv = -1.0 / (p * q - s[1] * s[2]);
    [(q * b[0] - s[1] * b[1]) * inv, (p * b[1] - s[2] * b[0]) * inv]
}

/// `radius(t) = rest + g·t`.
struct Radius {
    rest: f64,
    g: [f64; 2],
    accuracy: f64,
}

impl Radius {
    /// `t = −(S + α)⁻¹ b` with `‖t‖ = radius(t)`, by Newton inside a bracket.
    fn slip(&self, s: &[f64; 4], b: &[f64; 2], guess: f64) -> Option<[f64; 2]> {
        let (mut low, mut high) = (0.0, f64::INFINITY);
        let mut alpha = guess;
        let steps = if self.accuracy > ACCURACY { FEW } else { STEPS };
        for _ in 0..steps {
            // t = −(S + α)⁻¹ b
            let (p, q) = (s[0] + alpha, s[3] + alpha);
            let inv = -1.0 / (p * q - s[1] * s[2]);
            let t = [(q * b[0] - s[1] * b[1]) * inv, (p * b[1] - s[2] * b[0]) * inv];
            let square = t[0] * t[0] + t[1] * t[1];
            let size = square.sqrt();
            let radius = self.rest + self.g[0] * t[0] + self.g[1] * t[1];
            // φ = radius/size − 1
            let off = radius - size;
            if off.abs() <= self.accuracy * size {
                return Some(t);
            }
            if off < 0.0 {
                low = alpha
            } else {
                high = alpha
            }
            // dt/dα = −(S + α)⁻¹ t, and φ/φ' in one division
            let dt = [(q * t[0] - s[1] * t[1]) * inv, (p * t[1] - s[2] * t[0]) * inv];
            let (d_square, d_radius) =
                (t[0] * dt[0] + t[1] * dt[1], self.g[0] * dt[0] + self.g[1] * dt[1]);
            let newton = alpha - off * square / (d_radius * square - radius * d_square);
            let next = if newton > low && newton < high {
                newton
            } else if high.is_finite() {
                0.5 * (low + high)
            } else {
                4.0 * alpha + s[0] + s[3]
            };
            if !next.is_finite() {
                return None;
            }
            if next == alpha {
                return Some(t);
            }
            alpha = next;
        }
        // no root above, or one hardly resolved: the caller decides
        let t = divide(s, b, alpha);
        (high.is_finite() && t[0].is_finite() && t[1].is_finite()).then_some(t)
    }
}
