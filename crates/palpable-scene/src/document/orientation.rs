//! Rotations: quaternion, axis and angle, or Euler angles.

use crate::dimension::{Angle, Number};
use crate::place::{Mistakes, Place};
use crate::quantity::Quantity;
use crate::read::{Read, document};
use crate::tree::{Node, Value};
use schemars::JsonSchema;
use serde::Serialize;

/// A rotation: the quaternion [w, x, y, z], or { axis, angle }, or { euler_xyz }.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Orientation {
    /// Quaternion [w, x, y, z]; scaled to unit length.
    Quaternion([Quantity<Number>; 4]),
    /// About an axis, or by Euler angles.
    Turn(Box<Turn>),
}

document! {
    /// A rotation about an axis by an angle, or by Euler angles.
    struct Turn {
        required {}
        optional {
            /// Axis of the rotation; any length but zero.
            axis: [Quantity<Number>; 3],
            /// Angle about the axis [rad], right-handed.
            angle: Quantity<Angle>,
            /// Angles [rad] about the fixed x, y and z axes, in this order.
            euler_xyz: [Quantity<Angle>; 3],
        }
    }
}

impl Read for Orientation {
    fn read(node: &Node, at: &Place, mistakes: &mut Mistakes) -> Option<Self> {
        if let Value::Table(_) = node.value {
            return Turn::read(node, at, mistakes).map(|turn| Self::Turn(Box::new(turn)));
        }
        let cure = "give [w, x, y, z], or { axis = [x, y, z], angle = \"30 deg\" }";
        if !matches!(node.value, Value::Array(_)) {
            let message = format!("this is {}, not an orientation", node.value.kind());
            mistakes.add(at, message, cure);
            return None;
        }
        Read::read(node, at, mistakes).map(Self::Quaternion)
    }
}
