//! Descriptions of joints: springs whose rows are stiff, or hard.

use super::body::Anchor;
use super::element_rows::Row;
use super::spring::{Measure, Spring};
use crate::math::Vec6;

/// Joins two bodies so that some motions stay free.
///
/// The joint's frame is given by its two anchors; axes are those of the anchors' frames, z first
/// choice. A joint is hard unless [`Joint::stiffness`] makes it a spring.
#[derive(Debug, Clone)]
pub struct Joint {
    spring: Spring,
}

impl Joint {
    fn new(measure: Measure, a: Anchor, b: Anchor) -> Self {
        let mut spring = Spring::new(measure, a, b).stiffness(f64::INFINITY);
        spring.joint = true;
        Self { spring }
    }

    /// The two points stay together; all rotations are free.
    pub fn ball(a: Anchor, b: Anchor) -> Self {
        Self::new(Measure::Point, a, b)
    }

    /// Nothing is free.
    pub fn fixed(a: Anchor, b: Anchor) -> Self {
        Self::new(Measure::Pose, a, b)
    }

    /// Turns about the common z axis.
    pub fn hinge(a: Anchor, b: Anchor) -> Self {
        use Row::{Align, Offset};
        Self::new(Measure::Rows(vec![Offset(0), Offset(1), Offset(2), Align(0), Align(1)]), a, b)
    }

    /// Two axes through one point: z of `a` stays perpendicular to x of `b`.
    pub fn universal(a: Anchor, b: Anchor) -> Self {
        use Row::{Align, Offset};
        Self::new(Measure::Rows(vec![Offset(0), Offset(1), Offset(2), Align(0)]), a, b)
    }

    /// Slides along z of `b` without turning.
    pub fn prismatic(a: Anchor, b: Anchor) -> Self {
        use Row::{Offset, Turn};
        Self::new(Measure::Rows(vec![Offset(0), Offset(1), Turn(0), Turn(1), Turn(2)]), a, b)
    }

    /// Slides along and turns about z of `b`.
    pub fn cylindrical(a: Anchor, b: Anchor) -> Self {
        use Row::{Align, Offset};
        Self::new(Measure::Rows(vec![Offset(0), Offset(1), Align(0), Align(1)]), a, b)
    }

    /// Slides in the x-y plane of `b` and turns about its normal.
    pub fn planar(a: Anchor, b: Anchor) -> Self {
        use Row::{Align, Offset};
        Self::new(Measure::Rows(vec![Offset(2), Align(0), Align(1)]), a, b)
    }

    /// The two points keep a distance [m], as if joined by a rod.
    pub fn distance(a: Anchor, b: Anchor, length: f64) -> Self {
        Self::new(Measure::Rows(vec![Row::Distance(length)]), a, b)
    }

    /// A soft joint: the same stiffness on every row, [N/m] for offsets and distances, [N·m/rad]
    /// for rotations, [N·m] for aligned axes.
    pub fn stiffness(mut self, k: f64) -> Self {
        self.spring = self.spring.stiffness(k);
        self
    }

    /// Stiffness row by row, in the order of the constructor's description; infinite is hard.
    pub fn stiffness_rows(mut self, k: impl Into<Vec6>) -> Self {
        self.spring = self.spring.stiffness_rows(k);
        self
    }

    /// Damping of every row of a soft joint.
    pub fn damping(mut self, b: f64) -> Self {
        self.spring = self.spring.damping(b);
        self
    }

    /// A name for plots, scene files and messages.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.spring = self.spring.named(name);
        self
    }
}

impl From<Joint> for Spring {
    fn from(joint: Joint) -> Spring {
        joint.spring
    }
}
