//! Runs as recordings, and recordings as devices.
//!
//! A [`Recorder`] writes one row a tick: what the device reported, what the world wished, what was
//! sent, the safety stage, the books. [`Replay`] plays it back as a device; the same scene then
//! takes the same steps, bit by bit, which the recorded state hashes prove.

mod columns;
mod recorder;
mod replay;

pub use columns::{ImpulseSetup, Setup, columns};
pub use recorder::Recorder;
pub use replay::{Replay, ReplayError};
