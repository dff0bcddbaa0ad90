//! Overlaps of balls in closed form: with a half-space, with another ball, with the inside of a
//! flat face.
//!
//! # Equation
//! ```text
//! cap of height c of a ball of radius r:  V = π c² (r − c/3),   centroid 3 (2r − c)²/(4 (3r − c))
//! from the centre of the ball,   ∫ n dS = π (2 r c − c²) along the axis
//! ```

use super::mould::{Form, Mould};
use super::outline::level;
use super::overlap::{Cutter, Overlap, Placement, Sample};
use crate::math::Vec3;
use std::f64::consts::PI;

/// Rays of a round region.
const RAYS: usize = 8;
/// Gauss's rule of three points on 0..1, for the radius: places and weights.
const ALONG: [(f64, f64); 3] = [
    (0.112_701_665_379_258, 0.277_777_777_777_778),
    (0.5, 0.444_444_444_444_444),
    (0.887_298_334_620_742, 0.277_777_777_777_778),
];

/// A cap of a ball, cut off by a plane.
#[derive(Debug, Clone, Copy)]
struct Cap {
    radius: f64,
    height: f64,
}

impl Cap {
    fn volume(&self) -> f64 {
        PI * self.height * self.height * (self.radius - self.height / 3.0)
    }

    /// From the centre of the ball to the centroid [m].
    fn centroid(&self) -> f64 {
        let Self { radius: r, height: c } = *self;
        0.75 * (2.0 * r - c).powi(2) / (3.0 * r - c)
    }

    /// Square of the radius of its rim [m²].
    fn rim(&self) -> f64 {
        (self.height * (2.0 * self.radius - self.height)).max(0.0)
    }

    /// How far it rises above its plane at the distance whose square is `s`.
    fn rise(&self, s: f64) -> f64 {
        let Self { radius: r, height: c } = *self;
        ((r * r - s).max(0.0).sqrt() - (r - c)).max(0.0)
    }
}

/// `None` if there is no closed form; `Some(None)` if there is, and they do not meet.
pub(super) fn closed_form(
    cutter: &mut Cutter,
    a: &Mould,
    b: &Mould,
    at: &Placement,
) -> Option<Option<Overlap>> {
    match (&a.form, &b.form) {
        (&Form::Ball(r), &Form::Ball(q)) => two_balls(cutter, (r, q), &at.origin),
        (&Form::Ball(r), Form::HalfSpace) => {
            let n = at.rotation.column(2).into_owned();
            on_plane(cutter, r, (&-n, &Vec3::zeros()), -n.dot(&at.origin))
        }
        (Form::HalfSpace, &Form::Ball(r)) => {
            let found = on_plane(cutter, r, (&-Vec3::z(), &at.origin), at.origin.z)?;
            Some(found.map(|o| exchanged(cutter, o, &at.origin)))
        }
        (&Form::Ball(r), Form::Polyhedron) => {
            let (n, height) = inside_of_face(b, &at.rotation.tr_mul(&-at.origin), r)?;
            on_plane(cutter, r, (&-(at.rotation * n), &Vec3::zeros()), height)
        }
        (Form::Polyhedron, &Form::Ball(r)) => {
            let (n, height) = inside_of_face(a, &at.origin, r)?;
            let found = on_plane(cutter, r, (&-n, &at.origin), height)?;
            Some(found.map(|o| exchanged(cutter, o, &at.origin)))
        }
        _ => None,
    }
}

/// The only face of a polyhedron that a ball at `center` reaches, and the height of its centre
/// above that; `None` if it reaches more than the inside of one face, or comes through.
fn inside_of_face(solid: &Mould, center: &Vec3, radius: f64) -> Option<(Vec3, f64)> {
    let height = |k: &usize| solid.faces[*k].normal.dot(center) - solid.faces[*k].offset;
    let order = |i: &usize, j: &usize| height(i).total_cmp(&height(j));
    let top = (0..solid.faces.len()).max_by(order)?;
    let h = height(&top);
    if !(h > 0.0) || h >= radius {
        // too deep for a cap, or apart: the faces decide
        return None;
    }
    let n = solid.faces[top].normal;
    let rim = (radius * radius - h * h).sqrt();
    for face in solid.faces.iter().enumerate().filter(|(k, _)| *k != top).map(|(_, f)| f) {
        let slope = face.normal.dot(&n);
        // the point of the cap furthest along the face's normal: on the ball, or on its rim
        let reach = if slope * radius <= -h {
            face.normal.dot(center) + radius
        } else {
            let side = (1.0 - slope * slope).max(0.0).sqrt();
            face.normal.dot(&(center - n * h)) + rim * side
        };
        if !(reach <= face.offset) {
            return None;
        }
    }
    Some((n, h))
}

/// A ball (A) at `center` whose centre is `height` above a plane that B is behind; `toward` is the
/// unit vector from A into B.
fn on_plane(
    cutter: &mut Cutter,
    radius: f64,
    (toward, center): (&Vec3, &Vec3),
    height: f64,
) -> Option<Option<Overlap>> {
    let depth = radius - height;
    if !(depth > 0.0) {
        return Some(None);
    }
    let cap = Cap { radius, height: depth.min(2.0 * radius) };
    let (volume, down) = (cap.volume(), if depth < 2.0 * radius { cap.centroid() } else { 0.0 });
    let gradient = toward * (PI * cap.rim());
    // half way through the overlap; the widest place where the centre is below the plane
    let rim = if height > 0.0 { cap.rim() } else { radius * radius };
    let middle = center + toward * (height + 0.5 * cap.height);
    sample(cutter, (toward, &middle), rim, |s| {
        let half = (radius * radius - s).max(0.0).sqrt();
        (half - height.max(-half)).max(0.0)
    });
    scale(cutter, volume);
    let found = Overlap {
        volume,
        centroid: center + toward * down,
        gradient,
        turn_gradient: center.cross(&gradient),
        normal: *toward,
        area: PI * rim,
        center: middle,
        depth: cap.height,
    };
    Some((volume > 0.0).then_some(found))
}

/// Two balls, the second at `x`: two caps on one disc. `None` if one centre is inside the other's
/// cap, where the lens is no longer one.
fn two_balls(cutter: &mut Cutter, (r, q): (f64, f64), x: &Vec3) -> Option<Option<Overlap>> {
    let d = x.norm();
    if d >= r + q {
        return Some(None);
    }
    // distance of the disc from the first centre
    let at = (d * d + r * r - q * q) / (2.0 * d);
    if !(at > 0.0 && at < d) {
        return None;
    }
    let n = x / d;
    let (one, two) = (Cap { radius: r, height: r - at }, Cap { radius: q, height: q - (d - at) });
    let (v, w) = (one.volume(), two.volume());
    let volume = v + w;
    let centroid = n * ((v * one.centroid() + w * (d - two.centroid())) / volume);
    let rim = one.rim();
    let depth = one.height + two.height;
    let middle = n * (r - 0.5 * depth);
    sample(cutter, (&n, &middle), rim, |s| one.rise(s) + two.rise(s));
    scale(cutter, volume);
    let gradient = n * (PI * rim);
    let found = Overlap {
        volume,
        centroid,
        gradient,
        turn_gradient: Vec3::zeros(),
        normal: n,
        area: PI * rim,
        center: middle,
        depth,
    };
    Some((volume > 0.0).then_some(found))
}

/// A disc with the square radius `rim` about `center`: polygon and samples.
fn sample(cutter: &mut Cutter, (n, center): (&Vec3, &Vec3), rim: f64, depth: impl Fn(f64) -> f64) {
    let side = if n.x.abs() < 0.6 { Vec3::x() } else { Vec3::y() };
    let u = n.cross(&side).normalize();
    let (v, radius) = (n.cross(&u), rim.sqrt());
    cutter.axes = [u, v];
    for k in 0..2 * RAYS {
        let (s, c) = (PI * k as f64 / RAYS as f64).sin_cos();
        let ray = u * c + v * s;
        cutter.polygon.push(center + ray * radius);
        cutter.depths.push(depth(rim));
        if k % 2 == 1 {
            continue;
        }
        for (t, weight) in ALONG {
            let r = t * radius;
            let area = 2.0 * PI / RAYS as f64 * r * weight * radius;
            cutter.samples.push(Sample { x: r * c, y: r * s, area, depth: depth(r * r) });
        }
    }
    cutter.depths.push(depth(0.0));
}

/// Makes the depths add up to the volume.
fn scale(cutter: &mut Cutter, volume: f64) {
    let sum: f64 = cutter.samples.iter().map(|s| s.area * s.depth).sum();
    level(&mut cutter.samples, volume, sum);
}

/// The same overlap when the ball, at `center`, is the second solid.
fn exchanged(cutter: &mut Cutter, found: Overlap, center: &Vec3) -> Overlap {
    cutter.exchange();
    let gradient = -found.gradient;
    // the first solid turns about the origin: its faces move against the ball
    let turn_gradient = center.cross(&gradient);
    Overlap { gradient, turn_gradient, normal: -found.normal, ..found }
}
