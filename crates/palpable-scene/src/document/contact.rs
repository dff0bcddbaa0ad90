//! What touches, and how it rubs and bounces.

use crate::dimension::{Friction, Lever, Restitution};
use crate::quantity::{Loose, Quantity};
use crate::read::{document, words};
use palpable::coupling::Rendering;
use palpable::{ContactLaw, Resolution, VolumeKind};

document! {
    /// How bodies touch. Those with shapes do, unless `enabled` is false, or they are ghosts.
    struct Contact {
        required {}
        optional {
            /// False lets all bodies pass through each other; true unless given.
            enabled: bool,
            /// Most points of contact at a time, 1 or more; 8 for each body unless given.
            capacity: u64,
            /// How bodies that touch act on each other; "cone" unless given.
            law: LawName,
            /// Sides of the friction pyramid of a printed law, 4 to 64; 8 unless given.
            sides: u64,
            /// How impulses are found where several bodies collide at once; "simultaneous" unless
            /// given.
            collision: CollisionName,
            /// What a device that holds a body is sent of impulses that it cannot apply in a step,
            /// where surfaces have the law "impulse"; "spread" unless given.
            impulses: ImpulsesName,
        }
    }
}

words! {
    /// How bodies that touch act on each other.
    enum LawName {
        /// Exact friction cones in two phases; never creates energy.
        #[default]
        Cone = "cone",
        /// [Kim2017, (34)] as printed, on the midpoint velocity: a pyramid, bounces without loss.
        PrintedElastic = "printed-elastic",
        /// The same on the velocity at the end of the step; creates energy, which is shown.
        PrintedPlastic = "printed-plastic",
    }
}

impl LawName {
    /// The engine's law.
    pub fn law(self, sides: u32) -> ContactLaw {
        match self {
            LawName::Cone => ContactLaw::Cone,
            LawName::PrintedElastic => ContactLaw::PrintedElastic { sides },
            LawName::PrintedPlastic => ContactLaw::PrintedPlastic { sides },
        }
    }
}

words! {
    /// What becomes of impulses that are larger than a device can apply in a step
    /// [Constantinescu2005, sec. VI].
    enum ImpulsesName {
        /// Over as many steps as it takes, on the device and in the scene.
        #[default]
        Spread = "spread",
        /// As much as the device can do in one step, on the device and in the scene.
        Scale = "scale",
        /// All of it in the scene, and what the device can do: they part.
        Saturate = "saturate",
        /// All of it in the scene; the device feels the spring alone.
        Off = "off",
    }
}

impl ImpulsesName {
    /// The engine's choice; `None` if impulses are not sent.
    pub fn rendering(self) -> Option<Rendering> {
        match self {
            ImpulsesName::Spread => Some(Rendering::Spread),
            ImpulsesName::Scale => Some(Rendering::Scale),
            ImpulsesName::Saturate => Some(Rendering::Saturate),
            ImpulsesName::Off => None,
        }
    }
}

words! {
    /// How impulses are found where several bodies collide at once. None creates energy.
    enum CollisionName {
        /// All contacts at once, by the least change of energy; with friction.
        #[default]
        Simultaneous = "simultaneous",
        /// Shock by shock in the order in which they travel: the last ball of a cradle leaves.
        Sequential = "sequential",
        /// [Constantinescu2005, (20)]; impulses may pull.
        PseudoInverse = "pseudo-inverse",
        /// The same body by body, (13)-(14); does not keep momentum.
        PerBody = "per-body",
    }
}

impl CollisionName {
    /// The engine's choice.
    pub fn resolution(self) -> Resolution {
        match self {
            CollisionName::Simultaneous => Resolution::Simultaneous,
            CollisionName::Sequential => Resolution::Sequential,
            CollisionName::PseudoInverse => Resolution::PseudoInverse,
            CollisionName::PerBody => Resolution::PerBody,
        }
    }
}

document! {
    /// How a surface rubs, bounces and yields. Two surfaces make the geometric mean of their
    /// friction, the smaller of their restitutions and the larger of their radii; if either
    /// yields, they touch over an area, and layers that yield are in series.
    struct Material {
        required {}
        optional {
            /// Coefficient of friction while sliding; 0.5 unless given.
            friction: Quantity<Friction>,
            /// Coefficient of friction at rest; that of sliding unless given.
            static_friction: Quantity<Friction>,
            /// Restitution, 0 (no bounce) to 1; 0 unless given. With the law "impulse" down to -1:
            /// the impulse is 1 + e of the one that stops the approach, the layer does the rest.
            restitution: Quantity<Restitution>,
            /// Lever of the friction against spinning about the normal [m]; 0 unless given.
            spin_radius: Quantity<Lever>,
            /// Lever of the friction against rolling [m]; 0 unless given.
            roll_radius: Quantity<Lever>,
            /// How the surface touches; "hard" unless given. Where two surfaces differ, one that
            /// yields counts, then the later law.
            law: SurfaceName,
            /// Sides of the friction pyramid of a printed law, 4 to 64; 8 unless given.
            sides: u64,
            /// Pressure per depth of a layer that yields [Pa/m]; for "point" and "printed-volume"
            /// the stiffness of a whole contact [N/m].
            modulus: Loose,
            /// Pressure per rate of depth [Pa s/m], or damping of a whole contact [N s/m]; 0 unless
            /// given.
            damping: Loose,
            /// The same as `modulus` for friction at rest; equal to it unless given.
            shear_modulus: Loose,
            /// The same as `damping` for friction at rest; equal to it unless given.
            shear_damping: Loose,
        }
    }
}

words! {
    /// How a surface touches: at points by one of three laws, or over an area.
    enum SurfaceName {
        /// Touches at points, held by the law of the scene.
        #[default]
        Hard = "hard",
        /// Touches at points, by exact friction cones; never creates energy.
        Cone = "cone",
        /// [Kim2017, (34)] as printed, on the midpoint velocity: a pyramid, bounces without loss.
        PrintedElastic = "printed-elastic",
        /// The same on the velocity at the end of the step; creates energy, which is shown.
        PrintedPlastic = "printed-plastic",
        /// Touches over an area; passive.
        Volume = "volume",
        /// The same, but contacts begin with impulses, as if both surfaces were hard
        /// [Constantinescu2005]; passive.
        Impulse = "impulse",
        /// A spring and a damper at the deepest point, for comparison; passive.
        Point = "point",
        /// [Hasegawa2004] as printed; creates energy, which is shown.
        PrintedVolume = "printed-volume",
    }
}

impl SurfaceName {
    /// The engine's law for points; `None` leaves it to the scene.
    pub fn law(self, sides: u32) -> Option<ContactLaw> {
        match self {
            SurfaceName::Cone => Some(ContactLaw::Cone),
            SurfaceName::PrintedElastic => Some(ContactLaw::PrintedElastic { sides }),
            SurfaceName::PrintedPlastic => Some(ContactLaw::PrintedPlastic { sides }),
            _ => None,
        }
    }

    /// The engine's law for areas; `None` for a hard surface.
    pub fn kind(self) -> Option<VolumeKind> {
        match self {
            SurfaceName::Hard
            | SurfaceName::Cone
            | SurfaceName::PrintedElastic
            | SurfaceName::PrintedPlastic => None,
            SurfaceName::Volume | SurfaceName::Impulse => Some(VolumeKind::Hydrostatic),
            SurfaceName::Point => Some(VolumeKind::Point),
            SurfaceName::PrintedVolume => Some(VolumeKind::Printed),
        }
    }
}
