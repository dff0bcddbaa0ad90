//! The contact region: the overlap seen along its normal, as a polygon and as points with depths.

use super::measure::Solid;
use super::overlap::{Cutter, Sample};
use crate::math::Vec3;

/// Faces steeper than this (cosine to the normal) bound the region, not its depth.
const STEEP: f64 = 1e-6;
/// Polygons with more corners than this are summed with three points a triangle.
const MANY: usize = 8;
/// Three points, exact for squares: the middles of the sides.
const THREE: [(f64, f64, f64); 3] =
    [(0.5, 0.0, 1.0 / 3.0), (0.5, 0.5, 1.0 / 3.0), (0.0, 0.5, 1.0 / 3.0)];
/// Six points, exact for fourth powers `[Dunavant1985]`.
const SIX: [(f64, f64, f64); 6] = [
    (0.445_948_490_915_965, 0.445_948_490_915_965, 0.223_381_589_678_011),
    (0.445_948_490_915_965, 0.108_103_018_168_070, 0.223_381_589_678_011),
    (0.108_103_018_168_070, 0.445_948_490_915_965, 0.223_381_589_678_011),
    (0.091_576_213_509_771, 0.091_576_213_509_771, 0.109_951_743_655_322),
    (0.091_576_213_509_771, 0.816_847_572_980_459, 0.109_951_743_655_322),
    (0.816_847_572_980_459, 0.091_576_213_509_771, 0.109_951_743_655_322),
];

/// Gauss's rule of four points on 0..1: places and weights.
const FOUR: [(f64, f64); 4] = [
    (0.069_431_844_202_973_7, 0.173_927_422_568_727),
    (0.330_009_478_207_572, 0.326_072_577_431_273),
    (0.669_990_521_792_428, 0.326_072_577_431_273),
    (0.930_568_155_797_026, 0.173_927_422_568_727),
];

/// The contact plane: origin and axes, `u × v = normal`.
#[derive(Debug, Clone, Copy)]
struct Plane {
    origin: Vec3,
    u: Vec3,
    v: Vec3,
    n: Vec3,
}

impl Plane {
    fn new(origin: Vec3, n: &Vec3) -> Self {
        let side = if n.x.abs() < 0.6 { Vec3::x() } else { Vec3::y() };
        let u = n.cross(&side).normalize();
        Self { origin, u, v: n.cross(&u), n: *n }
    }

    fn flat(&self, p: &Vec3) -> (f64, f64) {
        let d = p - self.origin;
        (d.dot(&self.u), d.dot(&self.v))
    }

    fn space(&self, (x, y): (f64, f64)) -> Vec3 {
        self.origin + self.u * x + self.v * y
    }
}

impl Cutter {
    /// Writes polygon and samples; returns area, its centroid and the extent along the normal.
    pub(super) fn outline(&mut self, normal: &Vec3, solid: &Solid) -> Option<(f64, Vec3, f64)> {
        let height = |v: &Vec3| (v - solid.centroid).dot(normal);
        let none = (f64::INFINITY, f64::NEG_INFINITY);
        let spread = |(l, h): (f64, f64), v: &Vec3| (l.min(height(v)), h.max(height(v)));
        let (low, high) = self.body.corners_left().fold(none, spread);
        let middle = solid.centroid + normal * (0.5 * (low + high));
        let plane = Plane::new(middle, normal);
        self.flat.clear();
        self.flat.extend(self.body.corners_left().map(|v| plane.flat(v)));
        hull(&mut self.flat, &mut self.rim);
        self.polygon.extend(self.rim.iter().map(|&p| plane.space(p)));
        let (area, center) = centroid(&self.rim);
        if !(area > 0.0) {
            return None;
        }
        self.axes = [plane.u, plane.v];
        self.write_lids(&plane);
        for k in 0..self.rim.len() {
            let depth = self.depth(self.rim[k]);
            self.depths.push(depth);
        }
        let depth = self.depth(center);
        self.depths.push(depth);
        self.sample(center, solid.volume);
        Some((area, plane.space(center), high - low))
    }

    /// Points of a quadrilateral, or of the fan about the centroid. Depths are scaled so that they
    /// add up to the volume.
    fn sample(&mut self, center: (f64, f64), volume: f64) {
        if let &[a, b, c, d] = &self.rim[..] {
            let sum = self.sample_four([a, b, c, d], center);
            return level(&mut self.samples, volume, sum);
        }
        let rule: &[(f64, f64, f64)] = if self.rim.len() > MANY { &THREE } else { &SIX };
        let mut sum = 0.0;
        for k in 0..self.rim.len() {
            let (a, b) = (self.rim[k], self.rim[(k + 1) % self.rim.len()]);
            let (p, q) = ((a.0 - center.0, a.1 - center.1), (b.0 - center.0, b.1 - center.1));
            let twice = p.0 * q.1 - p.1 * q.0;
            for &(s, t, weight) in rule {
                let (x, y) = (s * p.0 + t * q.0, s * p.1 + t * q.1);
                let depth = self.depth((center.0 + x, center.1 + y));
                let area = 0.5 * twice * weight;
                sum += area * depth;
                self.samples.push(Sample { x, y, area, depth });
            }
        }
        level(&mut self.samples, volume, sum);
    }

    /// Sixteen points of a quadrilateral, as a square that is stretched; returns the volume under
    /// them. Exact for fourth powers, and nearer to `∫ √(x² + y²)` than the fan for its number.
    fn sample_four(&mut self, corners: [(f64, f64); 4], center: (f64, f64)) -> f64 {
        let [a, b, c, d] = corners.map(|p| (p.0 - center.0, p.1 - center.1));
        let mix =
            |p: (f64, f64), q: (f64, f64), t: f64| (p.0 + (q.0 - p.0) * t, p.1 + (q.1 - p.1) * t);
        let mut sum = 0.0;
        for (s, weight) in FOUR {
            // the line from one side to the opposite one
            let (low, high) = (mix(a, b, s), mix(d, c, s));
            let along = (high.0 - low.0, high.1 - low.1);
            for (t, other) in FOUR {
                let (x, y) = mix(low, high, t);
                let across = mix((b.0 - a.0, b.1 - a.1), (c.0 - d.0, c.1 - d.1), t);
                let area = weight * other * (across.0 * along.1 - across.1 * along.0);
                let depth = self.depth((center.0 + x, center.1 + y));
                sum += area * depth;
                self.samples.push(Sample { x, y, area, depth });
            }
        }
        sum
    }

    /// Length between all lids at a point of the contact plane.
    #[inline]
    fn depth(&self, at: (f64, f64)) -> f64 {
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        for lid in self.tops.iter() {
            let z = lid.height(at);
            high = if z < high { z } else { high };
        }
        for lid in self.bottoms.iter() {
            let z = lid.height(at);
            low = if z > low { z } else { low };
        }
        if high - low < f64::INFINITY { (high - low).max(0.0) } else { 0.0 }
    }

    /// Lists the faces that bound depths.
    fn write_lids(&mut self, plane: &Plane) {
        self.tops.clear();
        self.bottoms.clear();
        for face in &self.body.faces {
            let rise = face.normal.dot(&plane.n);
            if rise.abs() > STEEP {
                let at = (face.offset - face.normal.dot(&plane.origin)) / rise;
                let slope = (-face.normal.dot(&plane.u) / rise, -face.normal.dot(&plane.v) / rise);
                let lids = if rise > 0.0 { &mut self.tops } else { &mut self.bottoms };
                lids.push(Lid { at, slope });
            }
        }
    }
}

/// Makes depths add up to the volume; where rounding is all there is of them, they are equal.
pub(super) fn level(samples: &mut [Sample], volume: f64, sum: f64) {
    let scale = volume / sum;
    if scale > 0.5 && scale < 2.0 {
        samples.iter_mut().for_each(|s| s.depth *= scale);
        return;
    }
    let area: f64 = samples.iter().map(|s| s.area).sum();
    let depth = if area > 0.0 { volume / area } else { 0.0 };
    samples.iter_mut().for_each(|s| s.depth = depth);
}

/// A face that bounds depths: its height over the contact plane is `at + slope·(x, y)`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lid {
    at: f64,
    slope: (f64, f64),
}

impl Lid {
    #[inline]
    fn height(&self, (x, y): (f64, f64)) -> f64 {
        self.at + self.slope.0 * x + self.slope.1 * y
    }
}

/// The convex hull of points in the plane, anticlockwise (Andrew's monotone chain).
fn hull(points: &mut [(f64, f64)], out: &mut Vec<(f64, f64)>) {
    out.clear();
    points.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    points.iter().for_each(|&p| add_corner(out, p, 1));
    let kept = out.len();
    points.iter().rev().skip(1).for_each(|&p| add_corner(out, p, kept));
    out.pop();
}

/// Appends a corner and drops those before it that are no corners any more, down to `least`.
fn add_corner(out: &mut Vec<(f64, f64)>, p: (f64, f64), least: usize) {
    while out.len() > least {
        let (a, b) = (out[out.len() - 2], out[out.len() - 1]);
        if (b.0 - a.0) * (p.1 - a.1) - (b.1 - a.1) * (p.0 - a.0) > 0.0 {
            break;
        }
        out.pop();
    }
    out.push(p);
}

/// Area and centroid of a polygon.
fn centroid(rim: &[(f64, f64)]) -> (f64, (f64, f64)) {
    let Some(&first) = rim.first() else { return (0.0, (0.0, 0.0)) };
    let (mut area, mut x, mut y) = (0.0, 0.0, 0.0);
    for pair in rim.windows(2) {
        let p = (pair[0].0 - first.0, pair[0].1 - first.1);
        let q = (pair[1].0 - first.0, pair[1].1 - first.1);
        let twice = p.0 * q.1 - p.1 * q.0;
        area += twice;
        x += (p.0 + q.0) * twice;
        y += (p.1 + q.1) * twice;
    }
    if !(area > 0.0) {
        return (0.0, first);
    }
    (0.5 * area, (first.0 + x / (3.0 * area), first.1 + y / (3.0 * area)))
}
