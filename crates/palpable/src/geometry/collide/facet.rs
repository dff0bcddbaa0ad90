//! One triangle of a surface against a convex solid: touched from the front only.

use super::convex::{Convex, Core, Pair};
use super::frame::Frame;
use super::glide::Glide;
use super::manifold::{Axis, Patch, Point, Scratch, patch};
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

/// Contacts of one direction, gathered from many triangles.
#[derive(Debug, Clone, Copy)]
struct Bundle {
    normal: Vec3,
    /// The least gap, from whose triangle the normal is.
    gap: f64,
    points: [Point; ROOM],
    count: usize,
}

/// Contacts gathered before they are reduced.
const ROOM: usize = 32;

/// What a surface gives a solid, one bundle per direction.
#[derive(Debug, Clone)]
pub(super) struct Bundles {
    list: [Bundle; MOST_PATCHES],
    count: usize,
}

/// Patches whose normals are nearer than this (cosine, about 2.5°) are one.
const SAME_NORMAL: f64 = 0.999;

impl Bundles {
    pub fn new() -> Self {
        let points = [Point::default(); ROOM];
        let empty = Bundle { normal: Vec3::zeros(), gap: f64::INFINITY, points, count: 0 };
        Self { list: [empty; MOST_PATCHES], count: 0 }
    }

    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Calls `found` with what each bundle comes to.
    pub fn reduced(&self, glide: &Glide, mut found: impl FnMut(&Patch)) {
        self.list[..self.count].iter().for_each(|b| found(&reduce(&b.normal, b.list(), glide)));
    }

    /// Adds a patch: to one of the same direction, or as a new one; the shallowest gives way.
    pub fn add(&mut self, patch: &Patch) {
        if patch.count == 0 {
            return;
        }
        let full = self.count == MOST_PATCHES;
        let mut list = self.list[..self.count].iter_mut();
        if let Some(same) = list.find(|b| b.normal.dot(&patch.normal) > SAME_NORMAL) {
            return same.join(patch);
        }
        let place = if full {
            let shallow = self.list.iter_mut().max_by(|p, q| p.gap.total_cmp(&q.gap));
            shallow.filter(|s| s.gap > patch.gap())
        } else {
            self.count += 1;
            self.list.get_mut(self.count - 1)
        };
        if let Some(bundle) = place {
            (bundle.normal, bundle.gap, bundle.count) = (patch.normal, patch.gap(), 0);
            bundle.join(patch);
        }
    }
}

impl Bundle {
    fn list(&self) -> &[Point] {
        &self.points[..self.count]
    }

    /// Takes contacts in, equal points once; the deepest patch gives the normal.
    fn join(&mut self, patch: &Patch) {
        if self.count + patch.count > ROOM {
            let few = reduce(&self.normal, self.list(), &Glide::NONE);
            self.count = few.count;
            self.points[..few.count].copy_from_slice(few.list());
        }
        if patch.gap() < self.gap {
            (self.normal, self.gap) = (patch.normal, patch.gap());
        }
        for p in patch.list() {
            let near = 1e-9 * (1.0 + p.b.norm());
            if !self.list().iter().any(|q| (q.b - p.b).norm() <= near) {
                self.points[self.count] = *p;
                self.count += 1;
            }
        }
        // all gaps along the one normal
        let n = self.normal;
        for p in &mut self.points[..self.count] {
            p.gap = (p.b - p.a).dot(&n);
        }
    }
}

/// Contacts of a facet (a) with a solid (b) that stands at `frame`.
pub(super) fn contacts(
    facet: &Facet,
    solid: &Convex,
    frame: &Frame,
    reach: f64,
    scratch: &mut Scratch,
) -> Patch {
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
    let mut made = patch(&pair, &axis, reach, scratch);
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
