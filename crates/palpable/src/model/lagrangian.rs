//! Subsystems in generalized coordinates: what the engine has to know of one.

use super::Pose;
use crate::math::dense::Matrix;
use crate::math::{Mat6, Rotation, Vec3, Vec6, angular, join, linear, so3};
use std::fmt::Debug;

/// A mechanical system with its own coordinates `q` and velocities `w` `[Kim2017 sec. 4]`.
///
/// Its kinetic energy is `½ wᵀ M(q) w`; the engine integrates `ξ = Lᵀ w`, `M = L Lᵀ`, so that
/// energy is exact for any step. Its links are rigid frames to which anything may be attached.
///
/// With a floating base the first six velocities are the base's `[v; omega]` (world axes, base
/// axes) and `q` begins with its position and unit quaternion (x, y, z, w); otherwise `q̇ = w`.
pub trait Lagrangian: Debug + Send + Sync {
    /// Number of velocities `n`; must not change.
    fn freedoms(&self) -> usize;
    /// True if the first six velocities belong to a floating base.
    fn floating(&self) -> bool {
        false
    }
    /// Number of links.
    fn links(&self) -> usize;
    /// Fills everything in `out` but `coriolis`, at `q` and under `gravity` [m/s²].
    fn configure(&self, q: &[f64], gravity: &Vec3, out: &mut Terms);
    /// Fills what [`Lagrangian::configure`] does but for the Jacobians of links, unless that is as
    /// cheap; [`Lagrangian::jacobian`] fills those one by one.
    fn place(&self, q: &[f64], gravity: &Vec3, out: &mut Terms) {
        self.configure(q, gravity, out);
    }
    /// Fills the Jacobian of one link, if [`Lagrangian::place`] did not; `out` was placed.
    fn jacobian(&self, _link: usize, _out: &mut Terms) {}
    /// Calls `each` with every link, its `[v; omega]` at velocity `w`, and the size of the numbers
    /// that this is a sum of; `at` was placed.
    fn twists(&self, w: &[f64], at: &mut Terms, each: &mut dyn FnMut(usize, Twist)) {
        for (link, jacobian) in at.jacobians.iter().enumerate() {
            let mut sum = Twist::default();
            for (column, w) in jacobian.column_iter().zip(w) {
                for r in 0..6 {
                    sum.value[r] += column[r] * w;
                    sum.size[r] += (column[r] * w).abs();
                }
            }
            each(link, sum);
        }
    }
    /// Fills `out.coriolis` at velocity `w`; `out` was configured at the same `q`.
    ///
    /// Any `C` will do that satisfies `Ṁ = C + Cᵀ` and gives the right force `C w`.
    fn coriolis(&self, q: &[f64], w: &[f64], out: &mut Terms);
}

/// The velocity of a link as a sum.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Twist {
    /// `[v; omega]`, world axes and principal axes.
    pub value: Vec6,
    /// Sum of the magnitudes of its terms: it is rounded to a part of them.
    pub size: Vec6,
}

impl Twist {
    /// Of a point of the same rigid body `d` away, world axes [m].
    pub(super) fn at(&self, d: &Vec3) -> Self {
        let (turn, far) = (angular(&self.size), d.abs());
        let reach = Vec3::new(
            turn.y * far.z + turn.z * far.y,
            turn.z * far.x + turn.x * far.z,
            turn.x * far.y + turn.y * far.x,
        );
        let moved = angular(&self.value).cross(d);
        Self {
            value: join(&(linear(&self.value) + moved), &angular(&self.value)),
            size: join(&(linear(&self.size) + reach), &turn),
        }
    }
}

/// What a [`Lagrangian`] is at one configuration and velocity.
#[derive(Debug, Clone)]
pub struct Terms {
    /// `M(q)`, symmetric and positive definite; both triangles.
    pub mass: Matrix,
    /// `C(q, w)` with `Ṁ = C + Cᵀ`.
    pub coriolis: Matrix,
    /// Energy of gravity and other conservative forces [J].
    pub potential: f64,
    /// Its rate: `U̇ = gradient · w`.
    pub gradient: Vec<f64>,
    /// Per link: centre of mass and principal axes.
    pub frames: Vec<Pose>,
    /// Per link: `[v; omega] = J w`, six rows, world axes and principal axes.
    pub jacobians: Vec<Matrix>,
    pub(super) work: ChainWork,
}

/// Space for the recursions of a chain, about the centre of each link.
#[derive(Debug, Clone)]
pub(super) struct ChainWork {
    /// per link: how far it is from its parent [m]
    pub offsets: Vec<Vec3>,
    /// per velocity: motion axis and its rate
    pub axes: Vec<[Vec6; 2]>,
    /// per link: velocity
    pub twists: Vec<Vec6>,
    /// per link: velocity as it was last shown, world axes
    pub shown: Vec<Twist>,
    /// per link: inertia of all it carries, and its rate matrix
    pub composites: Vec<[Mat6; 2]>,
}

impl Terms {
    /// Zeros of the right shape.
    pub fn new(n: usize, links: usize) -> Self {
        Self {
            mass: Matrix::zeros(n, n),
            coriolis: Matrix::zeros(n, n),
            potential: 0.0,
            gradient: vec![0.0; n],
            frames: vec![Pose::default(); links],
            jacobians: vec![Matrix::zeros(6, n); links],
            work: ChainWork {
                offsets: vec![Vec3::zeros(); links],
                axes: vec![[Vec6::zeros(); 2]; n],
                twists: vec![Vec6::zeros(); links],
                shown: vec![Twist::default(); links],
                composites: vec![[Mat6::zeros(); 2]; links],
            },
        }
    }
}

/// What a subsystem begins with.
#[derive(Debug, Clone, PartialEq)]
pub struct Start {
    /// Coordinates.
    pub q: Vec<f64>,
    /// Velocities.
    pub w: Vec<f64>,
}

/// How many numbers of a subsystem belong to its base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BaseSizes {
    /// In the coordinates `q`.
    pub q: usize,
    /// In the velocities `w`.
    pub w: usize,
}

impl BaseSizes {
    /// Those of a law: none, or a position and a rotation.
    pub fn of(law: &dyn Lagrangian) -> Self {
        if law.floating() { Self { q: 7, w: 6 } } else { Self { q: 0, w: 0 } }
    }
}

/// Where the base is.
pub fn base_pose(q: &[f64]) -> Pose {
    let quaternion = nalgebra::Quaternion::new(q[6], q[3], q[4], q[5]);
    let rotation = Rotation::from_quaternion(quaternion);
    Pose { position: Vec3::new(q[0], q[1], q[2]), rotation }
}

/// Writes the base into `q`.
pub fn set_base(q: &mut [f64], pose: &Pose) {
    let (p, c) = (pose.position, pose.rotation.coords);
    q[..7].copy_from_slice(&[p.x, p.y, p.z, c.x, c.y, c.z, c.w]);
}

/// `q := q ⊕ t w`; rotations by the Cayley map.
pub fn retract(law: &dyn Lagrangian, q: &mut [f64], w: &[f64], t: f64) {
    let sizes = BaseSizes::of(law);
    if sizes.q > 0 {
        let mut base = base_pose(q);
        base.position += Vec3::new(w[0], w[1], w[2]) * t;
        let turn = so3::cayley(&(Vec3::new(w[3], w[4], w[5]) * t));
        base.rotation = so3::compose(&base.rotation, &turn);
        set_base(q, &base);
    }
    q[sizes.q..].iter_mut().zip(&w[sizes.w..]).for_each(|(q, w)| *q += t * w);
}
