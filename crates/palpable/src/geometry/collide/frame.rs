//! A frame as rotation matrix and origin: what the narrow phase works with.

use crate::math::{Mat3, Vec3};

/// A pose: rotation and translation. Lengths in metres.
pub type Isometry = nalgebra::Isometry3<f64>;

/// Rotation matrix and origin of a frame, seen from another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Frame {
    pub r: Mat3,
    pub x: Vec3,
}

/// Positions beyond this are refused [m]: their squares still leave room for products.
const FARTHEST: f64 = 1e15;

impl Frame {
    pub fn identity() -> Self {
        Self { r: Mat3::identity(), x: Vec3::zeros() }
    }

    /// `None` if a number is not finite, out of range, or the quaternion is not of unit length.
    pub fn checked(pose: &Isometry) -> Option<Self> {
        let x = pose.translation.vector;
        let norm = pose.rotation.quaternion().norm_squared();
        let usable = x.iter().all(|c| c.abs() <= FARTHEST) && (norm - 1.0).abs() < 1e-6;
        usable.then(|| Self::from(pose))
    }

    #[inline]
    pub fn point(&self, p: &Vec3) -> Vec3 {
        self.r * p + self.x
    }

    #[inline]
    pub fn vector(&self, v: &Vec3) -> Vec3 {
        self.r * v
    }

    #[inline]
    pub fn inverse_point(&self, p: &Vec3) -> Vec3 {
        self.r.tr_mul(&(p - self.x))
    }

    #[inline]
    pub fn inverse_vector(&self, v: &Vec3) -> Vec3 {
        self.r.tr_mul(v)
    }

    /// `self` after `inner`: the frame `inner`, given in `self`, seen from outside.
    #[inline]
    pub fn times(&self, inner: &Frame) -> Frame {
        Frame { r: self.r * inner.r, x: self.point(&inner.x) }
    }

    /// The frame `other` seen from this one.
    #[inline]
    pub fn view(&self, other: &Frame) -> Frame {
        Frame { r: self.r.tr_mul(&other.r), x: self.inverse_point(&other.x) }
    }

    pub fn inverse(&self) -> Frame {
        Frame { r: self.r.transpose(), x: -self.r.tr_mul(&self.x) }
    }
}

impl From<&Isometry> for Frame {
    fn from(pose: &Isometry) -> Self {
        // dividing by the squared length forgives a quaternion that drifted
        let q = pose.rotation.quaternion();
        let s = 2.0 / q.norm_squared();
        let (w, x, y, z) = (q.w, q.i, q.j, q.k);
        let r = Mat3::new(
            1.0 - s * (y * y + z * z),
            s * (x * y - w * z),
            s * (x * z + w * y),
            s * (x * y + w * z),
            1.0 - s * (x * x + z * z),
            s * (y * z - w * x),
            s * (x * z - w * y),
            s * (y * z + w * x),
            1.0 - s * (x * x + y * y),
        );
        Self { r, x: pose.translation.vector }
    }
}

/// An axis-aligned box [m].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Aabb {
    pub low: Vec3,
    pub high: Vec3,
}

impl Aabb {
    /// Around nothing.
    pub const NONE: Aabb = Aabb {
        low: Vec3::new(f64::INFINITY, f64::INFINITY, f64::INFINITY),
        high: Vec3::new(f64::NEG_INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY),
    };

    pub fn around(points: impl IntoIterator<Item = Vec3>) -> Self {
        let grow = |b: Aabb, p: Vec3| Aabb { low: b.low.inf(&p), high: b.high.sup(&p) };
        points.into_iter().fold(Self::NONE, grow)
    }

    #[inline]
    pub fn overlaps(&self, other: &Aabb) -> bool {
        (0..3).all(|i| self.low[i] <= other.high[i] && other.low[i] <= self.high[i])
    }

    /// Less than `margin` apart along every axis.
    #[inline(always)]
    pub fn is_near(&self, other: &Aabb, margin: f64) -> bool {
        let apart = |i: usize| {
            (other.low[i] - self.high[i] > margin) | (self.low[i] - other.high[i] > margin)
        };
        !(apart(0) | apart(1) | apart(2))
    }

    #[inline]
    pub fn contains(&self, other: &Aabb) -> bool {
        (0..3).all(|i| self.low[i] <= other.low[i] && other.high[i] <= self.high[i])
    }

    #[inline]
    pub fn join(&self, other: &Aabb) -> Aabb {
        Aabb { low: self.low.inf(&other.low), high: self.high.sup(&other.high) }
    }

    #[inline]
    pub fn grown(&self, by: f64) -> Aabb {
        let by = Vec3::repeat(by);
        Aabb { low: self.low - by, high: self.high + by }
    }

    /// True if some of the box is less than `margin` above the plane z = 0 of a frame.
    pub fn below(&self, frame: &Frame, margin: f64) -> bool {
        let n = frame.r.column(2);
        let corner = |i: usize| if n[i] > 0.0 { self.low[i] } else { self.high[i] };
        let height = |i: usize| (corner(i) - frame.x[i]) * n[i];
        height(0) + height(1) + height(2) <= margin
    }

    pub fn center(&self) -> Vec3 {
        (self.low + self.high) * 0.5
    }

    /// The box, in the outer frame, around this box given in `frame`.
    pub fn moved(&self, frame: &Frame) -> Aabb {
        let half = frame.r.abs() * ((self.high - self.low) * 0.5);
        let center = frame.point(&self.center());
        Aabb { low: center - half, high: center + half }
    }

    /// Entry of the ray `from + t along`, `0 ≤ t ≤ most`, or `None` if it misses; `inverse` is
    /// one over `along`, component by component.
    pub fn ray(&self, from: &Vec3, inverse: &Vec3, most: f64) -> Option<f64> {
        let (mut near, mut far) = (0.0_f64, most);
        for i in 0..3 {
            let a = (self.low[i] - from[i]) * inverse[i];
            let b = (self.high[i] - from[i]) * inverse[i];
            // NaN (0 · ∞, on the face of a slab) leaves the interval alone
            near = near.max(a.min(b));
            far = far.min(a.max(b));
        }
        (near <= far).then_some(near)
    }
}
