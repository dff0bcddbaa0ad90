//! Dense kernels on small row-major blocks: the arithmetic inside [`super::block_lu`].
//!
//! Sizes 3 and 6 (points and bodies) are compiled as fixed sizes, everything else runs through
//! the same loops with sizes known at run time.

/// `c −= a b` with `a` of `r × n`, `b` of `n × m`, `c` of `r × m`.
#[inline]
pub fn multiply_subtract(c: &mut [f64], a: &[f64], b: &[f64], (r, n, m): (usize, usize, usize)) {
    match (r, n, m) {
        (3, 3, 3) => multiply_fixed::<3, 3, 3>(c, a, b),
        (3, 3, 6) => multiply_fixed::<3, 3, 6>(c, a, b),
        (3, 6, 3) => multiply_fixed::<3, 6, 3>(c, a, b),
        (3, 6, 6) => multiply_fixed::<3, 6, 6>(c, a, b),
        (6, 3, 3) => multiply_fixed::<6, 3, 3>(c, a, b),
        (6, 3, 6) => multiply_fixed::<6, 3, 6>(c, a, b),
        (6, 6, 3) => multiply_fixed::<6, 6, 3>(c, a, b),
        (6, 6, 6) => multiply_fixed::<6, 6, 6>(c, a, b),
        _ => multiply_any(c, a, b, (r, n, m)),
    }
}

#[inline(always)]
fn multiply_fixed<const R: usize, const N: usize, const M: usize>(
    c: &mut [f64],
    a: &[f64],
    b: &[f64],
) {
    let (c, a, b) = (&mut c[..R * M], &a[..R * N], &b[..N * M]);
    for i in 0..R {
        let mut row = [0.0; M];
        for k in 0..N {
            let factor = a[i * N + k];
            for j in 0..M {
                row[j] += factor * b[k * M + j];
            }
        }
        for j in 0..M {
            c[i * M + j] -= row[j];
        }
    }
}

fn multiply_any(c: &mut [f64], a: &[f64], b: &[f64], (r, n, m): (usize, usize, usize)) {
    for i in 0..r {
        for k in 0..n {
            let factor = a[i * n + k];
            for j in 0..m {
                c[i * m + j] -= factor * b[k * m + j];
            }
        }
    }
}

/// Replaces the `n × n` block by its LU factors, reciprocals on the diagonal; `pivots` receives
/// the order in which its `n` rows were taken.
///
/// Rows are exchanged inside the block: its symmetric part is positive definite, so that is not
/// needed for existence, but a fast spinning body has a gyroscopic part a thousand times larger.
#[inline]
pub fn factor(a: &mut [f64], n: usize, pivots: &mut [u16]) {
    match n {
        3 => factor_loop(&mut a[..9], 3, &mut pivots[..3]),
        6 => factor_loop(&mut a[..36], 6, &mut pivots[..6]),
        _ => factor_loop(a, n, pivots),
    }
}

#[inline(always)]
fn factor_loop(a: &mut [f64], n: usize, pivots: &mut [u16]) {
    for p in 0..n {
        let mut best = p;
        for i in p + 1..n {
            if a[i * n + p].abs() > a[best * n + p].abs() {
                best = i;
            }
        }
        pivots[p] = best as u16;
        if best != p {
            (0..n).for_each(|j| a.swap(p * n + j, best * n + j));
        }
        let inv = 1.0 / a[p * n + p];
        a[p * n + p] = inv;
        for i in p + 1..n {
            let l = a[i * n + p] * inv;
            a[i * n + p] = l;
            for j in p + 1..n {
                a[i * n + j] -= l * a[p * n + j];
            }
        }
    }
}

/// `x := x A⁻¹` for each of the `r` rows of `x`, with `A` (`n × n`) given by its factors.
#[inline]
pub fn divide_right(x: &mut [f64], lu: &[f64], pivots: &[u16], r: usize, n: usize) {
    match n {
        3 => (0..r).for_each(|i| divide_row(&mut x[i * 3..i * 3 + 3], &lu[..9], pivots, 3)),
        6 => (0..r).for_each(|i| divide_row(&mut x[i * 6..i * 6 + 6], &lu[..36], pivots, 6)),
        _ => (0..r).for_each(|i| divide_row(&mut x[i * n..i * n + n], lu, pivots, n)),
    }
}

#[inline(always)]
fn divide_row(x: &mut [f64], lu: &[f64], pivots: &[u16], n: usize) {
    // y U = x, then z L = y, then the columns back in order
    for j in 0..n {
        let y = x[j] * lu[j * n + j];
        x[j] = y;
        for k in j + 1..n {
            x[k] -= y * lu[j * n + k];
        }
    }
    for j in (1..n).rev() {
        let z = x[j];
        for k in 0..j {
            x[k] -= z * lu[j * n + k];
        }
    }
    for j in (0..n).rev() {
        x.swap(j, pivots[j] as usize);
    }
}

/// `x := A⁻¹ x` with `A` given by its factors.
#[inline]
pub fn divide_left(lu: &[f64], pivots: &[u16], x: &mut [f64]) {
    match x.len() {
        3 => divide_column(&lu[..9], pivots, &mut x[..3], 3),
        6 => divide_column(&lu[..36], pivots, &mut x[..6], 6),
        n => divide_column(lu, pivots, x, n),
    }
}

#[inline(always)]
fn divide_column(lu: &[f64], pivots: &[u16], x: &mut [f64], n: usize) {
    for (i, &pivot) in pivots[..n].iter().enumerate() {
        x.swap(i, pivot as usize);
    }
    for i in 1..n {
        let mut s = x[i];
        for k in 0..i {
            s -= lu[i * n + k] * x[k];
        }
        x[i] = s;
    }
    for i in (0..n).rev() {
        let mut s = x[i];
        for k in i + 1..n {
            s -= lu[i * n + k] * x[k];
        }
        x[i] = s * lu[i * n + i];
    }
}

/// `y −= a x` with `a` of `y.len() × x.len()`.
#[inline]
pub fn apply_subtract(y: &mut [f64], a: &[f64], x: &[f64]) {
    match (y.len(), x.len()) {
        (3, 3) => apply_fixed::<3, 3>(y, a, x),
        (3, 6) => apply_fixed::<3, 6>(y, a, x),
        (6, 3) => apply_fixed::<6, 3>(y, a, x),
        (6, 6) => apply_fixed::<6, 6>(y, a, x),
        (_, n) => {
            for (out, row) in y.iter_mut().zip(a.chunks_exact(n)) {
                *out -= row.iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
            }
        }
    }
}

#[inline(always)]
fn apply_fixed<const R: usize, const N: usize>(y: &mut [f64], a: &[f64], x: &[f64]) {
    let (y, a, x) = (&mut y[..R], &a[..R * N], &x[..N]);
    for i in 0..R {
        let mut s = 0.0;
        for k in 0..N {
            s += a[i * N + k] * x[k];
        }
        y[i] -= s;
    }
}
