//! The matrix exponential, by scaling and squaring `[Higham2005]`.

use nalgebra::allocator::Allocator;
use nalgebra::{DMatrix, DefaultAllocator, Dim, OMatrix};

/// Terms of the series: they leave `2^-20/20!`, below rounding.
const TERMS: u32 = 20;

/// `e^A` by scaling to norm 1/2 or less, Taylor series, and squaring; without allocation for a
/// matrix of fixed size.
///
/// Entries that are not finite stay so. nalgebra's own squares as often as the norm asks for, which
/// for an infinite one is for ever.
pub fn expm<D: Dim>(a: &OMatrix<f64, D, D>) -> OMatrix<f64, D, D>
where
    DefaultAllocator: Allocator<D, D>,
{
    let (n, _) = a.shape_generic();
    let norm = a.column_iter().map(|c| c.iter().map(|x| x.abs()).sum::<f64>()).fold(0.0, f64::max);
    let squarings = if norm > 0.5 { (norm / 0.5).log2().ceil().clamp(0.0, 60.0) as i32 } else { 0 };
    let scaled = a * 2f64.powi(-squarings);
    let mut sum = OMatrix::<f64, D, D>::identity_generic(n, n);
    let mut term = sum.clone();
    for k in 1..=TERMS {
        term = &term * &scaled / f64::from(k);
        sum += &term;
    }
    for _ in 0..squarings {
        sum = &sum * &sum;
    }
    sum
}

/// What a linear system does over a period in which its input is held: `x⁺ = phi x + gamma u`.
#[derive(Debug, Clone, PartialEq)]
pub struct Discrete {
    /// State matrix.
    pub phi: DMatrix<f64>,
    /// Input matrix, one column.
    pub gamma: DMatrix<f64>,
}

impl Discrete {
    /// Of `ẋ = A x + g u` over `h` [s].
    pub fn new(a: &DMatrix<f64>, g: &DMatrix<f64>, h: f64) -> Self {
        let n = a.nrows();
        let mut whole = DMatrix::zeros(n + 1, n + 1);
        whole.view_mut((0, 0), (n, n)).copy_from(&(a * h));
        whole.view_mut((0, n), (n, 1)).copy_from(&(g * h));
        let e = expm(&whole);
        Self {
            phi: e.view((0, 0), (n, n)).into_owned(),
            gamma: e.view((0, n), (n, 1)).into_owned(),
        }
    }
}
