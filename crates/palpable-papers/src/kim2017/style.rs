//! How the schemes look, the same in every figure of the paper.

use palpable::Scheme;
use palpable_record::figure::{Color, Dash, Line};

/// Name of a scheme in a legend.
pub(super) fn label(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::PassiveMidpoint => "passive midpoint",
        Scheme::PublishedMidpoint => "published midpoint",
        Scheme::ExplicitEuler => "explicit Euler",
        Scheme::SymplecticEuler => "symplectic Euler",
        Scheme::ImplicitEuler => "implicit Euler",
    }
}

/// Name of a scheme in the heading of a column.
pub(super) fn heading(scheme: Scheme) -> String {
    scheme.name().replace('-', "_")
}

/// A curve in the colours of its scheme.
pub(super) fn curve(scheme: Scheme, x: &[f64], y: &[f64]) -> Line {
    let (color, dash) = match scheme {
        Scheme::PassiveMidpoint => (Color::BLUE, Dash::Solid),
        Scheme::PublishedMidpoint => (Color::ORANGE, Dash::LongDash),
        Scheme::ExplicitEuler => (Color::VERMILION, Dash::Dashed),
        Scheme::SymplecticEuler => (Color::GREEN, Dash::DashDot),
        Scheme::ImplicitEuler => (Color::PURPLE, Dash::Dotted),
    };
    Line::new(label(scheme), x, y).color(color).dash(dash)
}

/// The values up to the first whose magnitude exceeds `limit`, that one included; no numbers after
/// it. A curve that diverges to and fro would hide the others.
pub(super) fn until_gone(values: &[f64], limit: f64) -> Vec<f64> {
    let kept = values.iter().position(|v| !(v.abs() <= limit)).map_or(values.len(), |n| n + 1);
    let end = std::iter::repeat_n(f64::NAN, values.len() - kept);
    values[..kept].iter().copied().chain(end).collect()
}
