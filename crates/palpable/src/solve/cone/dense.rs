//! Dense LU with row exchange in place, for small systems in fixed buffers.

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

#[inline(always)]
fn solve_here(a: &mut [f64], n: usize, b: &mut [f64]) -> bool {
    for p in 0..n {
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
        let pivot = &upper[p * n + p + 1..p * n + n];
        for (i, row) in lower.chunks_exact_mut(n).enumerate() {
            let factor = row[p] * inv;
            if factor != 0.0 {
                row[p + 1..].iter_mut().zip(pivot).for_each(|(r, p)| *r -= factor * p);
                b[p + 1 + i] -= factor * b[p];
            }
        }
    }
    for i in (0..n).rev() {
        let row = &a[i * n..i * n + n];
        let sum: f64 = row[i + 1..].iter().zip(&b[i + 1..n]).map(|(a, b)| a * b).sum();
        b[i] = (b[i] - sum) / row[i];
    }
    b[..n].iter().all(|x| x.is_finite())
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
