//! Springs and dampers.

use super::{Anchor, Rows};
use crate::read::{document, words};

words! {
    /// What a spring or damper measures between its ends.
    enum SpringKind {
        /// Offset of the two points: three rows, world axes.
        #[default]
        Point = "point",
        /// Relative rotation of the two frames: three rows.
        Rotation = "rotation",
        /// Offset and relative rotation: six rows, offsets first.
        Pose = "pose",
    }
}

document! {
    /// A spring between two ends; it is at rest where the ends meet.
    struct Spring {
        required {
            /// One end.
            a: Anchor,
            /// The other end.
            b: Anchor,
            /// Stiffness [N/m; N m/rad for rotations].
            stiffness: Rows,
        }
        optional {
            /// Name in recordings.
            name: String,
            /// What it measures; "point" unless given.
            kind: SpringKind,
            /// Damping beside it [N s/m; N m s/rad for rotations]; none unless given.
            damping: Rows,
        }
    }
}

document! {
    /// A damper between two ends.
    struct Damper {
        required {
            /// One end.
            a: Anchor,
            /// The other end.
            b: Anchor,
            /// Damping [N s/m; N m s/rad for rotations].
            damping: Rows,
        }
        optional {
            /// Name in recordings.
            name: String,
            /// What it measures; "point" unless given.
            kind: SpringKind,
        }
    }
}
