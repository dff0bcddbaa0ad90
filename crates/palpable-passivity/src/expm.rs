//! The matrix exponential.

use nalgebra::DMatrix;

const TERMS: u32 = 20;

/// `e^A` by scaling to norm 1/2 or less, Taylor series, and squaring.
///
/// Twenty terms leave `2^-20/20!`, below rounding. Entries that are not finite stay so.
pub(crate) fn expm(a: &DMatrix<f64>) -> DMatrix<f64> {
    let n = a.nrows();
    let norm = a.column_iter().map(|c| c.iter().map(|x| x.abs()).sum::<f64>()).fold(0.0, f64::max);
    let squarings = if norm > 0.5 { (norm / 0.5).log2().ceil().clamp(0.0, 60.0) as i32 } else { 0 };
    let scaled = a * 2f64.powi(-squarings);
    let mut sum = DMatrix::identity(n, n);
    let mut term = DMatrix::identity(n, n);
    for k in 1..=TERMS {
        term = &term * &scaled / f64::from(k);
        sum += &term;
    }
    for _ in 0..squarings {
        sum = &sum * &sum;
    }
    sum
}

/// State and input matrices over `h` [s] of `ẋ = A x + g u`, `u` held.
pub fn discretise(a: &DMatrix<f64>, g: &DMatrix<f64>, h: f64) -> (DMatrix<f64>, DMatrix<f64>) {
    let n = a.nrows();
    let mut whole = DMatrix::zeros(n + 1, n + 1);
    whole.view_mut((0, 0), (n, n)).copy_from(&(a * h));
    whole.view_mut((0, n), (n, 1)).copy_from(&(g * h));
    let e = expm(&whole);
    (e.view((0, 0), (n, n)).into_owned(), e.view((0, n), (n, 1)).into_owned())
}
