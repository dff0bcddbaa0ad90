//! What the safety stage allows.

use crate::device::{Axes, Capabilities, ForceLimit, Motion, Workspace};
use palpable::Vec3;

/// A handle is nowhere beyond this many times its workspace, which is told roughly at best.
const REACH: f64 = 5.0;

/// A limit out of its range.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{field} is {value}, but must be {need}: {cure}")]
pub struct LimitsError {
    /// The field at fault.
    pub field: &'static str,
    /// The value that was given.
    pub value: f64,
    /// The range it must lie in.
    pub need: &'static str,
    /// What to do.
    pub cure: &'static str,
}

/// What the safety stage allows. [`Limits::for_device`] is the start; every field may be changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// Axes that may be driven; the others get nothing.
    pub axes: Axes,
    /// Force [N].
    pub force: ForceLimit,
    /// Torque [N·m].
    pub torque: ForceLimit,
    /// Gripper force [N] or torque [N·m].
    pub gripper: ForceLimit,
    /// Fastest change of the force [N/s].
    pub force_slew: f64,
    /// Fastest change of the torque [N·m/s].
    pub torque_slew: f64,
    /// Fastest change of the gripper force [N/s].
    pub gripper_slew: f64,
    /// Thermal time constant of the motors [s].
    pub thermal_time: f64,
    /// Time of the ramp-in from nothing to the peak [s].
    pub ramp: f64,
    /// The world's answer is stale when older than this [s].
    pub stale_after: f64,
    /// Time for which a stale world is replaced by damping, while its last force decays [s].
    pub damp: f64,
    /// Time of the fade to zero [s].
    pub fade: f64,
    /// Time without any fault before the force comes back [s].
    pub settle: f64,
    /// Damping rendered while the world is stale [N·s/m]; passive up to the device's own.
    pub damping: f64,
    /// The same in rotation [N·m·s/rad].
    pub rotational_damping: f64,
    /// Speed of the handle above which the force fades [m/s].
    pub velocity: f64,
    /// The same in rotation [rad/s].
    pub angular_velocity: f64,
    /// Where the handle can be at all, device frame [m]: a position outside is a fault, and so is a
    /// handle that moves by its velocity and not by its position. `None` where positions mean
    /// nothing or are our own.
    pub reach: Option<Workspace>,
    /// Time between two ticks above which the loop is late [s].
    pub late_after: f64,
    /// Time between two ticks above which the clock jumped or the machine slept [s].
    pub jump_after: f64,
    /// Force that holds the handle's own weight, device axes [N].
    pub gravity_compensation: Vec3,
    /// Nominal time between two ticks [s].
    pub period: f64,
}

impl Limits {
    /// Cautious limits for a device.
    ///
    /// Peak and continuous force, axes and rate are the device's. The damping for a stale world is
    /// half the device's own: sampling a damper `B` asks `b ≥ B` of it `[Brown1998, (3.9)]`. The
    /// weight acts along the device's -z.
    pub fn for_device(device: &Capabilities) -> Self {
        let gripper = device.gripper.map_or(ForceLimit::NONE, |g| g.force);
        let weight = device.gravity_mass.unwrap_or(0.0) * 9.81;
        // from nothing to the peak in 5 ms: a wall of 5 kN/m met at 0.4 m/s for a 10 N device
        let slew = |limit: ForceLimit| limit.peak / 5e-3;
        Self {
            axes: device.actuated,
            force: device.force,
            torque: device.torque,
            gripper,
            force_slew: slew(device.force),
            torque_slew: slew(device.torque),
            gripper_slew: slew(gripper),
            thermal_time: 10.0,
            ramp: 0.5,
            stale_after: 0.1,
            damp: 0.1,
            fade: 0.05,
            settle: 0.2,
            damping: 0.5 * device.damping.unwrap_or(0.0),
            rotational_damping: 0.5 * device.rotational_damping.unwrap_or(0.0),
            velocity: 3.0,
            angular_velocity: 30.0,
            reach: (device.motion == Motion::Pose).then(|| device.workspace.grown(REACH)),
            late_after: 0.05,
            jump_after: 1.0,
            gravity_compensation: Vec3::new(0.0, 0.0, weight),
            period: 1.0 / device.rate,
        }
    }

    /// The longest time from a fault to zero force at the device, if the loop runs [s].
    pub fn time_to_zero(&self) -> f64 {
        self.stale_after + self.damp + self.fade
    }

    /// Checks every field.
    /// # Errors
    /// The first field out of range, with its cure.
    pub fn check(&self) -> Result<(), LimitsError> {
        self.check_times()?;
        self.check_sizes()?;
        self.check_forces()
    }

    fn check_times(&self) -> Result<(), LimitsError> {
        let cure = "give a time in seconds; `Limits::for_device` has usual ones";
        for (field, value) in [
            ("period [s]", self.period),
            ("thermal_time [s]", self.thermal_time),
            ("ramp [s]", self.ramp),
            ("stale_after [s]", self.stale_after),
            ("damp [s]", self.damp),
            ("fade [s]", self.fade),
            ("settle [s]", self.settle),
            ("late_after [s]", self.late_after),
            ("jump_after [s]", self.jump_after),
        ] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(LimitsError { field, value, need: "positive and finite", cure });
            }
        }
        let (field, value) = ("late_after [s]", self.late_after);
        if value <= self.period {
            let need = "longer than the period";
            return Err(LimitsError { field, value, need, cure: "allow a few periods" });
        }
        if value > self.jump_after {
            let need = "no longer than jump_after";
            return Err(LimitsError { field, value, need, cure: "raise jump_after" });
        }
        Ok(())
    }

    fn check_sizes(&self) -> Result<(), LimitsError> {
        for (field, value) in [
            ("damping [N·s/m]", self.damping),
            ("rotational_damping [N·m·s/rad]", self.rotational_damping),
            ("velocity [m/s]", self.velocity),
            ("angular_velocity [rad/s]", self.angular_velocity),
            ("gravity_compensation [N]", self.gravity_compensation.norm()),
        ] {
            if !(value >= 0.0 && value.is_finite()) {
                let (need, cure) = ("0 or more, and finite", "use 0 for none");
                return Err(LimitsError { field, value, need, cure });
            }
        }
        Ok(())
    }

    fn check_forces(&self) -> Result<(), LimitsError> {
        let shortest = self.fade.min(self.damp).min(self.ramp);
        for (field, slew_field, limit, slew) in [
            ("force.peak [N]", "force_slew [N/s]", self.force, self.force_slew),
            ("torque.peak [N·m]", "torque_slew [N·m/s]", self.torque, self.torque_slew),
            ("gripper.peak [N]", "gripper_slew [N/s]", self.gripper, self.gripper_slew),
        ] {
            if !limit.is_sound() {
                let (need, cure) = ("finite and continuous <= peak", "correct the two limits");
                return Err(LimitsError { field, value: limit.peak, need, cure });
            }
            if !(slew * shortest >= limit.peak && slew.is_finite()) {
                let need = "at least the peak over the shortest of ramp, damp and fade";
                let cure = "a fade must not be cut short by the slew limit: raise one of them";
                return Err(LimitsError { field: slew_field, value: slew, need, cure });
            }
        }
        Ok(())
    }
}
