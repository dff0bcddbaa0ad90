//! Quantities with units, read at the edge and turned into SI.

use palpable_units::{Powers, UnitError};

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

    /// Powers of metre, kilogram and second.
    fn powers(self) -> Powers {
        match self {
            Self::Length => [1, 0, 0, 0],
            Self::Mass => [0, 1, 0, 0],
            Self::Time => [0, 0, 1, 0],
            Self::Rate => [0, 0, -1, 0],
            Self::Force => [1, 1, -2, 0],
            Self::Stiffness => [0, 1, -2, 0],
            Self::Damping => [0, 1, -1, 0],
        }
    }

    /// Units to use, the SI unit first.
    fn units(self) -> [&'static str; 3] {
        match self {
            Self::Length => ["m", "mm", "um"],
            Self::Mass => ["kg", "g", "mg"],
            Self::Time => ["s", "ms", "us"],
            Self::Rate => ["Hz", "kHz", "MHz"],
            Self::Force => ["N", "mN", "kN"],
            Self::Stiffness => ["N/m", "N/mm", "kN/m"],
            Self::Damping => ["N·s/m", "N·s/mm", "Ns/m"],
        }
    }
}

/// Reads `"2.5 N/mm"` as 2500; a bare number is taken as SI.
/// # Errors
/// [`Error::Unit`] naming the text, the quantity, and the units that are known.
pub fn parse_quantity(text: &str, quantity: Quantity) -> Result<f64> {
    let text = text.trim();
    let bad = |cure: String| Error::Unit { text: text.to_owned(), quantity: quantity.name(), cure };
    let wrong = || {
        let (unit, units) = (palpable_units::unit_of(text), quantity.units().join(", "));
        bad(format!("the unit {unit:?} is unknown here, use {units}"))
    };
    let value = match (text.parse::<f64>(), palpable_units::parse(text)) {
        (Ok(value), _) => value,
        (_, Ok(measured)) if measured.powers == quantity.powers() => measured.value,
        (_, Err(UnitError::Number)) => {
            let unit = quantity.units()[0];
            return Err(bad(format!("start with a number, e.g. \"2.5 {unit}\"")));
        }
        _ => return Err(wrong()),
    };
    if value.is_finite() { Ok(value) } else { Err(bad("give a finite number".into())) }
}
