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
    // crowded entries move together, and the last of too many gives way to a count
    let step = (frame.height() / entries.len().max(1) as f64).clamp(13.0, ENTRY);
    let room = ((frame.height() / step + 1e-9) as usize).max(1);
    let at = |index: usize| pt(frame.x1 + 14.0, frame.y0 + step * (index as f64 + 0.5));
    let shown = if entries.len() > room { room - 1 } else { entries.len() };
    for (index, style) in entries.iter().take(shown).enumerate() {
        entry(drawing, at(index), style, limit);
    }
    more(drawing, at(shown), entries.len() - shown);
}

/// Says how many entries had no room.
fn more(drawing: &mut Drawing, at: Point, count: usize) {
    if count > 0 {
        let text = format!("… {count} more");
        drawing.text(&text, at, SMALL, Color::INK, Anchor::Start);
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

/// The entries below the panels that fit into two fifths of the page, and their places.
fn fitting<'a>(figure: &Figure, panels: &'a [Prepared]) -> (Vec<(Point, &'a Style)>, usize) {
    let (width, height) = figure.page();
    let entries = all(panels);
    let places = places(&entries, width);
    let room = places.iter().filter(|at| at.y <= 0.4 * height).count();
    let shown = if room < entries.len() { room.saturating_sub(1) } else { room };
    let more = entries.len() - shown;
    (places.into_iter().zip(entries).take(room.min(shown + 1)).collect(), more)
}

/// Room that the legend below all panels takes.
pub(crate) fn height_below(figure: &Figure, panels: &[Prepared]) -> f64 {
    if figure.legend != Legend::Below {
        return 4.0;
    }
    fitting(figure, panels).0.last().map_or(4.0, |(last, _)| last.y + ENTRY)
}

/// Draws the legend below all panels, centred if it is one row.
pub(crate) fn draw_below(drawing: &mut Drawing, figure: &Figure, panels: &[Prepared], top: f64) {
    if figure.legend != Legend::Below {
        return;
    }
    let (entries, hidden) = fitting(figure, panels);
    let limit = 0.4 * drawing.width;
    let shift = match entries.last() {
        Some((at, style)) if at.y < ENTRY => {
            let end = at.x + SAMPLE + GAP + font::width(&style.name, SMALL).min(limit);
            (0.5 * (drawing.width - end - 20.0)).max(0.0)
        }
        _ => 0.0,
    };
    let shown = entries.len() - usize::from(hidden > 0 && !entries.is_empty());
    for (index, (at, style)) in entries.iter().enumerate() {
        let at = pt(at.x + shift, at.y + top);
        if index < shown {
            entry(drawing, at, style, limit);
        } else {
            more(drawing, at, hidden);
        }
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
