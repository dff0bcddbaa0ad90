//! What a device can do: the numbers that couplings, safety and analysis are chosen from.

use palpable::Vec3;

/// Which axes are there, in the device's frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Axes {
    /// Translation along x, y, z.
    pub translation: [bool; 3],
    /// Rotation about x, y, z.
    pub rotation: [bool; 3],
}

impl Axes {
    /// None at all.
    pub const NONE: Self = Self { translation: [false; 3], rotation: [false; 3] };
    /// Translation along x alone.
    pub const ONE: Self = Self { translation: [true, false, false], rotation: [false; 3] };
    /// Translation.
    pub const THREE: Self = Self { translation: [true; 3], rotation: [false; 3] };
    /// Translation and rotation.
    pub const SIX: Self = Self { translation: [true; 3], rotation: [true; 3] };

    /// Number of degrees of freedom.
    pub fn count(self) -> usize {
        self.translation.iter().chain(&self.rotation).filter(|on| **on).count()
    }

    /// True if some rotation is there.
    pub fn turns(self) -> bool {
        self.rotation.contains(&true)
    }
}

/// What the position of a sample means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Motion {
    /// Where the handle is.
    #[default]
    Pose,
    /// How hard it is deflected: `velocity` and `angular_velocity` of a sample are wishes, its
    /// position means nothing. A SpaceMouse, a stick.
    Twist,
}

/// A limit of force [N] or torque [N·m].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ForceLimit {
    /// For a moment.
    pub peak: f64,
    /// For ever, without overheating the motors.
    pub continuous: f64,
}

impl ForceLimit {
    /// No force at all: an input device.
    pub const NONE: Self = Self { peak: 0.0, continuous: 0.0 };

    /// Peak and continuous limit.
    pub fn new(peak: f64, continuous: f64) -> Self {
        Self { peak, continuous }
    }

    /// True for two numbers with `peak >= continuous >= 0`.
    pub fn is_sound(self) -> bool {
        self.peak.is_finite() && self.peak >= self.continuous && self.continuous >= 0.0
    }
}

/// Where the handle can go: a box in the device's frame [m].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Workspace {
    /// Lowest corner [m].
    pub low: Vec3,
    /// Highest corner [m].
    pub high: Vec3,
}

impl Workspace {
    /// A box of full `size` [m] about the origin.
    pub fn centred(size: impl Into<Vec3>) -> Self {
        let half = 0.5 * size.into();
        Self { low: -half, high: half }
    }

    /// Its middle [m].
    pub fn centre(&self) -> Vec3 {
        0.5 * (self.low + self.high)
    }

    /// A box of the same middle, `factor` times as large.
    pub fn grown(&self, factor: f64) -> Self {
        let (centre, half) = (self.centre(), 0.5 * factor * (self.high - self.low));
        Self { low: centre - half, high: centre + half }
    }

    /// True inside and on the edge.
    pub fn contains(&self, p: &Vec3) -> bool {
        (0..3).all(|i| self.low[i] <= p[i] && p[i] <= self.high[i])
    }
}

/// A gripper or a scissor handle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gripper {
    /// True if it turns: [rad] and [N·m]; false if it slides: [m] and [N].
    pub turns: bool,
    /// Closed [m] or [rad].
    pub low: f64,
    /// Open [m] or [rad].
    pub high: f64,
    /// Force or torque; none for a passive gripper.
    pub force: ForceLimit,
}

/// What a device can do. Unknown numbers are `None`, never invented.
#[derive(Debug, Clone, PartialEq)]
pub struct Capabilities {
    /// Name for people.
    pub name: String,
    /// Serial number or service id, to tell two of a kind apart.
    pub serial: Option<String>,
    /// What its samples mean.
    pub motion: Motion,
    /// What it senses.
    pub sensed: Axes,
    /// What it drives; none for an input device.
    pub actuated: Axes,
    /// Where the handle can go.
    pub workspace: Workspace,
    /// Force [N].
    pub force: ForceLimit,
    /// Torque [N·m].
    pub torque: ForceLimit,
    /// Largest stiffness the maker allows [N/m].
    pub max_stiffness: Option<f64>,
    /// Largest rotational stiffness [N·m/rad].
    pub max_rotational_stiffness: Option<f64>,
    /// Viscous damping at the handle [N·s/m]; pays for sampling.
    pub damping: Option<f64>,
    /// The same in rotation [N·m·s/rad].
    pub rotational_damping: Option<f64>,
    /// Coulomb friction [N]; pays for the steps of the encoder.
    pub coulomb_friction: Option<f64>,
    /// Moving mass at the handle [kg].
    pub mass: Option<f64>,
    /// Moment of inertia at the handle [kg·m²].
    pub inertia: Option<f64>,
    /// One step of the encoder at the handle [m]; 0 is a perfect one.
    pub encoder_step: Option<f64>,
    /// The same in rotation [rad].
    pub angular_encoder_step: Option<f64>,
    /// The rate it is made for [Hz].
    pub rate: f64,
    /// From reading to force [s], where known.
    pub delay: Option<f64>,
    /// Mass that the safety stage holds up, in kg; `None` where the device does it itself.
    pub gravity_mass: Option<f64>,
    /// Number of buttons.
    pub buttons: u32,
    /// A gripper, if there is one.
    pub gripper: Option<Gripper>,
}

impl Capabilities {
    /// A device that senses and drives `axes` at `rate` [Hz], with nothing else known and no force.
    pub fn new(name: &str, axes: Axes, rate: f64) -> Self {
        Self {
            name: name.to_owned(),
            serial: None,
            motion: Motion::Pose,
            sensed: axes,
            actuated: axes,
            workspace: Workspace::centred([0.2; 3]),
            force: ForceLimit::NONE,
            torque: ForceLimit::NONE,
            max_stiffness: None,
            max_rotational_stiffness: None,
            damping: None,
            rotational_damping: None,
            coulomb_friction: None,
            mass: None,
            inertia: None,
            encoder_step: None,
            angular_encoder_step: None,
            rate,
            delay: None,
            gravity_mass: None,
            buttons: 0,
            gripper: None,
        }
    }

    /// An input device: it senses `axes` and drives nothing.
    pub fn input(name: &str, axes: Axes, motion: Motion, rate: f64) -> Self {
        Self { motion, actuated: Axes::NONE, ..Self::new(name, axes, rate) }
    }

    /// A three-axis device from a profile; its continuous force is the profile's largest one, for
    /// want of anything better.
    pub fn from_profile(profile: &palpable_passivity::Device) -> Self {
        let force = profile.max_force.unwrap_or(0.0);
        Self {
            force: ForceLimit::new(force, force),
            max_stiffness: profile.max_stiffness,
            damping: Some(profile.damping),
            coulomb_friction: Some(profile.coulomb_friction),
            mass: Some(profile.mass),
            encoder_step: Some(profile.encoder_step),
            delay: Some(profile.delay),
            ..Self::new(&profile.name, Axes::THREE, profile.rate)
        }
    }

    /// The device along one axis, for analysis and tuning; `None` if its mass or damping is not
    /// known.
    pub fn profile(&self) -> Option<palpable_passivity::Device> {
        let basis =
            palpable_passivity::Device::new(&self.name, self.mass?, self.damping?, self.rate);
        Some(palpable_passivity::Device {
            coulomb_friction: self.coulomb_friction.unwrap_or(0.0),
            encoder_step: self.encoder_step.unwrap_or(0.0),
            delay: self.delay.unwrap_or(0.0),
            max_force: (self.force.peak > 0.0).then_some(self.force.peak),
            max_stiffness: self.max_stiffness,
            ..basis
        })
    }

    /// True if it can push back.
    pub fn can_push(&self) -> bool {
        self.actuated.count() > 0
    }
}
