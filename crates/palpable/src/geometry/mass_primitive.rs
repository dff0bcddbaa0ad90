//! Mass properties of the primitives, closed forms for uniform density about the centre.

use core::f64::consts::PI;

use nalgebra::{Matrix3, Vector3};

use super::mass::MassProperties;

fn centred(mass: f64, moments: Vector3<f64>) -> MassProperties {
    MassProperties {
        mass,
        center_of_mass: Vector3::zeros(),
        inertia: Matrix3::from_diagonal(&moments),
    }
}

/// `m = 4/3 π ρ r³`, `I = 2/5 m r²`.
pub(super) fn sphere(density: f64, radius: f64) -> MassProperties {
    let mass = density * 4.0 / 3.0 * PI * radius.powi(3);
    centred(mass, Vector3::repeat(0.4 * mass * radius * radius))
}

/// `m = 8 ρ abc`, `I_x = m (b² + c²) / 3` and round.
pub(super) fn cuboid(density: f64, half_extents: &Vector3<f64>) -> MassProperties {
    let mass = density * 8.0 * half_extents.product();
    let sq = half_extents.component_mul(half_extents);
    centred(mass, Vector3::new(sq.y + sq.z, sq.z + sq.x, sq.x + sq.y) * (mass / 3.0))
}

/// `m = 2 π ρ r² l`, `I_z = m r² / 2`, `I_x = m (r²/4 + l²/3)` with half length `l`.
pub(super) fn cylinder(density: f64, half_length: f64, radius: f64) -> MassProperties {
    let (r2, l2) = (radius * radius, half_length * half_length);
    let mass = density * 2.0 * PI * r2 * half_length;
    let across = mass * (r2 / 4.0 + l2 / 3.0);
    centred(mass, Vector3::new(across, across, mass * r2 / 2.0))
}

/// A cylinder and two hemispheres; with `s` their joint mass (one ball),
/// `I_z = I_z,cyl + 2/5 s r²`, `I_x = I_x,cyl + s (2/5 r² + l² + 3/4 l r)`.
///
/// The centroid of a hemisphere lies `3/8 r` beyond its flat side, which gives the last term.
pub(super) fn capsule(density: f64, half_length: f64, radius: f64) -> MassProperties {
    let tube = cylinder(density, half_length, radius);
    let ball = sphere(density, radius);
    let away = ball.mass * half_length * (half_length + 0.75 * radius);
    let across = tube.inertia.m11 + ball.inertia.m11 + away;
    let along = tube.inertia.m33 + ball.inertia.m33;
    centred(tube.mass + ball.mass, Vector3::new(across, across, along))
}
