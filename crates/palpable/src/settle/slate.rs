//! What a step notes beside the state.

use super::Momentum;
use crate::math::Vec6;
use crate::model::{BodyState, Model, PerSystem};

/// Sum of the forces of elements on a body, and of their magnitudes.
#[derive(Debug, Clone, Copy, Default)]
pub struct Push {
    pub(super) sum: Vec6,
    pub(super) size: Vec6,
}

/// Work space of the stages that make the next state.
#[derive(Debug, Clone)]
pub struct Slate {
    /// Solved midpoint velocities `û`, per moving body.
    pub mid: Vec<Vec6>,
    /// Forces of elements on the bodies of an island.
    pub pushes: Vec<Push>,
    /// Strains with which the step begins, per element: its references have moved.
    pub start: Vec<Vec6>,
    /// True strains `G`.
    pub strains: Vec<Vec6>,
    /// Forces of elements on bodies under the explicit schemes.
    pub forces: Vec<Vec6>,
    /// Bodies before the projection.
    pub from: Vec<BodyState>,
    /// Bodies before a pass of it.
    pub saved: Vec<BodyState>,
    /// Momentum of floating chains at the start of a part, per subsystem.
    pub momenta: PerSystem<Option<Momentum>>,
    /// What stands in for contact and hard joints in schemes that know neither.
    pub springs: Springs,
}

/// Springs of a step that stand in for contact and hard joints.
#[derive(Debug, Clone, Default)]
pub struct Springs {
    /// Stiffness [N/m] and elastic force [N] of each touch.
    pub touches: Vec<[f64; 2]>,
    /// Stiffness and damping of the hard rows of each element.
    pub rows: Vec<[Vec6; 2]>,
}

impl Springs {
    fn new(model: &Model) -> Self {
        let room = model.contact().map_or(0, |c| c.capacity);
        let rows = vec![[Vec6::zeros(); 2]; model.elements().len()];
        Self { touches: Vec::with_capacity(room), rows }
    }
}

impl Slate {
    /// Room for a model.
    pub fn new(model: &Model) -> Self {
        let bodies = model.moving.len();
        Self {
            mid: vec![Vec6::zeros(); bodies],
            pushes: vec![Push::default(); bodies],
            start: model.state.strain.clone(),
            strains: model.state.strain.clone(),
            forces: vec![Vec6::zeros(); bodies],
            from: model.state.bodies.clone(),
            saved: model.state.bodies.clone(),
            momenta: vec![None; model.systems.len()].into(),
            springs: Springs::new(model),
        }
    }
}
