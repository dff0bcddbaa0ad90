//! Virtual masses behind a coupling: five integrators as transfer functions.

use crate::error::{Result, positive};
use crate::pulse::PulseTf;
use crate::sampling::Sampling;
use crate::wall::Wall;

/// How a virtual mass is integrated, `x(z)/f(z)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Integrator {
    /// Method 1: delayed Euler for velocity and position.
    DelayedEuler,
    /// Method 2: delayed Euler velocity, non-delayed position (symplectic Euler).
    SymplecticEuler,
    /// Method 3: delayed Euler velocity, trapezoidal position.
    Trapezoidal,
    /// Non-delayed Euler `[Brown1998, (6.3)]`: implicit in the coupling force.
    ImplicitEuler,
    /// Non-delayed second-order Taylor `[Brown1998, (5.16)]`: implicit in the coupling force.
    ImplicitTaylor,
}

impl Integrator {
    /// All five, in the order of the source.
    pub const ALL: [Self; 5] = [
        Self::DelayedEuler,
        Self::SymplecticEuler,
        Self::Trapezoidal,
        Self::ImplicitEuler,
        Self::ImplicitTaylor,
    ];

    /// Whether the position depends on the present force, so that a loop must be solved.
    pub fn is_implicit(self) -> bool {
        matches!(self, Self::ImplicitEuler | Self::ImplicitTaylor)
    }

    /// Numerator of `x/f` in units of `T²/m`, over `(1 - w)²`      `[Brown1998, Table 1]`.
    ///
    /// # Differs from the source
    /// The table's middle row prints the numerator 1; its difference equations give `z^-1`, which
    /// `[Brown1998, (7.13)]` also uses.
    fn numerator(self) -> &'static [f64] {
        match self {
            Self::DelayedEuler => &[0.0, 0.0, 1.0],
            Self::SymplecticEuler => &[0.0, 1.0],
            Self::Trapezoidal => &[0.0, 0.5, 0.5],
            Self::ImplicitEuler => &[1.0],
            Self::ImplicitTaylor => &[0.5, 0.5],
        }
    }

    /// `x(z)/f(z)` of a free mass [kg].
    /// # Errors
    /// A mass that is not finite and above zero.
    pub fn transfer_function(self, mass: f64, sampling: &Sampling) -> Result<PulseTf> {
        positive("virtual mass [kg]", mass, "give a mass above zero, or use a wall")?;
        let h = sampling.time_step();
        let num: Vec<f64> = self.numerator().iter().map(|a| a * h * h / mass).collect();
        PulseTf::new(&num, &[1.0, -2.0, 1.0])
    }
}

/// A virtual mass held by a backward-difference coupling `[Brown1998, (7.2)-(7.4)]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CoupledMass {
    /// Coupling stiffness [N/m].
    pub stiffness: f64,
    /// Coupling damping [N·s/m].
    pub damping: f64,
    /// Virtual mass [kg].
    pub mass: f64,
    /// The mass's integrator.
    pub integrator: Integrator,
}

impl CoupledMass {
    /// `H(z) = C/(1 + C E)` from device position to force `[Brown1998, (7.2)]`.
    /// # Errors
    /// A stiffness below zero, a mass not above zero, numbers that are not finite.
    pub fn transfer_function(&self, sampling: &Sampling) -> Result<PulseTf> {
        let coupling = Wall::backward_difference(self.stiffness, self.damping);
        coupling
            .transfer_function(sampling)?
            .couple(&self.integrator.transfer_function(self.mass, sampling)?)
    }

    /// `α = KT²/m` `[Brown1998, (7.6)]`.
    pub fn alpha(&self, time_step: f64) -> f64 {
        self.stiffness * time_step * time_step / self.mass
    }

    /// `β = B/(KT)` `[Brown1998, (7.6)]`.
    pub fn beta(&self, time_step: f64) -> f64 {
        self.damping / (self.stiffness * time_step)
    }
}
