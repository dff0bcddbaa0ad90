//! What several tests need.
#![allow(dead_code)]

use std::time::Duration;

use palpable_haptics::{Axes, Capabilities, Command, ForceLimit, Limits, Safety, Sample};
use palpable_haptics::{Wish, Wrench};

/// A device of `mass` [kg] and `damping` [N·s/m] at 1 kHz without limits that matter.
pub fn capabilities(axes: Axes, mass: f64, damping: f64) -> Capabilities {
    Capabilities {
        force: ForceLimit::new(1e6, 1e6),
        torque: ForceLimit::new(1e6, 1e6),
        mass: Some(mass),
        damping: Some(damping),
        inertia: Some(1e-3 * mass),
        rotational_damping: Some(1e-3 * damping),
        ..Capabilities::new("test", axes, 1000.0)
    }
}

/// A safety stage that is active and lets everything below its limits pass at once.
pub struct Open {
    safety: Safety,
    now: Duration,
}

impl Open {
    pub fn new(capabilities: &Capabilities) -> Self {
        let mut limits = Limits::for_device(capabilities);
        (limits.velocity, limits.angular_velocity) = (1e9, 1e9);
        (limits.force_slew, limits.torque_slew) = (1e12, 1e12);
        limits.ramp = 1e-2;
        let mut safety = Safety::new(limits).unwrap();
        safety.start().unwrap();
        let mut open = Self { safety, now: Duration::ZERO };
        for _ in 0..20 {
            open.pass(Wrench::ZERO);
        }
        open
    }

    pub fn pass(&mut self, wrench: Wrench) -> Command {
        self.now += Duration::from_millis(1);
        self.safety.step(self.now, &Sample::default(), &Wish::fresh(wrench))
    }
}
