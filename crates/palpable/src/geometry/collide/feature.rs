//! The face, line or point of a solid that meets a direction first.

use super::convex::{Convex, Core, rim};
use super::frame::Frame;
use super::polyhedron::MOST_CORNERS;
use crate::math::Vec3;

/// A convex polygon, a line of two points or one point, with a number for each corner.
#[derive(Debug, Clone, Copy)]
pub(super) struct Feature {
    pub points: [Vec3; MOST_CORNERS],
    pub ids: [u16; MOST_CORNERS],
    pub count: usize,
    /// Unit normal outwards of a face; zero for lines and points.
    pub normal: Vec3,
    /// Which face of the solid.
    pub face: u16,
}

impl Feature {
    pub fn empty() -> Self {
        let points = [Vec3::zeros(); MOST_CORNERS];
        Self { points, ids: [0; MOST_CORNERS], count: 0, normal: Vec3::zeros(), face: 0 }
    }

    fn push(&mut self, point: Vec3, id: u16) {
        if self.count < MOST_CORNERS {
            (self.points[self.count], self.ids[self.count]) = (point, id);
            self.count += 1;
        }
    }

    pub fn is_face(&self) -> bool {
        self.count > 2
    }

    /// Brings the feature out of the frame it was given in.
    pub fn move_out(&mut self, frame: &Frame) {
        for p in &mut self.points[..self.count] {
            *p = frame.point(p);
        }
        self.normal = frame.vector(&self.normal);
    }
}

/// The feature of the core that lies furthest along a unit direction, written to `f`.
pub(super) fn feature(solid: &Convex, d: &Vec3, f: &mut Feature) {
    (f.count, f.normal, f.face) = (0, Vec3::zeros(), 0);
    match &solid.core {
        Core::Point => f.push(Vec3::zeros(), 0),
        Core::Segment(half) => {
            f.push(Vec3::new(0.0, 0.0, -half), 0);
            f.push(Vec3::new(0.0, 0.0, *half), 1);
        }
        Core::Cuboid(half, _) => cuboid_face(half, d, f),
        Core::Cylinder(half, radius) => cylinder(*half, *radius, d, f),
        Core::Hull(poly) => {
            let index = poly.face_along(d);
            if let Some(face) = poly.faces.get(index) {
                poly.corners(face).for_each(|(id, p)| f.push(p, id as u16));
                (f.normal, f.face) = (face.normal, index as u16);
            }
        }
    }
}

fn cuboid_face(half: &Vec3, d: &Vec3, f: &mut Feature) {
    let axis = d.iamax();
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let side = 1f64.copysign(d[axis]);
    // anticlockwise seen from outside
    let turn = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    for k in 0..4 {
        let (su, sv) = turn[if side > 0.0 { k } else { 3 - k }];
        let mut p = Vec3::zeros();
        (p[axis], p[u], p[v]) = (side * half[axis], su * half[u], sv * half[v]);
        let bit = |s: f64, i: usize| u16::from(s > 0.0) << i;
        f.push(p, bit(side, axis) | bit(su, u) | bit(sv, v));
    }
    f.normal = Vec3::ith(axis, side);
    f.face = 2 * axis as u16 + u16::from(side > 0.0);
}

/// A cap as an octagon on its rim, or the line of the side that faces the direction.
fn cylinder(half: f64, radius: f64, d: &Vec3, f: &mut Feature) {
    let side = 1f64.copysign(d.z);
    if d.z.abs() < std::f64::consts::FRAC_1_SQRT_2 {
        let (x, y) = rim(d, radius);
        f.push(Vec3::new(x, y, -half), 0);
        f.push(Vec3::new(x, y, half), 1);
        return;
    }
    let s = std::f64::consts::FRAC_1_SQRT_2;
    let turn =
        [(1.0, 0.0), (s, s), (0.0, 1.0), (-s, s), (-1.0, 0.0), (-s, -s), (0.0, -1.0), (s, -s)];
    for k in 0..8 {
        let k = if side > 0.0 { k } else { 7 - k };
        f.push(Vec3::new(turn[k].0 * radius, turn[k].1 * radius, side * half), k as u16);
    }
    (f.normal, f.face) = (Vec3::new(0.0, 0.0, side), 1 + u16::from(side > 0.0));
}
