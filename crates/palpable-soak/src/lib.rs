//! Random worlds for the engine. Each is drawn from a seed, run, and checked after every step
//! against an energy that is computed without the ledger; what breaks a law is made as small as it
//! can be and written as a program.
//!
//! [`generate::generate`] draws a [`scene::Scene`], [`run::run`] runs it, [`check`] holds the laws.

pub mod build;
pub mod change;
pub mod check;
pub mod clock;
pub mod drive;
pub mod generate;
pub mod program;
pub mod random;
pub mod run;
pub mod scene;
pub mod shrink;
pub mod soak;
pub mod solids;
