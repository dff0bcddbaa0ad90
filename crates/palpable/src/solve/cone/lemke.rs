//! Lemke's method `[Cottle1992, ch. 4]` for the linear complementarity problem: dense, offline,
//! allocates.
//!
//! Kept as a reference and for the papers' own contact law; it has no use when stopped early.

/// Why no solution was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LemkeError {
    /// The path ended on a ray.
    #[error("the path ended on a ray: no solution along it, try the cone solver")]
    Ray,
    /// Too many pivots.
    #[error("no end after {0} pivots: try the cone solver")]
    Pivots(usize),
    /// `matrix` is not `q.len()` squared, or a number is not finite.
    #[error("`matrix` must be q.len() squared and all numbers finite")]
    Shape,
}

/// Entries below this, relative to the largest of their column, are no pivots.
const TINY: f64 = 1e-11;
/// Ratios that differ by less than this part are ties. Corners of one face give equal ratios up to
/// the rounding of the pivots so far: with 1e-12 a box on the floor ends on a ray.
const TIE: f64 = 1e-9;

/// `w = M z + q`, `0 ≤ w ⟂ z ≥ 0`: returns `z`. `matrix` is row-major.
///
/// Covering vector of ones; ties of the ratio test are broken lexicographically, so that it cannot
/// cycle in exact arithmetic.
pub fn lemke(matrix: &[f64], q: &[f64]) -> Result<Vec<f64>, LemkeError> {
    lemke_within(matrix, q, 50 * q.len() + 100)
}

/// The same with `most` pivots at most.
pub fn lemke_within(matrix: &[f64], q: &[f64], most: usize) -> Result<Vec<f64>, LemkeError> {
    let n = q.len();
    if matrix.len() != n * n || !matrix.iter().chain(q).all(|x| x.is_finite()) {
        return Err(LemkeError::Shape);
    }
    if q.iter().all(|q| *q >= 0.0) {
        return Ok(vec![0.0; n]);
    }
    let mut tableau = Tableau::new(matrix, q);
    let mut row = (0..n).fold(0, |best, i| if q[i] < q[best] { i } else { best });
    let mut entering = tableau.artificial();
    for _ in 0..most {
        let leaving = tableau.pivot(row, entering);
        if leaving == tableau.artificial() {
            return Ok(tableau.solution());
        }
        // the complement of what left: w_i ↔ z_i
        entering = if leaving < n { leaving + n } else { leaving - n };
        row = tableau.ratio_test(entering).ok_or(LemkeError::Ray)?;
    }
    Err(LemkeError::Pivots(most))
}

/// Columns: w (0..n), z (n..2n), the artificial variable, q.
struct Tableau {
    n: usize,
    columns: usize,
    a: Vec<f64>,
    basis: Vec<usize>,
}

impl Tableau {
    fn new(matrix: &[f64], q: &[f64]) -> Self {
        let (n, columns) = (q.len(), 2 * q.len() + 2);
        let mut a = vec![0.0; n * columns];
        for (i, row) in a.chunks_exact_mut(columns).enumerate() {
            row[i] = 1.0;
            for j in 0..n {
                row[n + j] = -matrix[i * n + j];
            }
            row[2 * n] = -1.0;
            row[2 * n + 1] = q[i];
        }
        Self { n, columns, a, basis: (0..n).collect() }
    }

    fn artificial(&self) -> usize {
        2 * self.n
    }

    fn row(&self, i: usize) -> &[f64] {
        &self.a[i * self.columns..(i + 1) * self.columns]
    }

    /// Exchanges the basic variable of `row` for `entering`; returns the one that leaves.
    fn pivot(&mut self, row: usize, entering: usize) -> usize {
        let inv = 1.0 / self.row(row)[entering];
        let pivot: Vec<f64> = self.row(row).iter().map(|x| x * inv).collect();
        for (i, line) in self.a.chunks_exact_mut(self.columns).enumerate() {
            if i == row {
                line.copy_from_slice(&pivot);
            } else {
                let factor = line[entering];
                if factor != 0.0 {
                    line.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= factor * p);
                }
                line[entering] = 0.0;
            }
        }
        std::mem::replace(&mut self.basis[row], entering)
    }

    /// Row with the lexicographically least ratio; the artificial variable leaves if it may.
    fn ratio_test(&self, entering: usize) -> Option<usize> {
        let (n, last) = (self.n, self.columns - 1);
        let top = (0..n).fold(0.0, |a: f64, i| a.max(self.row(i)[entering].abs()));
        let mut best: Option<usize> = None;
        for i in (0..n).filter(|&i| self.row(i)[entering] > TINY * top) {
            let Some(b) = best else {
                best = Some(i);
                continue;
            };
            let (x, y) = (self.row(i), self.row(b));
            let (px, py) = (x[entering], y[entering]);
            let order = std::iter::once(last)
                .chain(0..n)
                .map(|c| (x[c] / px, y[c] / py))
                .find(|(s, t)| (s - t).abs() > TIE * (s.abs() + t.abs()));
            if order.is_some_and(|(s, t)| s < t) {
                best = Some(i);
            }
        }
        let b = best?;
        let least = self.row(b)[last] / self.row(b)[entering];
        let artificial = (0..n).find(|&i| self.basis[i] == self.artificial())?;
        let x = self.row(artificial);
        let ties = x[entering] > TINY * top && x[last] / x[entering] <= least + TIE * least.abs();
        Some(if ties { artificial } else { b })
    }

    fn solution(&self) -> Vec<f64> {
        let mut z = vec![0.0; self.n];
        for (i, &variable) in self.basis.iter().enumerate() {
            if (self.n..2 * self.n).contains(&variable) {
                z[variable - self.n] = self.row(i)[self.columns - 1].max(0.0);
            }
        }
        z
    }
}
