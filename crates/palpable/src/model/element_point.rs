//! The offset of two points: `G = (x_a + R_a r_a) − (x_b + R_b r_b)` `[Kim2017 sec. 3.2]`.

use super::element::End;
use crate::math::{Mat3, Mat6, Vec6, join, so3};

pub(super) fn strain(a: &End, b: &End) -> Vec6 {
    let gap = (a.x + a.r * a.point) - (b.x + b.r * b.point);
    join(&gap, &Default::default())
}

/// `R_a⁺ r − R_a r = −R_a (I − h/2 S(ω))⁻¹ S(r) h ω` for the Cayley map: exact, not linearised.
///
/// # Differs from the source
/// `[Kim2017, (22)]` takes the Jacobian at the start of the step and gains energy.
#[inline]
pub(super) fn lever(end: &End, h: f64) -> Mat3 {
    end.r * so3::cayley_secant(&(end.omega * h)) * so3::skew(&-end.point)
}

#[inline]
pub(super) fn jacobian(a: &End, b: &End, h: f64) -> [Mat6; 2] {
    let side = |end: &End, sign: f64| {
        let mut j = Mat6::zeros();
        j.fixed_view_mut::<3, 3>(0, 0).copy_from(&(Mat3::identity() * sign));
        j.fixed_view_mut::<3, 3>(0, 3).copy_from(&(lever(end, h) * sign));
        j
    };
    [side(a, 1.0), side(b, -1.0)]
}
