//! Closed, consistently oriented triangle surfaces.

use std::collections::HashMap;

use nalgebra::Vector3;

use super::mass_polyhedron::moments;
use super::shape_error::{ShapeError, check_points};

/// A triangle surface that encloses a positive volume: no holes, one sense of winding.
///
/// Only the constructors of [`Shape`](super::Shape) make one, so whoever holds it may rely on it.
#[derive(Debug, Clone, PartialEq)]
pub struct ClosedSurface {
    vertices: Vec<Vector3<f64>>,
    triangles: Vec<[u32; 3]>,
}

/// A volume below this share of the tetrahedra that cancelled in it is rounding noise.
const FLAT: f64 = 1e-12;

impl ClosedSurface {
    /// Checks coordinates, indices, closure, orientation and volume, in this order.
    pub(super) fn new(
        vertices: Vec<Vector3<f64>>,
        triangles: Vec<[u32; 3]>,
    ) -> Result<Self, ShapeError> {
        check_points("mesh vertices", &vertices)?;
        check_indices(vertices.len(), &triangles)?;
        if triangles.len() < 4 {
            return Err(ShapeError::TooFew { field: "mesh triangles", count: triangles.len() });
        }
        check_closed(&vertices, &triangles)?;
        let sum = moments(&vertices, &triangles);
        if sum.volume.abs() <= FLAT * sum.absolute_volume {
            return Err(ShapeError::Flat { field: "mesh" });
        }
        if sum.volume < 0.0 {
            return Err(ShapeError::InsideOut { volume: sum.volume });
        }
        Ok(Self { vertices, triangles })
    }

    /// Corner positions in the shape frame [m].
    pub fn vertices(&self) -> &[Vector3<f64>] {
        &self.vertices
    }

    /// Corners of each triangle as indices of vertices, anticlockwise seen from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }
}

/// Turns a surface inside out by reversing the corner order of every triangle.
pub fn flip_winding(triangles: &mut [[u32; 3]]) {
    for triangle in triangles {
        triangle.swap(1, 2);
    }
}

fn check_indices(vertex_count: usize, triangles: &[[u32; 3]]) -> Result<(), ShapeError> {
    for (triangle, corners) in triangles.iter().enumerate() {
        if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= vertex_count) {
            return Err(ShapeError::IndexOutOfRange { triangle, vertex, vertex_count });
        }
    }
    Ok(())
}

/// Every directed edge must be run as often as its reverse: then the surface has no boundary.
fn check_closed(vertices: &[Vector3<f64>], triangles: &[[u32; 3]]) -> Result<(), ShapeError> {
    let representative = merge_equal(vertices);
    // signed count: forward minus backward, and the total
    let mut edges: HashMap<(u32, u32), (i64, u64)> = HashMap::new();
    for corners in triangles {
        let [a, b, c] = corners.map(|v| representative[v as usize]);
        for (from, to) in [(a, b), (b, c), (c, a)] {
            if from == to {
                continue;
            }
            let entry = edges.entry((from.min(to), from.max(to))).or_default();
            entry.0 += if from < to { 1 } else { -1 };
            entry.1 += 1;
        }
    }
    // the lowest faulty edge, so that the message does not depend on hashing
    let faulty = edges.iter().filter(|(_, (signed, _))| *signed != 0).min_by_key(|(edge, _)| *edge);
    match faulty {
        None => Ok(()),
        Some((&(from, to), (_, total))) if total % 2 == 0 => {
            Err(ShapeError::MixedWinding { from, to })
        }
        Some((&(from, to), _)) => Err(ShapeError::Open { from, to }),
    }
}

/// For each vertex the first vertex at the same position.
pub(super) fn merge_equal(points: &[Vector3<f64>]) -> Vec<u32> {
    let mut first_at: HashMap<[u64; 3], u32> = HashMap::with_capacity(points.len());
    let at = |(index, p)| *first_at.entry(position_key(p)).or_insert(index);
    (0u32..).zip(points).map(at).collect()
}

/// Equal positions have equal keys; adding zero turns −0 into 0.
pub(super) fn position_key(p: &Vector3<f64>) -> [u64; 3] {
    [p.x, p.y, p.z].map(|c| (c + 0.0).to_bits())
}
