//! Non-negative least squares.

use nalgebra::{DMatrix, DVector};

/// `x >= 0` minimising `|A x - y|`, by Lawson and Hanson's active-set method.
///
/// Ends after at most `3 n` exchanges; the best vector reached is returned.
pub(crate) fn nnls(a: &DMatrix<f64>, y: &DVector<f64>) -> DVector<f64> {
    let n = a.ncols();
    let mut x = DVector::zeros(n);
    let mut passive = vec![false; n];
    let tolerance = 1e-14 * a.amax() * y.amax();
    for _ in 0..3 * n {
        let gradient = a.transpose() * (y - a * &x);
        let entering = (0..n)
            .filter(|&i| !passive[i] && gradient[i] > tolerance)
            .max_by(|&i, &j| gradient[i].total_cmp(&gradient[j]));
        let Some(entering) = entering else { break };
        passive[entering] = true;
        if !settle(a, y, &mut x, &mut passive) {
            break;
        }
    }
    x
}

/// Solves on the passive set, dropping entries that would turn negative.
fn settle(a: &DMatrix<f64>, y: &DVector<f64>, x: &mut DVector<f64>, passive: &mut [bool]) -> bool {
    loop {
        let chosen: Vec<usize> = (0..passive.len()).filter(|&i| passive[i]).collect();
        if chosen.is_empty() {
            return true;
        }
        let Some(z) = least_squares(&a.select_columns(&chosen), y) else { return false };
        let blocked = chosen
            .iter()
            .zip(z.iter())
            .filter(|(_, z)| **z <= 0.0)
            .map(|(&i, z)| x[i] / (x[i] - z))
            .fold(f64::INFINITY, f64::min);
        let step = blocked.min(1.0);
        for (&i, z) in chosen.iter().zip(z.iter()) {
            x[i] += step * (z - x[i]);
        }
        if blocked > 1.0 {
            return true;
        }
        for &i in &chosen {
            if x[i] <= 1e-15 * x.amax() {
                x[i] = 0.0;
                passive[i] = false;
            }
        }
    }
}

fn least_squares(a: &DMatrix<f64>, y: &DVector<f64>) -> Option<DVector<f64>> {
    if a.ncols() > a.nrows() {
        return None;
    }
    let qr = a.clone().qr();
    let top = qr.q().transpose() * y;
    qr.r().solve_upper_triangular(&top).filter(|z| z.iter().all(|v| v.is_finite()))
}
