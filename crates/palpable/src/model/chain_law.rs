//! Composite bodies: mass and Coriolis matrices of a chain `[Featherstone2008, ch. 6]`.
//!
//! # Differs from the source
//! Axes are those of the world, and each member takes its quantities about its own centre of mass
//! as it is at this instant. About one common point, the origin or the base, inertias of members
//! far from it would cancel as (distance / size)².

use super::Pose;
use super::chain::{Chain, Motion};
use super::lagrangian::{ChainWork, Lagrangian, Terms, base_pose, base_sizes};
use crate::geometry::MassProperties;
use crate::math::{Mat3, Mat6, Rotation, Vec3, Vec6, angular, join, linear, so3};

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
}

/// Inertia of a member about its centre: `diag(m, R I Rᵀ)`.
fn inertia(m: &Member, rotation: &Rotation) -> Mat6 {
    let r = rotation.to_rotation_matrix().into_inner();
    let mut out = Mat6::zeros();
    out.fixed_view_mut::<3, 3>(0, 0).copy_from(&(Mat3::identity() * m.mass));
    out.fixed_view_mut::<3, 3>(3, 3)
        .copy_from(&(r * Mat3::from_diagonal(&m.inertia) * r.transpose()));
    out
}

/// `B` of a member about its centre as it is now, with `B + Bᵀ = İ`: `[0, −m S(v); 0, −I S(ω) −
/// S(I ω)]`. `motion` is its `[v; omega]`, world axes.
fn rate(m: &Member, rotation: &Rotation, motion: &Vec6) -> Mat6 {
    let (v, omega) = (&linear(motion), &angular(motion));
    let r = rotation.to_rotation_matrix().into_inner();
    let turn = r * Mat3::from_diagonal(&m.inertia) * r.transpose();
    let spin = -turn * so3::skew(omega) - so3::skew(&(turn * omega));
    let mut out = Mat6::zeros();
    out.fixed_view_mut::<3, 3>(0, 3).copy_from(&(-so3::skew(v) * m.mass));
    out.fixed_view_mut::<3, 3>(3, 3).copy_from(&spin);
    out
}

/// An inertia, or its rate, about a point from which its own is `d` away: `Φᵀ X Φ`,
/// `Φ = [1, −S(d); 0, 1]`.
fn moved(x: &Mat6, d: &Vec3) -> Mat6 {
    let s = so3::skew(d);
    let block = |r: usize, c: usize| x.fixed_view::<3, 3>(r, c).into_owned();
    let (a, c) = (block(0, 0), block(3, 0));
    let upper = block(0, 3) - a * s;
    let mut out = Mat6::zeros();
    out.fixed_view_mut::<3, 3>(0, 0).copy_from(&a);
    out.fixed_view_mut::<3, 3>(0, 3).copy_from(&upper);
    out.fixed_view_mut::<3, 3>(3, 0).copy_from(&(s * a + c));
    out.fixed_view_mut::<3, 3>(3, 3).copy_from(&(s * upper + block(3, 3) - c * s));
    out
}

/// A wrench about a point from which its own is `d` away.
fn raised(wrench: &Vec6, d: &Vec3) -> Vec6 {
    join(&linear(wrench), &(angular(wrench) + d.cross(&linear(wrench))))
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
        for i in 0..self.members.len() {
            self.place(i, q, out);
        }
        self.link_jacobians(out);
        self.sum_mass(gravity, out);
        let weights = self.members.iter().zip(&out.frames);
        out.potential = weights.map(|(m, f)| -m.mass * gravity.dot(&f.position)).sum();
    }

    fn coriolis(&self, _q: &[f64], w: &[f64], out: &mut Terms) {
        self.rates(w, out);
        out.coriolis.fill(0.0);
        for i in 0..self.members.len() {
            self.add_coriolis(i, out);
        }
    }
}

impl ChainLaw {
    /// Where member `i` is, how far from its parent, and its motion axes about its centre.
    fn place(&self, i: usize, q: &[f64], out: &mut Terms) {
        let Terms { frames, work, .. } = out;
        let (first, _) = self.freedoms_of(i);
        if self.floating && i == 0 {
            frames[0] = base_pose(q);
            for k in 0..3 {
                let unit = Vec3::ith(k, 1.0);
                work.axes[k][0] = join(&unit, &Vec3::zeros());
                work.axes[3 + k][0] = join(&Vec3::zeros(), &(frames[0].rotation * unit));
            }
            return;
        }
        let (nq, _) = base_sizes(self);
        let (m, value) = (&self.members[i], q[nq + i - self.first_joint()]);
        let above = m.parent.map_or(Pose::default(), |p| frames[p]);
        let fixed = so3::compose(&above.rotation, &m.in_parent.rotation);
        let z = fixed * Vec3::z();
        let (slide, joint) = match m.motion {
            Motion::Revolute => {
                (Vec3::zeros(), so3::compose(&fixed, &so3::exp(&(Vec3::z() * value))))
            }
            Motion::Prismatic => (z * value, fixed),
        };
        let arm = joint * m.in_joint.position;
        work.offsets[i] = above.rotation * m.in_parent.position + slide + arm;
        let rotation = so3::compose(&joint, &m.in_joint.rotation);
        frames[i] = Pose { position: above.position + work.offsets[i], rotation };
        work.axes[first][0] = match m.motion {
            Motion::Revolute => join(&z.cross(&arm), &z),
            Motion::Prismatic => join(&z, &Vec3::zeros()),
        };
    }

    /// Calls `each` with every velocity that member `i` and its ancestors have, deepest first, and
    /// with how far member `i` is from the one that has it [m].
    fn climb(&self, i: usize, offsets: &[Vec3], mut each: impl FnMut(usize, &Vec3)) {
        let (mut at, mut far) = (Some(i), Vec3::zeros());
        while let Some(j) = at {
            let (first, count) = self.freedoms_of(j);
            (first..first + count).for_each(|k| each(k, &far));
            far += offsets[j];
            at = self.members[j].parent;
        }
    }

    fn link_jacobians(&self, out: &mut Terms) {
        let Terms { frames, jacobians, work, .. } = out;
        for (i, jacobian) in jacobians.iter_mut().enumerate() {
            let inverse = frames[i].rotation.inverse();
            jacobian.fill(0.0);
            self.climb(i, &work.offsets, |k, far| {
                let (v, omega) = (linear(&work.axes[k][0]), angular(&work.axes[k][0]));
                jacobian.fixed_view_mut::<3, 1>(0, k).copy_from(&(v + omega.cross(far)));
                jacobian.fixed_view_mut::<3, 1>(3, k).copy_from(&(inverse * omega));
            });
        }
    }

    /// `M_jk = S_jᵀ Iᶜ S_k`, and gravity, whose wrench on what a joint carries is `Iᶜ [g; 0]`.
    fn sum_mass(&self, gravity: &Vec3, out: &mut Terms) {
        let Terms { frames, mass, gradient, work, .. } = out;
        for (i, m) in self.members.iter().enumerate() {
            work.composites[i][0] = inertia(m, &frames[i].rotation);
        }
        self.gather(work, 0);
        mass.fill(0.0);
        for i in 0..self.members.len() {
            let (first, count) = self.freedoms_of(i);
            for k in first..first + count {
                let force = work.composites[i][0] * work.axes[k][0];
                gradient[k] = -linear(&force).dot(gravity);
                self.climb(i, &work.offsets, |j, far| {
                    let value = work.axes[j][0].dot(&raised(&force, far));
                    (mass[(j, k)], mass[(k, j)]) = (value, value);
                });
            }
        }
    }

    /// Adds what each member carries to its parent; `which` is 0 for inertia, 1 for its rate.
    fn gather(&self, work: &mut ChainWork, which: usize) {
        for i in (0..self.members.len()).rev() {
            if let Some(p) = self.members[i].parent {
                let carried = moved(&work.composites[i][which], &work.offsets[i]);
                work.composites[p][which] += carried;
            }
        }
    }

    /// Velocities of the links, rates of the axes and of the composite inertias.
    fn rates(&self, w: &[f64], out: &mut Terms) {
        let Terms { frames, work, .. } = out;
        for (i, m) in self.members.iter().enumerate() {
            let (first, count) = self.freedoms_of(i);
            let mut twist = m.parent.map_or(Vec6::zeros(), |p| {
                let (v, omega) = (linear(&work.twists[p]), angular(&work.twists[p]));
                join(&(v + omega.cross(&work.offsets[i])), &omega)
            });
            (first..first + count).for_each(|k| twist += work.axes[k][0] * w[k]);
            work.twists[i] = twist;
            for k in first..first + count {
                // a base translates along world axes, which do not move
                let still = self.floating && i == 0 && k < 3;
                let axis = &mut work.axes[k];
                axis[1] = if still { Vec6::zeros() } else { carried(&twist, &axis[0]) };
            }
            work.composites[i][1] = rate(m, &frames[i].rotation, &twist);
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
            self.climb(i, &work.offsets, |j, far| {
                let [sj, sj_rate] = &work.axes[j];
                coriolis[(j, k)] = sj.dot(&raised(&column, far));
                if !(first..first + count).contains(&j) {
                    let (force, turned) = (raised(&force, far), raised(&turned, far));
                    coriolis[(k, j)] = force.dot(sj_rate) + turned.dot(sj);
                }
            });
        }
    }
}
