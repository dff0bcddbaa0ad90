//! The last stage before a device.
//!
//! A wish goes in, a [`Command`] comes out; only this room can make one, and a [`Device`] takes
//! nothing else, so there is no way around it. In this order: is the loop in time, the clock sane,
//! the sample and the wish finite, the hand slow enough, the world's answer fresh ([`Machine`]);
//! gravity compensation; ceilings from peak, heat, ramp and fade; slew ([`Channel`]).
//!
//! [`Device`]: crate::Device

mod channel;
mod command;
mod limits;
mod machine;
mod stage;
mod thermal;
mod witness;

pub use channel::Channel;
pub use command::{Command, Wrench};
pub use limits::{Limits, LimitsError};
pub use machine::{Fault, Machine, Signal, State};
pub use stage::{Safety, StartError, Wish};
pub use thermal::Thermal;
