//! The papers' experiments as code.
//!
//! Each experiment draws a figure of a paper anew, with this project's own code, and checks what
//! it drew against closed forms, recursions and reference values. A check can fail: it compares a
//! number measured on the drawn data with a [`Bound`].
//!
//! ```
//! use palpable_papers::{find, run};
//! # fn main() -> Result<(), palpable_papers::PaperError> {
//! let folder = std::env::temp_dir().join("palpable-papers-example");
//! for experiment in find("kim2017/fig1")? {
//!     let outcome = run(experiment, &folder, &mut |_share| {})?;
//!     assert!(outcome.passed());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Ids are the paper's key and the figure as printed, `kim2017/fig1`, or a word of ours,
//! `kim2017/so3-off-axis`. A run leaves `<out>/<paper>/<figure>.png`, `.svg` and `.csv`.

mod brown1998;
mod check;
mod constantinescu2005;
mod curve;
mod error;
mod experiment;
mod hasegawa2004;
mod kim2017;
mod lee2008;
mod near;
pub mod one_dof;
mod page;
mod sheet;

pub use check::{Bound, Check};
pub use error::PaperError;
pub use experiment::{Experiment, Outcome, all, find, run};
