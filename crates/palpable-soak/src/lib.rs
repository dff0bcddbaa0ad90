//! Random worlds for the engine, drawn from seeds.
//!
//! [`generate::generate`] draws a [`scene::Scene`].

pub mod drive;
pub mod generate;
pub mod random;
pub mod scene;
