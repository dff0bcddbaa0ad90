//! Round numbers along an axis, and how they are written.

use crate::figure::number::{decade, minus, power, short, superscript};
use crate::figure::range::Span;
use crate::figure::{Axis, Scale};

/// Marks of an axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Ticks {
    /// Labelled places, in the axis' unit, and their labels.
    pub major: Vec<(f64, String)>,
    /// Unlabelled places between them.
    pub minor: Vec<f64>,
    /// The axis' label with the unit that the labels are in.
    pub caption: String,
}

/// Finds at most about `count` round numbers in a stretch.
pub(crate) fn ticks(axis: &Axis, span: &Span, count: f64) -> Ticks {
    match span.scale {
        Scale::Linear => linear(axis, span, count.max(2.0)),
        Scale::Log => log(axis, span, count.max(2.0)),
    }
}

/// The label with its unit in brackets.
pub(crate) fn caption(label: &str, unit: &str) -> String {
    match (label.is_empty(), unit.is_empty()) {
        (_, true) => label.to_string(),
        (true, false) => format!("[{unit}]"),
        (false, false) => format!("{label} [{unit}]"),
    }
}

fn linear(axis: &Axis, span: &Span, count: f64) -> Ticks {
    let step = round_step((span.high - span.low) / count);
    let first = (span.low / step - 1e-9).ceil();
    let last = (span.high / step + 1e-9).floor();
    let places: Vec<f64> =
        (0..=((last - first).clamp(0.0, 50.0) as usize)).map(|i| first + i as f64).collect();
    let offset = common_offset(span, step);
    let widest = (span.low - offset).abs().max((span.high - offset).abs());
    let exponent = common_exponent(widest, &axis.unit);
    let decimals = (exponent - decade(step * (1.0 + 1e-9))).max(0) as usize;
    let label = |place: f64| {
        let value = (place * step - offset) / power(exponent);
        let text = format!("{value:.decimals$}");
        // no signed zero
        let zero = text.trim_start_matches('-').chars().all(|c| matches!(c, '0' | '.'));
        minus(if zero { text.trim_start_matches('-') } else { &text })
    };
    let major = places.iter().map(|place| (place * step, label(*place))).collect();
    let parts = if (step / power(decade(step))).round() == 2.0 { 4 } else { 5 };
    let minor = (0..=places.len() * parts)
        .map(|i| (first - 1.0 + i as f64 / parts as f64) * step)
        .filter(|value| span.holds(*value))
        .collect();
    Ticks { major, minor, caption: linear_caption(axis, offset, exponent) }
}

/// The round number 1, 2 or 5 times a power of ten at or above `step`.
fn round_step(step: f64) -> f64 {
    let unit = power(decade(step)).max(1e-300);
    let share = step / unit;
    let round = [1.0, 2.0, 5.0].into_iter().find(|r| share <= r * (1.0 + 1e-9)).unwrap_or(10.0);
    round * unit
}

/// What to subtract from all labels, when they differ only in their last digits.
fn common_offset(span: &Span, step: f64) -> f64 {
    let largest = span.low.abs().max(span.high.abs());
    if largest < 2e4 * step || span.low * span.high <= 0.0 {
        return 0.0;
    }
    let coarse = power(decade(span.high - span.low) + 1);
    let middle = 0.5 * span.low + 0.5 * span.high;
    let offset = (middle / coarse).round() * coarse;
    if offset.is_finite() { offset } else { 0.0 }
}

/// The power of ten that all labels are divided by: a multiple of three, or 0 for handy values.
fn common_exponent(widest: f64, unit: &str) -> i32 {
    let handy = if prefixed(unit, -3).is_some() { 0.1 } else { 0.01 };
    if (handy..1e4).contains(&widest) || widest == 0.0 {
        return 0;
    }
    decade(widest).div_euclid(3) * 3
}

fn linear_caption(axis: &Axis, offset: f64, exponent: i32) -> String {
    let mut label = axis.label.clone();
    if offset != 0.0 {
        let sign = if offset < 0.0 { '+' } else { '−' };
        let unit = if axis.unit.is_empty() { String::new() } else { format!(" {}", axis.unit) };
        label = format!("{label} {sign} {}{unit}", short(offset.abs(), 15));
    }
    if exponent == 0 {
        return caption(&label, &axis.unit);
    }
    let unit = prefixed(&axis.unit, exponent).unwrap_or_else(|| {
        format!("10{} {}", superscript(exponent), axis.unit).trim_end().to_string()
    });
    caption(&label, &unit)
}

/// The unit with an SI prefix for `10^exponent`, where that is unambiguous.
fn prefixed(unit: &str, exponent: i32) -> Option<String> {
    const PREFIXES: [(i32, &str); 8] =
        [(-12, "p"), (-9, "n"), (-6, "µ"), (-3, "m"), (3, "k"), (6, "M"), (9, "G"), (12, "T")];
    const UNITS: [&str; 10] = ["s", "m", "N", "J", "W", "Hz", "Pa", "V", "A", "rad"];
    let end = unit.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(unit.len());
    let (symbol, rest) = unit.split_at(end);
    // a power right behind the symbol would apply to the prefix too
    let plain = rest.is_empty() || rest.starts_with(['/', '·', ' ', '*']);
    let (_, prefix) = PREFIXES.iter().find(|(power, _)| *power == exponent)?;
    (plain && UNITS.contains(&symbol)).then(|| format!("{prefix}{unit}"))
}

fn log(axis: &Axis, span: &Span, count: f64) -> Ticks {
    let (first, last) = (span.low.floor() as i32, span.high.ceil() as i32);
    let decades = span.high - span.low;
    let caption = caption(&axis.label, &axis.unit);
    let factors: &[f64] = match decades {
        d if d <= 1.2 => &[1.0, 2.0, 3.0, 5.0, 7.0],
        d if d <= 2.0 => &[1.0, 2.0, 5.0],
        _ => &[1.0],
    };
    let stride = (decades / count).ceil().max(1.0) as i32;
    let whole = (first..=last).filter(|e| e.rem_euclid(stride) == 0);
    let values = whole.flat_map(|e| factors.iter().map(move |f| (f * power(e), *f, e)));
    let seen = values.filter(|(value, ..)| span.holds(*value));
    let major: Vec<_> = seen.map(|(value, f, e)| (value, log_label(value, f, e))).collect();
    if major.len() < 2 && decades < 1.0 {
        return narrow_log(axis, span, count);
    }
    let inner: &[i32] = match decades / count {
        crowd if crowd <= 0.6 => &[2, 3, 4, 5, 6, 7, 8, 9],
        crowd if crowd <= 1.0 => &[2, 5],
        _ => &[1],
    };
    let minor = (first..=last).flat_map(|e| inner.iter().map(move |f| f64::from(*f) * power(e)));
    let minor = minor.filter(|value| span.holds(*value)).take(400).collect();
    Ticks { major, minor, caption }
}

fn log_label(value: f64, factor: f64, exponent: i32) -> String {
    match exponent {
        -1..=2 if factor != 1.0 => short(value, 2),
        _ if factor == 1.0 => format!("10{}", superscript(exponent)),
        _ => format!("{factor}·10{}", superscript(exponent)),
    }
}

/// A logarithmic axis too short for round ratios is marked like a linear one.
fn narrow_log(axis: &Axis, span: &Span, count: f64) -> Ticks {
    let (low, high) = (10f64.powf(span.low), 10f64.powf(span.high));
    let flat = Span { low, high, scale: Scale::Linear };
    if high - low > 1e-290 && (high - low).is_finite() {
        linear(axis, &flat, count)
    } else {
        Ticks { caption: caption(&axis.label, &axis.unit), ..Ticks::default() }
    }
}
