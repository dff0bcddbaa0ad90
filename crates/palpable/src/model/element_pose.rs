//! Offset and rotation of frame `a` as seen from frame `b`: a spring on SE(3)
//! `[Kim2017 sec. 3.1]`, with its own stiffness along each axis of `b`.
//!
//! With `B = R_b F_b` and `d = p_a − p_b` the offset is `Bᵀ d`, and over a step
//!
//! ```text
//! B⁺ᵀd⁺ − Bᵀd = ½(B⁺ + B)ᵀ (d⁺ − d) + (B⁺ − B)ᵀ ½(d⁺ + d)
//! (B⁺ − B)ᵀ y = F_bᵀ S(z) h ω_b,   z = (I − h/2 S(ω_b))⁻ᵀ R_bᵀ y
//! ```

use super::element::End;
use super::{element_point, element_rotation};
use crate::math::{Mat6, Vec3, Vec6, join, so3};

pub(super) fn strain(a: &End, b: &End, near: &Vec6) -> Vec6 {
    let (pa, pb) = (a.pose(), b.pose());
    let offset = pb.rotation.inverse() * (pa.position - pb.position);
    let near = Vec3::new(near[3], near[4], near[5]);
    join(&offset, &element_rotation::rotation_vector(a, b, &near))
}

pub(super) fn jacobian(a: &End, b: &End, g: &Vec6, h: f64) -> [Mat6; 2] {
    let (pa, pb) = (a.pose(), b.pose());
    let (a_next, b_next) = (a.moved(h), b.moved(h));
    let gap = pa.position - pb.position;
    let gap_next = a_next.pose().position - b_next.pose().position;
    let axes = pb.rotation.to_rotation_matrix().into_inner();
    let axes_next = b_next.pose().rotation.to_rotation_matrix().into_inner();
    let mean_axes = (axes + axes_next).transpose() * 0.5;
    let z = so3::cayley_secant(&(b.omega * h)).tr_mul(&b.r.tr_mul(&((gap + gap_next) * 0.5)));
    let turning = b.frame.to_rotation_matrix().into_inner().transpose() * so3::skew(&z);
    let (to_a, to_b) = element_rotation::rates(a, b, &Vec3::new(g[3], g[4], g[5]), h);
    let (mut ja, mut jb) = (Mat6::zeros(), Mat6::zeros());
    ja.fixed_view_mut::<3, 3>(0, 0).copy_from(&mean_axes);
    ja.fixed_view_mut::<3, 3>(0, 3).copy_from(&(mean_axes * element_point::lever(a, h)));
    ja.fixed_view_mut::<3, 3>(3, 3).copy_from(&to_a);
    jb.fixed_view_mut::<3, 3>(0, 0).copy_from(&-mean_axes);
    let lever = turning - mean_axes * element_point::lever(b, h);
    jb.fixed_view_mut::<3, 3>(0, 3).copy_from(&lever);
    jb.fixed_view_mut::<3, 3>(3, 3).copy_from(&to_b);
    [ja, jb]
}
