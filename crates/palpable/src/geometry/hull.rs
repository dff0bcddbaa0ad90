//! Convex hulls by quickhull `[Barber1996]` with an exact side test.

use std::collections::{HashMap, HashSet};

use nalgebra::Vector3;

use super::orient::orient;
use super::shape_error::{ShapeError, check_points};
use super::surface::{ClosedSurface, position_key};

/// What errors call the points.
const FIELD: &str = "convex hull points";

/// Points thinner than this share of their length are flat: a body needs some thickness.
const FLAT: f64 = 1e-10;

/// The boundary of the convex hull of points [m].
///
/// A face keeps the points that see it (are strictly outside its plane). The furthest of them
/// replaces the faces it sees by a fan to their rim; the points that saw those faces see one of
/// the new ones, or are inside. Whoever lies in the plane of a face does not see it.
///
/// # Guarantee
/// The side test is exact, so the rim is one closed loop for any input, however thin, gridded or
/// nearly degenerate; no tolerance decides, and no point ends up outside.
/// # Cost
/// O(n log n) for ordinary points, O(n²) at worst.
pub(super) fn convex_hull(points: &[Vector3<f64>]) -> Result<ClosedSurface, ShapeError> {
    check_points(FIELD, points)?;
    let points = distinct(points);
    let count = points.len();
    if count < 4 {
        return Err(ShapeError::TooFew { field: FIELD, count });
    }
    let corners = first_tetrahedron(&points).ok_or(ShapeError::Flat { field: FIELD })?;
    let mut hull = Hull::new(&points, corners);
    let failed = ShapeError::HullFailed { count };
    while let Some((face, point)) = hull.next_outside() {
        hull.add(face, point).ok_or(failed)?;
    }
    hull.into_surface().map_err(|_| failed)
}

/// Drops repeated points, keeps the order.
fn distinct(points: &[Vector3<f64>]) -> Vec<Vector3<f64>> {
    let mut seen = HashSet::with_capacity(points.len());
    points.iter().filter(|p| seen.insert(position_key(p))).copied().collect()
}

/// Four corners of a tetrahedron of good size, the last one below the other three;
/// `None` if the points are flat.
fn first_tetrahedron(points: &[Vector3<f64>]) -> Option<[usize; 4]> {
    let furthest = |measure: &dyn Fn(&Vector3<f64>) -> f64| {
        (0..points.len()).max_by(|&i, &j| measure(&points[i]).total_cmp(&measure(&points[j])))
    };
    let a = furthest(&|p| -p.x)?;
    let start = points[a];
    let b = furthest(&|p| (p - start).norm())?;
    let length = (points[b] - start).norm();
    let u = (points[b] - start) / length;
    let from_line = |p: &Vector3<f64>| (p - start).cross(&u);
    let c = furthest(&|p| from_line(p).norm())?;
    let normal = from_line(&points[c]).try_normalize(FLAT * length)?;
    let d = furthest(&|p| (p - start).dot(&normal).abs())?;
    if (points[d] - start).dot(&normal).abs() <= FLAT * length {
        return None;
    }
    match orient(&start, &points[b], &points[c], &points[d]) {
        0 => None,
        1 => Some([a, c, b, d]),
        _ => Some([a, b, c, d]),
    }
}

/// From corner, to corner.
type Edge = (usize, usize);

struct Face {
    corners: [usize; 3],
    /// Points strictly outside this face, each kept by one face only.
    outside: Vec<usize>,
    alive: bool,
}

struct Hull<'a> {
    points: &'a [Vector3<f64>],
    faces: Vec<Face>,
    /// The face to the left of each directed edge.
    left_of: HashMap<Edge, usize>,
    /// Every face before this one has no point outside.
    cursor: usize,
}

impl<'a> Hull<'a> {
    fn new(points: &'a [Vector3<f64>], [a, b, c, d]: [usize; 4]) -> Self {
        let mut hull = Self { points, faces: Vec::new(), left_of: HashMap::new(), cursor: 0 };
        for corners in [[a, b, c], [b, a, d], [c, b, d], [a, c, d]] {
            hull.push_face(corners);
        }
        hull.distribute(0..points.len(), 0);
        hull
    }

    fn push_face(&mut self, corners: [usize; 3]) {
        let face = self.faces.len();
        self.left_of.extend(edges(corners).map(|edge| (edge, face)));
        self.faces.push(Face { corners, outside: Vec::new(), alive: true });
    }

    fn sees(&self, face: usize, point: usize) -> bool {
        let [a, b, c] = self.faces[face].corners.map(|i| &self.points[i]);
        orient(a, b, c, &self.points[point]) > 0
    }

    /// Gives each point to the first face from `first_face` on that it sees.
    fn distribute(&mut self, candidates: impl IntoIterator<Item = usize>, first_face: usize) {
        for point in candidates {
            if let Some(face) = (first_face..self.faces.len()).find(|&f| self.sees(f, point)) {
                self.faces[face].outside.push(point);
            }
        }
    }

    /// A face that some point sees, and the furthest such point.
    fn next_outside(&mut self) -> Option<(usize, usize)> {
        while let Some(face) = self.faces.get(self.cursor) {
            if face.alive && !face.outside.is_empty() {
                let [a, b, c] = face.corners.map(|i| self.points[i]);
                let normal = (b - a).cross(&(c - a));
                let height = |i: usize| (self.points[i] - a).dot(&normal);
                let furthest =
                    face.outside.iter().copied().max_by(|&i, &j| height(i).total_cmp(&height(j)));
                return furthest.map(|point| (self.cursor, point));
            }
            self.cursor += 1;
        }
        None
    }

    /// Replaces every face the point sees by a fan from the rim to the point.
    fn add(&mut self, seen: usize, point: usize) -> Option<()> {
        let (rim, orphans) = self.remove_visible(seen, point)?;
        let first_face = self.faces.len();
        for (from, to) in rim {
            self.push_face([from, to, point]);
        }
        self.distribute(orphans.into_iter().filter(|&i| i != point), first_face);
        Some(())
    }

    /// Removes the connected faces the point sees; returns their rim and the points they kept.
    fn remove_visible(&mut self, seen: usize, point: usize) -> Option<(Vec<Edge>, Vec<usize>)> {
        let (mut rim, mut orphans, mut stack) = (Vec::new(), Vec::new(), vec![seen]);
        self.faces[seen].alive = false;
        while let Some(face) = stack.pop() {
            orphans.append(&mut self.faces[face].outside);
            for (from, to) in edges(self.faces[face].corners) {
                let across = *self.left_of.get(&(to, from))?;
                if !self.faces[across].alive {
                    continue;
                }
                if self.sees(across, point) {
                    self.faces[across].alive = false;
                    stack.push(across);
                } else {
                    rim.push((from, to));
                }
            }
        }
        Some((rim, orphans))
    }

    fn into_surface(self) -> Result<ClosedSurface, ShapeError> {
        let alive = || self.faces.iter().filter(|f| f.alive).map(|f| f.corners);
        let mut new_index = vec![u32::MAX; self.points.len()];
        alive().flatten().for_each(|i| new_index[i] = 0);
        let mut vertices = Vec::new();
        for (i, slot) in new_index.iter_mut().enumerate().filter(|(_, slot)| **slot == 0) {
            *slot = vertices.len() as u32;
            vertices.push(self.points[i]);
        }
        let triangles = alive().map(|corners| corners.map(|i| new_index[i])).collect();
        ClosedSurface::new(vertices, triangles)
    }
}

fn edges([a, b, c]: [usize; 3]) -> [Edge; 3] {
    [(a, b), (b, c), (c, a)]
}
