//! The point of a simplex nearest to the origin.

use crate::math::Vec3;

/// Up to four points of the difference set `A − B`, where they came from, and their weights.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Simplex {
    w: [Vec3; 4],
    a: [Vec3; 4],
    b: [Vec3; 4],
    weight: [f64; 4],
    count: usize,
}

impl Simplex {
    pub fn count(&self) -> usize {
        self.count
    }

    pub fn holds(&self, w: &Vec3) -> bool {
        self.w[..self.count].contains(w)
    }

    /// Adds a point; there is room because a full simplex ends the search.
    pub fn push(&mut self, w: Vec3, a: Vec3, b: Vec3) {
        let i = self.count.min(3);
        (self.w[i], self.a[i], self.b[i], self.weight[i]) = (w, a, b, 0.0);
        self.count = i + 1;
    }

    /// The points of A and B whose difference is nearest to the origin.
    pub fn points(&self) -> [Vec3; 2] {
        let mix = |p: &[Vec3; 4]| {
            (0..self.count).fold(Vec3::zeros(), |sum, i| sum + p[i] * self.weight[i])
        };
        [mix(&self.a), mix(&self.b)]
    }

    /// The unit normal `A → B`: that of the triangle where there is one, which keeps its digits
    /// however near the origin is; else along `towards`.
    pub fn normal(&self, towards: &Vec3) -> Vec3 {
        let plain = towards.try_normalize(0.0).unwrap_or_else(Vec3::z);
        if self.count != 3 {
            return plain;
        }
        let (u, v) = (self.w[1] - self.w[0], self.w[2] - self.w[0]);
        let n = u.cross(&v);
        let size = n.norm();
        if size < 1e-6 * u.norm() * v.norm() {
            return plain;
        }
        n * (1f64.copysign(n.dot(&plain)) / size)
    }

    /// Keeps the corners that carry the nearest point and returns it; `None` if the origin is
    /// inside the tetrahedron.
    pub fn reduce(&mut self) -> Option<Vec3> {
        let (corners, weight) = match self.count {
            0 => return Some(Vec3::zeros()),
            1 => ([0, 0, 0], [1.0, 0.0, 0.0]),
            2 => self.on_segment(0, 1),
            3 => self.on_triangle(0, 1, 2),
            _ => self.on_tetrahedron()?,
        };
        let old = *self;
        self.count = 0;
        for (corner, weight) in corners.into_iter().zip(weight) {
            if weight > 0.0 {
                self.push(old.w[corner], old.a[corner], old.b[corner]);
                self.weight[self.count - 1] = weight;
            }
        }
        let w = &self.w;
        Some((0..self.count).fold(Vec3::zeros(), |sum, i| sum + w[i] * self.weight[i]))
    }

    fn on_segment(&self, i: usize, j: usize) -> Part {
        let (p, q) = (self.w[i], self.w[j]);
        let d = q - p;
        let square = d.norm_squared();
        let t = if square > 0.0 { (-p.dot(&d) / square).clamp(0.0, 1.0) } else { 0.0 };
        ([i, j, 0], [1.0 - t, t, 0.0])
    }

    /// By the regions around a triangle in which the origin can lie.
    fn on_triangle(&self, i: usize, j: usize, k: usize) -> Part {
        let (a, b, c) = (self.w[i], self.w[j], self.w[k]);
        let (ab, ac) = (b - a, c - a);
        let n = ab.cross(&ac);
        let square = n.norm_squared();
        let flat = !(square > 1e-28 * ab.norm_squared() * ac.norm_squared());
        if flat {
            return self.best_edge(i, j, k);
        }
        // areas opposite each corner, seen along the normal
        let wa = b.cross(&c).dot(&n);
        let wb = c.cross(&a).dot(&n);
        let wc = a.cross(&b).dot(&n);
        if wa >= 0.0 && wb >= 0.0 && wc >= 0.0 {
            let sum = wa + wb + wc;
            return ([i, j, k], [wa / sum, wb / sum, wc / sum]);
        }
        self.best_edge(i, j, k)
    }

    fn best_edge(&self, i: usize, j: usize, k: usize) -> Part {
        let edges = [self.on_segment(i, j), self.on_segment(j, k), self.on_segment(k, i)];
        self.nearest(edges)
    }

    fn nearest(&self, parts: impl IntoIterator<Item = Part>) -> Part {
        let mut best = ([0; 3], [1.0, 0.0, 0.0], f64::INFINITY);
        for (corners, weight) in parts {
            let p = (0..3).fold(Vec3::zeros(), |p, m| p + self.w[corners[m]] * weight[m]);
            let square = p.norm_squared();
            if square < best.2 {
                best = (corners, weight, square);
            }
        }
        (best.0, best.1)
    }

    /// `None` if the origin is inside.
    fn on_tetrahedron(&self) -> Option<Part> {
        let w = &self.w;
        let (u, v, t) = (w[1] - w[0], w[2] - w[0], w[3] - w[0]);
        let volume = u.cross(&v).dot(&t);
        let flat = volume.abs() <= 1e-14 * u.norm() * v.norm() * t.norm();
        let faces = [(0, 1, 2, 3), (0, 3, 1, 2), (0, 2, 3, 1), (1, 3, 2, 0)];
        let mut outside = [false; 4];
        for (o, (i, j, k, apex)) in outside.iter_mut().zip(faces) {
            let n = (w[j] - w[i]).cross(&(w[k] - w[i]));
            // the origin and the apex on different sides
            *o = flat || -w[i].dot(&n) * (w[apex] - w[i]).dot(&n) < 0.0;
        }
        if outside == [false; 4] {
            return None;
        }
        let seen = faces.iter().zip(outside).filter(|(_, o)| *o);
        Some(self.nearest(seen.map(|((i, j, k, _), _)| self.on_triangle(*i, *j, *k))))
    }
}

/// Corners and their weights; a weight of zero drops its corner.
type Part = ([usize; 3], [f64; 3]);
