//! Cutting a convex polyhedron by planes; what is left is always closed.
//!
//! Each vertex lies on one side of a plane, decided once; each edge that crosses it is cut once,
//! for both of its faces. So the surface that is left has no holes, however faces are placed, and
//! its volume changes continuously with the plane. The edges of a cut, in order, are a new face.

use super::mould::Mould;
use super::overlap::{Owner, Placement};
use crate::math::{Room, Vec3};

/// Planes up to which each is held against all corners.
const FEW: usize = 12;

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
    /// all vertices there ever were
    pub vertices: Room<Vec3>,
    /// those that are left
    pub live: Room<u32>,
    pub faces: Room<Facet>,
    /// corners of faces; those of faces that were cut are appended
    pub loops: Room<u32>,
}

/// Buffers of a cut.
#[derive(Debug, Clone, Default)]
pub(super) struct Spare {
    /// heights of all vertices above the plane
    heights: Room<f64>,
    /// edges that cross the plane: both ends, and the new corner
    cuts: Room<(u32, u32, u32)>,
    /// which new corner follows which along the new face
    follows: Room<(u32, u32)>,
}

impl Spare {
    pub fn with_capacity(corners: usize) -> Self {
        Self {
            heights: Room::with_capacity(corners),
            cuts: Room::with_capacity(corners),
            follows: Room::with_capacity(corners),
        }
    }

    fn is_above(&self, vertex: u32) -> bool {
        self.heights[vertex as usize] > 0.0
    }

    /// The corner where the edge from `i` to `j` crosses, made once for both of its faces.
    fn crossing(&mut self, i: u32, j: u32, vertices: &mut Vec<Vec3>) -> u32 {
        let key = (i.min(j), i.max(j));
        if let Some(known) = self.cuts.iter().find(|c| (c.0, c.1) == key) {
            return known.2;
        }
        let (low, high) = (key.0 as usize, key.1 as usize);
        let (a, b) = (self.heights[low], self.heights[high]);
        let t = (a / (a - b)).clamp(0.0, 1.0);
        let number = vertices.len() as u32;
        vertices.push(vertices[low] + (vertices[high] - vertices[low]) * t);
        self.cuts.push((key.0, key.1, number));
        number
    }
}

impl Polyhedron {
    pub fn with_capacity(faces: usize, corners: usize, ends: usize) -> Self {
        Self {
            vertices: Room::with_capacity(corners),
            live: Room::with_capacity(corners),
            faces: Room::with_capacity(faces),
            loops: Room::with_capacity(ends),
        }
    }

    /// Begins with a whole solid.
    pub fn load(&mut self, mould: &Mould) {
        self.vertices.clear();
        self.vertices.extend_from_slice(&mould.vertices);
        self.live.clear();
        self.live.extend(0..mould.vertices.len() as u32);
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
        // a tighter ball costs more than it spares where there are few planes
        let many = b.faces.len() > FEW;
        let (mut center, mut radius) = (a.center, a.radius);
        for k in std::iter::once(first).chain((0..b.faces.len()).filter(|&k| k != first)) {
            let (n, offset) = plane(k);
            if n.dot(&center) - offset <= -radius {
                continue;
            }
            match self.cut(&n, offset, spare) {
                Cut::Missed => {}
                Cut::Away => return false,
                Cut::Through if many => (center, radius) = self.bound(),
                Cut::Through => {}
            }
        }
        self.faces.len() > 3
    }

    /// What is left of the corners.
    pub fn corners_left(&self) -> impl Iterator<Item = &Vec3> {
        self.live.iter().map(|&i| &self.vertices[i as usize])
    }

    /// How far corners are from a point [m].
    pub fn spread(&self, from: &Vec3) -> f64 {
        self.corners_left().map(|v| (v - from).norm_squared()).fold(0.0, f64::max).sqrt()
    }

    fn bound(&self) -> (Vec3, f64) {
        let center = self.corners_left().sum::<Vec3>() / self.live.len().max(1) as f64;
        let most = self.corners_left().map(|v| (v - center).norm_squared()).fold(0.0, f64::max);
        // a plane that only seems to miss would cut off no more than rounding
        (center, most.sqrt() * (1.0 + 1e-12))
    }

    /// Cuts away what is above `n · p = offset`.
    fn cut(&mut self, n: &Vec3, offset: f64, spare: &mut Spare) -> Cut {
        spare.heights.resize(self.vertices.len(), 0.0);
        let mut above = 0;
        for &i in &self.live {
            let height = n.dot(&self.vertices[i as usize]) - offset;
            spare.heights[i as usize] = height;
            above += usize::from(height > 0.0);
        }
        if above == 0 {
            return Cut::Missed;
        }
        if above == self.live.len() {
            return Cut::Away;
        }
        spare.cuts.clear();
        spare.follows.clear();
        let (old, mut kept) = (self.vertices.len() as u32, 0);
        for k in 0..self.faces.len() {
            let face = self.faces[k];
            if let Some(cut) = self.cut_face(&face, spare) {
                self.faces[kept] = cut;
                kept += 1;
            }
        }
        self.faces.truncate(kept);
        self.cap(n, offset, spare);
        let mut low = 0;
        for k in 0..self.live.len() {
            let corner = self.live[k];
            if !spare.is_above(corner) {
                self.live[low] = corner;
                low += 1;
            }
        }
        self.live.truncate(low);
        self.live.extend(old..self.vertices.len() as u32);
        Cut::Through
    }

    /// A face without what is above; notes its edge of the new face.
    fn cut_face(&mut self, face: &Facet, spare: &mut Spare) -> Option<Facet> {
        let rim = &self.loops[face.first as usize..(face.first + face.count) as usize];
        let (mut above, mut start) = (0, 0);
        for (k, &i) in rim.iter().enumerate() {
            match spare.is_above(i) {
                true => above += 1,
                false => start = k,
            }
        }
        let count = rim.len();
        if above == 0 {
            return Some(*face);
        }
        if above == count {
            return None;
        }
        // beginning below, each way out is followed by its way back
        let (first, rim) = (self.loops.len(), face.first as usize);
        let (mut here, mut left) = (start, None);
        let mut j = self.loops[rim + here];
        let mut to = false;
        for _ in 0..count {
            let (i, out) = (j, to);
            here = if here + 1 == count { 0 } else { here + 1 };
            j = self.loops[rim + here];
            to = spare.is_above(j);
            if !out {
                self.loops.push(i);
            }
            if out == to {
                continue;
            }
            let corner = spare.crossing(i, j, &mut self.vertices);
            self.loops.push(corner);
            if to {
                left = Some(corner);
            } else if let Some(out) = left.take() {
                // the new face runs the other way
                spare.follows.push((corner, out));
            }
        }
        self.facet(Facet { first: first as u32, ..*face })
    }

    /// Ends a face whose corners were appended; one with fewer than three is none.
    fn facet(&mut self, face: Facet) -> Option<Facet> {
        let count = self.loops.len() - face.first as usize;
        if count < 3 {
            self.loops.truncate(face.first as usize);
            return None;
        }
        Some(Facet { count: count as u32, ..face })
    }

    /// Closes the cut with one face, or with one per loop where rounding made several.
    fn cap(&mut self, n: &Vec3, offset: f64, spare: &mut Spare) {
        let all = spare.follows.len();
        let mut done = 0;
        while done < all {
            let (start, mut at) = spare.follows[done];
            let first = self.loops.len() as u32;
            self.loops.push(start);
            done += 1;
            while at != start {
                self.loops.push(at);
                let next = spare.follows[done..].iter().position(|f| f.0 == at);
                let Some(k) = next else { break };
                spare.follows.swap(done, done + k);
                at = spare.follows[done].1;
                done += 1;
            }
            let face = Facet { normal: *n, offset, owner: Owner::B, first, count: 0 };
            if let Some(face) = self.facet(face) {
                self.faces.push(face);
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
