//! What touches, and how it rubs and bounces.

use crate::dimension::{Friction, Lever, Loss};
use crate::quantity::Quantity;
use crate::read::document;

document! {
    /// Makes bodies touch: without this table they pass through each other.
    struct Contact {
        required {}
        optional {
            /// Most points of contact at a time; 8 for each body unless given.
            capacity: u64,
        }
    }
}

document! {
    /// How a surface rubs and bounces. Two surfaces make the geometric mean of their friction, the
    /// smaller of their restitutions and the larger of their radii.
    struct Material {
        required {}
        optional {
            /// Coefficient of friction while sliding; 0.5 unless given.
            friction: Quantity<Friction>,
            /// Coefficient of friction at rest; that of sliding unless given.
            static_friction: Quantity<Friction>,
            /// Restitution, 0 (no bounce) to 1; 0 unless given.
            restitution: Quantity<Loss>,
            /// Lever of the friction against spinning about the normal [m]; 0 unless given.
            spin_radius: Quantity<Lever>,
            /// Lever of the friction against rolling [m]; 0 unless given.
            roll_radius: Quantity<Lever>,
        }
    }
}
