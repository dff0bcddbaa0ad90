//! Chains, beams and gears.

use palpable::{Mount, Vec3};

/// An articulated chain.
#[derive(Debug, Clone, PartialEq)]
pub struct ChainSpec {
    /// Its number.
    pub id: usize,
    /// Its base, if that floats.
    pub base: Option<BaseSpec>,
    /// Its links, parents first.
    pub links: Vec<LinkSpec>,
    /// A tendon over all links.
    pub tendon: Option<TendonSpec>,
    /// Ratio at which the last coordinate follows the first [1].
    pub coupling: Option<f64>,
    /// Stops and dry friction of one coordinate.
    pub bound: Option<BoundSpec>,
    /// A motor at one coordinate.
    pub motor: Option<MotorSpec>,
}

/// The floating base of a chain: a box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BaseSpec {
    /// Half extents [m].
    pub half: Vec3,
    /// Position [m].
    pub position: Vec3,
    /// Rotation vector [rad].
    pub turn: Vec3,
    /// Velocity [m/s].
    pub velocity: Vec3,
    /// Density [kg/m³].
    pub density: f64,
    /// Angular velocity [rad/s].
    pub spin: Vec3,
}

/// A link of a chain.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkSpec {
    /// The link that carries it; `None` is the base or the world.
    pub parent: Option<usize>,
    /// True if it slides, false if it turns.
    pub slides: bool,
    /// Where its joint is on the parent [m].
    pub at: Vec3,
    /// Rotation vector of the joint on the parent [rad].
    pub at_turn: Vec3,
    /// Where its joint is on the link [m].
    pub held: Vec3,
    /// Rotation vector of the joint on the link [rad].
    pub held_turn: Vec3,
    /// Half extents of its box [m]; of a capsule x is the half length, y the radius.
    pub half: Vec3,
    /// Density [kg/m³].
    pub density: f64,
    /// Coordinate [m or rad] and its rate [m/s or rad/s] at the start.
    pub start: [f64; 2],
    /// Damping of its joint [N·s/m or N·m·s/rad].
    pub damping: f64,
    /// True for a capsule, false for a box.
    pub capsule: bool,
}

/// A tendon.
#[derive(Debug, Clone, PartialEq)]
pub struct TendonSpec {
    /// Its radius at each joint [m or 1].
    pub radii: Vec<f64>,
    /// Stiffness [N/m].
    pub stiffness: f64,
}

/// Stops and dry friction of a coordinate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoundSpec {
    /// Which coordinate.
    pub link: usize,
    /// Smallest and largest value [m or rad].
    pub stops: Option<[f64; 2]>,
    /// Dry friction [N or N·m].
    pub friction: Option<f64>,
    /// Stiffness about 0 [N/m or N·m/rad].
    pub stiffness: f64,
}

/// What a motor is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MotorKind {
    /// An effort.
    Effort,
    /// A rate, enforced by its damping.
    Rate,
    /// A target, enforced by stiffness and damping.
    Target,
}

/// A motor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MotorSpec {
    /// Which coordinate.
    pub link: usize,
    /// What it is told.
    pub kind: MotorKind,
    /// Largest effort [N or N·m].
    pub effort: f64,
    /// Its damping [N·s/m or N·m·s/rad]; its stiffness is ten times the number.
    pub gain: f64,
}

/// A flexible beam.
#[derive(Debug, Clone, PartialEq)]
pub struct BeamSpec {
    /// Length [m].
    pub length: f64,
    /// Mass [kg].
    pub mass: f64,
    /// Bending rigidity [N·m²].
    pub rigidity: f64,
    /// Modes that are kept.
    pub modes: usize,
    /// How its root is held.
    pub mount: Mount,
    /// Mass [kg] and inertia [kg·m²] of its hub.
    pub hub: [f64; 2],
    /// Position [m].
    pub position: Vec3,
    /// Rotation vector [rad].
    pub turn: Vec3,
}

/// Two wheels and the gear between them.
#[derive(Debug, Clone, PartialEq)]
pub struct GearSpec {
    /// Ratio [1].
    pub ratio: f64,
    /// Stiffness of the teeth [N·m/rad]; infinite if hard.
    pub stiffness: f64,
    /// Masses of the wheels [kg].
    pub masses: [f64; 2],
    /// What the motor at the first wheel is told.
    pub motor: MotorKind,
    /// Its largest effort [N·m] or its damping [N·m·s/rad].
    pub effort: f64,
}
