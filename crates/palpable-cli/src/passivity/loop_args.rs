//! The loop and the device that most questions are about.

use super::device_file::{Profile, example, load_profile};
use super::quantity;
use crate::failure::Failure;
use palpable_passivity::{Device, Sampling};
use std::path::PathBuf;

/// Options for the loop; a profile fills in what is not given.
#[derive(clap::Args)]
pub struct LoopArgs {
    /// Device profile (TOML), or the name of one inside the program, such as touch
    #[arg(long, value_name = "FILE")]
    device: Option<PathBuf>,
    /// Update rate [Hz]; the profile's, else 1 kHz
    #[arg(long, value_parser = quantity::rate, allow_negative_numbers = true)]
    rate: Option<f64>,
    /// Delay from sample to force [s]; the profile's, else none
    #[arg(long, value_parser = quantity::time, allow_negative_numbers = true)]
    delay: Option<f64>,
    /// Viscous damping of the device [N·s/m]
    #[arg(long, value_name = "B", value_parser = quantity::damping, allow_negative_numbers = true)]
    device_damping: Option<f64>,
    /// Moving mass of the device [kg]
    #[arg(long, value_name = "M", value_parser = quantity::mass, allow_negative_numbers = true)]
    device_mass: Option<f64>,
}

/// The loop of a question, and what is known of the device.
pub struct Loop {
    /// When it samples, and how late its force arrives.
    pub sampling: Sampling,
    /// Damping of the device \[N·s/m\], if known.
    pub damping: Option<f64>,
    /// Mass of the device \[kg\], if known.
    pub mass: Option<f64>,
    /// One line about the loop, for people.
    pub words: String,
}

impl LoopArgs {
    /// The loop.
    ///
    /// # Errors
    /// A profile that cannot be read, numbers out of range.
    pub fn read(&self) -> Result<Loop, Failure> {
        let profile = self.device.as_deref().map(load_profile).transpose()?;
        let device = profile.as_ref().map(|profile| &profile.device);
        let rate = self.rate.or(device.map(|d| d.rate)).unwrap_or(1000.0);
        let delay = self.delay.or(device.map(|d| d.delay)).unwrap_or(0.0);
        for (what, given) in [("damping", self.device_damping), ("mass", self.device_mass)] {
            if given.is_some_and(|value| value < 0.0) {
                let words = format!("the {what} of a device is 0 or more: correct --device-{what}");
                return Err(Failure::new(words));
            }
        }
        let sampling = Sampling::from_rate(rate)?.with_delay_seconds(delay)?;
        let name = device.map_or("a device", |d| d.name.as_str());
        let late = if delay > 0.0 {
            format!(", force {} late", crate::text::si(delay, "s"))
        } else {
            String::new()
        };
        let words = format!("{name} at {}{late}", crate::text::si(rate, "Hz"));
        Ok(Loop {
            sampling,
            damping: self.device_damping.or(device.map(|d| d.damping)),
            mass: self.device_mass.or(device.map(|d| d.mass)),
            words,
        })
    }

    /// The delay asked for [s], if one was.
    pub fn delay(&self) -> Option<f64> {
        self.delay
    }

    /// The device as a whole, with what the command line changes; the example that is inside the
    /// program if none is named.
    ///
    /// # Errors
    /// A profile that cannot be read.
    pub fn whole_device(&self) -> Result<Profile, Failure> {
        let mut profile = match &self.device {
            Some(path) => load_profile(path)?,
            None => example()?,
        };
        let device = &mut profile.device;
        let Device { rate, delay, damping, mass, .. } = device.clone();
        device.rate = self.rate.unwrap_or(rate);
        device.delay = self.delay.unwrap_or(delay);
        device.damping = self.device_damping.unwrap_or(damping);
        device.mass = self.device_mass.unwrap_or(mass);
        device.check()?;
        Ok(profile)
    }
}

impl Loop {
    /// The damping of the device \[N·s/m\].
    ///
    /// # Errors
    /// It is not known.
    pub fn known_damping(&self) -> Result<f64, Failure> {
        self.damping.ok_or_else(|| {
            let cure = "give --device-damping \"3 N·s/m\" or --device FILE";
            Failure::new(format!("this question needs the damping of the device; {cure}"))
        })
    }
}
