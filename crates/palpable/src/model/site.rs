//! A world as the stages of a step see it.

use super::{Model, Params, State, SystemWork};

/// What the stages of a step see of a world.
#[derive(Debug)]
pub struct Site<'a> {
    /// Topology.
    pub model: &'a Model,
    /// Parameters.
    pub params: &'a Params,
    /// The state being made.
    pub state: &'a mut State,
    /// Subsystems, where they were last evaluated.
    pub systems: &'a mut [SystemWork],
}
