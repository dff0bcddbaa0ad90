//! One point where two bodies touch, or one stop of a joint.

use crate::math::{Mat3, Mat6, Vec3, Vec6, so3};
use crate::model::{Material, State};
use crate::solve::cone::Law;

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
    pub(crate) fn count(&self) -> usize {
        self.material.rows()
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

    /// Speed at which the surfaces slide over each other [m/s].
    pub(crate) fn slip(&self, state: &State) -> f64 {
        let of = |side: usize| {
            let rows = self.rows(side, state, &Vec3::zeros(), 0.0)?;
            Some(rows * state.bodies[self.nodes[side]?].twist())
        };
        let v: Vec6 = [0, 1].into_iter().filter_map(of).sum();
        v[1].hypot(v[2])
    }

    /// Rows of the normal, tangent and turning velocities towards the twist of the body on
    /// `side`, over a step of `h` [s] at the predicted rate `omega`; `h = 0` for the present.
    pub(crate) fn rows(&self, side: usize, state: &State, omega: &Vec3, h: f64) -> Option<Mat6> {
        let node = self.nodes[side]?;
        let r = state.bodies[node].q.to_rotation_matrix().into_inner();
        let (turn, middle) = if h > 0.0 {
            let middle = so3::compose(&state.bodies[node].q, &so3::cayley(&(omega * (0.5 * h))));
            let middle = middle.to_rotation_matrix().into_inner();
            (r * so3::cayley_secant(&(omega * h)), middle)
        } else {
            (r, r)
        };
        // a round surface rolls: its centre follows the secant, its arm stays upright
        let arm = so3::skew(&-self.arms[side]) * middle;
        let lever: Mat3 = turn * so3::skew(&-self.points[side]) + arm;
        let sign = if side == 0 { -1.0 } else { 1.0 };
        let mut out = Mat6::zeros();
        for (i, axis) in self.axes().iter().enumerate() {
            let turned = lever.tr_mul(axis);
            for c in 0..3 {
                (out[(i, c)], out[(i, 3 + c)]) = (sign * axis[c], sign * turned[c]);
            }
        }
        for (i, axis) in self.axes().iter().enumerate().take(self.count() - 3) {
            let turned = middle.tr_mul(axis) * sign;
            (0..3).for_each(|c| out[(3 + i, 3 + c)] = turned[c]);
        }
        Some(out)
    }
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
