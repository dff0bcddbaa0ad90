//! Kim, Lee, Lee and Lee 2017, passive midpoint integration `[Kim2017]`.

mod fig1;
mod oscillator;
mod style;

pub(crate) use fig1::FIG1;
