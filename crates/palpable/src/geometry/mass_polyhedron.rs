//! Mass properties of a polyhedron by signed tetrahedra.

use nalgebra::{Matrix3, Vector3};

use super::mass::MassProperties;
use super::surface::ClosedSurface;

/// Integrals of 1, r and r rᵀ over the inside of a closed surface, about one reference point.
pub(super) struct Moments {
    /// Volume [m³]; negative when the surface is inside out.
    pub volume: f64,
    /// Sum of the absolute volumes of the tetrahedra [m³]: the scale of the rounding error.
    pub absolute_volume: f64,
    first: Vector3<f64>,
    second: Matrix3<f64>,
    reference: Vector3<f64>,
}

/// Sums over the tetrahedra that each triangle `(a, b, c)` spans with the mean vertex.
///
/// # Equation
/// ```text
/// d = a · (b × c),  s = a + b + c
/// ∫ 1 = d/6,  ∫ r = d/24 s,  ∫ r rᵀ = d/120 (s sᵀ + a aᵀ + b bᵀ + c cᵀ)
/// ```
/// # Guarantee
/// Exact up to rounding for every closed surface, convex or not, since what lies outside is
/// counted once with each sign.
pub(super) fn moments(vertices: &[Vector3<f64>], triangles: &[[u32; 3]]) -> Moments {
    let reference = vertices.iter().sum::<Vector3<f64>>() / vertices.len().max(1) as f64;
    let mut sum = Moments {
        volume: 0.0,
        absolute_volume: 0.0,
        first: Vector3::zeros(),
        second: Matrix3::zeros(),
        reference,
    };
    for triangle in triangles {
        let [a, b, c] = triangle.map(|i| vertices[i as usize] - reference);
        let d = a.dot(&b.cross(&c));
        let s = a + b + c;
        sum.volume += d / 6.0;
        sum.absolute_volume += d.abs() / 6.0;
        sum.first += s * (d / 24.0);
        sum.second +=
            (s * s.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose())
                * (d / 120.0);
    }
    sum
}

/// Mass properties of the inside of a closed surface filled with a uniform density [kg/m³].
pub(super) fn solid(density: f64, surface: &ClosedSurface) -> MassProperties {
    let sum = moments(surface.vertices(), surface.triangles());
    let offset = sum.first / sum.volume;
    let about_center = sum.second - offset * offset.transpose() * sum.volume;
    MassProperties {
        mass: density * sum.volume,
        center_of_mass: sum.reference + offset,
        inertia: inertia_of(&about_center) * density,
    }
}

/// `tr(c) 1 − c`, with each moment summed from its two squares: the trace of a needle would
/// swallow the moment about its axis.
fn inertia_of(c: &Matrix3<f64>) -> Matrix3<f64> {
    let moments = Vector3::new(c.m22 + c.m33, c.m33 + c.m11, c.m11 + c.m22);
    let mut inertia = -0.5 * (c + c.transpose());
    inertia.set_diagonal(&moments);
    inertia
}
