//! Bodies that are inside each other before a world has taken a step.

use super::body::BodyId;
use super::{BodyInfo, Model, State};
use crate::geometry::{CollisionPipeline, Isometry};

/// Depths below this [m] are rounding of places.
const SLIGHT: f64 = 1e-9;

/// Two bodies that are inside each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Overlap {
    /// Which.
    pub bodies: [BodyId; 2],
    /// Their names.
    pub names: [String; 2],
    /// How deep [m].
    pub depth: f64,
}

impl std::fmt::Display for Overlap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [a, b] = &self.names;
        write!(f, "\"{a}\" and \"{b}\" overlap by {:.3e} m", self.depth)
    }
}

/// Where the frame of a body is at a state.
pub(crate) fn pose_of(body: &BodyInfo, state: &State) -> Isometry {
    let Some(node) = body.moving else {
        return Isometry::from_parts(body.start.position.into(), body.start.rotation);
    };
    let s = &state.bodies[node];
    let rotation = s.q * body.body_from_principal.inverse();
    Isometry::from_parts((s.x - rotation * body.center_of_mass).into(), rotation)
}

impl Model {
    /// Pairs of bodies that are inside each other at the start, deepest first; empty if nothing may
    /// touch. Such bodies are pushed apart as they run, at the cost of the tank, or all at once by
    /// `World::separate`.
    pub fn overlaps(&self) -> Vec<Overlap> {
        let Some(contact) = &self.contact else { return Vec::new() };
        let mut pipeline = contact.pipeline.furnished();
        self.overlaps_at(&self.state, &mut pipeline)
    }

    /// The same at a state, with a pipeline to work in.
    pub(crate) fn overlaps_at(
        &self,
        state: &State,
        pipeline: &mut CollisionPipeline,
    ) -> Vec<Overlap> {
        let poses: Vec<Isometry> = self.bodies.iter().map(|b| pose_of(b, state)).collect();
        pipeline.update(&poses, 0.0);
        let mut found: Vec<Overlap> = Vec::new();
        for m in pipeline.manifolds() {
            let gaps = pipeline.contacts()[m.range()].iter().map(|c| c.gap);
            let (depth, pair) = (-gaps.fold(0.0, f64::min), [m.body_a, m.body_b]);
            if depth <= SLIGHT {
                continue;
            }
            let bodies = pair.map(|b| self.source.body_id(b as usize));
            let names = pair.map(|b| self.bodies[b as usize].name.clone());
            match found.iter_mut().find(|o| o.bodies == bodies) {
                Some(known) => known.depth = known.depth.max(depth),
                None => found.push(Overlap { bodies, names, depth }),
            }
        }
        found.sort_by(|a, b| b.depth.total_cmp(&a.depth));
        found
    }
}
