//! Rigid bodies.

use super::{Inertia, Material, Orientation, Point, Shape, Visual};
use crate::dimension;
use crate::place::At;
use crate::quantity::Quantity;
use crate::read::document;

document! {
    /// A rigid body. Its mass comes from `mass` or `density` and the shape, or from `mass` and
    /// `inertia`; without either the density is that of water.
    struct Body {
        required {
            /// Name, by which springs and ports refer to it.
            name: String,
        }
        optional {
            /// Shape, in body axes.
            shape: Shape,
            /// Convex shapes that it is made of, instead of one shape; those that overlap weigh
            /// twice where they do.
            parts: Vec<At<SolidPart>>,
            /// Mass [kg]; spread evenly over the shape unless `inertia` is given.
            mass: Quantity<dimension::Mass>,
            /// Density of the shape [kg/m^3]; 1000 unless given.
            density: Quantity<dimension::Density>,
            /// Centre of mass in body axes [m], with `inertia`.
            center_of_mass: Point,
            /// Inertia about the centre of mass, body axes [kg m^2]; needs `mass`.
            inertia: Inertia,
            /// True if it never moves.
            fixed: bool,
            /// Where its origin starts, world axes [m].
            position: Point,
            /// Orientation of its axes at the start.
            orientation: Orientation,
            /// Velocity of its centre of mass at the start, world axes [m/s].
            velocity: [Quantity<dimension::Velocity>; 3],
            /// Angular velocity at the start, body axes [rad/s].
            angular_velocity: [Quantity<dimension::AngularVelocity>; 3],
            /// Viscous damping against the world.
            damping: BodyDamping,
            /// How its surface rubs and bounces, in scenes with a `contact` table.
            material: Material,
            /// True if nothing touches it.
            ghost: bool,
            /// What it looks like; its shape unless given.
            visual: Vec<At<Visual>>,
        }
    }
}

document! {
    /// A convex shape as part of a body.
    struct SolidPart {
        required {
            /// The shape, in its own axes; anything but a half space.
            shape: Shape,
        }
        optional {
            /// Where it is, in the axes of the body [m].
            position: Point,
            /// How it is turned, in the axes of the body.
            orientation: Orientation,
        }
    }
}

document! {
    /// Viscous damping of a body against the world.
    struct BodyDamping {
        required {}
        optional {
            /// Of the centre of mass [N s/m]; 0 unless given.
            linear: Quantity<dimension::Damping>,
            /// Of the rotation [N m s/rad]; 0 unless given.
            angular: Quantity<dimension::AngularDamping>,
        }
    }
}
