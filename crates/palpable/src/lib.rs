//! placeholder
pub mod geometry;
pub mod math;
pub mod one_dof;
