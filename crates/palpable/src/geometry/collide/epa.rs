//! Penetration of two overlapping cores by an expanding polytope `[Bergen2001]` in fixed buffers.

use super::convex::Pair;
use super::manifold::Axis;
use crate::math::Vec3;

/// Room for corners of the polytope: the numbers of corners are bytes.
const MOST_VERTICES: usize = 180;
/// Vertices for the search over all directions; the rest goes to the best one found.
const EXPLORING: usize = 130;
/// Room for faces: a closed surface of `V` corners has `2 V − 4` triangles.
const MOST_FACES: usize = 360;
/// Room for the edges of the rim that a new corner sees.
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

#[derive(Clone, Copy, PartialEq)]
enum State {
    Hidden,
    Visible,
    Taken,
}

/// Edges around a hole.
struct Rim {
    edges: [(u8, u8); MOST_RIM],
    count: usize,
}

impl Rim {
    /// Takes the edges of a removed face: those met from both sides cancel.
    fn cross(&mut self, [p, q, r]: [u8; 3]) -> bool {
        for (tail, head) in [(p, q), (q, r), (r, p)] {
            let twin = self.edges[..self.count].iter().position(|e| *e == (head, tail));
            if let Some(k) = twin {
                self.count -= 1;
                self.edges[k] = self.edges[self.count];
            } else if self.count == MOST_RIM {
                return false;
            } else {
                self.edges[self.count] = (tail, head);
                self.count += 1;
            }
        }
        true
    }
}

/// True if two triangles run along one edge in opposite directions.
fn share_edge(one: &[u8; 3], two: &[u8; 3]) -> bool {
    (0..3).any(|i| {
        let (tail, head) = (one[i], one[(i + 1) % 3]);
        (0..3).any(|j| two[j] == head && two[(j + 1) % 3] == tail)
    })
}

/// The axis of least penetration of two cores whose difference set has a volume.
///
/// Starts from any tetrahedron inside the difference set; the face nearest to the origin (with
/// sign: the origin may still be outside) is pushed out to the support point along its normal.
/// # Guarantee
/// Ends within a fixed number of rounds; the gap belongs to the normal returned whatever the
/// search reached. Exact for polyhedra that fit the buffers, and for curved solids that overlap a
/// little; of two directions that are nearly as good deep inside it may take either.
pub(super) fn least_penetration(pair: &Pair, guess: &Vec3) -> Axis {
    let size = pair.size();
    let mut hull = match Polytope::start(pair, guess, size) {
        Ok(hull) => hull,
        Err(n) => return flat(pair, &n),
    };
    let (mut best, mut nearest) = (hull.faces[0], f64::NEG_INFINITY);
    loop {
        let exploring = hull.vertices < EXPLORING;
        let index = if exploring { hull.nearest_face() } else { hull.face_along(&best.n) };
        let face = hull.faces[index];
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
        if depth - face.d <= DONE * size || !hull.expand(index, (w, a, b), size) {
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

    fn nearest_face(&self) -> usize {
        let near = |i: &usize, j: &usize| self.faces[*i].d.total_cmp(&self.faces[*j].d);
        (0..self.count).min_by(near).unwrap_or(0)
    }

    fn face_along(&self, n: &Vec3) -> usize {
        let along = |i: &usize| self.faces[*i].n.dot(n);
        (0..self.count).max_by(|i, j| along(i).total_cmp(&along(j))).unwrap_or(0)
    }

    /// Replaces the faces around `start` that see a point by a fan to it; false if nothing could
    /// be done.
    fn expand(&mut self, start: usize, (w, a, b): (Vec3, Vec3, Vec3), size: f64) -> bool {
        if self.vertices == MOST_VERTICES {
            return false;
        }
        let mut rim = Rim { edges: [(0, 0); MOST_RIM], count: 0 };
        if !self.take_visible(start, &w, size, &mut rim) {
            return false;
        }
        let apex = self.vertices;
        (self.w[apex], self.a[apex], self.b[apex]) = (w, a, b);
        self.vertices += 1;
        rim.edges[..rim.count].iter().all(|&(i, j)| self.push_face([i, j, apex as u8]))
    }

    /// Removes the connected faces that see the point and lists the edges around the hole.
    fn take_visible(&mut self, start: usize, w: &Vec3, size: f64, rim: &mut Rim) -> bool {
        let mut state = [State::Hidden; MOST_FACES];
        for (state, face) in state.iter_mut().zip(&self.faces[..self.count]) {
            if face.d.is_finite() && w.dot(&face.n) - face.d > 1e-15 * size {
                *state = State::Visible;
            }
        }
        // rounding may show far faces too: only those reached over common edges are taken
        let mut stack = [0usize; MOST_FACES];
        (stack[0], state[start]) = (start, State::Taken);
        let mut height = 1;
        while height > 0 {
            height -= 1;
            let corners = self.faces[stack[height]].corners;
            if !rim.cross(corners) {
                return false;
            }
            for (i, (state, face)) in state.iter_mut().zip(&self.faces[..self.count]).enumerate() {
                if *state == State::Visible && share_edge(&face.corners, &corners) {
                    *state = State::Taken;
                    stack[height] = i;
                    height += 1;
                }
            }
        }
        for i in (0..self.count).rev().filter(|i| state[*i] == State::Taken) {
            self.count -= 1;
            self.faces[i] = self.faces[self.count];
        }
        rim.count >= 3
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
