//! Constantinescu, Salcudean and Croft 2005, impulsive and penalty forces `[Constantinescu2005]`.
//!
//! The text leaves out the start of the peg, the inertia of links and the tie between penalty and
//! impulse in a step; what is assumed is said where it is. Figures 12 and 13 are experiments with a
//! device: here a simulated one, and the engine's own world.

mod arm;
mod bench;
mod draw;
mod fig10;
mod fig12;
mod fig7;
mod fig9;
mod peg;
mod table;

pub(crate) use arm::FIG3;
pub(crate) use fig7::{FIG7, FIG8};
pub(crate) use fig9::FIG9;
pub(crate) use fig10::{FIG10, FIG11};
pub(crate) use fig12::{FIG12, FIG13};
pub(crate) use table::TABLE;
