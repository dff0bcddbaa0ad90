//! One picture: solids seen from an eye, painted from the farthest to the nearest.

use super::vector::{V, add, cross, dot, scaled, sub, unit};
use super::{Camera, Shot, Solid};
use crate::canvas::{Drawing, Point, Rect, pt};
use crate::figure::{Color, Dash};

/// Where light comes from.
const LIGHT: V = [-0.35, -0.45, 0.82];
const FLOOR: Color = Color::new(0xf3, 0xf4, 0xf6);
const SHADOW: Color = Color::new(0xdd, 0xe0, 0xe4);
const LINES: Color = Color::new(0xe6, 0xe8, 0xeb);
/// How far solids may stick into each other and still count as apart [m]: first hardly at all.
const SLACKS: [f64; 3] = [1e-4, 1e-3, 4e-3];

/// From the world to the page.
struct View {
    eye: V,
    forward: V,
    right: V,
    up: V,
    middle: Point,
    /// Pixels of a length at distance 1.
    scale: f64,
}

impl View {
    fn new(camera: &Camera, rect: &Rect) -> Self {
        let forward = unit(sub(camera.target, camera.eye));
        let right = unit(cross(forward, [0.0, 0.0, 1.0]));
        let scale = 0.5 * rect.height() / (0.5 * camera.angle).tan();
        Self {
            eye: camera.eye,
            forward,
            right,
            up: cross(right, forward),
            middle: rect.center(),
            scale,
        }
    }

    /// Place on the page; not a number behind the eye.
    fn place(&self, p: V) -> Point {
        let d = sub(p, self.eye);
        let depth = dot(d, self.forward);
        let share = if depth > 1e-6 { self.scale / depth } else { f64::NAN };
        pt(self.middle.x + share * dot(d, self.right), self.middle.y - share * dot(d, self.up))
    }
}

/// Paints a shot into a frame of the page.
pub(super) fn paint(drawing: &mut Drawing, rect: &Rect, camera: &Camera, shot: &Shot) {
    let view = View::new(camera, rect);
    drawing.clip(Some(*rect));
    drawing.fill(rect.corners().to_vec(), FLOOR);
    if let Some(floor) = shot.floor {
        paint_floor(drawing, &view, camera, floor);
        for solid in &shot.solids {
            shadow(drawing, &view, solid, floor);
        }
    }
    for index in order(&shot.solids, &view) {
        paint_solid(drawing, &view, &shot.solids[index]);
    }
    for (points, color, width) in &shot.lines {
        let line = points.iter().map(|p| view.place(*p)).filter(|p| p.x.is_finite()).collect();
        drawing.line(line, *color, *width, Dash::Solid);
    }
    drawing.clip(None);
    drawing.frame(rect, Color::new(0xc8, 0xcc, 0xd0), 1.0);
}

/// A grid of 5 cm about the target.
fn paint_floor(drawing: &mut Drawing, view: &View, camera: &Camera, z: f64) {
    let [x, y, _] = camera.target.map(|v| (v / 0.05).round() * 0.05);
    for i in -12..=12 {
        let (a, reach) = (0.05 * f64::from(i), 0.6);
        let ends = [
            [[x + a, y - reach, z], [x + a, y + reach, z]],
            [[x - reach, y + a, z], [x + reach, y + a, z]],
        ];
        for line in ends {
            let points: Vec<Point> = line.iter().map(|p| view.place(*p)).collect();
            if points.iter().all(|p| p.x.is_finite()) {
                drawing.line(points, LINES, 1.0, Dash::Solid);
            }
        }
    }
}

fn shadow(drawing: &mut Drawing, view: &View, solid: &Solid, floor: f64) {
    let light = unit(LIGHT);
    let fall = |v: &V| add(*v, scaled(light, (floor - v[2]) / light[2]));
    let points = solid.vertices.iter().filter(|v| v[2] >= floor - SLACKS[1]).map(fall);
    let hull = hull(points.map(|p| view.place(p)).filter(|p| p.x.is_finite()).collect());
    drawing.fill(hull, SHADOW);
}

/// The convex hull of points of the page.
fn hull(mut points: Vec<Point>) -> Vec<Point> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let turn =
        |a: &Point, b: &Point, c: &Point| (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    let half = |points: &mut dyn Iterator<Item = &Point>| {
        let mut chain: Vec<Point> = Vec::new();
        for p in points {
            while chain.len() > 1
                && turn(&chain[chain.len() - 2], &chain[chain.len() - 1], p) <= 0.0
            {
                chain.pop();
            }
            chain.push(*p);
        }
        chain.pop();
        chain
    };
    let mut all = half(&mut points.iter());
    all.extend(half(&mut points.iter().rev()));
    all
}

/// The rectangle of the page that a solid covers.
fn covered(solid: &Solid, view: &View) -> Rect {
    let far = f64::INFINITY;
    let start = Rect { x0: far, y0: far, x1: -far, y1: -far };
    solid.vertices.iter().map(|v| view.place(*v)).fold(start, |r, p| Rect {
        x0: r.x0.min(p.x),
        y0: r.y0.min(p.y),
        x1: r.x1.max(p.x),
        y1: r.y1.max(p.y),
    })
}

/// Solids from the farthest to the nearest. Two convex solids that lie on both sides of a face of
/// one of them have an order that no distance of centres gives; those that do not meet on the page
/// need none.
fn order(solids: &[Solid], view: &View) -> Vec<usize> {
    let eye = view.eye;
    let far = |s: &Solid| {
        let d = sub(s.center(), eye);
        dot(d, d)
    };
    let rects: Vec<Rect> = solids.iter().map(|s| covered(s, view)).collect();
    let meet = |a: &Rect, b: &Rect| a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;
    let mut later = vec![Vec::new(); solids.len()];
    let mut waits = vec![0usize; solids.len()];
    for a in 0..solids.len() {
        for b in (a + 1..solids.len()).filter(|b| meet(&rects[a], &rects[*b])) {
            let apart = |slack: f64| {
                let first = solids[a].is_before(&solids[b], eye, slack);
                first.or_else(|| solids[b].is_before(&solids[a], eye, slack).map(|first| !first))
            };
            let is_first = SLACKS
                .iter()
                .find_map(|slack| apart(*slack))
                .unwrap_or_else(|| far(&solids[a]) > far(&solids[b]));
            let (first, second) = if is_first { (a, b) } else { (b, a) };
            later[first].push(second);
            waits[second] += 1;
        }
    }
    let mut left: Vec<usize> = (0..solids.len()).collect();
    let mut done = Vec::with_capacity(solids.len());
    while !left.is_empty() {
        // of a circle of solids, the one that waits for the fewest, and the farthest of these
        let next = left.iter().enumerate().min_by(|(_, a), (_, b)| {
            waits[**a].cmp(&waits[**b]).then(far(&solids[**b]).total_cmp(&far(&solids[**a])))
        });
        let Some((place, _)) = next else { break };
        let index = left.swap_remove(place);
        later[index].iter().for_each(|l| waits[*l] = waits[*l].saturating_sub(1));
        done.push(index);
    }
    done
}

fn paint_solid(drawing: &mut Drawing, view: &View, solid: &Solid) {
    let mut faces: Vec<(f64, &Vec<usize>, V)> = Vec::new();
    for face in &solid.faces {
        let n = solid.normal(face);
        let toward = sub(view.eye, solid.vertices[face[0]]);
        if dot(n, toward) > 0.0 {
            let nearest = face.iter().map(|i| {
                let d = sub(solid.vertices[*i], view.eye);
                dot(d, d)
            });
            faces.push((nearest.sum::<f64>() / face.len() as f64, face, n));
        }
    }
    faces.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (_, face, n) in faces {
        let points: Vec<Point> = face.iter().map(|i| view.place(solid.vertices[*i])).collect();
        if points.iter().any(|p| !p.x.is_finite()) {
            continue;
        }
        let color = shade(solid.color, n);
        let mut ring = points.clone();
        ring.push(points[0]);
        drawing.fill(points, color);
        // the line closes the seam to the next face
        let (edge, width) =
            if solid.edges { (color.mixed(Color::BLACK, 0.35), 0.8) } else { (color, 0.6) };
        drawing.line(ring, edge, width, Dash::Solid);
    }
}

/// A colour under light from above, and a little from everywhere.
fn shade(color: Color, n: V) -> Color {
    let lit = dot(n, unit(LIGHT)).max(0.0);
    let shaded = color.mixed(Color::new(0x20, 0x26, 0x33), 0.45 * (1.0 - lit));
    shaded.mixed(Color::new(255, 255, 255), 0.28 * lit * lit)
}
