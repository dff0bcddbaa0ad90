//! Where springs and joints hold on.

use super::{Orientation, Point};
use crate::read::document;

document! {
    /// Where an end of a spring, damper or joint holds on: a point of a body, or of the world.
    struct Anchor {
        required {}
        optional {
            /// Name of the body.
            body: String,
            /// Point in body axes [m]; the body's origin unless given.
            point: Point,
            /// A point of the world [m], instead of a body.
            world: Point,
            /// Orientation of the frame in body (or world) axes; matters to rotation, pose and
            /// most joints.
            orientation: Orientation,
        }
    }
}
