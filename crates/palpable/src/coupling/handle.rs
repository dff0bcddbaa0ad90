//! Where a handle is, and springs between handles.

use super::error::{CouplingError, non_negative, positive};
use crate::math::{Rotation, Vec3, so3};
use crate::port::PortOutput;

/// Pose of a handle, a reference or a proxy, world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Handle {
    /// Position [m].
    pub position: Vec3,
    /// Orientation.
    pub rotation: Rotation,
}

impl Handle {
    /// At a point, unturned.
    pub fn at(position: impl Into<Vec3>) -> Self {
        Self { position: position.into(), rotation: Rotation::identity() }
    }

    /// Where a port is.
    pub fn of(port: &PortOutput) -> Self {
        Self { position: port.position, rotation: port.rotation }
    }

    /// True if every number is finite.
    pub fn is_finite(&self) -> bool {
        self.position.iter().chain(self.rotation.coords.iter()).all(|a| a.is_finite())
    }

    /// Offset [m] and rotation vector [rad] from `other` to here, world axes.
    pub(super) fn from(&self, other: &Handle) -> (Vec3, Vec3) {
        let turn = so3::log(&(self.rotation * other.rotation.inverse()));
        (self.position - other.position, turn)
    }
}

/// Which motions of the handle reach the world, and which forces the hand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Freedom {
    /// Along one unit direction, world axes: devices with one axis.
    Line(Vec3),
    /// Positions and forces.
    Point,
    /// Poses and wrenches.
    Pose,
}

impl Freedom {
    /// What is left of a force and torque, or of an offset and turn.
    pub(super) fn admit(&self, (linear, angular): (Vec3, Vec3)) -> (Vec3, Vec3) {
        match self {
            Freedom::Line(axis) => (axis * axis.dot(&linear), Vec3::zeros()),
            Freedom::Point => (linear, Vec3::zeros()),
            Freedom::Pose => (linear, angular),
        }
    }

    /// `here` moved to where `wanted` is, as far as the freedom allows.
    pub(super) fn follow(&self, here: &Handle, wanted: &Handle) -> Handle {
        let offset = wanted.position - here.position;
        match self {
            Freedom::Line(axis) => {
                Handle { position: here.position + axis * axis.dot(&offset), ..*here }
            }
            Freedom::Point => Handle { position: wanted.position, ..*here },
            Freedom::Pose => *wanted,
        }
    }
}

/// A translational [N/m] and a rotational [N·m/rad] spring, alike in all directions, or the same
/// for dampers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pair {
    pub linear: f64,
    pub angular: f64,
}

impl Pair {
    pub fn stiffness(linear: f64, angular: f64) -> Result<Self, CouplingError> {
        positive("stiffness [N/m]", linear, "give the coupling's stiffness in N/m")?;
        non_negative("turning stiffness [N·m/rad]", angular, "use 0 for a point")?;
        Ok(Self { linear, angular })
    }

    pub fn damping(linear: f64, angular: f64) -> Result<Self, CouplingError> {
        non_negative("damping [N·s/m]", linear, "use 0 for none")?;
        non_negative("turning damping [N·m·s/rad]", angular, "use 0 for none")?;
        Ok(Self { linear, angular })
    }

    /// `k |d|² + k_r |φ|²`: twice the energy of springs, the power of dampers.
    pub fn square(&self, d: &Vec3, turn: &Vec3) -> f64 {
        self.linear * d.norm_squared() + self.angular * turn.norm_squared()
    }

    /// Energy of springs that pull with `force` and `torque` [J].
    pub fn energy_of(&self, force: &Vec3, torque: &Vec3) -> f64 {
        let of = |k: f64, f: &Vec3| if k > 0.0 { 0.5 * f.norm_squared() / k } else { 0.0 };
        of(self.linear, force) + of(self.angular, torque)
    }

    /// The most that a force and torque held for `time` [s] can give to a hand beyond what these
    /// dampers take, `max F·d − b|d|²/T = |F|²T/4b` [J].
    pub fn most_given(&self, force: &Vec3, torque: &Vec3, time: f64) -> f64 {
        let of = |b: f64, f: &Vec3| {
            let square = f.norm_squared();
            if square == 0.0 { 0.0 } else { 0.25 * square * time / b }
        };
        of(self.linear, force) + of(self.angular, torque)
    }

    /// Energy of springs between two handles [J].
    pub fn energy(&self, a: &Handle, b: &Handle) -> f64 {
        let (d, turn) = a.from(b);
        0.5 * self.square(&d, &turn)
    }

    /// The handle nearest to `wanted` whose springs to `end` store no more than `allowed` [J].
    ///
    /// # Equation
    /// `min |x̄ − x|` subject to `½k|x̄ − q|² <= allowed`              [Lee2008, sec. 5]
    ///
    /// The nearest point of a ball lies on the ray to its centre; with rotations nearest is meant
    /// in the norm of the energy.
    pub fn within(&self, end: &Handle, wanted: &Handle, allowed: f64) -> Handle {
        let (d, turn) = wanted.from(end);
        let asked = 0.5 * self.square(&d, &turn);
        if asked <= allowed {
            return *wanted;
        }
        let share = (allowed.max(0.0) / asked).sqrt();
        // an offset that no finite energy allows
        let share = if share.is_finite() { share } else { 0.0 };
        Handle {
            position: end.position + d * share,
            rotation: so3::exp(&(turn * share)) * end.rotation,
        }
    }
}
