//! What two solids share, and the work space that finds it.

use super::ball;
use super::mould::{Form, Mould};
use crate::math::{Mat3, Room, Vec3};

/// Which of two solids a face belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// The first.
    A,
    /// The second.
    B,
}

/// Where a solid is: rotation and origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placement {
    /// Axes of the solid as columns.
    pub rotation: Mat3,
    /// Origin of the solid [m].
    pub origin: Vec3,
}

impl Placement {
    /// At the origin.
    pub fn identity() -> Self {
        Self { rotation: Mat3::identity(), origin: Vec3::zeros() }
    }

    /// A point of the solid, seen from outside.
    #[inline]
    pub fn point(&self, p: &Vec3) -> Vec3 {
        self.rotation * p + self.origin
    }

    /// The placement `other` seen from this one.
    #[inline]
    pub fn view(&self, other: &Self) -> Self {
        Self {
            rotation: self.rotation.tr_mul(&other.rotation),
            origin: self.rotation.tr_mul(&(other.origin - self.origin)),
        }
    }

    /// `self` after `inner`.
    #[inline]
    pub fn times(&self, inner: &Self) -> Self {
        Self { rotation: self.rotation * inner.rotation, origin: self.point(&inner.origin) }
    }
}

/// A point of the contact region: area around it, and length of the overlap along the normal.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sample {
    /// Where, from the centre of the region along the first of [`Cutter::axes`] [m].
    pub x: f64,
    /// The same along the second [m].
    pub y: f64,
    /// Area that it stands for [m²].
    pub area: f64,
    /// Length of the overlap along the normal [m].
    pub depth: f64,
}

/// The overlap of two solids, in the frame of the first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overlap {
    /// Volume [m³].
    pub volume: f64,
    /// Centroid of the volume [m].
    pub centroid: Vec3,
    /// `∂V/∂x_A = ∫ n dS` over the faces of A inside B [m²].
    pub gradient: Vec3,
    /// `∂V/∂θ_A = ∫ x × n dS` over the same, about the origin of the frame of A [m³].
    pub turn_gradient: Vec3,
    /// Unit normal from A to B, along the gradient.
    pub normal: Vec3,
    /// Area of the overlap seen along the normal [m²].
    pub area: f64,
    /// Centroid of that area, in the contact plane: half way through the overlap [m].
    pub center: Vec3,
    /// Largest extent of the overlap along the normal [m].
    pub depth: f64,
}

/// Part of the square of an overlap's size below which its gradient says nothing.
const NO_DIRECTION: f64 = 1e-9;

/// Buffers for overlaps; the last overlap's polygon and samples stay in it.
#[derive(Debug, Clone, Default)]
pub struct Cutter {
    pub(super) body: super::cut::Polyhedron,
    pub(super) spare: super::cut::Spare,
    /// Corners of the contact region in the contact plane, anticlockwise about the normal [m].
    pub polygon: Room<Vec3>,
    /// Lengths of the overlap along the normal at these corners and, last, at the centre [m].
    pub depths: Room<f64>,
    /// Unit vectors in the contact plane, right-handed about the normal.
    pub axes: [Vec3; 2],
    /// Points at which pressure and friction are summed.
    pub samples: Room<Sample>,
    pub(super) tops: Room<super::outline::Lid>,
    pub(super) bottoms: Room<super::outline::Lid>,
    pub(super) flat: Room<(f64, f64)>,
    pub(super) rim: Room<(f64, f64)>,
}

impl Cutter {
    /// Room for pairs of the given solids.
    pub fn with_room_for<'a>(moulds: impl Iterator<Item = &'a Mould>) -> Self {
        let faces = moulds.map(Mould::face_count).max().unwrap_or(0);
        // Euler: at most 2F corners, 6F ends of edges; twice for faces cut by rounding
        let (faces, corners, ends) = (4 * faces + 8, 8 * faces + 16, 24 * faces + 48);
        Self {
            body: super::cut::Polyhedron::with_capacity(faces, corners, ends),
            spare: super::cut::Spare::with_capacity(corners),
            polygon: Room::with_capacity(corners),
            depths: Room::with_capacity(corners + 1),
            axes: [Vec3::zeros(); 2],
            samples: Room::with_capacity(6 * corners),
            tops: Room::with_capacity(faces),
            bottoms: Room::with_capacity(faces),
            flat: Room::with_capacity(corners),
            rim: Room::with_capacity(2 * corners),
        }
    }

    /// The overlap of `a` and `b`, which stands at `at` in the frame of `a`; `None` if they share
    /// no volume. `fallback` gives a unit normal from A to B for an overlap that has none, as when
    /// one solid is inside the other.
    ///
    /// Never panics. Balls meet half-spaces, balls, and the inside of faces in closed form; other
    /// round shapes as polyhedra (see [`Mould`]).
    pub fn overlap(
        &mut self,
        a: &Mould,
        b: &Mould,
        at: &Placement,
        fallback: impl Fn() -> Vec3,
    ) -> Option<Overlap> {
        self.polygon.clear();
        self.depths.clear();
        self.samples.clear();
        if let Some(found) = ball::closed_form(self, a, b, at) {
            return found;
        }
        if a.form == Form::HalfSpace {
            let back = Placement {
                rotation: at.rotation.transpose(),
                origin: -at.rotation.tr_mul(&at.origin),
            };
            let found = self.cut(b, a, &back, &|| -at.rotation.tr_mul(&fallback()))?;
            return Some(self.seen_from(found, at));
        }
        self.cut(a, b, at, &fallback)
    }

    fn cut(
        &mut self,
        a: &Mould,
        b: &Mould,
        at: &Placement,
        fallback: &dyn Fn() -> Vec3,
    ) -> Option<Overlap> {
        self.body.load(a);
        if !self.body.cut_by(a, b, at, &mut self.spare) {
            return None;
        }
        let solid = self.body.measure()?;
        let along = if b.form == Form::HalfSpace {
            // exact, and the same however deep
            Some(-at.rotation.column(2))
        } else {
            // the gradient is an area: that of a length of what is left
            let size = self.body.spread(&solid.centroid);
            let big = solid.gradient.norm() > NO_DIRECTION * size * size;
            big.then(|| solid.gradient.normalize())
        };
        let normal = along.unwrap_or_else(fallback);
        let (area, center, depth) = self.outline(&normal, &solid)?;
        let super::measure::Solid { volume, centroid, gradient, turn_gradient } = solid;
        let found =
            Overlap { volume, centroid, gradient, turn_gradient, normal, area, center, depth };
        (volume > 0.0 && volume.is_finite()).then_some(found)
    }

    /// The normal runs the other way.
    pub(super) fn exchange(&mut self) {
        self.polygon.reverse();
        if let Some((_, rim)) = self.depths.split_last_mut() {
            rim.reverse();
        }
        self.axes.swap(0, 1);
        self.samples.iter_mut().for_each(|s| (s.x, s.y) = (s.y, s.x));
    }

    /// The deepest of corners and samples of `found`, the last overlap.
    pub fn deepest(&self, found: &Overlap) -> Sample {
        let mut best = Sample::default();
        for (point, depth) in self.polygon.iter().chain([&found.center]).zip(&self.depths) {
            if *depth > best.depth {
                let arm = point - found.center;
                let (x, y) = (arm.dot(&self.axes[0]), arm.dot(&self.axes[1]));
                best = Sample { x, y, area: 0.0, depth: *depth };
            }
        }
        let deeper = |a: Sample, b: &Sample| if b.depth > a.depth { *b } else { a };
        self.samples.iter().fold(best, deeper)
    }

    /// An overlap found with the solids exchanged, in the frame of the second at `at`.
    pub(super) fn seen_from(&mut self, found: Overlap, at: &Placement) -> Overlap {
        let turn = |v: &Vec3| at.rotation * v;
        self.polygon.iter_mut().for_each(|p| *p = at.point(p));
        self.axes = self.axes.map(|v| turn(&v));
        self.exchange();
        // moving B by −dx and −dθ about the origin of A is moving A
        let gradient = -turn(&found.gradient);
        let moment = turn(&found.turn_gradient) + at.origin.cross(&turn(&found.gradient));
        Overlap {
            centroid: at.point(&found.centroid),
            center: at.point(&found.center),
            normal: -turn(&found.normal),
            gradient,
            turn_gradient: -moment,
            ..found
        }
    }
}
