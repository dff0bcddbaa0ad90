//! Virtual walls: spring and damper in three discretisations.

use crate::error::{Result, finite, non_negative};
use crate::pulse::PulseTf;
use crate::sampling::Sampling;

/// How the wall's damper estimates velocity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Velocity {
    /// Backward difference `(1 - z^-1)/T`.
    BackwardDifference,
    /// Tustin's rule `(2/T)(1 - z^-1)/(1 + z^-1)`. Its pole at z = -1 forbids it in a wall.
    Tustin,
    /// Backward difference behind a first-order low-pass of this time constant [s].
    Filtered(f64),
}

/// A spring and damper against ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wall {
    /// Stiffness [N/m].
    pub stiffness: f64,
    /// Damping [N·s/m]; negative values are allowed and cost as much.
    pub damping: f64,
    /// Velocity estimate of the damper.
    pub velocity: Velocity,
}

impl Wall {
    /// A wall with a backward-difference damper `[Brown1998, (3.8)]`.
    pub fn backward_difference(stiffness: f64, damping: f64) -> Self {
        Self { stiffness, damping, velocity: Velocity::BackwardDifference }
    }

    /// `H(z)` of the wall, from position to force.
    /// # Errors
    /// Numbers that are not finite, a negative stiffness or filter constant.
    pub fn transfer_function(&self, sampling: &Sampling) -> Result<PulseTf> {
        let h = sampling.time_step();
        let k = non_negative("stiffness [N/m]", self.stiffness, "a wall pushes back: use K >= 0")?;
        let b = finite("damping [N·s/m]", self.damping)?;
        match self.velocity {
            // K + (B/T)(1 - w)                                       [Brown1998, (3.8)]
            Velocity::BackwardDifference => PulseTf::new(&[k + b / h, -b / h], &[1.0]),
            // K + (2B/T)(1 - w)/(1 + w)                              [Brown1998, (4.19)]
            Velocity::Tustin => PulseTf::new(&[k + 2.0 * b / h, k - 2.0 * b / h], &[1.0, 1.0]),
            Velocity::Filtered(tau) => {
                let cure = "use 0 for no filter";
                let tau = non_negative("velocity filter [s]", tau, cure)?;
                // K + B s/(1 + tau s) with s = (1 - w)/T
                let (d0, d1) = (h + tau, -tau);
                PulseTf::new(&[k * d0 + b, k * d1 - b], &[d0, d1])
            }
        }
    }

    /// Required device damping in closed form, without delay [N·s/m].
    ///
    /// # Equation
    /// ```text
    /// backward difference: KT/2 + |B|                             [Brown1998, (3.9)]
    /// filtered:            KT/2 + B T/(T + 2 tau)  for B >= 0,  KT/2 + |B|  for B < 0
    /// ```
    /// The filtered forms are derived here: the demand is monotone in frequency, largest at the
    /// Nyquist frequency for B > 0 and at rest for B < 0.
    /// # Errors
    /// As [`Wall::transfer_function`]; Tustin's rule is [`crate::Error::Unstable`].
    pub fn required_damping(&self, sampling: &Sampling) -> Result<f64> {
        let h = sampling.time_step();
        self.transfer_function(sampling)?.stable()?;
        let spring = 0.5 * self.stiffness * h;
        Ok(match self.velocity {
            Velocity::Filtered(tau) if self.damping >= 0.0 => {
                spring + self.damping * h / (h + 2.0 * tau)
            }
            _ => spring + self.damping.abs(),
        })
    }
}
