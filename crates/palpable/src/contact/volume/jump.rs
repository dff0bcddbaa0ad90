//! A body that somebody moves between steps takes its friction springs along.
//!
//! # Equation
//! ```text
//! r ← r ± (1 − n nᵀ) δ,   θ ← θ ± n·φ,    δ, φ: how its point of the contact moves, how it turns
//! ΔE = ½ k_t A (|r⁺|² − |r|²) + ½ k_t J (θ⁺² − θ²)
//! ```
//! as far as friction at rest held in the last step: beyond that it would slip.

use super::stage::VolumeStage;
use crate::geometry::Placement;
use crate::math::{Vec3, so3};
use crate::model::{BodyInfo, BodyState, Model, PatchMemory, State};

/// A moving body between two steps: who, and where it goes.
#[derive(Debug, Clone, Copy)]
pub struct Jump<'a> {
    /// Which one.
    pub node: usize,
    /// Where to.
    pub next: &'a BodyState,
}

impl VolumeStage {
    /// What a jump adds to the stores of the contacts of a body [J].
    pub fn jump_energy(&self, model: &Model, state: &State, jump: Jump) -> f64 {
        let patches = state.volume.patches.iter();
        patches.map(|p| self.jumped(model, &state.bodies, p, jump).store - p.store).sum()
    }

    /// Stretches the friction springs of a body that jumps; it is still where it was.
    pub fn stretch(&self, model: &Model, state: &mut State, jump: Jump) {
        let State { bodies, volume, .. } = state;
        for patch in &mut volume.patches {
            *patch = self.jumped(model, bodies, patch, jump);
        }
    }

    /// What a contact remembers after a jump.
    fn jumped(
        &self,
        model: &Model,
        bodies: &[BodyState],
        patch: &PatchMemory,
        jump: Jump,
    ) -> PatchMemory {
        let [Some(one), Some(two)] =
            [patch.pieces.0, patch.pieces.1].map(|p| self.moulds[p as usize].as_ref())
        else {
            return *patch;
        };
        let infos = [one, two].map(|piece| &model.bodies[piece.body]);
        let nodes = infos.map(|info| info.moving);
        let sign = match nodes {
            [Some(a), _] if a == jump.node => -1.0,
            [_, Some(b)] if b == jump.node => 1.0,
            _ => return *patch,
        };
        if patch.slips {
            return *patch;
        }
        let was = &bodies[jump.node];
        let frame = frame_of(infos[0], bodies);
        let point = frame.point(&patch.center);
        let turn = so3::compose(&jump.next.q, &was.q.inverse());
        let moved = jump.next.x + turn * (point - was.x) - point;
        let normal = frame.rotation * patch.normal;
        let across = moved - normal * normal.dot(&moved);
        // the spring is measured in the axes of the first body, which may be the one that turns
        let back =
            |v: &Vec3| frame.rotation.tr_mul(&if sign < 0.0 { turn.inverse() * v } else { *v });
        let slide = patch.slide + back(&(across * sign));
        let turned = patch.turn + sign * normal.dot(&so3::log(&turn));
        patch.stretched(slide, turned)
    }
}

/// The frame of a body where it is.
fn frame_of(info: &BodyInfo, bodies: &[BodyState]) -> Placement {
    let Some(node) = info.moving else {
        let rotation = info.start.rotation.to_rotation_matrix().into_inner();
        return Placement { rotation, origin: info.start.position };
    };
    let s = &bodies[node];
    let rotation = (s.q * info.body_from_principal.inverse()).to_rotation_matrix().into_inner();
    Placement { rotation, origin: s.x - rotation * info.center_of_mass }
}
