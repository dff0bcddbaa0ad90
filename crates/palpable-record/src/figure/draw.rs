//! Drawing a figure: titles, frames, marks, reference lines and notes.

use crate::canvas::{Anchor, Drawing, Point, Rect, font, pt};
use crate::figure::layout::{LABEL, Layout, MARK, SMALL, TITLE, layout};
use crate::figure::panel::{Note, Reference};
use crate::figure::prepare::{Prepared, prepare};
use crate::figure::ticks::Ticks;
use crate::figure::{Color, Dash, Figure, draw_heat, draw_series, legend};

/// A frame on the page with the ranges it shows.
pub(crate) struct Frame<'a> {
    pub rect: Rect,
    pub panel: &'a Prepared<'a>,
}

impl Frame<'_> {
    /// Place of a pair of values; not a number where an axis has no such value.
    pub fn place(&self, x: f64, y: f64) -> Point {
        pt(self.place_x(x), self.place_y(y))
    }

    pub fn place_x(&self, x: f64) -> f64 {
        self.rect.x0 + self.panel.x.share(x) * self.rect.width()
    }

    pub fn place_y(&self, y: f64) -> f64 {
        self.rect.y1 - self.panel.y.share(y) * self.rect.height()
    }
}

/// Draws the whole figure.
pub(crate) fn draw(figure: &Figure) -> Drawing {
    let (width, height) = figure.page();
    let mut drawing = Drawing::new(width, height);
    let panels = prepare(figure);
    let layout = layout(figure, &panels);
    let title = font::shorten(&figure.title, TITLE, width - 20.0);
    drawing.text(&title, pt(0.5 * width, 20.0), TITLE, Color::INK, Anchor::Middle);
    for (panel, rect) in panels.iter().zip(&layout.frames) {
        let frame = Frame { rect: *rect, panel };
        draw_panel(&mut drawing, &frame, &layout);
        match panel.heat() {
            Some(map) => draw_heat::bar(&mut drawing, rect, map),
            None => legend::draw_right(&mut drawing, rect, &panel.legend_right(figure)),
        }
    }
    legend::draw_below(&mut drawing, figure, &panels, layout.legend_top);
    drawing
}

fn draw_panel(drawing: &mut Drawing, frame: &Frame, layout: &Layout) {
    let rect = &frame.rect;
    let x = frame.panel.x_ticks(rect.width(), |label| font::width(label, SMALL));
    let y = frame.panel.y_ticks(rect.height());
    let title = font::shorten(&frame.panel.panel.title, LABEL, rect.width());
    drawing.text(&title, pt(rect.center().x, rect.y0 - 12.0), LABEL, Color::INK, Anchor::Middle);
    match frame.panel.heat() {
        Some(map) => draw_heat::cells(drawing, rect, map),
        None => {
            grid(drawing, frame, &x, &y);
            drawing.clip(Some(*rect));
            draw_series::draw(drawing, frame);
            drawing.clip(None);
            references(drawing, frame);
        }
    }
    for note in &frame.panel.panel.notes {
        draw_note(drawing, frame, note);
    }
    drawing.frame(rect, Color::FRAME, 0.8);
    x_marks(drawing, frame, &x);
    y_marks(drawing, frame, &y, layout.caption_gap[frame.panel.column]);
}

fn grid(drawing: &mut Drawing, frame: &Frame, x: &Ticks, y: &Ticks) {
    let r = &frame.rect;
    for (value, _) in &x.major {
        let at = frame.place_x(*value);
        drawing.segment(pt(at, r.y0), pt(at, r.y1), Color::GRID, 0.7);
    }
    for (value, _) in &y.major {
        let at = frame.place_y(*value);
        drawing.segment(pt(r.x0, at), pt(r.x1, at), Color::GRID, 0.7);
    }
}

fn x_marks(drawing: &mut Drawing, frame: &Frame, ticks: &Ticks) {
    let r = &frame.rect;
    for value in &ticks.minor {
        let at = frame.place_x(*value);
        drawing.segment(pt(at, r.y1), pt(at, r.y1 + 0.5 * MARK), Color::FRAME, 0.6);
    }
    for (value, label) in &ticks.major {
        let at = frame.place_x(*value);
        drawing.segment(pt(at, r.y1), pt(at, r.y1 + MARK), Color::FRAME, 0.8);
        if frame.panel.labelled {
            let at = pt(at, r.y1 + MARK + 9.0);
            drawing.text(label, at, SMALL, Color::INK, Anchor::Middle);
        }
    }
    if frame.panel.labelled {
        let caption = font::shorten(&ticks.caption, LABEL, r.width() + 40.0);
        let at = pt(r.center().x, r.y1 + MARK + 28.0);
        drawing.text(&caption, at, LABEL, Color::INK, Anchor::Middle);
    }
}

fn y_marks(drawing: &mut Drawing, frame: &Frame, ticks: &Ticks, gap: f64) {
    let r = &frame.rect;
    for value in &ticks.minor {
        let at = frame.place_y(*value);
        drawing.segment(pt(r.x0 - 0.5 * MARK, at), pt(r.x0, at), Color::FRAME, 0.6);
    }
    for (value, label) in &ticks.major {
        let at = frame.place_y(*value);
        drawing.segment(pt(r.x0 - MARK, at), pt(r.x0, at), Color::FRAME, 0.8);
        let label = font::shorten(label, SMALL, 120.0);
        drawing.text(&label, pt(r.x0 - MARK - 3.0, at), SMALL, Color::INK, Anchor::End);
    }
    let caption = font::shorten(&ticks.caption, LABEL, r.height() + 14.0);
    drawing.text_upward(&caption, pt(r.x0 - gap, r.center().y), LABEL, Color::INK);
}

/// Reference lines, and their labels inside the frame.
fn references(drawing: &mut Drawing, frame: &Frame) {
    let r = &frame.rect;
    let mut lower = 0.0;
    for Reference { value, label, upright } in &frame.panel.panel.references {
        let span = if *upright { &frame.panel.x } else { &frame.panel.y };
        if !span.holds(*value) {
            continue;
        }
        let label = font::shorten(label, SMALL, 0.6 * r.width());
        let length = font::width(&label, SMALL);
        let (from, to, at) = if *upright {
            let x = frame.place_x(*value);
            let start = if x + length + 10.0 > r.x1 { x - length - 5.0 } else { x + 5.0 };
            lower += if lower == 0.0 { 11.0 } else { 15.0 };
            (pt(x, r.y1), pt(x, r.y0), pt(start, r.y0 + lower))
        } else {
            let y = frame.place_y(*value);
            let over = if y - r.y0 < 18.0 { 10.0 } else { -9.0 };
            (pt(r.x0, y), pt(r.x1, y), pt(r.x1 - length - 6.0, y + over))
        };
        drawing.line(vec![from, to], Color::FRAME, 1.0, Dash::Dashed);
        backed_text(drawing, &label, at);
    }
}

/// Small text on a pale ground, so that it reads over lines; `at` is its left end.
fn backed_text(drawing: &mut Drawing, text: &str, at: Point) {
    if text.is_empty() {
        return;
    }
    let (length, half) = (font::width(text, SMALL), 0.55 * SMALL);
    let ground = Rect { x0: at.x, y0: at.y - half, x1: at.x + length, y1: at.y + half };
    let pale = Color::WHITE.with_alpha(0.8);
    drawing.fill(ground.grown(1.5).corners().to_vec(), pale);
    drawing.text(text, at, SMALL, Color::FRAME, Anchor::Start);
}

/// A note above and right of its place, kept inside the frame, with a dot at the place.
fn draw_note(drawing: &mut Drawing, frame: &Frame, note: &Note) {
    let (r, at) = (&frame.rect, frame.place(note.x, note.y));
    if !(frame.panel.x.holds(note.x) && frame.panel.y.holds(note.y)) {
        return;
    }
    let text = font::shorten(&note.text, SMALL, r.width() - 16.0);
    let length = font::width(&text, SMALL);
    let x = (at.x + 8.0).min(r.x1 - length - 6.0).max(r.x0 + 6.0);
    let y = if at.y - 14.0 < r.y0 + 8.0 { at.y + 14.0 } else { at.y - 14.0 };
    draw_series::marker(drawing, at, crate::figure::Marker::Disc, Color::FRAME);
    backed_text(drawing, &text, pt(x, y));
}
