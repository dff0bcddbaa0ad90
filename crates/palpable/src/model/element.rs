//! Elastic elements: strain between two frames, and its secant Jacobian over a step.

use super::element_rows::{self, Row};
use super::gear::Gear;
use super::lagrangian::BaseSizes;
use super::{SystemAt, element_custom, element_point, element_pose, element_rotation};
use crate::math::{Mat3, Mat6, Rotation, Vec3, Vec6, so3};
use std::fmt::Debug;
use std::sync::Arc;

/// A frame in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Origin [m].
    pub position: Vec3,
    /// Orientation.
    pub rotation: Rotation,
}

impl Default for Pose {
    fn default() -> Self {
        Self { position: Vec3::zeros(), rotation: Rotation::identity() }
    }
}

/// A user's own elastic element.
///
/// Say how far the two frames are from rest, row by row; the engine stores `½ k g²` per row,
/// differentiates the strain at the predicted midpoint by central differences, and keeps the
/// result passive whatever the strain is. Any non-negative energy `U(q)` fits: one row
/// `g = √(2U/k)`.
pub trait Element: Debug + Send + Sync {
    /// Number of rows, 1 to 6; must not change.
    fn rows(&self) -> usize;
    /// Strain of frame `a` against frame `b`; rows beyond [`Element::rows`] are ignored. Must be
    /// finite, and smooth near the configurations of interest.
    fn strain(&self, a: &Pose, b: &Pose) -> Vec6;
}

/// What an element of a frozen model measures.
#[derive(Debug, Clone)]
pub enum Kind {
    /// Offset of two points, world axes.
    Point,
    /// Relative rotation vector.
    Rotation,
    /// Offset in the axes of `b`, then relative rotation.
    Pose,
    /// Rows of a joint.
    Rows(Vec<Row>),
    /// A user's own.
    Custom(Arc<dyn Element>),
    /// Combinations of the coordinates of one subsystem.
    Coordinates(Arc<Coordinates>),
    /// A combination of the angles or slides of two joints.
    Gear(Arc<Gear>),
}

/// Rows `a · q` over the joint or modal coordinates of one subsystem: joint springs, tendons.
#[derive(Debug, Clone, PartialEq)]
pub struct Coordinates {
    /// The subsystem.
    pub system: SystemAt,
    /// Coefficients of each row, first coordinate first; missing ones are 0.
    pub rows: Vec<Vec<f64>>,
    /// How many numbers of `q` and of the velocity belong to the base and come first.
    pub skip: BaseSizes,
}

impl Coordinates {
    /// The measure of each row at coordinates `q`.
    pub fn strain(&self, q: &[f64]) -> Vec6 {
        let of = |row: &Vec<f64>| row.iter().zip(&q[self.skip.q..]).map(|(a, q)| a * q).sum();
        Vec6::from_fn(|i, _| self.rows.get(i).map_or(0.0, of))
    }
}

impl Kind {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        match self {
            Kind::Point | Kind::Rotation => 3,
            Kind::Pose => 6,
            Kind::Rows(rows) => rows.len(),
            Kind::Custom(element) => element.rows(),
            Kind::Coordinates(c) => c.rows.len(),
            Kind::Gear(_) => 1,
        }
    }

    /// First of three rows that hold a rotation vector, if there is one.
    pub fn rotation_rows(&self) -> Option<usize> {
        match self {
            Kind::Rotation => Some(0),
            Kind::Pose => Some(3),
            _ => None,
        }
    }
}

/// One end of an element during a step: the body it holds on to, and the frame on that body.
#[derive(Debug, Clone, Copy)]
pub struct End {
    /// Centre of mass of the body [m]; the origin for the world.
    pub x: Vec3,
    /// Orientation of the body's principal axes.
    pub q: Rotation,
    /// The same as a matrix.
    pub r: Mat3,
    /// Predicted midpoint velocity of the centre of mass, world axes [m/s].
    pub v: Vec3,
    /// Predicted midpoint angular velocity, principal axes [rad/s].
    pub omega: Vec3,
    /// Origin of the element's frame, principal axes from the centre of mass [m].
    pub point: Vec3,
    /// Orientation of the element's frame in principal axes.
    pub frame: Rotation,
}

impl End {
    /// Where the element's frame is now.
    #[inline]
    pub fn pose(&self) -> Pose {
        Pose { position: self.x + self.r * self.point, rotation: self.q * self.frame }
    }

    /// The same end after moving along its predicted velocity for `t` [s].
    pub fn moved(&self, t: f64) -> End {
        let q = so3::compose(&self.q, &so3::cayley(&(self.omega * t)));
        End { x: self.x + self.v * t, q, r: q.to_rotation_matrix().into_inner(), ..*self }
    }
}

/// The strain `G(q)` of an element; rotations on the branch nearest to `near`.
pub fn strain(kind: &Kind, a: &End, b: &End, near: &Vec6) -> Vec6 {
    match kind {
        Kind::Point => element_point::strain(a, b),
        Kind::Rotation => element_rotation::strain(a, b, near),
        Kind::Pose => element_pose::strain(a, b, near),
        Kind::Rows(rows) => element_rows::strain(rows, a, b, near),
        Kind::Custom(element) => element.strain(&a.pose(), &b.pose()),
        // these do not live between two frames
        Kind::Coordinates(_) | Kind::Gear(_) => Vec6::zeros(),
    }
}

/// Secant Jacobians towards `[v; omega]` of both bodies over a step of `h` [s]:
/// `G(q⁺) − G(q) = h J û` exactly for points when `û` is as predicted, to O(h³) otherwise.
/// With `h = 0` it is the Jacobian at the start of the step.
pub fn jacobian(kind: &Kind, a: &End, b: &End, g: &Vec6, h: f64) -> [Mat6; 2] {
    match kind {
        Kind::Point => element_point::jacobian(a, b, h),
        Kind::Rotation => element_rotation::jacobian(a, b, g, h),
        Kind::Pose => element_pose::jacobian(a, b, g, h),
        Kind::Rows(rows) => element_rows::jacobian(rows, a, b, g, h),
        Kind::Custom(element) => element_custom::jacobian(element.as_ref(), a, b, h),
        Kind::Gear(gear) => gear.jacobian([a, b], h, 0),
        Kind::Coordinates(_) => [Mat6::zeros(); 2],
    }
}
