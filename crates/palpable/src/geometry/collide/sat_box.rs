//! Two boxes: the axis along which they are furthest apart, or least inside each other.

use super::frame::Frame;
use super::manifold::Axis;
use crate::math::Vec3;

/// An axis of another kind must be better by this share of the size: faces before edges, faces of
/// a before faces of b. Resting boxes then do not flicker between axes that rounding makes equal.
pub(super) const PREFERENCE: f64 = 1e-9;

/// Edges whose directions differ by less (sine) make no axis of their own.
const PARALLEL: f64 = 1e-6;

/// What the fifteen axes of two boxes say.
#[derive(Debug, Clone, Copy)]
pub(super) struct BoxAxis {
    pub axis: Axis,
    /// True if the axis is normal to a face.
    pub face: bool,
    /// For edges: the nearest points of the two lines lie on the edges.
    pub crossing: bool,
}

/// The best of the fifteen axes of two boxes, or `None` if one shows a gap beyond `most` [m].
///
/// # Guarantee
/// The gap is exact where the boxes overlap, and where the nearest points lie in a face or on
/// two crossing edges; otherwise it is a lower bound of the distance.
pub(super) fn cuboids(ha: &Vec3, hb: &Vec3, frame: &Frame, most: f64) -> Option<BoxAxis> {
    let bias = PREFERENCE * (ha.amax() + hb.amax());
    let (index, face) = best_face(ha, hb, frame, bias);
    if face > most {
        return None;
    }
    let (edge, separation) = best_edge(ha, hb, frame, face + bias);
    if separation > most {
        return None;
    }
    if separation > face + bias {
        return Some(crossed_edges(ha, hb, frame, edge, separation));
    }
    let t = &frame.x;
    let normal = if index < 3 {
        Vec3::ith(index, 1f64.copysign(t[index]))
    } else {
        let column: Vec3 = frame.r.column(index - 3).into();
        column * 1f64.copysign(column.dot(t))
    };
    let axis = Axis { normal, gap: face, witness: None };
    Some(BoxAxis { axis, face: true, crossing: false })
}

/// Faces 0..3 of a, 3..6 of b; the first within the bias of the best.
#[inline]
fn best_face(ha: &Vec3, hb: &Vec3, frame: &Frame, bias: f64) -> (usize, f64) {
    let (r, t) = (&frame.r, &frame.x);
    let mut gaps = [0.0; 6];
    for i in 0..3 {
        let reach = r[(i, 0)].abs() * hb.x + r[(i, 1)].abs() * hb.y + r[(i, 2)].abs() * hb.z;
        gaps[i] = t[i].abs() - ha[i] - reach;
        let across = r[(0, i)] * t.x + r[(1, i)] * t.y + r[(2, i)] * t.z;
        let reach = r[(0, i)].abs() * ha.x + r[(1, i)].abs() * ha.y + r[(2, i)].abs() * ha.z;
        gaps[3 + i] = across.abs() - hb[i] - reach;
    }
    let (mut index, mut best) = (0, gaps[0]);
    for (i, &gap) in gaps.iter().enumerate().skip(1) {
        if gap > best + bias {
            (index, best) = (i, gap);
        }
    }
    (index, best)
}

/// The best pair of edge directions `(i, j)` with a gap beyond `least`, and its gap.
#[inline]
fn best_edge(ha: &Vec3, hb: &Vec3, frame: &Frame, least: f64) -> ((usize, usize), f64) {
    let (r, t) = (&frame.r, &frame.x);
    let mut best = ((0, 0), least);
    for i in 0..3 {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
            // e_i × column j of r, of length √(1 − r_ij²)
            let (c1, c2) = (r[(i1, j)], r[(i2, j)]);
            let reach = ha[i1] * c2.abs()
                + ha[i2] * c1.abs()
                + hb[j1] * r[(i, j2)].abs()
                + hb[j2] * r[(i, j1)].abs();
            // the length is at most one: what is not above the best before is not after
            let long = (t[i2] * c1 - t[i1] * c2).abs() - reach;
            if long <= best.1.min(0.0) {
                continue;
            }
            let length = (c1 * c1 + c2 * c2).sqrt();
            if length >= PARALLEL && long > best.1 * length {
                best = ((i, j), long / length);
            }
        }
    }
    best
}

fn crossed_edges(ha: &Vec3, hb: &Vec3, frame: &Frame, (i, j): (usize, usize), gap: f64) -> BoxAxis {
    let d = Vec3::ith(i, 1.0);
    let e: Vec3 = frame.r.column(j).into();
    let across = d.cross(&e).normalize();
    let normal = across * 1f64.copysign(across.dot(&frame.x));
    let nb = frame.inverse_vector(&normal);
    let mut p = Vec3::from_fn(|k, _| ha[k].copysign(normal[k]));
    let mut q = Vec3::from_fn(|k, _| hb[k].copysign(-nb[k]));
    (p[i], q[j]) = (0.0, 0.0);
    let q = frame.point(&q);
    let (s, u) = nearest_on_lines(&p, &d, &q, &e);
    let crossing = s.abs() <= ha[i] && u.abs() <= hb[j];
    let (s, u) = (s.clamp(-ha[i], ha[i]), u.clamp(-hb[j], hb[j]));
    let witness = Some((p + d * s, q + e * u));
    BoxAxis { axis: Axis { normal, gap, witness }, face: false, crossing }
}

/// Parameters of the nearest points of the lines `p + s d` and `q + u e`, `d` and `e` of unit
/// length.
pub(super) fn nearest_on_lines(p: &Vec3, d: &Vec3, q: &Vec3, e: &Vec3) -> (f64, f64) {
    let (r, c) = (q - p, d.dot(e));
    let det = 1.0 - c * c;
    if det < 1e-16 {
        return (r.dot(d), 0.0);
    }
    let (rd, re) = (r.dot(d), r.dot(e));
    ((rd - c * re) / det, (c * rd - re) / det)
}
