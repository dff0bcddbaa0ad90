//! Devices that exist only as equations, good enough for research on real ones.
//!
//! Between two samples the mechanics move in continuous time under a held force and are solved
//! exactly, so that no integrator's own damping hides what sampling does. Time is the device's
//! own: each reading moves it on by one period.

mod axis;
mod device;
mod faulty;
mod hand;
mod network;
mod script;

pub use axis::Axis;
pub use device::{SimulatedDevice, SimulatedError};
pub use faulty::{Faulty, Mishap};
pub use hand::{Arm, Hand};
pub use network::NetworkPlant;
pub use script::{Script, Sine};
