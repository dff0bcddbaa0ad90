//! Reference lines and notes: their words go where they hide least.

use crate::canvas::{Anchor, Drawing, Item, Point, Rect, clip, font, pt};
use crate::figure::draw::Frame;
use crate::figure::layout::SMALL;
use crate::figure::panel::Reference;
use crate::figure::{Color, Dash, Marker, draw_series};

/// Draws the reference lines and notes of a panel.
pub(crate) fn draw(drawing: &mut Drawing, frame: &Frame) {
    let panel = frame.panel.panel;
    let shown = |r: &&Reference| {
        let span = if r.upright { &frame.panel.x } else { &frame.panel.y };
        panel.heat_map().is_none() && span.holds(r.value)
    };
    let references: Vec<&Reference> = panel.references.iter().filter(shown).collect();
    for reference in &references {
        let ends = ends(frame, reference);
        drawing.line(ends.to_vec(), Color::FRAME, 1.0, Dash::Dashed);
    }
    for reference in references {
        let text = font::shorten(&reference.label, SMALL, 0.6 * frame.rect.width());
        let places = along(frame, reference, font::width(&text, SMALL));
        put(drawing, frame, &text, &places);
    }
    for note in &panel.notes {
        let at = frame.place(note.x, note.y);
        if frame.panel.x.holds(note.x) && frame.panel.y.holds(note.y) {
            draw_series::marker(drawing, at, Marker::Disc, Color::FRAME);
            let text = font::shorten(&note.text, SMALL, frame.rect.width() - 16.0);
            put(drawing, frame, &text, &around(at, font::width(&text, SMALL)));
        }
    }
}

fn ends(frame: &Frame, reference: &Reference) -> [Point; 2] {
    let r = &frame.rect;
    if reference.upright {
        let x = frame.place_x(reference.value);
        [pt(x, r.y1), pt(x, r.y0)]
    } else {
        let y = frame.place_y(reference.value);
        [pt(r.x0, y), pt(r.x1, y)]
    }
}

/// Places for a label along its line, the best-liked first; each is the text's left end.
fn along(frame: &Frame, reference: &Reference, length: f64) -> Vec<Point> {
    let (r, [from, to]) = (&frame.rect, ends(frame, reference));
    let each = (0..12).flat_map(|step| {
        let share = f64::from(step) / 12.0;
        if reference.upright {
            let y = r.y0 + 11.0 + share * (r.height() - 20.0);
            [pt(from.x + 5.0, y), pt(from.x - 5.0 - length, y)]
        } else {
            let x = to.x - 6.0 - length - share * (r.width() - length - 12.0);
            [pt(x, from.y - 10.0), pt(x, from.y + 10.0)]
        }
    });
    each.collect()
}

/// Places for a note around its dot, the best-liked first.
fn around(at: Point, length: f64) -> Vec<Point> {
    let each = [14.0, 22.0, 34.0].into_iter().flat_map(|far| {
        let (right, left) = (at.x + 0.4 * far, at.x - 0.4 * far - length);
        let middle = at.x - 0.5 * length;
        let (over, under) = (at.y - far, at.y + far);
        [
            (right, over),
            (right, under),
            (left, over),
            (left, under),
            (middle, over),
            (middle, under),
        ]
        .map(|(x, y)| pt(x, y))
    });
    each.collect()
}

/// Writes a text on a pale ground at the place, of those given, where it hides least.
fn put(drawing: &mut Drawing, frame: &Frame, text: &str, places: &[Point]) {
    if text.is_empty() {
        return;
    }
    let (length, half) = (font::width(text, SMALL), 0.55 * SMALL);
    let ground = |at: &Point| {
        Rect { x0: at.x, y0: at.y - half, x1: at.x + length, y1: at.y + half }.grown(1.5)
    };
    let costs = places.iter().map(|at| (cost(drawing, frame, &ground(at)), at));
    let best = costs.min_by(|a, b| a.0.total_cmp(&b.0));
    if let Some((_, at)) = best {
        let pale = Color::WHITE.with_alpha(0.8);
        drawing.fill(ground(at).corners().to_vec(), pale);
        drawing.text(text, *at, SMALL, Color::FRAME, Anchor::Start);
    }
}

/// What a label with this ground would hide: lines, words, and itself beyond the frame.
fn cost(drawing: &Drawing, frame: &Frame, ground: &Rect) -> f64 {
    let r = &frame.rect;
    let beyond = (r.x0 - ground.x0).max(0.0)
        + (ground.x1 - r.x1).max(0.0)
        + (r.y0 - ground.y0).max(0.0)
        + (ground.y1 - r.y1).max(0.0);
    let hidden = |item: &Item| match item {
        Item::Line { points, color, .. } if *color != Color::GRID => crossings(points, ground),
        Item::Fill { points, .. } => 0.5 * crossings(points, ground),
        Item::Text(text) => {
            let b = text.bounds();
            let apart =
                b.x1 < ground.x0 || b.x0 > ground.x1 || b.y1 < ground.y0 || b.y0 > ground.y1;
            if apart { 0.0 } else { 50.0 }
        }
        _ => 0.0,
    };
    100.0 * beyond + drawing.items.iter().map(hidden).sum::<f64>()
}

/// How often a line enters a rectangle; at most ten count.
fn crossings(points: &[Point], rect: &Rect) -> f64 {
    let inside = points.windows(2).filter(|pair| clip::segment(pair[0], pair[1], rect).is_some());
    inside.take(10).count() as f64
}
