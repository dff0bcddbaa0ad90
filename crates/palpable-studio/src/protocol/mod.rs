//! What goes over the wire.
//!
//! # From the page: text messages, one JSON object each ([`Command`])
//! `{"do":"grab","body":3,"point":[0,0,0.01]}`, `{"do":"move","target":[0.1,0,0.2]}`,
//! `{"do":"release"}`, `{"do":"set","what":"mass","part":3,"value":0.001}` and so on. Numbers are
//! in SI units. A message that cannot be read is answered with an `error` event; too many of them,
//! or too many messages of any kind, close the connection with a reason.
//!
//! # To the page: text messages, one JSON object each (`events`)
//! `scene` describes bodies, shapes, springs, beams and parameters once per scene, `recast` the
//! same scene when bodies came or left (a place that nobody has is `gone`); `changed` gives
//! new parameter values; `hand` says who holds the hand; `note` and `error` are for the user.
//!
//! # To the page: binary messages at display rate ([`Frame`])
//! Little endian. A header of 16 bytes: `"pf"`, version (`u8`, now 2), lanes (`u8`), generation of
//! the scene (`u32`), simulated time [s] (`f64`). Sections follow, each with a header of 8 bytes:
//! kind (`u8`), lane (`u8`), count (`u16`), length of what follows in bytes (`u32`). A reader skips
//! kinds that it does not know.
//!
//! | kind | section | each of `count` items |
//! |---|---|---|
//! | 1 | poses | `f32` × 7: position [m], quaternion x y z w |
//! | 2 | hand | `f32` × 16, see below |
//! | 3 | energy | `f64` × 14, see below |
//! | 4 | lane | `u8` × 2: fate, scheme; `u16` contacts; `f32` overlap; `u8` × 4: law; `f32` end |
//! | 5 | loop | `f64` × 9, see below |
//! | 6 | step times | `u32` × buckets, quarter octaves from 512 ns |
//! | 7 | contacts | `f32` × 7: point [m], force [N], depth [m]; `u16` × 2: bodies |
//! | 8 | velocities | `f32` × 6: of the centre [m/s], world axes; turning [rad/s], body axes |
//! | 9 | collisions | `f32` × 6: point [m], impulse [N·s]; `u16` × 2: bodies; `u32` number |
//! | 10 | areas | twelve words and four a corner, see below |
//! | 11 | motors | `f32` × 3: measure [rad or m], rate, effort [N·m or N] |
//!
//! The hand: reference and held point [m], force [N], torque [N·m], largest force since the last
//! frame [N], index of the held body or −1, energy in reserve at the device and at the world [J]
//! if a line lies between. A lane ends when it explodes. The deepest overlap is that since the
//! last frame. A contact's force is that on its second body, whose highest bit begins another face
//! of contact: the contacts that follow lie in it too. A collision is told in several frames, under
//! one number, and at most 32 in each; its impulse is that on its second body.
//! A contact over an area: `u16` × 2 bodies; `u32` number of corners, the highest bit set if it
//! slides; `f32` × 10: centre [m], normal from the first body to the second, mean pressure and that
//! at the centre [Pa], torque of friction on the second body about the normal [N·m], area [m²];
//! for each corner `f32` × 4: point [m], pressure [Pa].
//! Energy [J]: kinetic, elastic, gravity, tank, supplied, damped, friction, impact, discarded,
//! booked, closure, worst defect (relative), energy in play, created by a contact law that is not
//! passive.
//! The loop: steps taken, deadlines missed, time dropped [s], step [s], simulated seconds per
//! second, time that can be rewound [s], flags, tick, how long before the present the moment on
//! show is [s]. Flags: 1 paused, 2 recording, 4 replaying, 8 a take can be replayed, 16 an earlier
//! moment is looked at.

mod areas;
mod command;
mod events;
mod frame;
mod scene;
mod tendon;
mod wish;

pub use command::{BadCommand, Command, Value};
pub use events::{Event, LoadError, PartJson};
pub use frame::Frame;
pub use scene::{describe, rivals};
pub use wish::Wish;
