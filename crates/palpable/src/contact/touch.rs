//! One point where two bodies touch, or one stop of a joint.

use super::frame::Frame;
use crate::math::{Mat3, Vec3};
use crate::model::{Material, State};
use crate::solve::cone::Law;

/// Rows towards the twist of one side, 6 numbers each.
pub(super) type SideRows = [[f64; 6]; 6];

/// Begin and duration of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TouchEvent {
    /// It was not there in the step before.
    #[default]
    Begin,
    /// It was there.
    Stay,
}

/// A contact of the present step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touch {
    /// Bodies of the model it is between.
    pub bodies: [usize; 2],
    /// Their indices among the moving bodies; `None` for fixed ones.
    pub(crate) nodes: [Option<usize>; 2],
    /// The point of each that carries it: the touching point, or the centre below it of a round
    /// surface; principal axes, or world for fixed ones [m].
    pub(crate) points: [Vec3; 2],
    /// From there to the touching point, world axes; does not turn with the body [m].
    pub(crate) arms: [Vec3; 2],
    /// Unit normal from the first to the second body, world axes.
    pub normal: Vec3,
    /// Where it is, world axes [m].
    pub point: Vec3,
    /// Distance of the surfaces at the start of the step; negative if they overlap [m].
    pub gap: f64,
    /// Name of the contact, kept as long as it lasts.
    pub id: u64,
    /// Begin or stay.
    pub event: TouchEvent,
    /// Mean force on the second body over the step, world axes [N].
    pub force: Vec3,
    /// Mean torque on the second body by spinning and rolling friction, world axes [N·m].
    pub torque: Vec3,
    /// Impulse on the second body at the start of the step, world axes [N·s].
    pub impulse: Vec3,
    pub(crate) material: Material,
    /// true if it stuck in the last step
    pub(crate) stuck: bool,
    /// friction and push left over from the last midpoint phase [N·s]
    pub(crate) capacity: f64,
    pub(crate) hold: f64,
    /// rows of its material
    pub(crate) count: usize,
    /// two tangents
    pub(crate) tangents: [Vec3; 2],
    /// number in the problem being solved
    pub(crate) number: Option<usize>,
}

impl Touch {
    /// The coefficient of friction that holds now.
    pub(crate) fn friction(&self) -> f64 {
        let m = &self.material;
        if self.stuck { m.static_friction.max(m.friction) } else { m.friction }
    }

    /// Three directions: normal and tangents.
    pub(crate) fn axes(&self) -> [Vec3; 3] {
        [self.normal, self.tangents[0], self.tangents[1]]
    }

    /// Rows: normal and tangents, and the turning that its friction resists.
    #[inline]
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// How it rubs; `capacity` is friction left over from the last step [N·s].
    pub(crate) fn law(&self, capacity: f64) -> Law {
        let (mu, Material { spin_radius, roll_radius, .. }) = (self.friction(), self.material);
        if self.count() == 3 {
            return Law::Frictional { mu, capacity };
        }
        Law::Rolling { mu, capacity, spin_radius, roll_radius }
    }

    /// The distance at a state, along the normal found at the start of the step [m].
    pub(crate) fn gap_at(&self, state: &State) -> f64 {
        let at = |side: usize| match self.nodes[side] {
            Some(node) => state.bodies[node].x + state.bodies[node].q * self.points[side],
            None => self.points[side],
        };
        self.normal.dot(&(at(1) + self.arms[1] - at(0) - self.arms[0]))
    }

    /// Velocities of its rows now [m/s, rad/s]; those beyond its own are zero.
    pub(crate) fn rates(&self, state: &State) -> [f64; 6] {
        let (mut v, mut w) = (Vec3::zeros(), Vec3::zeros());
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            let Some(node) = self.nodes[side] else { continue };
            let s = &state.bodies[node];
            let spin = s.q * s.omega;
            let at = s.q * self.points[side] + self.arms[side];
            v += (s.v + spin.cross(&at)) * sign;
            w += spin * sign;
        }
        let mut out = [0.0; 6];
        for (k, axis) in self.axes().iter().enumerate() {
            out[k] = axis.dot(&v);
            if 3 + k < self.count() {
                out[3 + k] = axis.dot(&w);
            }
        }
        out
    }

    /// Speed at which the surfaces slide over each other [m/s].
    pub(crate) fn slip(&self, state: &State) -> f64 {
        let v = self.rates(state);
        (v[1] * v[1] + v[2] * v[2]).sqrt()
    }

    /// Writes the first `count` rows of the normal, tangent and turning velocities towards the
    /// twist of the body on `side`.
    #[inline]
    pub(super) fn rows(&self, side: usize, frame: &Frame, count: usize, out: &mut SideRows) {
        let (p, arm) = (self.points[side], self.arms[side]);
        let sign = if side == 0 { -1.0 } else { 1.0 };
        let rolls = arm != Vec3::zeros();
        for (axis, out) in self.axes().iter().zip(out.iter_mut()).take(count) {
            let axis = axis * sign;
            // (turn S(−p))ᵀ axis
            let a = transposed(&frame.turn, &axis);
            let turned = [p.y * a.z - p.z * a.y, p.z * a.x - p.x * a.z, p.x * a.y - p.y * a.x];
            *out = [axis.x, axis.y, axis.z, turned[0], turned[1], turned[2]];
            if rolls {
                // a round surface rolls: its centre follows the secant, its arm stays upright
                let more = transposed(&frame.middle, &arm.cross(&axis));
                (0..3).for_each(|k| out[3 + k] += more[k]);
            }
        }
        for (out, axis) in out.iter_mut().take(count).skip(3).zip(self.axes()) {
            let turned = transposed(&frame.middle, &axis) * sign;
            *out = [0.0, 0.0, 0.0, turned.x, turned.y, turned.z];
        }
    }
}

/// `mᵀ v`.
#[inline(always)]
fn transposed(m: &Mat3, v: &Vec3) -> Vec3 {
    let of = |c: &[f64; 3]| c[0] * v.x + c[1] * v.y + c[2] * v.z;
    let [a, b, c] = &m.data.0;
    Vec3::new(of(a), of(b), of(c))
}

/// Two unit vectors normal to `n` and to each other; they turn smoothly with `n`.
pub(crate) fn tangents(n: &Vec3) -> [Vec3; 2] {
    let sign = if n.z >= 0.0 { 1.0 } else { -1.0 };
    let a = -1.0 / (sign + n.z);
    let b = n.x * n.y * a;
    [
        Vec3::new(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x),
        Vec3::new(b, sign + n.y * n.y * a, -n.y),
    ]
}
