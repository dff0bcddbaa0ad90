//! What is known about a device: mass, losses, encoder, loop and limits.

use crate::error::{Result, non_negative, positive};
use crate::friction::max_stiffness_quantised;
use crate::sampling::Sampling;

/// A haptic device along one axis at the handle.
#[derive(Debug, Clone, PartialEq)]
pub struct Device {
    /// Name for reports.
    pub name: String,
    /// Moving mass at the handle [kg].
    pub mass: f64,
    /// Viscous damping [N·s/m]; pays for sampling.
    pub damping: f64,
    /// Coulomb friction [N]; pays for quantisation.
    pub coulomb_friction: f64,
    /// Encoder step at the handle [m]; 0 for a perfect encoder.
    pub encoder_step: f64,
    /// Update rate [Hz].
    pub rate: f64,
    /// Computational delay from sample to force [s].
    pub delay: f64,
    /// Largest force [N], if known.
    pub max_force: Option<f64>,
    /// Largest stiffness the maker allows [N/m], if known.
    pub max_stiffness: Option<f64>,
}

/// The three ceilings on the stiffness of a spring, and which is lowest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StiffnessCeiling {
    /// From sampling and delay, paid by viscous damping [N/m].
    pub sampling: f64,
    /// From quantisation, paid by Coulomb friction [N/m]; infinite for a perfect encoder.
    pub quantisation: f64,
    /// From the maker [N/m]; infinite if unknown.
    pub published: f64,
}

impl StiffnessCeiling {
    /// The lowest of the three [N/m].
    pub fn lowest(&self) -> f64 {
        self.sampling.min(self.quantisation).min(self.published)
    }
}

impl Device {
    /// A device of `mass` [kg] and `damping` [N·s/m] at `rate` [Hz], without friction, delay or
    /// limits, on a perfect encoder.
    pub fn new(name: &str, mass: f64, damping: f64, rate: f64) -> Self {
        Self {
            name: name.to_owned(),
            mass,
            damping,
            coulomb_friction: 0.0,
            encoder_step: 0.0,
            rate,
            delay: 0.0,
            max_force: None,
            max_stiffness: None,
        }
    }

    /// Checks every field.
    /// # Errors
    /// The first field out of range, with its cure.
    pub fn check(&self) -> Result<()> {
        positive("mass [kg]", self.mass, "give the moving mass at the handle")?;
        let cure = "a device without viscous damping renders no spring passively: measure it from \
                    a free decay, or add a damper";
        positive("damping [N·s/m]", self.damping, cure)?;
        non_negative("coulomb_friction [N]", self.coulomb_friction, "use 0 for none")?;
        non_negative("encoder_step [m]", self.encoder_step, "use 0 for a perfect encoder")?;
        for (field, limit) in
            [("max_force [N]", self.max_force), ("max_stiffness [N/m]", self.max_stiffness)]
        {
            if let Some(limit) = limit {
                positive(field, limit, "leave it out if unknown")?;
            }
        }
        self.sampling().map(|_| ())
    }

    /// The device's loop.
    /// # Errors
    /// A rate or delay out of range.
    pub fn sampling(&self) -> Result<Sampling> {
        Sampling::from_rate(self.rate)?.with_delay_seconds(self.delay)
    }

    /// How stiff a spring this device can render passively.
    ///
    /// # Equation
    /// Sampling: `b = (KT/2)[a + √(a² + δ(1-δ))]`, `a = ½ + d + δ`, solved for K; derived here,
    /// `2b/T` without delay. Quantisation: `2 f_c/Δ`.
    /// # Errors
    /// The first field out of range.
    pub fn stiffness_ceiling(&self) -> Result<StiffnessCeiling> {
        self.check()?;
        let sampling = self.sampling()?;
        let (h, delta) = (sampling.time_step(), sampling.delay_fraction());
        let a = 0.5 + sampling.delay_periods();
        let quantisation = if self.encoder_step == 0.0 {
            f64::INFINITY
        } else {
            // infinite damping leaves friction alone
            max_stiffness_quantised(f64::MAX / 4.0, self.coulomb_friction, self.encoder_step, 1.0)?
        };
        Ok(StiffnessCeiling {
            sampling: 2.0 * self.damping / (h * (a + (a * a + delta * (1.0 - delta)).sqrt())),
            quantisation,
            published: self.max_stiffness.unwrap_or(f64::INFINITY),
        })
    }
}
