//! Live changes.

use super::Effort;
use palpable::{Material, Payment, Vec3};

/// A live change before a step.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// The step before which it happens.
    pub step: usize,
    /// What happens.
    pub change: Change,
}

/// What happens.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// The mass of a body changes.
    Mass {
        /// The body.
        body: usize,
        /// By this factor [1].
        factor: f64,
        /// Who pays.
        payment: Payment,
    },
    /// The stiffness of an element changes.
    Stiffness {
        /// Which, counted around.
        element: usize,
        /// By this factor [1].
        factor: f64,
        /// Who pays.
        payment: Payment,
    },
    /// Gravity changes.
    Gravity {
        /// To this [m/s²].
        gravity: Vec3,
        /// Who pays.
        payment: Payment,
    },
    /// The surface of a body changes.
    Surface {
        /// The body.
        body: usize,
        /// Its new surface.
        material: Material,
    },
    /// The damping of a body changes.
    Damping {
        /// The body.
        body: usize,
        /// Of its motion [N·s/m]; the rotational one is a hundredth of the number.
        damping: f64,
    },
    /// The solver of contact works harder or less hard.
    Effort(Effort),
    /// The tank gets some energy [J].
    Grant(f64),
    /// A force port is attached.
    AttachForce {
        /// To this body.
        body: usize,
        /// At this point, body axes [m].
        at: Vec3,
    },
    /// A reference port is attached.
    AttachReference {
        /// To this body.
        body: usize,
        /// At this point, body axes [m].
        at: Vec3,
        /// Stiffness [N/m]; the rotational one is a thousandth of the number.
        stiffness: f64,
        /// Largest component of a jump [m].
        amplitude: f64,
    },
    /// The port that was attached last is taken away.
    Detach,
    /// Any of the attached ports is taken away.
    Release {
        /// Which, counted around.
        which: usize,
    },
    /// A step that has to be refused.
    Refused,
    /// A ball comes into the world.
    Add {
        /// Where [m].
        at: Vec3,
        /// Its radius [m].
        radius: f64,
        /// How fast [m/s].
        velocity: Vec3,
    },
    /// The ball that came last leaves it.
    Remove,
    /// A body gets another velocity.
    Kick {
        /// The body.
        body: usize,
        /// The velocity [m/s].
        velocity: Vec3,
    },
    /// A snapshot is taken, and the next steps are replayed from it.
    Snapshot,
}

impl Change {
    /// The body that is changed, if it is one.
    pub fn body(&self) -> Option<usize> {
        match *self {
            Change::Mass { body, .. }
            | Change::Surface { body, .. }
            | Change::Damping { body, .. }
            | Change::Kick { body, .. }
            | Change::AttachForce { body, .. }
            | Change::AttachReference { body, .. } => Some(body),
            _ => None,
        }
    }
}
