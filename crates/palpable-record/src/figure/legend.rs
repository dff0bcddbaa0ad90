//! Names and samples of the series, beside or below the panels.

use crate::canvas::{Anchor, Drawing, Point, Rect, font, pt};
use crate::figure::layout::SMALL;
use crate::figure::panel::Style;
use crate::figure::prepare::Prepared;
use crate::figure::{Color, Figure, Legend, draw_series};

/// Length of a sample, its distance to the name, and the height of an entry [logical pixel].
const SAMPLE: f64 = 26.0;
const GAP: f64 = 6.0;
const ENTRY: f64 = 18.0;

/// Room that a legend beside a panel takes, for a page of this width.
pub(crate) fn width_right(entries: &[&Style], page: f64) -> f64 {
    let widest = entries.iter().map(|style| font::width(&style.name, SMALL)).fold(0.0, f64::max);
    if entries.is_empty() { 0.0 } else { 14.0 + SAMPLE + GAP + widest.min(0.3 * page) + 12.0 }
}

/// Draws the legend beside a frame, from its upper end.
pub(crate) fn draw_right(drawing: &mut Drawing, frame: &Rect, entries: &[&Style]) {
    let limit = 0.3 * drawing.width;
    for (index, style) in entries.iter().enumerate() {
        let at = pt(frame.x1 + 14.0, frame.y0 + 9.0 + ENTRY * index as f64);
        entry(drawing, at, style, limit);
    }
}

/// The entries of all panels, each once.
fn all<'a>(panels: &'a [Prepared]) -> Vec<&'a Style> {
    let mut entries: Vec<&'a Style> = Vec::new();
    for style in panels.iter().flat_map(Prepared::legend) {
        if !entries.contains(&style) {
            entries.push(style);
        }
    }
    entries
}

/// Places of the entries below the panels, from the legend's upper left corner.
fn places(entries: &[&Style], page: f64) -> Vec<Point> {
    let (mut x, mut y) = (20.0, 8.0);
    let each = entries.iter().map(|style| {
        let length = SAMPLE + GAP + font::width(&style.name, SMALL).min(0.4 * page) + 20.0;
        if x + length > page && x > 20.0 {
            (x, y) = (20.0, y + ENTRY);
        }
        let at = pt(x, y);
        x += length;
        at
    });
    each.collect()
}

/// Room that the legend below all panels takes.
pub(crate) fn height_below(figure: &Figure, panels: &[Prepared], page: f64) -> f64 {
    if figure.legend != Legend::Below {
        return 4.0;
    }
    places(&all(panels), page).last().map_or(4.0, |last| last.y + ENTRY)
}

/// Draws the legend below all panels, centred if it is one row.
pub(crate) fn draw_below(drawing: &mut Drawing, figure: &Figure, panels: &[Prepared], top: f64) {
    if figure.legend != Legend::Below {
        return;
    }
    let entries = all(panels);
    let places = places(&entries, drawing.width);
    let limit = 0.4 * drawing.width;
    let shift = match (places.last(), entries.last()) {
        (Some(at), Some(style)) if at.y < ENTRY => {
            let end = at.x + SAMPLE + GAP + font::width(&style.name, SMALL).min(limit);
            (0.5 * (drawing.width - end - 20.0)).max(0.0)
        }
        _ => 0.0,
    };
    for (at, style) in places.iter().zip(&entries) {
        entry(drawing, pt(at.x + shift, at.y + top), style, limit);
    }
}

/// One sample with its name; `at` is the left end of the sample's middle line.
fn entry(drawing: &mut Drawing, at: Point, style: &Style, limit: f64) {
    let end = pt(at.x + SAMPLE, at.y);
    if style.area {
        let swatch = Rect { x0: at.x + 4.0, y0: at.y - 5.5, x1: end.x - 4.0, y1: at.y + 5.5 };
        drawing.fill(swatch.corners().to_vec(), draw_series::area_color(style.color));
        drawing.frame(&swatch, draw_series::edge_color(style.color), 0.8);
    }
    if style.connected {
        drawing.line(vec![at, end], style.color, style.width, style.dash);
    }
    if let Some(marker) = style.marker {
        draw_series::marker(drawing, pt(at.x + 0.5 * SAMPLE, at.y), marker, style.color);
    }
    let name = font::shorten(&style.name, SMALL, limit);
    drawing.text(&name, pt(end.x + GAP, at.y), SMALL, Color::INK, Anchor::Start);
}
