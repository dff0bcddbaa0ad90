//! Robots from other files.

use super::{Orientation, Point};
use crate::place::{At, Mistakes, Place};
use crate::quantity::Loose;
use crate::read::{Read, document, words};
use crate::tree::{Node, Value};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use std::borrow::Cow;

words! {
    /// Whether the root of a robot moves.
    enum Base {
        /// It stays where it is put.
        #[default]
        Fixed = "fixed",
        /// It moves freely.
        Free = "free",
    }
}

words! {
    /// Coordinates that a robot is simulated in.
    enum Coordinates {
        /// Six for each body; joints are hard constraints.
        #[default]
        Maximal = "maximal",
        /// One for each joint.
        Generalized = "generalized",
    }
}

document! {
    /// A robot from a URDF file. Its links become bodies and its joints joints, by their names in
    /// the file; links that fixed joints hold together are one body, and springs and ports may
    /// still name each of them.
    struct Include {
        required {
            /// A URDF file, relative to the scene file.
            file: String,
        }
        optional {
            /// Put before all names: `left` makes the link `hand` the body `left/hand`.
            name: String,
            /// Where its root starts, world axes [m].
            position: Point,
            /// Orientation of its root at the start.
            orientation: Orientation,
            /// Whether its root moves; "fixed" unless given.
            base: Base,
            /// Coordinates; "maximal" unless given.
            coordinates: Coordinates,
            /// Where joints start, by their names in the file [rad, or m for sliders]; 0 unless
            /// given, or the middle of the limits if they leave 0 out.
            positions: Positions,
            /// Folders in which packages of `package://` are looked for first, relative to the
            /// scene file.
            packages: Vec<At<String>>,
        }
    }
}

/// Positions of joints, by name.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Positions(pub Vec<(At<String>, At<Loose>)>);

impl Read for Positions {
    fn read(node: &Node, at: &Place, mistakes: &mut Mistakes) -> Option<Self> {
        let Value::Table(entries) = &node.value else {
            let message = format!("this is {}, not a table of joints", node.value.kind());
            mistakes.add(at, message, "write { elbow = \"30 deg\", lift = \"5 cm\" }");
            return None;
        };
        let mut read = Vec::with_capacity(entries.len());
        for entry in entries {
            let name = At {
                value: entry.key.clone(),
                place: at.child(&entry.key, entry.key_span.clone()),
            };
            let place = at.child(&entry.key, entry.node.span.clone());
            let value = Loose::read(&entry.node, &place, mistakes);
            read.extend(value.map(|value| (name, At { value, place })));
        }
        Some(Self(read))
    }
}

impl Serialize for Positions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (&name.value, &value.value)))
    }
}

impl JsonSchema for Positions {
    fn schema_name() -> Cow<'static, str> {
        "Positions".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let value = generator.subschema_for::<Loose>();
        let text = "Positions of joints, by their names in the file [rad, or m for sliders].";
        json_schema!({ "type": "object", "description": text, "additionalProperties": value })
    }
}
