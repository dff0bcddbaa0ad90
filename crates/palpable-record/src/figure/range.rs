//! From samples to the stretch of values that an axis shows.

use crate::figure::{Axis, Range, Scale};

/// The stretch of an axis, in scaled values (logarithms on a logarithmic axis).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Span {
    pub low: f64,
    pub high: f64,
    pub scale: Scale,
}

impl Span {
    /// Share of the stretch below `value`; not a number where the scale has no such value.
    pub fn share(&self, value: f64) -> f64 {
        let share = (scaled(value, self.scale) - self.low) / (self.high - self.low);
        // far outside is far outside: keeps pixel coordinates small
        if share.is_nan() { f64::NAN } else { share.clamp(-1e4, 1e4) }
    }

    /// Whether a value lies within the stretch, with a hair of tolerance.
    pub fn holds(&self, value: f64) -> bool {
        (-1e-9..=1.0 + 1e-9).contains(&self.share(value))
    }
}

/// A value on the axis' scale.
pub(crate) fn scaled(value: f64, scale: Scale) -> f64 {
    match scale {
        // so that the difference of two is finite too
        Scale::Linear if value.is_finite() => value.clamp(-1e300, 1e300),
        Scale::Linear => value,
        Scale::Log if value > 0.0 => value.log10(),
        Scale::Log => f64::NAN,
    }
}

/// The stretch for these series; `pad` is the free share left at both ends of automatic ranges.
pub(crate) fn span(axis: &Axis, series: &[&[f64]], pad: f64) -> Span {
    let scale = axis.scale;
    if let Range::Fixed(a, b) = axis.range {
        let (a, b) = (scaled(a, scale), scaled(b, scale));
        if a.is_finite() && b.is_finite() {
            return opened(a.min(b), a.max(b), scale);
        }
    }
    let found = match axis.range {
        Range::Robust => robust(series, scale),
        _ => extent(series.iter().flat_map(|s| s.iter().copied()), scale),
    };
    let include = extent(axis.include.iter().copied(), scale);
    let Some((low, high)) = union(found, include) else {
        return Span { low: 0.0, high: 1.0, scale };
    };
    let open = opened(low, high, scale);
    let margin = pad * (open.high - open.low);
    // bars and areas stand on zero: no gap below it
    let stands = low == 0.0 && scale == Scale::Linear && axis.include.contains(&0.0);
    Span { low: if stands { 0.0 } else { open.low - margin }, high: open.high + margin, scale }
}

/// Lowest and highest finite scaled value.
fn extent(values: impl Iterator<Item = f64>, scale: Scale) -> Option<(f64, f64)> {
    let scaled = values.filter(|v| v.is_finite()).map(|v| scaled(v, scale));
    scaled.filter(|v| v.is_finite()).fold(None, |found, v| {
        let (low, high) = found.unwrap_or((v, v));
        Some((f64::min(low, v), f64::max(high, v)))
    })
}

fn union(a: Option<(f64, f64)>, b: Option<(f64, f64)>) -> Option<(f64, f64)> {
    match (a, b) {
        (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
        (a, b) => a.or(b),
    }
}

/// A stretch of some width around one that may have none.
fn opened(low: f64, high: f64, scale: Scale) -> Span {
    let largest = low.abs().max(high.abs());
    let enough = (1e-12 * largest).max(1e-290);
    if high - low >= enough {
        return Span { low, high, scale };
    }
    let middle = 0.5 * low + 0.5 * high;
    let half = match scale {
        Scale::Log => 0.5,
        Scale::Linear if largest < 1e-290 => 1.0,
        // a constant: some tenths of it to both sides
        Scale::Linear => 0.1 * largest,
    };
    Span { low: middle - half, high: middle + half, scale }
}

/// Times the calm series' extent beyond which a series counts as diverging.
const DIVERGES: f64 = 10.0;

/// The union of the series that are not ten times wider than the calmer half of all; a lone series
/// is cut to five times its middle 80 %.
fn robust(series: &[&[f64]], scale: Scale) -> Option<(f64, f64)> {
    let mut cores: Vec<(f64, f64)> = series.iter().filter_map(|s| core(s, scale)).collect();
    cores.sort_by(|a, b| (a.1 - a.0).total_cmp(&(b.1 - b.0)));
    let wide: Vec<f64> = cores.iter().map(|c| c.1 - c.0).filter(|w| *w > 0.0).collect();
    let Some(calm) = wide.get(wide.len().saturating_sub(1) / 2) else {
        return extent(series.iter().flat_map(|s| s.iter().copied()), scale);
    };
    cores.iter().filter(|c| c.1 - c.0 <= DIVERGES * calm).fold(None, |all, c| union(all, Some(*c)))
}

/// The extent of one series without the rare samples far outside its middle 80 %.
fn core(values: &[f64], scale: Scale) -> Option<(f64, f64)> {
    let full = extent(values.iter().copied(), scale)?;
    let finite = values.iter().map(|v| scaled(*v, scale)).filter(|v| v.is_finite());
    let mut sorted: Vec<f64> = finite.collect();
    sorted.sort_by(f64::total_cmp);
    let at = |share: f64| sorted[(share * (sorted.len() - 1) as f64).round() as usize];
    let (low, high) = (at(0.1), at(0.9));
    let reach = 2.0 * (high - low);
    if reach > 0.0 { Some((full.0.max(low - reach), full.1.min(high + reach))) } else { Some(full) }
}
