//! Solids as polygons: vertices in the world, faces that run anticlockwise seen from outside.

use super::vector::{V, add, cross, dot, scaled, sub, unit};
use crate::figure::Color;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Faces around a round shape.
const AROUND: usize = 24;
/// Rings of a half ball.
const RINGS: usize = 6;

/// Where a solid is: position [m] and quaternion `x, y, z, w`.
pub type Place = [f64; 7];

/// A solid to be painted.
#[derive(Clone, Debug, PartialEq)]
pub struct Solid {
    pub(super) vertices: Vec<V>,
    pub(super) faces: Vec<Vec<usize>>,
    pub(super) color: Color,
    /// Edges are drawn: flat shapes look crisp, round ones smooth.
    pub(super) edges: bool,
}

impl Solid {
    /// A box with these edges [m].
    pub fn cuboid(place: &Place, size: V, color: Color) -> Self {
        let sign = |i: usize, bit: usize| if i >> bit & 1 == 0 { -0.5 } else { 0.5 };
        let corner = |i| std::array::from_fn(|k| sign(i, k) * size[k]);
        let vertices = (0..8).map(corner).collect();
        let faces: [[usize; 4]; 6] =
            [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        Self { vertices, faces: faces.map(Vec::from).into(), color, edges: true }.moved(place)
    }

    /// A ball [m].
    pub fn ball(place: &Place, radius: f64, color: Color) -> Self {
        Self::turned(&arc(radius, 0.0), color).moved(place)
    }

    /// A cylinder along z: half its length, and radius [m].
    pub fn cylinder(place: &Place, half: f64, radius: f64, color: Color) -> Self {
        let rim = [[0.0, -half], [radius, -half], [radius, half], [0.0, half]];
        Self::turned(&rim, color).moved(place)
    }

    /// A capsule along z: half the length of its straight part, and radius [m].
    pub fn capsule(place: &Place, half: f64, radius: f64, color: Color) -> Self {
        Self::turned(&arc(radius, half), color).moved(place)
    }

    /// Triangles of a closed surface [m]; flat ones are best.
    pub fn triangles(place: &Place, vertices: Vec<V>, faces: &[[u32; 3]], color: Color) -> Self {
        let faces = faces.iter().map(|f| f.map(|i| i as usize).to_vec()).collect();
        Self { vertices, faces, color, edges: false }.moved(place)
    }

    /// The same without lines along its edges: a piece of something larger.
    pub fn smooth(self) -> Self {
        Self { edges: false, ..self }
    }

    /// The surface that a line of points (distance from z, z) sweeps about z; the ends lie on z.
    fn turned(line: &[[f64; 2]], color: Color) -> Self {
        let (mut vertices, mut faces) = (Vec::new(), Vec::new());
        for [r, z] in line {
            vertices.extend((0..AROUND).map(|i| {
                let (s, c) = (TAU * i as f64 / AROUND as f64).sin_cos();
                [r * c, r * s, *z]
            }));
        }
        for ring in 1..line.len() {
            let (low, high) = ((ring - 1) * AROUND, ring * AROUND);
            if line[ring - 1][0] == 0.0 {
                // the lower cap as one face
                if ring == 1 && line[1][1] == line[0][1] {
                    faces.push((0..AROUND).rev().map(|i| high + i).collect());
                    continue;
                }
            }
            if ring + 1 == line.len() && line[ring][1] == line[ring - 1][1] {
                faces.push((0..AROUND).map(|i| low + i).collect());
                continue;
            }
            for i in 0..AROUND {
                let j = (i + 1) % AROUND;
                faces.push(vec![low + i, low + j, high + j, high + i]);
            }
        }
        Self { vertices, faces, color, edges: false }
    }

    fn moved(mut self, place: &Place) -> Self {
        let [x, y, z, qx, qy, qz, qw] = *place;
        let q = [qx, qy, qz];
        for v in &mut self.vertices {
            // v + 2 w (q × v) + 2 q × (q × v)
            let t = scaled(cross(q, *v), 2.0);
            *v = add(add(add(*v, scaled(t, qw)), cross(q, t)), [x, y, z]);
        }
        self
    }

    /// Outward normal of a face, of length 1; from its longest diagonals, so that a face that runs
    /// to a point has one too.
    pub(super) fn normal(&self, face: &[usize]) -> V {
        let n = face.len();
        let sum = (1..n.saturating_sub(1)).fold([0.0; 3], |sum, i| {
            let origin = self.vertices[face[0]];
            let [a, b] = [i, i + 1].map(|k| sub(self.vertices[face[k]], origin));
            add(sum, cross(a, b))
        });
        unit(sum)
    }

    pub(super) fn center(&self) -> V {
        let sum = self.vertices.iter().fold([0.0; 3], |sum, v| add(sum, *v));
        scaled(sum, 1.0 / self.vertices.len().max(1) as f64)
    }

    /// Whether `eye` and all of `other` lie on the outer side of one face, up to `slack` [m]: then
    /// `other` is nearer (`Some(true)`). If `other` lies out there and the eye does not, it is
    /// farther (`Some(false)`).
    pub(super) fn is_before(&self, other: &Self, eye: V, slack: f64) -> Option<bool> {
        self.faces.iter().find_map(|face| {
            let (n, p) = (self.normal(face), self.vertices[face[0]]);
            let out = |v: &V| dot(n, sub(*v, p));
            (dot(n, n) > 0.5 && other.vertices.iter().all(|v| out(v) >= -slack))
                .then(|| out(&eye) > 0.0)
        })
    }
}

/// Half a circle from pole to pole, its halves drawn apart by `half` each.
fn arc(radius: f64, half: f64) -> Vec<[f64; 2]> {
    let at = |i: usize, shift: f64| {
        let (s, c) = (-FRAC_PI_2 + PI * i as f64 / (2 * RINGS) as f64).sin_cos();
        [if i == 0 || i == 2 * RINGS { 0.0 } else { radius * c }, radius * s + shift]
    };
    let lower = (0..=RINGS).map(|i| at(i, -half));
    let skip = usize::from(half == 0.0);
    lower.chain((RINGS + skip..=2 * RINGS).map(|i| at(i, half))).collect()
}
