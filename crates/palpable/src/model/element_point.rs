//! The offset of two points: `G = (x_a + R_a r_a) − (x_b + R_b r_b)` `[Kim2017 sec. 3.2]`.

use super::element::End;
use crate::math::{Mat3, Mat6, Rotation, Vec3, Vec6, cross, join};

pub(super) fn strain(a: &End, b: &End) -> Vec6 {
    let gap = (a.x + a.r * a.point) - (b.x + b.r * b.point);
    join(&gap, &Default::default())
}

/// `R⁺ r − R r = −R (I − S(a)/2)⁻¹ S(r) a` for the Cayley map over `a = h ω`: exact, not
/// linearised. Returns the rows of `−R (I − S(a)/2)⁻¹ S(r)`; without a turn, `a` is 0.
///
/// With `c = a/2` and `e` a row of `R`, the row of `R (I − S(c))⁻¹` is
/// `m = (e + e × c + (e·c) c) / (1 + |c|²)`, and that of `−m S(r)` is `r × m`.
///
/// # Differs from the source
/// `[Kim2017, (22)]` takes the Jacobian at the start of the step and gains energy.
#[inline(always)]
fn lever_rows(r: &Mat3, turn: Option<&Vec3>, point: &Vec3) -> [Vec3; 3] {
    let mut rows = [0, 1, 2].map(|i| Vec3::new(r[(i, 0)], r[(i, 1)], r[(i, 2)]));
    if let Some(turn) = turn {
        let c = turn * 0.5;
        let scale = 1.0 / (1.0 + c.norm_squared());
        for e in &mut rows {
            *e = (*e + cross(*e, c) + c * (e.x * c.x + e.y * c.y + e.z * c.z)) * scale;
        }
    }
    rows.iter_mut().for_each(|m| *m = cross(*point, *m));
    rows
}

/// The same as a matrix, for an end that moves as predicted over `h` [s].
pub(super) fn lever(end: &End, h: f64) -> Mat3 {
    Mat3::from_rows(
        &lever_rows(&end.r, Some(&(end.omega * h)), &end.point).map(|row| row.transpose()),
    )
}

/// Writes the rows `sign · [I, lever]` of a point at `point` [m] on a body at orientation `q` that
/// is predicted to turn by `turn` [rad].
#[inline]
pub fn point_rows(
    q: &Rotation,
    turn: Option<&Vec3>,
    point: &Vec3,
    sign: f64,
    out: &mut [[f64; 6]],
) {
    let lever = lever_rows(&q.to_rotation_matrix().into_inner(), turn, point);
    for (i, (l, out)) in lever.iter().zip(out).enumerate() {
        *out = [0.0, 0.0, 0.0, sign * l.x, sign * l.y, sign * l.z];
        out[i] = sign;
    }
}

pub(super) fn jacobian(a: &End, b: &End, h: f64) -> [Mat6; 2] {
    let side = |end: &End, sign: f64| {
        let mut j = Mat6::zeros();
        j.fixed_view_mut::<3, 3>(0, 0).copy_from(&(Mat3::identity() * sign));
        j.fixed_view_mut::<3, 3>(0, 3).copy_from(&(lever(end, h) * sign));
        j
    };
    [side(a, 1.0), side(b, -1.0)]
}
