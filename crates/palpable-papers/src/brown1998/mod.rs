//! Brown 1998, passive implementation of multibody simulations for haptic display `[Brown1998]`.

mod fig5_2;
mod fig5_3;
mod fig7_2;
mod fig7_4;
mod fig7_5;
mod fig7_6;
mod fig7_8;
mod levels;
mod particle;

pub(crate) use fig5_2::FIG5_2;
pub(crate) use fig5_3::FIG5_3;
pub(crate) use fig7_2::FIG7_2;
pub(crate) use fig7_4::FIG7_4;
pub(crate) use fig7_5::FIG7_5;
pub(crate) use fig7_6::FIG7_6;
pub(crate) use fig7_8::FIG7_8;
