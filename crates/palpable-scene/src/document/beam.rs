//! Flexible beams.

use super::{Orientation, Point};
use crate::dimension;
use crate::place::At;
use crate::quantity::{Loose, Quantity};
use crate::read::{document, words};

words! {
    /// What the root of a beam may do.
    enum MountKind {
        /// Nothing: the beam only bends.
        #[default]
        Clamped = "clamped",
        /// Turns about z of its frame.
        Hub = "hub",
        /// Moves in the x-y plane of its frame and turns about z.
        Planar = "planar",
    }
}

document! {
    /// A slender beam along x of its frame that bends towards y. Its section and material are
    /// given by `size`, `density` and `young`, or by `length`, `mass` and `rigidity`. It is seen
    /// as the bodies "NAME 0" (root) to "NAME n" (tip).
    struct Beam {
        required {
            /// Name.
            name: String,
        }
        optional {
            /// Length, width and thickness [m]; it bends across the thickness.
            size: [Quantity<dimension::Size>; 3],
            /// Density [kg/m^3].
            density: Quantity<dimension::Density>,
            /// Young's modulus [Pa].
            young: Quantity<dimension::Modulus>,
            /// Length [m].
            length: Quantity<dimension::Size>,
            /// Mass [kg].
            mass: Quantity<dimension::Mass>,
            /// Bending stiffness E I [N m^2].
            rigidity: Quantity<dimension::Rigidity>,
            /// Number of bending modes, 1 to 10; 3 unless given.
            modes: u64,
            /// Damping of every mode as a part of critical damping; 0 unless given.
            damping_ratio: Quantity<dimension::Loss>,
            /// What the root may do; "clamped" unless given.
            mount: MountKind,
            /// Mass of the mount [kg]; 0 unless given.
            mount_mass: Quantity<dimension::Mass>,
            /// Inertia of the mount about z [kg m^2]; 0 unless given.
            mount_inertia: Quantity<dimension::MomentOfInertia>,
            /// Where the root is, world axes [m].
            position: Point,
            /// How its frame is turned.
            orientation: Orientation,
            /// Starting coordinates: x, y [m] and angle [rad] of the mount as far as it moves, then
            /// the modes [m]; 0 unless given.
            coordinates: Vec<At<Loose>>,
            /// Their rates at the start; 0 unless given.
            rates: Vec<At<Loose>>,
            /// Bodies along the beam between root and tip; 8 unless given.
            stations: u64,
        }
    }
}
