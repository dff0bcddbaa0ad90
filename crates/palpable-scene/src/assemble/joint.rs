//! Joints.

use super::chain::added;
use super::rows::Dimensions;
use super::spring::{DAMPING, STIFFNESS};
use super::{Added, Assembly};
use crate::dimension::Description;
use crate::document::{Apart, Joint, JointDamping, JointKind, JointStiffness, Rigidity};
use crate::place::{At, Mistakes, Place};
use crate::quantity::Loose;
use crate::read::Field;
use palpable::{Anchor as Hold, Joint as Join, Spring as Elastic, Vec6};

/// Values for the offsets and for the rotations of a joint.
type Pair = [f64; 2];

impl JointKind {
    /// How many rows are offsets, which come first, and how many rotations.
    fn rows(self) -> [usize; 2] {
        match self {
            Self::Ball | Self::Elliptic => [3, 0],
            Self::Fixed => [3, 3],
            Self::Hinge => [3, 2],
            Self::Universal => [3, 1],
            Self::Prismatic => [2, 3],
            Self::Cylindrical => [2, 2],
            Self::Planar => [1, 2],
            Self::Distance => [1, 0],
        }
    }

    fn turns(self) -> bool {
        self.rows()[1] > 0
    }

    fn spread(self, [linear, angular]: Pair) -> Vec6 {
        let [offsets, turns] = self.rows();
        let mut rows = Vec6::zeros();
        rows.rows_mut(0, offsets).fill(linear);
        rows.rows_mut(offsets, turns).fill(angular);
        rows
    }
}

impl Assembly<'_> {
    pub(super) fn add_joints(&mut self) {
        let joints = self.document.joint.get().map_or(&[][..], |list| &list.value);
        for (i, joint) in joints.iter().enumerate() {
            self.add_joint(joint, format!("joint {}", i + 1));
        }
    }

    fn add_joint(&mut self, joint: &At<Joint>, fallback: String) {
        let [a, b] = [&joint.a, &joint.b].map(|end| self.anchor(end));
        let Some(kind) = joint.kind.get().map(|k| k.value) else { return };
        let length = self.length(joint, kind);
        let stiffness = stiffness(joint.stiffness.get(), kind, &mut self.mistakes);
        let damping = damping(joint.damping.get(), kind, &mut self.mistakes);
        let (Some(k), Some(c)) = (stiffness, damping) else { return };
        self.check_damping(joint, k, c);
        let reach = self.reach(joint, kind, k);
        let (Some(a), Some(b), Some(length), Some(reach)) = (a, b, length, reach) else { return };
        let name = joint.name.get().map(|n| n.value.clone());
        if kind == JointKind::Elliptic {
            self.add_elliptic(joint, [a, b], reach, [k[0], c[0]], name.unwrap_or(fallback));
            return self.add_bounds(joint, kind, a, b);
        }
        let elastic = Elastic::from(make(kind, a, b, length))
            .named(name.clone().unwrap_or_default())
            .stiffness_rows(kind.spread(k))
            .damping_rows(kind.spread(c));
        let (id, place) = (self.builder.spring(elastic), joint.place.clone());
        let place_of = |end: &Field<_>| end.get().map_or(place.clone(), |e| e.place.clone());
        let ends = [&joint.a, &joint.b].map(place_of);
        self.springs.push(Added { id, name: name.unwrap_or(fallback), place, ends });
        self.add_bounds(joint, kind, a, b);
    }

    /// The length of a rod [m], 0 for other kinds; `None` if it is missing or has no meaning.
    fn length(&mut self, joint: &At<Joint>, kind: JointKind) -> Option<f64> {
        match (joint.length.get(), kind) {
            (Some(length), JointKind::Distance) => Some(length.0),
            (None, JointKind::Distance) => {
                let place = joint.place.child("length", joint.place.span.clone());
                // a length that could not be read is noted already
                let is_it = |p: &Place| (&p.part, &p.field) == (&place.part, &place.field);
                if !self.mistakes.0.iter().any(|m| is_it(&m.place)) {
                    let cure = "add `length = ..`, the distance of the two points";
                    self.mistakes.add(&place, "`length` is missing", cure);
                }
                None
            }
            (Some(length), _) => {
                let cure = "remove it, or choose kind = \"distance\"";
                self.mistakes.add(&length.place, "this kind of joint has no length", cure);
                None
            }
            (None, _) => Some(0.0),
        }
    }

    /// How far the points of an elliptic joint are from its middle, 0 for other kinds; `None` if
    /// they are missing or have no meaning.
    fn reach(&mut self, joint: &At<Joint>, kind: JointKind, stiffness: Pair) -> Option<[f64; 2]> {
        match (joint.reach.get(), kind) {
            (Some(reach), JointKind::Elliptic) => {
                if stiffness[0].is_infinite() {
                    let message = "four hard points say the same thing twice";
                    let cure = "give a `stiffness`, or choose kind = \"fixed\"";
                    self.note_once(&joint.place, message, cure);
                    return None;
                }
                Some(reach.value.map(|r| r.0))
            }
            (None, JointKind::Elliptic) => {
                let cure = "add `reach = [x, y]`, how far its points are from the middle";
                self.note_once(&joint.place, "`reach` is missing", cure);
                None
            }
            (Some(reach), _) => {
                let cure = "remove it, or choose kind = \"elliptic\"";
                self.mistakes.add(&reach.place, "this kind of joint has no reach", cure);
                None
            }
            (None, _) => Some([0.0; 2]),
        }
    }

    /// Four points on springs.
    fn add_elliptic(
        &mut self,
        joint: &At<Joint>,
        [a, b]: [Hold; 2],
        reach: [f64; 2],
        [stiffness, damping]: Pair,
        name: String,
    ) {
        for (i, one) in Join::elliptic(a, b, reach, stiffness).into_iter().enumerate() {
            let label = format!("{name} {}", i + 1);
            let id = self.builder.joint(one.damping(damping).named(label.as_str()));
            self.springs.push(added(id, label, joint));
        }
    }

    /// Notes damping of rows that do not yield.
    fn check_damping(&mut self, joint: &At<Joint>, stiffness: Pair, damping: Pair) {
        let idle = |i: usize| stiffness[i].is_infinite() && damping[i] > 0.0;
        if let Some(given) = joint.damping.get()
            && (idle(0) || idle(1))
        {
            let message = "a hard joint does not yield, so there is nothing to damp";
            let cure = "give it a stiffness, or a [[damper]] for the motion it leaves free";
            self.mistakes.add(&given.place, message, cure);
        }
    }
}

fn make(kind: JointKind, a: Hold, b: Hold, length: f64) -> Join {
    match kind {
        // an elliptic joint is four of them
        JointKind::Ball | JointKind::Elliptic => Join::ball(a, b),
        JointKind::Hinge => Join::hinge(a, b),
        JointKind::Universal => Join::universal(a, b),
        JointKind::Fixed => Join::fixed(a, b),
        JointKind::Prismatic => Join::prismatic(a, b),
        JointKind::Cylindrical => Join::cylindrical(a, b),
        JointKind::Planar => Join::planar(a, b),
        JointKind::Distance => Join::distance(a, b, length),
    }
}

fn stiffness(
    given: Option<&At<JointStiffness>>,
    kind: JointKind,
    mistakes: &mut Mistakes,
) -> Option<Pair> {
    let Some(given) = given else { return Some([f64::INFINITY; 2]) };
    let at = &given.place;
    match &given.value {
        Apart::Same(Rigidity::Hard) => Some([f64::INFINITY; 2]),
        Apart::Same(Rigidity::Soft(value)) => same(value, kind, &STIFFNESS, at, mistakes),
        Apart::Split(split) => {
            let mut one = |field: &Field<Rigidity>, about: &Description| match field.get() {
                None => Some(f64::INFINITY),
                Some(given) => match given.value {
                    Rigidity::Hard => Some(f64::INFINITY),
                    Rigidity::Soft(value) => value.resolve(about, &given.place, mistakes),
                },
            };
            let values = [one(&split.linear, &STIFFNESS[0]), one(&split.angular, &STIFFNESS[1])];
            check_turns(&split.angular, kind, &STIFFNESS, mistakes)?;
            Some([values[0]?, values[1]?])
        }
    }
}

fn damping(
    given: Option<&At<JointDamping>>,
    kind: JointKind,
    mistakes: &mut Mistakes,
) -> Option<Pair> {
    let Some(given) = given else { return Some([0.0; 2]) };
    match &given.value {
        Apart::Same(value) => same(value, kind, &DAMPING, &given.place, mistakes),
        Apart::Split(split) => {
            let mut one = |field: &Field<Loose>, about: &Description| match field.get() {
                None => Some(0.0),
                Some(given) => given.resolve(about, &given.place, mistakes),
            };
            let values = [one(&split.linear, &DAMPING[0]), one(&split.angular, &DAMPING[1])];
            check_turns(&split.angular, kind, &DAMPING, mistakes)?;
            Some([values[0]?, values[1]?])
        }
    }
}

/// One number for all rows, which must be plain where some are offsets and some rotations.
fn same(
    value: &Loose,
    kind: JointKind,
    about: &Dimensions,
    at: &Place,
    mistakes: &mut Mistakes,
) -> Option<Pair> {
    let value = match kind.turns() {
        true => value.resolve_both(about, at, mistakes),
        false => value.resolve(&about[0], at, mistakes),
    };
    value.map(|value| [value; 2])
}

/// Notes a value for rotations that the joint leaves free.
fn check_turns<T>(
    angular: &Field<T>,
    kind: JointKind,
    about: &Dimensions,
    mistakes: &mut Mistakes,
) -> Option<()> {
    let Some(given) = angular.get().filter(|_| !kind.turns()) else { return Some(()) };
    let message = format!("this kind of joint has no {}", about[1].noun);
    mistakes.add(&given.place, message, "remove it, or choose another kind");
    None
}
