//! Ground floor: the only door for forces and references.
//!
//! Power `f · v > 0` flows into the world.

use crate::math::{Rotation, Vec3};

/// In an id: whatever part is at that place.
pub(crate) const ANY: u64 = 0;

/// Name of a port; made by the model builder. It stays valid while others come and go, and is
/// refused once the port is gone, and by other models.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PortId(pub(crate) usize, pub(crate) u64);

impl PortId {
    /// Whatever port is at a place in the list, for whoever keeps numbers: other languages. It is
    /// equal to no id that a model gave.
    pub fn from_index(index: usize) -> Self {
        Self(index, ANY)
    }

    /// Position in the list of ports.
    pub fn index(self) -> usize {
        self.0
    }

    /// Its mark, for whoever stores ids: [`PortId::from_parts`] gives the id back.
    pub fn mark(self) -> u64 {
        self.1
    }

    /// The id with this place and mark; a model refuses marks that it did not give.
    pub fn from_parts(index: usize, mark: u64) -> Self {
        Self(index, mark)
    }

    /// True if both name the same port.
    pub(crate) fn means(self, other: Self) -> bool {
        self.0 == other.0 && (self.1 == other.1 || self.1 == ANY || other.1 == ANY)
    }
}

/// What enters at a port during one step; held constant over the step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum PortInput {
    /// Nothing: no force, or the reference stays where it is.
    #[default]
    Idle,
    /// Force [N] at the port's point and torque [N·m], both in world axes, on the body.
    Wrench {
        /// Force [N].
        force: Vec3,
        /// Torque [N·m].
        torque: Vec3,
    },
    /// Where the far end of a reference port moves to, in world axes.
    Reference {
        /// Position [m].
        position: Vec3,
        /// Orientation; read by ports with rotational stiffness only.
        rotation: Rotation,
    },
    /// Motor: force or torque along its measure [N or N·m].
    Effort(f64),
    /// Motor: rate that its damping enforces [m/s or rad/s].
    Rate(f64),
    /// Motor: measure at which its stiffness is slack [m or rad]; moving it is paid for here.
    Target(f64),
}

impl PortInput {
    /// True if every number is finite.
    pub fn is_finite(&self) -> bool {
        let finite = |v: &Vec3| v.iter().all(|a| a.is_finite());
        match self {
            PortInput::Idle => true,
            PortInput::Wrench { force, torque } => finite(force) && finite(torque),
            PortInput::Reference { position, rotation } => {
                finite(position) && rotation.coords.iter().all(|a| a.is_finite())
            }
            PortInput::Effort(v) | PortInput::Rate(v) | PortInput::Target(v) => v.is_finite(),
        }
    }
}

/// The inputs of all ports for one step; ports not mentioned are idle, ports that are gone ignored.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Inputs {
    /// per place: whose it is, and what
    ports: Vec<(u64, PortInput)>,
    /// of ids that hardly any model has, for which places would fill the memory, and of ids whose
    /// place another one has
    far: Vec<(PortId, PortInput)>,
}

/// Places that are kept for ports that nobody made room for.
const NEAR: usize = 1 << 16;

impl Inputs {
    /// No input anywhere.
    pub fn none() -> Self {
        Self::default()
    }

    /// Room for `ports` ports, all idle, so that setting them does not allocate.
    pub fn with_capacity(ports: usize) -> Self {
        Self { ports: vec![(ANY, PortInput::Idle); ports], far: Vec::new() }
    }

    /// Sets one port. Where two ids have one place, as those of two models may, each has its own.
    pub fn set(&mut self, port: PortId, input: PortInput) {
        let near = port.0 < self.ports.len().max(NEAR);
        if near && port.0 >= self.ports.len() {
            self.ports.resize(port.0 + 1, (ANY, PortInput::Idle));
        }
        if let Some(here) = self.ports.get_mut(port.0)
            && (here.1 == PortInput::Idle || PortId(port.0, here.0).means(port))
        {
            self.far.retain(|(id, _)| !id.means(port));
            *here = (port.1, input);
            return;
        }
        match self.far.iter_mut().find(|(id, _)| id.means(port)) {
            Some(far) => *far = (port, input),
            None => self.far.push((port, input)),
        }
    }

    /// Sets a force [N] in world axes at one port.
    pub fn force(&mut self, port: PortId, force: impl Into<Vec3>) {
        self.set(port, PortInput::Wrench { force: force.into(), torque: Vec3::zeros() });
    }

    /// The input of one port.
    pub fn get(&self, port: PortId) -> PortInput {
        let known = self.ports.get(port.0).filter(|(whose, _)| PortId(port.0, *whose).means(port));
        let far = || self.far.iter().find(|(id, _)| id.means(port)).map(|(_, input)| *input);
        known.map(|(_, input)| *input).or_else(far).unwrap_or_default()
    }
}

/// What a port shows after a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PortOutput {
    /// Position of the port's point [m].
    pub position: Vec3,
    /// Orientation of the port's frame.
    pub rotation: Rotation,
    /// Representative velocity `J* û` of the point over the step [m/s], the one to account with.
    pub velocity: Vec3,
    /// Representative angular velocity over the step, world axes [rad/s].
    pub angular_velocity: Vec3,
    /// Reference port: force of the coupling's spring (without its damper) on whoever holds the
    /// reference, at the end of the step [N]. Force port: the force applied.
    pub force: Vec3,
    /// Likewise the torque, world axes [N·m].
    pub torque: Vec3,
    /// Energy that entered through this port in the step [J].
    pub work: f64,
    /// Motor: its measure at the end of the step [m or rad].
    pub measure: f64,
    /// Motor: representative rate of the measure over the step [m/s or rad/s].
    pub rate: f64,
    /// Motor: effort along the measure, without that of its stiffness [N or N·m].
    pub effort: f64,
}

impl PortOutput {
    /// What is read of a port that is not there: no numbers.
    pub(crate) const UNKNOWN: Self = {
        let (nan, none) = (f64::NAN, Vec3::new(f64::NAN, f64::NAN, f64::NAN));
        let turn = nalgebra::Quaternion { coords: nalgebra::Vector4::new(nan, nan, nan, nan) };
        Self {
            position: none,
            rotation: Rotation::new_unchecked(turn),
            velocity: none,
            angular_velocity: none,
            force: none,
            torque: none,
            work: nan,
            measure: nan,
            rate: nan,
            effort: nan,
        }
    };
}

impl Default for PortOutput {
    fn default() -> Self {
        let zero = Vec3::zeros();
        Self {
            position: zero,
            rotation: Rotation::identity(),
            velocity: zero,
            angular_velocity: zero,
            force: zero,
            torque: zero,
            work: 0.0,
            measure: 0.0,
            rate: 0.0,
            effort: 0.0,
        }
    }
}
