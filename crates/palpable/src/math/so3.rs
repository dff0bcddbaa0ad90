//! Maps between SO(3) and its tangent space, regular at angle 0 and at angle π.
//!
//! Rotations are unit quaternions; angles come from `atan2`, never from `acos` or `φ / (2 sin φ)`,
//! which lose all digits at 0 and at π (`[Kim2017, (20)]` prints the latter).

use super::{Mat3, Rotation, Vec3};
use nalgebra::{Quaternion, Unit};
use std::f64::consts::PI;

/// The skew matrix `S(a)` with `S(a) b = a × b`.
#[inline]
pub fn skew(a: &Vec3) -> Mat3 {
    Mat3::new(0.0, -a.z, a.y, a.z, 0.0, -a.x, -a.y, a.x, 0.0)
}

/// The rotation `exp(S(a))` by angle `|a|` [rad] about `a` `[Kim2017, (16)]`.
pub fn exp(a: &Vec3) -> Rotation {
    let square = 0.25 * a.norm_squared();
    // to the last digit below 1e-4 by two terms of each series
    if square < 1e-8 {
        return renormalised(1.0 - square / 2.0, &(a * (0.5 - square / 12.0)));
    }
    let half = square.sqrt();
    renormalised(half.cos(), &(a * (0.5 * half.sin() / half)))
}

/// The rotation vector `log R` with `|log R| <= π` [rad], by quaternion and `atan2`.
pub fn log(r: &Rotation) -> Vec3 {
    let q = r.quaternion();
    let (w, v) = if q.w < 0.0 { (-q.w, -q.imag()) } else { (q.w, q.imag()) };
    let s = v.norm();
    if s < 1e-12 {
        return v * 2.0 / w;
    }
    v * (2.0 * s.atan2(w) / s)
}

/// The logarithm on the branch nearest to `near`, so that a strain may pass π without a jump.
pub fn log_near(r: &Rotation, near: &Vec3) -> Vec3 {
    let g = log(r);
    let angle = g.norm();
    if angle < 0.5 * PI {
        return g;
    }
    let other = g * (1.0 - 2.0 * PI / angle);
    if (other - near).norm_squared() < (g - near).norm_squared() { other } else { g }
}

/// The Cayley map: with `a = h ω` the rotation over a step at the constant midpoint rate `ω`.
///
/// As a quaternion it is `(1, a/2)` normalised. With it the spatial angular momentum of a free
/// body is kept exactly by the midpoint rule, which the exponential map `[Kim2017, (16)]` loses.
#[inline]
pub fn cayley(a: &Vec3) -> Rotation {
    renormalised(1.0, &(a * 0.5))
}

/// Secant of the Cayley map: `cayley(a) − I = cayley_secant(a) S(a)`, `(I − S(a)/2)⁻¹`.
#[inline]
pub fn cayley_secant(a: &Vec3) -> Mat3 {
    let b = a * 0.5;
    let scale = 1.0 / (1.0 + b.norm_squared());
    (Mat3::identity() + skew(&b) + b * b.transpose()) * scale
}

/// Secant of the exponential map, its left Jacobian: `exp(S(a)) − I = exp_secant(a) S(a)`.
pub fn exp_secant(a: &Vec3) -> Mat3 {
    let t2 = a.norm_squared();
    let t = t2.sqrt();
    let (c1, c2) = if t < 1e-3 {
        (0.5 - t2 / 24.0, 1.0 / 6.0 - t2 / 120.0)
    } else {
        let half = (0.5 * t).sin();
        (2.0 * half * half / t2, (t - t.sin()) / (t2 * t))
    };
    let s = skew(a);
    Mat3::identity() + s * c1 + s * s * c2
}

/// Rate of the logarithm: `d/dt log(Roᵀ R) = log_rate(g) ω`, with `ω` in the axes of `R`.
///
/// `A(g) = I + S(g)/2 + c S(g)²`, `c = (1 − (p/2) cot(p/2)) / p²`, `p = |g|`: regular at 0 and at
/// π, singular only at 2π. Beyond 1.9 π the angle is held there, so the result is always finite.
pub fn log_rate(g: &Vec3) -> Mat3 {
    let p = g.norm().min(1.9 * PI);
    let c = if p < 1e-2 {
        1.0 / 12.0 + p * p / 720.0 + p.powi(4) / 30_240.0
    } else {
        (1.0 - 0.5 * p / (0.5 * p).tan()) / (p * p)
    };
    let s = skew(g);
    Mat3::identity() + s * 0.5 + s * s * c
}

#[inline]
fn renormalised(w: f64, v: &Vec3) -> Rotation {
    Unit::new_normalize(Quaternion::new(w, v.x, v.y, v.z))
}

/// The product `r · s`, brought back to unit length so that long runs do not drift.
#[inline]
pub fn compose(r: &Rotation, s: &Rotation) -> Rotation {
    Unit::new_normalize(r.quaternion() * s.quaternion())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples() -> Vec<Vec3> {
        let axes = [Vec3::new(1.0, 2.0, 1.0), Vec3::new(-0.3, 0.1, 0.9), Vec3::x()];
        let angles = [0.0, 1e-300, 1e-12, 1e-8, 1e-5, 1e-3, 0.1, 1.0, 2.0, 3.0, PI - 1e-9];
        axes.iter().flat_map(|a| angles.map(|t| a.normalize() * t)).collect()
    }

    #[test]
    fn log_undoes_exp_from_zero_to_pi() {
        for a in samples() {
            let err = (log(&exp(&a)) - a).norm();
            assert!(err <= 4e-16 * (1.0 + a.norm()), "{a:?} {err:e}");
        }
    }

    #[test]
    fn log_of_a_half_turn_has_length_pi_and_never_fails() {
        let r = Rotation::from_quaternion(Quaternion::new(0.0, 0.6, 0.0, 0.8));
        assert!((log(&r).norm() - PI).abs() < 1e-15);
        let minus = Rotation::from_quaternion(Quaternion::new(-1.0, 1e-17, 0.0, 0.0));
        assert!(log(&minus).norm() < 1e-16);
    }

    #[test]
    fn secants_reproduce_their_maps_exactly() {
        for a in samples() {
            let s = skew(&a);
            let e = exp(&a).to_rotation_matrix().into_inner() - Mat3::identity();
            assert!((exp_secant(&a) * s - e).norm() < 4e-15, "exp {a:?}");
            let c = cayley(&a).to_rotation_matrix().into_inner() - Mat3::identity();
            assert!((cayley_secant(&a) * s - c).norm() < 4e-15, "cayley {a:?}");
        }
    }

    #[test]
    fn the_rate_of_the_logarithm_agrees_with_differences() {
        let omega = Vec3::new(0.3, -0.7, 0.5);
        let step = 1e-5;
        for a in samples().into_iter().filter(|a| a.norm() < 3.1) {
            let r = exp(&a);
            let up = log_near(&compose(&r, &exp(&(omega * step))), &a);
            let down = log_near(&compose(&r, &exp(&(omega * -step))), &a);
            let measured = (up - down) / (2.0 * step);
            // central differences: step² curvature plus round-off over the step
            assert!((log_rate(&a) * omega - measured).norm() < 1e-8, "{a:?}");
        }
    }

    #[test]
    fn series_and_closed_form_of_the_rate_meet() {
        for p in [1e-3, 5e-3, 0.00999, 0.01001, 0.02] {
            let a = log_rate(&(Vec3::x() * p));
            // A_yy = 1 − c p²: round-off over p² limits what can be seen of c
            let c = (1.0 - a[(1, 1)]) / (p * p);
            let expected = 1.0 / 12.0 + p * p / 720.0 + p.powi(4) / 30_240.0;
            assert!((c - expected).abs() < 4e-16 / (p * p), "{p}: {c} {expected}");
        }
    }

    #[test]
    fn the_rate_of_the_logarithm_is_finite_everywhere() {
        for p in [0.0, PI, 2.0 * PI, 7.0, 100.0, 1e150] {
            assert!(log_rate(&(Vec3::y() * p)).iter().all(|v| v.is_finite()), "{p}");
        }
    }

    #[test]
    fn the_nearest_branch_passes_pi_without_a_jump() {
        let axis = Vec3::new(1.0, -1.0, 0.5).normalize();
        let near = axis * 3.1;
        for t in [3.0, PI - 1e-3, PI + 1e-3, 3.3, 4.0] {
            assert!((log_near(&exp(&(axis * t)), &near) - axis * t).norm() < 1e-14, "{t}");
        }
    }
}
