//! A triangle as a flat convex polyhedron, on the stack.

use super::polyhedron::{Edge, Face, Poly};
use crate::math::Vec3;

/// A triangle with two sides and three rims, so that every method for polyhedra takes it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Triangle {
    pub corners: [Vec3; 3],
    pub normal: Vec3,
    faces: [Face; 5],
    edges: [Edge; 6],
    size: f64,
}

/// Corner loops: front, back, three rims.
const LOOPS: [u32; 12] = [0, 1, 2, 2, 1, 0, 0, 1, 1, 2, 2, 0];

impl Triangle {
    /// `None` if the corners lie on a line.
    pub fn new(corners: [Vec3; 3]) -> Option<Self> {
        let [a, b, c] = corners;
        let cross = (b - a).cross(&(c - a));
        let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
        let normal = (cross.norm() > 1e-14 * longest * longest).then(|| cross.normalize())?;
        let face = |n: Vec3, first: u32, count: u32| {
            let offset = corners.iter().map(|p| p.dot(&n)).fold(f64::NEG_INFINITY, f64::max);
            Face { normal: n, offset, first, count }
        };
        let rim = |k: usize| {
            let d = corners[(k + 1) % 3] - corners[k];
            d.cross(&normal).try_normalize(0.0).unwrap_or(normal)
        };
        let rims = [rim(0), rim(1), rim(2)];
        let edge = |k: usize, left: Vec3, right: Vec3| Edge {
            tail: k as u32,
            head: (k as u32 + 1) % 3,
            left,
            right,
        };
        let faces = [
            face(normal, 0, 3),
            face(-normal, 3, 3),
            face(rims[0], 6, 2),
            face(rims[1], 8, 2),
            face(rims[2], 10, 2),
        ];
        let edges = [0, 1, 2, 3, 4, 5].map(|i| match i % 2 {
            0 => edge(i / 2, normal, rims[i / 2]),
            _ => edge(i / 2, rims[i / 2], -normal),
        });
        Some(Self { corners, normal, faces, edges, size: longest })
    }

    pub fn poly(&self) -> Poly<'_> {
        Poly {
            vertices: &self.corners,
            faces: &self.faces,
            loops: &LOOPS,
            edges: &self.edges,
            size: self.size,
        }
    }
}
