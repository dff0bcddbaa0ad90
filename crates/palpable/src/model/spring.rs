//! Descriptions of springs, dampers and users' own elements.

use super::body::Anchor;
use super::element::Element;
use super::element_rows::Row;
use crate::math::Vec6;
use std::sync::Arc;

/// Name of an elastic element; made by the model builder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ElementId(pub(crate) usize);

impl ElementId {
    /// Position in the list of elements.
    pub fn index(self) -> usize {
        self.0
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
}

impl Spring {
    pub(super) fn new(measure: Measure, a: Anchor, b: Anchor) -> Self {
        let (name, zero) = (String::new(), Vec6::zeros());
        Self { name, measure, ends: [a, b], stiffness: zero, damping: zero, joint: false }
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
