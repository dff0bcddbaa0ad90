//! Porch: couplings between a hand and a port of the world, each with its energy account.
//!
//! | coupling | when |
//! |---|---|
//! | [`VirtualCoupling`] | device and world step together; the default |
//! | [`DeviceSide`], [`WorldSide`] | they run at different rates, with delay and loss [Lee2008] |
//! | [`FourChannel`] | positions and forces are sent both ways [Constantinescu2005] |
//! | [`Unilateral`] | nothing is felt in free motion [Constantinescu2005] |
//!
//! Beside them: [`Impulses`], the forces of collisions within what a device can do, and
//! [`ImpulseChannel`], which brings them to it;
//! [`PassivityObserver`], which pays after the fact what a coupling created,
//! [`Cutaneous`] feedback for fingertips, [`Synergy`], one coordinate for a hand of many joints,
//! and [`Workspace`], from device to world coordinates.
//!
//! A device sample becomes the reference of a port (`Port::reference`), whose spring is solved with
//! the world; the port's output becomes the force held at the device until the next sample. Forces
//! are those **on the hand**. No update allocates; an input that is not finite gives zero force
//! and a flag.

mod account;
mod cutaneous;
mod error;
mod four_channel;
mod handle;
mod impulse_channel;
mod observer;
mod pspm;
mod pspm_side;
mod pspm_world;
mod rendering;
mod synergy;
mod unilateral;
mod virtual_coupling;
mod workspace;

pub use account::CouplingAccount;
pub use cutaneous::{Cutaneous, Pressed};
pub use error::{CouplingError, InputFault};
pub use four_channel::FourChannel;
pub use handle::{Freedom, Handle};
pub use impulse_channel::ImpulseChannel;
pub use observer::{Observed, PassivityObserver};
pub use pspm::{DeviceSide, PspmSettings};
pub use pspm_side::Packet;
pub use pspm_world::WorldSide;
pub use rendering::{Bounds, Impulses, Rendering};
pub use synergy::{Synergy, Tendons};
pub use unilateral::Unilateral;
pub use virtual_coupling::{CouplingSettings, Felt, Guard, VirtualCoupling};
pub use workspace::{Edge, Mapped, Workspace};
