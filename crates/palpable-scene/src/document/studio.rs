//! How the studio shows a scene.

use super::Point;
use crate::dimension;
use crate::quantity::Quantity;
use crate::read::{document, words};

document! {
    /// How the studio shows the scene. The scene runs the same without it.
    struct Studio {
        required {}
        optional {
            /// Where the eye is, world axes [m]; needs `look_at`.
            eye: Point,
            /// What the eye looks at, world axes [m]; needs `eye`.
            look_at: Point,
            /// What happens when the duration of the run is over; "go-on" unless given.
            end: EndOfRun,
            /// When that happens [s]; after the duration of the run unless given.
            after: Quantity<dimension::Duration>,
            /// The spring between the hand and what it holds, to begin with.
            hand: StudioHand,
        }
    }
}

document! {
    /// The spring between the hand and what it holds.
    struct StudioHand {
        required {
            /// Stiffness [N/m].
            stiffness: Quantity<dimension::Stiffness>,
        }
        optional {
            /// Damping [N s/m]; none unless given.
            damping: Quantity<dimension::Damping>,
        }
    }
}

words! {
    /// What happens when the duration of a run is over.
    enum EndOfRun {
        /// Time goes on.
        #[default]
        GoOn = "go-on",
        /// The scene begins again, unless the hand holds something.
        Loop = "loop",
        /// Time stands still.
        Stop = "stop",
    }
}
