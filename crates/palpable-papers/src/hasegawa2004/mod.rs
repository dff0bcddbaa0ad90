//! Hasegawa and Sato 2004, contact over a volume `[Hasegawa2004]`.
//!
//! The text gives few parameters; where it gives none, those here are our own and are said.

mod fig10;
mod fig12;
mod fig14;
mod fig15;
mod fig16;
mod fig17;
mod fig18;
mod fig19;
mod fig20;
mod led;
mod shovels;
mod worlds;

pub(crate) use fig10::FIG10;
pub(crate) use fig12::FIG12;
pub(crate) use fig14::FIG14;
pub(crate) use fig15::FIG15;
pub(crate) use fig16::FIG16;
pub(crate) use fig17::FIG17;
pub(crate) use fig18::FIG18;
pub(crate) use fig19::FIG19;
pub(crate) use fig20::FIG20;
