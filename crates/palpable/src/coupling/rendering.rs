//! Impulses of collisions as forces on a hand, within what a device can do.

use crate::math::Vec3;

/// What becomes of impulses that are larger than a device can apply `[Constantinescu2005 sec. VI]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Rendering {
    /// The tool gets no more than the device in a step, and goes on colliding until all of it was
    /// applied: device and tool lose the same energy.
    #[default]
    Spread,
    /// The tool gets no more than the device, once.
    Scale,
    /// The tool gets all of it, the device what it can: they part.
    Saturate,
}

/// Turns impulses and forces of contact into what a hand feels over a step.
///
/// # Equation
/// ```text
/// F = 𝒥ᵀp/Δt + F_contact                                     [Constantinescu2005, (26)]
/// ```
/// # Guarantee
/// Force and torque never exceed the limits. With [`Rendering::Spread`] and [`Rendering::Scale`]
/// the world is told the limits ([`Impulses::limits`]), and impulses arrive within them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Impulses {
    /// What becomes of large ones.
    pub rendering: Rendering,
    /// Largest force on the hand [N].
    pub force: f64,
    /// Largest torque on the hand [N·m].
    pub torque: f64,
}

/// What the world's impulses on a tool may not exceed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Force [N].
    pub force: f64,
    /// Torque [N·m].
    pub torque: f64,
    /// The rest of an impulse follows in later steps.
    pub spread: bool,
}

impl Rendering {
    /// Names in scene files and commands.
    pub const NAMES: [&str; 3] = ["spread", "scale", "saturate"];
    /// All of them, in the order of their names.
    pub const ALL: [Self; 3] = [Self::Spread, Self::Scale, Self::Saturate];

    /// The choice of this name; `None` if there is none.
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().position(|n| *n == name).map(|i| Self::ALL[i])
    }

    /// Name in scene files and commands.
    pub fn name(self) -> &'static str {
        match self {
            Self::Spread => Self::NAMES[0],
            Self::Scale => Self::NAMES[1],
            Self::Saturate => Self::NAMES[2],
        }
    }
}

impl Impulses {
    /// Spread, within a force [N] and a torque [N·m].
    pub fn new(force: f64, torque: f64) -> Self {
        Self { rendering: Rendering::Spread, force, torque }
    }

    /// Limits of the world's impulses: for `World::set_impulse_limit`.
    pub fn limits(&self) -> Bounds {
        let Self { force, torque, .. } = *self;
        match self.rendering {
            Rendering::Spread => Bounds { force, torque, spread: true },
            Rendering::Scale => Bounds { force, torque, spread: false },
            Rendering::Saturate => {
                Bounds { force: f64::INFINITY, torque: f64::INFINITY, spread: true }
            }
        }
    }

    /// Force and torque on the hand over a step of `h` [s]: of an impulse and its moment, besides
    /// those of contact, each with its torque. What is not a number counts as nothing.
    pub fn felt(&self, impulse: [Vec3; 2], contact: [Vec3; 2], h: f64) -> [Vec3; 2] {
        let most = [self.force, self.torque];
        [0, 1].map(|k| within(impulse[k] / h + contact[k], most[k]))
    }
}

/// The same direction, no longer than `most`.
pub(super) fn within(v: Vec3, most: f64) -> Vec3 {
    let size = v.norm();
    if !size.is_finite() || !(most >= 0.0) {
        return Vec3::zeros();
    }
    if size > most { v * (most / size) } else { v }
}
