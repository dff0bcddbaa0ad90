//! Real polynomials as coefficient slices in ascending powers, and their roots.

use nalgebra::Complex;

/// A complex number.
pub type C64 = Complex<f64>;

const ABERTH_SWEEPS: usize = 400;

/// `p(x)` by Horner's rule.
pub fn eval(p: &[f64], x: C64) -> C64 {
    p.iter().rev().fold(C64::new(0.0, 0.0), |acc, &a| acc * x + a)
}

/// `p(x)` at a real point.
pub fn eval_real(p: &[f64], x: f64) -> f64 {
    p.iter().rev().fold(0.0, |acc, &a| acc * x + a)
}

/// `p(w)` and `dp/dθ` at `w = e^(-jθ)`, where `dw/dθ = -j w`.
pub fn eval_on_circle(p: &[f64], w: C64) -> [C64; 2] {
    let mut value = C64::new(0.0, 0.0);
    let mut slope = C64::new(0.0, 0.0);
    for &a in p.iter().rev() {
        slope = slope * w + value;
        value = value * w + a;
    }
    [value, slope * w * C64::new(0.0, -1.0)]
}

/// Sum of two polynomials.
pub fn add(a: &[f64], b: &[f64]) -> Vec<f64> {
    let at = |p: &[f64], i: usize| p.get(i).copied().unwrap_or(0.0);
    (0..a.len().max(b.len())).map(|i| at(a, i) + at(b, i)).collect()
}

/// Product of two polynomials.
pub fn mul(a: &[f64], b: &[f64]) -> Vec<f64> {
    if a.is_empty() || b.is_empty() {
        return Vec::new();
    }
    let mut out = vec![0.0; a.len() + b.len() - 1];
    for (i, &x) in a.iter().enumerate() {
        for (j, &y) in b.iter().enumerate() {
            out[i + j] += x * y;
        }
    }
    out
}

/// `factor · p`.
pub fn scale(p: &[f64], factor: f64) -> Vec<f64> {
    p.iter().map(|a| a * factor).collect()
}

/// `w^n p(w)`.
pub fn shift(p: &[f64], n: usize) -> Vec<f64> {
    let mut out = vec![0.0; n];
    out.extend_from_slice(p);
    out
}

/// `p(w) / (1 - r w)` for a root at `w = 1/r`, `r = ±1`; the remainder is dropped.
///
/// The quotient's coefficients are running sums, `q_k = p_k + r q_(k-1)`.
pub fn deflate(p: &[f64], r: f64) -> Vec<f64> {
    let mut q = Vec::with_capacity(p.len());
    let mut carry = 0.0;
    for &a in &p[..p.len().saturating_sub(1)] {
        carry = a + r * carry;
        q.push(carry);
    }
    if q.is_empty() { vec![0.0] } else { q }
}

/// Drops trailing coefficients that are exactly zero, keeping at least one.
pub fn trim(mut p: Vec<f64>) -> Vec<f64> {
    while p.len() > 1 && p.last() == Some(&0.0) {
        p.pop();
    }
    p
}

/// Sum of absolute values: the size of `p` on the unit circle, from above.
pub fn norm1(p: &[f64]) -> f64 {
    p.iter().map(|a| a.abs()).sum()
}

/// Roots in `z` of `p_0 z^n + p_1 z^(n-1) + ... + p_n`, that is of `p(z^-1) = 0`.
///
/// # Equation
/// Aberth's simultaneous Newton iteration, `z_i -= n_i / (1 - n_i Σ_j 1/(z_i - z_j))` with
/// `n_i = p(z_i)/p'(z_i)`.
/// # Guarantee
/// Always ends; a root of multiplicity m is good to about the m-th root of the rounding unit.
/// # Cost
/// O(n²) per sweep.
pub fn roots_in_z(p: &[f64]) -> Vec<C64> {
    let p = trim(p.to_vec());
    let n = p.len() - 1;
    if n == 0 || p[0] == 0.0 {
        return Vec::new();
    }
    // ascending powers of z
    let in_z: Vec<f64> = p.iter().rev().map(|a| a / p[0]).collect();
    let radius = in_z[0].abs().powf(1.0 / n as f64).clamp(1e-3, 1e3);
    let mut z: Vec<C64> = (0..n)
        .map(|i| C64::from_polar(radius, 0.4 + std::f64::consts::TAU * i as f64 / n as f64))
        .collect();
    for _ in 0..ABERTH_SWEEPS {
        if aberth_sweep(&in_z, &mut z) < 1e-16 {
            break;
        }
    }
    z
}

/// One sweep; returns the largest relative correction.
fn aberth_sweep(in_z: &[f64], z: &mut [C64]) -> f64 {
    let derivative: Vec<f64> = in_z.iter().enumerate().skip(1).map(|(k, a)| a * k as f64).collect();
    let mut largest = 0.0_f64;
    for i in 0..z.len() {
        let newton = eval(in_z, z[i]) / eval(&derivative, z[i]);
        if !newton.is_finite() {
            continue;
        }
        let repel: C64 =
            (0..z.len()).filter(|&j| j != i && z[j] != z[i]).map(|j| (z[i] - z[j]).inv()).sum();
        let correction = newton / (C64::new(1.0, 0.0) - newton * repel);
        if correction.is_finite() {
            z[i] -= correction;
            largest = largest.max(correction.norm() / z[i].norm().max(1e-300));
        }
    }
    largest
}
