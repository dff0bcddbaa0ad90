//! The hand: where the mouse wants a point of a body to be.

use super::{Grip, Line};
use palpable::{Rotation, Vec3, Vec6};

/// The virtual coupling between the hand and what it holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coupling {
    /// Stiffness `K` [N/m].
    pub stiffness: f64,
    /// Damping `B` [N·s/m].
    pub damping: f64,
    /// Stiffness of the rotation [N·m/rad]; 0 lets the body turn freely.
    pub turning: f64,
}

impl Coupling {
    /// Stiffness row by row.
    pub fn stiffness_rows(&self) -> Vec6 {
        let (k, r) = (self.stiffness, self.turning);
        Vec6::new(k, k, k, r, r, r)
    }

    /// Damping row by row; rotations are damped in the same proportion.
    pub fn damping_rows(&self) -> Vec6 {
        let (b, k) = (self.damping, self.stiffness);
        let r = if k > 0.0 { b * self.turning / k } else { 0.0 };
        Vec6::new(b, b, b, r, r, r)
    }

    /// True if every number is finite and none negative.
    pub fn is_sound(&self) -> bool {
        [self.stiffness, self.damping, self.turning].iter().all(|v| v.is_finite() && *v >= 0.0)
    }
}

/// Each of the two lags between the mouse and the reference [s]. Pointer events come every 1 to
/// 8 ms, as steps; after two lags the reference has no jump in its velocity either, so that neither
/// the spring nor the damper of the hand shows the steps.
const FOLLOW: f64 = 0.008;

/// What the user's hand does.
#[derive(Debug, Clone, PartialEq)]
pub struct Hand {
    /// What it holds.
    pub grip: Option<Grip>,
    /// Where the mouse is [m].
    pub target: Vec3,
    /// How far it has been turned since it took hold.
    pub turn: Rotation,
    /// The target after the first lag [m].
    pub lagged: Vec3,
    /// Where the reference is now [m].
    pub reference: Vec3,
    /// Orientation of the reference now.
    pub rotation: Rotation,
    /// Orientation of the body when it was taken.
    pub taken: Rotation,
    /// The coupling.
    pub coupling: Coupling,
    /// The device and the line behind it.
    pub line: Line,
}

impl Hand {
    /// A hand that holds nothing.
    pub fn new(coupling: Coupling) -> Self {
        let (zero, upright) = (Vec3::zeros(), Rotation::identity());
        Self {
            grip: None,
            target: zero,
            turn: upright,
            lagged: zero,
            reference: zero,
            rotation: upright,
            taken: upright,
            coupling,
            line: Line::default(),
        }
    }

    /// Moves the reference towards the mouse for `h` [s].
    pub fn follow(&mut self, h: f64) {
        // exact for a target that stands still during the step
        let (decay, turns) = ((-h / FOLLOW).exp(), h / FOLLOW);
        let (first, second) = (self.lagged - self.target, self.reference - self.target);
        self.lagged = self.target + first * decay;
        self.reference = self.target + (second + first * turns) * decay;
        let share = 1.0 - decay;
        let goal = self.turn * self.taken;
        self.rotation = self.rotation.try_slerp(&goal, share, 1e-9).unwrap_or(goal);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_reaches_the_mouse_the_same_way_whatever_the_step() {
        let coupling = Coupling { stiffness: 1.0, damping: 0.0, turning: 0.0 };
        let run = |h: f64, n: usize| {
            let mut hand = Hand::new(coupling);
            hand.target = Vec3::new(1.0, 0.0, 0.0);
            hand.turn = Rotation::from_scaled_axis(Vec3::new(0.0, 0.0, 1.0));
            (0..n).for_each(|_| hand.follow(h));
            (hand.reference.x, hand.rotation.angle())
        };
        // 20 ms in steps of 1 ms or in one: two lags of 8 ms, and one for the rotation
        let decay = (-20.0f64 / 8.0).exp();
        let (place, turn) = (1.0 - (1.0 + 20.0 / 8.0) * decay, 1.0 - decay);
        for (x, angle) in [run(1e-3, 20), run(20e-3, 1)] {
            assert!((x - place).abs() < 1e-12 && (angle - turn).abs() < 1e-9, "{x} {angle}");
        }
    }

    /// A mouse at 125 Hz moves in steps of 8 ms. The force of spring and damper follows the
    /// reference; its largest jump from tick to tick must be far below the force of the motion.
    #[test]
    fn steps_of_the_pointer_are_not_felt() {
        let coupling = Coupling { stiffness: 1000.0, damping: 30.0, turning: 0.0 };
        let (speed, h) = (0.25, 1e-3);
        for rate in [125, 500, 1000] {
            let mut hand = Hand::new(coupling);
            let (mut before, mut last, mut worst) = (0.0, None, 0.0f64);
            for tick in 0..1000u32 {
                let held = tick / (1000 / rate) * (1000 / rate);
                hand.target.x = speed * f64::from(held) * h;
                hand.follow(h);
                let velocity = (hand.reference.x - before) / h;
                before = hand.reference.x;
                let force = coupling.damping * velocity;
                if let (Some(last), true) = (last, tick > 100) {
                    worst = worst.max(f64::abs(force - last));
                }
                last = Some(force);
            }
            // the damper alone holds 7.5 N at this speed; at 125 Hz one lag of 12 ms jumps by
            // 4.4 N, two of 8 ms by 0.4 N
            assert!(worst < 0.1 * coupling.damping * speed, "{rate} Hz: {worst} N a tick");
        }
    }
}
