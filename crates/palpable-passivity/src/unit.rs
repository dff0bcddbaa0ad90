//! Quantities with units, read at the edge and turned into SI.

use crate::error::{Error, Result};

/// What a text is expected to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// [m]
    Length,
    /// [kg]
    Mass,
    /// [s]
    Time,
    /// [Hz]
    Rate,
    /// [N]
    Force,
    /// [N/m]
    Stiffness,
    /// [N·s/m]
    Damping,
}

impl Quantity {
    fn name(self) -> &'static str {
        match self {
            Self::Length => "a length",
            Self::Mass => "a mass",
            Self::Time => "a time",
            Self::Rate => "a rate",
            Self::Force => "a force",
            Self::Stiffness => "a stiffness",
            Self::Damping => "a damping",
        }
    }

    /// Known units and their SI factors, the SI unit first.
    fn units(self) -> &'static [(&'static str, f64)] {
        match self {
            Self::Length => &[("m", 1.0), ("cm", 1e-2), ("mm", 1e-3), ("um", 1e-6), ("µm", 1e-6)],
            Self::Mass => &[("kg", 1.0), ("g", 1e-3), ("mg", 1e-6)],
            Self::Time => &[("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("µs", 1e-6)],
            Self::Rate => &[("Hz", 1.0), ("kHz", 1e3)],
            Self::Force => &[("N", 1.0), ("mN", 1e-3)],
            Self::Stiffness => &[("N/m", 1.0), ("N/mm", 1e3), ("kN/m", 1e3), ("N/cm", 1e2)],
            Self::Damping => {
                &[("N·s/m", 1.0), ("N*s/m", 1.0), ("Ns/m", 1.0), ("N·s/mm", 1e3), ("Ns/mm", 1e3)]
            }
        }
    }
}

/// Reads `"2.5 N/mm"` as 2500; a bare number is taken as SI.
/// # Errors
/// [`Error::Unit`] naming the text, the quantity, and the units that are known.
pub fn parse_quantity(text: &str, quantity: Quantity) -> Result<f64> {
    let text = text.trim();
    let end = text
        .char_indices()
        .map(|(i, _)| i)
        .chain([text.len()])
        .rev()
        .find(|&i| text[..i].trim_end().parse::<f64>().is_ok());
    let bad = |cure: String| Error::Unit { text: text.to_owned(), quantity: quantity.name(), cure };
    let Some(end) = end else {
        let unit = quantity.units()[0].0;
        return Err(bad(format!("start with a number, e.g. \"2.5 {unit}\"")));
    };
    let (number, unit) = (&text[..end], text[end..].trim());
    let value: f64 = number.trim_end().parse().map_err(|_| bad("start with a number".into()))?;
    let factor = if unit.is_empty() {
        Some(1.0)
    } else {
        quantity.units().iter().find(|(name, _)| *name == unit).map(|(_, factor)| *factor)
    };
    let Some(factor) = factor else {
        let known: Vec<&str> = quantity.units().iter().map(|(name, _)| *name).collect();
        return Err(bad(format!("the unit {unit:?} is unknown here, use {}", known.join(", "))));
    };
    if value.is_finite() { Ok(value * factor) } else { Err(bad("give a finite number".into())) }
}
