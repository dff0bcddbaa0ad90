//! Serial and branched chains in generalized coordinates, with a fixed or a floating base.

use super::lagrangian::{ChainWork, Lagrangian, Terms, base_pose, base_sizes};
use super::{BuildError, Pose};
use crate::geometry::{CollisionError, CollisionShape, MassProperties, Shape};
use crate::math::{Mat3, Mat6, Rotation, Vec3, Vec6, angular, join, linear, so3};

/// How a link moves against its parent, about or along the z axis of its joint frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Motion {
    /// Turns about z.
    Revolute,
    /// Slides along z.
    Prismatic,
}

/// A link of a chain, to be added to [`Chain`].
#[derive(Debug, Clone)]
pub struct Link {
    pub(super) name: String,
    pub(super) parent: Option<usize>,
    pub(super) motion: Motion,
    /// joint frame in the parent's body axes (world axes for the first)
    pub(super) joint_in_parent: Pose,
    /// joint frame in the link's own body axes
    pub(super) joint_in_link: Pose,
    pub(super) mass: MassProperties,
    pub(super) shape: Option<Shape>,
    pub(super) collider: Option<Result<CollisionShape, CollisionError>>,
    pub(super) position: f64,
    pub(super) velocity: f64,
    pub(super) damping: f64,
}

impl Link {
    fn new(name: impl Into<String>, motion: Motion) -> Self {
        Self {
            name: name.into(),
            parent: None,
            motion,
            joint_in_parent: Pose::default(),
            joint_in_link: Pose::default(),
            mass: MassProperties {
                mass: 0.0,
                center_of_mass: Vec3::zeros(),
                inertia: Mat3::zeros(),
            },
            shape: None,
            collider: None,
            position: 0.0,
            velocity: 0.0,
            damping: 0.0,
        }
    }

    /// A link that turns about the z axis of its joint.
    pub fn revolute(name: impl Into<String>) -> Self {
        Self::new(name, Motion::Revolute)
    }

    /// A link that slides along the z axis of its joint.
    pub fn prismatic(name: impl Into<String>) -> Self {
        Self::new(name, Motion::Prismatic)
    }

    /// The link it hangs on, by its number in the chain; the base unless set.
    pub fn on(mut self, parent: usize) -> Self {
        self.parent = Some(parent);
        self
    }

    /// The joint's frame in the parent's axes [m].
    pub fn at(mut self, point: impl Into<Vec3>, rotation: Rotation) -> Self {
        self.joint_in_parent = Pose { position: point.into(), rotation };
        self
    }

    /// The joint's frame in the link's own axes [m]; its origin and axes unless set.
    pub fn held_at(mut self, point: impl Into<Vec3>, rotation: Rotation) -> Self {
        self.joint_in_link = Pose { position: point.into(), rotation };
        self
    }

    /// Mass [kg], centre of mass in link axes [m] and inertia about it in link axes [kg·m²].
    pub fn inertia(mut self, mass: f64, center_of_mass: impl Into<Vec3>, inertia: Mat3) -> Self {
        let center_of_mass = center_of_mass.into();
        self.mass = MassProperties { mass, center_of_mass, inertia };
        self
    }

    /// A shape; its even density [kg/m³] gives the inertia.
    pub fn shape(mut self, shape: Shape, density: f64) -> Self {
        self.mass = shape.mass_properties(density);
        self.shape = Some(shape);
        self
    }

    /// A shape for contact and pictures that leaves the inertia alone.
    pub fn looks(mut self, shape: Shape) -> Self {
        self.shape = Some(shape);
        self
    }

    /// What touches, if not its shape.
    pub fn collider(mut self, shape: Result<CollisionShape, CollisionError>) -> Self {
        self.collider = Some(shape);
        self
    }

    /// Where the joint starts [rad or m], and how fast [rad/s or m/s].
    pub fn start(mut self, position: f64, velocity: f64) -> Self {
        (self.position, self.velocity) = (position, velocity);
        self
    }

    /// Viscous damping of the joint [N·m·s/rad or N·s/m].
    pub fn damping(mut self, damping: f64) -> Self {
        self.damping = damping;
        self
    }
}

/// A floating base: a rigid body that carries the chain.
#[derive(Debug, Clone)]
pub(super) struct Base {
    pub name: String,
    pub mass: MassProperties,
    pub shape: Option<Shape>,
    pub collider: Option<Result<CollisionShape, CollisionError>>,
    pub pose: Pose,
    pub velocity: Vec3,
    pub angular_velocity: Vec3,
}

/// Links joined by turning and sliding joints, simulated in joint coordinates.
///
/// ```
/// use palpable::{Chain, Link, Mat3, Model, Rotation, Vec3};
/// let rod = Mat3::from_diagonal(&Vec3::new(1e-5, 1e-3, 1e-3));
/// let mut arm = Chain::new("arm");
/// let upper = arm.link(Link::revolute("upper").inertia(0.1, [0.15, 0.0, 0.0], rod));
/// let lower = Link::revolute("lower").on(upper).at([0.3, 0.0, 0.0], Rotation::identity());
/// arm.link(lower.inertia(0.1, [0.15, 0.0, 0.0], rod));
/// let mut model = Model::builder();
/// model.chain(arm);
/// assert!(model.build().is_ok());
/// ```
#[derive(Debug, Clone)]
pub struct Chain {
    pub(super) name: String,
    pub(super) base: Option<Base>,
    pub(super) links: Vec<Link>,
}

impl Chain {
    /// A chain on a fixed base.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), base: None, links: Vec::new() }
    }

    /// Puts the chain on a free body: mass [kg], centre of mass and inertia in its own axes.
    pub fn floating(mut self, name: impl Into<String>, mass: MassProperties, pose: Pose) -> Self {
        let zero = Vec3::zeros();
        self.base = Some(Base {
            name: name.into(),
            mass,
            shape: None,
            collider: None,
            pose,
            velocity: zero,
            angular_velocity: zero,
        });
        self
    }

    /// How a floating base starts: velocity of its centre of mass, world axes [m/s], and angular
    /// velocity in its own axes [rad/s].
    pub fn base_velocity(mut self, v: impl Into<Vec3>, omega: impl Into<Vec3>) -> Self {
        if let Some(base) = &mut self.base {
            (base.velocity, base.angular_velocity) = (v.into(), omega.into());
        }
        self
    }

    /// The shape of a floating base.
    pub fn base_shape(mut self, shape: Shape) -> Self {
        if let Some(base) = &mut self.base {
            base.shape = Some(shape);
        }
        self
    }

    /// What touches of a floating base, if not its shape.
    pub fn base_collider(mut self, shape: Result<CollisionShape, CollisionError>) -> Self {
        if let Some(base) = &mut self.base {
            base.collider = Some(shape);
        }
        self
    }

    /// Adds a link; returns its number for [`Link::on`].
    pub fn link(&mut self, link: Link) -> usize {
        self.links.push(link);
        self.links.len() - 1
    }

    /// Mistakes of the description.
    pub(super) fn check(&self, errors: &mut Vec<BuildError>) {
        let bodies = self.base.iter().map(|b| (&b.name, &b.mass));
        let links = self.links.iter().map(|l| (&l.name, &l.mass));
        for (name, mass) in bodies.chain(links) {
            if let Err(source) = mass.validate() {
                errors.push(BuildError::Mass { body: name.clone(), source });
            }
        }
        for (i, link) in self.links.iter().enumerate() {
            let part = || format!("link \"{}\" of \"{}\"", link.name, self.name);
            if link.parent.is_some_and(|p| p >= i) {
                errors.push(BuildError::Parent { part: part() });
            }
            let frames = [&link.joint_in_parent, &link.joint_in_link];
            let numbers = frames.iter().flat_map(|f| {
                f.position.iter().chain(f.rotation.coords.iter()).copied().collect::<Vec<_>>()
            });
            let start = [link.position, link.velocity, link.damping];
            if numbers.chain(start).any(|v| !v.is_finite()) {
                errors.push(BuildError::NotFinite { part: part(), field: "frame or start" });
            }
            if link.damping < 0.0 {
                let (part, field, value) = (part(), "damping", link.damping);
                errors.push(BuildError::Negative { part, field, value });
            }
        }
        if self.links.is_empty() {
            errors.push(BuildError::NoLinks { part: format!("chain \"{}\"", self.name) });
        }
    }
}

/// One body of a frozen chain, in its principal axes about its centre of mass.
#[derive(Debug, Clone)]
struct Member {
    parent: Option<usize>,
    motion: Motion,
    /// joint frame in the parent's principal axes, or in the world
    in_parent: Pose,
    /// centre and principal axes in the joint frame at 0
    in_joint: Pose,
    mass: f64,
    inertia: Vec3,
}

/// A frozen chain.
///
/// Mass and Coriolis matrices come from composite bodies: with motion axes `S_k` about a common
/// point, `M_jk = S_jᵀ Iᶜ S_k` and `C_jk = S_jᵀ (Iᶜ Ṡ_k + Bᶜ S_k)`, where `Iᶜ`, `Bᶜ` are sums over
/// everything the deeper of the two joints carries, and `B + Bᵀ = İ` per body.
/// # Cost
/// O(n²) per evaluation for n joints in a row.
#[derive(Debug, Clone)]
pub(super) struct ChainLaw {
    floating: bool,
    members: Vec<Member>,
}

/// Pose of `b`'s frame given in `a`'s.
fn compose(a: &Pose, b: &Pose) -> Pose {
    let position = a.position + a.rotation * b.position;
    Pose { position, rotation: so3::compose(&a.rotation, &b.rotation) }
}

fn inverse(a: &Pose) -> Pose {
    let rotation = a.rotation.inverse();
    Pose { position: -(rotation * a.position), rotation }
}

/// Centre of mass and principal axes in body axes, and the principal moments.
pub(super) fn principal_frame(mass: &MassProperties) -> (Pose, Vec3) {
    let (rotation, moments) = mass.principal();
    (Pose { position: mass.center_of_mass, rotation }, moments)
}

impl ChainLaw {
    pub fn new(chain: &Chain) -> Self {
        let mut members = Vec::new();
        let mut frames: Vec<Pose> = Vec::new();
        if let Some(base) = &chain.base {
            let (frame, inertia) = principal_frame(&base.mass);
            members.push(Member {
                parent: None,
                motion: Motion::Revolute,
                in_parent: Pose::default(),
                in_joint: Pose::default(),
                mass: base.mass.mass,
                inertia,
            });
            frames.push(frame);
        }
        let first = members.len();
        for link in &chain.links {
            let (frame, inertia) = principal_frame(&link.mass);
            let parent = match link.parent {
                Some(p) => Some(p + first),
                None => chain.base.as_ref().map(|_| 0),
            };
            let above = parent.map_or(Pose::default(), |p| inverse(&frames[p]));
            members.push(Member {
                parent,
                motion: link.motion,
                in_parent: compose(&above, &link.joint_in_parent),
                in_joint: compose(&inverse(&link.joint_in_link), &frame),
                mass: link.mass.mass,
                inertia,
            });
            frames.push(frame);
        }
        Self { floating: chain.base.is_some(), members }
    }

    fn first_joint(&self) -> usize {
        usize::from(self.floating)
    }

    /// First velocity of member `i`, and how many it has.
    fn freedoms_of(&self, i: usize) -> (usize, usize) {
        match (self.floating, i) {
            (true, 0) => (0, 6),
            (true, i) => (5 + i, 1),
            (false, i) => (i, 1),
        }
    }

    /// Motion axis of velocity `k` of member `i` about the hub: `[v; omega]`, world axes.
    fn axis(&self, i: usize, k: usize, frames: &[Pose]) -> Vec6 {
        let frame = &frames[i];
        if self.floating && i == 0 {
            let unit = Vec3::ith(k % 3, 1.0);
            let turn = frame.rotation * unit;
            return if k < 3 {
                join(&unit, &Vec3::zeros())
            } else {
                join(&frame.position.cross(&turn), &turn)
            };
        }
        let to_joint = inverse(&self.members[i].in_joint);
        let joint = compose(frame, &to_joint);
        let z = joint.rotation * Vec3::z();
        match self.members[i].motion {
            Motion::Revolute => join(&joint.position.cross(&z), &z),
            Motion::Prismatic => join(&z, &Vec3::zeros()),
        }
    }
}

/// Inertia of a member about a point `arm` away [m]: `Φᵀ diag(m, R I Rᵀ) Φ`,
/// `Φ = [1, −S(arm); 0, 1]`.
fn inertia_about(m: &Member, rotation: &Rotation, arm: &Vec3) -> Mat6 {
    let r = rotation.to_rotation_matrix().into_inner();
    let turn = r * Mat3::from_diagonal(&m.inertia) * r.transpose();
    let cross = so3::skew(arm);
    let mut out = Mat6::zeros();
    out.fixed_view_mut::<3, 3>(0, 0).copy_from(&(Mat3::identity() * m.mass));
    out.fixed_view_mut::<3, 3>(0, 3).copy_from(&(-cross * m.mass));
    out.fixed_view_mut::<3, 3>(3, 0).copy_from(&(cross * m.mass));
    out.fixed_view_mut::<3, 3>(3, 3).copy_from(&(turn - cross * cross * m.mass));
    out
}

/// `B` of a member about the same point, at rest in space, with `B + Bᵀ = İ`:
/// `Φᵀ M Φ̇ + Φᵀ diag(0, −I S(ω) − S(I ω)) Φ`. `motion` is `[v; omega]` of its centre.
fn rate_about(m: &Member, rotation: &Rotation, arm: &Vec3, motion: &Vec6) -> Mat6 {
    let (v, omega) = (&linear(motion), &angular(motion));
    let r = rotation.to_rotation_matrix().into_inner();
    let turn = r * Mat3::from_diagonal(&m.inertia) * r.transpose();
    let spin = -turn * so3::skew(omega) - so3::skew(&(turn * omega));
    let slide = -so3::skew(v) * m.mass;
    let mut out = Mat6::zeros();
    out.fixed_view_mut::<3, 3>(0, 3).copy_from(&slide);
    out.fixed_view_mut::<3, 3>(3, 3).copy_from(&(so3::skew(arm) * slide + spin));
    out
}

/// `v × s` of motion vectors about one point: the rate of an axis `s` carried along with `v`.
fn carried(v: &Vec6, s: &Vec6) -> Vec6 {
    let (vl, va) = (v.fixed_rows::<3>(0), v.fixed_rows::<3>(3));
    let (sl, sa) = (s.fixed_rows::<3>(0), s.fixed_rows::<3>(3));
    join(&(va.cross(&sl) + vl.cross(&sa)), &va.cross(&sa))
}

impl Lagrangian for ChainLaw {
    fn freedoms(&self) -> usize {
        self.members.len() + if self.floating { 5 } else { 0 }
    }

    fn floating(&self) -> bool {
        self.floating
    }

    fn links(&self) -> usize {
        self.members.len()
    }

    fn configure(&self, q: &[f64], gravity: &Vec3, out: &mut Terms) {
        let (nq, _) = base_sizes(self);
        let hub = self.hub(q);
        for (i, m) in self.members.iter().enumerate() {
            if self.floating && i == 0 {
                out.frames[0] = Pose { position: Vec3::zeros(), ..base_pose(q) };
                continue;
            }
            let angle = q[nq + i - self.first_joint()];
            let moved = match m.motion {
                Motion::Revolute => {
                    Pose { position: Vec3::zeros(), rotation: so3::exp(&(Vec3::z() * angle)) }
                }
                Motion::Prismatic => {
                    Pose { position: Vec3::z() * angle, rotation: Rotation::identity() }
                }
            };
            let world = Pose { position: -hub, ..Pose::default() };
            let above = m.parent.map_or(world, |p| out.frames[p]);
            let joint = compose(&compose(&above, &m.in_parent), &moved);
            out.frames[i] = compose(&joint, &m.in_joint);
        }
        self.measure_axes(out);
        self.link_jacobians(out);
        self.sum_mass(gravity, out);
        for (frame, arm) in out.frames.iter_mut().zip(&mut out.work.arms) {
            *arm = frame.position;
            frame.position += hub;
        }
        let weights = self.members.iter().zip(&out.frames);
        out.potential = weights.map(|(m, f)| -m.mass * gravity.dot(&f.position)).sum();
    }

    fn coriolis(&self, _q: &[f64], w: &[f64], out: &mut Terms) {
        self.axis_rates(w, out);
        out.coriolis.fill(0.0);
        for i in 0..self.members.len() {
            self.add_coriolis(i, out);
        }
    }
}

impl ChainLaw {
    /// The point about which motion axes and inertias are taken [m]: the floating base, or where
    /// the chain is fixed. About the world's origin they would cancel as (distance / size)².
    fn hub(&self, q: &[f64]) -> Vec3 {
        if self.floating { base_pose(q).position } else { self.members[0].in_parent.position }
    }

    fn measure_axes(&self, out: &mut Terms) {
        for i in 0..self.members.len() {
            let (first, count) = self.freedoms_of(i);
            for k in 0..count {
                out.work.axes[first + k][0] = self.axis(i, k, &out.frames);
            }
        }
    }

    /// Velocities that member `i` and its ancestors have, deepest first.
    fn path(&self, i: usize) -> impl Iterator<Item = usize> + '_ {
        let up = std::iter::successors(Some(i), |&j| self.members[j].parent);
        up.flat_map(|j| {
            let (first, count) = self.freedoms_of(j);
            first..first + count
        })
    }

    fn link_jacobians(&self, out: &mut Terms) {
        let Terms { frames, jacobians, work, .. } = out;
        for i in 0..self.members.len() {
            let (x, inverse) = (frames[i].position, frames[i].rotation.inverse());
            jacobians[i].fill(0.0);
            for k in self.path(i) {
                let (v, omega) = (linear(&work.axes[k][0]), angular(&work.axes[k][0]));
                let (v, omega) = (v + omega.cross(&x), inverse * omega);
                jacobians[i].fixed_view_mut::<3, 1>(0, k).copy_from(&v);
                jacobians[i].fixed_view_mut::<3, 1>(3, k).copy_from(&omega);
            }
        }
    }

    /// `M_jk = S_jᵀ Iᶜ S_k`, and gravity, whose wrench on what a joint carries is `Iᶜ [g; 0]`.
    fn sum_mass(&self, gravity: &Vec3, out: &mut Terms) {
        let Terms { frames, mass, gradient, work, .. } = out;
        for (i, m) in self.members.iter().enumerate() {
            work.composites[i][0] = inertia_about(m, &frames[i].rotation, &frames[i].position);
        }
        self.gather(work, 0);
        mass.fill(0.0);
        let fall = join(gravity, &Vec3::zeros());
        for i in 0..self.members.len() {
            let (first, count) = self.freedoms_of(i);
            for k in first..first + count {
                let force = work.composites[i][0] * work.axes[k][0];
                gradient[k] = -force.dot(&fall);
                for j in self.path(i) {
                    let value = work.axes[j][0].dot(&force);
                    (mass[(j, k)], mass[(k, j)]) = (value, value);
                }
            }
        }
    }

    /// Adds what each member carries to its parent; `which` is 0 for inertia, 1 for its rate.
    fn gather(&self, work: &mut ChainWork, which: usize) {
        for i in (0..self.members.len()).rev() {
            if let Some(p) = self.members[i].parent {
                let carried = work.composites[i][which];
                work.composites[p][which] += carried;
            }
        }
    }

    /// Velocities of the links, rates of the axes and of the composite inertias.
    fn axis_rates(&self, w: &[f64], out: &mut Terms) {
        let Terms { frames, work, .. } = out;
        for (i, m) in self.members.iter().enumerate() {
            let (first, count) = self.freedoms_of(i);
            let mut twist = m.parent.map_or(Vec6::zeros(), |p| work.twists[p]);
            (first..first + count).for_each(|k| twist += work.axes[k][0] * w[k]);
            work.twists[i] = twist;
            for k in first..first + count {
                // a base translates along world axes, which do not move
                let still = self.floating && i == 0 && k < 3;
                let axis = &mut work.axes[k];
                axis[1] = if still { Vec6::zeros() } else { carried(&twist, &axis[0]) };
            }
            let (omega, arm) = (angular(&twist), work.arms[i]);
            let motion = join(&(linear(&twist) + omega.cross(&arm)), &omega);
            work.composites[i][1] = rate_about(m, &frames[i].rotation, &arm, &motion);
        }
        self.gather(work, 1);
    }

    /// `C_jk = S_jᵀ (Iᶜ Ṡ_k + Bᶜ S_k)` for all pairs whose deeper member is `i`.
    fn add_coriolis(&self, i: usize, out: &mut Terms) {
        let Terms { coriolis, work, .. } = out;
        let [inertia, rate] = &work.composites[i];
        let (first, count) = self.freedoms_of(i);
        for k in first..first + count {
            let [s, s_rate] = &work.axes[k];
            let column = inertia * s_rate + rate * s;
            let (force, turned) = (inertia * s, rate.tr_mul(s));
            for j in self.path(i) {
                let [sj, sj_rate] = &work.axes[j];
                coriolis[(j, k)] = sj.dot(&column);
                if !(first..first + count).contains(&j) {
                    coriolis[(k, j)] = force.dot(sj_rate) + turned.dot(sj);
                }
            }
        }
    }
}
