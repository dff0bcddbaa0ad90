//! Contact forces of a step: a complementarity problem on exact friction cones.
//!
//! ```text
//! v = c + W λ,    W = J A⁻¹ Jᵀ                     A: symmetric part positive definite
//! 0 ≤ v_n + target ⟂ λ_n ≥ 0                       [Kim2017, (31)]
//! ‖λ_t‖ ≤ μ λ_n, λ_t opposes v_t                   (maximum dissipation, exact cone)
//! ```
//!
//! A [`ConeProblem`] is filled each step (groups, then contacts), solved island by island and read
//! back; nothing allocates. Whatever the solver reached, the forces it returns never add energy:
//! see [`Rule`].
//!
//! # Differs from the source
//! `[Kim2017, (34)]` replaces the cone by a pyramid and solves by Lemke's method, which fails on
//! stacks and is of no use when stopped early; it is kept in [`pyramid`] for reproduction, and a
//! world may choose it.

mod collide;
mod contact;
mod cost;
pub(in crate::solve) mod dense;
mod driver;
mod island;
mod kernels;
mod law;
mod lemke;
pub(in crate::solve) mod local;
mod newton;
mod newton_rows;
pub(in crate::solve) mod passive;
mod problem;
mod pseudo_inverse;
pub mod pyramid;
mod sweep;

pub use collide::{Collision, Resolution};
pub use contact::{
    Capacity, ConeReport, ConeSettings, Contact, IslandReport, Law, PointSide, Refused, Rule, Side,
};
pub use lemke::{LemkeError, lemke};
pub use problem::ConeProblem;
