//! How one body moves past another until the next update, for what may touch by then.

use super::frame::Frame;
use crate::math::Vec3;

/// Displacement `shift + turn × p` of a point `p` until the next update.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Glide {
    /// [m]
    pub shift: Vec3,
    /// [rad]
    pub turn: Vec3,
    /// overlaps up to this are nothing to worry about [m]
    pub slight: f64,
}

/// How much farther than its velocity says a point may come: what stops one corner of a body
/// speeds up another.
const WHIP: f64 = 2.0;

impl Glide {
    /// Nothing moves.
    pub const NONE: Self =
        Self { shift: Vec3::new(0.0, 0.0, 0.0), turn: Vec3::new(0.0, 0.0, 0.0), slight: 0.0 };

    /// A body that moves by `shift` and `turn` about `center`, seen from the origin.
    pub fn about(center: &Vec3, shift: Vec3, turn: Vec3) -> Self {
        Self { shift: shift - turn.cross(center), turn, slight: 0.0 }
    }

    /// The motion of this body past another.
    pub fn past(&self, other: &Glide, slight: f64) -> Self {
        Self { shift: self.shift - other.shift, turn: self.turn - other.turn, slight }
    }

    /// The same motion in the axes of a frame.
    pub fn seen_from(&self, frame: &Frame) -> Self {
        let shift = frame.inverse_vector(&(self.shift + self.turn.cross(&frame.x)));
        Self { shift, turn: frame.inverse_vector(&self.turn), ..*self }
    }

    /// The motion of the other body past this one.
    pub fn flipped(&self) -> Self {
        Self { shift: -self.shift, turn: -self.turn, ..*self }
    }

    /// A point that is `gap` away along `n` overlaps when the motion is done.
    #[inline]
    pub fn closes(&self, p: &Vec3, n: &Vec3, gap: f64) -> bool {
        let way = n.dot(&(self.shift + self.turn.cross(p)));
        gap + WHIP * way.min(0.0) < -self.slight && way < 0.0
    }
}
