//! Lee and Huang 2008, non-iterative passive integration with variable steps `[Lee2008]`.

mod ball;
mod fig2;
mod fig4;
mod fig6;
mod press;
mod steps;

pub(crate) use fig2::FIG2;
pub(crate) use fig4::FIG4;
pub(crate) use fig6::FIG6;
