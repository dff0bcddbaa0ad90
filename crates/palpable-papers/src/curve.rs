//! Curves made fit to draw.

/// The values up to the first whose magnitude exceeds `limit`, that one included; no numbers after
/// it. A curve that diverges to and fro would hide the others.
pub(crate) fn until_gone(values: &[f64], limit: f64) -> Vec<f64> {
    let kept = values.iter().position(|v| !(v.abs() <= limit)).map_or(values.len(), |n| n + 1);
    let end = std::iter::repeat_n(f64::NAN, values.len() - kept);
    values[..kept].iter().copied().chain(end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_ends_with_its_first_value_beyond_the_limit() {
        let cut = until_gone(&[0.5, -1.0, 3.0, 0.0], 1.0);
        assert_eq!(cut[..3], [0.5, -1.0, 3.0]);
        assert!(cut[3].is_nan());
        assert_eq!(until_gone(&[0.5, 1.0], 1.0), [0.5, 1.0]);
        assert!(until_gone(&[f64::NAN, 1.0], 1.0)[1].is_nan());
    }
}
