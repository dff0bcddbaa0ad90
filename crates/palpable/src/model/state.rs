//! What changes from step to step.

use super::volume::VolumeMemory;
use super::{PerIsland, PerSystem, SystemState};
use crate::math::{Rotation, Vec3, Vec6, join};

/// A moving rigid body, about its centre of mass and along its principal axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyState {
    /// Centre of mass, world axes [m].
    pub x: Vec3,
    /// Orientation of the principal axes.
    pub q: Rotation,
    /// Velocity of the centre of mass, world axes [m/s].
    pub v: Vec3,
    /// Angular velocity, principal axes [rad/s].
    pub omega: Vec3,
}

impl BodyState {
    /// `[v; omega]`.
    #[inline]
    pub fn twist(&self) -> Vec6 {
        join(&self.v, &self.omega)
    }

    /// True if every number is finite.
    #[inline]
    pub fn is_finite(&self) -> bool {
        // a sum is finite only if every term is; overflow of the sum itself is a fault as well
        let q = self.q.coords;
        let sum = self.x.x + self.x.y + self.x.z + q.x + q.y + q.z + q.w;
        let rates = self.v.x + self.v.y + self.v.z + self.omega.x + self.omega.y + self.omega.z;
        (sum + rates).is_finite()
    }
}

/// Midpoint velocities of the last two steps, for prediction.
#[derive(Debug, Clone, PartialEq)]
pub struct History {
    /// Per moving body: `û_{k−1}`, `û_{k−2}`.
    pub mid: Vec<[Vec6; 2]>,
    /// The same per subsystem, as `ξ̂`.
    pub wide: PerSystem<[Vec<f64>; 2]>,
    /// Lengths of those steps [s].
    pub h: [f64; 2],
    /// How many of them are valid, 0 to 2.
    pub depth: u8,
}

impl History {
    /// Takes over another one in the room it already has.
    fn copy_from(&mut self, other: &History) {
        self.mid.clone_from(&other.mid);
        if self.wide.len() == other.wide.len() {
            for (a, b) in self.wide.iter_mut().flatten().zip(other.wide.iter().flatten()) {
                a.clone_from(b);
            }
        } else {
            self.wide.clone_from(&other.wide);
        }
        (self.h, self.depth) = (other.h, other.depth);
    }
}

/// Configuration, velocity and carried strain of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// Moving bodies; links of subsystems follow these.
    pub bodies: Vec<BodyState>,
    /// Subsystems in generalized coordinates.
    pub systems: PerSystem<SystemState>,
    /// Carried strain `g` of each element.
    pub strain: Vec<Vec6>,
    /// `J u` of each joint at the start of the last step [m/s or rad/s].
    pub parting: Vec<Vec6>,
    /// Rounding errors of each island's linear steps that its motion has not absorbed yet [J].
    pub debt: PerIsland<f64>,
    /// For the predictor.
    pub history: History,
    /// Contacts over a volume.
    pub volume: VolumeMemory,
}

impl State {
    /// Takes over another state in the room it already has.
    pub(crate) fn copy_from(&mut self, other: &State) {
        self.bodies.clone_from(&other.bodies);
        if self.systems.len() == other.systems.len() {
            self.systems.iter_mut().zip(&other.systems).for_each(|(a, b)| a.copy_from(b));
        } else {
            self.systems.clone_from(&other.systems);
        }
        self.strain.clone_from(&other.strain);
        self.parting.clone_from(&other.parting);
        self.debt.clone_from(&other.debt);
        self.history.copy_from(&other.history);
        self.volume.copy_from(&other.volume);
    }
}
