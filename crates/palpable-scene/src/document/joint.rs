//! Joints.

use super::Anchor;
use crate::dimension::Size;
use crate::place::{Mistakes, Place};
use crate::quantity::{Loose, Quantity, read_loose};
use crate::read::{Read, document, words};
use crate::tree::{Node, Value};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use std::borrow::Cow;

words! {
    /// What a joint leaves free.
    enum JointKind {
        /// The two points stay together; all rotations are free.
        #[default]
        Ball = "ball",
        /// Turns about the common z axis of the two frames.
        Hinge = "hinge",
        /// Two axes through one point: z of `a` stays perpendicular to x of `b`.
        Universal = "universal",
        /// Nothing is free.
        Fixed = "fixed",
        /// Slides along z of `b` without turning.
        Prismatic = "prismatic",
        /// Slides along and turns about z of `b`.
        Cylindrical = "cylindrical",
        /// Slides in the x-y plane of `b` and turns about its normal.
        Planar = "planar",
        /// The two points keep a distance, as if joined by a rod.
        Distance = "distance",
        /// Four points along x and y of the frame, held by springs: a bushing.
        Elliptic = "elliptic",
    }
}

document! {
    /// A joint between two ends; closed where their frames agree in what it does not leave free.
    struct Joint {
        required {
            /// What it leaves free.
            kind: JointKind,
            /// One end.
            a: Anchor,
            /// The other end.
            b: Anchor,
        }
        optional {
            /// Name in recordings.
            name: String,
            /// Distance of the two points [m]; needed by kind "distance" and no other.
            length: Quantity<Size>,
            /// Distance of the four points from the middle, along x and along y [m]; needed by kind
            /// "elliptic" and no other.
            reach: [Quantity<Size>; 2],
            /// Stiffness [N/m; N m/rad for rotations]; "hard" unless given. Of each point of kind
            /// "elliptic", which needs one.
            stiffness: JointStiffness,
            /// Damping of a soft joint [N s/m; N m s/rad for rotations]; none unless given.
            damping: JointDamping,
            /// Smallest and largest angle of a hinge [rad], or place of a slider [m].
            stops: [Loose; 2],
            /// Dry friction of a hinge [N m] or a slider [N]; none unless given.
            friction: Loose,
        }
    }
}

/// Stiffness of a joint: "hard", one number for all rows, or { linear, angular }.
pub(crate) type JointStiffness = Apart<Rigidity, StiffnessApart>;

/// Damping of a joint: one number for all rows, or { linear, angular }.
pub(crate) type JointDamping = Apart<Loose, DampingApart>;

/// One value for all rows of a joint, or { linear, angular }.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub(crate) enum Apart<T, S> {
    /// The same for all rows.
    Same(T),
    /// Offsets and rotations apart.
    Split(Box<S>),
}

impl<T: Read, S: Read> Read for Apart<T, S> {
    fn read(node: &Node, at: &Place, mistakes: &mut Mistakes) -> Option<Self> {
        match node.value {
            Value::Table(_) => S::read(node, at, mistakes).map(|s| Self::Split(Box::new(s))),
            _ => T::read(node, at, mistakes).map(Self::Same),
        }
    }
}

document! {
    /// Stiffness of offsets and rotations apart.
    struct StiffnessApart {
        required {}
        optional {
            /// For offsets and distances [N/m]; "hard" unless given.
            linear: Rigidity,
            /// For rotations and aligned axes [N m/rad]; "hard" unless given.
            angular: Rigidity,
        }
    }
}

document! {
    /// Damping of offsets and rotations apart.
    struct DampingApart {
        required {}
        optional {
            /// For offsets and distances [N s/m]; 0 unless given.
            linear: Loose,
            /// For rotations and aligned axes [N m s/rad]; 0 unless given.
            angular: Loose,
        }
    }
}

/// A stiffness, or none that yields.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Rigidity {
    /// Does not yield.
    Hard,
    /// Yields as a spring.
    Soft(Loose),
}

impl Read for Rigidity {
    fn read(node: &Node, at: &Place, mistakes: &mut Mistakes) -> Option<Self> {
        if matches!(&node.value, Value::String(text) if text == "hard") {
            return Some(Self::Hard);
        }
        let cure = || "give \"hard\", a finite number, or a text such as \"2 kN/m\"".to_owned();
        read_loose(node, cure, at, mistakes).map(Self::Soft)
    }
}

impl Serialize for Rigidity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Hard => serializer.serialize_str("hard"),
            Self::Soft(stiffness) => stiffness.serialize(serializer),
        }
    }
}

impl JsonSchema for Rigidity {
    fn schema_name() -> Cow<'static, str> {
        "Rigidity".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let text = "\"hard\", a number in SI units, or a text such as \"2 kN/m\".";
        json_schema!({ "type": ["number", "string"], "description": text })
    }
}
