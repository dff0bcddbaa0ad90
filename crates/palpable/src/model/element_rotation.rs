//! The relative rotation vector of two frames: `G = log(Q)`, `Q = (R_b F_b)ᵀ R_a F_a`.
//!
//! With `Q̇ = Q S(F_aᵀ (ω_a − R_aᵀ R_b ω_b))` its rate is `A(g) F_aᵀ [I, −R_aᵀ R_b]`, where `A` is
//! regular at 0 and π.
//!
//! # Differs from the source
//! `[Kim2017, (20)]` replaces `A` by the identity, which loses up to 99 % of the energy in large
//! off-axis motion, and divides by `sin φ`.

use super::element::End;
use crate::math::{Mat3, Mat6, Vec3, Vec6, join, so3};

pub(super) fn strain(a: &End, b: &End, near: &Vec6) -> Vec6 {
    let near = Vec3::new(near[0], near[1], near[2]);
    join(&rotation_vector(a, b, &near), &Vec3::zeros())
}

pub(super) fn rotation_vector(a: &End, b: &End, near: &Vec3) -> Vec3 {
    so3::log_near(&((b.q * b.frame).inverse() * (a.q * a.frame)), near)
}

/// `A(g*) F_aᵀ` and `−A(g*) F_aᵀ R_aᵀ R_b`, all at the predicted midpoint.
pub(super) fn rates(a: &End, b: &End, g: &Vec3, h: f64) -> (Mat3, Mat3) {
    let (a, b) = (a.moved(0.5 * h), b.moved(0.5 * h));
    let towards_a = so3::log_rate(&rotation_vector(&a, &b, g))
        * a.frame.to_rotation_matrix().into_inner().transpose();
    (towards_a, -towards_a * a.r.transpose() * b.r)
}

pub(super) fn jacobian(a: &End, b: &End, g: &Vec6, h: f64) -> [Mat6; 2] {
    let (to_a, to_b) = rates(a, b, &Vec3::new(g[0], g[1], g[2]), h);
    [to_a, to_b].map(|block| {
        let mut j = Mat6::zeros();
        j.fixed_view_mut::<3, 3>(0, 3).copy_from(&block);
        j
    })
}
