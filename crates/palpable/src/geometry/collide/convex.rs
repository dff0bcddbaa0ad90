//! Convex solids as a core and a radius around it, and their support points.

use std::sync::Arc;

use super::frame::{Aabb, Frame};
use super::polyhedron::{Poly, Polyhedron};
use crate::math::Vec3;

/// What a radius is swept around: a ball is a point, a capsule a segment; the rest has radius 0.
#[derive(Debug, Clone, Copy)]
pub(super) enum Core<'a> {
    Point,
    /// Along z; half its length.
    Segment(f64),
    Cuboid(Vec3, Poly<'a>),
    /// Along z; half its length, radius.
    Cylinder(f64, f64),
    Hull(Poly<'a>),
}

/// A convex solid by reference, in its own frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Convex<'a> {
    pub core: Core<'a>,
    pub radius: f64,
}

impl<'a> Convex<'a> {
    /// The point of the core furthest along a direction.
    #[inline]
    pub fn support(&self, d: &Vec3) -> Vec3 {
        match &self.core {
            Core::Point => Vec3::zeros(),
            Core::Segment(half) => Vec3::new(0.0, 0.0, half.copysign(d.z)),
            Core::Cuboid(h, _) => {
                Vec3::new(h.x.copysign(d.x), h.y.copysign(d.y), h.z.copysign(d.z))
            }
            Core::Cylinder(half, radius) => {
                let (x, y) = rim(d, *radius);
                Vec3::new(x, y, half.copysign(d.z))
            }
            Core::Hull(poly) => poly.support(d),
        }
    }

    /// The polyhedron of a core with flat faces.
    pub fn poly(&self) -> Option<Poly<'a>> {
        match self.core {
            Core::Cuboid(_, poly) | Core::Hull(poly) => Some(poly),
            _ => None,
        }
    }

    /// Half the extent of the core, for tolerances [m].
    pub fn size(&self) -> f64 {
        match &self.core {
            Core::Point => 0.0,
            Core::Segment(half) => *half,
            Core::Cuboid(_, poly) | Core::Hull(poly) => poly.size,
            Core::Cylinder(half, radius) => half + radius,
        }
    }

    /// The flat face nearest to a direction: its unit normal.
    pub fn face_normal(&self, d: &Vec3) -> Option<Vec3> {
        match &self.core {
            Core::Point | Core::Segment(_) => None,
            Core::Cylinder(..) => Some(Vec3::new(0.0, 0.0, 1f64.copysign(d.z))),
            Core::Cuboid(..) => {
                let axis = d.iamax();
                Some(Vec3::ith(axis, 1f64.copysign(d[axis])))
            }
            Core::Hull(poly) => poly.faces.get(poly.face_along(d)).map(|f| f.normal),
        }
    }
}

/// The rim point of a disc of some radius towards a direction; x if the direction is the axis.
#[inline]
pub(super) fn rim(d: &Vec3, radius: f64) -> (f64, f64) {
    let length = (d.x * d.x + d.y * d.y).sqrt();
    if length > 1e-300 { (radius * d.x / length, radius * d.y / length) } else { (radius, 0.0) }
}

/// Which core a solid has; hulls and boxes keep their polyhedron beside it.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Point,
    Segment(f64),
    Cuboid(Vec3),
    Cylinder(f64, f64),
    Hull,
}

/// A convex solid that owns its data.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Solid {
    kind: Kind,
    radius: f64,
    poly: Option<Arc<Polyhedron>>,
    /// In the solid's own frame.
    pub bounds: Aabb,
}

impl Solid {
    pub fn sphere(radius: f64) -> Self {
        Self::bounded(Kind::Point, radius, None, Vec3::repeat(radius))
    }

    pub fn capsule(half: f64, radius: f64) -> Self {
        let half_extents = Vec3::new(radius, radius, half + radius);
        Self::bounded(Kind::Segment(half), radius, None, half_extents)
    }

    pub fn cylinder(half: f64, radius: f64) -> Self {
        let half_extents = Vec3::new(radius, radius, half);
        Self::bounded(Kind::Cylinder(half, radius), 0.0, None, half_extents)
    }

    pub fn cuboid(half: Vec3) -> Self {
        let poly = Some(Arc::new(Polyhedron::cuboid(&half)));
        Self::bounded(Kind::Cuboid(half), 0.0, poly, half)
    }

    pub fn hull(poly: Polyhedron) -> Self {
        let bounds = Aabb::around(poly.view().vertices.iter().copied());
        Self { kind: Kind::Hull, radius: 0.0, poly: Some(Arc::new(poly)), bounds }
    }

    fn bounded(kind: Kind, radius: f64, poly: Option<Arc<Polyhedron>>, half: Vec3) -> Self {
        Self { kind, radius, poly, bounds: Aabb { low: -half, high: half } }
    }

    pub fn view(&self) -> Convex<'_> {
        let poly = self.poly.as_deref().map(Polyhedron::view);
        let core = match (self.kind, poly) {
            (Kind::Segment(half), _) => Core::Segment(half),
            (Kind::Cylinder(half, radius), _) => Core::Cylinder(half, radius),
            (Kind::Cuboid(half), Some(poly)) => Core::Cuboid(half, poly),
            (Kind::Hull, Some(poly)) => Core::Hull(poly),
            _ => Core::Point,
        };
        Convex { core, radius: self.radius }
    }

    /// The smallest axis-aligned box around the solid standing at `frame`; for capsules and
    /// hulls a little more.
    pub fn aabb(&self, frame: &Frame) -> Aabb {
        match self.kind {
            Kind::Point => {
                let r = Vec3::repeat(self.radius);
                Aabb { low: frame.x - r, high: frame.x + r }
            }
            _ => self.bounds.moved(frame),
        }
    }
}

/// Two solids, the second seen from the frame of the first; `n` points from `a` to `b`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair<'a> {
    pub a: Convex<'a>,
    pub b: Convex<'a>,
    pub frame: Frame,
}

impl<'a> Pair<'a> {
    /// The same two solids in the other order, seen from the frame of `b`.
    pub fn flipped(&self) -> Pair<'a> {
        Pair { a: self.b, b: self.a, frame: self.frame.inverse() }
    }

    #[inline]
    pub fn support_a(&self, d: &Vec3) -> Vec3 {
        self.a.support(d)
    }

    #[inline]
    pub fn support_b(&self, d: &Vec3) -> Vec3 {
        self.frame.point(&self.b.support(&self.frame.inverse_vector(d)))
    }

    /// How far the cores are apart along a unit direction; never more than their distance.
    #[inline]
    pub fn separation(&self, n: &Vec3) -> f64 {
        (self.support_b(&-n) - self.support_a(n)).dot(n)
    }

    /// Extent of both cores together, for tolerances [m].
    pub fn size(&self) -> f64 {
        self.a.size() + self.b.size()
    }
}
