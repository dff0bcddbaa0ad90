//! Gears, racks and couplings.

use super::{Anchor, Rigidity};
use crate::dimension;
use crate::place::At;
use crate::quantity::{Loose, Quantity};
use crate::read::{document, words};

words! {
    /// What a gear ties.
    enum GearKind {
        /// The angle of `a` about z of `b` to that of `c` about z of `d`.
        #[default]
        Gear = "gear",
        /// The angle of `a` about z of `b` to the offset of `c` along z of `d`.
        Rack = "rack",
        /// The offset of `a` along z of `b` to that of `c` along z of `d`.
        Slides = "slides",
    }
}

document! {
    /// Ties two joints: first + ratio · second stays what it is at the start. The joints are given
    /// by their ends, or as the joints of two links of one chain.
    struct Gear {
        required {
            /// Factor of the second joint. Wheels that mesh: r_second / r_first; a belt: minus
            /// that; rack and pinion [rad/m]: 1 / radius or minus that.
            ratio: Quantity<dimension::Number>,
        }
        optional {
            /// Name in recordings.
            name: String,
            /// What is tied between ends; "gear" unless given.
            kind: GearKind,
            /// Names of two links of one chain, instead of ends.
            links: Vec<At<String>>,
            /// One end of the first joint.
            a: Anchor,
            /// The other end of the first joint.
            b: Anchor,
            /// One end of the second joint.
            c: Anchor,
            /// The other end of the second joint.
            d: Anchor,
            /// Stiffness of the tie, as seen by the first joint [N m/rad, or N/m]; "hard" unless
            /// given.
            stiffness: Rigidity,
            /// Damping of a soft tie [N m s/rad, or N s/m]; none unless given.
            damping: Loose,
        }
    }
}
