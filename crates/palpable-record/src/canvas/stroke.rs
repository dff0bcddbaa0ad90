//! Turning lines into outlines: dashes, then quads with round joints.

use crate::canvas::{Point, pt};

/// Cuts a line into its dashes; `pattern` alternates drawn and blank lengths \[pixel\].
pub(crate) fn dashes(points: &[Point], pattern: &[f64]) -> Vec<Vec<Point>> {
    let period: f64 = pattern.iter().sum();
    if pattern.is_empty() || period < 1e-6 {
        return vec![points.to_vec()];
    }
    let (mut pieces, mut piece) = (Vec::new(), Vec::new());
    let (mut index, mut left) = (0, pattern[0]);
    piece.extend(points.first());
    for pair in points.windows(2) {
        let (mut from, to) = (pair[0], pair[1]);
        let mut rest = (to.x - from.x).hypot(to.y - from.y);
        while rest > left {
            let t = left / rest;
            from = pt(from.x + t * (to.x - from.x), from.y + t * (to.y - from.y));
            rest -= left;
            if index % 2 == 0 {
                piece.push(from);
                pieces.push(std::mem::take(&mut piece));
            } else {
                piece.push(from);
            }
            index = (index + 1) % pattern.len();
            left = pattern[index].max(1e-3);
        }
        left -= rest;
        if index % 2 == 0 {
            piece.push(to);
        }
    }
    if piece.len() > 1 {
        pieces.push(piece);
    }
    pieces
}

/// The edges of a line of this width, as overlapping outlines of one orientation.
pub(crate) fn outline(points: &[Point], width: f64, mut edge: impl FnMut(Point, Point)) {
    let half = 0.5 * width;
    let mut before: Option<Point> = None;
    for pair in points.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let length = (b.x - a.x).hypot(b.y - a.y);
        if length < 1e-9 || !length.is_finite() {
            continue;
        }
        let along = pt((b.x - a.x) / length, (b.y - a.y) / length);
        if before.is_some_and(|last| last.x * along.x + last.y * along.y < 0.98) {
            joint(a, half, &mut edge);
        }
        let side = pt(-along.y * half, along.x * half);
        let quad = [
            pt(a.x + side.x, a.y + side.y),
            pt(b.x + side.x, b.y + side.y),
            pt(b.x - side.x, b.y - side.y),
            pt(a.x - side.x, a.y - side.y),
        ];
        ring(&quad, &mut edge);
        before = Some(along);
    }
}

/// A disc around a corner, so that it has no notch.
fn joint(center: Point, radius: f64, edge: &mut dyn FnMut(Point, Point)) {
    let corners: [Point; 10] = std::array::from_fn(|index| {
        // against the clock, like the quads
        let angle = -std::f64::consts::TAU * index as f64 / 10.0;
        pt(center.x + radius * angle.cos(), center.y + radius * angle.sin())
    });
    ring(&corners, edge);
}

/// The edges of a closed outline.
pub(crate) fn ring(corners: &[Point], edge: &mut dyn FnMut(Point, Point)) {
    for (index, corner) in corners.iter().enumerate() {
        edge(*corner, corners[(index + 1) % corners.len()]);
    }
}
