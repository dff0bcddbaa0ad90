//! Device profiles: TOML texts with what is known about a device, and how.

use crate::device::Device;
use crate::unit::{Quantity, parse_quantity};
use serde::Deserialize;
use toml::Spanned;

/// A profile as it stands in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    name: String,
    mass: Spanned<Amount>,
    damping: Spanned<Amount>,
    coulomb_friction: Option<Spanned<Amount>>,
    encoder_step: Option<Spanned<Amount>>,
    rate: Spanned<Amount>,
    delay: Option<Spanned<Amount>>,
    max_force: Option<Spanned<Amount>>,
    max_stiffness: Option<Spanned<Amount>>,
    /// how the values are known
    status: String,
    source: String,
    /// fields that no source gives
    #[serde(default)]
    assumed: Vec<Spanned<String>>,
}

/// A plain number in SI units, or a text with a unit.
#[derive(Deserialize)]
#[serde(untagged)]
enum Amount {
    Whole(i64),
    Number(f64),
    Text(String),
}

/// A device and how its numbers are known.
#[derive(Debug, Clone, PartialEq)]
pub struct DeviceProfile {
    /// The numbers.
    pub device: Device,
    /// How they are known, e.g. `published, not measured by us`.
    pub status: String,
    /// Where they come from.
    pub source: String,
    /// Fields that no source gives.
    pub assumed: Vec<String>,
}

/// Names that `assumed` may hold.
const FIELDS: [&str; 8] = [
    "mass",
    "damping",
    "coulomb_friction",
    "encoder_step",
    "rate",
    "delay",
    "max_force",
    "max_stiffness",
];

impl DeviceProfile {
    /// Reads and checks a profile.
    ///
    /// # Errors
    /// What is wrong with it, and where: an unknown or missing field, a number out of range.
    pub fn parse(text: &str) -> Result<Self, ProfileError> {
        let document: Document = toml::from_str(text).map_err(|error| {
            let cure = "`devices/example.toml` shows every field";
            ProfileError(format!("{}; {cure}", error.to_string().trim_end()))
        })?;
        document.checked(text).map_err(ProfileError)
    }
}

/// What is wrong with a profile.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ProfileError(String);

impl Document {
    fn checked(self, text: &str) -> Result<DeviceProfile, String> {
        let line = |at: usize| 1 + text.as_bytes()[..at].iter().filter(|b| **b == b'\n').count();
        let read = |field: &str, amount: &Spanned<Amount>, quantity: Quantity| {
            let problem = |text| format!("line {}: {field}: {text}", line(amount.span().start));
            amount.get_ref().read(quantity).map_err(problem)
        };
        let optional = |field: &str, amount: &Option<Spanned<Amount>>, quantity: Quantity| {
            amount.as_ref().map(|amount| read(field, amount, quantity)).transpose()
        };
        let places = [
            ("mass", Some(&self.mass)),
            ("damping", Some(&self.damping)),
            ("coulomb_friction", self.coulomb_friction.as_ref()),
            ("encoder_step", self.encoder_step.as_ref()),
            ("rate", Some(&self.rate)),
            ("delay", self.delay.as_ref()),
            ("max_force", self.max_force.as_ref()),
            ("max_stiffness", self.max_stiffness.as_ref()),
        ]
        .map(|(field, amount)| (field, amount.map(|a| line(a.span().start))));
        let device = Device {
            mass: read("mass", &self.mass, Quantity::Mass)?,
            damping: read("damping", &self.damping, Quantity::Damping)?,
            coulomb_friction: optional(
                "coulomb_friction",
                &self.coulomb_friction,
                Quantity::Force,
            )?
            .unwrap_or(0.0),
            encoder_step: optional("encoder_step", &self.encoder_step, Quantity::Length)?
                .unwrap_or(0.0),
            rate: read("rate", &self.rate, Quantity::Rate)?,
            delay: optional("delay", &self.delay, Quantity::Time)?.unwrap_or(0.0),
            max_force: optional("max_force", &self.max_force, Quantity::Force)?,
            max_stiffness: optional("max_stiffness", &self.max_stiffness, Quantity::Stiffness)?,
            name: self.name,
        };
        let stray = |name: &&Spanned<String>| !FIELDS.contains(&name.get_ref().as_str());
        if let Some(stray) = self.assumed.iter().find(stray) {
            let (at, stray, known) = (line(stray.span().start), stray.get_ref(), FIELDS.join(", "));
            return Err(format!(
                "line {at}: assumed: there is no field `{stray}`; known fields: {known}"
            ));
        }
        device.check().map_err(|error| {
            let words = error.to_string();
            // the message begins with the field
            let place = places.iter().find(|(field, _)| words.starts_with(field));
            place.and_then(|p| p.1).map_or(words.clone(), |at| format!("line {at}: {words}"))
        })?;
        Ok(DeviceProfile {
            device,
            status: self.status,
            source: self.source,
            assumed: self.assumed.into_iter().map(Spanned::into_inner).collect(),
        })
    }
}

impl Amount {
    fn read(&self, quantity: Quantity) -> Result<f64, String> {
        match self {
            // exact up to 2^53, far beyond any of these
            Amount::Whole(number) => Ok(*number as f64),
            Amount::Number(number) => Ok(*number),
            Amount::Text(text) => parse_quantity(text, quantity).map_err(|e| e.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_in_values_are_told_with_their_line() {
        let good = ["name = \"x\"", "mass = 0.1", "damping = \"1 N·s/m\"", "rate = \"1 kHz\""];
        let rest = "status = \"s\"\nsource = \"s\"\nassumed = [\n  \"mass\",\n]\n";
        let text = |place: usize, line: &str| {
            let mut lines = good;
            lines[place] = line;
            format!("{}\n{rest}", lines.join("\n"))
        };
        assert!(DeviceProfile::parse(&text(0, good[0])).is_ok());
        for (place, line, word) in [
            (1, "mass = -1", "mass"),
            (1, "mass = \"0.1 m\"", "mass"),
            (2, "damping = 0", "damping"),
            (3, "rate = \"1e15 lHz\"", "rate"),
            (3, "rate = -5", "rate"),
            (3, "rate = nan", "rate"),
        ] {
            let error = DeviceProfile::parse(&text(place, line)).expect_err(line).to_string();
            let start = format!("line {}: {word}", place + 1);
            assert!(error.starts_with(&start), "{line}: {error}");
        }
        let stray = text(0, good[0]).replace("\"mass\",", "\"mess\",");
        let error = DeviceProfile::parse(&stray).expect_err("a stray name").to_string();
        assert!(error.starts_with("line 8: assumed: there is no field `mess`"), "{error}");
    }
}
