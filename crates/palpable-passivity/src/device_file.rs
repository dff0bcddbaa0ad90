//! Device profiles: TOML texts with what is known about a device, and how.

use crate::device::Device;
use crate::unit::{Quantity, parse_quantity};
use serde::Deserialize;

/// A profile as it stands in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    name: String,
    mass: Amount,
    damping: Amount,
    coulomb_friction: Option<Amount>,
    encoder_step: Option<Amount>,
    rate: Amount,
    delay: Option<Amount>,
    max_force: Option<Amount>,
    max_stiffness: Option<Amount>,
    /// how the values are known
    status: String,
    source: String,
    /// fields that no source gives
    #[serde(default)]
    assumed: Vec<String>,
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
        document.checked().map_err(ProfileError)
    }
}

/// What is wrong with a profile.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ProfileError(String);

impl Document {
    fn checked(self) -> Result<DeviceProfile, String> {
        let read = |field: &str, amount: &Amount, quantity: Quantity| {
            amount.read(quantity).map_err(|problem| format!("{field}: {problem}"))
        };
        let optional = |field: &str, amount: &Option<Amount>, quantity: Quantity| {
            amount.as_ref().map(|amount| read(field, amount, quantity)).transpose()
        };
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
        if let Some(stray) = self.assumed.iter().find(|name| !FIELDS.contains(&name.as_str())) {
            let known = FIELDS.join(", ");
            return Err(format!("assumed: there is no field `{stray}`; known fields: {known}"));
        }
        device.check().map_err(|error| error.to_string())?;
        Ok(DeviceProfile {
            device,
            status: self.status,
            source: self.source,
            assumed: self.assumed,
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
