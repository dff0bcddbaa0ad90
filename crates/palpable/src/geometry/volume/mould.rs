//! Convex solids prepared for cutting.

use super::super::hull::convex_hull;
use super::super::mass_polyhedron;
use super::super::surface::ClosedSurface;
use crate::math::Vec3;
use thiserror::Error;

/// A face: its plane `normal · p = offset`, and where its corners stand in the list of loops.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Face {
    pub normal: Vec3,
    pub offset: f64,
    pub first: u32,
    pub count: u32,
}

/// Why something is no mould.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum MouldError {
    /// A corner of a face that is not among the vertices.
    #[error("face {face} names a vertex that does not exist")]
    Corner {
        /// Which face.
        face: usize,
    },
    /// A number that is not finite.
    #[error("a vertex is not finite")]
    NotFinite,
}

/// What a solid is bounded by.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Form {
    Polyhedron,
    /// A ball with this radius [m]; the faces are its tessellation.
    Ball(f64),
    /// Everything below `z = 0`: one plane, no vertices.
    HalfSpace,
}

/// A convex solid in its own frame: corners, and faces as loops that run anticlockwise seen from
/// outside. Lengths in metres.
#[derive(Debug, Clone, PartialEq)]
pub struct Mould {
    pub(super) form: Form,
    pub(super) vertices: Vec<Vec3>,
    pub(super) faces: Vec<Face>,
    pub(super) loops: Vec<u32>,
    /// Centre and radius of a ball around it [m].
    pub(super) center: Vec3,
    pub(super) radius: f64,
}

/// Sides of a round mantle. The polygon has the area of the circle, so its corners stand 0.14 %
/// of the radius outside and its sides 0.07 % inside.
const SIDES: usize = 48;
/// Corners of a ball that meets an edge or another round shape: with the volume of the ball its
/// surface is within 1.6 % of the radius.
const BALL_POINTS: usize = 192;

impl Mould {
    /// From vertices and loops of corners. Faces that are flat, inverted, or not closed are taken
    /// as they are: every overlap is finite, but it means something only for convex solids.
    ///
    /// # Errors
    /// A corner that does not exist, or a vertex that is not finite.
    pub fn from_faces(vertices: Vec<Vec3>, loops: &[Vec<u32>]) -> Result<Self, MouldError> {
        if vertices.iter().any(|v| !v.iter().all(|c| c.is_finite())) {
            return Err(MouldError::NotFinite);
        }
        let known = |i: &u32| (*i as usize) < vertices.len();
        if let Some(face) = loops.iter().position(|l| !l.iter().all(known)) {
            return Err(MouldError::Corner { face });
        }
        Ok(Self::closed(vertices, loops.iter().map(Vec::as_slice)))
    }

    fn closed<'a>(vertices: Vec<Vec3>, rims: impl Iterator<Item = &'a [u32]>) -> Self {
        let (mut faces, mut loops) = (Vec::new(), Vec::<u32>::new());
        for rim in rims {
            let Some((normal, offset)) = plane_of(&vertices, rim) else { continue };
            let first = loops.len() as u32;
            loops.extend_from_slice(rim);
            faces.push(Face { normal, offset, first, count: rim.len() as u32 });
        }
        let count = vertices.len().max(1) as f64;
        let center = vertices.iter().sum::<Vec3>() / count;
        let radius = vertices.iter().map(|v| (v - center).norm()).fold(0.0, f64::max);
        Self { form: Form::Polyhedron, vertices, faces, loops, center, radius }
    }

    /// A cuboid with the given half edge lengths [m]; they may be zero.
    pub fn cuboid(half: &Vec3) -> Self {
        let side = |i: u32, bit: u32, h: f64| if i >> bit & 1 == 1 { h } else { -h };
        let corner = |i| Vec3::new(side(i, 0, half.x), side(i, 1, half.y), side(i, 2, half.z));
        let rims: [[u32; 4]; 6] =
            [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let mut made = Self::closed((0..8).map(corner).collect(), std::iter::empty());
        for (k, rim) in rims.iter().enumerate() {
            // a flat cuboid has no planes of its own, but it knows where they would be
            let normal = Vec3::ith(k / 2, if k % 2 == 0 { -1.0 } else { 1.0 });
            let first = made.loops.len() as u32;
            made.loops.extend_from_slice(rim);
            made.faces.push(Face { normal, offset: half[k / 2], first, count: 4 });
        }
        made
    }

    /// From faces whose corners are already known to be right.
    pub(crate) fn from_rims(vertices: &[Vec3], rims: &[Vec<u32>]) -> Self {
        Self::closed(vertices.to_vec(), rims.iter().map(Vec::as_slice))
    }

    /// Area of the largest side of the box around it, in its own axes [m²].
    pub(crate) fn largest_side(&self) -> f64 {
        let none = Vec3::repeat(f64::INFINITY);
        let around = |(low, high): (Vec3, Vec3), v: &Vec3| (low.inf(v), high.sup(v));
        let (low, high) = self.vertices.iter().fold((none, -none), around);
        let size = (high - low).sup(&Vec3::zeros());
        (size.x * size.y).max(size.y * size.z).max(size.x * size.z)
    }

    /// Everything below the plane `z = 0` of its frame.
    pub fn half_space() -> Self {
        let mut made = Self::closed(Vec::new(), std::iter::empty());
        made.form = Form::HalfSpace;
        made.faces.push(Face { normal: Vec3::z(), offset: 0.0, first: 0, count: 0 });
        made.radius = f64::INFINITY;
        made
    }

    /// A ball [m].
    pub fn ball(radius: f64) -> Self {
        let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
        let point = |k: usize| {
            let z = 1.0 - (2 * k + 1) as f64 / BALL_POINTS as f64;
            let (s, c) = (golden * k as f64).sin_cos();
            Vec3::new(c, s, 0.0) * (1.0 - z * z).sqrt() + Vec3::new(0.0, 0.0, z)
        };
        let points: Vec<Vec3> = (0..BALL_POINTS).map(point).collect();
        let volume = 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
        let made = Self::round(&points, |p| p * radius, volume);
        Self { form: Form::Ball(radius), ..made }
    }

    /// A cylinder along z: half its length, and radius [m].
    pub fn cylinder(half: f64, radius: f64) -> Self {
        let rings = [(half, radius), (-half, radius)];
        Self::of_rings(&rings, equal_area(radius))
    }

    /// A capsule along z: half the distance between the centres of its ends, and radius [m].
    pub fn capsule(half: f64, radius: f64) -> Self {
        let quarter = std::f64::consts::FRAC_PI_2;
        let ring = |k: usize, sign: f64| {
            let (s, c) = (quarter * k as f64 / 6.0).sin_cos();
            (sign * (half + radius * s), radius * c)
        };
        let rings: Vec<_> =
            (0..14).map(|k| ring(k / 2, if k % 2 == 0 { 1.0 } else { -1.0 })).collect();
        Self::of_rings(&rings, equal_area(radius))
    }

    /// The hull of circles about z, given by height and radius; circles are widened by `scale`.
    fn of_rings(rings: &[(f64, f64)], scale: f64) -> Self {
        let mut points = Vec::new();
        for &(z, r) in rings {
            let sides = if r > 1e-9 { SIDES } else { 1 };
            points.extend((0..sides).map(|k| {
                let angle = 2.0 * std::f64::consts::PI * k as f64 / SIDES as f64;
                let (s, c) = angle.sin_cos();
                Vec3::new(r * scale * c, r * scale * s, z)
            }));
        }
        Self::hull(&points)
    }

    /// Points of a round solid, scaled until their hull has its volume [m³].
    fn round(points: &[Vec3], at: impl Fn(&Vec3) -> Vec3, volume: f64) -> Self {
        let placed: Vec<Vec3> = points.iter().map(&at).collect();
        let Ok(surface) = convex_hull(&placed) else { return Self::hull(&placed) };
        let scale = (volume
            / mass_polyhedron::moments(surface.vertices(), surface.triangles()).volume)
            .cbrt();
        Self::hull(&placed.iter().map(|p| p * scale).collect::<Vec<_>>())
    }

    /// The convex hull of points [m]; a box around them where they have no volume.
    pub fn hull(points: &[Vec3]) -> Self {
        let Ok(surface) = convex_hull(points) else {
            let far = points.iter().fold(Vec3::zeros(), |m, p| m.sup(&p.abs()));
            return Self::cuboid(&far);
        };
        Self::of_surface(&surface)
    }

    /// From the triangulated boundary of a convex solid; coplanar triangles become one face.
    pub fn of_surface(surface: &ClosedSurface) -> Self {
        let rims = super::super::collide::outlines(surface);
        Self::from_rims(surface.vertices(), &rims)
    }

    /// How many faces it has.
    pub fn face_count(&self) -> usize {
        self.faces.len()
    }

    /// True for everything below a plane.
    pub fn is_half_space(&self) -> bool {
        self.form == Form::HalfSpace
    }
}

/// How much a regular polygon must be widened to have the area of its circle; 1 for a radius of 0.
fn equal_area(radius: f64) -> f64 {
    let angle = 2.0 * std::f64::consts::PI / SIDES as f64;
    if radius > 0.0 { (angle / angle.sin()).sqrt() } else { 1.0 }
}

/// Unit normal of a loop by the sum of its triangles, and how far out its corners reach.
fn plane_of(vertices: &[Vec3], rim: &[u32]) -> Option<(Vec3, f64)> {
    let at = |i: u32| vertices[i as usize];
    let origin = at(*rim.first()?);
    let mut area = Vec3::zeros();
    for pair in rim.windows(2) {
        area += (at(pair[0]) - origin).cross(&(at(pair[1]) - origin));
    }
    let normal = area.try_normalize(0.0).filter(|n| n.iter().all(|c| c.is_finite()))?;
    let offset = rim.iter().map(|&i| at(i).dot(&normal)).fold(f64::NEG_INFINITY, f64::max);
    Some((normal, offset))
}
