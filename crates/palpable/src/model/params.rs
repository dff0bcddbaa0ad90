//! What a user may change while the world runs.

use super::{PerSystem, Surfaces, SystemParams};
use crate::math::{Rotation, Vec3, Vec6};

/// Inertia and damping of a moving body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyParams {
    /// Mass [kg].
    pub mass: f64,
    /// Principal moments of inertia [kg·m²].
    pub inertia: Vec3,
    /// Viscous damping of the centre of mass [N·s/m].
    pub linear_damping: f64,
    /// Viscous damping of the rotation [N·m·s/rad].
    pub angular_damping: f64,
}

impl BodyParams {
    /// Kinetic energy [J] at velocity `v` [m/s] and angular velocity `omega` [rad/s].
    #[inline]
    pub fn kinetic(&self, v: &Vec3, omega: &Vec3) -> f64 {
        0.5 * (self.mass * v.norm_squared() + omega.dot(&self.inertia.component_mul(omega)))
    }
}

/// Stiffness, damping and frames of an element.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ElementParams {
    /// Stiffness per row [N/m or N·m/rad].
    pub stiffness: Vec6,
    /// Damping per row [N·s/m or N·m·s/rad].
    pub damping: Vec6,
    /// Origin of the frame at each end: principal axes from the centre of mass, or world [m].
    pub points: [Vec3; 2],
    /// Orientation of the frame at each end in principal (or world) axes.
    pub frames: [Rotation; 2],
    /// Measure at which the strain of a row is 0 [m or rad].
    pub rest: Vec6,
    /// Largest dry friction of the first row [N or N·m].
    pub friction: f64,
}

impl ElementParams {
    /// Those of an element that was taken out.
    pub(crate) fn gone() -> Self {
        let (zero, points, frames) = (Vec6::zeros(), Default::default(), Default::default());
        let [stiffness, damping, rest] = [zero; 3];
        Self { stiffness, damping, points, frames, rest, friction: 0.0 }
    }

    /// Elastic energy [J] at strain `g`; hard rows store none.
    #[inline]
    pub fn elastic(&self, g: &Vec6) -> f64 {
        0.5 * (0..6).map(|i| self.bookable(i) * g[i] * g[i]).sum::<f64>()
    }

    /// True for a row of infinite stiffness.
    #[inline]
    pub fn is_hard(&self, row: usize) -> bool {
        self.stiffness[row] == f64::INFINITY
    }

    /// Stiffness of a row that stores energy, 0 for a hard one.
    #[inline]
    pub fn bookable(&self, row: usize) -> f64 {
        if self.is_hard(row) { 0.0 } else { self.stiffness[row] }
    }
}

/// All live parameters of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Params {
    /// Moving bodies.
    pub bodies: Vec<BodyParams>,
    /// Elements.
    pub elements: Vec<ElementParams>,
    /// Subsystems.
    pub systems: PerSystem<SystemParams>,
    /// Surfaces of all bodies; empty if nothing can touch.
    pub surfaces: Surfaces,
    /// Acceleration of gravity, world axes [m/s²].
    pub gravity: Vec3,
}

impl Params {
    /// Energy that gravity gives to a unit of mass in a step of `h` [s] from rest [J/kg].
    pub(crate) fn fall(&self, h: f64) -> f64 {
        0.5 * (h * self.gravity.norm()).powi(2)
    }

    /// Takes over other parameters in the room they already have.
    pub(crate) fn copy_from(&mut self, other: &Params) {
        self.bodies.clone_from(&other.bodies);
        self.elements.clone_from(&other.elements);
        if self.systems.len() == other.systems.len() {
            for (a, b) in self.systems.iter_mut().zip(&other.systems) {
                a.damping.clone_from(&b.damping);
            }
        } else {
            self.systems.clone_from(&other.systems);
        }
        self.surfaces.bodies.clone_from(&other.surfaces.bodies);
        self.surfaces.pairs.clone_from(&other.surfaces.pairs);
        self.gravity = other.gravity;
    }
}
