//! Dense matrices of moderate size, in place and without allocation.

/// Dense matrix whose size is known at run time.
pub type Matrix = nalgebra::DMatrix<f64>;

/// Replaces the lower triangle of a symmetric matrix by its Cholesky factor and clears the rest;
/// returns false (and leaves rubbish) unless the matrix is positive definite.
pub fn cholesky(a: &mut Matrix) -> bool {
    let n = a.nrows();
    for j in 0..n {
        let mut pivot = a[(j, j)];
        for k in 0..j {
            pivot -= a[(j, k)] * a[(j, k)];
        }
        if !(pivot > 0.0) {
            return false;
        }
        let root = pivot.sqrt();
        a[(j, j)] = root;
        for i in j + 1..n {
            let mut s = a[(i, j)];
            for k in 0..j {
                s -= a[(i, k)] * a[(j, k)];
            }
            a[(i, j)] = s / root;
        }
        for k in j + 1..n {
            a[(j, k)] = 0.0;
        }
    }
    true
}

/// `x := L⁻¹ x`.
pub fn solve_lower(l: &Matrix, x: &mut [f64]) {
    for i in 0..x.len() {
        let mut s = x[i];
        for k in 0..i {
            s -= l[(i, k)] * x[k];
        }
        x[i] = s / l[(i, i)];
    }
}

/// `x := L⁻ᵀ x`.
pub fn solve_upper(l: &Matrix, x: &mut [f64]) {
    for i in (0..x.len()).rev() {
        let mut s = x[i];
        for k in i + 1..x.len() {
            s -= l[(k, i)] * x[k];
        }
        x[i] = s / l[(i, i)];
    }
}

/// `x := Lᵀ x`.
pub fn apply_transposed(l: &Matrix, x: &mut [f64]) {
    for i in 0..x.len() {
        x[i] = (i..x.len()).map(|k| l[(k, i)] * x[k]).sum();
    }
}

/// `X := L⁻¹ X L⁻ᵀ`; `row` has room for one row.
pub fn congruence(l: &Matrix, x: &mut Matrix, row: &mut [f64]) {
    let n = x.nrows();
    for mut column in x.column_iter_mut() {
        solve_lower(l, column.as_mut_slice());
    }
    // (L⁻¹ Yᵀ)ᵀ = Y L⁻ᵀ, row by row
    for i in 0..n {
        (0..n).for_each(|j| row[j] = x[(i, j)]);
        solve_lower(l, &mut row[..n]);
        (0..n).for_each(|j| x[(i, j)] = row[j]);
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
        congruence(&l, &mut c, &mut [0.0; 5]);
        assert!((c - Matrix::identity(5, 5)).amax() < 1e-13);
    }

    #[test]
    fn an_indefinite_matrix_is_refused() {
        let mut a = Matrix::from_row_slice(2, 2, &[1.0, 2.0, 2.0, 1.0]);
        assert!(!cholesky(&mut a));
    }
}
