//! Hasegawa and Sato 2004, contact over a volume `[Hasegawa2004]`.
//!
//! The text gives few parameters; where it gives none, those here are our own and are said.

mod fig12;
mod fig14;
mod fig16;
mod fig19;
mod worlds;

pub(crate) use fig12::FIG12;
pub(crate) use fig14::FIG14;
pub(crate) use fig16::FIG16;
pub(crate) use fig19::FIG19;
