//! Dense LU with row exchange in place, for small systems in fixed buffers.

use crate::math::kernels::subtract_scaled;
use crate::math::vector_unit::{Kernel, run_wide};

/// Solves `A x = b` (`A` row-major `n × n`, destroyed; `b` becomes `x`); false if singular.
pub(super) fn solve(a: &mut [f64], n: usize, b: &mut [f64]) -> bool {
    let mut regular = false;
    run_wide(Solve { a, n, b, regular: &mut regular });
    regular
}

struct Solve<'a> {
    a: &'a mut [f64],
    n: usize,
    b: &'a mut [f64],
    regular: &'a mut bool,
}

impl Kernel for Solve<'_> {
    #[inline(always)]
    fn run(self) {
        *self.regular = solve_here(self.a, self.n, self.b);
    }
}

/// Pivots that are taken before the rest of the rows hears of them.
const PANEL: usize = 4;

/// Elimination in panels: numbers meet the pivots in their order, so the bits are those of one
/// pivot after the other, but each row is read and written once a panel.
#[inline(always)]
fn solve_here(a: &mut [f64], n: usize, b: &mut [f64]) -> bool {
    for first in (0..n).step_by(PANEL) {
        let end = (first + PANEL).min(n);
        for p in first..end {
            if !take_pivot(a, n, b, (p, end)) {
                return false;
            }
        }
        // rows of the panel beyond its columns
        for p in first + 1..end {
            let (upper, row) = a.split_at_mut(p * n);
            for q in first..p {
                let factor = row[q];
                subtract_scaled(&mut row[end..n], &upper[q * n + end..q * n + n], factor);
            }
        }
        let (upper, lower) = a.split_at_mut(end * n);
        let panel = &upper[first * n..];
        for row in lower.chunks_exact_mut(n) {
            subtract_panel(row, panel, (first, end), n);
        }
    }
    for i in (0..n).rev() {
        let row = &a[i * n..i * n + n];
        let sum: f64 = row[i + 1..].iter().zip(&b[i + 1..n]).map(|(a, b)| a * b).sum();
        b[i] = (b[i] - sum) / row[i];
    }
    b[..n].iter().all(|x| x.is_finite())
}

/// Exchanges rows for pivot `p` and eliminates its column, in the columns before `end` alone; the
/// factors stay where the column was. False if there is no pivot.
#[inline(always)]
fn take_pivot(a: &mut [f64], n: usize, b: &mut [f64], (p, end): (usize, usize)) -> bool {
    let mut best = p;
    for i in p + 1..n {
        if a[i * n + p].abs() > a[best * n + p].abs() {
            best = i;
        }
    }
    if best != p {
        let (upper, lower) = a.split_at_mut(best * n);
        upper[p * n..p * n + n].swap_with_slice(&mut lower[..n]);
        b.swap(p, best);
    }
    let inv = 1.0 / a[p * n + p];
    if !inv.is_finite() {
        return false;
    }
    let (upper, lower) = a.split_at_mut((p + 1) * n);
    let pivot = &upper[p * n + p + 1..p * n + end];
    for (row, i) in lower.chunks_exact_mut(n).zip(p + 1..) {
        let factor = row[p] * inv;
        row[p] = factor;
        if factor != 0.0 {
            subtract_scaled(&mut row[p + 1..end], pivot, factor);
            b[i] -= factor * b[p];
        }
    }
    true
}

/// Subtracts the rows of a panel, each times the factor that `row` holds in its column.
#[inline(always)]
fn subtract_panel(row: &mut [f64], panel: &[f64], (first, end): (usize, usize), n: usize) {
    let (factors, rest) = row.split_at_mut(end);
    let factors = &factors[first..];
    let part = |k: usize| &panel[k * n + end..k * n + n];
    if let [f0, f1, f2, f3] = *factors {
        if [f0, f1, f2, f3] == [0.0; 4] {
            return;
        }
        let rows = part(0).iter().zip(part(1)).zip(part(2)).zip(part(3));
        for (x, (((a, b), c), d)) in rest.iter_mut().zip(rows) {
            *x = (((*x - f0 * a) - f1 * b) - f2 * c) - f3 * d;
        }
        return;
    }
    for (k, factor) in factors.iter().enumerate() {
        subtract_scaled(rest, part(k), *factor);
    }
}

/// Inverse of a 3 × 3 matrix by cofactors.
#[inline]
pub(in crate::solve) fn invert3(a: &[f64; 9]) -> [f64; 9] {
    let c0 = a[4] * a[8] - a[5] * a[7];
    let c1 = a[5] * a[6] - a[3] * a[8];
    let c2 = a[3] * a[7] - a[4] * a[6];
    let inv = 1.0 / (a[0] * c0 + a[1] * c1 + a[2] * c2);
    [
        c0 * inv,
        (a[2] * a[7] - a[1] * a[8]) * inv,
        (a[1] * a[5] - a[2] * a[4]) * inv,
        c1 * inv,
        (a[0] * a[8] - a[2] * a[6]) * inv,
        (a[2] * a[3] - a[0] * a[5]) * inv,
        c2 * inv,
        (a[1] * a[6] - a[0] * a[7]) * inv,
        (a[0] * a[4] - a[1] * a[3]) * inv,
    ]
}
