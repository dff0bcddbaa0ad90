//! Penetration of two overlapping cores by an expanding polytope in fixed buffers.

use super::convex::Pair;
use super::manifold::Axis;
use crate::math::Vec3;

const MOST_VERTICES: usize = 120;
const MOST_FACES: usize = 240;
const MOST_RIM: usize = 120;

/// What can still be gained, as a share of the size, when the search ends.
const DONE: f64 = 1e-13;

#[derive(Clone, Copy, Default)]
struct Face {
    corners: [u8; 3],
    n: Vec3,
    /// Signed distance of its plane from the origin; negative if the origin is outside.
    d: f64,
}

/// A polytope inside the difference set `A − B`, growing towards its boundary.
struct Polytope {
    w: [Vec3; MOST_VERTICES],
    a: [Vec3; MOST_VERTICES],
    b: [Vec3; MOST_VERTICES],
    vertices: usize,
    faces: [Face; MOST_FACES],
    count: usize,
}

/// The axis of least penetration of two cores whose difference set has a volume.
///
/// Starts from any tetrahedron inside the difference set; the face nearest to the origin (with
/// sign: the origin may still be outside) is pushed out to the support point along its normal.
/// # Guarantee
/// Ends within a fixed number of rounds; the gap belongs to the normal returned whatever the
/// search reached. Exact for polyhedra that fit the buffers.
pub(super) fn least_penetration(pair: &Pair, guess: &Vec3) -> Axis {
    let size = pair.size();
    let mut hull = match Polytope::start(pair, guess, size) {
        Ok(hull) => hull,
        Err(n) => return flat(pair, &n),
    };
    let (mut best, mut nearest) = (hull.faces[0], f64::NEG_INFINITY);
    loop {
        let face = hull.nearest_face();
        if !(face.d.is_finite() && face.n != Vec3::zeros()) {
            break;
        }
        let (a, b) = (pair.support_a(&face.n), pair.support_b(&-face.n));
        let w = a - b;
        // the least support seen so far bounds the penetration from above
        let depth = w.dot(&face.n);
        if -depth > nearest {
            (best, nearest) = (face, -depth);
        }
        if depth - face.d <= DONE * size || !hull.expand(w, a, b, size) {
            break;
        }
    }
    let witness = Some(hull.witness(&best));
    Axis { normal: best.n, gap: nearest, witness }
}

/// A difference set without volume: apart along its normal by what the supports say.
fn flat(pair: &Pair, n: &Vec3) -> Axis {
    let (up, down) = (pair.separation(n), pair.separation(&-n));
    let (normal, gap) = if up >= down { (*n, up) } else { (-n, down) };
    Axis { normal, gap, witness: None }
}

/// A unit vector at right angles to a direction.
pub(super) fn perpendicular(d: &Vec3) -> Vec3 {
    let axis = Vec3::ith(d.iamin(), 1.0);
    d.cross(&axis).try_normalize(0.0).unwrap_or_else(Vec3::x)
}

impl Polytope {
    /// A tetrahedron of support points; the normal of the plane they share if there is none.
    fn start(pair: &Pair, guess: &Vec3, size: f64) -> Result<Self, Vec3> {
        let mut hull = Self {
            w: [Vec3::zeros(); MOST_VERTICES],
            a: [Vec3::zeros(); MOST_VERTICES],
            b: [Vec3::zeros(); MOST_VERTICES],
            vertices: 0,
            faces: [Face::default(); MOST_FACES],
            count: 0,
        };
        let g = guess.try_normalize(0.0).unwrap_or_else(Vec3::x);
        hull.add(pair, &g);
        hull.add(pair, &-g);
        let line = hull.w[1] - hull.w[0];
        if line.norm() <= 1e-12 * size {
            return Err(perpendicular(&g));
        }
        let p = perpendicular(&line);
        let q = line.cross(&p).try_normalize(0.0).unwrap_or(p);
        hull.add_furthest(pair, &[p, -p, q, -q], |w, o| (w - o).cross(&line).norm());
        let n = line.cross(&(hull.w[2] - hull.w[0])).try_normalize(0.0).unwrap_or(p);
        hull.add_furthest(pair, &[n, -n], |w, o| (w - o).dot(&n).abs());
        if !((hull.w[3] - hull.w[0]).dot(&n).abs() > 1e-11 * size) {
            return Err(n);
        }
        let up = (hull.w[3] - hull.w[0]).dot(&n) > 0.0;
        for [i, j, k] in [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]] {
            hull.push_face(if up { [i, k, j] } else { [i, j, k] });
        }
        Ok(hull)
    }

    fn add(&mut self, pair: &Pair, d: &Vec3) {
        let (a, b) = (pair.support_a(d), pair.support_b(&-d));
        let i = self.vertices.min(MOST_VERTICES - 1);
        (self.w[i], self.a[i], self.b[i]) = (a - b, a, b);
        self.vertices = i + 1;
    }

    fn add_furthest(
        &mut self,
        pair: &Pair,
        directions: &[Vec3],
        measure: impl Fn(&Vec3, &Vec3) -> f64,
    ) {
        let (mut best, mut most) = (directions[0], f64::NEG_INFINITY);
        for d in directions {
            let w = pair.support_a(d) - pair.support_b(&-d);
            let far = measure(&w, &self.w[0]);
            if far > most {
                (best, most) = (*d, far);
            }
        }
        self.add(pair, &best);
    }

    fn push_face(&mut self, corners: [u8; 3]) -> bool {
        if self.count == MOST_FACES {
            return false;
        }
        let [p, q, r] = corners.map(|i| self.w[usize::from(i)]);
        let cross = (q - p).cross(&(r - p));
        let scale = (q - p).norm() * (r - p).norm();
        // a sliver has no direction of its own: it is kept for the topology, and never chosen
        let sliver = !(cross.norm() > 1e-14 * scale);
        let n = if sliver { Vec3::zeros() } else { cross.normalize() };
        let d = if sliver { f64::INFINITY } else { n.dot(&p).max(n.dot(&q)).max(n.dot(&r)) };
        self.faces[self.count] = Face { corners, n, d };
        self.count += 1;
        true
    }

    fn nearest_face(&self) -> Face {
        let faces = &self.faces[..self.count];
        *faces.iter().min_by(|f, g| f.d.total_cmp(&g.d)).unwrap_or(&self.faces[0])
    }

    /// Replaces the faces that see a point by a fan to it; false if nothing could be done.
    fn expand(&mut self, w: Vec3, a: Vec3, b: Vec3, size: f64) -> bool {
        if self.vertices == MOST_VERTICES {
            return false;
        }
        let mut rim = [(0u8, 0u8); MOST_RIM];
        let Some(edges) = self.take_visible(&w, size, &mut rim) else { return false };
        let apex = self.vertices;
        (self.w[apex], self.a[apex], self.b[apex]) = (w, a, b);
        self.vertices += 1;
        rim[..edges].iter().all(|&(i, j)| self.push_face([i, j, apex as u8]))
    }

    /// Removes the faces that see the point and lists the edges around the hole.
    fn take_visible(
        &mut self,
        w: &Vec3,
        size: f64,
        rim: &mut [(u8, u8); MOST_RIM],
    ) -> Option<usize> {
        let mut edges = 0;
        let mut i = 0;
        while i < self.count {
            let face = self.faces[i];
            if !(face.d.is_finite() && w.dot(&face.n) - face.d > 1e-15 * size) {
                i += 1;
                continue;
            }
            let [p, q, r] = face.corners;
            for (tail, head) in [(p, q), (q, r), (r, p)] {
                if let Some(k) = rim[..edges].iter().position(|e| *e == (head, tail)) {
                    edges -= 1;
                    rim[k] = rim[edges];
                } else if edges == MOST_RIM {
                    return None;
                } else {
                    rim[edges] = (tail, head);
                    edges += 1;
                }
            }
            self.count -= 1;
            self.faces[i] = self.faces[self.count];
        }
        (edges >= 3).then_some(edges)
    }

    /// Points of the two cores under the nearest point of a face.
    fn witness(&self, face: &Face) -> (Vec3, Vec3) {
        let [i, j, k] = face.corners.map(usize::from);
        let (p, q, r) = (self.w[i], self.w[j], self.w[k]);
        let o = face.n * face.n.dot(&p);
        let n = (q - p).cross(&(r - p));
        let square = n.norm_squared().max(f64::MIN_POSITIVE);
        let u = ((q - o).cross(&(r - o)).dot(&n) / square).clamp(0.0, 1.0);
        let v = ((r - o).cross(&(p - o)).dot(&n) / square).clamp(0.0, 1.0 - u);
        let mix = |x: &[Vec3; MOST_VERTICES]| x[i] * u + x[j] * v + x[k] * (1.0 - u - v);
        (mix(&self.a), mix(&self.b))
    }
}
