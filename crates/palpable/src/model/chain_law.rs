//! Composite bodies: mass and Coriolis matrices of a chain `[Featherstone2008, ch. 6]`.
//!
//! # Differs from the source
//! Axes are those of the world, and each member takes its quantities about its own centre of mass
//! as it is at this instant. About one common point, the origin or the base, inertias of members
//! far from it would cancel as (distance / size)².

use super::Pose;
use super::chain::{Chain, Motion};
use super::lagrangian::{BaseSizes, ChainWork, Lagrangian, Terms, Twist, base_pose};
use crate::geometry::{MassProperties, Principal};
use crate::math::{Mat3, Mat6, Rotation, Vec3, Vec6, angular, cross, join, linear, so3};

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
    /// its first velocity, and how many it has
    freedoms: (usize, usize),
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
    let Principal { axes, moments } = mass.principal();
    (Pose { position: mass.center_of_mass, rotation: axes }, moments)
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
                freedoms: (0, 6),
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
                freedoms: (members.len() + 5 * first, 1),
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
        self.members[i].freedoms
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

/// A wrench about a point that climbs from member to member.
#[derive(Debug, Clone, Copy)]
struct Wrench {
    f: Vec3,
    tau: Vec3,
}

impl Wrench {
    #[inline(always)]
    fn of(wrench: &Vec6) -> Self {
        Self { f: linear(wrench), tau: angular(wrench) }
    }

    /// Takes it about a point from which its own is `d` away.
    #[inline(always)]
    fn raise(&mut self, d: &Vec3) {
        self.tau += cross(*d, self.f);
    }

    /// Its power along a motion axis.
    #[inline(always)]
    fn along(&self, axis: &Vec6) -> f64 {
        let turn = self.tau.x * axis[3] + self.tau.y * axis[4] + self.tau.z * axis[5];
        self.f.x * axis[0] + self.f.y * axis[1] + self.f.z * axis[2] + turn
    }
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
        self.place(q, gravity, out);
        (0..self.members.len()).for_each(|link| self.jacobian(link, out));
    }

    fn place(&self, q: &[f64], gravity: &Vec3, out: &mut Terms) {
        for i in 0..self.members.len() {
            self.put(i, q, out);
        }
        self.sum_mass(gravity, out);
        let weights = self.members.iter().zip(&out.frames);
        out.potential = weights.map(|(m, f)| -m.mass * gravity.dot(&f.position)).sum();
    }

    fn jacobian(&self, link: usize, out: &mut Terms) {
        let Terms { frames, jacobians, work, .. } = out;
        let (inverse, jacobian) = (frames[link].rotation.inverse(), &mut jacobians[link]);
        jacobian.fill(0.0);
        self.climb(link, &work.offsets, |k, far| {
            let (v, omega) = (linear(&work.axes[k][0]), angular(&work.axes[k][0]));
            jacobian.fixed_view_mut::<3, 1>(0, k).copy_from(&(v + omega.cross(far)));
            jacobian.fixed_view_mut::<3, 1>(3, k).copy_from(&(inverse * omega));
        });
    }

    /// From link to link: what a link is shown to do is rounded to a part of what its parent does,
    /// not of what each joint alone would make it do.
    fn twists(&self, w: &[f64], at: &mut Terms, each: &mut dyn FnMut(usize, Twist)) {
        let Terms { frames, work, .. } = at;
        for (i, m) in self.members.iter().enumerate() {
            let mut now = m.parent.map_or(Twist::default(), |p| work.shown[p].at(&work.offsets[i]));
            let (first, count) = self.freedoms_of(i);
            for (axes, rate) in work.axes[first..].iter().zip(&w[first..first + count]) {
                let own = axes[0] * *rate;
                now.value += own;
                now.size += own.abs();
            }
            work.shown[i] = now;
            let turned = frames[i].rotation.inverse() * angular(&now.value);
            // where axes turn, each number is rounded to a part of the largest
            let largest = Vec3::repeat(angular(&now.size).amax());
            let value = join(&linear(&now.value), &turned);
            each(i, Twist { value, size: join(&linear(&now.size), &largest) });
        }
    }

    fn coriolis(&self, _q: &[f64], w: &[f64], out: &mut Terms) {
        self.rates(w, out);
        out.coriolis.as_mut_slice().fill(0.0);
        for i in 0..self.members.len() {
            self.add_coriolis(i, out);
        }
    }
}

impl ChainLaw {
    /// Where member `i` is, how far from its parent, and its motion axes about its centre.
    fn put(&self, i: usize, q: &[f64], out: &mut Terms) {
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
        let nq = BaseSizes::of(self).q;
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

    /// `M_jk = S_jᵀ Iᶜ S_k`, and gravity, whose wrench on what a joint carries is `Iᶜ [g; 0]`.
    fn sum_mass(&self, gravity: &Vec3, out: &mut Terms) {
        let Terms { frames, mass, gradient, work, .. } = out;
        for (i, m) in self.members.iter().enumerate() {
            work.composites[i][0] = inertia(m, &frames[i].rotation);
        }
        self.gather(work, 0);
        let (n, mass) = (mass.nrows(), mass.as_mut_slice());
        mass.fill(0.0);
        for i in 0..self.members.len() {
            let (first, count) = self.freedoms_of(i);
            for k in first..first + count {
                let mut force = Wrench::of(&(work.composites[i][0] * work.axes[k][0]));
                gradient[k] = -force.f.dot(gravity);
                let mut at = Some(i);
                while let Some(member) = at {
                    let (first, count) = self.freedoms_of(member);
                    for j in first..first + count {
                        let value = force.along(&work.axes[j][0]);
                        (mass[j * n + k], mass[k * n + j]) = (value, value);
                    }
                    force.raise(&work.offsets[member]);
                    at = self.members[member].parent;
                }
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
        let (n, coriolis) = (coriolis.nrows(), coriolis.as_mut_slice());
        let [inertia, rate] = &work.composites[i];
        let (first, count) = self.freedoms_of(i);
        for k in first..first + count {
            let [s, s_rate] = &work.axes[k];
            let column = inertia * s_rate + rate * s;
            let mut column = Wrench::of(&column);
            let (mut force, mut turned) = (Wrench::of(&(inertia * s)), Wrench::of(&rate.tr_mul(s)));
            let mut at = Some(i);
            while let Some(member) = at {
                let (start, own) = self.freedoms_of(member);
                for j in start..start + own {
                    let [sj, sj_rate] = &work.axes[j];
                    coriolis[k * n + j] = column.along(sj);
                    if member != i {
                        coriolis[j * n + k] = force.along(sj_rate) + turned.along(sj);
                    }
                }
                let offset = &work.offsets[member];
                [&mut column, &mut force, &mut turned].into_iter().for_each(|w| w.raise(offset));
                at = self.members[member].parent;
            }
        }
    }
}
