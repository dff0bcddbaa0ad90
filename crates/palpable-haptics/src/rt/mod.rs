//! The servo loop: a thread with absolute deadlines between a device and a world.
//!
//! [`Servo`] is one tick: read, render, make safe, write, count. It runs on a thread of ours
//! ([`ServoThread`]), on a device's own ([`CallingDevice`](crate::CallingDevice)), or in a test on
//! a [`VirtualClock`]. The world is stepped within the tick ([`Direct`]) or on a second thread at
//! its own rate ([`Remote`], [`WorldThread`]). Nothing here allocates or locks once it runs.

mod clock;
mod deadline;
mod direct;
mod energy;
mod exchange;
mod mapping;
mod os;
mod remote;
mod render;
mod row;
mod schedule;
mod servo;
mod stats;
mod thread;
mod watchdog;

pub use clock::{Clock, SystemClock, VirtualClock};
pub use deadline::Deadline;
pub use direct::Direct;
pub use energy::HandleEnergy;
pub use mapping::Mapping;
pub use os::{Privileges, gain_privileges, ignore_suspension, thread_time};
pub use remote::{Link, LinkError, Proxy, Remote, WorldEnd, WorldLoop, WorldThread};
pub use render::{Books, Contact, Contacts, PortScript, Render, STRONGEST};
pub use row::Row;
pub use schedule::{Schedule, Wake};
pub use servo::{Ending, Live, Servo, ServoHandle};
pub use stats::{Quantiles, Stats, Times};
pub use thread::{Outcome, PARTING, ServoThread};
pub use watchdog::Watchdog;
