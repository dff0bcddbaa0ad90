//! The one-degree-of-freedom bench of [Lee2008]: a mass, a damper, a potential, a wall.
//!
//! Small enough to read in one sitting, and complete: every step reports its energy account, and
//! `supplied − damped = change of stored energy` holds to rounding for any step length, mass and
//! stiffness. [`Oscillator`] carries a polynomial potential, [`WallBench`] a one-sided
//! spring-damper wall and gravity (a bouncing ball), [`Euler`] the integrators the papers
//! compare with.

mod account;
mod crossing;
mod discrete_gradient;
mod error;
mod euler;
mod oscillator;
mod polynomial;
mod real_roots;
mod wall;

pub use account::{EnergyAccount, State, StepReport, StepStatus};
pub use error::BenchError;
pub use euler::Euler;
pub use oscillator::{MAX_SUBSTEPS, Oscillator};
pub use polynomial::Polynomial;
pub use wall::{CollisionRule, Wall, WallBench};
