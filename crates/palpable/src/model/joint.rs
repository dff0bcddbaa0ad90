//! Descriptions of joints: springs whose rows are stiff, or hard.

use super::body::Anchor;
use super::element_rows::Row;
use super::spring::{Measure, Spring};
use super::system::SystemId;
use crate::math::{Rotation, Vec3, Vec6};

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

    /// Gear: the angle of `a` against `b` plus `ratio` times that of `c` against `d`, each about
    /// the z axis of its second frame, stays what it is at the start. Two wheels that mesh on one
    /// carrier have the ratio of their radii, r_c / r_a; a chain drive the negative of it.
    pub fn gear(a: Anchor, b: Anchor, c: Anchor, d: Anchor, ratio: f64) -> Self {
        Self::tied([a, b], Row::Angle, [c, d], Row::Angle, ratio)
    }

    /// Rack and pinion: the angle of `a` against `b` plus `ratio` [rad/m] times the offset of `c`
    /// against `d` along its z axis stays what it is at the start.
    pub fn rack(a: Anchor, b: Anchor, c: Anchor, d: Anchor, ratio: f64) -> Self {
        Self::tied([a, b], Row::Angle, [c, d], Row::Offset(2), ratio)
    }

    /// Two sliders tied: offset of `a` along z of `b` plus `ratio` times that of `c` along `d`.
    pub fn tied_slides(a: Anchor, b: Anchor, c: Anchor, d: Anchor, ratio: f64) -> Self {
        Self::tied([a, b], Row::Offset(2), [c, d], Row::Offset(2), ratio)
    }

    /// Elliptic joint: four points of `a`, at `reach` [m] along ±x and ±y of its frame, are held to
    /// the same points of `b` by springs `[Kim2017 sec. 3.2]`. Tilting about x is resisted by
    /// `2 k reach_y²`, about y by `2 k reach_x²`, turning about z by their sum. Add all four.
    pub fn elliptic(a: Anchor, b: Anchor, reach: [f64; 2], stiffness: f64) -> [Self; 4] {
        let points = [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]];
        points.map(|[x, y]| {
            let offset = Vec3::new(x * reach[0], y * reach[1], 0.0);
            let on = |anchor: Anchor| Anchor {
                point: anchor.point + anchor.rotation * offset,
                ..anchor
            };
            Self::ball(on(a), on(b)).stiffness(stiffness)
        })
    }

    fn tied(first: [Anchor; 2], m1: Row, second: [Anchor; 2], m2: Row, ratio: f64) -> Self {
        let measure = Measure::Gear { ratio, measures: [m1, m2], ends: second };
        Self::new(measure, first[0], first[1])
    }

    /// Two coordinates of a subsystem tied: `q_i + ratio · q_j` stays what it is at `rest`.
    pub fn coupling(system: SystemId, i: usize, j: usize, ratio: f64, rest: f64) -> Self {
        let mut row = vec![0.0; i.max(j) + 1];
        row[i] = 1.0;
        row[j] += ratio;
        let mut spring = Spring::coordinates(system, vec![row]).rest(rest);
        spring = spring.stiffness(f64::INFINITY);
        spring.joint = true;
        Self { spring }
    }

    /// The joint's z axis along `axis`, given in the axes of each anchor's own frame: for bodies
    /// that are not turned at the start, in world axes. A zero axis changes nothing.
    pub fn about(mut self, axis: impl Into<Vec3>) -> Self {
        let axis = axis.into();
        let turn = Rotation::rotation_between(&Vec3::z(), &axis).unwrap_or_else(|| {
            // opposite to z: any half turn about a perpendicular axis
            Rotation::from_scaled_axis(Vec3::x() * std::f64::consts::PI)
        });
        if axis.norm() > 0.0 {
            self.spring.ends = self.spring.ends.map(|end| end.turned(end.rotation * turn));
        }
        self
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
