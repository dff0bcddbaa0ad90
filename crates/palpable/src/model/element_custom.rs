//! Jacobian of a user's element: central differences at the predicted midpoint.

use super::element::{Element, End};
use crate::math::{Mat6, Vec3, so3};

/// Offset [m, rad] of the differences: the cube root of round-off, where their error is least.
const OFFSET: f64 = 6e-6;

pub(super) fn jacobian(element: &dyn Element, a: &End, b: &End, h: f64) -> [Mat6; 2] {
    let (a, b) = (a.moved(0.5 * h), b.moved(0.5 * h));
    let mut out = [Mat6::zeros(); 2];
    for (side, j) in out.iter_mut().enumerate() {
        for column in 0..6 {
            let at = |offset: f64| {
                let (mut pa, mut pb) = (a, b);
                nudge(if side == 0 { &mut pa } else { &mut pb }, column, offset);
                element.strain(&pa.pose(), &pb.pose())
            };
            let slope = (at(OFFSET) - at(-OFFSET)) / (2.0 * OFFSET);
            // a strain that is not smooth here gives no force rather than a wild one
            if slope.iter().all(|v| v.is_finite()) {
                j.set_column(column, &slope);
            }
        }
    }
    out
}

fn nudge(end: &mut End, column: usize, offset: f64) {
    let mut d = Vec3::zeros();
    d[column % 3] = offset;
    if column < 3 {
        end.x += d;
    } else {
        end.q *= so3::exp(&d);
        end.r = end.q.to_rotation_matrix().into_inner();
    }
}
