//! Dense kernels on small row-major blocks: the arithmetic inside [`super::block_lu`].
//!
//! Sizes 3 and 6 (points and bodies) are compiled as fixed sizes, everything else runs through
//! the same steps with sizes known at run time.

use super::dense;

/// A pivot this much smaller than the largest number below it is exchanged for that.
const WEAK: f64 = 0.1;

/// Sizes of a product of blocks: `rows × inner` times `inner × columns`.
#[derive(Debug, Clone, Copy)]
pub struct Product {
    /// Rows of the first factor and of the product.
    pub rows: usize,
    /// Columns of the first factor, rows of the second.
    pub inner: usize,
    /// Columns of the second factor and of the product.
    pub columns: usize,
}

/// Numbers of a vector that belong together.
#[derive(Debug, Clone, Copy)]
pub struct Run {
    /// The first of them.
    pub start: usize,
    /// How many.
    pub len: usize,
}

/// `c −= a b`.
#[inline(always)]
pub fn multiply_subtract(c: &mut [f64], a: &[f64], b: &[f64], sizes: Product) {
    match (sizes.rows, sizes.inner, sizes.columns) {
        (3, 3, 3) => multiply_fixed::<3, 3, 3>(c, a, b),
        (3, 3, 6) => multiply_fixed::<3, 3, 6>(c, a, b),
        (3, 6, 3) => multiply_fixed::<3, 6, 3>(c, a, b),
        (3, 6, 6) => multiply_fixed::<3, 6, 6>(c, a, b),
        (6, 3, 3) => multiply_fixed::<6, 3, 3>(c, a, b),
        (6, 3, 6) => multiply_fixed::<6, 3, 6>(c, a, b),
        (6, 6, 3) => multiply_fixed::<6, 6, 3>(c, a, b),
        (6, 6, 6) => multiply_fixed::<6, 6, 6>(c, a, b),
        _ => multiply_any(c, a, b, sizes),
    }
}

#[inline(always)]
fn multiply_fixed<const R: usize, const N: usize, const M: usize>(
    c: &mut [f64],
    a: &[f64],
    b: &[f64],
) {
    let Some(b) = b.as_chunks::<M>().0.first_chunk::<N>() else { return };
    let Some(a) = a.as_chunks::<N>().0.first_chunk::<R>() else { return };
    let Some(c) = c.as_chunks_mut::<M>().0.first_chunk_mut::<R>() else { return };
    for i in 0..R {
        let mut row = c[i];
        for k in 0..N {
            for j in 0..M {
                row[j] -= a[i][k] * b[k][j];
            }
        }
        c[i] = row;
    }
}

#[inline(always)]
fn multiply_any(c: &mut [f64], a: &[f64], b: &[f64], sizes: Product) {
    let Product { rows: r, inner: n, columns: m } = sizes;
    let (a, b, c) = (&a[..r * n], &b[..n * m], &mut c[..r * m]);
    for (row, factors) in c.chunks_exact_mut(m).zip(a.chunks_exact(n)) {
        // four rows of `b` for each time that one of `c` is read and written
        let (fours, rest) = factors.as_chunks::<4>();
        let mut rows = b.chunks_exact(4 * m);
        for (&[f0, f1, f2, f3], four) in fours.iter().zip(&mut rows) {
            let (b0, four) = four.split_at(m);
            let (b1, four) = four.split_at(m);
            let (b2, b3) = four.split_at(m);
            for ((((c, b0), b1), b2), b3) in row.iter_mut().zip(b0).zip(b1).zip(b2).zip(b3) {
                *c = *c - f0 * b0 - f1 * b1 - f2 * b2 - f3 * b3;
            }
        }
        for (known, f) in rows.remainder().chunks_exact(m).zip(rest) {
            subtract_scaled(row, known, *f);
        }
    }
}

/// Replaces the `n × n` block by its LU factors, reciprocals on the diagonal; `pivots` receives
/// the order in which its `n` rows were taken.
///
/// Rows are exchanged inside the block: its symmetric part is positive definite, so that is not
/// needed for existence, but a fast spinning body has a gyroscopic part a thousand times larger.
/// Returns whether any were.
#[inline(always)]
pub fn factor(a: &mut [f64], n: usize, pivots: &mut [u16]) -> bool {
    match n {
        3 => factor_fixed::<3>(a, pivots),
        6 => factor_fixed::<6>(a, pivots),
        _ => factor_any(a, n, pivots),
    }
}

#[inline(always)]
fn factor_fixed<const N: usize>(a: &mut [f64], pivots: &mut [u16]) -> bool {
    let Some(a) = a.as_chunks_mut::<N>().0.first_chunk_mut::<N>() else { return false };
    let Some(pivots) = pivots.first_chunk_mut::<N>() else { return false };
    let mut exchanged = false;
    for p in 0..N {
        pivots[p] = p as u16;
        let mut largest = 0.0;
        for row in &a[p + 1..] {
            let size = row[p].abs();
            largest = if size > largest { size } else { largest };
        }
        if a[p][p].abs() < WEAK * largest {
            exchange(a, p, pivots);
            exchanged = true;
        }
        let inv = 1.0 / a[p][p];
        a[p][p] = inv;
        let (top, below) = a.split_at_mut(p + 1);
        let top = &top[p];
        for row in below {
            let l = row[p] * inv;
            row[p] = l;
            for j in p + 1..N {
                row[j] -= l * top[j];
            }
        }
    }
    exchanged
}

#[cold]
fn exchange<const N: usize>(a: &mut [[f64; N]; N], p: usize, pivots: &mut [u16; N]) {
    let best = (p..N).max_by(|&i, &j| a[i][p].abs().total_cmp(&a[j][p].abs())).unwrap_or(p);
    a.swap(p, best);
    pivots[p] = best as u16;
}

/// `x −= scale · y`.
#[inline(always)]
pub fn subtract_scaled(x: &mut [f64], y: &[f64], scale: f64) {
    x.iter_mut().zip(y).for_each(|(x, y)| *x -= scale * y);
}

#[inline(always)]
fn factor_any(a: &mut [f64], n: usize, pivots: &mut [u16]) -> bool {
    let mut exchanged = false;
    for p in 0..n {
        let mut best = p;
        for i in p + 1..n {
            if a[i * n + p].abs() > a[best * n + p].abs() {
                best = i;
            }
        }
        pivots[p] = best as u16;
        if best != p {
            exchanged = true;
            (0..n).for_each(|j| a.swap(p * n + j, best * n + j));
        }
        let (above, below) = a[..n * n].split_at_mut((p + 1) * n);
        let top = &mut above[p * n + p..];
        let inv = 1.0 / top[0];
        top[0] = inv;
        for row in below.chunks_exact_mut(n) {
            let l = row[p] * inv;
            row[p] = l;
            // many blocks are all but diagonal
            if l != 0.0 {
                subtract_scaled(&mut row[p + 1..], &top[1..], l);
            }
        }
    }
    exchanged
}

/// `x := A⁻¹ x` for an `n × m` block `x`, with `A` given by its factors and its exchanged rows.
#[inline(always)]
pub fn divide(lu: &[f64], pivots: Option<&[u16]>, x: &mut [f64], n: usize, m: usize) {
    if let Some(pivots) = pivots {
        permute(pivots, x, m);
    }
    match (n, m) {
        (3, 1) => divide_fixed::<3, 1>(lu, x),
        (6, 1) => divide_fixed::<6, 1>(lu, x),
        (3, 3) => divide_fixed::<3, 3>(lu, x),
        (3, 6) => divide_fixed::<3, 6>(lu, x),
        (6, 3) => divide_fixed::<6, 3>(lu, x),
        (6, 6) => divide_fixed::<6, 6>(lu, x),
        (_, 1) => divide_vector(lu, x, n),
        _ => divide_any(lu, x, n, m),
    }
}

#[cold]
fn permute(pivots: &[u16], x: &mut [f64], m: usize) {
    for (i, &pivot) in pivots.iter().enumerate() {
        (0..m).for_each(|j| x.swap(i * m + j, pivot as usize * m + j));
    }
}

#[inline(always)]
fn divide_fixed<const N: usize, const M: usize>(lu: &[f64], x: &mut [f64]) {
    let Some(lu) = lu.as_chunks::<N>().0.first_chunk::<N>() else { return };
    let Some(out) = x.as_chunks_mut::<M>().0.first_chunk_mut::<N>() else { return };
    let mut x = *out;
    for i in 1..N {
        for k in 0..i {
            (0..M).for_each(|j| x[i][j] -= lu[i][k] * x[k][j]);
        }
    }
    for i in (0..N).rev() {
        for k in i + 1..N {
            (0..M).for_each(|j| x[i][j] -= lu[i][k] * x[k][j]);
        }
        (0..M).for_each(|j| x[i][j] *= lu[i][i]);
    }
    *out = x;
}

/// The same for a vector.
#[inline(always)]
fn divide_vector(lu: &[f64], x: &mut [f64], n: usize) {
    let rows = lu[..n * n].chunks_exact(n);
    for (i, factors) in rows.clone().enumerate().skip(1) {
        x[i] -= dense::dot(&factors[..i], &x[..i]);
    }
    for (i, factors) in rows.enumerate().rev() {
        x[i] = (x[i] - dense::dot(&factors[i + 1..], &x[i + 1..n])) * factors[i];
    }
}

#[inline(always)]
fn divide_any(lu: &[f64], x: &mut [f64], n: usize, m: usize) {
    let x = &mut x[..n * m];
    let rows = lu[..n * n].chunks_exact(n);
    for (i, factors) in rows.clone().enumerate().skip(1) {
        let (above, row) = x.split_at_mut(i * m);
        for (known, l) in above.chunks_exact(m).zip(factors) {
            if *l != 0.0 {
                subtract_scaled(row, known, *l);
            }
        }
    }
    for (i, factors) in rows.enumerate().rev() {
        let (row, below) = x[i * m..].split_at_mut(m);
        for (known, l) in below.chunks_exact(m).zip(&factors[i + 1..]) {
            if *l != 0.0 {
                subtract_scaled(row, known, *l);
            }
        }
        row.iter_mut().for_each(|x| *x *= factors[i]);
    }
}

/// `y −= a x` inside one vector `v`.
#[inline(always)]
pub fn apply_subtract(v: &mut [f64], y: Run, a: &[f64], x: Run) {
    match (y.len, x.len) {
        (3, 3) => apply_fixed::<3, 3>(v, y.start, a, x.start),
        (3, 6) => apply_fixed::<3, 6>(v, y.start, a, x.start),
        (6, 3) => apply_fixed::<6, 3>(v, y.start, a, x.start),
        (6, 6) => apply_fixed::<6, 6>(v, y.start, a, x.start),
        _ => apply_any(v, y, a, x),
    }
}

#[inline(always)]
fn apply_any(v: &mut [f64], y: Run, a: &[f64], x: Run) {
    for (i, row) in a[..y.len * x.len].chunks_exact(x.len).enumerate() {
        v[y.start + i] -= dense::dot(row, &v[x.start..x.start + x.len]);
    }
}

#[inline(always)]
fn apply_fixed<const R: usize, const N: usize>(v: &mut [f64], y: usize, a: &[f64], x: usize) {
    let Some(&x) = v[x..].first_chunk::<N>() else { return };
    let Some(y) = v[y..].first_chunk_mut::<R>() else { return };
    let Some(a) = a.as_chunks::<N>().0.first_chunk::<R>() else { return };
    for i in 0..R {
        let mut s = a[i][0] * x[0];
        for k in 1..N {
            s += a[i][k] * x[k];
        }
        y[i] -= s;
    }
}

/// `out = −aᵀ` with `a` of `r × n`; the rows of `out` are `stride` apart.
#[inline]
pub fn negative_transpose(out: &mut [f64], stride: usize, a: &[f64], r: usize, n: usize) {
    match (r, n, stride) {
        (3, 6, 3) => transpose_fixed::<3, 6, 3>(out, a),
        (3, 6, 6) => transpose_fixed::<3, 6, 6>(out, a),
        (6, 6, 6) => transpose_fixed::<6, 6, 6>(out, a),
        _ => {
            for (k, out) in out.chunks_mut(stride).enumerate().take(n) {
                out.iter_mut().zip(a[k..].iter().step_by(n)).take(r).for_each(|(o, a)| *o = -a);
            }
        }
    }
}

/// The same for known sizes; the last row of `out` may end where its numbers do.
#[inline(always)]
fn transpose_fixed<const R: usize, const N: usize, const S: usize>(out: &mut [f64], a: &[f64]) {
    let Some(a) = a.as_chunks::<N>().0.first_chunk::<R>() else { return };
    let Some(out) = out.get_mut(..(N - 1) * S + R) else { return };
    for k in 0..N {
        for i in 0..R {
            out[k * S + i] = -a[i][k];
        }
    }
}
