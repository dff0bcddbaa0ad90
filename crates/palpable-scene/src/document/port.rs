//! Ports.

use super::{Input, Orientation, Point, Rows};
use crate::read::{document, words};

words! {
    /// What enters at a port.
    enum PortKind {
        /// Forces and torques.
        #[default]
        Force = "force",
        /// A reference that pulls through a spring and damper.
        Reference = "reference",
    }
}

document! {
    /// Where forces, or a reference that pulls through a spring, enter.
    struct Port {
        required {
            /// Name in recordings.
            name: String,
            /// Name of the body it acts on.
            body: String,
        }
        optional {
            /// "force" unless given.
            kind: PortKind,
            /// Point in body axes [m]; the body's origin unless given.
            point: Point,
            /// Orientation of its frame in body axes.
            orientation: Orientation,
            /// Reference ports: stiffness; one number or three for the offsets [N/m], six or
            /// { linear, angular } with rotations [N m/rad].
            stiffness: Rows,
            /// Reference ports: damping, likewise [N s/m, N m s/rad]; none unless given.
            damping: Rows,
            /// What enters; nothing unless given.
            input: Input,
        }
    }
}
