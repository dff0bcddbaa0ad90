//! Drawing a figure: titles, frames, marks, reference lines and notes.

use crate::canvas::{Anchor, Drawing, Point, Rect, font, pt};
use crate::figure::layout::{LABEL, Layout, MARK, SMALL, TITLE, layout};
use crate::figure::prepare::{Prepared, prepare};
use crate::figure::ticks::Ticks;
use crate::figure::{Color, Figure, draw_heat, draw_series, legend, remarks};

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
        }
    }
    remarks::draw(drawing, frame);
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
