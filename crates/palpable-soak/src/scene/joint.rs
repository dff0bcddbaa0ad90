//! Joints and springs between two bodies, or a body and the world.

use palpable::Vec3;

/// What a joint or spring holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JointKind {
    /// Joint: a point.
    Ball,
    /// Joint: a point and an axis.
    Hinge,
    /// Joint: a point and one angle.
    Universal,
    /// Joint: everything.
    Fixed,
    /// Joint: everything but one direction.
    Prismatic,
    /// Joint: everything but motion along and about one axis.
    Cylindrical,
    /// Joint: a plane.
    Planar,
    /// Joint: a distance.
    Distance,
    /// Spring between points.
    SpringPoint,
    /// Spring between orientations.
    SpringRotation,
    /// Spring between poses.
    SpringPose,
    /// Spring about an axis; may have stops and dry friction.
    SpringAngle,
    /// Spring along an axis; may have stops and dry friction.
    SpringSlide,
}

impl JointKind {
    /// All of them.
    pub const ALL: [JointKind; 13] = [
        JointKind::Ball,
        JointKind::Hinge,
        JointKind::Universal,
        JointKind::Fixed,
        JointKind::Prismatic,
        JointKind::Cylindrical,
        JointKind::Planar,
        JointKind::Distance,
        JointKind::SpringPoint,
        JointKind::SpringRotation,
        JointKind::SpringPose,
        JointKind::SpringAngle,
        JointKind::SpringSlide,
    ];

    /// True for springs, false for joints.
    pub fn is_spring(self) -> bool {
        matches!(
            self,
            JointKind::SpringPoint
                | JointKind::SpringRotation
                | JointKind::SpringPose
                | JointKind::SpringAngle
                | JointKind::SpringSlide
        )
    }

    /// True if it measures one number, which can have stops, dry friction and a rest.
    pub fn is_single(self) -> bool {
        matches!(self, JointKind::SpringAngle | JointKind::SpringSlide)
    }

    /// True if it holds two points together.
    pub fn holds_point(self) -> bool {
        matches!(self, JointKind::Ball | JointKind::Hinge | JointKind::Universal | JointKind::Fixed)
    }
}

/// A joint or spring.
#[derive(Debug, Clone, PartialEq)]
pub struct JointSpec {
    /// Its number.
    pub id: usize,
    /// What it holds.
    pub kind: JointKind,
    /// Its first body.
    pub a: usize,
    /// Its second body; `None` is the world.
    pub b: Option<usize>,
    /// Where it holds the first body, world axes [m].
    pub at: Vec3,
    /// Rotation vector of its frame [rad].
    pub frame: Vec3,
    /// From there to where it holds the second body, world axes [m].
    pub offset: Vec3,
    /// Stiffness [N/m or N·m/rad]; infinite if hard.
    pub stiffness: f64,
    /// Damping [N·s/m or N·m·s/rad]; soft ones only.
    pub damping: f64,
    /// Smallest and largest measure [m or rad].
    pub stops: Option<[f64; 2]>,
    /// Dry friction [N or N·m].
    pub friction: Option<f64>,
    /// Measure at which it is slack [m or rad].
    pub rest: Option<f64>,
}
