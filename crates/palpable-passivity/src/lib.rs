//! What a haptic device can render: sampled-data passivity analysis and tuning.
//!
//! A haptic display is passive for every operator only if its physical damping pays for the
//! energy that sampling and holding create. This crate computes how much that is, for walls,
//! couplings, virtual masses, delays, holds, resonances and several degrees of freedom, after
//! `[Brown1998]` with its errata corrected. Pure functions; SI units; `f64`.
//!
//! ```
//! use palpable_passivity::{Sampling, Wall, required_damping};
//!
//! let loop_1khz = Sampling::from_rate(1000.0)?;
//! let wall = Wall::backward_difference(10_000.0, 20.0).transfer_function(&loop_1khz)?;
//! let need = required_damping(&wall, &loop_1khz)?;
//! assert!((need.damping - 25.0).abs() < 1e-9);
//! # Ok::<(), palpable_passivity::Error>(())
//! ```

mod damping;
mod error;
mod polynomial;
mod profile;
mod pulse;
mod sampling;
mod supremum;
mod wall;

pub use damping::{RequiredDamping, damping_at, damping_supremum, required_damping};
pub use error::{Error, Result};
pub use polynomial::C64;
pub use pulse::PulseTf;
pub use sampling::Sampling;
pub use wall::{Velocity, Wall};
