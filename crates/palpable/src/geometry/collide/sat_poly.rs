//! Two overlapping polyhedra, or a line or point inside one: the axis of least penetration.

use super::convex::{Core, Pair};
use super::manifold::Axis;
use super::polyhedron::{Edge, Poly};
use super::sat_box::{PREFERENCE, nearest_on_lines};
use crate::math::Vec3;

/// Beyond this product of edge counts the expanding polytope is the faster way.
const MOST_EDGE_PAIRS: usize = 60_000;

/// The axis of least penetration among all face normals and all pairs of edges that meet on the
/// Gauss sphere; `None` if the cores are not of this kind, or too large.
///
/// # Guarantee
/// The exact penetration of two overlapping polyhedra; for separated ones a lower bound of their
/// distance.
pub(super) fn least_penetration(pair: &Pair) -> Option<Axis> {
    match (pair.a.poly(), pair.b.poly()) {
        (Some(a), Some(b)) if a.edges.len() * b.edges.len() <= MOST_EDGE_PAIRS => {
            let faces = better(faces_of_a(pair, &a), faces_of_b(pair, &b), bias(pair));
            Some(better(faces, edges(pair, &a, &b), bias(pair)))
        }
        (Some(a), None) => line_in_a(pair, &a),
        (None, Some(_)) => Some(turned(pair, &line_in_a(&pair.flipped(), &pair.b.poly()?)?)),
        _ => None,
    }
}

fn bias(pair: &Pair) -> f64 {
    PREFERENCE * pair.size()
}

/// The first axis, unless the second is better by the bias.
fn better(first: Axis, second: Axis, bias: f64) -> Axis {
    if second.gap > first.gap + bias { second } else { first }
}

/// An axis found for the flipped pair, in the frame of this one.
fn turned(pair: &Pair, axis: &Axis) -> Axis {
    let f = &pair.frame;
    let witness = axis.witness.map(|(a, b)| (f.point(&b), f.point(&a)));
    Axis { normal: -f.vector(&axis.normal), gap: axis.gap, witness }
}

/// What every axis is better than.
const WORST: Axis =
    Axis { normal: Vec3::new(0.0, 0.0, 1.0), gap: f64::NEG_INFINITY, witness: None };

fn faces_of_a(pair: &Pair, a: &Poly) -> Axis {
    let mut best = WORST;
    for face in a.faces {
        let gap = pair.support_b(&-face.normal).dot(&face.normal) - face.offset;
        if gap > best.gap {
            best = Axis { normal: face.normal, gap, witness: None };
        }
    }
    best
}

fn faces_of_b(pair: &Pair, b: &Poly) -> Axis {
    let mut best = WORST;
    for face in b.faces {
        let normal = -pair.frame.vector(&face.normal);
        let point = pair.frame.inverse_point(&pair.support_a(&normal));
        let gap = point.dot(&face.normal) - face.offset;
        if gap > best.gap {
            best = Axis { normal, gap, witness: None };
        }
    }
    best
}

/// A unit axis across two edges that points away from the faces of the first; `None` for
/// parallel edges.
fn across(d: &Vec3, e: &Vec3, left: &Vec3, right: &Vec3) -> Option<Vec3> {
    let n = d.cross(e);
    let size = n.norm();
    if size <= 1e-6 * d.norm() * e.norm() {
        return None;
    }
    Some(n * (1f64.copysign(n.dot(&(left + right))) / size))
}

/// True if the arcs `a b` and `c d` of the unit sphere cross, so that the two edges make a face
/// of the difference set.
#[inline]
fn arcs_cross(a: &Vec3, b: &Vec3, c: &Vec3, d: &Vec3) -> bool {
    let (ab, cd) = (a.cross(b), c.cross(d));
    let (ca, da, ac, bc) = (c.dot(&ab), d.dot(&ab), a.dot(&cd), b.dot(&cd));
    ca * da < 0.0 && ac * bc < 0.0 && ca * bc > 0.0
}

fn edges(pair: &Pair, a: &Poly, b: &Poly) -> Axis {
    let mut best = WORST;
    for f in b.edges {
        let (left, right) = (-pair.frame.vector(&f.left), -pair.frame.vector(&f.right));
        let q = pair.frame.point(&b.vertices[f.tail as usize]);
        let e = pair.frame.vector(&(b.vertices[f.head as usize] - b.vertices[f.tail as usize]));
        for g in a.edges {
            if !arcs_cross(&g.left, &g.right, &left, &right) {
                continue;
            }
            let p = a.vertices[g.tail as usize];
            let d = a.vertices[g.head as usize] - p;
            let Some(normal) = across(&d, &e, &g.left, &g.right) else { continue };
            let gap = (q - p).dot(&normal);
            if gap > best.gap {
                best = Axis { normal, gap, witness: Some(on_edges(&p, &d, &q, &e)) };
            }
        }
    }
    best
}

/// Nearest points of two edges taken as lines, kept on the edges.
pub(super) fn on_edges(p: &Vec3, d: &Vec3, q: &Vec3, e: &Vec3) -> (Vec3, Vec3) {
    let (ld, le) = (d.norm(), e.norm());
    let (du, eu) = (d / ld, e / le);
    let (s, u) = nearest_on_lines(p, &du, q, &eu);
    (p + du * s.clamp(0.0, ld), q + eu * u.clamp(0.0, le))
}

/// A segment or point `b` inside the polyhedron `a`.
fn line_in_a(pair: &Pair, a: &Poly) -> Option<Axis> {
    let half = match pair.b.core {
        Core::Point => return Some(faces_of_a(pair, a)),
        Core::Segment(half) => half,
        _ => return None,
    };
    let mut best = faces_of_a(pair, a);
    let e = pair.frame.vector(&Vec3::new(0.0, 0.0, 2.0 * half));
    let q = pair.frame.x - e * 0.5;
    for Edge { tail, head, left, right } in a.edges {
        // the arc of this edge crosses the great circle of the line
        if left.dot(&e) * right.dot(&e) >= 0.0 {
            continue;
        }
        let p = a.vertices[*tail as usize];
        let d = a.vertices[*head as usize] - p;
        let Some(normal) = across(&d, &e, left, right) else { continue };
        let gap = (q - p).dot(&normal);
        if gap > best.gap + bias(pair) {
            best = Axis { normal, gap, witness: Some(on_edges(&p, &d, &q, &e)) };
        }
    }
    Some(best)
}
