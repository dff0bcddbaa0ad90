//! The matrix exponential of fixed size, without allocation.

/// Four by four matrix.
pub(crate) type Mat4 = nalgebra::Matrix4<f64>;

/// Terms of the series: `2^-18/18!` is below rounding.
const TERMS: u32 = 18;

/// `e^A` by scaling to norm 1/2 or less, Taylor series, and squaring.
pub(crate) fn expm4(a: &Mat4) -> Mat4 {
    let norm = a.column_iter().map(|c| c.iter().map(|x| x.abs()).sum::<f64>()).fold(0.0, f64::max);
    let squarings = if norm > 0.5 { (norm / 0.5).log2().ceil().clamp(0.0, 60.0) as i32 } else { 0 };
    let scaled = a * 2f64.powi(-squarings);
    let (mut sum, mut term) = (Mat4::identity(), Mat4::identity());
    for k in 1..=TERMS {
        term = term * scaled / f64::from(k);
        sum += term;
    }
    for _ in 0..squarings {
        sum *= sum;
    }
    sum
}
