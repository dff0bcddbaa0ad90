//! Chains in joint coordinates, and tendons over their joints.

use super::{Inertia, Orientation, Point, Shape, Visual};
use crate::dimension;
use crate::place::At;
use crate::quantity::{Loose, Quantity};
use crate::read::{document, words};

words! {
    /// How a link moves against its parent.
    enum LinkKind {
        /// Turns about its axis.
        #[default]
        Revolute = "revolute",
        /// Slides along its axis.
        Prismatic = "prismatic",
    }
}

document! {
    /// Links joined by turning and sliding joints, in a row or branched, simulated in joint
    /// coordinates. Links are bodies: springs, joints and ports hold on to them by name.
    struct Chain {
        required {
            /// Name, by which tendons and motors refer to it.
            name: String,
            /// Its links, parents before their children.
            link: Vec<At<Link>>,
        }
        optional {
            /// A free body that carries the chain; without it the chain stands on the world.
            base: ChainBase,
            /// Where a chain without a base stands, world axes [m].
            position: Point,
            /// How it stands there.
            orientation: Orientation,
        }
    }
}

document! {
    /// The free body that carries a chain.
    struct ChainBase {
        required {
            /// Name, by which springs and ports refer to it.
            name: String,
        }
        optional {
            /// Shape, in body axes.
            shape: Shape,
            /// Mass [kg]; spread evenly over the shape unless `inertia` is given.
            mass: Quantity<dimension::Mass>,
            /// Density of the shape [kg/m^3]; 1000 unless given.
            density: Quantity<dimension::Density>,
            /// Centre of mass in body axes [m], with `inertia`.
            center_of_mass: Point,
            /// Inertia about the centre of mass, body axes [kg m^2]; needs `mass`.
            inertia: Inertia,
            /// Velocity of its centre of mass at the start, world axes [m/s].
            velocity: [Quantity<dimension::Velocity>; 3],
            /// Angular velocity at the start, body axes [rad/s].
            angular_velocity: [Quantity<dimension::AngularVelocity>; 3],
            /// What it looks like; its shape unless given.
            visual: Vec<At<Visual>>,
        }
    }
}

document! {
    /// A link of a chain. Its origin is on the axis of the joint to its parent.
    struct Link {
        required {
            /// Name, by which springs, ports and motors refer to it.
            name: String,
        }
        optional {
            /// "revolute" unless given.
            kind: LinkKind,
            /// Name of the link it hangs on; the one before it unless given, the base for the
            /// first. "base" is the base, or the ground of a chain without one.
            parent: String,
            /// Where its origin is at joint position 0, in the parent's axes [m].
            point: Point,
            /// How its axes are turned at joint position 0, in the parent's axes.
            orientation: Orientation,
            /// Direction about which it turns, or along which it slides, in its own axes;
            /// [0, 0, 1] unless given.
            axis: [Quantity<dimension::Number>; 3],
            /// Shape, in link axes.
            shape: Shape,
            /// Mass [kg]; spread evenly over the shape unless `inertia` is given.
            mass: Quantity<dimension::Mass>,
            /// Density of the shape [kg/m^3]; 1000 unless given.
            density: Quantity<dimension::Density>,
            /// Centre of mass in link axes [m], with `inertia`.
            center_of_mass: Point,
            /// Inertia about the centre of mass, link axes [kg m^2]; needs `mass`.
            inertia: Inertia,
            /// Where the joint starts [rad, or m]; 0 unless given.
            position: Loose,
            /// How fast it starts [rad/s, or m/s]; 0 unless given.
            velocity: Loose,
            /// Viscous damping of the joint [N m s/rad, or N s/m]; none unless given.
            damping: Loose,
            /// Stiffness of a spring on the joint [N m/rad, or N/m]; none unless given.
            stiffness: Loose,
            /// Where that spring is slack [rad, or m]; 0 unless given.
            rest: Loose,
            /// Smallest and largest joint position [rad, or m].
            stops: [Loose; 2],
            /// Dry friction of the joint [N m, or N]; none unless given.
            friction: Loose,
            /// What it looks like; its shape unless given.
            visual: Vec<At<Visual>>,
        }
    }
}

document! {
    /// An elastic tendon over the joints of a chain: it is longer by the sum of radius times
    /// joint position.
    struct Tendon {
        required {
            /// Name of the chain.
            chain: String,
            /// Pulley radius at each joint, in the order of the links [m]; 0 where it passes by,
            /// negative where it winds the other way.
            radii: Vec<At<Quantity<dimension::Position>>>,
            /// Stiffness [N/m].
            stiffness: Quantity<dimension::Stiffness>,
        }
        optional {
            /// Name in recordings.
            name: String,
            /// Damping [N s/m]; none unless given.
            damping: Quantity<dimension::Damping>,
            /// Length change at which it is slack [m]; 0 unless given.
            rest: Quantity<dimension::Position>,
        }
    }
}
