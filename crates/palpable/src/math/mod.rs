//! The cellar: vectors, rotations, small blocks and the block-sparse LU that everything stands on.
//!
//! Twists are `[v; omega]` and wrenches `[f; tau]`, linear part first; `v`, `f` in world axes,
//! `omega`, `tau` in the body's principal axes.

pub mod block_lu;
pub mod dense;
mod groups;
pub mod kernels;
pub mod ordering;
mod per;
mod room;
pub mod so3;
pub mod vector_unit;

pub use groups::Groups;
pub(crate) use per::place;
pub use per::{Per, Place};
pub use room::Room;

/// Vector of three numbers.
pub type Vec3 = nalgebra::Vector3<f64>;
/// Vector of six numbers: a twist, a wrench, or the strain of an element.
pub type Vec6 = nalgebra::Vector6<f64>;
/// Three by three matrix.
pub type Mat3 = nalgebra::Matrix3<f64>;
/// Six by six matrix.
pub type Mat6 = nalgebra::Matrix6<f64>;
/// Up to six rows of six numbers each: what a force does to a twist.
pub type Rows = [[f64; 6]; 6];
/// Unit quaternion: a rotation.
pub type Rotation = nalgebra::UnitQuaternion<f64>;

/// The linear half of a twist or wrench.
#[inline]
pub fn linear(a: &Vec6) -> Vec3 {
    Vec3::new(a[0], a[1], a[2])
}

/// The angular half of a twist or wrench.
#[inline]
pub fn angular(a: &Vec6) -> Vec3 {
    Vec3::new(a[3], a[4], a[5])
}

/// Twist or wrench from its halves, linear first.
#[inline]
pub fn join(linear: &Vec3, angular: &Vec3) -> Vec6 {
    Vec6::new(linear.x, linear.y, linear.z, angular.x, angular.y, angular.z)
}

/// Solves the 3 by 3 system `A x = b` by cofactors; returns `None` where `A` is singular.
#[inline]
pub fn solve3(a: &Mat3, b: &Vec3) -> Option<Vec3> {
    let (c0, c1, c2) = (a.column(0), a.column(1), a.column(2));
    let c12 = cross(c1.into(), c2.into());
    let det = c0[0] * c12.x + c0[1] * c12.y + c0[2] * c12.z;
    let inv = 1.0 / det;
    if !inv.is_finite() {
        return None;
    }
    let x = c12.dot(b) * inv;
    let y = cross(c2.into(), c0.into()).dot(b) * inv;
    let z = cross(c0.into(), c1.into()).dot(b) * inv;
    Some(Vec3::new(x, y, z))
}

/// Solves `(D − S(m)) x = b` for a positive diagonal `D`, however large `m`.
///
/// `(D − S(m))⁻¹ = (m mᵀ + adj D + S(D m)) / (det D + m·D m)`: no term cancels, so a spin of any
/// speed costs no digits. NaN or infinite if the numbers overflow.
#[inline]
pub fn solve_gyroscopic(d: &Vec3, m: &Vec3, b: &Vec3) -> Vec3 {
    let dm = d.component_mul(m);
    let adj = Vec3::new(d.y * d.z, d.x * d.z, d.x * d.y);
    let det = d.x * adj.x + m.dot(&dm);
    (m * m.dot(b) + adj.component_mul(b) + cross(dm, *b)) / det
}

/// The rows of a matrix, side by side.
#[inline]
pub fn rows_of(matrix: &Mat6) -> Rows {
    matrix.transpose().data.0
}

/// Largest magnitude; NaN does not count.
#[inline(always)]
pub fn largest(a: &[f64; 6]) -> f64 {
    let mut most = 0.0;
    for v in a {
        most = if v.abs() > most { v.abs() } else { most };
    }
    most
}

/// `out += scale · row`.
#[inline(always)]
pub fn add_scaled(out: &mut [f64; 6], row: &[f64; 6], scale: f64) {
    (0..6).for_each(|k| out[k] += scale * row[k]);
}

/// Two sums side by side, as the machine's registers are.
#[inline(always)]
pub fn dot6(a: &[f64; 6], b: &[f64; 6]) -> f64 {
    let mut sum = [a[0] * b[0], a[1] * b[1]];
    for k in [2, 4] {
        sum[0] += a[k] * b[k];
        sum[1] += a[k + 1] * b[k + 1];
    }
    sum[0] + sum[1]
}

/// The same for six numbers.
#[inline(always)]
pub fn sum6(a: &[f64; 6]) -> f64 {
    ((a[0] + a[2]) + a[4]) + ((a[1] + a[3]) + a[5])
}

/// The inverse of `diag(d) + S(m)ᵀ`, as [`solve_gyroscopic`] applies it.
#[inline]
pub fn inverse_gyroscopic(d: &Vec3, m: &Vec3) -> Mat3 {
    let dm = d.component_mul(m);
    let adj = Vec3::new(d.y * d.z, d.x * d.z, d.x * d.y);
    let det = d.x * adj.x + m.dot(&dm);
    (m * m.transpose() + Mat3::from_diagonal(&adj) + so3::skew(&dm)) / det
}

/// `a × b`.
#[inline]
pub fn cross(a: Vec3, b: Vec3) -> Vec3 {
    Vec3::new(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cofactor_solution_satisfies_the_system() {
        let a = Mat3::new(4.0, -1.0, 0.5, 2.0, 7.0, -3.0, 0.1, 0.2, 5.0);
        let b = Vec3::new(1.0, -2.0, 3.0);
        let x = solve3(&a, &b).expect("regular matrix");
        // three digits of growth at most for this well-conditioned matrix
        assert!((a * x - b).norm() < 1e-14);
        assert!(solve3(&Mat3::zeros(), &b).is_none());
    }

    #[test]
    fn the_gyroscopic_solution_keeps_its_digits_at_any_spin() {
        let (d, b) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.3, -0.7, 0.2));
        for spin in [0.0, 1.0, 1e3, 1e6, 1e9] {
            let m = Vec3::new(0.5, -1.0, 2.0) * spin;
            let x = solve_gyroscopic(&d, &m, &b);
            let residual = d.component_mul(&x) - m.cross(&x) - b;
            let terms = (d.component_mul(&x)).norm() + m.norm() * x.norm() + b.norm();
            assert!(residual.norm() < 4e-16 * terms, "{spin:e}: {:e}", residual.norm() / terms);
            // what the energy sees: the skew part does no work
            let power = x.dot(&d.component_mul(&x)) - x.dot(&b);
            assert!(power.abs() < 1e-15 * x.dot(&b).abs(), "{spin:e}: {power:e}");
        }
    }

    #[test]
    fn halves_join_to_the_whole() {
        let a = Vec6::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
        assert_eq!(join(&linear(&a), &angular(&a)), a);
    }
}
