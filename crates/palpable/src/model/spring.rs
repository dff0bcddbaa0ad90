//! Descriptions of springs, dampers and users' own elements.

use super::body::Anchor;
use super::element::Element;
use super::element_rows::Row;
use super::system::SystemId;
use crate::math::Vec6;
use std::sync::Arc;

/// Name of an elastic element; made by the model builder. It stays valid while others come and go,
/// and is refused once the element is gone, and by other models.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ElementId(pub(crate) usize, pub(crate) u64);

impl ElementId {
    /// Whatever element is at a place in the list. It is equal to no id that a model gave.
    pub fn from_index(index: usize) -> Self {
        Self(index, crate::port::ANY)
    }

    /// Position in the list of elements.
    pub fn index(self) -> usize {
        self.0
    }

    /// Its mark, for whoever stores ids: [`ElementId::from_parts`] gives the id back.
    pub fn mark(self) -> u64 {
        self.1
    }

    /// The id with this place and mark; a model refuses marks that it did not give.
    pub fn from_parts(index: usize, mark: u64) -> Self {
        Self(index, mark)
    }
}

/// What an element measures between its two anchors.
#[derive(Debug, Clone)]
pub(super) enum Measure {
    Point,
    Rotation,
    Pose,
    Rows(Vec<Row>),
    Custom(Arc<dyn Element>),
    Coordinates { system: SystemId, rows: Vec<Vec<f64>> },
    Gear { ratio: f64, measures: [Row; 2], ends: [Anchor; 2] },
}

impl Measure {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        match self {
            Measure::Point | Measure::Rotation => 3,
            Measure::Pose => 6,
            Measure::Rows(rows) => rows.len(),
            Measure::Custom(element) => element.rows(),
            Measure::Coordinates { rows, .. } => rows.len(),
            Measure::Gear { .. } => 1,
        }
    }
}

/// A spring, damper or both between two anchors, to be added to a model.
///
/// The energy is `½ Σ kᵢ gᵢ²` of the strain `g`, the loss `Σ bᵢ ġᵢ²`. Stiffness 0 leaves a damper.
#[derive(Debug, Clone)]
pub struct Spring {
    pub(super) name: String,
    pub(super) measure: Measure,
    pub(super) ends: [Anchor; 2],
    pub(super) stiffness: Vec6,
    pub(super) damping: Vec6,
    /// rows may be hard, and unresolved vibration is damped a little
    pub(super) joint: bool,
    /// measure of the first row at which it is slack
    pub(super) rest: Option<f64>,
    /// smallest and largest measure of the first row
    pub(super) stops: Option<[f64; 2]>,
    /// largest dry friction of the first row
    pub(super) friction: Option<f64>,
}

impl Spring {
    pub(super) fn new(measure: Measure, a: Anchor, b: Anchor) -> Self {
        let (name, zero) = (String::new(), Vec6::zeros());
        Self {
            name,
            measure,
            ends: [a, b],
            stiffness: zero,
            damping: zero,
            joint: false,
            rest: None,
            stops: None,
            friction: None,
        }
    }

    /// Pulls point `a` onto point `b`: strain is `p_a − p_b`, three rows in world axes
    /// `[Kim2017 sec. 3.2]`.
    pub fn point(a: Anchor, b: Anchor) -> Self {
        Self::new(Measure::Point, a, b)
    }

    /// Turns frame `a` onto frame `b`: strain is `log(R_bᵀ R_a)`, three rows `[Kim2017, (17)]`.
    pub fn rotation(a: Anchor, b: Anchor) -> Self {
        Self::new(Measure::Rotation, a, b)
    }

    /// Pulls and turns frame `a` onto frame `b`: offset in the axes of `b`, then rotation; six
    /// rows `[Kim2017 sec. 3.1]`.
    pub fn pose(a: Anchor, b: Anchor) -> Self {
        Self::new(Measure::Pose, a, b)
    }

    /// Turns frame `a` back about the z axis of `b`, counting whole turns: the spring or damper of
    /// a hinge; one row.
    pub fn angle(a: Anchor, b: Anchor) -> Self {
        Self::new(Measure::Rows(vec![Row::Angle]), a, b)
    }

    /// Pulls point `a` back along the z axis of `b`: the spring or damper of a slider; one row.
    pub fn slide(a: Anchor, b: Anchor) -> Self {
        Self::new(Measure::Rows(vec![Row::Offset(2)]), a, b)
    }

    /// Pulls coordinate `i` of a subsystem (joint angle or slide, mode) back to its rest: one row.
    pub fn coordinate(system: SystemId, i: usize) -> Self {
        let mut row = vec![0.0; i + 1];
        row[i] = 1.0;
        Self::coordinates(system, vec![row])
    }

    /// An elastic tendon over the joints of a chain: its lengthening is `Σ radius_i · q_i`, with
    /// the pulley radius at each joint [m], 0 where it passes by.
    pub fn tendon(system: SystemId, radii: &[f64]) -> Self {
        Self::coordinates(system, vec![radii.to_vec()])
    }

    /// Up to six rows `Σ a_i q_i` over the coordinates of a subsystem, a floating base left out.
    pub fn coordinates(system: SystemId, rows: Vec<Vec<f64>>) -> Self {
        let world = Anchor::world([0.0; 3]);
        Self::new(Measure::Coordinates { system, rows }, world, world)
    }

    /// The measure of the first row [m or rad] at which the spring is slack; 0 unless set.
    pub fn rest(mut self, rest: f64) -> Self {
        self.rest = Some(rest);
        self
    }

    /// Stops: the first row's measure [m or rad] stays between `lower` and `upper`, either of
    /// which may be infinite. They give no energy back; hitting one is an impact.
    pub fn stops(mut self, lower: f64, upper: f64) -> Self {
        self.stops = Some([lower, upper]);
        self
    }

    /// Dry friction of the first row: a force or torque of at most `limit` [N or N·m] against its
    /// motion, which holds it still as long as less than that is needed.
    pub fn friction(mut self, limit: f64) -> Self {
        self.friction = Some(limit);
        self
    }

    /// A user's own measure of strain between frames `a` and `b`.
    pub fn custom(element: Arc<dyn Element>, a: Anchor, b: Anchor) -> Self {
        Self::new(Measure::Custom(element), a, b)
    }

    /// A name for plots, scene files and messages.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// The same stiffness on every row: [N/m] for offsets, [N·m/rad] for rotations.
    pub fn stiffness(mut self, k: f64) -> Self {
        self.stiffness.fill(k);
        self
    }

    /// The same damping on every row: [N·s/m] for offsets, [N·m·s/rad] for rotations.
    pub fn damping(mut self, b: f64) -> Self {
        self.damping.fill(b);
        self
    }

    /// Stiffness row by row; rows that the element does not have are ignored.
    pub fn stiffness_rows(mut self, k: impl Into<Vec6>) -> Self {
        self.stiffness = k.into();
        self
    }

    /// Damping row by row.
    pub fn damping_rows(mut self, b: impl Into<Vec6>) -> Self {
        self.damping = b.into();
        self
    }
}
