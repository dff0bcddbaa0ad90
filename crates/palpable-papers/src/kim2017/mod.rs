//! Kim, Lee, Lee and Lee 2017, passive midpoint integration `[Kim2017]`.

mod chain;
mod fig1;
mod fig2;
mod fig3;
mod joints;
mod oscillator;
mod so3_off_axis;
mod spring;
mod style;

pub(crate) use fig1::FIG1;
pub(crate) use fig2::FIG2;
pub(crate) use fig3::FIG3;
pub(crate) use joints::JOINTS;
pub(crate) use so3_off_axis::SO3_OFF_AXIS;
