//! Real roots and minima of small polynomials.

/// Coefficients in ascending order, degree as high as wanted.
pub(super) fn evaluate(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c)
}

/// Coefficients of the derivative.
pub(super) fn derivative(coefficients: &[f64]) -> Vec<f64> {
    coefficients.iter().enumerate().skip(1).map(|(n, c)| n as f64 * c).collect()
}

/// A lower bound of the polynomial over all reals, tight to rounding; `coefficients` must have
/// even degree and a positive leading coefficient, or be constant.
///
/// The minimum lies at a root of the derivative. It is lowered by the rounding error of its own
/// evaluation, so that it is a bound.
pub(super) fn lower_bound(coefficients: &[f64]) -> f64 {
    let candidates = real_roots(&derivative(coefficients));
    let bound = |x: f64| {
        let magnitude = coefficients.iter().rev().fold(0.0, |sum, c| sum * x.abs() + c.abs());
        evaluate(coefficients, x) - 16.0 * f64::EPSILON * magnitude
    };
    candidates.into_iter().map(bound).fold(bound(0.0), f64::min)
}

/// Real roots where the sign changes, and the roots of the derivatives, in ascending order.
///
/// Between neighbouring roots of its derivative a polynomial is monotone, so one bisection finds
/// the root there, if any. The extra points cost nothing where only candidates are wanted.
fn real_roots(coefficients: &[f64]) -> Vec<f64> {
    let degree = coefficients.iter().rposition(|c| *c != 0.0).unwrap_or(0);
    let coefficients = &coefficients[..coefficients.len().min(degree + 1)];
    if degree == 0 {
        return Vec::new();
    }
    let mut points = real_roots(&derivative(coefficients));
    let reach = reach(coefficients);
    let mut ends = vec![-reach];
    ends.extend_from_slice(&points);
    ends.push(reach);
    points.extend(ends.windows(2).filter_map(|pair| bisect(coefficients, pair[0], pair[1])));
    points.sort_by(f64::total_cmp);
    points
}

/// No root is further from zero (Cauchy's bound); capped where powers would overflow.
fn reach(coefficients: &[f64]) -> f64 {
    let Some((leading, rest)) = coefficients.split_last() else { return 1.0 };
    let ratio = rest.iter().map(|c| (c / leading).abs()).fold(0.0, f64::max);
    (1.0 + ratio).min(1e40)
}

fn bisect(coefficients: &[f64], mut lower: f64, mut upper: f64) -> Option<f64> {
    let rising = evaluate(coefficients, upper) > 0.0;
    if rising == (evaluate(coefficients, lower) > 0.0) {
        return None;
    }
    // from 1e40 to the last place of a root of 1e-270
    for _ in 0..1200 {
        let middle = 0.5 * (lower + upper);
        if middle <= lower || middle >= upper {
            break;
        }
        if (evaluate(coefficients, middle) > 0.0) == rising {
            upper = middle;
        } else {
            lower = middle;
        }
    }
    Some(lower)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lower_bound_of_a_tilted_double_well_is_its_deeper_minimum() {
        // (x² − 1)² + x/2 has its minimum at the root of 4x³ − 4x + 1/2 near −1.0574
        let bound = lower_bound(&[1.0, 0.5, -2.0, 0.0, 1.0]);
        let sampled = (-2_000_000..0).map(|i| i as f64 * 1e-6);
        let lowest = sampled.map(|x| (x * x - 1.0).powi(2) + 0.5 * x).fold(f64::INFINITY, f64::min);
        // a sample within 5e-7 of the minimum is at most ½ φ'' (5e-7)² = 1.2e-12 above it
        assert!(bound <= lowest && lowest - bound <= 2e-12, "{bound} {lowest}");
    }

    #[test]
    fn the_lower_bound_of_a_constant_is_itself_to_rounding() {
        assert!((lower_bound(&[3.0]) - 3.0).abs() <= 1e-13);
        assert_eq!(lower_bound(&[0.0]), 0.0);
        assert_eq!(lower_bound(&[]), 0.0);
    }
}
