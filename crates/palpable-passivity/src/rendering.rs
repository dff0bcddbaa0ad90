//! What is rendered: a wall, a coupling, a mass or a midpoint world, and what it asks.

use crate::coupling::backward_coupling_damping;
use crate::damping::required_damping;
use crate::error::Result;
use crate::mass::CoupledMass;
use crate::midpoint::MidpointCoupling;
use crate::sampling::Sampling;
use crate::two_port::{Causality, CouplingTwoPort, two_port_damping};
use crate::wall::Wall;

/// Something to be rendered on a device.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rendering {
    /// A wall.
    Wall(Wall),
    /// A backward-difference coupling to any discrete-time passive environment.
    Coupling {
        /// Stiffness [N/m].
        stiffness: f64,
        /// Damping [N·s/m].
        damping: f64,
    },
    /// A mass behind a backward-difference coupling.
    Mass(CoupledMass),
    /// A midpoint world behind the hybrid coupling.
    Midpoint(MidpointCoupling),
}

impl Rendering {
    /// Stiffness felt at the handle [N/m].
    pub fn stiffness(&self) -> f64 {
        match self {
            Self::Wall(wall) => wall.stiffness,
            Self::Coupling { stiffness, .. } => *stiffness,
            Self::Mass(mass) => mass.stiffness,
            Self::Midpoint(coupling) => coupling.stiffness(),
        }
    }

    /// Damping of the coupling [N·s/m]; of the virtual side for a midpoint world.
    pub fn damping(&self) -> f64 {
        match self {
            Self::Wall(wall) => wall.damping,
            Self::Coupling { damping, .. } => *damping,
            Self::Mass(mass) => mass.damping,
            Self::Midpoint(coupling) => coupling.virtual_damping(),
        }
    }

    /// The same with other stiffness [N/m] and damping [N·s/m].
    /// # Errors
    /// A stiffness or damping that a midpoint coupling refuses.
    pub fn with(&self, stiffness: f64, damping: f64) -> Result<Self> {
        Ok(match *self {
            Self::Wall(wall) => Self::Wall(Wall { stiffness, damping, ..wall }),
            Self::Coupling { .. } => Self::Coupling { stiffness, damping },
            Self::Mass(mass) => Self::Mass(CoupledMass { stiffness, damping, ..mass }),
            Self::Midpoint(coupling) => {
                Self::Midpoint(MidpointCoupling::new(stiffness, damping, coupling.gamma())?)
            }
        })
    }

    /// Device damping above which this is passive [N·s/m]: closed forms where there are any,
    /// else the bracketed search (walls, masses) or the two-port test (couplings with delay).
    /// # Errors
    /// Numbers out of range, an unstable environment, or a coupling no damping can carry.
    pub fn required_damping(&self, sampling: &Sampling) -> Result<f64> {
        let h = sampling.time_step();
        let late = sampling.delay_periods() > 0.0;
        match self {
            Self::Wall(wall) => {
                Ok(required_damping(&wall.transfer_function(sampling)?, sampling)?.damping)
            }
            Self::Mass(mass) => {
                Ok(required_damping(&mass.transfer_function(sampling)?, sampling)?.damping)
            }
            Self::Coupling { stiffness, damping } if late => {
                let coupling =
                    Wall::backward_difference(*stiffness, *damping).transfer_function(sampling)?;
                let port = CouplingTwoPort { coupling, causality: Causality::Admittance };
                two_port_damping(&port, sampling)
            }
            Self::Coupling { stiffness, damping } => {
                backward_coupling_damping(*stiffness, *damping, h)
            }
            Self::Midpoint(coupling) if late => two_port_damping(&coupling.two_port(h)?, sampling),
            Self::Midpoint(coupling) => Ok(coupling.required_damping(h)),
        }
    }
}
