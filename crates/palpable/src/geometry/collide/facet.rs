//! One triangle of a surface against a convex solid: touched from the front only.

use super::convex::{Convex, Core, Pair};
use super::frame::Frame;
use super::manifold::{Axis, Patch, patch};
use super::narrow::nearest;
use super::reduce::reduce;
use super::triangle::Triangle;
use crate::math::Vec3;

/// A triangle and, beyond each of its edges, the far corner of the neighbour.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facet {
    pub index: u32,
    pub triangle: Triangle,
    pub beyond: [Option<Vec3>; 3],
}

/// Most patches of different normals between one solid and one surface.
pub(super) const MOST_PATCHES: usize = 8;

/// Patches between a solid and a surface, one per direction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patches {
    list: [Patch; MOST_PATCHES],
    count: usize,
}

/// Patches whose normals are nearer than this (cosine, about 2.5°) are one.
const SAME_NORMAL: f64 = 0.999;

impl Patches {
    pub fn empty() -> Self {
        Self { list: [Patch::default(); MOST_PATCHES], count: 0 }
    }

    pub fn list(&self) -> &[Patch] {
        &self.list[..self.count]
    }

    /// Adds a patch: to one of the same direction, or as a new one; the shallowest gives way.
    pub fn add(&mut self, patch: &Patch) {
        if patch.count == 0 {
            return;
        }
        let mut list = self.list[..self.count].iter_mut();
        if let Some(same) = list.find(|p| p.normal.dot(&patch.normal) > SAME_NORMAL) {
            *same = merged(same, patch);
        } else if self.count < MOST_PATCHES {
            self.list[self.count] = *patch;
            self.count += 1;
        } else {
            let gap = |p: &&mut Patch| p.gap();
            let shallow = self.list.iter_mut().max_by(|p, q| gap(p).total_cmp(&gap(q)));
            if let Some(shallow) = shallow.filter(|s| s.gap() > patch.gap()) {
                *shallow = *patch;
            }
        }
    }
}

/// The contacts of both, equal points once, under the normal of the deeper one.
fn merged(one: &Patch, two: &Patch) -> Patch {
    let (deep, other) = if one.gap() <= two.gap() { (one, two) } else { (two, one) };
    let mut all = [deep.points[0]; 8];
    let mut count = 0;
    for p in deep.list().iter().chain(other.list()) {
        let twin = |q: &super::manifold::Point| (q.b - p.b).norm() <= 1e-9 * (1.0 + p.b.norm());
        if !all[..count].iter().any(twin) {
            all[count] = *p;
            count += 1;
        }
    }
    reduce(&deep.normal, &all[..count])
}

/// Contacts of a facet (a) with a solid (b) that stands at `frame`.
pub(super) fn contacts(facet: &Facet, solid: &Convex, frame: &Frame, reach: f64) -> Patch {
    let poly = facet.triangle.poly();
    let a = Convex { core: Core::Hull(poly), radius: 0.0 };
    let pair = Pair { a, b: *solid, frame: *frame };
    let up = facet.triangle.normal;
    let most = reach + solid.radius;
    // wholly above the plane, beyond reach
    if pair.separation(&up) > most {
        return Patch::default();
    }
    let Some(axis) = front(facet, &pair, nearest(&pair, &up)) else { return Patch::default() };
    if !(axis.gap <= most) {
        return Patch::default();
    }
    let mut made = patch(&pair, &axis, reach);
    for p in &mut made.points[..made.count] {
        p.id = p.id.wrapping_mul(0x9e37_79b1) ^ facet.index.wrapping_mul(0x85eb_ca6b);
    }
    made
}

/// The axis as seen from the front; `None` if the solid is behind.
fn front(facet: &Facet, pair: &Pair, axis: Axis) -> Option<Axis> {
    let up = facet.triangle.normal;
    let cosine = axis.normal.dot(&up);
    let height = (pair.frame.x - facet.triangle.corners[0]).dot(&up);
    let onto_face = || Axis { normal: up, gap: pair.separation(&up), witness: None };
    if cosine <= 0.0 {
        // pushed through: only straight back, and only while the middle is not deep inside
        let depth = pair.a.size().min(pair.b.size() + pair.b.radius);
        let straight = cosine < -0.999 || axis.gap <= 0.0;
        return (straight && height > -depth && over(facet, &pair.frame.x)).then(onto_face);
    }
    if cosine > 1.0 - 1e-9 || !on_dull_edge(facet, &axis) {
        return Some(axis);
    }
    // an edge between flat or hollow neighbours is no edge
    let (a, b) = axis.witness?;
    Some(Axis { normal: up, gap: (b - a).dot(&up), witness: axis.witness })
}

/// True if a point lies over the triangle, seen along its normal.
fn over(facet: &Facet, p: &Vec3) -> bool {
    let c = &facet.triangle.corners;
    (0..3).all(|k| {
        let d = c[(k + 1) % 3] - c[k];
        d.cross(&(p - c[k])).dot(&facet.triangle.normal) >= -1e-9 * d.norm_squared()
    })
}

/// True if the nearest point lies on edges none of which sticks out of the surface.
fn on_dull_edge(facet: &Facet, axis: &Axis) -> bool {
    let Some((a, _)) = axis.witness else { return false };
    let (c, up) = (&facet.triangle.corners, &facet.triangle.normal);
    let mut touched = false;
    for k in 0..3 {
        let d = c[(k + 1) % 3] - c[k];
        let length = d.norm();
        let off = d.cross(&(a - c[k])).norm() / length;
        if off <= 1e-6 * length {
            touched = true;
            let sharp = |far: &Vec3| (far - c[k]).dot(up) < -1e-6 * length;
            if facet.beyond[k].as_ref().is_none_or(sharp) {
                return false;
            }
        }
    }
    touched
}
