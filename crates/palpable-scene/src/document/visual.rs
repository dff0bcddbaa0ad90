//! What bodies look like where their shape alone does not tell.

use super::{Orientation, Point, Shape};
use crate::dimension::Share;
use crate::quantity::Quantity;
use crate::read::document;

document! {
    /// A shape that is drawn and nothing else: it has no mass and touches nothing. A body with
    /// visuals is drawn by these instead of its shape.
    struct Visual {
        required {
            /// The shape, in its own axes; anything but a half space.
            shape: Shape,
        }
        optional {
            /// Where it is, in the axes of the body [m].
            position: Point,
            /// How it is turned, in the axes of the body.
            orientation: Orientation,
            /// Red, green and blue, each from 0 to 1; the studio's own colour unless given.
            color: [Quantity<Share>; 3],
        }
    }
}
