//! Cutting a convex polyhedron by planes; what is left is always closed.
//!
//! Each vertex lies on one side of a plane, decided once; each edge that crosses it is cut once,
//! for both of its faces. So the surface that is left has no holes, however faces are placed, and
//! its volume changes continuously with the plane. The edges of a cut, in order, are a new face.

use super::mould::Mould;
use super::overlap::{Owner, Placement};
use crate::math::{Room, Vec3};

/// A face of what is left: its plane, whose it was, and its corners in the list of loops.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facet {
    pub normal: Vec3,
    pub offset: f64,
    pub owner: Owner,
    pub first: u32,
    pub count: u32,
}

/// What is left of a solid.
#[derive(Debug, Clone, Default)]
pub(super) struct Polyhedron {
    pub vertices: Room<Vec3>,
    pub faces: Room<Facet>,
    pub loops: Room<u32>,
}

/// Buffers of a cut.
#[derive(Debug, Clone, Default)]
pub(super) struct Spare {
    vertices: Room<Vec3>,
    faces: Room<Facet>,
    loops: Room<u32>,
    heights: Room<f64>,
    /// where a vertex of before is now
    place: Room<u32>,
    /// edges that cross the plane: both ends, and the new corner
    cuts: Room<(u32, u32, u32)>,
    /// which new corner follows which along the new face
    follows: Room<(u32, u32)>,
}

const GONE: u32 = u32::MAX;

impl Spare {
    pub fn with_capacity(faces: usize, corners: usize, ends: usize) -> Self {
        Self {
            vertices: Room::with_capacity(corners),
            faces: Room::with_capacity(faces),
            loops: Room::with_capacity(ends),
            heights: Room::with_capacity(corners),
            place: Room::with_capacity(corners),
            cuts: Room::with_capacity(corners),
            follows: Room::with_capacity(corners),
        }
    }

    /// The corner where the edge from `i` to `j` crosses, made once for both of its faces.
    fn crossing(&mut self, i: u32, j: u32, from: &[Vec3]) -> u32 {
        let key = (i.min(j), i.max(j));
        if let Some(known) = self.cuts.iter().find(|c| (c.0, c.1) == key) {
            return known.2;
        }
        let (low, high) = (key.0 as usize, key.1 as usize);
        let (a, b) = (self.heights[low], self.heights[high]);
        let t = (a / (a - b)).clamp(0.0, 1.0);
        let number = self.vertices.len() as u32;
        self.vertices.push(from[low] + (from[high] - from[low]) * t);
        self.cuts.push((key.0, key.1, number));
        number
    }
}

impl Polyhedron {
    pub fn with_capacity(faces: usize, corners: usize, ends: usize) -> Self {
        Self {
            vertices: Room::with_capacity(corners),
            faces: Room::with_capacity(faces),
            loops: Room::with_capacity(ends),
        }
    }

    /// Begins with a whole solid.
    pub fn load(&mut self, mould: &Mould) {
        self.vertices.clear();
        self.vertices.extend_from_slice(&mould.vertices);
        self.loops.clear();
        self.loops.extend_from_slice(&mould.loops);
        self.faces.clear();
        self.faces.extend(mould.faces.iter().map(|f| Facet {
            normal: f.normal,
            offset: f.offset,
            owner: Owner::A,
            first: f.first,
            count: f.count,
        }));
    }

    /// Cuts by all faces of `b` at `at`; false if nothing is left. The plane that stands furthest
    /// before the centre of `a` goes first, and most of the others then miss what is left.
    pub fn cut_by(&mut self, a: &Mould, b: &Mould, at: &Placement, spare: &mut Spare) -> bool {
        let plane = |k: usize| {
            let n = at.rotation * b.faces[k].normal;
            (n, b.faces[k].offset + n.dot(&at.origin))
        };
        if b.faces.is_empty() {
            return false;
        }
        let (mut first, mut most) = (0, f64::NEG_INFINITY);
        for k in 0..b.faces.len() {
            let (n, offset) = plane(k);
            let height = n.dot(&a.center) - offset;
            if height > a.radius {
                return false;
            }
            if height > most {
                (first, most) = (k, height);
            }
        }
        let (mut center, mut radius) = (a.center, a.radius);
        for k in std::iter::once(first).chain((0..b.faces.len()).filter(|&k| k != first)) {
            let (n, offset) = plane(k);
            if n.dot(&center) - offset <= -radius {
                continue;
            }
            match self.cut(&n, offset, spare) {
                Cut::Missed => {}
                Cut::Away => return false,
                Cut::Through => (center, radius) = self.bound(),
            }
        }
        self.faces.len() > 3
    }

    fn bound(&self) -> (Vec3, f64) {
        let center = self.vertices.iter().sum::<Vec3>() / self.vertices.len().max(1) as f64;
        let most = self.vertices.iter().map(|v| (v - center).norm_squared()).fold(0.0, f64::max);
        // a plane that only seems to miss would cut off no more than rounding
        (center, most.sqrt() * (1.0 + 1e-12))
    }

    /// Cuts away what is above `n · p = offset`.
    fn cut(&mut self, n: &Vec3, offset: f64, spare: &mut Spare) -> Cut {
        spare.heights.clear();
        spare.heights.extend(self.vertices.iter().map(|v| n.dot(v) - offset));
        let outside = spare.heights.iter().filter(|h| **h > 0.0).count();
        if outside == 0 {
            return Cut::Missed;
        }
        if outside == self.vertices.len() {
            return Cut::Away;
        }
        self.keep_below(spare);
        self.cut_faces(spare);
        self.cap(n, offset, spare);
        std::mem::swap(&mut self.vertices, &mut spare.vertices);
        std::mem::swap(&mut self.faces, &mut spare.faces);
        std::mem::swap(&mut self.loops, &mut spare.loops);
        Cut::Through
    }

    fn keep_below(&self, spare: &mut Spare) {
        spare.vertices.clear();
        spare.faces.clear();
        spare.loops.clear();
        spare.cuts.clear();
        spare.follows.clear();
        spare.place.clear();
        for (v, h) in self.vertices.iter().zip(&spare.heights) {
            let kept = *h <= 0.0;
            spare.place.push(if kept { spare.vertices.len() as u32 } else { GONE });
            if kept {
                spare.vertices.push(*v);
            }
        }
    }

    /// The faces, each without what is above; notes the edges of the new face.
    fn cut_faces(&self, spare: &mut Spare) {
        for face in &self.faces {
            let rim = &self.loops[face.first as usize..(face.first + face.count) as usize];
            // beginning below, each way out is followed by its way back
            let Some(start) = rim.iter().position(|&i| spare.place[i as usize] != GONE) else {
                continue;
            };
            let (first, mut left) = (spare.loops.len(), None);
            let mut here = start;
            for _ in 0..rim.len() {
                let next = if here + 1 == rim.len() { 0 } else { here + 1 };
                let (i, j) = (rim[here], rim[next]);
                here = next;
                let (from, to) = (spare.place[i as usize], spare.place[j as usize]);
                if from != GONE {
                    spare.loops.push(from);
                }
                if (from == GONE) == (to == GONE) {
                    continue;
                }
                let corner = spare.crossing(i, j, &self.vertices);
                spare.loops.push(corner);
                if to == GONE {
                    left = Some(corner);
                } else if let Some(out) = left.take() {
                    // the new face runs the other way
                    spare.follows.push((corner, out));
                }
            }
            let count = spare.loops.len() - first;
            if count >= 3 {
                let (first, count) = (first as u32, count as u32);
                spare.faces.push(Facet { first, count, ..*face });
            } else {
                spare.loops.truncate(first);
            }
        }
    }

    /// Closes the cut with one face, or with one per loop where rounding made several.
    fn cap(&self, n: &Vec3, offset: f64, spare: &mut Spare) {
        let all = spare.follows.len();
        let mut done = 0;
        while done < all {
            let (start, mut at) = spare.follows[done];
            let first = spare.loops.len();
            spare.loops.push(start);
            done += 1;
            while at != start {
                spare.loops.push(at);
                let next = spare.follows[done..].iter().position(|f| f.0 == at);
                let Some(k) = next else { break };
                spare.follows.swap(done, done + k);
                at = spare.follows[done].1;
                done += 1;
            }
            let count = spare.loops.len() - first;
            if count >= 3 {
                let (first, count) = (first as u32, count as u32);
                let normal = *n;
                spare.faces.push(Facet { normal, offset, owner: Owner::B, first, count });
            } else {
                spare.loops.truncate(first);
            }
        }
    }
}

/// What a plane did.
enum Cut {
    Missed,
    Away,
    Through,
}
