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

/// Time in which the reference follows the mouse [s]: pointer events come at display rate, the
/// world wants something smoother.
const FOLLOW: f64 = 0.012;

/// What the user's hand does.
#[derive(Debug, Clone, PartialEq)]
pub struct Hand {
    /// What it holds.
    pub grip: Option<Grip>,
    /// Where the mouse is [m].
    pub target: Vec3,
    /// How far it has been turned since it took hold.
    pub turn: Rotation,
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
            reference: zero,
            rotation: upright,
            taken: upright,
            coupling,
            line: Line::default(),
        }
    }

    /// Moves the reference towards the mouse for `h` [s].
    pub fn follow(&mut self, h: f64) {
        let share = 1.0 - (-h / FOLLOW).exp();
        self.reference += (self.target - self.reference) * share;
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
        // 20 ms in steps of 1 ms or in one: 1 − exp(−20/12)
        let expected = 1.0 - (-20.0f64 / 12.0).exp();
        for (x, angle) in [run(1e-3, 20), run(20e-3, 1)] {
            assert!((x - expected).abs() < 1e-12 && (angle - expected).abs() < 1e-9);
        }
    }
}
