//! A drawing as a list of shapes, and the two ways to render it.
//!
//! Coordinates are logical pixels from the upper left corner, y down, as in SVG. Layout works on
//! this list alone, so PNG and SVG cannot differ.

pub(crate) mod clip;
mod coverage;
pub(crate) mod font;
mod raster;
mod stroke;
mod svg;

use crate::figure::{Color, Dash};

pub(crate) use raster::to_png;
pub(crate) use svg::to_svg;

/// A place on the page [logical pixel].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    pub x: f64,
    pub y: f64,
}

/// A point from its coordinates.
pub(crate) const fn pt(x: f64, y: f64) -> Point {
    Point { x, y }
}

/// An upright rectangle of the page [logical pixel].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rect {
    pub x0: f64,
    pub y0: f64,
    pub x1: f64,
    pub y1: f64,
}

impl Rect {
    pub fn width(&self) -> f64 {
        self.x1 - self.x0
    }

    pub fn height(&self) -> f64 {
        self.y1 - self.y0
    }

    pub fn center(&self) -> Point {
        pt(0.5 * (self.x0 + self.x1), 0.5 * (self.y0 + self.y1))
    }

    /// The rectangle with every side moved out by `by`.
    pub fn grown(&self, by: f64) -> Self {
        Self { x0: self.x0 - by, y0: self.y0 - by, x1: self.x1 + by, y1: self.y1 + by }
    }

    pub fn corners(&self) -> [Point; 4] {
        [pt(self.x0, self.y0), pt(self.x1, self.y0), pt(self.x1, self.y1), pt(self.x0, self.y1)]
    }
}

/// Which part of a text stands at its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    /// Share of the text's length that lies before its place.
    pub fn share(self) -> f64 {
        match self {
            Self::Start => 0.0,
            Self::Middle => 0.5,
            Self::End => 1.0,
        }
    }
}

/// A line of text; its capitals are centred on `at` across the writing direction.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Text {
    pub text: String,
    pub at: Point,
    pub size: f64,
    pub color: Color,
    pub anchor: Anchor,
    /// Written upwards instead of to the right.
    pub upward: bool,
}

impl Text {
    /// The rectangle that the text fills.
    pub fn bounds(&self) -> Rect {
        let length = font::width(&self.text, self.size);
        let (before, half) = (length * self.anchor.share(), 0.5 * self.size);
        if self.upward {
            let start = self.at.y + before;
            Rect { x0: self.at.x - half, x1: self.at.x + half, y0: start - length, y1: start }
        } else {
            let start = self.at.x - before;
            Rect { x0: start, x1: start + length, y0: self.at.y - half, y1: self.at.y + half }
        }
    }
}

/// One element of a drawing.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Item {
    Line {
        points: Vec<Point>,
        color: Color,
        width: f64,
        dash: Dash,
    },
    Fill {
        points: Vec<Point>,
        color: Color,
    },
    Text(Text),
    /// Everything that follows shows only inside the rectangle; `None` lifts this.
    Clip(Option<Rect>),
}

/// A page of shapes, painted in order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Drawing {
    pub width: f64,
    pub height: f64,
    pub items: Vec<Item>,
}

impl Drawing {
    pub fn new(width: f64, height: f64) -> Self {
        Self { width, height, items: Vec::new() }
    }

    pub fn line(&mut self, points: Vec<Point>, color: Color, width: f64, dash: Dash) {
        if points.len() > 1 {
            self.items.push(Item::Line { points, color, width, dash });
        }
    }

    pub fn segment(&mut self, from: Point, to: Point, color: Color, width: f64) {
        self.line(vec![from, to], color, width, Dash::Solid);
    }

    pub fn fill(&mut self, points: Vec<Point>, color: Color) {
        if points.len() > 2 {
            self.items.push(Item::Fill { points, color });
        }
    }

    pub fn frame(&mut self, rect: &Rect, color: Color, width: f64) {
        let [a, b, c, d] = rect.corners();
        self.line(vec![a, b, c, d, a], color, width, Dash::Solid);
    }

    pub fn text(&mut self, text: &str, at: Point, size: f64, color: Color, anchor: Anchor) {
        self.put_text(Text { text: text.to_owned(), at, size, color, anchor, upward: false });
    }

    pub fn text_upward(&mut self, text: &str, at: Point, size: f64, color: Color) {
        let (text, anchor) = (text.to_owned(), Anchor::Middle);
        self.put_text(Text { text, at, size, color, anchor, upward: true });
    }

    fn put_text(&mut self, text: Text) {
        if !text.text.is_empty() {
            self.items.push(Item::Text(text));
        }
    }

    pub fn clip(&mut self, rect: Option<Rect>) {
        self.items.push(Item::Clip(rect));
    }
}
