//! Convex polyhedra prepared for contact: merged faces, edges with the normals they join.

use crate::math::Vec3;
use std::collections::HashMap;

use super::super::surface::ClosedSurface;

/// A face: unit normal outwards, its plane `normal · p = offset`, and its corner loop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Face {
    pub normal: Vec3,
    pub offset: f64,
    /// First corner in the list of loops, and number of corners.
    pub first: u32,
    pub count: u32,
}

/// An edge and the unit normals of the two faces it joins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Edge {
    pub tail: u32,
    pub head: u32,
    pub left: Vec3,
    pub right: Vec3,
}

/// A convex polyhedron by reference; a triangle of a mesh is one too.
#[derive(Debug, Clone, Copy)]
pub(super) struct Poly<'a> {
    pub vertices: &'a [Vec3],
    pub faces: &'a [Face],
    pub loops: &'a [u32],
    pub edges: &'a [Edge],
    /// Bound of the distance of a vertex from the centre, for tolerances [m].
    pub size: f64,
}

impl<'a> Poly<'a> {
    /// Index of the vertex furthest along a direction; the first of equals.
    #[inline]
    pub fn support_index(&self, direction: &Vec3) -> usize {
        let (mut best, mut height) = (0, f64::NEG_INFINITY);
        for (i, v) in self.vertices.iter().enumerate() {
            let h = v.dot(direction);
            if h > height {
                (best, height) = (i, h);
            }
        }
        best
    }

    #[inline]
    pub fn support(&self, direction: &Vec3) -> Vec3 {
        self.vertices.get(self.support_index(direction)).copied().unwrap_or_default()
    }

    /// The face whose normal is nearest to a direction.
    #[inline]
    pub fn face_along(&self, direction: &Vec3) -> usize {
        let (mut best, mut cosine) = (0, f64::NEG_INFINITY);
        for (i, f) in self.faces.iter().enumerate() {
            let c = f.normal.dot(direction);
            if c > cosine {
                (best, cosine) = (i, c);
            }
        }
        best
    }

    pub fn corners(&self, face: &Face) -> impl Iterator<Item = (u32, Vec3)> + use<'a> {
        let vertices = self.vertices;
        let ids = &self.loops[face.first as usize..(face.first + face.count) as usize];
        ids.iter().map(move |&i| (i, vertices[i as usize]))
    }
}

/// A convex polyhedron that owns its lists.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Polyhedron {
    vertices: Vec<Vec3>,
    faces: Vec<Face>,
    loops: Vec<u32>,
    edges: Vec<Edge>,
    size: f64,
}

/// Triangles whose corners lie within this share of the size in one plane become one face.
const COPLANAR: f64 = 1e-9;

/// Most corners of a face that take part in a manifold.
pub(super) const MOST_CORNERS: usize = 16;

impl Polyhedron {
    pub fn view(&self) -> Poly<'_> {
        Poly {
            vertices: &self.vertices,
            faces: &self.faces,
            loops: &self.loops,
            edges: &self.edges,
            size: self.size,
        }
    }

    /// From the triangulated boundary of a convex hull.
    pub fn new(surface: &ClosedSurface) -> Self {
        let (vertices, triangles) = (surface.vertices(), surface.triangles());
        let center = vertices.iter().sum::<Vec3>() / vertices.len() as f64;
        let size = vertices.iter().map(|v| (v - center).norm()).fold(0.0, f64::max);
        let groups = Groups::new(vertices, triangles, size);
        let mut made = Self {
            vertices: vertices.to_vec(),
            faces: Vec::new(),
            loops: Vec::new(),
            edges: Vec::new(),
            size,
        };
        let mut face_of = vec![0; triangles.len()];
        for members in groups.list() {
            made.push_group(triangles, &members, &mut face_of);
        }
        made.edges = made.edges_between(triangles, &face_of);
        made
    }

    /// A cuboid; face `2 axis + (0 below, 1 above)`, vertex bits `x y z` set on the upper side.
    pub fn cuboid(half: &Vec3) -> Self {
        let corner = |i: u32| {
            let side = |bit: u32, h: f64| if i >> bit & 1 == 1 { h } else { -h };
            Vec3::new(side(0, half.x), side(1, half.y), side(2, half.z))
        };
        let vertices: Vec<Vec3> = (0..8).map(corner).collect();
        let (mut faces, mut loops, mut edges) = (Vec::new(), Vec::new(), Vec::new());
        for axis in 0..3usize {
            let (u, v) = (1u32 << ((axis + 1) % 3), 1u32 << ((axis + 2) % 3));
            for side in 0..2u32 {
                let base = side << axis;
                let sign = if side == 1 { 1.0 } else { -1.0 };
                let normal = Vec3::ith(axis, sign);
                let first = loops.len() as u32;
                let turn = [base, base | u, base | u | v, base | v];
                loops.extend((0..4).map(|k| turn[if side == 1 { k } else { 3 - k }]));
                faces.push(Face { normal, offset: half[axis], first, count: 4 });
            }
            // the four edges along this axis
            for bits in [0, u, v, u | v] {
                let side = |bit: u32| if bits & bit != 0 { 1.0 } else { -1.0 };
                let left = Vec3::ith((axis + 1) % 3, side(u));
                let right = Vec3::ith((axis + 2) % 3, side(v));
                edges.push(Edge { tail: bits, head: bits | 1 << axis, left, right });
            }
        }
        Self { vertices, faces, loops, edges, size: half.norm() }
    }

    /// One face from coplanar triangles; the triangles one by one if their rim is not one loop.
    fn push_group(&mut self, triangles: &[[u32; 3]], members: &[usize], face_of: &mut [usize]) {
        let rim = rim_loop(triangles, members);
        if let Some(rim) = rim.filter(|_| members.len() > 1) {
            let normal = unit_normal(&self.vertices, &triangles[members[0]]);
            members.iter().for_each(|&t| face_of[t] = self.faces.len());
            self.push_face(normal, &rim);
        } else {
            for &t in members {
                face_of[t] = self.faces.len();
                let normal = unit_normal(&self.vertices, &triangles[t]);
                self.push_face(normal, &triangles[t]);
            }
        }
    }

    fn push_face(&mut self, normal: Vec3, rim: &[u32]) {
        let height = |i: &u32| self.vertices[*i as usize].dot(&normal);
        let offset = rim.iter().map(height).fold(f64::NEG_INFINITY, f64::max);
        let first = self.loops.len() as u32;
        let count = rim.len().min(MOST_CORNERS);
        self.loops.extend((0..count).map(|k| rim[k * rim.len() / count]));
        self.faces.push(Face { normal, offset, first, count: count as u32 });
    }

    fn edges_between(&self, triangles: &[[u32; 3]], face_of: &[usize]) -> Vec<Edge> {
        let mut left_of = HashMap::new();
        for (t, corners) in triangles.iter().enumerate() {
            left_of.extend(sides(corners).map(|side| (side, face_of[t])));
        }
        let mut edges = Vec::new();
        for (t, corners) in triangles.iter().enumerate() {
            for (tail, head) in sides(corners) {
                let Some(&right) = left_of.get(&(head, tail)) else { continue };
                if tail < head && right != face_of[t] {
                    let (left, right) = (self.faces[face_of[t]].normal, self.faces[right].normal);
                    edges.push(Edge { tail, head, left, right });
                }
            }
        }
        edges
    }
}

/// The faces of a convex surface as loops of corners: coplanar triangles become one face.
pub fn outlines(surface: &ClosedSurface) -> Vec<Vec<u32>> {
    let (vertices, triangles) = (surface.vertices(), surface.triangles());
    let center = vertices.iter().sum::<Vec3>() / vertices.len() as f64;
    let size = vertices.iter().map(|v| (v - center).norm()).fold(0.0, f64::max);
    let mut rims = Vec::new();
    for members in Groups::new(vertices, triangles, size).list() {
        match rim_loop(triangles, &members) {
            Some(rim) => rims.push(rim),
            None => rims.extend(members.iter().map(|&t| triangles[t].to_vec())),
        }
    }
    rims
}

fn sides([a, b, c]: &[u32; 3]) -> [(u32, u32); 3] {
    [(*a, *b), (*b, *c), (*c, *a)]
}

fn area_normal(vertices: &[Vec3], corners: &[u32; 3]) -> Vec3 {
    let [a, b, c] = corners.map(|i| vertices[i as usize]);
    (b - a).cross(&(c - a))
}

fn unit_normal(vertices: &[Vec3], corners: &[u32; 3]) -> Vec3 {
    area_normal(vertices, corners).try_normalize(0.0).unwrap_or_else(Vec3::z)
}

/// Triangles sorted into planes: flooded from the largest triangle on, whose plane decides.
struct Groups {
    group_of: Vec<usize>,
    /// Triangles in the order in which they were reached.
    order: Vec<usize>,
    count: usize,
}

impl Groups {
    fn new(vertices: &[Vec3], triangles: &[[u32; 3]], size: f64) -> Self {
        let area = |t: &usize| area_normal(vertices, &triangles[*t]).norm();
        let mut seeds: Vec<usize> = (0..triangles.len()).collect();
        seeds.sort_by(|s, t| area(t).total_cmp(&area(s)));
        let mut left_of = HashMap::new();
        for (t, corners) in triangles.iter().enumerate() {
            left_of.extend(sides(corners).map(|side| (side, t)));
        }
        let none = usize::MAX;
        let mut made = Self { group_of: vec![none; triangles.len()], order: Vec::new(), count: 0 };
        for seed in seeds {
            if made.group_of[seed] != none {
                continue;
            }
            let normal = unit_normal(vertices, &triangles[seed]);
            let offset = vertices[triangles[seed][0] as usize].dot(&normal);
            let flat = |t: usize| {
                let near = |i: u32| (vertices[i as usize].dot(&normal) - offset).abs();
                triangles[t].iter().all(|&i| near(i) <= COPLANAR * size)
                    && area_normal(vertices, &triangles[t]).dot(&normal) >= 0.0
            };
            made.group_of[seed] = made.count;
            let mut stack = vec![seed];
            while let Some(t) = stack.pop() {
                made.order.push(t);
                for (tail, head) in sides(&triangles[t]) {
                    let across = left_of.get(&(head, tail)).copied();
                    let fits = |&n: &usize| made.group_of[n] == none && flat(n);
                    if let Some(next) = across.filter(fits) {
                        made.group_of[next] = made.count;
                        stack.push(next);
                    }
                }
            }
            made.count += 1;
        }
        made
    }

    /// Members of each group, the seed first.
    fn list(&self) -> Vec<Vec<usize>> {
        let mut list = vec![Vec::new(); self.count];
        self.order.iter().for_each(|&t| list[self.group_of[t]].push(t));
        list
    }
}

/// The boundary of a set of triangles as one loop, `None` if it is not one.
fn rim_loop(triangles: &[[u32; 3]], members: &[usize]) -> Option<Vec<u32>> {
    let mut next = HashMap::new();
    let inside: HashMap<(u32, u32), ()> =
        members.iter().flat_map(|&t| sides(&triangles[t])).map(|s| (s, ())).collect();
    let mut start = u32::MAX;
    for &t in members {
        for (tail, head) in sides(&triangles[t]) {
            if !inside.contains_key(&(head, tail)) {
                if next.insert(tail, head).is_some() {
                    return None;
                }
                start = start.min(tail);
            }
        }
    }
    let mut rim = vec![start];
    let mut at = *next.get(&start)?;
    while at != start {
        if rim.len() > next.len() {
            return None;
        }
        rim.push(at);
        at = *next.get(&at)?;
    }
    (rim.len() == next.len()).then_some(rim)
}
