//! Rays against shapes.

use super::collision_shape::CollisionShape;
use super::convex::{Convex, Core};
use super::facet::Facet;
use super::frame::{Frame, Isometry};
use super::height_field::HeightField;
use super::piece::Body;
use super::polyhedron::Poly;
use super::triangle_mesh::TriangleMesh;
use crate::math::Vec3;
use std::cell::Cell;

/// Where a ray enters a shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RayHit {
    /// Along the ray [m].
    pub distance: f64,
    /// In the world [m].
    pub point: Vec3,
    /// Unit normal of the surface in the world, against the ray.
    pub normal: Vec3,
}

/// Start, unit direction and length of a ray.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ray {
    pub from: Vec3,
    pub along: Vec3,
    pub most: f64,
}

/// Distance and outward normal in the frame of the shape.
type Hit = Option<(f64, Vec3)>;

impl Ray {
    /// `None` for a direction of no length, or numbers that are not finite.
    pub fn new(from: &Vec3, direction: &Vec3, most: f64) -> Option<Self> {
        let along = direction.try_normalize(0.0)?;
        let finite = from.iter().chain(along.iter()).all(|c| c.is_finite());
        (finite && most >= 0.0).then_some(Self { from: *from, along, most })
    }

    fn seen_from(&self, frame: &Frame) -> Ray {
        let (from, along) = (frame.inverse_point(&self.from), frame.inverse_vector(&self.along));
        Ray { from, along, most: self.most }
    }

    pub fn inverse(&self) -> Vec3 {
        self.along.map(|c| 1.0 / c)
    }

    fn at(&self, t: f64) -> Vec3 {
        self.from + self.along * t
    }
}

impl CollisionShape {
    /// Where a ray from `from` [m] along `direction` first enters the shape, up to `most` [m].
    ///
    /// A ray that starts inside a solid hits at once, with the normal against its direction;
    /// triangles are hit from their front only.
    pub fn ray_cast(
        &self,
        pose: &Isometry,
        from: &Vec3,
        direction: &Vec3,
        most: f64,
    ) -> Option<RayHit> {
        let frame = Frame::checked(pose)?;
        let ray = Ray::new(from, direction, most)?;
        let mut best: Option<RayHit> = None;
        self.each_piece(|inner, body| {
            if let Some(hit) = cast(body, &frame.times(inner), &ray)
                && best.is_none_or(|b| hit.distance < b.distance)
            {
                best = Some(hit);
            }
        });
        best
    }
}

/// A ray in the world against a piece.
pub(super) fn cast(body: &Body, frame: &Frame, ray: &Ray) -> Option<RayHit> {
    let local = ray.seen_from(frame);
    let (t, n) = match body {
        Body::Solid(solid) => convex(&solid.view(), &local),
        Body::HalfSpace => plane(&local),
        Body::Mesh(mesh) => surface(mesh, &local),
        Body::Field(field) => ground(field, &local),
    }?;
    let hit = RayHit { distance: t, point: ray.at(t), normal: frame.vector(&n) };
    (t <= ray.most).then_some(hit)
}

fn convex(solid: &Convex, ray: &Ray) -> Hit {
    match &solid.core {
        Core::Point => ball(&Vec3::zeros(), solid.radius, ray),
        Core::Segment(half) => capsule(*half, solid.radius, ray),
        Core::Cuboid(_, poly) | Core::Hull(poly) => polyhedron(poly, ray),
        Core::Cylinder(half, radius) => cylinder(*half, *radius, ray),
    }
}

fn plane(ray: &Ray) -> Hit {
    if ray.from.z <= 0.0 {
        return Some((0.0, -ray.along));
    }
    let t = -ray.from.z / ray.along.z;
    (t >= 0.0 && t.is_finite()).then_some((t, Vec3::z()))
}

fn ball(center: &Vec3, radius: f64, ray: &Ray) -> Hit {
    let d = ray.from - center;
    let c = d.norm_squared() - radius * radius;
    if c <= 0.0 {
        return Some((0.0, -ray.along));
    }
    let t = first_root(1.0, d.dot(&ray.along), c)?;
    Some((t, (d + ray.along * t) / radius))
}

/// The lesser root of `a t² + 2 b t + c`, if it lies ahead; `c > 0` outside.
fn first_root(a: f64, b: f64, c: f64) -> Option<f64> {
    let square = b * b - a * c;
    // c / (−b + √) does not cancel for b < 0
    (b < 0.0 && square >= 0.0 && a > 0.0).then(|| c / (square.sqrt() - b))
}

/// The side of a cylinder along z without ends: distance and place.
fn tube(radius: f64, ray: &Ray) -> Option<(f64, Vec3)> {
    let (p, d) = (ray.from, ray.along);
    let c = p.x * p.x + p.y * p.y - radius * radius;
    let t = first_root(d.x * d.x + d.y * d.y, p.x * d.x + p.y * d.y, c)?;
    Some((t, ray.at(t)))
}

fn capsule(half: f64, radius: f64, ray: &Ray) -> Hit {
    let on = Vec3::new(0.0, 0.0, ray.from.z.clamp(-half, half));
    if (ray.from - on).norm_squared() <= radius * radius {
        return Some((0.0, -ray.along));
    }
    let outside = ray.from.x.hypot(ray.from.y) > radius;
    if let Some((t, p)) = tube(radius, ray).filter(|(_, p)| outside && p.z.abs() <= half) {
        return Some((t, Vec3::new(p.x, p.y, 0.0) / radius));
    }
    let ends = [-half, half].map(|z| ball(&Vec3::new(0.0, 0.0, z), radius, ray));
    ends.into_iter().flatten().min_by(|a, b| a.0.total_cmp(&b.0))
}

fn cylinder(half: f64, radius: f64, ray: &Ray) -> Hit {
    let p = ray.from;
    let outside = p.x.hypot(p.y) > radius;
    if !outside && p.z.abs() <= half {
        return Some((0.0, -ray.along));
    }
    if let Some((t, p)) = tube(radius, ray).filter(|(_, p)| outside && p.z.abs() <= half) {
        return Some((t, Vec3::new(p.x, p.y, 0.0) / radius));
    }
    let side = 1f64.copysign(p.z);
    let t = (side * half - p.z) / ray.along.z;
    let q = ray.at(t);
    let on = p.z.abs() > half && t >= 0.0 && q.x.hypot(q.y) <= radius;
    on.then_some((t, Vec3::new(0.0, 0.0, side)))
}

/// The last plane entered before the first one left.
fn polyhedron(poly: &Poly, ray: &Ray) -> Hit {
    let (mut enter, mut leave) = ((0.0, -ray.along), f64::INFINITY);
    for face in poly.faces {
        let (height, rate) =
            (ray.from.dot(&face.normal) - face.offset, ray.along.dot(&face.normal));
        if rate == 0.0 {
            if height > 0.0 {
                return None;
            }
            continue;
        }
        let t = -height / rate;
        if rate > 0.0 {
            leave = leave.min(t);
        } else if t > enter.0 {
            enter = (t, face.normal);
        }
    }
    (enter.0 <= leave).then_some(enter)
}

fn triangle(facet: &Facet, ray: &Ray) -> Hit {
    let [a, b, c] = facet.triangle.corners;
    let n = facet.triangle.normal;
    let rate = ray.along.dot(&n);
    if rate >= 0.0 {
        return None;
    }
    let t = (a - ray.from).dot(&n) / rate;
    let p = ray.at(t);
    let inside = |q: Vec3, r: Vec3| (r - q).cross(&(p - q)).dot(&n) >= 0.0;
    (t >= 0.0 && inside(a, b) && inside(b, c) && inside(c, a)).then_some((t, n))
}

fn surface(mesh: &TriangleMesh, ray: &Ray) -> Hit {
    let best: Cell<Hit> = Cell::new(None);
    let inverse = ray.inverse();
    let most = || best.get().map_or(ray.most, |(t, _)| t);
    let enter = |b: &super::frame::Aabb| b.ray(&ray.from, &inverse, most()).is_some();
    mesh.walk(enter, |facet| {
        if let Some(hit) = triangle(facet, ray).filter(|h| h.0 < most()) {
            best.set(Some(hit));
        }
    });
    best.get()
}

/// Walks over the ground cell by cell.
fn ground(field: &HeightField, ray: &Ray) -> Hit {
    let mut t = field.bounds.ray(&ray.from, &ray.inverse(), ray.most)?;
    let stride = field.stride();
    // no ray inside the bounds is longer than their diagonal
    let end = (t + (field.bounds.high - field.bounds.low).norm()).min(ray.most);
    loop {
        let next = t + stride;
        let piece = super::frame::Aabb::around([ray.at(t), ray.at(next)]);
        let mut best: Hit = None;
        field.facets(&piece.grown(1e-9 * stride), |facet| {
            let hit = triangle(facet, ray).filter(|h| h.0 <= next);
            if let Some(hit) = hit.filter(|h| best.is_none_or(|b| h.0 < b.0)) {
                best = Some(hit);
            }
        });
        if best.is_some() || next > end {
            return best;
        }
        t = next;
    }
}
