//! A port's force and torque as a wrench on its body.

use crate::math::{Mat3, Rotation, Vec3, Vec6, angular, join, linear, so3};

/// Maps between a port and its body over a step: `[v; omega] = J* û`, wrench `= J*ᵀ [f; tau]`.
#[derive(Debug, Clone, Copy, Default)]
pub struct PortMap {
    /// `v_port = v + lever · omega`.
    lever: Mat3,
    /// Orientation of the body at the predicted midpoint.
    turn: Mat3,
}

impl PortMap {
    /// The map of a port at `point` [m] on a body turned by `q`, predicted to turn at `omega`
    /// [rad/s] over `h` [s].
    pub fn new(point: &Vec3, q: &Rotation, omega: &Vec3, h: f64) -> Self {
        let r = q.to_rotation_matrix().into_inner();
        let lever = r * so3::cayley_secant(&(omega * h)) * so3::skew(&-point);
        let turned = so3::compose(q, &so3::cayley(&(omega * (0.5 * h))));
        Self { lever, turn: turned.to_rotation_matrix().into_inner() }
    }

    /// Representative velocity of the port's point and angular velocity, world axes, for a body
    /// that moves with the twist `u`.
    pub fn velocity(&self, u: &Vec6) -> Vec6 {
        let omega = angular(u);
        join(&(linear(u) + self.lever * omega), &(self.turn * omega))
    }
}

/// The wrench `J*ᵀ [f; tau]` on the body of a force [N] and a torque [N·m] in world axes.
///
/// With the same `J*` as in [`PortMap::velocity`], the supply is exactly `h (f·v̂ + tau·ω̂)`.
pub fn port_wrench(map: &PortMap, force: &Vec3, torque: &Vec3) -> Vec6 {
    join(force, &(map.lever.tr_mul(force) + map.turn.tr_mul(torque)))
}
