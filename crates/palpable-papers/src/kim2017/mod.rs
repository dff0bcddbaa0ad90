//! Kim, Lee, Lee and Lee 2017, passive midpoint integration `[Kim2017]`.

mod beam;
mod chain;
mod drop;
mod felt_beam;
mod fig1;
mod fig13;
mod fig14;
mod fig16;
mod fig2;
mod fig3;
mod fig6;
mod fig9;
mod joints;
mod lagrange;
mod oscillator;
mod proxy;
mod proxy_laws;
mod so3_off_axis;
mod spring;
mod style;

pub(crate) use fig1::FIG1;
pub(crate) use fig2::FIG2;
pub(crate) use fig3::FIG3;
pub(crate) use fig6::{FIG6, FIG7, FIG8};
pub(crate) use fig9::FIG9;
pub(crate) use fig13::FIG13;
pub(crate) use fig14::FIG14;
pub(crate) use fig16::FIG16;
pub(crate) use joints::JOINTS;
pub(crate) use proxy::PROXY;
pub(crate) use so3_off_axis::SO3_OFF_AXIS;
