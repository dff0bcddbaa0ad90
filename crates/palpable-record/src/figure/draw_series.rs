//! Drawing curves, markers, areas and bars inside a frame.

use crate::canvas::{Drawing, Point, clip, pt};
use crate::figure::draw::Frame;
use crate::figure::panel::{Plot, Style};
use crate::figure::{Color, Dash, Histogram, Line, Marker, Range, Stack};

/// Draws all series of a panel: areas and bars first, then curves.
pub(crate) fn draw(drawing: &mut Drawing, frame: &Frame) {
    let mut styles = frame.panel.styles.iter();
    let mut curves = Vec::new();
    for plot in &frame.panel.panel.plots {
        match plot {
            Plot::Line(line) => curves.extend(styles.next().map(|style| (line, style))),
            Plot::Stack(stack) => {
                let styles: Vec<&Style> = styles.by_ref().take(stack.layers.len()).collect();
                areas(drawing, frame, stack, &styles);
            }
            Plot::Histogram(histogram) => {
                if let Some(style) = styles.next() {
                    bars(drawing, frame, histogram, style);
                }
            }
            Plot::Heat(_) => {}
        }
    }
    for (line, style) in curves {
        curve(drawing, frame, line, style);
    }
}

/// Colour that fills an area of this colour.
pub(crate) fn area_color(color: Color) -> Color {
    color.mixed(Color::WHITE, 0.3)
}

/// Colour of the edge of an area.
pub(crate) fn edge_color(color: Color) -> Color {
    color.mixed(Color::BLACK, 0.35)
}

/// The points of a line that can be seen at twice the page's resolution.
fn thinned(points: &[Point]) -> Vec<Point> {
    clip::simplify(&clip::thin(points, 2.0), 0.04)
}

/// Places of the samples in runs without gaps.
fn runs(frame: &Frame, line: &Line) -> Vec<Vec<Point>> {
    let places = line.x.iter().zip(&line.y).map(|(x, y)| {
        let whole = x.is_finite() && y.is_finite();
        let at = frame.place(*x, *y);
        (whole && at.x.is_finite() && at.y.is_finite()).then_some(at)
    });
    let mut runs = vec![Vec::new()];
    for place in places {
        match (place, runs.last_mut()) {
            (Some(at), Some(run)) => run.push(at),
            (None, Some(run)) if !run.is_empty() => runs.push(Vec::new()),
            _ => {}
        }
    }
    runs
}

fn curve(drawing: &mut Drawing, frame: &Frame, line: &Line, style: &Style) {
    let window = frame.rect.grown(6.0);
    for mut run in runs(frame, line) {
        if frame.panel.panel.y.range == Range::Robust {
            // a thousand frames away it has diverged: it does not come back
            let (limit, middle) = (1e3 * frame.rect.height(), frame.rect.center().y);
            let gone = run.iter().position(|at| (at.y - middle).abs() > limit);
            run.truncate(gone.map_or(run.len(), |index| index + 1));
            leaving(drawing, frame, &run, style.color);
        }
        if style.connected {
            for piece in clip::line(&thinned(&run), &window) {
                drawing.line(piece, style.color, style.width, style.dash);
            }
        }
        let shown = |p: &&Point| {
            (window.x0..=window.x1).contains(&p.x) && (window.y0..=window.y1).contains(&p.y)
        };
        // a sample alone between gaps would not show as a line
        let alone = (run.len() == 1 && style.connected).then_some(Marker::Disc);
        if let Some(sign) = style.marker.or(alone) {
            for at in seen_once(run.iter().filter(shown)) {
                marker(drawing, at, sign, style.color);
            }
        }
    }
}

/// Drops markers that fall on their predecessor.
fn seen_once<'a>(places: impl Iterator<Item = &'a Point>) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::new();
    for at in places {
        if kept.last().is_none_or(|last| (last.x - at.x).hypot(last.y - at.y) > 0.25) {
            kept.push(*at);
        }
    }
    kept
}

/// A triangle at the frame's edge where a run first leaves it upwards or downwards.
fn leaving(drawing: &mut Drawing, frame: &Frame, run: &[Point], color: Color) {
    let r = &frame.rect;
    let outside = |p: &Point| p.y < r.y0 - 0.5 || p.y > r.y1 + 0.5;
    let Some(index) = run.iter().position(outside) else { return };
    let out = run[index];
    let from = if index == 0 { out } else { run[index - 1] };
    let (edge, way) = if out.y < r.y0 { (r.y0, 1.0) } else { (r.y1, -1.0) };
    let share = if out.y == from.y { 0.0 } else { (edge - from.y) / (out.y - from.y) };
    let x = (from.x + share.clamp(0.0, 1.0) * (out.x - from.x)).clamp(r.x0 + 6.0, r.x1 - 6.0);
    let (tip, base) = (edge + way * 1.5, edge + way * 9.0);
    drawing.fill(vec![pt(x, tip), pt(x + 5.0, base), pt(x - 5.0, base)], color);
}

/// Draws a marker.
pub(crate) fn marker(drawing: &mut Drawing, at: Point, marker: Marker, color: Color) {
    let shape = |corners: &[(f64, f64)]| -> Vec<Point> {
        corners.iter().map(|(x, y)| pt(at.x + x, at.y + y)).collect()
    };
    match marker {
        Marker::Disc => {
            let around = (0..16).map(|index| std::f64::consts::TAU * f64::from(index) / 16.0);
            let corners: Vec<_> = around.map(|a| (2.6 * a.cos(), 2.6 * a.sin())).collect();
            drawing.fill(shape(&corners), color);
        }
        Marker::Square => {
            let corners = [(-2.4, -2.4), (2.4, -2.4), (2.4, 2.4), (-2.4, 2.4)];
            drawing.fill(shape(&corners), color);
        }
        Marker::Triangle => {
            drawing.fill(shape(&[(0.0, -3.4), (3.2, 2.4), (-3.2, 2.4)]), color);
        }
        Marker::Diamond => {
            drawing.fill(shape(&[(0.0, -3.6), (3.2, 0.0), (0.0, 3.6), (-3.2, 0.0)]), color);
        }
        Marker::Cross => {
            for slope in [1.0, -1.0] {
                let ends = shape(&[(-2.8, -2.8 * slope), (2.8, 2.8 * slope)]);
                drawing.line(ends, color, 1.4, Dash::Solid);
            }
        }
    }
}

/// Place of a height; what a logarithmic axis cannot show lies on the frame's foot.
fn height(frame: &Frame, y: f64) -> f64 {
    let at = frame.place_y(y);
    if at.is_nan() { frame.rect.y1 } else { at.clamp(-1e4, 1e4) }
}

fn areas(drawing: &mut Drawing, frame: &Frame, stack: &Stack, styles: &[&Style]) {
    for ((low, high), style) in stack.edges().iter().zip(styles) {
        let along = |ys: &[f64]| -> Vec<Point> {
            let places =
                stack.x.iter().zip(ys).map(|(x, y)| pt(frame.place_x(*x), height(frame, *y)));
            thinned(&places.filter(|p| p.x.is_finite()).collect::<Vec<_>>())
        };
        let (upper, lower) = (along(high), along(low));
        let mut outline = upper.clone();
        outline.extend(lower.iter().rev());
        drawing.fill(outline, area_color(style.color));
        for edge in [lower, upper] {
            drawing.line(edge, edge_color(style.color), 0.8, Dash::Solid);
        }
    }
}

fn bars(drawing: &mut Drawing, frame: &Frame, histogram: &Histogram, style: &Style) {
    let foot = height(frame, 0.0);
    for (edges, count) in histogram.edges.windows(2).zip(&histogram.counts) {
        let (left, right) = (frame.place_x(edges[0]), frame.place_x(edges[1]));
        if !(left.is_finite() && right.is_finite() && count.is_finite() && *count > 0.0) {
            continue;
        }
        let top = height(frame, *count);
        let corners = [pt(left, foot), pt(left, top), pt(right, top), pt(right, foot)];
        drawing.fill(corners.to_vec(), area_color(style.color));
        drawing.line(corners.to_vec(), edge_color(style.color), 0.8, Dash::Solid);
    }
}
