//! Numbers as short text.

const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

/// The exponent as raised digits.
pub(crate) fn superscript(exponent: i32) -> String {
    exponent
        .to_string()
        .chars()
        .map(|c| c.to_digit(10).map_or('⁻', |digit| RAISED[digit as usize]))
        .collect()
}

/// The value with at most `digits` significant digits: `0.25`, `1800`, `1.8·10⁻⁶`, `10³⁰⁰`.
pub(crate) fn short(value: f64, digits: usize) -> String {
    written(value, digits, false)
}

/// Values with three significant digits, all with powers of ten or all without, and in the latter
/// case with equally many decimals.
pub(crate) fn alike(values: &[f64]) -> Vec<String> {
    let plain: Vec<String> = values.iter().map(|v| short(*v, 3)).collect();
    if plain.iter().any(|label| label.contains("10") && label.contains(is_raised)) {
        return values.iter().map(|v| written(*v, 3, true)).collect();
    }
    let decimals = |label: &String| label.split_once('.').map_or(0, |(_, d)| d.chars().count());
    let most = plain.iter().map(decimals).max().unwrap_or(0);
    let padded = values.iter().zip(plain).map(|(value, label)| {
        if value.is_finite() { minus(&format!("{value:.most$}")) } else { label }
    });
    padded.collect()
}

fn is_raised(letter: char) -> bool {
    RAISED.contains(&letter)
}

/// The value as short text, with a power of ten where it must or where `powers` asks for it.
fn written(value: f64, digits: usize, powers: bool) -> String {
    if value.is_nan() {
        return "–".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "∞".into() } else { "−∞".into() };
    }
    if value == 0.0 {
        return "0".into();
    }
    let text = format!("{value:.*e}", digits.saturating_sub(1));
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if !powers && (-3..5).contains(&exponent) {
        let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
        return minus(trimmed(&format!("{value:.decimals$}")));
    }
    let power = format!("10{}", superscript(exponent));
    match trimmed(mantissa) {
        "1" => power,
        "-1" => format!("−{power}"),
        mantissa => minus(&format!("{mantissa}·{power}")),
    }
}

/// Without the zeros that end a decimal fraction.
fn trimmed(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// With a minus sign as wide as a plus.
pub(crate) fn minus(text: &str) -> String {
    text.replace('-', "−")
}

/// The decimal exponent of a positive finite value: floor(log10), safe against round-off.
pub(crate) fn decade(value: f64) -> i32 {
    if !(value > 0.0 && value.is_finite()) {
        return 0;
    }
    let guess = value.log10().floor() as i32;
    // the nearest neighbours settle values like 1000 whose logarithm rounds down
    if value / power(guess) >= 10.0 * (1.0 - 1e-12) { guess + 1 } else { guess }
}

/// Ten to a whole power, zero or infinite beyond the range of `f64`.
pub(crate) fn power(exponent: i32) -> f64 {
    format!("1e{exponent}").parse().unwrap_or(0.0)
}
