//! What goes over the wire.
//!
//! # From the page: text messages, one JSON object each ([`Command`])
//! `{"do":"grab","body":3,"point":[0,0,0.01]}`, `{"do":"move","target":[0.1,0,0.2]}`,
//! `{"do":"release"}`, `{"do":"set","what":"mass","part":3,"value":0.001}` and so on. Numbers are
//! in SI units. A message that cannot be read is answered with an `error` event; too many of them,
//! or too many messages of any kind, close the connection with a reason.
//!
//! # To the page: text messages, one JSON object each (`events`)
//! `scene` describes bodies, shapes, springs and parameters once per scene; `changed` gives new
//! parameter values; `hand` says who holds the hand; `note` and `error` are for the user.
//!
//! # To the page: binary messages at display rate ([`Frame`])
//! Little endian. A header of 16 bytes: `"pf"`, version (`u8`, now 1), lanes (`u8`), generation of
//! the scene (`u32`), simulated time [s] (`f64`). Sections follow, each with a header of 8 bytes:
//! kind (`u8`), lane (`u8`), count (`u16`), length of what follows in bytes (`u32`). A reader skips
//! kinds that it does not know.
//!
//! | kind | section | each of `count` items |
//! |---|---|---|
//! | 1 | poses | `f32` × 7: position [m], quaternion x y z w |
//! | 2 | hand | `f32` × 14, see below |
//! | 3 | energy | `f64` × 13, see below |
//! | 4 | lane | `u8` × 4: fate, scheme, 0, 0 |
//! | 5 | loop | `f64` × 8, see below |
//! | 6 | step times | `u32` × buckets, quarter octaves from 512 ns |
//! | 7 | contacts | `f32` × 10: point [m], normal, force [N], depth [m] |
//! | 8 | polyline | `f32` × 3 per point [m]; one section per beam or tendon |
//!
//! The hand: reference and held point [m], force [N], torque [N·m], largest force since the last
//! frame [N], index of the held body or −1. Energy [J]: kinetic, elastic, gravity, tank, supplied,
//! damped, friction, impact, discarded, booked, closure, worst defect (relative), energy in play.
//! The loop: steps taken, deadlines missed, time dropped [s], step [s], simulated seconds per
//! second, time that can be rewound [s], flags, tick. Flags:
//! 1 paused, 2 recording, 4 replaying, 8 a take can be replayed.

mod command;
mod events;
mod frame;
mod scene;

pub use command::{BadCommand, Command, Value};
pub use events::{Event, LoadError, PartJson};
pub use frame::Frame;
pub use scene::describe;
