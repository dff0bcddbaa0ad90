//! Contact points of two convex solids along one normal.

use super::clip::{Clipped, clip};
use super::convex::Pair;
use super::feature::{Feature, feature};
use super::glide::Glide;
use super::reduce::reduce;
use crate::math::Vec3;

/// A contact in the frame of solid a.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Point {
    /// On the surface of a.
    pub a: Vec3,
    /// On the surface of b.
    pub b: Vec3,
    /// Along the normal [m]; negative inside.
    pub gap: f64,
    pub id: u32,
}

/// Contacts that stand for a manifold.
pub(super) const FEW_POINTS: usize = 4;
/// Most contacts of one manifold, with those that may touch until the next update.
pub(super) const MOST_POINTS: usize = 8;

/// Contacts that share one normal, in the frame of solid a.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Patch {
    /// Unit length, from a to b.
    pub normal: Vec3,
    pub points: [Point; MOST_POINTS],
    pub count: usize,
}

impl Patch {
    pub fn list(&self) -> &[Point] {
        &self.points[..self.count]
    }

    pub fn push(&mut self, point: Point) {
        if self.count < MOST_POINTS && point.gap.is_finite() {
            self.points[self.count] = point;
            self.count += 1;
        }
    }

    /// The smallest gap; infinite without contacts.
    pub fn gap(&self) -> f64 {
        self.list().iter().map(|p| p.gap).fold(f64::INFINITY, f64::min)
    }

    /// The same contacts with a and b exchanged, seen from the frame of b.
    pub fn flipped(&self, frame: &super::frame::Frame) -> Patch {
        let mut out = Patch { normal: frame.inverse_vector(&-self.normal), ..*self };
        for p in &mut out.points[..out.count] {
            (p.a, p.b) = (frame.inverse_point(&p.b), frame.inverse_point(&p.a));
        }
        out
    }
}

/// Where two cores are nearest (or deepest) along a normal.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axis {
    /// Unit length, from a to b.
    pub normal: Vec3,
    /// Of the cores, along the normal [m].
    pub gap: f64,
    /// A pair of points with that gap, if the method knows one.
    pub witness: Option<(Vec3, Vec3)>,
}

/// A face whose normal is nearer to the contact normal than this (about 5°) makes a manifold.
const ALIGNED: f64 = 0.996;
/// Lines whose directions differ by less (sine) count as parallel.
const PARALLEL: f64 = 0.05;
/// Corners this share of the size outside a face count as inside.
const SLACK: f64 = 1e-9;
/// Number of the contact that the distance itself gave.
const WITNESS: u32 = 1 << 30;
/// Marks contacts whose reference face is that of b.
const FROM_B: u32 = 1 << 29;

/// The contacts of a pair along an axis, nearer than `reach` [m] (radii included).
pub(super) fn patch(pair: &Pair, axis: &Axis, reach: f64, scratch: &mut Scratch) -> Patch {
    let n = axis.normal;
    let Scratch { fa, fb, clipped, candidates } = scratch;
    feature(&pair.a, &n, fa);
    feature(&pair.b, &pair.frame.inverse_vector(&-n), fb);
    fb.move_out(&pair.frame);
    let radii = pair.a.radius + pair.b.radius;
    candidates.start(n, reach + radii);
    let (ca, cb) = (fa.normal.dot(&n), -fb.normal.dot(&n));
    let slack = SLACK * pair.size();
    if fa.is_face() && ca >= ALIGNED && !(fb.is_face() && cb > ca + 1e-6) {
        candidates.add_clipped(clip(fb, fa, slack, clipped), fa, false);
    } else if fb.is_face() && cb >= ALIGNED {
        candidates.add_clipped(clip(fa, fb, slack, clipped), fb, true);
    } else if fa.count == 2 && fb.count == 2 {
        candidates.add_lines(fa, fb);
    }
    candidates.add_witness(axis, slack, pair);
    let mut out = reduce(&n, candidates.list(), &candidates.glide);
    for p in &mut out.points[..out.count] {
        p.a += n * pair.a.radius;
        p.b -= n * pair.b.radius;
        p.gap -= radii;
    }
    out
}

/// Room for every corner of a clipped feature and the witness.
const ROOM: usize = super::clip::ROOM + 1;

/// Buffers that a manifold needs on the way: large, so they are kept and handed down.
#[derive(Debug, Clone)]
pub(super) struct Scratch {
    pub fa: Feature,
    pub fb: Feature,
    clipped: (Clipped, Clipped),
    pub candidates: Candidates,
}

impl Scratch {
    pub fn new() -> Self {
        Self {
            fa: Feature::empty(),
            fb: Feature::empty(),
            clipped: (Clipped::empty(), Clipped::empty()),
            candidates: Candidates::default(),
        }
    }
}

/// Contacts from which a manifold is chosen.
#[derive(Debug, Clone)]
pub(super) struct Candidates {
    n: Vec3,
    most: f64,
    points: [Point; ROOM],
    count: usize,
    /// how b moves past a, in the frame of a
    pub glide: Glide,
}

impl Default for Candidates {
    fn default() -> Self {
        let (points, glide) = ([Point::default(); ROOM], Glide::NONE);
        Self { n: Vec3::zeros(), most: 0.0, points, count: 0, glide }
    }
}

impl Candidates {
    /// Empties the list; contacts along `n` up to a gap of `most` will be taken.
    pub fn start(&mut self, n: Vec3, most: f64) {
        (self.n, self.most, self.count) = (n, most, 0);
    }

    pub fn list(&self) -> &[Point] {
        &self.points[..self.count]
    }

    pub fn push(&mut self, point: Point) {
        if self.count < ROOM && point.gap <= self.most {
            self.points[self.count] = point;
            self.count += 1;
        }
    }

    /// Corners of the incident feature and their images on the reference face along the normal.
    fn add_clipped(&mut self, kept: &Clipped, reference: &Feature, from_b: bool) {
        let (m, origin) = (reference.normal, reference.points[0]);
        let slope = 1.0 / m.dot(&self.n);
        for corner in kept.list() {
            let along = (corner.point - origin).dot(&m) * slope;
            let image = corner.point - self.n * along;
            let id = corner.id | if from_b { FROM_B } else { 0 };
            self.push(if from_b {
                Point { a: corner.point, b: image, gap: -along, id }
            } else {
                Point { a: image, b: corner.point, gap: along, id }
            });
        }
    }

    /// Two nearly parallel lines: the ends of the part they share.
    fn add_lines(&mut self, fa: &Feature, fb: &Feature) {
        let (p, d) = (fa.points[0], fa.points[1] - fa.points[0]);
        let (q, e) = (fb.points[0], fb.points[1] - fb.points[0]);
        let (dd, de) = (d.norm_squared(), d.dot(&e));
        if !(d.cross(&e).norm_squared() <= PARALLEL * PARALLEL * dd * e.norm_squared()) || de == 0.0
        {
            return;
        }
        // parameters of b's ends on a, and of a's ends on b
        let on_a = |x: Vec3| (x - p).dot(&d) / dd;
        let on_b = |t: f64| (p + d * t - q).dot(&d) / de;
        let (s0, s1) = (on_a(q), on_a(q + e));
        let (low, high) = (s0.min(s1).max(0.0), s0.max(s1).min(1.0));
        if low > high {
            return;
        }
        for (t, id) in [(low, 0), (high, 1)] {
            let a = p + d * t;
            let b = q + e * on_b(t).clamp(0.0, 1.0);
            self.push(Point { a, b, gap: (b - a).dot(&self.n), id });
        }
    }

    /// Adds the point that the distance gave, unless a corner is as deep.
    fn add_witness(&mut self, axis: &Axis, slack: f64, pair: &Pair) {
        let nearest = self.list().iter().map(|p| p.gap).fold(f64::INFINITY, f64::min);
        let b = match axis.witness {
            Some((_, b)) if nearest > axis.gap + slack => b,
            None if self.count == 0 && axis.gap <= 0.0 => pair.support_b(&-self.n),
            _ => return,
        };
        // straight across, whatever the search left sideways
        let a = b - self.n * axis.gap;
        self.push(Point { a, b, gap: axis.gap, id: WITNESS });
    }
}
