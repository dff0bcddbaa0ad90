//! One point where two bodies touch, or one stop of a joint.

use super::frame::{Frame, Start};
use crate::geometry::Isometry;
use crate::math::{Per, Vec3, place};
use crate::model::{BodyInfo, ContactLaw, Material, State};
use crate::solve::cone::Law;

/// Rows towards the twist of one side, 6 numbers each.
pub(super) type SideRows = [[f64; 6]; 6];

place! {
    /// Which of the touches of a step.
    TouchAt
}

/// A value for each touch.
pub type PerTouch<T> = Per<TouchAt, T>;

/// Begin and duration of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TouchEvent {
    /// It was not there in the step before.
    #[default]
    Begin,
    /// It was there.
    Stay,
}

/// A circular edge: the touching point runs along it as the body turns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rim {
    /// unit axis of the circle, principal axes
    pub axis: Vec3,
    /// [m]
    pub radius: f64,
}

impl Rim {
    /// From the centre to the point furthest along the unit vector `out`, for a circle about the
    /// unit vector `axis` [m].
    fn arm(&self, axis: &Vec3, out: &Vec3) -> Vec3 {
        let across = out - axis * axis.dot(out);
        across.try_normalize(FLAT).map_or(Vec3::zeros(), |d| d * self.radius)
    }

    /// `∂(n·arm)/∂(n·axis)` as a secant between two leans `c = n·axis`, without its sign: with
    /// `n·arm = ∓r √(1 − c²)`, it is `r (c + c⁺)/(√(1 − c²) + √(1 − c⁺²))`.
    fn slope(&self, lean: f64, next: f64) -> f64 {
        let s = |c: f64| (1.0 - c * c).max(0.0).sqrt();
        let sum = s(lean) + s(next);
        if sum > FLAT { self.radius * (lean + next) / sum } else { 0.0 }
    }
}

/// Cosine of the angle by which the line of two centres may turn until they meet.
const PASSING: f64 = 0.5;

/// Leans below this are none [rad].
const FLAT: f64 = 1e-6;

/// Where a contact stands on one of its bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Foot {
    /// index among the moving bodies; `None` for a fixed one
    pub node: Option<usize>,
    /// the point that carries it: the touching point, or the centre below it of a round surface;
    /// principal axes, or world for a fixed body [m]
    pub point: Vec3,
    /// from there to the touching point, world axes; does not turn with the body [m]
    pub arm: Vec3,
    /// the rim that touches, if it does not touch with a point or a round surface
    pub rim: Option<Rim>,
    /// `n·axis` of the rim at the start of the phase
    pub lean: f64,
}

impl Foot {
    /// Where a body touches, `local` in its axes and `world` in those of the world: the point
    /// itself; where its surface is round, the centre below it; where a rim touches, that of the
    /// rim.
    #[inline]
    pub fn of(info: &BodyInfo, pose: &Isometry, point: [&Vec3; 2], inward: &Vec3) -> Self {
        let [local, world] = point;
        let none = Self { node: None, point: *world, arm: Vec3::zeros(), rim: None, lean: 0.0 };
        let Some(node) = info.moving else { return none };
        let inverse = info.body_from_principal.inverse();
        let at = |center: &Vec3| inverse * (center - info.center_of_mass);
        let point = Self { node: Some(node), point: at(local), ..none };
        let Some(shape) = info.shape.as_ref().filter(|s| info.from_shape && s.is_round()) else {
            return point;
        };
        let inward = pose.rotation.inverse() * inward;
        if let Some((center, radius)) = shape.rim(local, &inward) {
            let rim = Some(Rim { axis: inverse * Vec3::z(), radius });
            return Self { point: at(&center), rim, ..point };
        }
        let center = shape.round_center(local, &inward);
        Self { point: at(&center), arm: pose.rotation * (local - center), ..point }
    }
}

/// How a contact came about. The last three are what it leaves to the next step, with its forces.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Meeting {
    /// its surfaces yield: nothing but impulses acts here, forces act over the area
    pub yields: bool,
    /// they do, and impulses of a collision act on it in this step
    pub collides: bool,
    /// it was there in the last step
    pub known: bool,
    /// its impulse of the last step was lessened
    pub pending: bool,
    /// it is closed, or will be within half the step
    pub met: bool,
    /// it stuck in the last step
    pub stuck: bool,
}

impl Meeting {
    /// Leaves nothing to the next step.
    pub fn leave(&mut self) {
        (self.pending, self.met, self.stuck) = (false, false, false);
    }
}

/// Where a contact is in the problem being solved.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Seat {
    /// rows of its material
    pub rows: usize,
    /// its number
    pub number: Option<usize>,
    /// the same among the points of free bodies
    pub spot: Option<usize>,
    /// its rates at the start of the phase are known, if its bodies move as they did
    pub rated: bool,
}

/// A contact of the present step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touch {
    /// Bodies of the model it is between.
    pub bodies: [usize; 2],
    /// Where it stands on each of them.
    pub(crate) feet: [Foot; 2],
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
    /// How the pair acts on each other.
    pub law: ContactLaw,
    pub(crate) material: Material,
    /// two tangents
    pub(crate) tangents: [Vec3; 2],
    pub(crate) meeting: Meeting,
    pub(crate) seat: Seat,
}

impl Touch {
    /// Its surfaces yield, and impulses of a collision act on it in this step.
    pub fn collides(&self) -> bool {
        self.meeting.collides
    }

    /// Its surfaces yield: nothing but impulses acts here, forces act over the area.
    pub fn yields(&self) -> bool {
        self.meeting.yields
    }

    /// Moving bodies it is between; `None` for fixed ones.
    #[inline]
    pub(crate) fn nodes(&self) -> [Option<usize>; 2] {
        [self.feet[0].node, self.feet[1].node]
    }

    /// The moving ones of them.
    #[inline]
    pub(crate) fn movers(&self) -> impl Iterator<Item = usize> + use<> {
        self.nodes().into_iter().flatten()
    }
}

impl Touch {
    /// The coefficient of friction that holds now.
    pub(crate) fn friction(&self) -> f64 {
        let m = &self.material;
        if self.meeting.stuck { m.static_friction.max(m.friction) } else { m.friction }
    }

    /// Three directions: normal and tangents.
    pub(crate) fn axes(&self) -> [Vec3; 3] {
        [self.normal, self.tangents[0], self.tangents[1]]
    }

    /// Rows: normal and tangents, and the turning that its friction resists.
    #[inline]
    pub(crate) fn count(&self) -> usize {
        self.seat.rows
    }

    /// It needs more than three rows, a normal row of its own, or another law than the cone.
    pub(super) fn is_special(&self) -> bool {
        let rim = self.feet.iter().any(|f| f.rim.is_some()) && self.nodes().contains(&None);
        rim || self.count() != 3 || !self.is_conic()
    }

    /// How it rubs.
    pub(crate) fn cone(&self) -> Law {
        let (mu, Material { spin_radius, roll_radius, .. }) = (self.friction(), self.material);
        if self.count() == 3 {
            return Law::Frictional { mu };
        }
        Law::Rolling { mu, spin_radius, roll_radius }
    }

    /// The distance at a state, along the normal found at the start of the step [m].
    #[inline]
    pub(crate) fn gap_at(&self, state: &State) -> f64 {
        self.normal.dot(&(self.place(state, 1) - self.place(state, 0)))
    }

    /// Where it touches the body on one side at a state, world axes [m].
    #[inline(always)]
    fn place(&self, state: &State, side: usize) -> Vec3 {
        let Some(node) = self.feet[side].node else {
            return self.feet[side].point + self.feet[side].arm;
        };
        let s = &state.bodies[node];
        s.x + s.q * self.feet[side].point + self.arm_at(state, side)
    }

    /// From the point that carries it on one side to where it touches at a state, world axes [m].
    #[inline(always)]
    fn arm_at(&self, state: &State, side: usize) -> Vec3 {
        let (Some(rim), Some(node)) = (&self.feet[side].rim, self.feet[side].node) else {
            return self.feet[side].arm;
        };
        rim.arm(&(state.bodies[node].q * rim.axis), &self.outward(side))
    }

    /// From the inside of the body on `side` to the other.
    fn outward(&self, side: usize) -> Vec3 {
        if side == 0 { self.normal } else { -self.normal }
    }

    /// Velocities of its rows now [m/s, rad/s]; those beyond its own are zero.
    pub(crate) fn rates(&self, state: &State) -> [f64; 6] {
        let spin = |n: usize| state.bodies[n].q * state.bodies[n].omega;
        let velocity = |n: usize, at: &Vec3| {
            let s = &state.bodies[n];
            s.v + spin(n).cross(&(at - s.x))
        };
        self.rates_of([self.place(state, 0), self.place(state, 1)], velocity, spin)
    }

    /// The same from where the surfaces are, and from how bodies move at a place and turn.
    #[inline(always)]
    fn rates_of(
        &self,
        places: [Vec3; 2],
        velocity: impl Fn(usize, &Vec3) -> Vec3,
        spin: impl Fn(usize) -> Vec3,
    ) -> [f64; 6] {
        let nodes = self.nodes();
        // forces act on both bodies at one point
        let at = match nodes {
            [Some(_), Some(_)] => (places[0] + places[1]) * 0.5,
            [Some(_), None] => places[0],
            _ => places[1],
        };
        let still = |node: Option<usize>| node.map_or(Vec3::zeros(), |n| velocity(n, &at));
        let v = still(nodes[1]) - still(nodes[0]);
        let axes = self.axes();
        let mut out = [axes[0].dot(&v), axes[1].dot(&v), axes[2].dot(&v), 0.0, 0.0, 0.0];
        if self.count() > 3 {
            let still = |node: Option<usize>| node.map_or(Vec3::zeros(), &spin);
            let w = still(nodes[1]) - still(nodes[0]);
            for k in 3..self.count() {
                out[k] = axes[k - 3].dot(&w);
            }
        }
        out
    }

    /// Where it touches the body on one side at the start of a phase, world axes [m].
    #[inline(always)]
    fn start_place(&self, starts: &[Start], side: usize) -> Vec3 {
        let Some(node) = self.feet[side].node else {
            return self.feet[side].point + self.feet[side].arm;
        };
        let start = &starts[node];
        let arm = match &self.feet[side].rim {
            None => self.feet[side].arm,
            Some(rim) => rim.arm(&start.direction(&rim.axis), &self.outward(side)),
        };
        start.place(&self.feet[side].point) + arm
    }

    /// The same as [`Self::rates`] at the start of a phase.
    #[inline]
    pub(super) fn start_rates(&self, starts: &[Start]) -> [f64; 6] {
        let places = [self.start_place(starts, 0), self.start_place(starts, 1)];
        self.rates_of(places, |n, at| starts[n].velocity_at(at), |n| starts[n].spin())
    }

    /// It closes faster than `rest_speed` [m/s] and will bounce.
    pub(super) fn bounces(&self, state: &State, rest_speed: f64) -> bool {
        self.material.restitution > 0.0 && -self.rates(state)[0] > rest_speed
    }

    /// Speed at which the surfaces slide over each other [m/s].
    pub(crate) fn slip(&self, state: &State) -> f64 {
        let v = self.rates(state);
        (v[1] * v[1] + v[2] * v[2]).sqrt()
    }

    /// From the point that carries it on one side to where it touches in the middle of a phase [m].
    #[inline(always)]
    pub(super) fn arm_in(&self, frame: &Frame, side: usize) -> Vec3 {
        let Some(rim) = &self.feet[side].rim else { return self.feet[side].arm };
        rim.arm(&(frame.turn * rim.axis).normalize(), &self.outward(side))
    }

    /// From the centre of the body on one side to where it touches in the middle of a phase [m].
    #[inline(always)]
    fn lever(&self, frame: Option<&Frame>, side: usize) -> Vec3 {
        let Some(frame) = frame else { return Vec3::zeros() };
        frame.turn * self.feet[side].point + self.arm_in(frame, side)
    }

    /// From the centres of its moving bodies to where it acts, in the middle of a phase [m]. Forces
    /// act on both at one point, else they would turn the two of them.
    #[inline]
    pub(super) fn levers(&self, frames: [Option<&Frame>; 2]) -> [Vec3; 2] {
        let mut arms = [self.lever(frames[0], 0), self.lever(frames[1], 1)];
        if let [Some(a), Some(b)] = frames {
            meet(&mut arms, [a.center, b.center]);
        }
        arms
    }

    /// Writes the first `count` rows of the normal, tangent and turning velocities towards the
    /// twist of the body on `side`, where it acts at `arm` from its centre [m].
    ///
    /// # Equation
    /// ```text
    /// J ω̂ = (arm × axis)·A⁻ᵀ ω̂
    /// ```
    /// The torque `A⁻¹ (arm × axis)` changes the spatial angular momentum by `arm × axis`; at the
    /// predicted rate the row is the secant of the displacement.
    #[inline]
    pub(super) fn rows(&self, side: usize, frame: &Frame, arm: &Vec3, out: &mut [[f64; 6]]) {
        let (sign, axes) = (if side == 0 { -1.0 } else { 1.0 }, self.axes());
        for (k, out) in out.iter_mut().enumerate() {
            let axis = axes[k % 3] * sign;
            *out = if k < 3 {
                let turned = frame.lever * arm.cross(&axis);
                [axis.x, axis.y, axis.z, turned.x, turned.y, turned.z]
            } else {
                let turned = frame.lever * axis;
                [0.0, 0.0, 0.0, turned.x, turned.y, turned.z]
            };
        }
        // on something fixed no momentum is kept, and the row may be exact for any lean
        if let (Some(rim), true) = (self.feet[side].rim, self.nodes().contains(&None)) {
            self.lean(side, &rim, frame, &mut out[0]);
        }
    }
}

/// Shortens or lengthens the arms of two bodies until they end at one point, half way.
fn meet(arms: &mut [Vec3; 2], centers: [Vec3; 2]) {
    let half = (centers[1] + arms[1] - centers[0] - arms[0]) * 0.5;
    arms[0] += half;
    arms[1] -= half;
}

impl Touch {
    /// The normal row of a rim: its centre follows the secant of the rotation, and so does the lean
    /// of its axis, on which alone the height of its lowest point depends.
    fn lean(&self, side: usize, rim: &Rim, frame: &Frame, row: &mut [f64; 6]) {
        let a = frame.turn.tr_mul(&self.normal);
        let mean = a.dot(&rim.axis);
        let now = self.feet[side].lean;
        let slope = rim.slope(now, 2.0 * mean - now);
        let sign = if side == 0 { -1.0 } else { 1.0 };
        let turned = self.feet[side].point.cross(&a) * sign + rim.axis.cross(&a) * slope;
        (row[3], row[4], row[5]) = (turned.x, turned.y, turned.z);
    }

    /// Turns the normal of two round surfaces to where they meet: along their centres in the middle
    /// of the step, unless they pass each other.
    pub(super) fn turn_normal(&mut self, frames: [Option<&Frame>; 2], state: &State) {
        let [Some(a), Some(b)] = frames else { return };
        if self.feet.iter().any(|f| f.rim.is_some() || f.arm == Vec3::zeros()) {
            return;
        }
        let at = |frame: &Frame, point: &Vec3| frame.center + frame.turn * point;
        let between = at(b, &self.feet[1].point) - at(a, &self.feet[0].point);
        let Some(n) = between.try_normalize(0.0) else { return };
        if n.dot(&self.normal) > PASSING {
            let [ra, rb] = self.feet.map(|foot| foot.arm.norm());
            (self.normal, self.feet[0].arm, self.feet[1].arm) = (n, n * ra, n * -rb);
            self.tangents = tangents(&n);
            self.gap = self.gap_at(state);
            self.seat.rated = false;
        }
    }

    /// Takes note of a state at which a phase begins: distance, and leans of rims.
    pub(super) fn begin(&mut self, starts: &[Start]) {
        let [a, b] = [self.start_place(starts, 0), self.start_place(starts, 1)];
        self.gap = self.normal.dot(&(b - a));
        self.seat.rated = false;
        for side in 0..2 {
            if let (Some(rim), Some(node)) = (self.feet[side].rim, self.feet[side].node) {
                self.feet[side].lean = self.normal.dot(&starts[node].direction(&rim.axis));
            }
        }
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
