//! Integrals over what is left of a solid.

use super::cut::{Facet, Polyhedron};
use super::overlap::Owner;
use crate::math::Vec3;

/// Integrals of an overlap; see [`super::Overlap`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Solid {
    pub volume: f64,
    pub centroid: Vec3,
    pub gradient: Vec3,
    pub turn_gradient: Vec3,
}

impl Polyhedron {
    fn corners<'a>(&'a self, face: &Facet) -> impl Iterator<Item = Vec3> + 'a {
        let rim = &self.loops[face.first as usize..(face.first + face.count) as usize];
        rim.iter().map(|&i| self.vertices[i as usize])
    }

    /// The triangles of a face, as a fan.
    fn triangles<'a>(&'a self, face: &Facet) -> impl Iterator<Item = [Vec3; 3]> + 'a {
        let mut corners = self.corners(face);
        let first = corners.next().unwrap_or_default();
        let mut last = corners.next().unwrap_or_default();
        corners.map(move |next| [first, std::mem::replace(&mut last, next), next])
    }

    /// Volume, centroid and gradient, by the divergence theorem about a corner of the solid;
    /// `None` without volume.
    pub fn measure(&self) -> Option<Solid> {
        let origin = *self.corners_left().next()?;
        let (mut volume, mut moment) = (0.0, Vec3::zeros());
        let (mut gradient, mut turn) = (Vec3::zeros(), Vec3::zeros());
        for face in &self.faces {
            for [a, b, c] in self.triangles(face) {
                let [p, q, r] = [a - origin, b - origin, c - origin];
                let six = p.dot(&q.cross(&r));
                volume += six;
                moment += (p + q + r) * six;
                if face.owner == Owner::A {
                    let area = (b - a).cross(&(c - a)) * 0.5;
                    gradient += area;
                    turn += ((a + b + c) / 3.0).cross(&area);
                }
            }
        }
        if !(volume > 0.0) {
            return None;
        }
        let centroid = origin + self.inside(&(moment / (4.0 * volume)), &origin);
        Some(Solid { volume: volume / 6.0, centroid, gradient, turn_gradient: turn })
    }

    /// A centroid stays within the corners, however little volume it was divided by.
    fn inside(&self, centroid: &Vec3, origin: &Vec3) -> Vec3 {
        let none = Vec3::repeat(f64::INFINITY);
        let spread =
            |(low, high): (Vec3, Vec3), v: &Vec3| (low.inf(&(v - origin)), high.sup(&(v - origin)));
        let (low, high) = self.corners_left().fold((none, -none), spread);
        let (low, high) = (low.inf(&Vec3::zeros()), high.sup(&Vec3::zeros()));
        centroid.sup(&low).inf(&high)
    }
}
