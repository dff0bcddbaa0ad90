//! Moments and products of inertia.

use crate::dimension::MomentOfInertia;
use crate::place::{Mistakes, Place};
use crate::quantity::Quantity;
use crate::read::{Read, document};
use crate::tree::{Node, Value};
use schemars::JsonSchema;
use serde::Serialize;

type Moment = Quantity<MomentOfInertia>;

/// Inertia about the centre of mass, body axes [kg m^2]: three moments, a 3 by 3 matrix, or
/// { diagonal, products }.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Inertia {
    /// Moments about x, y and z.
    Diagonal([Moment; 3]),
    /// Symmetric matrix, row by row.
    Matrix([[Moment; 3]; 3]),
    /// Moments and products apart.
    Parts(Parts),
}

document! {
    /// Moments and off-diagonal entries of the inertia matrix.
    struct Parts {
        required {
            /// Moments Ixx, Iyy, Izz [kg m^2].
            diagonal: [Moment; 3],
        }
        optional {
            /// Matrix entries Ixy, Ixz, Iyz with their signs, Ixy = -∫ x y dm [kg m^2].
            products: [Moment; 3],
        }
    }
}

impl Read for Inertia {
    fn read(node: &Node, at: &Place, mistakes: &mut Mistakes) -> Option<Self> {
        match &node.value {
            Value::Table(_) => Parts::read(node, at, mistakes).map(Self::Parts),
            Value::Array(items) if items.iter().any(|i| matches!(i.value, Value::Array(_))) => {
                Read::read(node, at, mistakes).map(Self::Matrix)
            }
            Value::Array(_) => Read::read(node, at, mistakes).map(Self::Diagonal),
            other => {
                let cure = "give [Ixx, Iyy, Izz], three rows of three, or { diagonal, products }";
                mistakes.add(at, format!("this is {}, not an inertia", other.kind()), cure);
                None
            }
        }
    }
}
