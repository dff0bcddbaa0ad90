//! Dense matrices of moderate size, in place and without allocation; columns lie side by side.

use super::kernels::subtract_scaled;
use super::vector_unit::{Kernel, run_wide};

/// Dense matrix whose size is known at run time.
pub type Matrix = nalgebra::DMatrix<f64>;

/// Replaces the lower triangle of a symmetric matrix by its Cholesky factor and clears the rest;
/// returns false (and leaves rubbish) unless the matrix is positive definite.
pub fn cholesky(a: &mut Matrix) -> bool {
    let mut sound = false;
    run_wide(Cholesky(a, &mut sound));
    sound
}

struct Cholesky<'a>(&'a mut Matrix, &'a mut bool);

impl Kernel for Cholesky<'_> {
    #[inline(always)]
    fn run(self) {
        let n = self.0.nrows();
        let values = self.0.as_mut_slice();
        for j in 0..n {
            let (before, rest) = values.split_at_mut(j * n);
            let column = &mut rest[..n];
            subtract_columns(&mut column[j..], before, (n, j), |k| before[k * n + j]);
            if !(column[j] > 0.0) {
                return;
            }
            let root = column[j].sqrt();
            column[j] = root;
            column[j + 1..].iter_mut().for_each(|v| *v /= root);
            column[..j].fill(0.0);
        }
        *self.1 = true;
    }
}

/// Subtracts from `x` the columns of `before`, `n` long and from row `first` on, each times its
/// factor; four at a time, in their order.
#[inline(always)]
fn subtract_columns(
    x: &mut [f64],
    before: &[f64],
    (n, first): (usize, usize),
    factor: impl Fn(usize) -> f64,
) {
    let mut columns = before.chunks_exact(4 * n);
    let mut k = 0;
    for four in &mut columns {
        let part = |c: usize| &four[c * n + first..(c + 1) * n];
        let scale = [factor(k), factor(k + 1), factor(k + 2), factor(k + 3)];
        subtract_four(x, [part(0), part(1), part(2), part(3)], scale);
        k += 4;
    }
    for column in columns.remainder().chunks_exact(n) {
        subtract_scaled(x, &column[first..], factor(k));
        k += 1;
    }
}

#[inline(always)]
fn subtract_four(x: &mut [f64], [a, b, c, d]: [&[f64]; 4], s: [f64; 4]) {
    let columns = a.iter().zip(b).zip(c).zip(d);
    for (x, (((a, b), c), d)) in x.iter_mut().zip(columns) {
        *x = (((*x - s[0] * a) - s[1] * b) - s[2] * c) - s[3] * d;
    }
}

/// `x −= scale · y` in four vectors at once.
#[inline(always)]
fn subtract_from_four([a, b, c, d]: [&mut [f64]; 4], y: &[f64], s: [f64; 4]) {
    let columns = a.iter_mut().zip(b).zip(c).zip(d);
    for ((((a, b), c), d), y) in columns.zip(y) {
        *a -= s[0] * y;
        *b -= s[1] * y;
        *c -= s[2] * y;
        *d -= s[3] * y;
    }
}

/// `x := L⁻¹ x` for four columns of `n` numbers.
#[inline(always)]
fn forward_four(l: &[f64], x: &mut [f64], n: usize) {
    let (ab, cd) = x.split_at_mut(2 * n);
    let ((a, b), (c, d)) = (ab.split_at_mut(n), cd.split_at_mut(n));
    for (i, column) in l.chunks_exact(n).enumerate() {
        let pivot = column[i];
        [&mut *a, &mut *b, &mut *c, &mut *d].into_iter().for_each(|x| x[i] /= pivot);
        let known = [a[i], b[i], c[i], d[i]];
        let rest = [&mut a[i + 1..], &mut b[i + 1..], &mut c[i + 1..], &mut d[i + 1..]];
        subtract_from_four(rest, &column[i + 1..], known);
    }
}

/// The dot product in four sums side by side.
#[inline(always)]
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let ((a4, a_rest), (b4, b_rest)) = (a.as_chunks::<4>(), b.as_chunks::<4>());
    let mut sum = [0.0; 4];
    for (a, b) in a4.iter().zip(b4) {
        (0..4).for_each(|k| sum[k] += a[k] * b[k]);
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    ((sum[0] + sum[1]) + (sum[2] + sum[3])) + rest
}

/// `x := L⁻¹ x`.
#[inline]
pub fn solve_lower(l: &Matrix, x: &mut [f64]) {
    forward(l.as_slice(), x);
}

#[inline(always)]
fn forward(l: &[f64], x: &mut [f64]) {
    let n = x.len();
    for (i, column) in l.chunks_exact(n).enumerate() {
        let (known, rest) = x.split_at_mut(i + 1);
        known[i] /= column[i];
        subtract_scaled(rest, &column[i + 1..], known[i]);
    }
}

/// `x := L⁻ᵀ x`.
#[inline]
pub fn solve_upper(l: &Matrix, x: &mut [f64]) {
    let n = x.len();
    for (i, column) in l.as_slice().chunks_exact(n).enumerate().rev() {
        let (rest, known) = x.split_at_mut(i + 1);
        rest[i] = (rest[i] - dot(&column[i + 1..], known)) / column[i];
    }
}

/// `x := Lᵀ x`.
pub fn apply_transposed(l: &Matrix, x: &mut [f64]) {
    let n = x.len();
    for (i, column) in l.as_slice().chunks_exact(n).enumerate() {
        x[i] = dot(&column[i..], &x[i..]);
    }
}

/// The part of `L⁻¹ X L⁻ᵀ` below the diagonal, in place of that of `X`; the rest is rubbish.
pub fn congruence(l: &Matrix, x: &mut Matrix) {
    run_wide(Congruence(l, x));
}

struct Congruence<'a>(&'a Matrix, &'a mut Matrix);

impl Kernel for Congruence<'_> {
    #[inline(always)]
    fn run(self) {
        let (n, l, x) = (self.1.nrows(), self.0.as_slice(), self.1.as_mut_slice());
        let mut fours = x.chunks_exact_mut(4 * n);
        for four in &mut fours {
            forward_four(l, four, n);
        }
        for column in fours.into_remainder().chunks_exact_mut(n) {
            forward(l, column);
        }
        // Z Lᵀ = Y: column j of Z is that of Y less the columns before it
        for j in 0..n {
            let (before, rest) = x.split_at_mut(j * n);
            let column = &mut rest[j + 1..n];
            subtract_columns(column, before, (n, j + 1), |k| l[k * n + j]);
            column.iter_mut().for_each(|v| *v /= l[j * n + j]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_factor_times_its_transpose_is_the_matrix_and_solves_undo_it() {
        let b = Matrix::from_fn(5, 5, |i, j| ((3 * i + 7 * j) % 11) as f64 * 0.2 - 0.7);
        let a = &b * b.transpose() + Matrix::identity(5, 5);
        let mut l = a.clone();
        assert!(cholesky(&mut l));
        // entries of order ten, five terms each
        assert!((&l * l.transpose() - &a).amax() < 1e-13);
        let x = [1.0, -2.0, 0.5, 3.0, 0.1];
        let mut y = x;
        apply_transposed(&l, &mut y);
        solve_upper(&l, &mut y);
        assert!(x.iter().zip(y).all(|(a, b)| (a - b).abs() < 1e-13));
        let mut c = a.clone();
        let skew = Matrix::from_fn(5, 5, |i, j| i as f64 - j as f64);
        c += &l * &skew * l.transpose();
        congruence(&l, &mut c);
        // the identity and the skew part; entries of order a hundred cancelled
        let below = |i: usize| (0..i).map(move |j| (i, j));
        assert!((0..5).flat_map(below).all(|at| (c[at] - skew[at]).abs() < 1e-12));
    }

    #[test]
    fn an_indefinite_matrix_is_refused() {
        let mut a = Matrix::from_row_slice(2, 2, &[1.0, 2.0, 2.0, 1.0]);
        assert!(!cholesky(&mut a));
    }
}
