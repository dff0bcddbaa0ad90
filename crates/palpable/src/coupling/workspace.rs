//! From device to world coordinates: scale, offset, clutch, rate control at the edge.

use super::error::{CouplingError, non_negative, positive};
use super::handle::Handle;
use super::virtual_coupling::Felt;
use crate::math::{Rotation, Vec3};

/// Beyond `radius` of the device's centre the world drifts past.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge {
    /// Where rate control begins, from the centre of the device's workspace [m].
    pub radius: f64,
    /// Speed of the drift per metre beyond it [1/s], in world metres per device metre.
    pub rate: f64,
    /// Largest speed of the drift [m/s], world metres.
    pub max_speed: f64,
}

/// A sample in world coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mapped {
    /// The handle, world axes.
    pub handle: Handle,
    /// The part of its motion that was not the hand's: drift at the edge [m].
    pub drift: Vec3,
    /// Whether the hand is coupled; false while the clutch is open.
    pub engaged: bool,
}

/// Maps device poses to world poses, and forces back.
///
/// # Equation
/// `y = s R p + o`, `F_device = c Rᵀ F`; the stiffness that the hand feels is `c s K`
/// # Guarantee
/// Energy at the device is `c/s` times energy in the world, in both directions, so a passive
/// coupling stays passive on a device with `b >= c s K T/2`. Opening the clutch moves nothing, and
/// closing it changes the offset, not the reference. Drift is reported, because the hand does not
/// pay for it: hand it to `VirtualCoupling::sample_with_drift` of a coupling with a guard.
#[derive(Debug, Clone, PartialEq)]
pub struct Workspace {
    scale: f64,
    force_scale: f64,
    rotation: Rotation,
    center: Vec3,
    edge: Option<Edge>,
    offset: Vec3,
    /// world from device orientation, renewed when the clutch closes
    turn: Rotation,
    last: Option<Handle>,
    engaged: bool,
}

impl Workspace {
    /// World metres per device metre, and the device's share of forces (1 for both: as is).
    ///
    /// # Errors
    /// A scale that is not finite and above zero.
    pub fn new(scale: f64, force_scale: f64) -> Result<Self, CouplingError> {
        positive("scale", scale, "use 1 for as is")?;
        positive("force scale", force_scale, "use 1 for as is")?;
        Ok(Self {
            scale,
            force_scale,
            rotation: Rotation::identity(),
            center: Vec3::zeros(),
            edge: None,
            offset: Vec3::zeros(),
            turn: Rotation::identity(),
            last: None,
            engaged: true,
        })
    }

    /// Turns device axes to world axes.
    pub fn turned(mut self, world_from_device: Rotation) -> Self {
        (self.rotation, self.turn) = (world_from_device, world_from_device);
        self
    }

    /// Where the device's centre is in the world [m].
    pub fn centered(mut self, offset: impl Into<Vec3>) -> Self {
        self.offset = offset.into();
        self
    }

    /// Adds rate control beyond the edge of a workspace around `center`, device axes [m].
    ///
    /// # Errors
    /// Numbers out of range.
    pub fn with_edge(mut self, center: Vec3, edge: Edge) -> Result<Self, CouplingError> {
        positive("radius of the edge [m]", edge.radius, "use e.g. 80 % of the workspace")?;
        non_negative("rate at the edge [1/s]", edge.rate, "use 0 for none")?;
        non_negative("speed at the edge [m/s]", edge.max_speed, "use e.g. 0.1 m/s")?;
        (self.center, self.edge) = (center, Some(edge));
        Ok(self)
    }

    /// The device's share of a world stiffness: `c s K`.
    pub fn felt_stiffness(&self, stiffness: f64) -> f64 {
        self.force_scale * self.scale * stiffness
    }

    /// The device's damping `b` as the world sees it, `b/(c s)`: what a guard may count on.
    pub fn world_damping(&self, damping: f64) -> f64 {
        damping / (self.force_scale * self.scale)
    }

    /// Energy at the device per energy in the world.
    pub fn energy_scale(&self) -> f64 {
        self.force_scale / self.scale
    }

    /// Maps a device sample, `h` [s] after the last one. While `clutch` is true the hand moves
    /// alone and the world's handle stays. `None` if a number is not finite; nothing changes then.
    pub fn map(&mut self, device: &Handle, clutch: bool, h: f64) -> Option<Mapped> {
        if !(device.is_finite() && h > 0.0 && h.is_finite()) {
            return None;
        }
        let raw = self.rotation * device.position * self.scale;
        let engaged = !clutch;
        let Some(held) = self.last.filter(|_| clutch || !self.engaged) else {
            let drift = if engaged { self.drift(device, h) } else { Vec3::zeros() };
            self.offset += drift;
            let rotation = self.turn * device.rotation;
            let handle = Handle { position: raw + self.offset, rotation };
            (self.last, self.engaged) = (Some(handle), engaged);
            return Some(Mapped { handle, drift, engaged });
        };
        // open: the handle stays; closing: the offset is where it makes the handle stay
        self.offset = held.position - raw;
        self.turn = held.rotation * device.rotation.inverse();
        self.engaged = engaged;
        Some(Mapped { handle: held, drift: Vec3::zeros(), engaged })
    }

    /// Drift of this period [m], world axes.
    fn drift(&self, device: &Handle, h: f64) -> Vec3 {
        let Some(edge) = self.edge else { return Vec3::zeros() };
        let from_center = device.position - self.center;
        let distance = from_center.norm();
        if distance <= edge.radius {
            return Vec3::zeros();
        }
        let speed = (edge.rate * (distance - edge.radius)).min(edge.max_speed);
        self.rotation * from_center * (speed * h / distance)
    }

    /// A force in the world as the device shall show it, device axes; nothing while `engaged` is
    /// false.
    pub fn to_device(&self, felt: &Felt, engaged: bool) -> Felt {
        if !engaged {
            return Felt { fault: felt.fault, ..Felt::default() };
        }
        let back = self.rotation.inverse();
        Felt {
            force: back * felt.force * self.force_scale,
            // turns are not scaled: energy scales by c/s all the same
            torque: back * felt.torque * self.energy_scale(),
            fault: felt.fault,
        }
    }
}
