//! Who holds a simulated device.

use super::script::Script;
use palpable::Vec6;
use palpable_passivity::Network;

/// A passive arm: a mass on the handle, held by a spring and a damper to where it wants to be.
#[derive(Debug, Clone, PartialEq)]
pub struct Arm {
    /// Mass that moves with the handle [kg], or inertia [kg·m²], by axis.
    pub mass: Vec6,
    /// Damping towards the script [N·s/m], [N·m·s/rad].
    pub damping: Vec6,
    /// Stiffness towards the script [N/m], [N·m/rad].
    pub stiffness: Vec6,
    /// Where it wants to be.
    pub script: Script,
}

impl Arm {
    /// The same in all axes: mass [kg], damping [N·s/m], stiffness [N/m]; a thousandth of these in
    /// rotation, as for a lever of 3 cm.
    pub fn new(mass: f64, damping: f64, stiffness: f64, script: Script) -> Self {
        let spread = |a: f64| Vec6::from_fn(|i, _| if i < 3 { a } else { 1e-3 * a });
        let (mass, damping, stiffness) = (spread(mass), spread(damping), spread(stiffness));
        Self { mass, damping, stiffness, script }
    }

    /// A relaxed arm: 0.2 kg, 5 N·s/m, 500 N/m.
    pub fn relaxed(script: Script) -> Self {
        Self::new(0.2, 5.0, 500.0, script)
    }
}

/// Who holds a simulated device.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Hand {
    /// Nobody.
    #[default]
    Free,
    /// A constant force [N] and torque [N·m] on the handle.
    Push(Vec6),
    /// An arm that follows a script; a script that stands still is a passive arm.
    Arm(Arm),
    /// A lossless network of masses and springs on the first axis: the worst passive operator of
    /// [`palpable_passivity::worst_operator`]. Other axes are free.
    Network(Network),
}

impl Hand {
    /// Mass, damping and stiffness that it adds to axis `i`.
    pub(super) fn impedance(&self, i: usize) -> [f64; 3] {
        match self {
            Hand::Arm(arm) => [arm.mass[i], arm.damping[i], arm.stiffness[i]],
            _ => [0.0; 3],
        }
    }

    /// Its force on axis `i` between `t0` and `t1` [s], as value at `t0` and slope.
    pub(super) fn drive(&self, i: usize, from: &Vec6, to: &Vec6, span: f64) -> (f64, f64) {
        match self {
            Hand::Free | Hand::Network(_) => (0.0, 0.0),
            Hand::Push(force) => (force[i], 0.0),
            Hand::Arm(arm) => {
                let rate = if span > 0.0 { (to[i] - from[i]) / span } else { 0.0 };
                (arm.stiffness[i] * from[i] + arm.damping[i] * rate, arm.stiffness[i] * rate)
            }
        }
    }

    /// Where it wants to be at `time` [s].
    pub(super) fn wants(&self, time: f64) -> Vec6 {
        match self {
            Hand::Arm(arm) => arm.script.at(time),
            _ => Vec6::zeros(),
        }
    }
}
