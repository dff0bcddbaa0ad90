//! Numbers with units, such as `"2 kN/m"`: SI units with prefixes, their products and powers.

use std::f64::consts::PI;

/// Powers of metre, kilogram, second and radian.
pub type Powers = [i32; 4];

/// A number in SI units and what it measures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// In SI units.
    pub value: f64,
    /// What it measures.
    pub powers: Powers,
}

/// A symbol: `factor` times ten to the power of `tens` in SI. Kept apart, so that `"10 mg"` and
/// `1e-5` are the same number to the last digit.
#[derive(Clone, Copy)]
struct Unit {
    factor: f64,
    tens: i32,
    powers: Powers,
}

const fn unit(factor: f64, tens: i32, powers: Powers) -> Unit {
    Unit { factor, tens, powers }
}

/// Units that take prefixes.
const UNITS: [(&str, Unit); 10] = [
    ("m", unit(1.0, 0, [1, 0, 0, 0])),
    ("g", unit(1.0, -3, [0, 1, 0, 0])),
    ("s", unit(1.0, 0, [0, 0, 1, 0])),
    ("N", unit(1.0, 0, [1, 1, -2, 0])),
    ("Ns", unit(1.0, 0, [1, 1, -1, 0])),
    ("J", unit(1.0, 0, [2, 1, -2, 0])),
    ("W", unit(1.0, 0, [2, 1, -3, 0])),
    ("Pa", unit(1.0, 0, [-1, 1, -2, 0])),
    ("Hz", unit(1.0, 0, [0, 0, -1, 0])),
    ("rad", unit(1.0, 0, [0, 0, 0, 1])),
];

/// Units that do not; looked up first, so that `min` is no milli-inch.
const WHOLE: [(&str, Unit); 8] = [
    ("min", unit(60.0, 0, [0, 0, 1, 0])),
    ("h", unit(3600.0, 0, [0, 0, 1, 0])),
    ("deg", unit(PI / 180.0, 0, [0, 0, 0, 1])),
    ("°", unit(PI / 180.0, 0, [0, 0, 0, 1])),
    ("rpm", unit(PI / 30.0, 0, [0, 0, -1, 1])),
    ("t", unit(1.0, 3, [0, 1, 0, 0])),
    ("L", unit(1.0, -3, [3, 0, 0, 0])),
    ("1", unit(1.0, 0, [0, 0, 0, 0])),
];

/// Power of ten of each prefix; both code points of µ are in use.
const PREFIXES: [(&str, i32); 13] = [
    ("p", -12),
    ("n", -9),
    ("u", -6),
    ("µ", -6),
    ("μ", -6),
    ("m", -3),
    ("c", -2),
    ("d", -1),
    ("h", 2),
    ("k", 3),
    ("M", 6),
    ("G", 9),
    ("T", 12),
];

/// What is wrong with a number with a unit, in words.
#[derive(Debug, Clone, PartialEq)]
pub enum UnitError {
    /// Does not begin with a number.
    Number,
    /// No unit after the number.
    Missing,
    /// This symbol is not known.
    Symbol(String),
    /// A power that is no small whole number.
    Power(String),
}

impl std::fmt::Display for UnitError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            UnitError::Number => write!(f, "a text that does not begin with a number"),
            UnitError::Missing => write!(f, "a number in quotes without a unit"),
            UnitError::Symbol(symbol) => write!(f, "the unknown unit `{symbol}`"),
            UnitError::Power(text) => write!(f, "the power `{text}`, which is not -9 to 9"),
        }
    }
}

/// Reads a number followed by units: factors joined by space, `*`, `·` or `/`, each with an
/// optional power as `^2`, `2` or `²`. A `/` divides by the one factor after it.
///
/// # Errors
/// What is wrong, in words.
///
/// ```
/// let stiffness = palpable_units::parse("2.5 N/mm").unwrap();
/// assert_eq!((stiffness.value, stiffness.powers), (2500.0, [0, 1, -2, 0]));
/// ```
pub fn parse(text: &str) -> Result<Measured, UnitError> {
    let text = text.trim();
    let (number, units) = text.split_at(number_length(text));
    let mut value: f64 = number.replace('_', "").parse().map_err(|_| UnitError::Number)?;
    if units.trim().is_empty() {
        return Err(UnitError::Missing);
    }
    let (mut powers, mut tens) = ([0; 4], 0);
    for (factor, sign) in factors(units) {
        let (unit, power) = read_factor(factor)?;
        value *= unit.factor.powi(sign * power);
        tens += sign * power * unit.tens;
        for (sum, p) in powers.iter_mut().zip(unit.powers) {
            *sum += sign * power * p;
        }
    }
    // powers of ten up to 22 are exact, so this rounds once
    let value = if tens < 0 { value / 10f64.powi(-tens) } else { value * 10f64.powi(tens) };
    Ok(Measured { value, powers })
}

/// What stands after the number.
pub fn unit_of(text: &str) -> &str {
    let text = text.trim();
    text[number_length(text)..].trim()
}

/// Bytes that belong to the number: `e` counts only if an exponent follows.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_digit = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_digit);
    let is_sign = |i: usize| matches!(bytes.get(i), Some(b'+' | b'-'));
    let mut at = usize::from(is_sign(0));
    while is_digit(at) || matches!(bytes.get(at), Some(b'.' | b'_')) {
        at += 1;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let digits = at + 1 + usize::from(is_sign(at + 1));
        if is_digit(digits) {
            at = digits;
            while is_digit(at) {
                at += 1;
            }
        }
    }
    at
}

/// Splits at blanks, `*`, `·` and `/`; the sign of a factor after `/` is −1.
fn factors(units: &str) -> impl Iterator<Item = (&str, i32)> {
    let mut sign = 1;
    units.split_inclusive([' ', '\t', '*', '·', '⋅', '/']).filter_map(move |piece| {
        let factor = piece.trim_end_matches([' ', '\t', '*', '·', '⋅', '/']);
        let own = sign;
        if !factor.is_empty() {
            sign = 1;
        }
        if piece.ends_with('/') {
            sign = -1;
        }
        (!factor.is_empty()).then_some((factor, own))
    })
}

/// Unit and power of one factor such as `mm^2`.
fn read_factor(factor: &str) -> Result<(Unit, i32), UnitError> {
    let is_power = |c: char| c.is_ascii_digit() || "^+-⁻¹²³⁴".contains(c);
    // the unit `1` of `1/s` is the one that looks like a power
    let split = match factor.char_indices().skip(1).find(|(_, c)| is_power(*c)) {
        Some((at, _)) => at,
        None => factor.len(),
    };
    let (symbol, exponent) = factor.split_at(split);
    let unit = look_up(symbol).ok_or_else(|| UnitError::Symbol(symbol.to_owned()))?;
    Ok((unit, read_power(exponent)?))
}

fn read_power(text: &str) -> Result<i32, UnitError> {
    if text.is_empty() {
        return Ok(1);
    }
    let plain = |c| match c {
        '⁻' => '-',
        '¹' => '1',
        '²' => '2',
        '³' => '3',
        '⁴' => '4',
        c => c,
    };
    let digits: String = text.strip_prefix('^').unwrap_or(text).chars().map(plain).collect();
    match digits.parse::<i32>() {
        Ok(power) if power.abs() <= 9 => Ok(power),
        _ => Err(UnitError::Power(text.to_owned())),
    }
}

fn look_up(symbol: &str) -> Option<Unit> {
    if let Some((_, unit)) = WHOLE.iter().chain(&UNITS).find(|(name, _)| *name == symbol) {
        return Some(*unit);
    }
    PREFIXES.iter().find_map(|(prefix, tens)| {
        let rest = symbol.strip_prefix(prefix)?;
        let (_, unit) = UNITS.iter().find(|(name, _)| *name == rest)?;
        Some(Unit { tens: unit.tens + tens, ..*unit })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> (f64, Powers) {
        let measured = parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        (measured.value, measured.powers)
    }

    #[test]
    fn units_are_converted_to_si_with_their_powers() {
        assert_eq!(value("2 kN/m"), (2000.0, [0, 1, -2, 0]));
        assert_eq!(value("10 ms"), (0.01, [0, 0, 1, 0]));
        assert_eq!(value("5g"), (0.005, [0, 1, 0, 0]));
        assert_eq!(value("1 kg"), (1.0, [0, 1, 0, 0]));
        assert_eq!(value("180 deg"), (PI, [0, 0, 0, 1]));
        assert_eq!(value("9.81 m/s^2"), (9.81, [1, 0, -2, 0]));
        assert_eq!(value("9.81 m/s²"), value("9.81 m s⁻²"));
        assert_eq!(value("1.5 N·m/rad"), (1.5, [2, 1, -2, -1]));
        assert_eq!(value("3 N*s/m"), value("3 kg/s"));
        assert_eq!(value("3 Ns/m"), value("3 N·s/m"));
        assert_eq!(value("2 1/s"), (2.0, [0, 0, -1, 0]));
        assert_eq!(value("1 kg / m3"), (1.0, [-3, 1, 0, 0]));
        assert_eq!(value("-1e-3 mm"), (-1e-6, [1, 0, 0, 0]));
        assert_eq!(value("60 rpm"), (2.0 * PI, [0, 0, -1, 1]));
        assert_eq!(value("2 min").0, 120.0);
        assert_eq!(value("10 mg").0, 1e-5);
        assert_eq!(value("7 um").0, 7e-6);
        assert_eq!(value("3 µm"), value("3 um"));
    }

    #[test]
    fn what_is_no_quantity_is_refused_with_its_reason() {
        assert_eq!(parse("fast"), Err(UnitError::Number));
        assert_eq!(parse(""), Err(UnitError::Number));
        assert_eq!(parse("5"), Err(UnitError::Missing));
        assert_eq!(parse("5 furlong"), Err(UnitError::Symbol("furlong".to_owned())));
        assert_eq!(parse("5 m^99"), Err(UnitError::Power("^99".to_owned())));
        assert_eq!(parse("5 m^"), Err(UnitError::Power("^".to_owned())));
    }
}
