//! Cutting lines and areas to a rectangle before they are drawn.

use crate::canvas::{Point, Rect, pt};

/// The parts of a line inside `rect`. Points that are not numbers break the line.
pub(crate) fn line(points: &[Point], rect: &Rect) -> Vec<Vec<Point>> {
    let mut pieces: Vec<Vec<Point>> = Vec::new();
    let mut end: Option<Point> = None;
    for pair in points.windows(2) {
        let Some((a, b)) = segment(pair[0], pair[1], rect) else {
            end = None;
            continue;
        };
        match pieces.last_mut().filter(|_| end == Some(a)) {
            Some(piece) => piece.push(b),
            None => pieces.push(vec![a, b]),
        }
        end = Some(b);
    }
    pieces
}

/// The part of a segment inside `rect`, by the parameter interval that every side leaves.
pub(crate) fn segment(a: Point, b: Point, rect: &Rect) -> Option<(Point, Point)> {
    let step = pt(b.x - a.x, b.y - a.y);
    if !(step.x.is_finite() && step.y.is_finite()) {
        return None;
    }
    let (mut enter, mut leave) = (0.0f64, 1.0f64);
    let sides = [
        (-step.x, a.x - rect.x0),
        (step.x, rect.x1 - a.x),
        (-step.y, a.y - rect.y0),
        (step.y, rect.y1 - a.y),
    ];
    for (speed, room) in sides {
        if speed == 0.0 {
            if room < 0.0 {
                return None;
            }
        } else if speed < 0.0 {
            enter = enter.max(room / speed);
        } else {
            leave = leave.min(room / speed);
        }
    }
    if enter > leave {
        return None;
    }
    let at = |t: f64| match t {
        t if t <= 0.0 => a,
        t if t >= 1.0 => b,
        t => pt(a.x + t * step.x, a.y + t * step.y),
    };
    Some((at(enter), at(leave)))
}

/// Drops points that lie within `tolerance` of the line through their kept neighbours.
pub(crate) fn simplify(points: &[Point], tolerance: f64) -> Vec<Point> {
    let mut kept = vec![false; points.len()];
    let Some(last) = points.len().checked_sub(1) else { return Vec::new() };
    (kept[0], kept[last]) = (true, true);
    let mut open = vec![(0, last)];
    while let Some((from, to)) = open.pop() {
        let away = |i: &usize| distance(points[*i], points[from], points[to]);
        let farthest = (from + 1..to).max_by(|a, b| away(a).total_cmp(&away(b)));
        if let Some(index) = farthest.filter(|index| away(index) > tolerance) {
            kept[index] = true;
            open.extend([(from, index), (index, to)]);
        }
    }
    points.iter().zip(kept).filter(|(_, kept)| *kept).map(|(point, _)| *point).collect()
}

/// Distance of `p` from the segment `a` to `b`.
fn distance(p: Point, a: Point, b: Point) -> f64 {
    let (along, away) = (pt(b.x - a.x, b.y - a.y), pt(p.x - a.x, p.y - a.y));
    let square = along.x * along.x + along.y * along.y;
    let t = if square > 0.0 { (away.x * along.x + away.y * along.y) / square } else { 0.0 };
    let t = t.clamp(0.0, 1.0);
    (away.x - t * along.x).hypot(away.y - t * along.y)
}

/// Thins a line to what can be seen: per pixel column its first, lowest, highest and last point.
pub(crate) fn thin(points: &[Point], columns_per_pixel: f64) -> Vec<Point> {
    let column = |p: &Point| (p.x * columns_per_pixel).floor();
    let mut kept = Vec::new();
    for run in points.chunk_by(|a, b| column(a) == column(b)) {
        if run.len() <= 4 {
            kept.extend_from_slice(run);
            continue;
        }
        let by_height = |a: &usize, b: &usize| run[*a].y.total_cmp(&run[*b].y);
        let low = (0..run.len()).min_by(by_height).unwrap_or(0);
        let high = (0..run.len()).max_by(by_height).unwrap_or(0);
        let mut order = [0, low.min(high), low.max(high), run.len() - 1].to_vec();
        order.dedup();
        kept.extend(order.iter().map(|index| run[*index]));
    }
    kept
}
