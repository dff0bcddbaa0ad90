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
